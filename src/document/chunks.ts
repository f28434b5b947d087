/**
 * Markdown → its top-level blocks, piece by piece. The Markdown parser takes time that grows with the square of the lines in one
 * list or block quote; a file is therefore cut where every list and quote is surely at its end, which gives the same blocks
 * and, for any file, time that grows with its length.
 */
import type { Nodes, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { lineStarts } from './cell.ts'
import type { DocumentReport } from './codes.ts'
import type { SourceFile, Span } from './source.ts'
import { isTooDeep, nestingLimit } from './text.ts'

/** Lines of one list item or block quote, lists of items each counting by itself. */
const containerLimit = 2000

/**
 * Cells are their raw source, so what Markdown does inside a line is of no interest. Without it, reading takes a third of
 * the time, and text made to be slow (thousands of open brackets) is harmless.
 */
const withoutInline = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
}

const markdown = { extensions: [gfmTable(), withoutInline], mdastExtensions: [gfmTableFromMarkdown()] }

/** A heading that takes one line. */
const heading = /^#{1,6}(?:[ \t]|$)/

/** What ends the kinds of HTML block that empty lines do not end (CommonMark 4.6, conditions 1 to 5). */
const htmlEnds = [
  { begin: /^ {0,3}<(?:pre|script|style|textarea)\b/i, end: /<\/(?:pre|script|style|textarea)>/i, close: '</pre>' },
  { begin: /^ {0,3}<!--/, end: /-->/, close: '-->' },
  { begin: /^ {0,3}<\?/, end: /\?>/, close: '?>' },
  { begin: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/, close: ']]>' },
  { begin: /^ {0,3}<![a-z]/i, end: />/, close: '>' },
] as const

/**
 * The top-level blocks of a file in order. A list may come as several, cut between its items. Offsets are those of the file.
 * Some `linesAtOnce` lines are read by one call of the parser where they can be.
 */
export function* topLevelBlocks(
  file: SourceFile,
  report: DocumentReport,
  linesAtOnce = 20,
): Generator<RootContent, void, undefined> {
  const lines = new Lines(file)
  // Pieces that wait to be read together: each call of the parser has its price.
  let waiting = 0
  for (let first = 0; first < lines.count; ) {
    let end = lines.endOfChunk(first)
    const pieces = lines.pieces(first, end)
    const table = end - first > linesAtOnce ? lines.tableOf(first, end) : null
    if (table !== null) {
      yield* parse(lines, waiting, table)
      yield* longTable(lines, table, end, linesAtOnce)
      waiting = end
    } else if (pieces === null) {
      yield* parse(lines, waiting, first)
      if (!isTooMuch(lines, first, end, report)) {
        const whole = wholeChunk(lines, first, end)
        yield* whole.nodes
        end = whole.end
      }
      waiting = end
    } else {
      for (const [from, to] of pieces) {
        const isLeftOut = isTooMuch(lines, from, to, report)
        if (!isLeftOut && to - waiting < linesAtOnce) continue
        yield* parse(lines, waiting, isLeftOut ? from : to)
        waiting = to
      }
    }
    first = end
  }
  yield* parse(lines, waiting, lines.count)
}

/** What begins in a chunk, to where it is closed. */
function wholeChunk(lines: Lines, first: number, end: number) {
  const nodes = parse(lines, first, end)
  const closed = endOfOpen(nodes.at(-1), lines, end)
  return closed > end ? { nodes: parse(lines, first, closed), end: closed } : { nodes, end }
}

/** The blocks of a range, read as if nothing stood above it. */
export function blocksIn({ file, start, end }: Span): readonly RootContent[] {
  return blocksOf(file.text.slice(start, end)).map(node => moved(node, start))
}

/** The blocks of a file by one call of the parser: what {@link topLevelBlocks} is held against in the tests. */
export function wholeFile(file: SourceFile): readonly RootContent[] {
  const lines = new Lines(file)
  return parse(lines, 0, lines.count)
}

