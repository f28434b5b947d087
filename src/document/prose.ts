/** What stands in paragraphs but was probably meant to decide something: tables that are none, and rules in sentences. */
import type { RootContent } from 'mdast'
import type { DocumentReport } from './codes.ts'
import type { Fix } from './diagnostic.ts'
import { intoBlockQuote } from './fix.ts'
import type { Cell, Span } from './source.ts'
import { bars, spanOf } from './table.ts'
import type { Content } from './tree.ts'

const ruleWords = /\b(?:must(?: not)?|shall(?: not)?|may not|at most)\b/i

type Prose = Pick<Content, 'prose' | 'tables'>
type Linted = Prose & { readonly blocks: readonly Prose[]; readonly subjects?: readonly Linted[] }

/** N0801: a paragraph that sounds like a rule while there is no table under the same heading that could hold it. */
export function lintProse(content: Linted, report: DocumentReport): void {
  if (!hasTable(content)) for (const cell of paragraphs(content)) lint(cell, report)
  for (const subject of content.subjects ?? []) lintProse(subject, report)
}

/**
 * N0313, N0314: a paragraph whose lines look like rows of a table. Markdown reads it as text, so without this message
 * the rows would silently decide nothing. False where the paragraph is only text. `before` is the block before it.
 */
export function reportLostTable(paragraph: Span, before: RootContent | null, report: DocumentReport): boolean {
  const lines = linesOf(paragraph)
  const dashes = lines.findIndex((line, i) => i > 0 && isDashes(line))
  if (dashes > 0) {
    const columns = cellCount(lines[dashes - 1]!)
    const edits = [{ span: lines[dashes]!, text: `|${' --- |'.repeat(columns)}` }]
    const fixes = [{ title: `write ${columns} times \`---\``, edits }]
    report('N0313', lines[dashes]!, { columns, dashes: cellCount(lines[dashes]!) }, { fixes })
    return true
  }
  const row = lines.find(line => line.file.text[line.start] === '|' && bars(line).length > 1)
  if (row === undefined) return false
  const above = before === null ? null : spanOf(paragraph.file, before)
  const continues = row === lines[0] && above !== null && /^[ \t\r\n]*$/.test(row.file.text.slice(above.end, row.start))
  if (continues && before?.type === 'paragraph' && linesOf(above).some(line => bars(line).length > 1)) return true
  const join: Fix[] =
    continues && before?.type === 'table'
      ? [
          {
            title: 'take the empty line out',
            edits: [{ span: { ...row, start: above.end, end: row.start }, text: '\n' }],
          },
        ]
      : row === lines[0] && lines.length > 1 && !isDashes(row)
        ? [withDashes(row, lines[1]!)]
        : []
  report('N0314', row, {}, { fixes: join })
  return true
}

/** The first line as the header of a table; a second line that only looks like dashes is written as them. */
function withDashes(row: Span, next: Span): Fix {
  const isLine = /^[|+=:–—_\s-]+$/.test(next.file.text.slice(next.start, next.end))
  const text = `\n|${' --- |'.repeat(cellCount(row))}`
  return {
    title: 'write a line of dashes below the first line',
    edits: [{ span: { ...row, start: row.end, end: isLine ? next.end : row.end }, text }],
  }
}

function lint(cell: Cell, report: DocumentReport): void {
  const found = ruleWords.exec(cell.text)
  if (found === null) return
  const start = cell.start + found.index
  const span = { file: cell.file, start, end: start + found[0].length }
  report('N0801', span, { word: found[0].toLowerCase() }, { fixes: [intoBlockQuote('the paragraph', cell)] })
}

function hasTable(content: Linted): boolean {
  return (
    content.tables.length > 0 ||
    content.blocks.some(({ tables }) => tables.length > 0) ||
    (content.subjects ?? []).some(hasTable)
  )
}

function paragraphs(content: Linted): readonly Cell[] {
  return [...content.prose, ...content.blocks.flatMap(({ prose }) => prose)]
}

/** The lines of a paragraph, each without the white space around it. */
function linesOf({ file, start, end }: Span): Span[] {
  const text = file.text.slice(start, end)
  // Blanks and tabs only: any other white space is text to Markdown.
  return Array.from(text.matchAll(/[^ \t\r\n](?:[^\r\n]*[^ \t\r\n])?/g), ({ 0: line, index }) => {
    return { file, start: start + index, end: start + index + line.length }
  })
}

/** Whether a line is one of dashes with at least one bar: what makes the line above it a header. */
function isDashes(line: Span): boolean {
  const pieces = line.file.text
    .slice(line.start, line.end)
    .replace(/^\||\|$/g, '')
    .split('|')
  return bars(line).length > 0 && pieces.every(piece => /^[ \t]*:?-+:?[ \t]*$/.test(piece))
}

function cellCount(line: Span): number {
  const found = bars(line)
  const leading = found[0] === line.start ? 1 : 0
  const trailing = found.length > leading && found.at(-1) === line.end - 1 ? 1 : 0
  return found.length + 1 - leading - trailing
}
