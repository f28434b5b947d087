/** Tables that Markdown does not see: in a code block, indented, in a list, or pasted with tabs or semicolons between the cells. */
import { lineStarts } from '../../document/cell.ts'
import { type Diagnostic, type Fix, reporter } from '../../document/diagnostic.ts'
import type { SourceFile, Span } from '../../document/source.ts'
import type { Block, Document, Section } from '../../document/tree.ts'
import { structureCodes } from '../codes.ts'
import { headingOfTable } from './forms.ts'

interface Line extends Span {
  /** Without the white space around it. */
  readonly text: string
  readonly indent: number
  /** Where the code block begins that it stands in; -1: in none. */
  readonly fence: number
}

/** N0326 for each table that its header shows to be one of the heading that it stands under. */
export function reportHiddenTables({ files, sections }: Document, found: Diagnostic[]): void {
  const tables = sections.flatMap(section =>
    [section, ...section.subjects, ...blocksOf(section)].flatMap(one => one.tables),
  )
  const places: readonly Span[] = [...tables, ...found.map(({ span }) => span)]
  for (const file of files) {
    const isKnown = ({ start, end }: Line) => places.some(at => at.file === file && at.start < end && at.end > start)
    const own = sections.filter(({ title }) => title.file === file)
    const lines = linesOf(file)
    for (const [index, line] of lines.entries()) {
      const section = own.findLast(({ title }) => title.start <= line.start)
      const hidden = section === undefined ? null : hiddenTable(lines, index, section)
      if (hidden === null || isKnown(line)) continue
      const { report } = reporter(structureCodes, section!.number, found)
      report(
        'N0326',
        { file, start: line.start + line.indent, end: line.end },
        { where: hidden.where },
        { fixes: hidden.fixes },
      )
    }
  }
}

const blocksOf = (section: Section): readonly Block[] => [
  ...section.blocks,
  ...section.subjects.flatMap(({ blocks }) => blocks),
]

function hiddenTable(
  lines: readonly Line[],
  index: number,
  { number }: Section,
): { readonly where: string; readonly fixes: readonly Fix[] } | null {
  const line = lines[index]!
  const bar = cellsOf(line.text, '|')
  const isTable = bar !== null && (line.indent > 0 || line.fence >= 0)
  const separator = isTable ? '|' : ['\t', ';', ','].find(sign => cellsOf(line.text, sign) !== null && bar === null)
  const header = separator === undefined ? null : cellsOf(line.text, separator)
  if (header === null || header.length < 2 || headingOfTable(header) !== number) return null
  const end = lines.findIndex(({ text }, at) => at > index && (text === '' || /^(?:```|~~~|#)/.test(text)))
  const rows = lines.slice(index, end < 0 ? lines.length : end)
  const where = line.fence >= 0 ? 'in a code block' : separator === '|' ? 'behind spaces' : ''
  if (separator === '|')
    return { where, fixes: [{ title: 'put it at the beginning of the line', edits: outside(lines, rows) }] }
  const table = rows.map(({ text }) => header.map((_, at) => (cellsOf(text, separator!) ?? [text])[at] ?? ''))
  if (rows.length < 2 || line.fence >= 0) return null
  const isWhole = rows.every(({ text }) => (cellsOf(text, separator!)?.length ?? 1) <= header.length)
  const text = table.map((cells, at) => `${rowOf(cells)}${at === 0 ? `\n|${' --- |'.repeat(header.length)}` : ''}`)
  const edits = [{ span: { file: line.file, start: line.start, end: rows.at(-1)!.end }, text: text.join('\n') }]
  const written = { '\t': 'with tabs', ';': 'with semicolons', ',': 'with commas' }[separator!]
  return { where: `here ${written} between its cells`, fixes: isWhole ? [{ title: 'write it with bars', edits }] : [] }
}

const rowOf = (cells: readonly string[]): string => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** Takes out what stands before the lines of a table, and the marks of its code block. */
function outside(lines: readonly Line[], rows: readonly Line[]): Fix['edits'] {
  const { file, start, fence } = rows[0]!
  const indents = rows.map(row => ({ span: { file, start: row.start, end: row.start + row.indent }, text: '' }))
  if (fence < 0) {
    const above = file.text.slice(0, start)
    return /\n\s*\n$/.test(above) ? indents : [{ span: { file, start, end: start }, text: '\n' }, ...indents]
  }
  const opening = lines[fence]!
  const closing = lines.find(line => line.start > rows.at(-1)!.start && /^(?:```|~~~)/.test(line.text))
  const mark = (line: Line | undefined) =>
    line === undefined ? [] : [{ span: { file, start: line.start, end: line.end }, text: '' }]
  return [...mark(opening), ...indents, ...mark(closing)]
}

/** What stands between separators; null where there are none. Bars stand around a row, too. */
function cellsOf(line: string, separator: string): readonly string[] | null {
  if (!line.includes(separator) || (separator === '|' && !line.startsWith('|'))) return null
  const inside = separator === '|' ? line.replace(/^\||\|$/g, '') : line
  return inside.split(separator).map(cell => cell.trim())
}

function linesOf(file: SourceFile): readonly Line[] {
  const starts = lineStarts(file)
  const lines: Line[] = []
  let fence = -1
  let isComment = false
  for (const [index, start] of starts.entries()) {
    const whole = file.text.slice(start, starts[index + 1] ?? file.text.length).replace(/[\r\n]+$/, '')
    const text = whole.trim()
    const isMark = /^(?:```|~~~)/.test(text)
    const isOurs = /^(?:`{3,}|~{3,})\s*ninefold\b/.test(lines[fence]?.text ?? '')
    if (/^<!--/.test(text)) isComment = true
    lines.push({
      file,
      start,
      end: start + whole.length,
      text: isComment || isOurs ? '' : text,
      indent: whole.length - whole.trimStart().length,
      fence,
    })
    if (isMark) fence = fence < 0 ? index : -1
    if (text.includes('-->')) isComment = false
  }
  return lines
}
