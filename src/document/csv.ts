/** A CSV file as a table whose cells know their places, as those of a Markdown table do. */
import type { Cell, SourceFile } from './source.ts'
import type { Row, Table } from './tree.ts'

export interface CsvTable extends Table {
  /** Rows with more values than the first line has names. */
  readonly tooLong: readonly Row[]
}

/**
 * Values are parted by commas, or by semicolons where the first line has no comma; `"` encloses one that holds such a character, and
 * is doubled inside. Empty lines say nothing. Null: the file is empty.
 */
export function readCsv(file: SourceFile): CsvTable | null {
  const firstLine = /^\uFEFF?(.*)/.exec(file.text)![1]!
  const [first, ...rest] = linesOf(file, firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',')
  if (first === undefined) return null
  const header = first.cells
  const rows = rest.map(row => ({
    ...row,
    cells: header.map((_, index) => row.cells[index] ?? emptyAt(file, row.end)),
  }))
  const tooLong = rest.filter(({ cells }) => cells.length > header.length)
  return { file, start: 0, end: file.text.length, header, rows, tooLong }
}

const emptyAt = (file: SourceFile, at: number): Cell => ({ file, start: at, end: at, text: '', gaps: [] })

function linesOf(file: SourceFile, separator: string): Row[] {
  const { text } = file
  const lines: Row[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const start = at
    const cells: Cell[] = []
    for (;;) {
      const cell = cellFrom(file, at, separator)
      cells.push(cell.cell)
      at = cell.next
      if (text[at] !== separator) break
      at++
    }
    if (cells.some(cell => cell.text !== '')) lines.push({ file, start, end: at, cells })
    while (text[at] === '\r' || text[at] === '\n') at++
  }
  return lines
}

/** The value that begins here, trimmed, and where it ends. */
function cellFrom(file: SourceFile, from: number, separator: string): { readonly cell: Cell; readonly next: number } {
  const { text } = file
  const isEnd = (at: number) => at >= text.length || text[at] === separator || text[at] === '\n' || text[at] === '\r'
  let at = from
  while (text[at] === ' ') at++
  if (text[at] === '"') {
    const start = at + 1
    const gaps: number[] = []
    let value = ''
    for (at = start; at < text.length && !(text[at] === '"' && text[at + 1] !== '"'); at++) {
      if (text[at] === '"') gaps.push(value.length)
      if (text[at] === '"') at++
      value += text[at]
    }
    const end = Math.min(at, text.length)
    while (!isEnd(at)) at++
    return { cell: { file, start, end, text: value, gaps }, next: at }
  }
  const start = at
  while (!isEnd(at)) at++
  const value = text.slice(start, at).trimEnd()
  return { cell: { file, start, end: start + value.length, text: value, gaps: [] }, next: at }
}
