/** A report: figures that were read → a table with subtotals, a way to the records behind each, and the same as a file. */
import type { Screen } from '../../../headings/2-screens/model.ts'
import type { Presenter } from '../presenter.ts'
import type { FigureRow, FiguresData, RowsData } from '../read-data.ts'
import type { FiguresFile } from '../screen-page.ts'
import { groupName, type ReportNeed, reportPart } from './screen.ts'
import { sentences } from './texts.ts'
import type { ReportView } from './view-model.ts'

interface Reported {
  readonly screen: Screen
  readonly need: ReportNeed
  readonly data: FiguresData
  /** Of the group that the address names. */
  readonly rows: RowsData | null
}

export function reportView(presenter: Presenter, { screen, need, data, rows }: Reported): ReportView {
  const { figures, reader, path } = presenter
  const { by, entity, measures } = need.figures
  const said = sentences.in(reader.locale)
  const part = reportPart(screen)
  const cells = cellsOf(presenter, need, data)
  return {
    ...presenter.frame(screen, entity),
    action: path,
    fields: part.parameters.map(parameter => presenter.asks(parameter, need.written[parameter.key] ?? '')),
    ignored: presenter.notUnderstood(need.ignored),
    caption: said('caption', {
      title: screen.name.text,
      measures: reader.format.allOf(shownMeasures(need, data).map(index => figures.measure(measures[index]!))),
    }),
    columns: columnsOf(presenter, need, data),
    rows: data.rows.map((row, index) => {
      const isSum = row.keys.length < by.length
      return { id: String(index), isSum, href: isSum ? null : behindHref(presenter, row), cells: cells[index]! }
    }),
    total:
      data.rows.length === 0 && by.length > 0
        ? null
        : [
            ...(by.length === 0 ? [said('all')] : by.map((_, index) => (index === 0 ? reader.words('total') : ''))),
            ...cells.at(-1)!,
          ],
    more: data.left === 0 ? null : presenter.firstShown(data.rows.length, data.left),
    exports: figures.exports(entity, withoutGroup(presenter)),
    empty: data.rows.length > 0 || by.length === 0 ? null : presenter.none(entity, part, false),
    behind: rows === null || need.rows === null ? null : behindOf(presenter, { screen, need, data, rows }),
  }
}

function behindOf(
  presenter: Presenter,
  { screen, need, data, rows }: Reported & { readonly rows: RowsData },
): ReportView['behind'] {
  const { figures, path, reader } = presenter
  const { entity, by } = need.figures
  const group = groupAt(need, data).map((key, index) => figures.key(by[index]!, key))
  const things = presenter.things(entity)
  const shown = need.rows!.columns.filter(column => rows.columns.includes(column))
  const rest = withoutGroup(presenter)
  return {
    title: sentences.in(reader.locale)('behind', {
      things: things.charAt(0).toUpperCase() + things.slice(1),
      group: group.join(', '),
    }),
    list: presenter.lines(entity, shown, rows.rows, presenter.none(entity, reportPart(screen), true)),
    next: rows.next === null ? null : hrefWith(presenter, query => query.set('after', rows.next!)),
    close: rest.size === 0 ? path : `${path}?${rest}`,
  }
}

/** The keys of the group in the address, with the label that its row has. */
function groupAt({ shown, figures }: ReportNeed, data: FiguresData): FigureRow['keys'] {
  const row = data.rows.find(
    ({ keys }) => keys.length === figures.by.length && keys.every(({ value }, index) => value === shown[index]),
  )
  return row?.keys ?? shown.map(value => ({ value, label: null }))
}

/** Places of the measures that this person may see. */
const shownMeasures = ({ figures }: ReportNeed, { seen }: FiguresData): readonly number[] =>
  figures.measures.flatMap((_, index) => (seen[index] ? [index] : []))

function columnsOf({ figures }: Presenter, need: ReportNeed, data: FiguresData): ReportView['columns'] {
  const { by, measures } = need.figures
  const groups = by.map((grouping, index) => ({ key: `g${index}`, label: figures.group(grouping), numeric: false }))
  const head = groups.length > 0 ? groups : [{ key: 'g', label: '', numeric: false }]
  const numbers = shownMeasures(need, data).map(index => ({
    key: `m${index}`,
    label: figures.measure(measures[index]!),
    numeric: figures.isNumber(measures[index]!),
  }))
  return [...head, ...numbers]
}

/** Of each row; last the numbers of all of them. A group is named once, where it begins; its sum says that it is one. */
function cellsOf(presenter: Presenter, need: ReportNeed, data: FiguresData): readonly (readonly string[])[] {
  const { figures, reader } = presenter
  const { by, measures } = need.figures
  const said = sentences.in(reader.locale)
  const all = [...data.rows, data.total]
  const numbers = shownMeasures(need, data).map(index =>
    figures.exact(
      measures[index]!,
      all.map(row => row.values[index] ?? null),
    ),
  )
  return all.map((row, at) => {
    const values = numbers.map(column => column[at]!)
    if (row === data.total) return values
    const last = row.keys.length - 1
    const before = data.rows[at - 1]?.keys
    const isSame = (index: number) =>
      row.keys.slice(0, index + 1).every(({ value }, place) => before !== undefined && before[place]?.value === value)
    const groups = by.map((grouping, index) => {
      const key = row.keys[index]
      if (key === undefined) return ''
      const text = figures.key(grouping, key)
      if (row.keys.length < by.length && index === last) return said('sum', { group: text })
      return index < last && isSame(index) ? '' : text
    })
    return [...groups, ...values]
  })
}

function hrefWith({ path, address }: Presenter, change: (query: URLSearchParams) => void): string {
  const query = new URLSearchParams(address.query)
  change(query)
  return query.size === 0 ? path : `${path}?${query}`
}

const behindHref = (presenter: Presenter, row: FigureRow): string =>
  `${hrefWith(presenter, query => {
    query.delete('after')
    for (const [index, { value }] of row.keys.entries()) query.set(groupName(index), String(value ?? ''))
  })}#behind`

/** What the address asks besides the records of a group. */
const withoutGroup = ({ address }: Presenter): URLSearchParams =>
  new URLSearchParams([...address.query].filter(([name]) => !name.startsWith(groupName('')) && name !== 'after'))

/**
 * The figures as rows of a file: every group in its own cell, also where the table leaves it out, and no sums of them. Where there
 * are more than it has, a last row says so.
 */
export function reportFile(presenter: Presenter, { need, data }: Omit<Reported, 'screen' | 'rows'>): FiguresFile {
  const { figures } = presenter
  const { by, measures, entity } = need.figures
  const shown = shownMeasures(need, data)
  const groups = by.length === 0 ? [data.total] : data.rows.filter(({ keys }) => keys.length === by.length)
  const columns = shown.map(index =>
    figures.cells(
      measures[index]!,
      groups.map(row => row.values[index] ?? null),
    ),
  )
  const rows = groups.map((row, at) => [
    ...row.keys.map((key, index) => figures.keyCell(by[index]!, key)),
    ...columns.map(column => column[at] ?? null),
  ])
  return {
    entity,
    head: columnsOf(presenter, need, data).flatMap(({ key, label }) => (key === 'g' ? [] : label)),
    shows: [
      ...by.map(() => 'text' as const),
      ...shown.map(index => (figures.isPercent(measures[index]!) ? ('percent' as const) : ('number' as const))),
    ],
    rows: data.left === 0 ? rows : [...rows, [presenter.firstShown(rows.length)]],
  }
}
