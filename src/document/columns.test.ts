import { expect, expectTypeOf, test } from 'vitest'
import { type DocumentReport, documentReport } from './codes.ts'
import {
  type ColumnName,
  matchTable,
  type NamedRow,
  readProperties,
  readRows,
  rowOf,
  type TableSchema,
} from './columns.ts'
import type { Diagnostic } from './diagnostic.ts'
import { readDocument } from './markdown.ts'
import type { Section } from './tree.ts'

const column = (name: string, required = true) => ({ name, required, meaning: `The ${name}.` })
const roles = { name: 'roles', columns: [column('Role'), column('Who'), column('Meaning', false)] }
const matrix = { name: 'permissions', columns: [column('Role'), column('See'), column('Change', false)] }
const steps = {
  name: 'transitions',
  columns: [
    { name: 'Transition', required: true, meaning: 'Its name.' },
    { name: 'From', required: true, meaning: 'The state before.' },
    { name: 'When', required: false, meaning: 'What must hold.' },
    { name: 'Assume', required: false, meaning: 'What is accepted.', many: true },
  ],
} as const satisfies TableSchema

function section(text: string): { section: Section; found: Diagnostic[]; report: DocumentReport } {
  const { document } = readDocument('a.md', () => `# A\n\n## 4\n\n${text}`)
  const found: Diagnostic[] = []
  return { section: document.sections[0]!, found, report: documentReport(4, found) }
}

function match(header: string, schemas: readonly TableSchema[]) {
  const bars = header.split('|').length - 2
  const { section: read, found, report } = section(`${header}\n|${' - |'.repeat(bars)}\n`)
  return { schema: matchTable(read.tables[0]!, schemas, report)?.name ?? null, found }
}

test.each([
  ['| Role | Who |', 'roles'],
  ['| who | MEANING | role |', 'roles'],
  ['| Role | See |', 'permissions'],
  ['| Role  name | Who |', null],
  ['| Role | Who | See |', null],
  ['| Who | Meaning |', null],
  ['| Role |', null],
])('%s is a table of %s', (header, name) => {
  const { schema, found } = match(header, [roles, matrix, steps])
  expect(schema).toBe(name)
  expect(found.map(({ code }) => code)).toEqual(name === null ? ['N0310'] : [])
})

test('where two schemas fit, the one with more columns in common is meant', () => {
  const wide = { name: 'wide', columns: [column('Role'), column('Who', false)] }
  expect(
    match('| Role | Who |', [
      { name: 'narrow', columns: [column('Role'), column('Who', false), column('Z', false)] },
      wide,
    ]).schema,
  ).toBe('narrow')
  expect(match('| Role | See |', [wide, matrix]).schema).toBe('permissions')
})

test('a table nobody could mean names no nearest one, and no schemas at all are no crash', () => {
  expect(match('| Colour | Price |', [roles, matrix]).found[0]!.message).toBe('this table is not understood here')
  expect(match('| Colour |', []).found[0]!.message).toBe('this table is not understood here')
})

test('what another table says is renamed to nothing here, and where it stands is said', () => {
  const where = 'When it is sent says a step.'
  const mails = {
    name: 'mails',
    columns: [column('Mail'), column('To'), { ...column('Body', false), others: ['Text'] }],
    elsewhere: { names: ['When'], where },
  }
  const { found } = match('| Mail | When | To | text |', [mails])
  expect(found[0]!.help).toContain(where)
  expect(found[0]!.fixes.map(({ title }) => title)).toEqual(['write `Body`', 'put the table in a block quote'])
  const [only] = match('| Mail | To | When |', [mails]).found
  expect(only!.fixes.map(({ title }) => title)).toEqual(['put the table in a block quote'])
})

test('two misspelt columns are one mistake with one fix', () => {
  const { found } = match('| Transtion | From | Wen |', [roles, matrix, steps])
  expect(found).toHaveLength(1)
  expect(found[0]!.message).toBe(
    'this table is not understood here; the nearest is transitions (Transition, From); missing: `Transition`; ' +
      'unknown: `Transtion` (did you mean `Transition`?), `Wen` (did you mean `When`?)',
  )
  expect(found[0]!.fixes[0]!.edits.map(({ text }) => text)).toEqual(['Transition', 'When'])
})

test('a row and a block say the same', () => {
  const {
    section: read,
    found,
    report,
  } = section(
    '| Transition | When | From |\n| - | - | - |\n| hand out | `a \\| b` | Draft |\n\n#### hand out\n\n- **when:** `a \\| b`\n- **From:** Draft\n',
  )
  const rows = [...readRows(read.tables[0]!, steps), rowOf(read.blocks[0]!, steps, report)]
  expect(found).toEqual([])
  const said = (row: NamedRow<ColumnName<typeof steps>>) =>
    (['Transition', 'From', 'When', 'Assume'] as const).map(name => row.cell(name)?.text ?? null)
  expect(rows.map(said)).toEqual([
    ['hand out', 'Draft', 'a | b', null],
    ['hand out', 'Draft', 'a | b', null],
  ])
  expect(rows.map(({ file, start, end }) => file.text.slice(start, end))).toEqual([
    '| hand out | `a \\| b` | Draft |',
    'hand out',
  ])
})

test('one word of the name of a column means that column, though another is spelled more like it', () => {
  const constants = {
    name: 'constants',
    columns: ['Name', 'Value', 'Range', 'Who may change'].map(name => column(name)),
  }
  const { found } = match('| Name | Value | Range | change |', [constants])
  expect(found[0]!.message).toContain('`change` (did you mean `Who may change`?)')
  const { found: open } = match('| Name | Value | Change |', [constants])
  expect(open[0]!.message).toContain('`Change` (did you mean `Who may change`?)')
})

test('an empty cell is a cell, an absent column is none', () => {
  const { section: read } = section('| Transition | From |\n| - | - |\n| x | |\n')
  const [row] = readRows(read.tables[0]!, steps)
  expect(row!.cell('From')).toMatchObject({ text: '' })
  expect(row!.cell('When')).toBeNull()
  expect(row!.all('When')).toEqual([])
})

test('a key that may be said more than once keeps all its values', () => {
  const { section: read, found, report } = section('- **Assume:** a\n- **From:** b\n- **Assume:** c\n')
  const row = readProperties(read.properties, steps, read.title, report)
  expect(found).toEqual([])
  expect(row.all('Assume').map(({ text }) => text)).toEqual(['a', 'c'])
  expect(row.cell('Assume')?.text).toBe('a')
})

test('the title is the first column of a block, so no key may be', () => {
  const { section: read, found, report } = section('#### x\n\n- **Transition:** y\n')
  expect(rowOf(read.blocks[0]!, steps, report).cell('Transition')?.text).toBe('x')
  expect(found.map(({ code }) => code)).toEqual(['N0305'])
})

test('a misspelt column name does not compile', () => {
  expectTypeOf<ColumnName<typeof steps>>().toEqualTypeOf<'Transition' | 'From' | 'When' | 'Assume'>()
})
