/** Excel workbooks: which sheets there are, and the rows of one with each cell as it is shown. */
import { type MergeRange, readXlsx, streamXlsxRows } from 'hucre/xlsx'
import { type FileCell, isEmpty } from '../document/file-cells.ts'
import type { TablePlace } from '../run/many/jobs.ts'
import { headingsLooked, sheetGaps, sheetSpan, sheetsLooked, workbookRow } from './bounds.ts'
import { sheetCell } from './sheet-cells.ts'
import type { Seen } from './tables.ts'

export const isWorkbook = (bytes: Buffer): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** What the parts of a ZIP archive say that they unpack to, all together; not a number where it is no archive. */
export function unpackedBytes(bytes: Buffer): number {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > bytes.length) return Number.NaN
  let at = bytes.readUInt32LE(end + 16)
  let sum = 0
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return Number.NaN
    sum += bytes.readUInt32LE(at + 24)
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return sum
}

/** Thrown where reading goes beyond what was allowed for it. */
export class Heavy extends Error {}

type Sheets = TablePlace['sheets']

export async function sheetsOf(bytes: Buffer): Promise<Sheets> {
  const sheets: { name: string; hidden: boolean }[] = []
  await readXlsx(new Uint8Array(bytes), {
    sheets: ({ name, hidden = false, veryHidden = false }) => {
      sheets.push({ name, hidden: hidden || veryHidden })
      return false
    },
  })
  return sheets
}

/** Of the sheets that are shown, the one with a row that scores highest; of equals the first that has two rows. */
export async function chosenSheet(
  bytes: Buffer,
  sheets: Sheets,
  score: (cells: readonly string[]) => number,
): Promise<string> {
  const open = sheets.filter(({ hidden }) => !hidden)
  const asked = (open.length > 0 ? open : sheets).slice(0, sheetsLooked)
  let best = { name: asked[0]?.name ?? '', score: -1 }
  if (asked.length === 1) return best.name
  for (const { name } of asked) {
    let [rows, most] = [0, 0]
    for await (const { values } of streamXlsxRows(new Uint8Array(bytes), { sheet: name, maxRows: headingsLooked })) {
      const cells = values.map(value => String(value ?? ''))
      if (cells.every(cell => cell.trim() === '')) continue
      rows += 1
      most = Math.max(most, score(cells))
    }
    if (rows > 1 && most > best.score) best = { name, score: most }
  }
  return best.name
}

interface SheetRows {
  readonly rows: readonly { readonly number: number; readonly cells: readonly FileCell[] }[]
  /** Numbers of the rows that the sheet hides. */
  readonly hidden: readonly number[]
  /** Cells that have the value of the one above, with which they are merged. */
  readonly merged: number
}

/** The rows of a sheet in which anything stands. What it would take is measured before it is read as a whole: it spans `most` cells. */
export async function readSheet(
  bytes: Buffer,
  name: string,
  locale: string,
  seen: Seen,
  most: number,
): Promise<SheetRows> {
  if ((await span(bytes, name, seen)) > most) throw new Heavy()
  const book = await readXlsx(new Uint8Array(bytes), { readStyles: true, sheets: [name] })
  const sheet = book.sheets[0]!
  const about = { locale, from1904: book.dateSystem === '1904' }
  const grid = sheet.rows.map((values, row) => {
    // What is read already would be in memory beside it.
    sheet.rows[row] = []
    return values.map((value, at) => sheetCell(value, sheet.cells?.get(`${row},${at}`), about))
  })
  const merged = fillMerged(grid, sheet.merges ?? [])
  const rows = grid.flatMap((cells, at) => (cells.every(isEmpty) ? [] : [{ number: at + 1, cells }]))
  const hidden = rows.flatMap(({ number }) => (sheet.rowDefs?.get(number - 1)?.hidden === true ? [number] : []))
  return { rows, hidden, merged }
}

/** Cells that it spans, for it is read as a rectangle. Throws where its rows are in no order, or it is nearly all gaps. */
async function span(bytes: Buffer, sheet: string, seen: Seen): Promise<number> {
  let [last, widest, cells] = [0, 0, 0]
  for await (const { index, values } of streamXlsxRows(new Uint8Array(bytes), { sheet })) {
    const number = index + 1
    if (!(number > last && number <= workbookRow)) throw new Error('Its rows are in no order.')
    last = number
    widest = Math.max(widest, values.length)
    cells += values.length
    seen(values.map(value => String(value ?? '')))
  }
  if (last * widest > Math.max(sheetSpan, cells * sheetGaps)) throw new Error('It is nearly all gaps.')
  return last * widest
}

/** What a merged cell shows over several rows is the value of each of them that has others. Gives how many got one. */
function fillMerged(grid: readonly FileCell[][], merges: readonly MergeRange[]): number {
  let filled = 0
  const ends = new Map<number, number>()
  for (const { startRow, endRow, startCol } of merges.toSorted((left, right) => left.startRow - right.startRow)) {
    const value = grid[startRow]?.[startCol]
    // Those that overlap, which no spreadsheet writes, would be gone through again and again.
    if (value === undefined || isEmpty(value) || startRow <= (ends.get(startCol) ?? -1)) continue
    ends.set(startCol, endRow)
    for (const cells of grid.slice(startRow + 1, endRow + 1)) {
      if (cells.every(isEmpty) || !isEmpty(cells[startCol] ?? '')) continue
      cells[startCol] = value
      filled += 1
    }
  }
  return filled
}
