/** What may stand where: headings 4, bold keys and fences that no heading reads are reported here, once for all nine. */
import { writeInstead } from '../document/fix.ts'
import { nearest } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import type { Block, Content, Section, Subject } from '../document/tree.ts'
import { isEntityKey } from './3-entities/declare.ts'
import { isWorkingTime } from './9-limits/working-time.ts'
import { type BlockKind, blockKind } from './blocks.ts'
import { type Context, commonReporter, notYet } from './context.ts'

/** Headings 4 beside `Notes` and `Scenario: …`, which may stand everywhere. */
const blocksUnder: Readonly<Record<number, { readonly kinds: readonly BlockKind[]; readonly known: string }>> = {
  2: { kinds: ['other'], known: 'a card of a dashboard, `Scenario: …`' },
  3: { kinds: ['sample data', 'fields'], known: '`Sample data`, `Fields: <name>`, `Scenario: …`' },
  4: { kinds: ['other'], known: 'a step or timer, `Scenario: …`' },
  5: { kinds: ['examples'], known: '`Examples: <rule>`, `Scenario: …`' },
}

/** Words that a heading 4 may begin with, for "did you mean". */
const words = ['Sample data', 'Examples', 'Scenario', 'Notes']

/** Bold keys of later days, by heading. */
const plannedKeys: Readonly<Record<number, RegExp>> = { 3: /^(sample data|order)$/i }

/** Reports what stands where nothing reads it. Heading 1, screens and calls read their own bold keys. */
export function checkStructure(context: Context): void {
  for (const section of context.document.sections) {
    checkContent(context, section, section, false)
    for (const block of section.blocks) checkBlock(context, section, block, section.number === 5)
    for (const subject of section.subjects) {
      checkContent(context, section, subject, true)
      for (const block of subject.blocks) checkBlock(context, section, block, true)
    }
  }
}

function checkContent(context: Context, { number }: Section, content: Section | Subject, isSubject: boolean): void {
  for (const fence of content.fences) notYet(context, number, fence, `fences of kind \`${fence.kind}\``)
  const isOwn = number === 2 || number === 7 || (number === 9 && 'title' in content && isWorkingTime(content.title))
  const readsKeys = isSubject ? isOwn : number === 1 || number === 6 || number === 7
  if (readsKeys) return
  const isRead = (key: string) => isSubject && number === 3 && isEntityKey(key)
  checkKeys(context, number, { properties: content.properties.filter(({ key }) => !isRead(key.text)) })
}

function checkKeys(context: Context, number: number, { properties }: Pick<Content, 'properties'>): void {
  for (const { key } of properties) {
    if (plannedKeys[number]?.test(key.text)) notYet(context, number, key, `\`${key.text}\` of an entity`)
    else commonReporter(context, number).report('N1013', key, { key: key.text })
  }
}

function checkBlock(context: Context, { number }: Section, block: Block, hasOwn: boolean): void {
  const kind = blockKind(block.title)
  const here = hasOwn ? blocksUnder[number] : undefined
  if (kind === 'notes') return
  for (const fence of block.fences) notYet(context, number, fence, `fences of kind \`${fence.kind}\``)
  if (kind !== 'scenario' && !here?.kinds.includes(kind)) {
    reportBlock(context, number, block.title, here?.known ?? '`Scenario: …`')
    return
  }
  if (kind !== 'other') checkKeys(context, number, block)
}

export function reportBlock(context: Context, number: number, title: Cell, known: string): void {
  const begin = title.text.split(':')[0]!
  const meant = nearest(begin, words)
  const fixes = meant === null ? [] : [writeInstead(title, meant + title.text.slice(begin.length))]
  const parameters = { title: title.text, meant: meant === null ? '' : `; did you mean \`${meant}\`?`, known }
  commonReporter(context, number).report('N1004', title, parameters, { fixes })
}
