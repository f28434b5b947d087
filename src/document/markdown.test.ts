import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { position } from './cell.ts'
import { readDocument } from './markdown.ts'
import { nineTitles } from './nine.ts'
import { nothing } from './nothing.ts'
import type { Cell } from './source.ts'

const example = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8')
const read = (text: string) => readDocument('a.md', path => (path === 'a.md' ? text : null))
const source = ({ file, start, end }: Cell) => file.text.slice(start, end)

test('the loan desk is read whole and without complaint', () => {
  const { document, found } = readDocument('loan-desk.md', () => example('loan-desk/loan-desk.md'))
  expect(found).toEqual([])
  expect(document.title?.text).toBe('Loan desk')
  expect(document.properties.map(({ key, value }) => [key.text, value.text])).toEqual([['Ninefold', '1']])
  expect(document.sections.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  const contents = document.sections.flatMap(section => [section, ...section.subjects])
  const tables = [...contents, ...contents.flatMap(({ blocks }) => blocks)].flatMap(each => each.tables)
  expect(tables).toHaveLength(20)
  const loan = document.sections[2]!.subjects[3]!
  expect([loan.title.text, loan.was?.text, loan.partOf]).toEqual(['Loan', 'Booking', null])
  const line = document.sections[2]!.subjects[4]!
  expect([line.title.text, line.was, line.partOf?.text]).toEqual(['Loan line', null, 'Loan'])
})

test('a step in block form has keys; the table below it belongs to the subject', () => {
  const { document } = readDocument('loan-desk.md', () => example('loan-desk/loan-desk.md'))
  const loan = document.sections[3]!.subjects[0]!
  expect(loan.tables.map(({ header }) => header[0]?.text)).toEqual(['State', 'Transition', 'Timer'])
  const [block] = loan.blocks
  expect(block!.title.text).toBe('take back')
  expect(block!.properties.map(({ key }) => key.text)).toEqual(['From', 'To', 'Who', 'When', 'Then'])
  const when = block!.properties[3]!.value
  expect(when.text).toBe('all(lines where not damaged) or total_value <= limits.clerk_damage_limit')
  expect(source(when)).toBe(when.text)
  expect(position(when.file, when.start).column).toBe('- **When:** `'.length + 1)
})

test('sample data and examples keep their own tables', () => {
  const { document } = readDocument('loan-desk.md', () => example('loan-desk/loan-desk.md'))
  expect(document.sections[2]!.subjects[1]!.blocks).toMatchObject([{ title: { text: 'Sample data' }, tables: [{}] }])
  expect(document.sections[4]!.blocks).toMatchObject([{ title: { text: 'Examples: V-2' }, tables: [{}] }])
  expect(document.sections[8]!.blocks[0]!.title.text).toBe('Scenario: a clerk cannot approve her own loan')
})

test('the seed is a document whose nine headings are all left open', () => {
  const { document, found } = readDocument('specification.md', () => example('seed/specification.md'))
  expect(found).toEqual([])
  expect(document.sections.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const { prose } of document.sections)
    expect(prose.map(nothing)).toEqual([{ unspecified: true, owner: null, note: null }])
})

test.each(nineTitles.map((title, i) => [i + 1, title] as const))(
  'heading %i is known however it is written',
  (n, title) => {
    const ways = [`${n} ${title}`, `${n}. ${title}.`, `${n}) ${title}:`, title, title.toUpperCase(), `${n}`, `${n}.`]
    const { document, found } = read(`# A\n\n${ways.map(way => `## ${way}\n\n`).join('')}`)
    expect(found).toEqual([])
    expect(document.sections.map(({ number }) => number)).toEqual(ways.map(() => n))
  },
)

test('what is written under a heading that is none of the nine is not read; the next one is', () => {
  const { document, found } = read(
    '# A\n\n## Appendix\n\n| a |\n| - |\n\n### B\n\n#### c\n\n## 8 The error catalogue\n\n### D\n',
  )
  expect(found.map(({ code }) => code)).toEqual(['N0301'])
  expect(document.sections).toMatchObject([{ number: 8, subjects: [{ title: { text: 'D' } }] }])
})

test('a heading that is nearly one of the nine is reported once and read as that one', () => {
  const { document, found } = read('# A\n\n## 7 Validation rulez\n\n### B\n\n## Validation rulez\n\n| a |\n| - |\n')
  expect(found.map(({ code }) => code)).toEqual(['N0316', 'N0301'])
  expect(document.sections.map(({ number, tables }) => [number, tables.length])).toEqual([
    [7, 0],
    [5, 1],
  ])
})

test.each([
  ['- **Key:** value', 'Key', 'value'],
  ['- **Key**: value', 'Key', 'value'],
  ['* __Key:__ value', 'Key', 'value'],
  ['- **Two words:**value', 'Two words', 'value'],
  ['- **Key:** `a \\| b`', 'Key', 'a | b'],
  ['- **Key:**', 'Key', ''],
  ['- **Key:** one\n  two', 'Key', 'one\n  two'],
  ['1. x\n\n- **Key:** value\n\n- text', 'Key', 'value'],
])('%j is a property', (text, key, value) => {
  const { document, found } = read(`# A\n\n## 1\n\n${text}\n`)
  expect(found).toEqual([])
  expect(document.sections[0]!.properties.map(each => [each.key.text, each.value.text])).toEqual([[key, value]])
})

test.each(['- Key: value', '- **Key** value', '**Key:** value', '1. **Key:** value', '- **:** value', '- ****: value'])(
  '%j is prose',
  text => {
    const { document, found } = read(`# A\n\n## 1\n\n${text}\n`)
    expect(found).toEqual([])
    expect(document.sections[0]!.properties).toEqual([])
  },
)

test.each([
  ['Loan', 'Loan', null, null],
  ['Loan (was Booking)', 'Loan', 'Booking', null],
  ['Loan line (part of Loan)', 'Loan line', null, 'Loan'],
  ['Line (was Item line) (part of Loan)', 'Line', 'Item line', 'Loan'],
  ['Line (part of Loan) (was Item line)', 'Line', 'Item line', 'Loan'],
  ['Line (part of Loan, was `Item line`)', 'Line', 'Item line', 'Loan'],
  ['`Loan` (WAS Booking)', 'Loan', 'Booking', null],
  ['Loan (big)', 'Loan (big)', null, null],
  ['(was Booking)', '(was Booking)', null, null],
])('### %s', (text, title, was, partOf) => {
  const { document, found } = read(`# A\n\n## 3\n\n### ${text} ###\n`)
  expect(found).toEqual([])
  const subject = document.sections[0]!.subjects[0]!
  expect([subject.title.text, subject.was?.text ?? null, subject.partOf?.text ?? null]).toEqual([title, was, partOf])
  for (const cell of [subject.title, subject.was, subject.partOf]) if (cell) expect(source(cell)).toBe(cell.text)
})

test('fences for mails keep their text to the letter', () => {
  const { document, found } = read(
    '# A\n\n## 7\n\n### M\n\n```ninefold mail\nHello\r\n\n  `a \\| b`\n```\n\n  ~~~~ ninefold  mail\n~~~\n~~~~\n\n```ninefold mail\n```\n\n``` ninefold mail  new request \nHi\n```\n\n```json\n{}\n```\n',
  )
  expect(found).toEqual([])
  const { fences } = document.sections[0]!.subjects[0]!
  expect(fences.map(({ text }) => text.text)).toEqual(['Hello\r\n\n  `a \\| b`', '~~~', '', 'Hi'])
  expect(fences.map(({ about }) => about?.text ?? null)).toEqual([null, null, null, 'new request'])
  expect(source(fences[3]!.about!)).toBe('new request')
  for (const { text } of fences) expect(source(text)).toBe(text.text)
})

test('parts are read after the root in the order of their links, each with its own places', () => {
  const files: Readonly<Record<string, string>> = {
    'docs/desk.md':
      '\ufeff# Desk\n\n- **Part:** [L](parts/my%20loans.md)\n- **Part:** [S](<../shared.md>)\n\n## 9\n\n### R\n',
    'docs/parts/my loans.md': '# Loans\n\n## 3\n\n### Loan\n',
    'shared.md': '\ufeff## 3\n\n### Item\n',
  }
  const { document, found } = readDocument('docs/desk.md', path => files[path] ?? null)
  expect(found).toEqual([])
  expect(document.files.map(({ path }) => path)).toEqual(['docs/desk.md', 'docs/parts/my loans.md', 'shared.md'])
  expect(document.title?.text).toBe('Desk')
  expect(
    document.sections.map(({ number, title, subjects }) => [number, title.file.path, subjects[0]!.title.text]),
  ).toEqual([
    [9, 'docs/desk.md', 'R'],
    [3, 'docs/parts/my loans.md', 'Loan'],
    [3, 'shared.md', 'Item'],
  ])
  const item = document.sections[2]!.subjects[0]!.title
  expect(position(item.file, item.start)).toEqual({ line: 3, column: 5 })
})

test.each([
  ['/srv/desk.md', 'parts/a.md', '/srv/parts/a.md'],
  ['/srv/desk.md', '../a.md', '/a.md'],
  ['desk.md', '../../a.md', '../../a.md'],
  ['../desk.md', '../a.md', '../../a.md'],
  ['./desk.md', './x/./y/../a.md', 'x/a.md'],
])('from %s, the link %s asks for %s', (root, target, wanted) => {
  const asked: string[] = []
  readDocument(root, path => {
    asked.push(path)
    return path === root ? `# A\n\n- **Part:** [x](${target})\n` : null
  })
  expect(asked).toEqual([root, wanted])
})

test('a table and a property in the same file do not lose their place when lines end with CR LF', () => {
  const { document } = read('# A\r\n\r\n## 5\r\n\r\n- **K:** v\r\n\r\n| a | b |\r\n| - | - |\r\n| c | d |\r\n')
  const section = document.sections[0]!
  expect(position(section.title.file, section.properties[0]!.value.start)).toEqual({ line: 5, column: 10 })
  expect(position(section.title.file, section.tables[0]!.rows[0]!.cells[1]!.start)).toEqual({ line: 9, column: 7 })
})
