/** Diagnostics as text: frames for people (a headline, the source line with the place marked, what to write), JSON lines for programs. */
import { lineStarts, position } from './cell.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'
import type { Finding, Place } from './finding.ts'
import type { Span } from './source.ts'
import { type Glyph, glyphs, showable } from './width.ts'

interface PrintOptions {
  /** Whether to write ANSI colours. */
  readonly color?: boolean
  /** Columns that a source line may take before it is cut around its place; 100 where nothing is said, never more than 500. */
  readonly width?: number
}

const widest = 500

type Paint = (text: string, colour: keyof typeof colours) => string

const colours = { error: 31, warning: 33, gap: 36, hint: 34, quiet: 2, strong: 1 } as const

/** Severities in the order and with the words of a summary. */
const counted: readonly (readonly [Severity, string, string])[] = [
  ['error', 'error', 'errors'],
  ['warning', 'warning', 'warnings'],
  ['gap', 'gap', 'gaps'],
  ['hint', 'hint', 'hints'],
]

/** All frames, in the order given, with an empty line between them; ends with a line break unless there are none. */
export function printFrames(found: readonly Diagnostic[], options: PrintOptions = {}): string {
  return found.map(each => `${printFrame(each, options)}\n`).join('\n')
}

/** One diagnostic as a frame, without a line break at its end. */
export function printFrame(diagnostic: Diagnostic, options: PrintOptions = {}): string {
  const { severity, code, message, help, span, related, fixes } = diagnostic
  const paint: Paint = options.color ? (text, colour) => `\u001b[${colours[colour]}m${text}\u001b[0m` : text => text
  const places = [span, ...related.map(each => each.span)]
  const digits = Math.max(3, ...places.map(({ file, start }) => String(position(file, start).line).length))
  const note = (kind: string, text: string) =>
    `${' '.repeat(digits + 4)}${paint('=', 'quiet')} ${kind}: ${showable(text)}`
  const frame = (place: Span) => frameLines(place, digits, options.width ?? 100, paint, severity)
  return [
    `${paint(placeText(span), 'strong')} ${paint(severity, severity)} ${code} ${showable(message)}`,
    ...frame(span),
    ...related.flatMap(each => [note('see', `${placeText(each.span)} ${each.message}`), ...frame(each.span)]),
    ...(help === undefined ? [] : [note('help', help)]),
    ...fixes.map(fix => note('fix', fix.title)),
  ].join('\n')
}

/** `2 errors, 1 warning, 5 gaps`, or `No errors, 5 gaps`. */
export function printSummary(found: readonly Diagnostic[]): string {
  const parts = counted.flatMap(([severity, one, many]) => {
    const count = found.filter(each => each.severity === severity).length
    if (count > 0) return [`${count} ${count === 1 ? one : many}`]
    return severity === 'error' ? ['No errors'] : []
  })
  return parts.join(', ')
}

/** One line of JSON per diagnostic, in the order given. */
export function printJsonLines(found: readonly Diagnostic[]): string {
  return found.map(each => `${JSON.stringify(findingOf(each))}\n`).join('')
}

/** `path:line:column`, as terminals and editors make a link of it. */
export function placeText({ file, start }: Span): string {
  const { line, column } = position(file, start)
  return `${showable(file.path)}:${line}:${column}`
}

/** The source line and the marks below it. Of a place on several lines the first is shown. */
function frameLines(span: Span, digits: number, width: number, paint: Paint, severity: Severity): string[] {
  const { line, column } = position(span.file, span.start)
  const starts = lineStarts(span.file)
  const source = span.file.text.slice(starts[line - 1], starts[line] ?? span.file.text.length).replace(/[\r\n]+$/, '')
  const from = Math.min(column - 1, source.length)
  const to = Math.max(from, Math.min(from + span.end - span.start, source.length))
  // Of a line of megabytes only the surroundings are measured; more than this is never shown.
  const near = Math.max(0, from - 2 * widest)
  const view = cut(glyphs(source.slice(near, from + 4 * widest)), from - near, to - near, Math.min(width, widest))
  const gutter = (label: string) => paint(`   ${label.padStart(digits)} |`, 'quiet')
  const shown = `${gutter(String(line))} ${view.text}`.trimEnd()
  return [shown, `${gutter('')} ${' '.repeat(view.indent)}${paint('^'.repeat(view.marks), severity)}`]
}

/** What fits into `width` columns around `source.slice(from, to)`, and where the marks go. */
function cut(all: readonly Glyph[], from: number, to: number, width: number) {
  const columnOf = (offset: number) => all.reduce((sum, each) => sum + (each.offset < offset ? each.width : 0), 0)
  const total = columnOf(Number.POSITIVE_INFINITY)
  // A place inside a character that is shown as one (an emoji of several parts) begins where that character begins.
  const start = columnOf(all.find(({ offset, end }) => offset <= from && from < end)?.offset ?? from)
  const end = Math.max(start + 1, columnOf(to))
  if (total <= width) return { text: all.map(({ shown }) => shown).join(''), indent: start, marks: end - start }
  const marked = Math.min(end - start, width - 2)
  const left = Math.max(0, Math.min(start - Math.floor((width - marked) / 2), total - width))
  let column = 0
  let text = ''
  let first: number | null = null
  for (const each of all) {
    const fits =
      column >= left + (left > 0 ? 1 : 0) && column + each.width <= left + width - (left + width < total ? 1 : 0)
    if (fits) {
      first ??= column
      text += each.shown
    }
    column += each.width
  }
  const lead = left > 0 ? '…' : ''
  const indent = Math.max(0, start - (first ?? left)) + lead.length
  return {
    text: `${lead}${text}${left + width < total ? '…' : ''}`,
    indent,
    marks: Math.max(1, Math.min(marked, width - indent)),
  }
}

export function findingOf(diagnostic: Diagnostic): Finding {
  const { code, severity, message, help, span, related, fixes, section } = diagnostic
  return {
    ...placeOf(span),
    code,
    severity,
    message,
    help: help ?? null,
    section,
    related: related.map(each => ({ ...placeOf(each.span), message: each.message })),
    fixes: fixes.map(({ title, edits }) => ({
      title,
      edits: edits.map(edit => ({ ...placeOf(edit.span), text: edit.text })),
    })),
  }
}

export function placeOf({ file, start, end }: Span): Place {
  const [from, to] = [position(file, start), position(file, end)]
  return { path: file.path, line: from.line, column: from.column, endLine: to.line, endColumn: to.column }
}
