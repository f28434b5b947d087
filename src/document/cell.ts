/** Parts of cells: every piece that a reader cuts out of a cell keeps its exact place in the file, also behind `\|`. */
import type { Cell, Position, SourceFile, Span } from './source.ts'

const lineStartsOf = new WeakMap<SourceFile, readonly number[]>()

/** Offsets at which the lines of a file begin; `\n`, `\r\n` and `\r` end a line, as Markdown and language servers count. */
export function lineStarts(file: SourceFile): readonly number[] {
  let starts = lineStartsOf.get(file)
  if (starts === undefined) {
    starts = [0, ...Array.from(file.text.matchAll(/\r\n|\n|\r/g), end => end.index + end[0].length)]
    lineStartsOf.set(file, starts)
  }
  return starts
}

/** Where an offset lies. An offset beyond the file counts as its end. */
export function position(file: SourceFile, offset: number): Position {
  const starts = lineStarts(file)
  const at = Math.max(0, Math.min(offset, file.text.length))
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: at - starts[low]! + 1 }
}

/** A range of the source as a cell: trimmed, `\|` unescaped, the backticks of a whole-cell code span dropped. */
export function cellAt(file: SourceFile, start: number, end: number): Cell {
  const source = file.text.slice(start, end)
  const gaps: number[] = []
  // A backslash pairs with the character after it (`\\|` is a backslash and a bar that ends the cell), as in GFM.
  const text = source.replace(/\\([\s\S])/g, (pair, next: string, at: number) => {
    if (next !== '|') return pair
    gaps.push(at - gaps.length)
    return next
  })
  return codeless(trimmed({ file, start, end, text, gaps }))
}

/** A range of the source as it stands: nothing trimmed, nothing unescaped. For the text of fences. */
export function rawCell(file: SourceFile, start: number, end: number): Cell {
  return { file, start, end, text: file.text.slice(start, end), gaps: [] }
}

/** The place of `text.slice(from, to)`. A range that begins with an escaped bar includes its backslash. */
export function within(cell: Cell, from: number, to: number): Span {
  const [first, last] = rangeIn(cell, from, to)
  return { file: cell.file, start: sourceOffset(cell, first), end: sourceOffset(cell, last) }
}

/** `text.slice(from, to)` with its place. */
export function slice(cell: Cell, from: number, to: number = cell.text.length): Cell {
  const [first, last] = rangeIn(cell, from, to)
  const gaps = cell.gaps.slice(gapsBefore(cell, first), gapsBefore(cell, last)).map(gap => gap - first)
  return { ...within(cell, first, last), text: cell.text.slice(first, last), gaps }
}

/** The cell without the white space around it. */
export function trimmed(cell: Cell): Cell {
  const from = cell.text.length - cell.text.trimStart().length
  return slice(cell, from, Math.max(from, cell.text.trimEnd().length))
}

