/** A file as a table. It comes from outside: everything has a bound, and what cannot be read is said. A large one is read apart, see `large-tables.ts`. */
import { streamCsvRows } from 'hucre/csv'
import { type FileCell, isEmpty, textOf } from '../document/file-cells.ts'
import type { TablePlace } from '../run/many/jobs.ts'
import {
  headingLetters,
  headingsLooked,
  tableCellLetters,
  tableColumns,
  tableLetters,
  tableLooked,
  tableRows,
} from './bounds.ts'
import { decoded } from './letters.ts'
import { textCell } from './sheet-cells.ts'
import { unguarded } from './sheets.ts'
import { chosenSheet, Heavy, isWorkbook, readSheet, sheetsOf } from './workbooks.ts'

/** What is known of a file before it is read. */
export interface TableWish {
  /** Of the columns that are looked for: by them the sheet and its row of headings are found. */
  readonly names: readonly string[]
  /** In which texts that formats make of numbers are written. */
  readonly locale: string
  /** By name; null: the one that has most of the names. */
  readonly sheet: string | null
  /** Number of the row of headings; null: the one that has most of the names. */
  readonly heading: number | null
}

export interface FileTable {
  readonly columns: readonly string[]
  /** What parts the cells of a row; null: it is a workbook. */
  readonly delimiter: string | null
  readonly place: TablePlace
  readonly rows: readonly TableRow[]
}

/** `number` is the row's number in the file, as a spreadsheet shows it. Cells may stand behind the last column: it is said of them. */
interface TableRow {
  readonly number: number
  readonly cells: readonly FileCell[]
}

/** Why a file is no table that could be read. */
export const noTables = [
  'fileEmpty',
  'fileUnreadable',
  'fileTooLong',
  'fileTooWide',
  'fileCellTooLong',
  'fileTooMuch',
] as const
export type NoTable = (typeof noTables)[number]

/** Thrown where reading cannot go on. */
class Refused extends Error {
  readonly why: NoTable
  constructor(why: NoTable) {
    super(why)
    this.why = why
  }
}

/**
 * CSV in UTF-8, UTF-16 or what Windows writes, parted by commas, semicolons or tabs; or a sheet of an Excel workbook, from which more than
 * it has bytes may come: many cells share one text, and two span a million. Null where that is more than `most` letters or cells.
 */
export async function readTable(bytes: Buffer, wish: TableWish): Promise<FileTable | NoTable>
export async function readTable(bytes: Buffer, wish: TableWish, most: number): Promise<FileTable | NoTable | null>
export async function readTable(bytes: Buffer, wish: TableWish, most = Number.POSITIVE_INFINITY) {
  try {
    return isWorkbook(bytes) ? await readWorkbook(bytes, wish, most) : readText(bytes, wish)
  } catch (error) {
    if (error instanceof Heavy) return null
    return error instanceof Refused ? error.why : 'fileUnreadable'
  }
}

/** Each sheet of a workbook by its name, of which only those are read that it shows; or the one table of a text. Whatever stands in its headings. */
export async function readTables(
  bytes: Buffer,
  name: string,
): Promise<readonly { readonly name: string; readonly table: FileTable | NoTable | 'sheetHidden' }[]> {
  const wish = { names: [], locale: 'en', heading: null }
  if (!isWorkbook(bytes)) return [{ name, table: await readTable(bytes, { ...wish, sheet: null }) }]
  return await Promise.all(
    (await sheetsOf(bytes)).map(async sheet => ({
      name: sheet.name,
      table: sheet.hidden ? ('sheetHidden' as const) : await readTable(bytes, { ...wish, sheet: sheet.name }),
    })),
  )
}

async function readWorkbook(bytes: Buffer, wish: TableWish, most: number): Promise<FileTable> {
  const sheets = await sheetsOf(bytes)
  const score = (cells: readonly string[]) => matches(cells, namesOf(wish))
  const sheet = sheets.find(({ name }) => name === wish.sheet)?.name ?? (await chosenSheet(bytes, sheets, score))
  const { rows, hidden, merged } = await readSheet(bytes, sheet, wish.locale, counter(most), most)
  const table = tableOf(rows, wish)
  const first = table.rows[0]!.number
  const place = { ...table.place, sheet, sheets, merged, hidden: hidden.filter(number => number >= first).length }
  return { ...table, delimiter: null, place }
}

