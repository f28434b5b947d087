/** A list as a file for paper: all its rows in their groups, under its title and what it was narrowed by. */
import type { PaperRow, Sheet } from '../../../ui/paper/paper.ts'
import type { Reader } from '../../../ui/reader.tsx'
import type { RowsData } from '../read-data.ts'
import type { RowsNeed } from '../screen-kind.ts'
import type { PaperFile } from '../screen-page.ts'
import { wordsOf } from '../value.tsx'
import type { ListView } from './view-model.ts'

/** Some forty pages. */
const most = 1000

/** From the first row on, of those that may be taken out. */
export const paperRows = (need: RowsNeed): RowsNeed => ({ ...need, out: true, after: null, before: null, limit: most })

export const paperOut = ({
  need,
  data,
}: {
  readonly need: RowsNeed
  readonly data: RowsData
}): Omit<PaperFile, 'sheets'> => ({
  out: { entity: need.entity, columns: data.columns.filter(key => need.columns.includes(key)), rows: data.rows.length },
  tooMany: data.next !== null,
})

export function listSheet({ words }: Reader, view: ListView): Sheet {
  const { frame, rows, groups, totals, empty } = view
  const chips = frame.bar.chips.map(({ label, value }) => `${label}: ${value}`)
  const about = [view.caption, ...chips, ...frame.ignored]
  return {
    title: view.title,
    foot: '',
    blocks: [
      { kind: 'text', text: about.join('\n'), quiet: true },
      empty === null
        ? {
            kind: 'table',
            columns: frame.columns.map(({ label, numeric }) => ({ label, numeric })),
            rows: [...rows.keys(), rows.length].flatMap(at => [...headsAt(groups, at), ...rowAt(rows, at)]),
            foot: totals === null ? null : totals.map((sum, at) => sum ?? (at === 0 ? words('total') : null)),
          }
        : { kind: 'text', text: [empty.title, empty.text].join('\n').trim() },
    ],
  }
}

const headsAt = (groups: ListView['groups'], at: number): readonly PaperRow[] =>
  groups
    .filter(group => group.at === at)
    .map(({ label, count, sums }) => {
      const named = count === '' ? label : `${label} (${count})`
      return { cells: sums.map((sum, index) => (index === 0 ? named : (sum ?? ''))), isHead: true }
    })

function rowAt(rows: ListView['rows'], at: number): readonly PaperRow[] {
  const row = rows[at]
  if (row === undefined) return []
  const under = [row.under, ...row.marks.map(({ label }) => label)].filter(text => text !== '').join(' · ')
  return [{ cells: row.cells.map(wordsOf), ...(under !== '' && { under }) }]
}
