/** What may stand where: headings 4, bold keys and fences that no heading reads are reported here, once for all nine. */
import { isCalled, reportKeyBeside, type TableSchema } from '../document/columns.ts'
import { reporter } from '../document/diagnostic.ts'
import { writeInstead } from '../document/fix.ts'
import { nearest } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import type { Block, Content, Section, Subject } from '../document/tree.ts'
import { properties as productKeys } from './1-product/table.ts'
import { properties as screenKeys } from './2-screens/table.ts'
import { isEntityKey } from './3-entities/declare.ts'
import { entityKeys } from './3-entities/table.ts'
import { callCodes } from './7-calls/codes.ts'
import { properties as callKeys, receiveKeys, sectionKeys } from './7-calls/table.ts'
import { isWorkingTime } from './9-limits/working-time.ts'
import { type BlockKind, blockKind } from './blocks.ts'
import { structureCodes } from './codes.ts'
import { type Context, commonReporter, documentReporter } from './context.ts'

/** Headings 4 beside `Notes` and `Scenario: …`, which may stand everywhere. */
const blocksUnder: Readonly<Record<number, { readonly kinds: readonly BlockKind[]; readonly known: string }>> = {
  2: { kinds: ['other'], known: 'a card of a dashboard, `Scenario: …`' },
  3: { kinds: ['sample data', 'fields'], known: '`Sample data`, `Fields: <name>`, `Scenario: …`' },
  4: { kinds: ['other'], known: 'a step or timer, `Scenario: …`' },
  5: { kinds: ['examples'], known: '`Examples: <rule>`, `Scenario: …`' },
}

/** Words that a heading 4 may begin with, for "did you mean". */
const words = ['Sample data', 'Examples', 'Scenario', 'Notes']

/** Reports what stands where nothing reads it. Heading 1, screens and calls read their own bold keys. */
export function checkStructure(context: Context): void {
  checkOrder(context)
  for (const section of context.document.sections) {
    checkContent(context, section, section, false)
    for (const block of section.blocks) checkBlock(context, section, block, section.number === 5)
    for (const subject of section.subjects) {
      checkContent(context, section, subject, true)
      for (const block of subject.blocks) checkBlock(context, section, block, true)
    }
  }
}

/** Headings of a file that stand behind later ones, with the fix that puts them before. */
function checkOrder({ document, found }: Context): void {
  const { files, sections } = document
  for (const file of files) {
    const own = sections.filter(({ title }) => title.file === file)
    const lineOf = ({ title }: Section) => file.text.lastIndexOf('\n', title.start) + 1
    own.forEach((section, index) => {
      const before = own.slice(0, index).find(({ number }) => number > section.number)
      if (before === undefined) return
      const next = own[index + 1]
      const [start, end] = [lineOf(section), next === undefined ? file.text.length : lineOf(next)]
      const text = `${file.text.slice(start, end).trimEnd()}\n\n`
      const edits = [
        { span: { file, start: lineOf(before), end: lineOf(before) }, text },
        { span: { file, start, end }, text: '' },
      ]
      const fixes = [{ title: `put it before heading ${before.number}`, edits }]
      const numbers = { number: section.number, before: before.number }
      reporter(structureCodes, section.number, found).report('N0319', section.title, numbers, { fixes })
    })
  }
}

/** Keys that are read, by heading: of the heading itself, and of its subjects. */
const keysOf = (number: number, isSubject: boolean): readonly string[] => {
  const schemas = isSubject ? { 2: [screenKeys], 7: [callKeys, receiveKeys] } : { 1: [productKeys], 7: [sectionKeys] }
  return ((schemas as Record<number, readonly TableSchema[]>)[number] ?? []).flatMap(({ columns }) =>
    columns.map(({ name }) => name),
  )
}