function readText(bytes: Buffer, wish: TableWish): FileTable {
  const all = decoded(bytes)
  if (/[\0\ufffd]/.test(all)) throw new Error('This is no text.')
  // The first line of some files says what parts the cells; spreadsheets do not count it.
  const said = /^sep=([^\r\n])\r?\n/i.exec(all)
  const text = said === null ? all : all.slice(said[0].length)
  const delimiter = said?.[1] ?? delimiterOf(text.slice(0, 10_000))
  const seen = counter()
  const rows: TableRow[] = []
  let number = 0
  for (const row of streamCsvRows(text, { delimiter })) {
    number += 1
    const cells = row.map(cell => textCell(unguarded(String(cell ?? ''))))
    if (seen(cells)) rows.push({ number, cells })
  }
  return { ...tableOf(rows, wish), delimiter }
}

/** What parts the cells: that by which most rows have the same width, and the widest; decimal commas part each amount, and no rows. */
function delimiterOf(beginning: string): string {
  const end = beginning.lastIndexOf('\n')
  const text = end > 0 ? beginning.slice(0, end) : beginning
  const scores = delimiters.map(delimiter => {
    const widths = [...streamCsvRows(text, { delimiter })].map(row => row.length).filter(width => width > 1)
    return Math.max(
      0,
      ...[...Map.groupBy(widths, width => width)].map(([width, rows]) => rows.length ** 2 * (width - 1)),
    )
  })
  return delimiters[scores.indexOf(Math.max(...scores))]!
}

const delimiters = [',', ';', '\t', '|']

/** Told each row as it is read, it says whether anything stands there, and refuses what is beyond the bounds. */
export type Seen = (cells: readonly FileCell[]) => boolean

function counter(most = Number.POSITIVE_INFINITY): Seen {
  let [letters, rows] = [0, 0]
  return cells => {
    if (cells.length > tableLooked) throw new Refused('fileTooWide')
    if (cells.every(isEmpty)) return false
    for (const cell of cells) {
      const { length } = textOf(cell)
      if (length > tableCellLetters) throw new Refused('fileCellTooLong')
      letters += length
    }
    if (letters > most) throw new Heavy()
    if (letters > tableLetters) throw new Refused('fileTooMuch')
    rows += 1
    if (rows > tableRows + headingsLooked) throw new Refused('fileTooLong')
    return true
  }
}

/** Rows that are not empty, as headings and what is below them. */
function tableOf(rows: readonly TableRow[], wish: TableWish): Omit<FileTable, 'delimiter'> {
  const at =
    wish.heading === null ? headingIn(rows, namesOf(wish)) : rows.findIndex(({ number }) => number === wish.heading)
  const head = rows[at]
  const below = rows.slice(at + 1)
  if (head === undefined || below.length === 0) throw new Refused('fileEmpty')
  if (below.length > tableRows) throw new Refused('fileTooLong')
  const columns = filled(head.cells).map(cell => textOf(cell).trim().slice(0, headingLetters))
  if (columns.length > tableColumns) throw new Refused('fileTooWide')
  return {
    columns,
    place: { sheet: null, sheets: [], heading: head.number, above: at, hidden: 0, merged: 0 },
    rows: below.map(({ number, cells }) => ({ number, cells: filled(cells) })),
  }
}

/** Without the empty cells at the end. */
const filled = (cells: readonly FileCell[]): readonly FileCell[] =>
  cells.slice(0, cells.findLastIndex(cell => !isEmpty(cell)) + 1)

/** How a heading is compared with a name, which is never longer. */
export const plainHeading = (text: string): string =>
  text
    .slice(0, headingLetters)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.:-]+/g, ' ')
    .trim()

const namesOf = ({ names }: TableWish): ReadonlySet<string> => new Set(names.map(plainHeading))

const matches = (cells: readonly string[], names: ReadonlySet<string>): number =>
  new Set(cells.map(plainHeading).filter(cell => names.has(cell))).size

/** The row that has most of the names; where none has any, the first that is more than half as wide as the widest: above it stand titles. */
function headingIn(rows: readonly TableRow[], names: ReadonlySet<string>): number {
  const looked = rows.slice(0, headingsLooked).map(({ cells }) => cells.map(textOf))
  const found = looked.map(cells => matches(cells, names))
  const most = Math.max(0, ...found)
  if (most > 0) return found.indexOf(most)
  const widths = looked.map(cells => cells.filter(cell => cell.trim() !== '').length)
  return widths.findIndex(width => width * 2 > Math.max(...widths))
}
