/** A file as a table. It comes from outside: everything has a bound, and what cannot be read is said. A large one is read apart, see `large-tables.ts`. */
import { inflateRawSync } from 'node:zlib'
import { detectDelimiter, streamCsvRows } from 'hucre/csv'
import { readXlsx, streamXlsxRows } from 'hucre/xlsx'
import type { FileCell } from '../run/many/jobs.ts'
import {
  tableCellLetters,
  tableColumns,
  tableLetters,
  tableLooked,
  tableRows,
  tableUnpackedBytes,
  workbookRow,
} from './bounds.ts'
import { unguarded } from './sheets.ts'

export interface FileTable {
  readonly columns: readonly string[]
  /** What parts the cells of a row; null: it is a workbook. */
  readonly delimiter: string | null
  /** `number` is the row's number in the file, as a spreadsheet shows it. */
  readonly rows: readonly { readonly number: number; readonly cells: readonly FileCell[] }[]
}

/** Why a file is no table that could be read. */
export type NoTable = 'fileEmpty' | 'fileUnreadable' | 'fileTooLong' | 'fileTooWide' | 'fileCellTooLong' | 'fileTooMuch'

export const isWorkbook = (bytes: Buffer): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** CSV in UTF-8 or what Windows writes, parted by commas, semicolons or tabs; or an Excel workbook's first sheet. */
export async function readTable(bytes: Buffer): Promise<FileTable | NoTable> {
  let table = await readCells(bytes)
  if (typeof table === 'string' || !isWorkbook(bytes)) return table
  try {
    if (!hasPercents(bytes)) return table
    const last = table.rows.at(-1)!.number
    // Formats are read of the whole workbook at once, and that not before it is known to be small enough; what is read already would be
    // in memory beside them.
    table = 'fileEmpty'
    const isPercent = await percentsOf(bytes, last)
    table = await readCells(bytes)
    return typeof table === 'string' ? table : { ...table, rows: table.rows.map(row => withPercents(row, isPercent)) }
  } catch {
    return 'fileUnreadable'
  }
}

async function readCells(bytes: Buffer): Promise<FileTable | NoTable> {
  const isBook = isWorkbook(bytes)
  const text = isBook ? '' : decoded(bytes)
  const delimiter = isBook ? null : detectDelimiter(text.slice(0, 10_000))
  let columns: readonly string[] | null = null
  const rows: { number: number; cells: readonly FileCell[] }[] = []
  let letters = 0
  try {
    for await (const { number, cells } of delimiter === null ? workbookRows(bytes) : csvRows(text, delimiter)) {
      if (cells.length > tableLooked) return 'fileTooWide'
      if (cells.every(cell => typeof cell === 'string' && cell.trim() === '')) continue
      if (cells.some(cell => textOf(cell).length > tableCellLetters)) return 'fileCellTooLong'
      for (const cell of cells) letters += textOf(cell).length
      if (letters > tableLetters) return 'fileTooMuch'
      if (columns === null) {
        columns = withoutEnd(cells.map(cell => textOf(cell).trim().slice(0, 200)))
        if (columns.length > tableColumns) return 'fileTooWide'
        continue
      }
      if (rows.length >= tableRows) return 'fileTooLong'
      rows.push({ number, cells: cells.slice(0, columns.length) })
    }
    return columns === null || rows.length === 0 ? 'fileEmpty' : { columns, delimiter, rows }
  } catch {
    return 'fileUnreadable'
  }
}

const textOf = (cell: FileCell): string => (typeof cell === 'string' ? cell : cell.v)

interface ReadRow {
  readonly number: number
  readonly cells: readonly FileCell[]
}

function* csvRows(text: string, delimiter: string): Generator<ReadRow> {
  if (/[\0\ufffd]/.test(text)) throw new Error('This is no text.')
  let number = 0
  for (const row of streamCsvRows(text, { delimiter }))
    yield { number: ++number, cells: row.map(cell => unguarded(String(cell ?? ''))) }
}

/** UTF-8 where it is that; else the letters of Windows, which older spreadsheets write. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

async function* workbookRows(bytes: Buffer): AsyncGenerator<ReadRow> {
  let last = 0
  for await (const { index, values } of streamXlsxRows(new Uint8Array(bytes))) {
    const number = index + 1
    if (!(number > last && number <= workbookRow)) throw new Error('Its rows are in no order.')
    last = number
    yield { number, cells: Array.from(values, cellOf) }
  }
}

/** By the number of the row and the place of the column. */
type IsPercent = (row: number, column: number) => boolean

const withPercents = ({ number, cells }: ReadRow, isPercent: IsPercent): ReadRow => ({
  number,
  cells: cells.map((cell, at) =>
    typeof cell !== 'string' && isPercent(number, at) ? { ...cell, percent: true } : cell,
  ),
})

/** Whether any cell may be shown as a percentage: formats 9 and 10 are, and those that are written with the sign. */
function hasPercents(bytes: Buffer): boolean {
  const found = partsOf(bytes)?.find(({ name }) => name === 'xl/styles.xml')
  if (found === undefined) return false
  const from = found.at + 30 + bytes.readUInt16LE(found.at + 26) + bytes.readUInt16LE(found.at + 28)
  const packed = bytes.subarray(from, from + found.packed)
  const styles = (
    found.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: tableUnpackedBytes })
  ).toString()
  return /numFmtId="(?:9|10)"|formatCode="[^"]*%/.test(styles)
}

async function percentsOf(bytes: Buffer, maxRows: number): Promise<IsPercent> {
  const { sheets } = await readXlsx(new Uint8Array(bytes), { readStyles: true, sheets: [0], maxRows })
  const percents = new Set<string>()
  for (const [place, { value, style }] of sheets[0]?.cells ?? [])
    if (typeof value === 'number' && style?.numFmt?.includes('%') === true) percents.add(place)
  return (row, column) => percents.has(`${row - 1},${column}`)
}

/** What the workbook knows to be a figure, a date or yes/no keeps its canonical form. */
function cellOf(value: unknown): FileCell {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return { v: value ? 'yes' : 'no' }
  if (value instanceof Date) {
    const iso = value.toISOString()
    return { v: iso.slice(11, 19) === '00:00:00' ? iso.slice(0, 10) : iso.slice(0, 19) }
  }
  if (typeof value === 'number') return { v: decimalOf(value) }
  return String(value)
}

/** No exponents: `1e21` and `1e-7` are written out. */
function decimalOf(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  return Math.abs(value) >= 1 ? BigInt(Math.round(value)).toString() : value.toFixed(20).replace(/0+$/, '')
}

const withoutEnd = (columns: readonly string[]): readonly string[] => {
  const last = columns.findLastIndex(column => column !== '')
  return columns.slice(0, last + 1)
}

interface Part {
  readonly name: string
  /** 0: stored as it is; 8: deflated. */
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  /** Where its local header begins. */
  readonly at: number
}

/** Null where it is no ZIP archive. */
function partsOf(bytes: Buffer): readonly Part[] | null {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > bytes.length) return null
  let at = bytes.readUInt32LE(end + 16)
  const parts: Part[] = []
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return null
    const nameLength = bytes.readUInt16LE(at + 28)
    parts.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return parts
}

/** What the parts of a ZIP archive say that they unpack to, all together; not a number where it is no archive. */
export const unpackedBytes = (bytes: Buffer): number =>
  partsOf(bytes)?.reduce((sum, { unpacked }) => sum + unpacked, 0) ?? Number.NaN