/** How a fence begins, and how it ends: nothing where it is never closed. Null for indented code. */
export function fenceOf(
  source: string,
): { readonly opening: string; readonly mark: string; readonly close: number | null } | null {
  const [opening, mark] = /^ {0,3}(`{3,}|~{3,})[^\r\n]*/.exec(source) ?? []
  if (opening === undefined || mark === undefined) return null
  const last = /(?:\r\n|[\r\n]) {0,3}(`+|~+)[ \t]*$/.exec(source.slice(opening.length))
  const closed = last?.[1]?.startsWith(mark) === true
  return { opening, mark, close: closed ? opening.length + last.index : null }
}

/** Empty to Markdown: other white space than blanks and tabs is text to it. */
function isBlank(line: string): boolean {
  return /^[ \t\r\n]*$/.test(line)
}

/** The kind of an HTML block that goes on although there are empty lines, and whether it is still open at its end; null for others. */
export function rawHtml(
  source: string,
): { readonly end: RegExp; readonly close: string; readonly isOpen: boolean } | null {
  const kind = htmlEnds.find(({ begin }) => begin.test(source))
  return kind === undefined ? null : { ...kind, isOpen: !kind.end.test(source) }
}

class Lines {
  readonly file: SourceFile
  readonly starts: readonly number[]
  readonly count: number

  constructor(file: SourceFile) {
    this.file = file
    this.starts = lineStarts(file)
    this.count = this.starts.length
  }

  /** Where a line begins; behind the last line, the end of the file. */
  offset(line: number): number {
    return this.starts[line] ?? this.file.text.length
  }

  text(line: number): string {
    return this.file.text.slice(this.offset(line), this.offset(line + 1))
  }

  /** The line after `first` before which every list and quote has ended: not indented, below an empty line. */
  endOfChunk(first: number): number {
    let blank = false
    for (let line = first; line < this.count; line++) {
      const text = this.text(line)
      const empty = isBlank(text)
      if (blank && !empty && !/^[ \t]/.test(text)) return line
      blank = empty
    }
    return this.count
  }

