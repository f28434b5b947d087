/** Headings 3 and 4 in each other's place, as what stands below them tells: each is reported once, and read as what it is. */
import { slice } from '../../document/cell.ts'
import { documentReport } from '../../document/codes.ts'
import type { Diagnostic } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { marked } from '../../document/nine.ts'
import { readName } from '../../document/property.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Content, Section, Subject } from '../../document/tree.ts'
import { transitions } from '../4-states/table.ts'
import { blockKind } from '../blocks.ts'
import { evened } from '../names.ts'
import { cutSubject } from './cut.ts'
import { isTableBelow } from './forms.ts'
import { lineStart } from './places.ts'

/** The sections with entities as headings 3 and steps as headings 4. */
export function withLevels(sections: readonly Section[], found: Diagnostic[]): readonly Section[] {
  const entities = new Set(
    sections.flatMap(({ number, subjects }) => (number === 3 ? subjects : [])).map(({ title }) => evened(title.text)),
  )
  return sections.map(section => {
    if (![3, 4, 6].includes(section.number)) return section
    const raised = withRaised(section, found)
    if (section.number === 3) return { ...raised, subjects: raised.subjects.map(subject => named(subject, found)) }
    return section.number === 4 ? withLowered(raised, entities, found) : raised
  })
}

/** With a subject for each heading 4 that has the tables of an entity directly below it. */
function withRaised(section: Section, found: Diagnostic[]): Section {
  const { number } = section
  const split = <S extends Content & { readonly blocks: readonly Block[] }>(
    part: S,
  ): readonly [S, readonly Subject[]] => {
    const title = part.blocks.find(block => blockKind(block.title) === 'other' && isTitleOf(number, part, block))?.title
    if (title === undefined) return [part, []]
    documentReport(number, found)(
      'N0327',
      { ...title, start: lineStart(title) },
      { instead: `### ${title.text}` },
      { fixes: [marked(title, '###')] },
    )
    const [before, after] = cutSubject(part, lineStart(title))
    const blocks = after.blocks.filter(block => block.title !== title)
    const [subject, further] = split({ ...readName(title, documentReport(number, found)), ...after, blocks })
    return [before, [subject, ...further]]
  }
  const [own, first] = split(section)
  const subjects = section.subjects.flatMap(subject => {
    const [before, after] = split(subject)
    return [before, ...after]
  })
  return { ...own, subjects: [...first, ...subjects] }
}

/** Whether a table that only an entity has follows the heading at once. */
const isTitleOf = (number: number, { tables }: Content, { title }: Block): boolean =>
  tables.some(
    table =>
      table.start > title.end &&
      isTableBelow(number, table) &&
      title.file.text.slice(title.end, table.start).trim() === '',
  )

/** `Entity: Item` → `Item`; `Table Item`, unless it is called so elsewhere. */
function named(subject: Subject, found: Diagnostic[]): Subject {
  const { title } = subject
  const [begin] = /^(?:[Ee]ntity|[Tt]able|[Ee]ntität|[Tt]abelle)(?::\s*|\s+)(?=\p{Lu})/u.exec(title.text) ?? []
  if (begin === undefined || (!begin.includes(':') && isSaidAgain(title))) return subject
  const name = slice(title, begin.length)
  documentReport(3, found)('N0327', title, { instead: `### ${name.text}` }, { fixes: [writeInstead(title, name.text)] })
  return { ...subject, title: name }
}

const isSaidAgain = ({ file, text }: Cell): boolean => file.text.indexOf(text) !== file.text.lastIndexOf(text)

/** With a heading 4 for each heading 3 that names no entity and has the keys of a step. */
function withLowered(section: Section, entities: ReadonlySet<string>, found: Diagnostic[]): Section {
  const keys = new Set(transitions.columns.filter(({ required }) => required).map(({ name }) => name.toLowerCase()))
  const isStep = ({ title, properties }: Subject) =>
    !entities.has(evened(title.text)) && properties.some(({ key }) => keys.has(key.text.toLowerCase()))
  const subjects: Subject[] = []
  for (const subject of section.subjects) {
    const above = subjects.at(-1)
    if (above === undefined || !isStep(subject)) {
      subjects.push(subject)
      continue
    }
    const { title, was: _was, partOf: _partOf, blocks, tables, ...rest } = subject
    documentReport(4, found)(
      'N0327',
      { ...title, start: lineStart(title) },
      { instead: `#### ${title.text}` },
      { fixes: [marked(title, '####')] },
    )
    const step: Block = { title, ...rest, tables: [] }
    const whole = { ...above, tables: [...above.tables, ...tables], blocks: [...above.blocks, step, ...blocks] }
    subjects.splice(-1, 1, whole)
  }
  return { ...section, subjects }
}
