/**
 * `/-/job?id=…&_export=csv`: the rows of an import that were not taken, as the file had them, with a last column that says why. Of what is
 * taken whole that is every row.
 */

import { cellName, type FileCell, shownOf } from '../../document/file-cells.ts'
import { offeredLanguages } from '../../headings/translate.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { isTyped } from '../../run/many/cells.ts'
import { columnAt } from '../../run/many/import-fields.ts'
import type { Job, JobRow, RowProblem, RowState } from '../../run/many/jobs.ts'
import { readJobRows } from '../../run/many/jobs.ts'
import { notFound } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { thingsOf } from '../screens/things.ts'
import { say, sentences } from '../sentences.ts'
import { exportName, firstCell, type SheetCell, type SheetFormat, sheetFormats } from '../sheets.ts'
import type { Site } from '../site.ts'

const states: readonly RowState[] = ['wrong', 'refused']
const all: readonly RowState[] = [...states, 'new', 'right', 'same']
const rowsAtOnce = 1000

/** How many rows of an import there are to be corrected; nobody knows while it is under way. */
export const toCorrect = ({ kind, state, counts }: Job): number =>
  kind === 'import' && ['checked', 'done', 'stopped'].includes(state) ? counts.wrong + counts.refused : 0

/** That of the file that was brought in. */
export const formatOf = ({ what }: Job): SheetFormat['name'] => (what.delimiter === null ? 'xlsx' : 'csv')

export async function refusedRows(context: RequestContext, job: Job): Promise<HttpResponse> {
  const { site, query, method } = context
  const format = sheetFormats.get(query.get(exportName) ?? '')
  if (format === undefined || toCorrect(job) === 0) return notFound(context)
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
        : format.write(thingsOf(site, job.entity), head, pagesOf(context, job), delimiter == null ? {} : { delimiter }),
  }
}

async function* pagesOf({ runtime, site }: RequestContext, job: Job) {
  let after = 0
  for (;;) {
    const rows = await readJobRows(runtime, job.id, job.whole ? all : states, after, rowsAtOnce)
    if (rows.length > 0) yield rows.map(row => cellsOf(site, job, row))
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!.number
  }
}

/** Behind the reasons what had no column to stand in. */
function cellsOf({ app }: Site, { entity, what: { columns = [], mapping = [] } }: Job, row: JobRow) {
  const cells = Array.from({ length: Math.max(columns.length, row.cells?.length ?? 0) }, (_, at) => {
    const key = mapping[at]
    return sheetCell(row.cells?.[at] ?? '', isTyped(columnAt(app, entity, key)?.field))
  })
  const why = row.problems.map(problem => saidOf(problem, mapping, row.number)).join(' ')
  return [...cells.slice(0, columns.length), why, ...cells.slice(columns.length)]
}

/** What is wrong, what to do about it, and in which cell of the file. */
export function saidOf(
  { field, message, whatToDo }: RowProblem,
  mapping: readonly (string | null)[],
  row: number,
): string {
  const at = field === null ? -1 : mapping.indexOf(field)
  return [message, whatToDo, at < 0 ? null : `(${cellName(at, row)})`].filter(text => text !== null).join(' ')
}

/** What a workbook knew to be a figure, a date or yes/no is one again where it goes into a field of such; all else is what the sheet showed. */
function sheetCell(cell: FileCell, isTyped: boolean): SheetCell {
  if (typeof cell === 'string') return cell
  const { v, less, percent, wrong } = cell
  if (wrong === undefined && v === (less ?? v) && isTyped) {
    if (v === 'yes' || v === 'no') return v === 'yes'
    if (percent) return fieldKind('percent').input(v, {})
    const at = Date.parse(v.includes('T') ? `${v}Z` : v)
    if (/^\d{4}-\d\d-\d\d/.test(v) && at >= firstCell) return new Date(at)
    if (/^-?\d+(\.\d+)?$/.test(v) && v.replace(/\D/g, '').length <= 15) return Number(v)
  }
  return shownOf(cell)
}

/** A corrected file still has the column that said why: unless a field has that name, it is nobody's. */
export function withoutReasons<Row extends { readonly cells: readonly FileCell[] }>(
  { columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly Row[] },
  mapping: readonly (string | null)[],
  { app }: Site,
): { readonly columns: readonly string[]; readonly rows: readonly Row[] } {
  const reasons = offeredLanguages(app).map(tag => sentences.in(tag)('rowWhy'))
  if (mapping.at(-1) !== null || !reasons.includes(columns.at(-1) ?? '')) return { columns, rows }
  const at = columns.length - 1
  return { columns: columns.slice(0, at), rows: rows.map(row => ({ ...row, cells: row.cells.toSpliced(at, 1) })) }
}
