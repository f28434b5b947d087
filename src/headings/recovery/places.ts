/** Where a heading that was left out belongs. */
import type { Fix } from '../../document/diagnostic.ts'
import type { Span } from '../../document/source.ts'

/** Where the line of a place begins. */
export const lineStart = ({ file, start }: Span): number => file.text.lastIndexOf('\n', start - 1) + 1

/** A place as far as its line goes. */
export function firstLine({ file, start, end }: Span): Span {
  const lineBreak = file.text.slice(start, end).search(/\r?\n/)
  return { file, start, end: lineBreak < 0 ? end : start + lineBreak }
}

/** Writes a heading above the line of a place. */
export function addAbove(place: Span, heading: string): Fix {
  const at = lineStart(place)
  const edits = [{ span: { file: place.file, start: at, end: at }, text: `${heading}\n\n` }]
  return { title: `write \`${heading}\` above it`, edits }
}
