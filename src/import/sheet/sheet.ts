/** What an import of a spreadsheet begins with, and what the parts of it share. */
import { cellName, type FileCell, isEmpty, shownOf, textOf } from '../../document/file-cells.ts'
import { fieldKind } from '../../kinds/fields/index.ts'

/** A sheet of a workbook, or a CSV file, as a table. */
export interface Sheet {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly SheetRow[]
  readonly place: SheetPlace
}

/** How the table lies in its sheet. */
interface SheetPlace {
  /** Number of the row of headings. */
  readonly heading: number
  /** Rows above it that are not empty. */
  readonly above: number
  /** Rows of the table that the sheet hides. */
  readonly hidden: number
  /** Cells that have the value of the one above, with which they are merged. */
  readonly merged: number
}

interface SheetRow {
  /** As a spreadsheet shows it. */
  readonly number: number
  readonly cells: readonly FileCell[]
}

/** A column with what stands in it, row by row: null where nothing does. */
export interface Column {
  readonly at: number
  readonly heading: string
  readonly cells: readonly (FileCell | null)[]
  /** The cells as texts, as the sheet shows them. */
  readonly texts: readonly (string | null)[]
}

export function columnOf({ columns, rows }: Sheet, at: number): Column {
  const cells = rows.map(row => {
    const cell = row.cells[at] ?? ''
    return isEmpty(cell) ? null : cell
  })
  const texts = cells.map(cell => (cell === null || isWrong(cell) ? null : oneLine(shownOf(cell))))
  return { at, heading: columns[at]!, cells, texts }
}

const oneLine = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

/** An error of the spreadsheet, or a formula without its result. */
export const isWrong = (cell: FileCell): boolean => typeof cell !== 'string' && cell.wrong !== undefined

export const isUncounted = (cell: FileCell): boolean => typeof cell !== 'string' && cell.wrong === 'uncounted'

export const placeOf = ({ name, rows }: Sheet, row: number, at: number): string =>
  `${name}!${cellName(at, rows[row]!.number)}`

/** What a cell is read from: a text as somebody typed it, else the canonical value as far as the sheet shows it. */
export const writtenIn = (cell: FileCell): string =>
  typeof cell === 'string' ? oneLine(cell) : (cell.less ?? textOf(cell))

export const isKnown = (cell: FileCell): boolean => typeof cell !== 'string'

/** The zone of a document that names none. */
const zone = 'UTC'

/** A value of a kind in the canonical form, which files of sample data have; null where it is none. */
export function readAs(
  kind: string,
  text: string,
  locale: string,
  parameters: Parameters<ReturnType<typeof fieldKind>['parse']>[1] = {},
): string | null {
  const { parse, input } = fieldKind(kind)
  const parsed = parse(/^date/.test(kind) ? wholeYear(text) : text, parameters, locale, zone)
  return 'value' in parsed ? input(parsed.value, parameters, undefined, zone) : null
}

/** `1.2.26` is of 2026, `1/2/30` of 1930, as spreadsheets take them. */
const wholeYear = (text: string): string =>
  text.replace(
    /^(\d{1,2}([./-])\d{1,2}\2)(\d\d)(?![\d./-])/,
    (_, day: string, __: string, year: string) => `${day}${Number(year) < 30 ? 20 : 19}${year}`,
  )
