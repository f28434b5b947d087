/** Tables as files: CSV and Excel, row by row. A text that a spreadsheet would run as a formula is never written so that it could be. */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { writeCsvStream } from 'hucre/csv'
import { writeXlsxStream } from 'hucre/xlsx'

/** The query parameter that asks for a list as a file. */
export const exportName = '_export'

/** Beside it: with the rows of each record, and theirs. */
export const withRowsName = '_rows'

/** What it names where that is for paper. */
export const paperFormat = 'pdf'

/** The first day that spreadsheets agree on: before it they count a 29th of February 1900, and before 1900 they have none. */
export const firstCell = Date.UTC(1900, 2, 1)

/** A number, date or yes/no is written as one where the format has such cells; every text is text. */
export type SheetCell = string | number | boolean | Date | null

export interface SheetFormat {
  readonly name: 'csv' | 'xlsx'
  readonly type: string
  /** Excel has cells of numbers, dates and yes/no; in CSV everything is its canonical text. */
  readonly typed: boolean
  readonly write: (
    title: string,
    columns: readonly string[],
    rows: AsyncIterable<readonly (readonly SheetCell[])[]>,
    options?: SheetOptions,
  ) => Readable
}

interface SheetOptions {
  /** What parts the cells of a row, where the format has that. Default: a comma. */
  readonly delimiter?: string
  /** How a spreadsheet shows the cells of each column, where the format has that. Default: as they are. */
  readonly shows?: readonly SheetColumn[]
}

/** `percent`: of numbers that are fractions. `amount`: with so many decimals. */
export type SheetColumn = 'text' | 'number' | 'percent' | 'date' | 'moment' | { readonly amount: number }

/** With room for what stands there, and a moment with its time: by itself a spreadsheet shows a day. */
function columnAs(column: SheetColumn, label: string) {
  const shown =
    typeof column === 'object'
      ? { numFmt: `#,##0${column.amount === 0 ? '' : `.${'0'.repeat(column.amount)}`}`, width: 14 }
      : columnsAs[column]
  return { ...shown, width: Math.max(shown.width, label.length + 2) }
}

const columnsAs = {
  text: { width: 24 },
  number: { width: 12 },
  percent: { numFmt: '0.00%', width: 12 },
  date: { numFmt: 'yyyy-mm-dd', width: 12 },
  moment: { numFmt: 'yyyy-mm-dd hh:mm:ss', width: 20 },
} as const

const csv: SheetFormat = {
  name: 'csv',
  type: 'text/csv; charset=utf-8',
  typed: false,
  // The mark at the front tells Excel that it is UTF-8.
  write: (_, columns, pages, { delimiter = ',' } = {}) =>
    stream(writeCsvStream(all([...columns], pages, plain), { bom: true, delimiter })),
}

const xlsx: SheetFormat = {
  name: 'xlsx',
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  typed: true,
  write: (title, columns, pages, { shows = [] } = {}) =>
    stream(
      writeXlsxStream(all([...columns], pages), {
        name: sheetName(title),
        freezePane: { rows: 1 },
        columns: columns.map((label, at) => columnAs(shows[at] ?? 'text', label)),
      }),
    ),
}

export const sheetFormats: ReadonlyMap<string, SheetFormat> = new Map([csv, xlsx].map(format => [format.name, format]))

/** Excel refuses some letters in the name of a sheet, and more than 31 of them. */
const sheetName = (title: string): string =>
  title
    .replace(/[[\]:*?/\\']/g, ' ')
    .slice(0, 31)
    .trim() || 'Sheet'

async function* all(
  head: SheetCell[],
  pages: AsyncIterable<readonly (readonly SheetCell[])[]>,
  cell: (value: SheetCell) => SheetCell = value => value,
): AsyncGenerator<SheetCell[]> {
  yield head.map(cell)
  for await (const rows of pages) for (const row of rows) yield row.map(cell)
}

/** Spreadsheets take a text that begins so for a formula (OWASP, CSV injection), the wide forms of the signs too. */
const formula = /^[=+\-@\t\r\n|\uff1d\uff0b\uff0d\uff20]/

/** Numbers are what people would write; `-5` and `-5%` are no formulas. */
const number = /^-?\d+(\.\d+)?%?$/

/** An apostrophe in front says "this is text", and a file that is read back loses it again: {@link unguarded}. */
export const guarded = (text: string): string => (formula.test(text) && !number.test(text) ? `'${text}` : text)

export const unguarded = (text: string): string =>
  text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text

const plain = (value: SheetCell): SheetCell => (typeof value === 'string' ? guarded(value) : value)

const stream = (bytes: unknown): Readable => Readable.fromWeb(bytes as ReadableStream)
