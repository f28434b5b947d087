import { expect, test } from 'vitest'
import { position } from './cell.ts'
import { documentCodes, documentReport } from './codes.ts'
import { matchTable, readProperties, readRows, rowOf, type TableSchema } from './columns.ts'
import type { Diagnostic } from './diagnostic.ts'
import { applyFix } from './fix.ts'
import { readDocument } from './markdown.ts'

const rules = {
  name: 'rules',
  columns: [
    { name: 'Rule', required: true, meaning: 'Its name.' },
    { name: 'Must hold', required: true, meaning: 'What must be true.' },
    { name: 'Meaning', required: false, meaning: 'Why.' },
  ],
} as const satisfies TableSchema

type Files = Readonly<Record<string, string>>

interface Example {
  /** `«` and `»` stand around the place that the diagnostic must name. */
  readonly bad: string | Files
  /** The text of the marked file after the first fix; absent where the code proposes none. */
  readonly cured?: string
  /** Part of the message that must be there. */
  readonly says?: string
}

const head = '# Desk\n\n## 5 Validation rules\n\n'
const table = '| Rule | Must hold |\n| --- | --- |\n| V-1 | a > b |\n'

const examples: Readonly<Record<keyof typeof documentCodes, readonly Example[]>> = {
  N0001: [{ bad: {} }],
  N0002: [{ bad: '# A\n\n- **Part:** [b](«parts/b.md»)\n', says: '`docs/parts/b.md`', cured: '# A\n\n' }],
  N0003: [{ bad: '«»Some text.\n' }, { bad: '«»#\n' }],
  N0004: [
    {
      bad: { 'docs/a.md': '# A\n\n- **Part:** [b](b.md)\n- **Part:** [c](«./x/../b.md#top»)\n', 'docs/b.md': '# B' },
      cured: '# A\n\n- **Part:** [b](b.md)\n',
    },
  ],
  N0005: [
    { bad: { 'docs/a.md': '# A\n\n- **Part:** [b](../b.md)\n', 'b.md': '# B\n\n- **«Part»:** [c](c.md)\n' } },
    { bad: { 'docs/a.md': '# A\n\n- **Part:** [b](b.md)\n', 'docs/b.md': '# B\n\n- **«Part»:** [a](a.md)\n' } },
  ],
  N0006: [{ bad: '# A\n\n- **Part:** [a](«../docs/a.md»)\n', cured: '# A\n\n' }],
  N0007: [
    { bad: '# A\n\n- **Part:** «parts/b.md»\n' },
    { bad: '# A\n\n- **Part:** «[b](https://example.org/b.md)»\n' },
    { bad: '# A\n\n- **Part:** «[b](/etc/passwd)»\n' },
    { bad: '# A\n\n- **Part:** «[b](%zz)»\n' },
    { bad: '# A\n\n- **Part:** «[b](#here)»\n' },
  ],
  N0008: [{ bad: '# A\n\n«# B»\n' }, { bad: `${head}«# Rules of the desk»\n` }],
  N0010: [{ bad: '# A\n\n- **Ninefold:** «7»\n', cured: '# A\n\n- **Ninefold:** 1\n', says: 'reads edition 1' }],
  N0012: [
    { bad: { 'docs/a.md': '# A\n\n- **Part:** [b](b.md)\n', 'docs/b.md': '# B\n\n- **«Ninefold»:** 1\n' } },
    { bad: { 'docs/a.md': '# A\n\n- **Part:** [b](b.md)\n', 'docs/b.md': '- **«Anything»:** 1\n' } },
  ],
  N0013: [
    { bad: `${head}«\`\`\`json»\n{}\n\n${table}`, cured: `${head}\`\`\`json\n{}\n\`\`\`\n\n${table}`, says: 'fence' },
    { bad: `${head}«~~~~»\n~~~\n`, cured: `${head}~~~~\n~~~\n~~~~\n`, says: 'fence' },
    { bad: `${head}«<!-- later»\r\n\r\n${table}`, cured: `${head}<!-- later\n-->\r\n\r\n${table}`, says: 'comment' },
    { bad: `${head}«  <pre>»\n${table}`, cured: `${head}  <pre>\n${table.trimEnd()}\n</pre>\n`, says: 'this HTML' },
  ],
  N0014: [
    { bad: '# A\n\nx«\0»y\0\n', cured: '# A\n\nxy\n', says: 'U+0000 cannot be stored or shown; 2 such' },
    { bad: '# A\n\nx«\ud800»y\n', cured: '# A\n\nxy\n', says: 'U+D800' },
    { bad: '# A\n\nx«\ufeff»y\n', cured: '# A\n\nxy\n', says: 'it stands once' },
  ],
  N0015: [{ bad: '# A\n\nif «\u202e»me\n', cured: '# A\n\nif me\n', says: 'U+202E' }],
  N0016: [
    { bad: `# A\n\n«»${'> '.repeat(51)}x\n\n## 5\n` },
    { bad: `# A\n\n«»${'- '.repeat(9000)}x\n` },
    { bad: `# A\n\n${Array.from({ length: 60 }, (_, i) => `${i === 51 ? '«»' : ''}${'  '.repeat(i)}- x\n`).join('')}` },
  ],
  N0017: [{ bad: `# A\n\n«- a»\n${'  b\n'.repeat(2000)}` }, { bad: `# A\n\n«> a»\n${'b\n'.repeat(2000)}\n## 5\n` }],
  N0018: [{ bad: '# A\n\nGr«\ufffd»\ufffdße\n\n\u202e\n', says: 'not UTF-8, but probably WINDOWS-1252' }],
  N0301: [
    { bad: '# A\n\n## «Validaton rules»\n', cured: '# A\n\n## 5 Validation rules\n', says: 'did you mean `5 Valid' },
    { bad: '# A\n\n## «Entities»\n', cured: '# A\n\n## 3 Entities and their fields\n' },
    { bad: '# A\n\n## «10 Appendix»\n\n| lost | table |\n| --- | --- |\n\n### x\n' },
    { bad: '# A\n\n«Appendix»\n---\n' },
  ],
  N0302: [
    {
      bad: '# A\n\n## «4». Validation rules.\n',
      cured: '# A\n\n## 5. Validation rules.\n',
      says: '`Validation rules` is heading 5, not 4',
    },
  ],
  N0303: [
    { bad: '# A\n\n### «Loan»\n\n| a |\n| --- |\n\n#### b\n' },
    { bad: '# A\n\n«| a |\n| --- |\n| b |»\n', cured: '# A\n\n> | a |\n> | --- |\n> | b |\n' },
    { bad: '# A\n\n«```ninefold mail»\n{}\n```\n' },
  ],
  N0304: [{ bad: `${head}«###»\n` }, { bad: '# A\n\n«## ##»\n' }],
  N0305: [
    {
      bad: '# A\n\n- **«Ninfold»:** 1\n',
      cured: '# A\n\n- **Ninefold:** 1\n',
      says: '`Ninfold` is not known here; did you mean `Ninefold`?',
    },
    { bad: `${head}#### V-1\n\n- **«Must holt»:** a\n`, cured: `${head}#### V-1\n\n- **Must hold:** a\n` },
    { bad: `${head}- **«Colour»:** red\n` },
  ],
  N0306: [
    { bad: '# A\n\n- **Ninefold:** 1\n- **«Ninefold»:** 1\n', cured: '# A\n\n- **Ninefold:** 1\n' },
    {
      bad: `${head}#### V-1\n\n- **Must hold:** a\n  and b\n- **«MUST HOLD»:** c\n  and d\n`,
      cured: `${head}#### V-1\n\n- **Must hold:** a\n  and b\n`,
    },
  ],
  N0307: [{ bad: `${head}#### V-1\n\n- **Must hold:**\n  «- a\n  - b»\n`, says: '`Must hold`' }],
  N0308: [
    { bad: `${head}«\`\`\`ninefold mial»\n\`\`\`\n`, says: 'did you mean `mail`?' },
    { bad: `${head}«\`\`\`ninefold»\n\`\`\`\n` },
  ],
  N0309: [{ bad: `${head}### Loan («was» )\n` }, { bad: `${head}### Loan (was Booking, «part of»)\n` }],
  N0310: [
    {
      bad: `${head}| Rule | «Must be» |\n| --- | --- |\n`,
      cured: `${head}| Rule | Must hold |\n| --- | --- |\n`,
      says: 'the nearest is rules (Rule, Must hold); missing: `Must hold`; unknown: `Must be`',
    },
    {
      bad: `${head}| «Rule» | Meaning |\n| --- | --- |\n`,
      cured: `${head}> | Rule | Meaning |\n> | --- | --- |\n`,
      says: 'missing: `Must hold`',
    },
    {
      bad: `${head}| Rule | Must hold | «Meanin» |\n| --- | --- | --- |\n`,
      cured: `${head}| Rule | Must hold | Meaning |\n| --- | --- | --- |\n`,
      says: 'unknown: `Meanin` (did you mean `Meaning`?)',
    },
    {
      bad: `${head}| «Colour» | Price |\n| --- | --- |\n| red | 3 |\n`,
      cured: `${head}> | Colour | Price |\n> | --- | --- |\n> | red | 3 |\n`,
    },
    {
      bad: `${head}«| Rule | Must hold | |»\n| --- | --- | --- |\n`,
      cured: `${head}> | Rule | Must hold | |\n> | --- | --- | --- |\n`,
      says: 'a column without a name',
    },
  ],
  N0311: [
    {
      bad: `${head}${table}| V-2 | \`a «||» b or c||d\` |\n`,
      cured: `${head}${table}| V-2 | \`a or b or c or d\` |\n`,
      says: 'this row has 6 cells, the header has 2; write `or` instead of `||`',
    },
    {
      bad: `${head}${table}| V-2 | \`a «|» b\` |\n`,
      cured: `${head}${table}| V-2 | \`a \\| b\` |\n`,
      says: 'write `\\|`',
    },
    { bad: `${head}${table}| V-2 | a «| | |»\n`, cured: `${head}${table}| V-2 | a |\n` },
    { bad: `${head}${table}| V-2 | «| a |»\n`, cured: `${head}${table}| V-2 | a |\n` },
    { bad: `${head}${table}| V-2 | a «| b | c |»\n`, says: 'this row has 4 cells, the header has 2' },
  ],
  N0312: [{ bad: `${head}| Rule | Must hold | «rule» |\n| --- | --- | --- |\n`, says: '`rule`' }],
  N0313: [
    {
      bad: `${head}| Rule | Must hold |\n«| --- |»\n| V-1 | a |\n`,
      cured: `${head}| Rule | Must hold |\n| --- | --- |\n| V-1 | a |\n`,
      says: 'its header has 2 cells, the line of dashes has 1',
    },
    { bad: `${head}Rule | Must hold\n«--- | --- | ---»\n`, cured: `${head}Rule | Must hold\n| --- | --- |\n` },
  ],
  N0314: [
    { bad: `${head}${table}\n«| V-2 | b |»\n| V-3 | c |\n`, cured: `${head}${table}| V-2 | b |\n| V-3 | c |\n` },
    { bad: `${head}«| Rule | Must hold |»\n\n| --- | --- |\n| V-2 | b |\n` },
    {
      bad: `${head}«| Rule | Must hold |»\n| V-2 | b |\n`,
      cured: `${head}| Rule | Must hold |\n| --- | --- |\n| V-2 | b |\n`,
    },
    { bad: `${head}The rules:\n«| Rule | Must hold |»\n` },
  ],
  N0315: [{ bad: `${head}${table}«Some text»\n` }],
  N0316: [
    {
      bad: '# A\n\n## 3. «Things and their fields»\n',
      cured: '# A\n\n## 3. Entities and their fields\n',
      says: 'heading 3 is titled `Entities and their fields`, not `Things and their fields`',
    },
  ],
  N0317: [{ bad: `${head}«<details>»\n| Rule | Must hold |\n| --- | --- |\n</details>\n` }],
  N0318: [{ bad: `${head}«|${' a |'.repeat(101)}»\n|${' - |'.repeat(101)}\n|\n` }],
  N0325: [
    {
      bad: `${head}${table}«| Rule | Must hold |»\n| --- | --- |\n| V-2 | a > c |\n`,
      cured: `${head}${table}\n| Rule | Must hold |\n| --- | --- |\n| V-2 | a > c |\n`,
    },
  ],
  N0327: [
    { bad: `${head}«### Examples: V-1»\n\n`, cured: `${head}#### Examples: V-1\n\n` },
    { bad: `${head}«##### Scenario: two ask»\n\n`, cured: `${head}#### Scenario: two ask\n\n` },
    { bad: `${head}«### 6 Roles and permissions»\n`, cured: `${head}## 6 Roles and permissions\n` },
    { bad: `${head}«# Roles and permissions»\n`, cured: `${head}## Roles and permissions\n` },
  ],
  N0328: [
    { bad: `${head}${table}«| --- | --- |»\n| V-2 | c |\n`, cured: `${head}${table}| V-2 | c |\n` },
    { bad: `${head}${table}«| Rule | Must hold |»\n`, cured: `${head}${table}`, says: 'says the header' },
  ],
  N0331: [
    {
      bad: `${head}- several rules\n«| Rule | Must hold |»\n| --- | --- |\n| V-2 | a > c |\n`,
      cured: `${head}- several rules\n\n| Rule | Must hold |\n| --- | --- |\n| V-2 | a > c |\n`,
      says: 'text of the bullet above it',
    },
    {
      bad: `${head}1. First\n   - then\n«| Rule | Must hold |»\n| --- | --- |\n| V-2 | a > c |\n`,
      cured: `${head}1. First\n   - then\n\n| Rule | Must hold |\n| --- | --- |\n| V-2 | a > c |\n`,
    },
    {
      bad: `${head}> As agreed:\n«| Rule | Must hold |»\n| --- | --- |\n| V-2 | a > c |\n`,
      cured: `${head}> As agreed:\n\n| Rule | Must hold |\n| --- | --- |\n| V-2 | a > c |\n`,
      says: 'text of the quote above it',
    },
  ],
  N0801: [
    {
      bad: `${head}A loan «may not» be\nlonger than that.\n`,
      cured: `${head}> A loan may not be\n> longer than that.\n`,
      says: '“may not”',
    },
    {
      bad: `${head}### Loan\n\nIt «must» end.\n\n### Item\n\n${table}`,
      cured: `${head}### Loan\n\n> It must end.\n\n### Item\n\n${table}`,
    },
    { bad: `${head}#### Notes\n\nIt is «At most» one.\n`, cured: `${head}#### Notes\n\n> It is At most one.\n` },
  ],
}