/** A key that lacks its colon, or its bold type, is a warning. */
function checkNearly({ found }: Context, number: number, { nearly }: Content, isSubject: boolean): void {
  const known = nearly.length === 0 ? [] : keysOf(number, isSubject)
  for (const { key } of nearly) {
    const { file, start, end } = key
    if (!known.some(one => one.toLowerCase() === key.text.toLowerCase())) continue
    const isBold = /[*_]{2}$/.test(file.text.slice(0, start))
    const edits = isBold
      ? [{ span: { file, start: end, end }, text: ':' }]
      : [{ span: { file, start, end: end + 1 }, text: `**${key.text}:**` }]
    const fixes = [{ title: `write \`**${key.text}:**\``, edits }]
    const lacks = isBold ? 'a colon' : 'bold type'
    reporter(structureCodes, number, found).report('N0320', key, { key: key.text, lacks }, { fixes })
  }
}

function checkContent(context: Context, { number }: Section, content: Section | Subject, isSubject: boolean): void {
  checkNearly(context, number, content, isSubject)
  checkFences(context, number, content.fences, number === 7)
  const isOwn = number === 2 || number === 7 || (number === 9 && 'title' in content && isWorkingTime(content.title))
  const readsKeys = isSubject ? isOwn : number === 1 || number === 6 || number === 7
  if (readsKeys) return
  const isOfEntity = isSubject && number === 3
  const unread = content.properties.filter(({ key }) => !isOfEntity || !isEntityKey(key.text))
  const [elsewhere, nowhere] = [true, false].map(is =>
    unread.filter(({ key }) => is === (!isOfEntity || whereElse(key.text) !== null)),
  )
  checkKeys(context, number, { properties: elsewhere! })
  for (const { key } of nowhere!) reportKeyBeside(key, entityKeys.columns, documentReporter(context, number))
}

function checkKeys(context: Context, number: number, { properties }: Pick<Content, 'properties'>): void {
  for (const { key } of properties)
    commonReporter(context, number).report('N1013', key, { key: key.text, where: whereRead(key) })
}

/** Where a key is read that is not read here. */
function whereRead(key: Cell): string {
  if (isWorkingTime(key)) return '; it is a heading, `### Working time`, with keys: `- **Days:** Monday to Friday`'
  const place = whereElse(key.text) ?? whereAmong(key.text, [['below its entity under heading 3', entityKeys]])
  return place === null ? '' : `; ${place}`
}

/** The same, entities aside. */
const whereElse = (key: string): string | null =>
  whereAmong(key, [
    ['under heading 1', productKeys],
    ['below a screen of heading 2', screenKeys],
    ['below a call of heading 7', callKeys],
  ])

function whereAmong(key: string, places: readonly (readonly [string, TableSchema])[]): string | null {
  const [place] = places.flatMap(([where, { columns }]) => {
    const column = columns.find(one => isCalled(one, key))
    if (column === undefined) return []
    return [`${column.name.toLowerCase() === key.toLowerCase() ? 'it' : `\`${column.name}\``} stands ${where}`]
  })
  return place ?? null
}

/** Bodies of mails stand under heading 7 or a heading 3 of it (`areRead`). */
function checkFences(context: Context, number: number, fences: Content['fences'], areRead: boolean): void {
  if (areRead) return
  const why = 'it stands under heading 7, or a heading 3 there, and nowhere else'
  const { report } = reporter(callCodes, number, context.found)
  for (const fence of fences) report('N1732', fence.about ?? fence.text, { why })
}

function checkBlock(context: Context, { number }: Section, block: Block, hasOwn: boolean): void {
  const kind = blockKind(block.title)
  const here = hasOwn ? blocksUnder[number] : undefined
  if (kind === 'notes') return
  checkFences(context, number, block.fences, false)
  if (kind !== 'scenario' && !here?.kinds.includes(kind)) {
    reportBlock(context, number, block.title, here?.known ?? '`Scenario: …`')
    return
  }
  if (kind !== 'other') checkKeys(context, number, block)
}

/** Reports a heading 4 that nothing reads; `known` says in words what may stand there. */
export function reportBlock(context: Context, number: number, title: Cell, known: string): void {
  const begin = title.text.split(':')[0]!
  const meant = nearest(begin, words)
  const fixes = meant === null ? [] : [writeInstead(title, meant + title.text.slice(begin.length))]
  const parameters = { title: title.text, meant: meant === null ? '' : `; did you mean \`${meant}\`?`, known }
  commonReporter(context, number).report('N1004', title, parameters, { fixes })
}
