/** A GFM table as Markdown finds it → header and rows of cells, each with its exact place. */
import type { Nodes, Table as TableNode, TableRow } from 'mdast'
import { cellAt } from './cell.ts'
import type { DocumentReport } from './codes.ts'
import type { Fix } from './diagnostic.ts'
import { withoutLines } from './fix.ts'
import type { Cell, SourceFile, Span } from './source.ts'
import type { Row, Table } from './tree.ts'

/** Columns of a table. Short rows are filled up to the header, so without a limit a small file could make a huge table. */
const columnLimit = 100

/** The extent of a node of the Markdown tree; nodes that the parser makes always have one. */
export function spanOf(file: SourceFile, { position }: Pick<Nodes, 'position'>): Span {
  return { file, start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** The tables of a node of the Markdown tree: more than one (N0325) where a line of dashes follows what is another header then. */
export function readTables(file: SourceFile, node: TableNode, report: DocumentReport): readonly Table[] {
  const parts: TableRow[][] = [[]]
  for (const row of node.children) {
    const part = parts.at(-1)!
    if (part.length > 1 && isDashes(file, row) && isHeader(file, part.at(-1)!)) {
      const header = part.pop()!
      const { start } = spanOf(file, header)
      const edits = [{ span: { file, start, end: start }, text: '\n' }]
      report('N0325', spanOf(file, header), {}, { fixes: [{ title: 'put an empty line between them', edits }] })
      parts.push([header])
    } else part.push(row)
  }
  const { end } = spanOf(file, node)
  return parts.flatMap((rows, at) => {
    const last = at === parts.length - 1 ? end : spanOf(file, rows.at(-1)!).end
    return readTable(file, rows, last, report) ?? []
  })
}

const textsOf = (spans: readonly Span[]) => spans.map(({ file, start, end }) => file.text.slice(start, end).trim())

const isDashed = (pieces: readonly Span[]): boolean => textsOf(pieces).every(text => /^:?-{2,}:?$/.test(text))

const piecesOf = (file: SourceFile, row: TableRow) => row.children.map(cell => inside(spanOf(file, cell)))

const isDashes = (file: SourceFile, row: TableRow): boolean => isDashed(piecesOf(file, row))

/** Whether a row could be a header: words in each cell, and no two alike. */
function isHeader(file: SourceFile, row: TableRow): boolean {
  const texts = textsOf(piecesOf(file, row))
  return texts.every(text => /^[\p{L}_][\p{L}_ ]*$/u.test(text)) && new Set(texts).size === texts.length
}

/**
 * Reads a table as GFM reads it: a missing cell is an empty one, surplus cells are reported (N0311) and left out. Where the
 * surplus comes from a bar inside a cell (`a || b`, or a bar inside a code span), the cell is put together again, so that
 * the rest of the row keeps its columns. Null, reported (N0318), for a table with more columns than {@link columnLimit}.
 */
function readTable(file: SourceFile, nodes: readonly TableRow[], end: number, report: DocumentReport): Table | null {
  const [header = [], ...all] = nodes.map(row => piecesOf(file, row))
  const columns = header.length
  if (columns > columnLimit) {
    report('N0318', spanOf(file, nodes[0]!), { columns, limit: columnLimit })
    return null
  }
  const rows = all.flatMap((pieces, i) => {
    const span = spanOf(file, nodes[i + 1]!)
    return isAgain(pieces, header, span, report) ? [] : [{ pieces, span }]
  })
  return {
    file,
    start: spanOf(file, nodes[0]!).start,
    end,
    header: header.map(cellOf),
    rows: rows.map(({ pieces, span }): Row => {
      if (columns > 1 && pieces.length === 1 && bars(span).length === 0) report('N0315', span, {})
      const cells = pieces.length > columns ? mend(span, pieces, columns, report) : pieces
      const rest = { file, start: span.end, end: span.end }
      return { ...span, cells: Array.from({ length: columns }, (_, j) => cellOf(cells[j] ?? rest)) }
    }),
  }
}

/** N0328: a row that is a line of dashes, or the header once more. */
function isAgain(pieces: readonly Span[], header: readonly Span[], row: Span, report: DocumentReport): boolean {
  const isLine = isDashed(pieces)
  if (!isLine && (header.length < 2 || textsOf(pieces).join('|') !== textsOf(header).join('|'))) return false
  const what = isLine ? 'line of dashes' : 'header'
  report('N0328', row, { what }, { fixes: [withoutLines('take out this row', row)] })
  return true
}

/** Offsets of the bars in a range that no backslash escapes. */
export function bars({ file, start, end }: Span): number[] {
  const found: number[] = []
  for (let i = start; i < end; i++) {
    if (file.text[i] === '\\') i++
    else if (file.text[i] === '|') found.push(i)
  }
  return found
}

function cellOf({ file, start, end }: Span): Cell {
  return cellAt(file, start, end)
}

/** The extent of a cell without the bars to its left and right, which Markdown's tree counts to it. */
function inside({ file, start, end }: Span): Span {
  const from = file.text[start] === '|' ? start + 1 : start
  return { file, start: from, end: bars({ file, start: from, end })[0] ?? end }
}

function mend(row: Span, pieces: readonly Span[], columns: number, report: DocumentReport): readonly Span[] {
  const count = { cells: pieces.length, columns }
  const joined = (gap: Span) => gap.start === gap.end && gap.start > 0
  const byOr = joinAround(pieces, joined)
  if (byOr.length === columns) {
    const signs = pieces
      .filter((piece, i) => i > 0 && i < pieces.length - 1 && joined(piece))
      .map(({ file, start }) => ({ file, start: start - 1, end: start + 1 }))
    const edits = signs.map(span => ({ span, text: wordFor(span) }))
    report(
      'N0311',
      signs[0]!,
      { ...count, edit: '; write `or` instead of `||`', help: 'A bar ends a cell, even inside backticks.' },
      { fixes: [{ title: 'write `or`', kind: 'write', edits }] },
    )
    return byOr
  }
  const byCode = joinCode(pieces)
  if (byCode.length === columns) {
    const inner = byCode.flatMap(span => bars(span)).map(start => ({ file: row.file, start, end: start + 1 }))
    const fix: Fix = { title: 'write `\\|`', kind: 'write', edits: inner.map(span => ({ span, text: '\\|' })) }
    report(
      'N0311',
      inner[0]!,
      { ...count, edit: '; write `\\|` for a bar inside a cell', help: 'A bar ends a cell, even inside backticks.' },
      { fixes: [fix] },
    )
    return byCode
  }
  const surplus = { file: row.file, start: pieces[columns]!.start, end: row.end }
  const between = pieces.length === 2 * columns + 1 && isBlank(pieces[columns]!) ? pieces[columns]! : null
  if (columns > 2 && (between !== null || pieces.length === 2 * columns) && !pieces.slice(columns).every(isBlank)) {
    const span = between ?? { ...surplus, end: surplus.start }
    const fix = { title: 'begin a new row there', edits: [{ span, text: between === null ? '\n|' : '\n' }] }
    const help = 'These are the cells of two rows: each row has a line of its own.'
    report('N0311', { ...surplus, start: surplus.start - 1 }, { ...count, edit: '', help }, { fixes: [fix] })
    return pieces
  }
  const isEmpty = pieces.slice(columns).every(isBlank)
  const empty = pieces.filter(isBlank)
  const one = pieces.length === columns + 1 && empty.length === 1 ? empty[0]! : null
  const fixes = isEmpty
    ? [{ title: 'take the surplus out', edits: [{ span: surplus, text: '' }] }]
    : one === null
      ? []
      : [{ title: 'take the empty cell out', edits: [{ span: { ...one, end: one.end + 1 }, text: '' }] }]
  report(
    'N0311',
    { ...surplus, start: surplus.start - 1 },
    { ...count, edit: '', help: 'Take the surplus cells out; write `\\|` for a bar inside a cell.' },
    { fixes },
  )
  return one === null ? pieces : pieces.filter(piece => piece !== one)
}

const isBlank = ({ file, start, end }: Span): boolean => file.text.slice(start, end).trim() === ''

/** `or` with the spaces that it needs. */
function wordFor({ file, start, end }: Span): string {
  const before = /\s/.test(file.text[start - 1] ?? ' ') ? '' : ' '
  const after = /\s/.test(file.text[end] ?? ' ') ? '' : ' '
  return `${before}or${after}`
}

/** Joins the pieces on both sides of each piece that is a gap: what `||` has torn apart. */
function joinAround(pieces: readonly Span[], isGap: (piece: Span) => boolean): readonly Span[] {
  const result: Span[] = []
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!
    const [before, next] = [result.at(-1), pieces[i + 1]]
    if (before !== undefined && next !== undefined && isGap(piece)) {
      result[result.length - 1] = { ...before, end: next.end }
      i++
    } else result.push(piece)
  }
  return result
}

/** Joins pieces until the backticks in each are even in number: what a bar inside a code span has torn apart. */
function joinCode(pieces: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  let open = false
  for (const piece of pieces) {
    const ticks = piece.file.text.slice(piece.start, piece.end).split('`').length - 1
    if (open) result[result.length - 1] = { ...result.at(-1)!, end: piece.end }
    else result.push(piece)
    if (ticks % 2 === 1) open = !open
  }
  return result
}