/** Everything that the reader and the columns of heading 5 have to say, as a heading's reader would ask it. */
function check(files: Files): readonly Diagnostic[] {
  const { document, found } = readDocument('docs/a.md', path => files[path] ?? null)
  const all = [...found]
  const report = documentReport(5, all)
  for (const section of document.sections) {
    readProperties(section.properties, { name: 'settings', columns: [] }, section.title, report)
    for (const block of section.blocks) rowOf(block, rules, report)
    for (const each of section.tables) if (matchTable(each, [rules], report) !== null) readRows(each, rules)
  }
  return all
}

const cases = Object.entries(examples).flatMap(([code, list]) => list.map(example => [code, example] as const))

test('every code has an example', () => {
  expect(Object.keys(examples)).toEqual(Object.keys(documentCodes))
  for (const list of Object.values(examples)) expect(list.length).toBeGreaterThan(0)
})

test.each(cases)('%s, once, at its place, with a fix that cures it: $bad', (code, { bad, cured, says }) => {
  const marked = typeof bad === 'string' ? { 'docs/a.md': bad } : bad
  const files = Object.fromEntries(Object.entries(marked).map(([path, text]) => [path, text.replace(/[«»]/g, '')]))
  const found = check(files)
  expect(found.map(each => each.code)).toEqual([code])
  const [{ span, message, help, fixes }] = found as [Diagnostic]
  const original = marked[span.file.path]
  if (original !== undefined) {
    const start = original.indexOf('«')
    expect(position(span.file, span.start)).toEqual(position({ path: '', text: original }, start))
    expect(span.file.text.slice(span.start, span.end)).toBe(original.slice(start + 1, original.indexOf('»')))
  }
  expect(message).toContain(says ?? '')
  expect(message).not.toMatch(/\{\w+\}|\.$|token/)
  expect(help).not.toMatch(/\{\w+\}|token/)
  expect(fixes[0] !== undefined).toBe(cured !== undefined)
  if (cured === undefined) return
  const after = applyFix(fixes[0]!).get(span.file)
  expect(after).toBe(cured)
  expect(check({ ...files, [span.file.path]: after! }).map(each => each.code)).toEqual([])
})

test('what is right says nothing', () => {
  for (const good of [
    `${head}${table}`,
    `${head}> A loan must end.\n> | any | table |\n> | --- | --- |\n`,
    `${head}It must hold.\n\n${table}`,
    `${head}\`\`\`ninefold mail\nHello\n\`\`\`\n\n~~~\n| a |\n~~~\n\n<!-- | a | b | -->\n`,
    `${head}- **Important** is not a key.\n- plain\n  - **Key:** below\n1. **First:** no bullet\n`,
    '# A\n\n- **Part:** none\n- **Ninefold:** TBD\n',
    '# A\n\n## 5\n\n## VALIDATION  RULES\n\n## 5) Validation rules:\n\n5. Validation rules\n---\n',
    '# A\n\n## 1 What the product does and for whom\n\n| any | table |\n| ---\n',
    '# A\n\n---\n\n![x](y)\n\n##### Rule\n\n    | code |\n',
  ])
    expect(check({ 'docs/a.md': good }), good).toEqual([])
})