  /** A chunk cut before its headings and bullets that are not indented; null where it may hold code or HTML. */
  pieces(first: number, end: number): (readonly [number, number])[] | null {
    const cuts = [first]
    for (let line = first; line < end; line++) {
      const text = this.text(line)
      if (/^ {0,3}(?:<|```|~~~)/.test(text)) return null
      if (line > first && /^(?:[-*+][ \t]+\S|#{1,6}(?:[ \t]|$))/.test(text)) cuts.push(line)
    }
    return cuts.map((cut, i) => [cut, cuts[i + 1] ?? end] as const)
  }

  /**
   * Where what may be a table begins in a chunk that is, below its headings, nothing else: each line begins with a bar, which begins no
   * other block. Null where it is not so.
   */
  tableOf(first: number, end: number): number | null {
    let head = first
    while (head < end && heading.test(this.text(head))) head++
    if (!/^\|[ \t]*:?-[-:| \t]*[\r\n]/.test(this.text(head + 1))) return null
    for (let line = head; line < end; line++) {
      const text = this.text(line)
      if (!text.startsWith('|') && !isBlank(text)) return null
    }
    return head
  }

  /** The line after the first one from `first` on that a pattern finds; the end of the file where there is none. */
  after(first: number, pattern: RegExp): number {
    for (let line = first; line < this.count; line++)
      if (pattern.test(this.text(line).replace(/[ \t\r\n]+$/, ''))) return line + 1
    return this.count
  }
}

function parse(lines: Lines, from: number, to: number): RootContent[] {
  if (from === to) return []
  return [...blocksIn({ file: lines.file, start: lines.offset(from), end: lines.offset(to) })]
}

/** Of a document that is read again after a change, most pieces say what they said before: those read last are kept by their text. */
const kept = new Map<string, readonly RootContent[]>()
const [mostPieces, longestPiece] = [200, 5000]

function blocksOf(text: string): readonly RootContent[] {
  // The parser takes a leading U+FEFF for a byte order mark; inside a file it is a character as any other.
  const blocks = kept.get(text) ?? fromMarkdown(text.startsWith('\ufeff') ? `\ufeff${text}` : text, markdown).children
  if (text.length > longestPiece) return blocks
  kept.delete(text)
  kept.set(text, blocks)
  if (kept.size > mostPieces) kept.delete(kept.keys().next().value!)
  return blocks
}

/** A table whose rows are read some at a time, each time below its head: a call of the parser takes more for each row, the more there are. */
function longTable(lines: Lines, first: number, end: number, rowsAtOnce: number): readonly RootContent[] {
  const body = first + 2
  const [table, ...others] = parse(lines, first, Math.min(end, body + rowsAtOnce))
  if (table?.type !== 'table' || others.length > 0) return parse(lines, first, end)
  const head = lines.file.text.slice(lines.offset(first), lines.offset(body))
  for (let from = body + rowsAtOnce; from < end; from += rowsAtOnce) {
    const start = lines.offset(from)
    const rows = lines.file.text.slice(start, lines.offset(Math.min(end, from + rowsAtOnce)))
    const [more] = blocksOf(head + rows)
    if (more?.type !== 'table' || more.children.length === 1) break
    const { children, position } = moved(more, start - head.length)
    table.children.push(...children.slice(1))
    table.position = { start: table.position!.start, end: position!.end }
  }
  return [table]
}

/** The same node further down in its file. */
function moved<Node extends Nodes>(node: Node, offset: number): Node {
  const { position } = node
  const at = <Point extends { offset?: number | undefined }>(point: Point) => ({
    ...point,
    offset: (point.offset ?? 0) + offset,
  })
  return {
    ...node,
    ...(position === undefined ? {} : { position: { start: at(position.start), end: at(position.end) } }),
    ...('children' in node ? { children: node.children.map(child => moved(child, offset)) } : {}),
  }
}

/** Where a fence or HTML block ends that runs on beyond its chunk; the end of the chunk where it does not. */
function endOfOpen(last: RootContent | undefined, lines: Lines, end: number): number {
  const source = last === undefined ? '' : sourceOf(last, lines)
  if (last?.type === 'code') {
    const fence = fenceOf(source)
    if (fence !== null && fence.close === null) return lines.after(end, closing(fence.mark))
  }
  if (last?.type === 'html') {
    const raw = rawHtml(source)
    if (raw?.isOpen) return lines.after(end, raw.end)
  }
  return end
}

function closing(mark: string): RegExp {
  return new RegExp(`^ {0,3}${mark[0]}{${mark.length},}$`)
}

function sourceOf({ position }: Nodes, { file }: Lines): string {
  return file.text.slice(position?.start.offset, position?.end.offset)
}

function isTooMuch(lines: Lines, from: number, to: number, report: DocumentReport): boolean {
  let container = false
  for (let line = from; line < to; line++) {
    const start = lines.offset(line)
    const span = { file: lines.file, start, end: start }
    if (isTooDeep(lines.file, start)) {
      report('N0016', span, { limit: nestingLimit })
      return true
    }
    container ||= /^ {0,3}(?:[-*+>]|\d{1,9}[.)])/.test(lines.text(line))
  }
  if (!container || to - from <= containerLimit || isOneFence(lines, from, to)) return false
  const start = lines.offset(from)
  report(
    'N0017',
    { file: lines.file, start, end: start + lines.text(from).trimEnd().length },
    { limit: containerLimit },
  )
  return true
}

/** Whether lines are one fence, open or closed at the last of them: then marks of lists inside it are none. */
function isOneFence(lines: Lines, from: number, to: number): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(lines.text(from))?.[1]
  if (mark === undefined) return false
  let last = to
  while (last > from + 1 && isBlank(lines.text(last - 1))) last--
  return lines.after(from + 1, closing(mark)) >= last
}
