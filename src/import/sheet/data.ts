/** The rows of the sheets as files of sample data, which the checker has read. */
import { readCsv } from '../../document/csv.ts'
import { readApp } from '../../headings/index.ts'
import type { Drafting } from '../draft.ts'
import type { FilledTable } from './fields.ts'
import { placeOf } from './sheet.ts'

interface File {
  readonly path: string
  readonly text: string
}

/**
 * The document and its data. The checker has the last word on cells as on everything else: what it does not take is left out and noted, so that
 * what was imported is served. Throws where the document itself is wrong: a mistake of ours.
 */
export function withoutRefused(
  drafting: Drafting,
  tables: readonly FilledTable[],
  document: () => string,
): readonly File[] {
  for (;;) {
    const data = tables.map(table => ({ table, path: table.table.entity.data!, text: csvOf(table) }))
    const files = [{ path: 'app.md', text: document() }, ...data.map(({ path, text }) => ({ path, text }))]
    const { found } = readApp('app.md', path => files.find(file => file.path === path)?.text ?? null)
    const wrong = found.filter(({ severity }) => severity === 'error')
    if (wrong.length === 0) return files
    for (const { code, message, span } of wrong) {
      const file = data.find(({ path }) => path === span.file.path)
      if (file === undefined) throw new Error(`The imported document has an error: ${code} ${message}`)
      leaveOut(drafting, file.table, file.text, span.start, message)
    }
  }
}

function leaveOut(drafting: Drafting, { table, columns }: FilledTable, text: string, at: number, why: string): void {
  const rows = readCsv({ path: '', text })!.rows
  const row = rows.findIndex(({ start, end }) => start <= at && at <= end)
  const index = rows[row]?.cells.findIndex(({ start, end }) => start <= at && at <= end) ?? -1
  const column = columns[index]
  const value = column?.values[row]
  if (column === undefined || value == null) throw new Error(`The imported data has an error: ${why}`)
  column.values[row] = null
  drafting.note(table.entity, placeOf(table.sheet, row, column.column.at), `"${value}" is left out: ${why}`)
}

function csvOf({ table, columns }: FilledTable): string {
  const rows = table.sheet.rows.map((_, row) => columns.map(({ values }) => quoted(values[row] ?? '')))
  return [columns.map(({ key }) => key), ...rows].map(cells => `${cells.join(',')}\n`).join('')
}

const quoted = (text: string): string => (/[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
