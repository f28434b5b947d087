/** A table on paper: its head once more on each page, no row in two parts unless no page has room for it. */
import type { StructureElement } from 'pdfkit'
import type { Line, Setter } from './lines.ts'
import type { PaperRow, PaperTable } from './paper.ts'
import { type Column, ink, leading, type Sheets } from './sheets.ts'
import { type ColumnNeed, columnWidths } from './table-widths.ts'
import type { Setting } from './typeset.ts'

const size = 9
const small = 8
const gap = 10
const above = 3.5

/** What its columns need, the gaps beside them included. */
export function tableNeeds(setter: Setter, { columns, rows, foot }: PaperTable): readonly ColumnNeed[] {
  return columns.map(({ label }, at) => {
    const texts = [
      label,
      foot?.[at] ?? '',
      ...rows.flatMap(({ cells, under = '', isHead }) =>
        at > 0 ? (cells[at] ?? '') : isHead === true ? [] : [cells[at] ?? '', under],
      ),
    ]
    const need = { whole: 0, word: 0 }
    for (const text of new Set(texts)) {
      const { whole, word } = setter.widths([{ text, weight: 600 }], size)
      need.whole = Math.max(need.whole, whole)
      need.word = Math.max(need.word, word)
    }
    return { whole: need.whole + gap, word: need.word + gap }
  })
}

export function setTable({ sheets, setter }: Setting, table: PaperTable): void {
  // Beside the last one is no gap.
  const widths = columnWidths(tableNeeds(setter, table), sheets.width + gap)
  let start = 0
  const places = table.columns.map(({ numeric }, at): Column => {
    const place = { start, width: widths[at]! - gap, atEnd: numeric }
    start += widths[at]!
    return place
  })
  const cellsOf = ({ cells, under = '', isHead = false }: PaperRow, weight: 400 | 600): readonly Cell[] =>
    places.map((place, at) => {
      // The name of a group goes as far as there are no figures beside it.
      const free = isHead && at === 0 ? places.findIndex((_, index) => index > 0 && (cells[index] ?? '') !== '') : 1
      const column = free === 1 ? place : { ...place, width: (free === -1 ? sheets.width : places[free]!.start) - gap }
      const lines = setter.lines([{ text: cells[at] ?? '', weight }], size, column.width)
      const more = at === 0 && under !== '' ? setter.lines([{ text: under, weight: 400 }], small, column.width) : []
      return { column, lines, more }
    })
  const heads = cellsOf({ cells: table.columns.map(({ label }) => label) }, 600)
  const element = sheets.element('Table')
  let group: readonly Cell[] | null = null
  const again = () => {
    setRow(sheets, heads, null)
    if (group !== null) setRow(sheets, group, null)
  }
  const put = (cells: readonly Cell[], type: 'TH' | 'TD', after = 0) => {
    const height = heightOf(cells)
    if (height > sheets.whole / 2) return setLong(sheets, cells, { element, type, again })
    sheets.room(height + after, again)
    setRow(sheets, cells, sheets.element('TR', element), type)
  }
  const first = table.rows[0]
  put(heads, 'TH', first === undefined ? 0 : heightOf(cellsOf(first, 400)))
  const last = table.rows.length - 1
  for (const [at, row] of table.rows.entries()) {
    const isHead = row.isHead === true
    const cells = cellsOf(row, isHead ? 600 : 400)
    if (isHead) group = null
    put(cells, 'TD', (isHead || (at === last && table.foot !== null) ? 1 : 0) * (leading(size) + 2 * above))
    if (isHead) group = cells
  }
  group = null
  if (table.foot !== null) put(cellsOf({ cells: table.foot.map(cell => cell ?? '') }, 600), 'TD')
  sheets.move(12)
}

interface Cell {
  readonly column: Column
  readonly lines: readonly Line[]
  /** Below them, smaller. */
  readonly more: readonly Line[]
}

const heightOf = (cells: readonly Cell[]): number =>
  Math.max(...cells.map(({ lines, more }) => lines.length * leading(size) + more.length * leading(small))) + 2 * above

/** `row` null: it stands there once more, for the eyes. */
function setRow(sheets: Sheets, cells: readonly Cell[], row: StructureElement | null, type: 'TH' | 'TD' = 'TH'): void {
  const top = sheets.top() + above
  for (const { column, lines, more } of cells) {
    const element = row === null ? null : sheets.element(type, row, type === 'TH' ? { scope: 'Column' } : undefined)
    sheets.marked(type, element, () => {
      for (const [at, line] of lines.entries()) sheets.line(line, column, { size, top: top + at * leading(size) })
      const below = top + lines.length * leading(size)
      for (const [at, line] of more.entries())
        sheets.line(
          line,
          { ...column, atEnd: false },
          { size: small, top: below + at * leading(small), colour: ink.quiet },
        )
    })
  }
  sheets.move(heightOf(cells))
  sheets.marked('Artifact', null, () =>
    sheets.rule({ start: 0, width: sheets.width }, sheets.top(), type === 'TH' ? ink.strong : ink.line),
  )
}

interface Long {
  readonly element: StructureElement
  readonly type: 'TH' | 'TD'
  readonly again: () => void
}

/** A row that would leave half a page empty: as many lines of it as there is room for, and then the others. */
function setLong(sheets: Sheets, cells: readonly Cell[], { element, type, again }: Long): void {
  const all = cells.map(({ column, lines, more }) => ({ column, lines: [...lines, ...more] }))
  const longest = Math.max(...all.map(({ lines }) => lines.length))
  for (let at = 0; at < longest; ) {
    sheets.room(2 * leading(size) + 2 * above, again)
    const bottom = sheets.bottom() - sheets.top() - 2 * above
    const fits = Math.max(1, Math.floor(bottom / leading(size)))
    const part = all.map(({ column, lines }) => ({ column, lines: lines.slice(at, at + fits), more: [] }))
    setRow(sheets, part, sheets.element('TR', element), type)
    at += fits
  }
}
