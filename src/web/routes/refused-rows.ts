/**
 * `/-/job?id=…&_export=csv`: the rows of an import that were not taken, as the file had them, with a last column that says why. Of what is
 * taken whole that is every row.
 */
import { fieldKind } from '../../kinds/fields/index.ts'
import type { FileCell, Job, JobRow, RowState } from '../../run/many/jobs.ts'
import { readJobRows } from '../../run/many/jobs.ts'
import type { Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { notFound } from '../pages.tsx'
import { thingsOf } from '../screens/things.ts'
import { say, sentences } from '../sentences.ts'
import { exportName, type SheetCell, type SheetFormat, sheetFormats } from '../sheets.ts'

const states: readonly RowState[] = ['wrong', 'refused']
const all: readonly RowState[] = [...states, 'new', 'right', 'same']
const rowsAtOnce = 1000

/** How many rows of an import there are to be corrected; nobody knows while it is under way. */
export const toCorrect = ({ kind, state, counts }: Job): number =>
  kind === 'import' && ['checked', 'done', 'stopped'].includes(state) ? counts.wrong + counts.refused : 0

/** That of the file that was brought in. */
export const formatOf = ({ what }: Job): SheetFormat['name'] => (what.delimiter === null ? 'xlsx' : 'csv')

export async function refusedRows(exchange: Exchange, job: Job): Promise<Answer> {
  const { site, query, method } = exchange
  const format = sheetFormats.get(query.get(exportName) ?? '')
  if (format === undefined || toCorrect(job) === 0) return notFound(exchange)
  const { columns = [], delimiter } = job.what
  const head = [...columns, say(site, 'rowWhy')]
  return {
    status: 200,
    headers: {
      'content-type': format.type,
      'content-disposition': `attachment; filename="${job.entity.replaceAll('_', '-')}-refused.${format.name}"`,
    },
    cookies: [],
    body:
      method === 'HEAD'
        ? ''
        : format.write(
            thingsOf(site, job.entity),
            head,
            pagesOf(exchange, job, columns.length),
            delimiter == null ? {} : { delimiter },
          ),
  }
}

async function* pagesOf({ runtime }: Exchange, job: Job, width: number) {
  let after = 0
  for (;;) {
    const rows = await readJobRows(runtime, job.id, job.whole ? all : states, after, rowsAtOnce)
    if (rows.length > 0) yield rows.map(row => cellsOf(row, width))
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!.number
  }
}

const cellsOf = ({ cells, problems }: JobRow, width: number): readonly SheetCell[] => [
  ...Array.from({ length: width }, (_, at) => sheetCell(cells?.[at] ?? '')),
  problems.map(({ message, whatToDo }) => (whatToDo === null ? message : `${message} ${whatToDo}`)).join(' '),
]

/** What a workbook knew to be a figure, a date or yes/no is one again; a percentage is its text, `19%`. */
function sheetCell(cell: FileCell): SheetCell {
  if (typeof cell === 'string') return cell
  if (cell.v === 'yes' || cell.v === 'no') return cell.v === 'yes'
  if (cell.percent) return fieldKind('percent').input(cell.v, {})
  if (!/^\d{4}-\d\d-\d\d/.test(cell.v)) return Number(cell.v)
  return new Date(cell.v.includes('T') ? `${cell.v}Z` : cell.v)
}

const reasons: ReadonlySet<string> = new Set(
  Object.keys(sentences.languages).map(language => sentences.in(language)('rowWhy')),
)

/** A corrected file still has the column that said why: unless a field has that name, it is nobody's. */
export const withoutReasons = (columns: readonly string[], mapping: readonly (string | null)[]): readonly string[] =>
  mapping.at(-1) === null && reasons.has(columns.at(-1) ?? '') ? columns.slice(0, -1) : columns
