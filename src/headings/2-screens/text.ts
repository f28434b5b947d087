/** The prose of a screen that shows text: what stands below its heading, up to the next one, without its bold keys. */
import { after, lineStarts, position, rawCell } from '../../document/cell.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Subject } from '../../document/tree.ts'
import { tagOfLanguage } from '../1-product/tags.ts'
import { blockKind } from '../blocks.ts'
import { type Context, sectionsOf } from '../context.ts'
import type { ScreenText } from './model.ts'

export function readText(context: Context, subject: Subject, languages: readonly string[]): ScreenText {
  const { file } = subject.title
  const others = subject.blocks.flatMap(({ title }) => {
    const named = after(title, 'in')
    const tag = named === null ? null : tagOfLanguage(named.text)
    return tag !== null && languages.includes(tag) ? [{ tag, title }] : []
  })
  const ends = [...others.map(({ title }) => position(file, title.start).line), null]
  const between = (title: Cell, index: number) => textBelow(context, subject, title, ends[index]!)
  return {
    text: between(subject.title, 0),
    translated: new Map(
      others.flatMap(({ tag, title }, index) => {
        const text = between(title, index + 1)
        return text === null ? [] : [[tag, text] as const]
      }),
    ),
  }
}

/** What stands below a title, up to a line or to the next heading 3; null where nothing does. */
function textBelow(context: Context, subject: Subject, { file, end: from }: Cell, until: number | null): Cell | null {
  const starts = lineStarts(file)
  const lineOf = (offset: number) => position(file, offset).line
  const next = titlesOf(context)
    .filter(title => title.file === file && title.start > from)
    .map(title => lineOf(title.start))
  const last = until === null ? (next.length === 0 ? starts.length : Math.min(...next) - 1) : until - 1
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
