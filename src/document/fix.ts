/** Edits that cure: the few kinds that diagnostics propose, and how a fix is applied. */
import { lineStarts, position } from './cell.ts'
import type { Fix } from './diagnostic.ts'
import type { SourceFile, Span } from './source.ts'

/** Writes a text in the place of another. */
export function writeInstead({ file, start, end }: Span, text: string): Fix {
  return { title: `write \`${text}\``, kind: 'write', edits: [{ span: { file, start, end }, text }] }
}

/** Keeps something as an illustration: `what` (`the table`) goes into a block quote, line by line. */
export function intoBlockQuote(what: string, span: Span): Fix {
  const { file } = span
  const edits = linesOf(span).map(start => ({ span: { file, start, end: start }, text: '> ' }))
  return { title: `put ${what} in a block quote`, edits }
}

/** Takes out the lines that a range touches, with their line breaks. */
export function withoutLines(title: string, span: Span): Fix {
  const { file } = span
  const lines = linesOf(span)
  const end = lineStarts(file)[position(file, span.end).line] ?? file.text.length
  return { title, edits: [{ span: { file, start: lines[0]!, end }, text: '' }] }
}

/** Closes something that was opened at a place and goes on to the end of the file: before the next empty line, with `mark`. */
export function closeBeforeEmptyLine({ file, start }: Span, mark: string): Fix {
  const gap = /\r?\n(?=[ \t]*\r?\n)/.exec(file.text.slice(start))
  const at = gap === null ? file.text.trimEnd().length : start + gap.index
  const edits = [{ span: { file, start: at, end: at }, text: `\n${mark}` }]
  return { title: `write ${mark} ${gap === null ? 'at the end' : 'before the empty line'}`, edits }
}

/** The texts of the files that a fix changes, after the change. The files themselves stay as they are. */
export function applyFix({ edits }: Fix): ReadonlyMap<SourceFile, string> {
  const changed = new Map<SourceFile, string>()
  // From the end of a file to its beginning, so that the offsets of the edits before stay true.
  for (const { span, text } of [...edits].sort((a, b) => b.span.start - a.span.start)) {
    const before = changed.get(span.file) ?? span.file.text
    changed.set(span.file, before.slice(0, span.start) + text + before.slice(span.end))
  }
  return changed
}

/** Where the lines begin that a range touches. */
function linesOf({ file, start, end }: Span): readonly number[] {
  return lineStarts(file).slice(position(file, start).line - 1, position(file, end).line)
}
