/** What a finding is about, by its code and its place. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { SourceFile, Span } from '../../document/source.ts'
import { allCodes } from '../all-codes.ts'

/** The heading that would declare what a code says is missing. */
export const declaredIn = (code: string): number | undefined => allCodes.get(code)?.declaredIn

/** A line or a table that nothing reads where it stands, and that is not like one that is read there. */
export const isMisplaced = ({ code, fixes }: Diagnostic): boolean =>
  misplaced.has(code) && fixes.every(({ kind }) => kind !== 'write')

const misplaced = new Set(['N0305', 'N0306', 'N0310', 'N1004', 'N1013'])

/** Codes of names that break the rules for names: nothing is declared under them, nor under the name that was meant. */
export const misnamed = new Set(['N1309', 'N1421', 'N1901'])

export const isInScenario = (span: Span): boolean =>
  /^scenario\b/i.test(titleAbove(span, 4)) && /\.md$/.test(span.file.path)

/** The entity that a name is no record of. */
export const recordsOf = ({ code, params }: Diagnostic): string | undefined =>
  code === 'N1010' ? String(params.entity) : undefined

export const textAt = ({ file, start, end }: Span): string => file.text.slice(start, end)

/** The line of a place. */
export function lineOf({ file, start }: Span): Span {
  const from = file.text.lastIndexOf('\n', start - 1) + 1
  const to = file.text.indexOf('\n', start)
  return { file, start: from, end: to < 0 ? file.text.length : to }
}

/** The heading of this depth that a place stands under; empty: there is none since a heading above it. */
export function titleAbove(span: Span, depth: number): string {
  const above = headingAbove(span, depth)
  return above?.depth === depth ? above.title : ''
}

interface Heading {
  /** The end of the line before it. */
  readonly start: number
  readonly depth: number
  readonly title: string
}

/** The last heading above a place that is no deeper than so. */
export function headingAbove({ file, start }: Span, deepest: number): Heading | undefined {
  const all = headingsOf(file)[deepest]!
  return all[firstFrom(all, start) - 1]
}

const headingsByFile = new WeakMap<SourceFile, readonly (readonly Heading[])[]>()

/** Headings of a file up to each depth, in order: places are asked for them as often as there are findings. */
function headingsOf(file: SourceFile): readonly (readonly Heading[])[] {
  const known = headingsByFile.get(file)
  if (known !== undefined) return known
  const all = [...file.text.matchAll(/\n(#{1,4}) (.*)/g)].map(({ index, 1: marks, 2: title }) => ({
    start: index,
    depth: marks!.length,
    title: title!,
  }))
  const upTo = [0, 1, 2, 3, 4].map(deepest => all.filter(({ depth }) => depth <= deepest))
  headingsByFile.set(file, upTo)
  return upTo
}

export const isInside = (span: Span, row: Span): boolean =>
  span.file === row.file && span.start >= row.start && span.end <= row.end

/** Tells of a place whether one of these stands in it. */
export function holdersOf(places: readonly Span[]): (row: Span) => boolean {
  const byFile = Map.groupBy(places, ({ file }) => file)
  for (const inFile of byFile.values()) inFile.sort((a, b) => a.start - b.start)
  return row => {
    const inFile = byFile.get(row.file) ?? []
    for (let at = firstFrom(inFile, row.start); at < inFile.length && inFile[at]!.start <= row.end; at++)
      if (inFile[at]!.end <= row.end) return true
    return false
  }
}

/** The index of the first that begins there or behind. */
function firstFrom(sorted: readonly { readonly start: number }[], start: number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]!.start < start) from = middle + 1
    else to = middle
  }
  return from
}