/** The cell without the backticks of a code span that covers all of it; any other cell as it is. */
export function codeless(cell: Cell): Cell {
  const ticks = /^`+/.exec(cell.text)?.[0].length ?? 0
  const last = cell.text.length - ticks
  if (ticks === 0 || last <= ticks || closingTicks(cell.text, ticks, ticks) !== last) return cell
  return trimmed(slice(cell, ticks, last))
}

/**
 * The pieces between separators that stand outside quotes, code spans, parentheses, brackets and braces; each trimmed and
 * without the backticks of a whole code span. An empty cell has no pieces; one separator at the end is not a piece more.
 * A quote, code span or parenthesis that is never closed does not count as one.
 */
export function splitCell(cell: Cell, separator: ',' | ';'): Cell[] {
  const cuts = cutsOutside(cell.text, separator)
  const starts = [0, ...cuts.map(cut => cut + 1)]
  const pieces = starts.map((start, i) => codeless(trimmed(slice(cell, start, cuts[i] ?? cell.text.length))))
  if (pieces.at(-1)!.text === '') pieces.pop()
  return pieces
}

/** What stands before and after the first separator outside quotes, code spans and brackets; null without one. */
export function splitFirst(cell: Cell, separator: string): { readonly before: Cell; readonly after: Cell } | null {
  const [cut] = cutsOutside(cell.text, separator)
  if (cut === undefined) return null
  return { before: trimmed(slice(cell, 0, cut)), after: trimmed(slice(cell, cut + separator.length)) }
}

/** The words of a cell: what stands between white space. */
export function words(cell: Cell): Cell[] {
  return Array.from(cell.text.matchAll(/\S+/g), word => slice(cell, word.index, word.index + word[0].length))
}

/**
 * What follows a leading phrase (`send mail`, `list of`), trimmed; null when the cell does not begin with it as whole words.
 * Upper and lower case are alike, and so is any amount of white space between the words.
 */
export function after(cell: Cell, phrase: string): Cell | null {
  const end = endOf(phrase, cell.text)
  return end < 0 ? null : trimmed(slice(cell, end))
}

/** What stands before and after the first whole-word occurrence of a phrase outside quotes and parentheses; null without one. */
export function splitAt(cell: Cell, phrase: string): { readonly before: Cell; readonly after: Cell } | null {
  const pattern = new RegExp(`(?<![\\w-])${spaced(phrase)}(?![\\w-])`, 'gi')
  const hidden = hiddenRanges(cell.text)
  for (const match of cell.text.matchAll(pattern)) {
    if (hidden.some(([from, to]) => match.index >= from && match.index < to)) continue
    return {
      before: codeless(trimmed(slice(cell, 0, match.index))),
      after: codeless(trimmed(slice(cell, match.index + match[0].length))),
    }
  }
  return null
}

/** `[text](target)` as a whole cell; a title after the target and `<>` around it are taken off. Null for anything else. */
export function link(cell: Cell): { readonly text: Cell; readonly target: Cell } | null {
  const middle = cell.text.indexOf('](')
  if (!cell.text.startsWith('[') || middle < 0 || !cell.text.endsWith(')')) return null
  const inner = trimmed(slice(cell, middle + 2, cell.text.length - 1))
  const target = /^(?:<([^<>]*)>|[^\s<>()]*)/d.exec(inner.text)!
  const [from, to] = target.indices![1] ?? target.indices![0]!
  const title = inner.text.slice(target[0].length).trim()
  if (title !== '' && !/^(?:"[^"]*"|'[^']*')$/.test(title)) return null
  return { text: trimmed(slice(cell, 1, middle)), target: trimmed(slice(inner, from, to)) }
}

/**
 * A name that may say what it was called before: `due_back (was return_by)`. The old name is for the planner of the database;
 * everything else knows the new one only.
 */
export function renamed(cell: Cell): { readonly name: Cell; readonly was: Cell | null } {
  const open = cell.text.lastIndexOf('(')
  if (open <= 0 || !cell.text.endsWith(')')) return { name: cell, was: null }
  const was = after(trimmed(slice(cell, open + 1, cell.text.length - 1)), 'was')
  if (was === null) return { name: cell, was: null }
  return { name: codeless(trimmed(slice(cell, 0, open))), was: codeless(was) }
}

function rangeIn({ text }: Cell, from: number, to: number): readonly [number, number] {
  const first = Math.max(0, Math.min(from, text.length))
  return [first, Math.max(first, Math.min(to, text.length))]
}

function sourceOffset(cell: Cell, offset: number): number {
  return cell.start + offset + gapsBefore(cell, offset)
}

/** How many gaps lie before an offset in the text. */
function gapsBefore({ gaps }: Cell, offset: number): number {
  let low = 0
  let high = gaps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (gaps[middle]! < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a phrase ends that a text begins with; -1 where it begins otherwise. Each cell is asked for many: no expression is made for one. */
function endOf(phrase: string, text: string): number {
  let at = behindSpace(text, 0)
  for (let next = 0; next < phrase.length; next++) {
    if (phrase[next] === ' ') {
      if (behindSpace(text, at) === at) return -1
      at = behindSpace(text, at)
    } else if (text[at++]?.toLowerCase() !== phrase[next]!.toLowerCase()) return -1
  }
  return /[\w-]/.test(text.charAt(at)) ? -1 : at
}

function behindSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  return at
}

/** A regular expression for a phrase whose words may stand any amount of white space apart. */
function spaced(phrase: string): string {
  return phrase
    .split(' ')
    .map(word => word.replace(/[^\w\s-]/g, '\\$&'))
    .join('\\s+')
}

/** The offset of the run of exactly `ticks` backticks that closes a code span opened before `from`; -1 where there is none. */
function closingTicks(text: string, ticks: number, from: number): number {
  for (const run of text.slice(from).matchAll(/`+/g)) if (run[0].length === ticks) return from + run.index
  return -1
}

/** Ranges inside quotes, code spans and brackets of a text, in order and not nested. */
function hiddenRanges(text: string): [number, number][] {
  const ranges: [number, number][] = []
  const open: number[] = []
  for (let at = 0; at < text.length; ) {
    const character = text[at]!
    const end = endOfQuoted(text, at)
    if (end > at + 1) ranges.push([at, end])
    else if ('([{'.includes(character)) open.push(at)
    else if (')]}'.includes(character)) {
      const start = open.pop()
      if (start !== undefined) {
        while (ranges.length > 0 && ranges.at(-1)![0] > start) ranges.pop()
        ranges.push([start, end])
      }
    }
    at = end
  }
  return ranges
}

/** Behind the quotes or the code span that begins here, or behind this character. Backticks that nothing closes are one. */
function endOfQuoted(text: string, at: number): number {
  const begun = at + 1
  if (text[at] === '"') return text.indexOf('"', begun) + 1 || begun
  if (text[at] !== '`') return begun
  const [{ length }] = /^`+/.exec(text.slice(at))!
  const close = closingTicks(text, length, at + length)
  return close < 0 ? at + length : close + length
}

function cutsOutside(text: string, separator: string): number[] {
  const hidden = hiddenRanges(text)
  const cuts: number[] = []
  let range = 0
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
    while (range < hidden.length && hidden[range]![1] <= at) range++
    if (range === hidden.length || at < hidden[range]![0]) cuts.push(at)
  }
  return cuts
}
