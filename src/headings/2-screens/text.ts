/** The prose of a screen that shows text: what stands below its heading, up to the next one, without its bold keys. */
import { lineStarts, position, rawCell } from '../../document/cell.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Subject } from '../../document/tree.ts'
import { blockKind } from '../blocks.ts'
import { type Context, sectionsOf } from '../context.ts'

/** Null where there is none. `text` is Markdown; notes, scenarios and bold keys are not in it. */
export function readText(context: Context, subject: Subject): Cell | null {
  const { file, end: from } = subject.title
  const starts = lineStarts(file)
  const lineOf = (offset: number) => position(file, offset).line
  const next = titlesOf(context)
    .filter(title => title.file === file && title.start > from)
    .map(title => lineOf(title.start))
  const last = next.length === 0 ? starts.length : Math.min(...next) - 1
  const hidden = new Set<number>()
  const hide = (first: number, end: number) => {
    for (let line = first; line <= end; line++) hidden.add(line)
  }
  for (const { key, value } of subject.properties) hide(lineOf(key.start), lineOf(value.end))
  subject.blocks.forEach((block, index) => {
    if (!isProse(block)) hide(lineOf(block.title.start), blockEnd(subject.blocks[index + 1], last, lineOf))
  })
  const lines: string[] = []
  for (let line = lineOf(from) + 1; line <= last; line++)
    if (!hidden.has(line)) lines.push(file.text.slice(starts[line - 1], starts[line] ?? file.text.length))
  const text = lines.join('').trim()
  if (text === '') return null
  const end = starts[last] ?? file.text.length
  return { ...rawCell(file, starts[lineOf(from)] ?? end, end), text }
}

/** A heading 4 of a text is a heading of the text, unless it is one of those that mean something everywhere. */
const isProse = (block: Block): boolean => blockKind(block.title) === 'other'

const blockEnd = (next: Block | undefined, last: number, lineOf: (offset: number) => number): number =>
  next === undefined ? last : lineOf(next.title.start) - 1

/** Headings 2 and 3 of all files. */
function titlesOf(context: Context): readonly Cell[] {
  const titles: Cell[] = []
  for (let number = 1; number <= 9; number++)
    for (const section of sectionsOf(context, number))
      titles.push(section.title, ...section.subjects.map(({ title }) => title))
  return titles
}
