/**
 * The tables of the reference, made from the code: columns and keys of the headings, types, rules, functions, refusals.
 * They stand in the pages between `<!-- table: name -->` and `<!-- end -->`; `node scripts/run.mjs docs/language/reference.ts` writes them anew,
 * and `docs/reference.test.ts` fails where a page says something else than the code.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { aggregates } from '../../src/expression/aggregate-functions.ts'
import { reservedWords } from '../../src/expression/ast.ts'
import { scalarFunctions } from '../../src/expression/functions.ts'
import * as product from '../../src/headings/1-product/table.ts'
import * as screens from '../../src/headings/2-screens/table.ts'
import { everywhere, saidByApi } from '../../src/headings/3-entities/built-in-names.ts'
import * as entities from '../../src/headings/3-entities/table.ts'
import * as states from '../../src/headings/4-states/table.ts'
import * as validation from '../../src/headings/5-validation/table.ts'
import * as permissions from '../../src/headings/6-permissions/table.ts'
import * as calls from '../../src/headings/7-calls/table.ts'
import { builtIn } from '../../src/headings/8-errors/built-in.ts'
import * as errors from '../../src/headings/8-errors/table.ts'
import { engineLimits } from '../../src/headings/9-limits/engine.ts'
import * as limits from '../../src/headings/9-limits/table.ts'
import * as codeTables from '../../src/headings/code/table.ts'
import { readApp } from '../../src/headings/index.ts'
import * as scenarios from '../../src/headings/scenario-table.ts'
import { fileTypes } from '../../src/kinds/fields/file/types.ts'
import { fieldKinds } from '../../src/kinds/fields/index.ts'
import { screenKinds } from '../../src/kinds/screens/index.ts'
import { sayWays, waysOutOf } from '../../src/trace/ways.ts'

interface Columned {
  readonly name: string
  readonly columns: readonly {
    readonly name: string
    readonly required: boolean
    readonly meaning: string
    readonly planned?: boolean
  }[]
}

interface Written {
  readonly written: string
  readonly meaning: string
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``
const plain = (text: string): string => text.replaceAll('|', '\\|')

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return lines.join('\n')
}

const columns = ({ columns }: Columned): string =>
  table(
    ['Column', '', 'Meaning'],
    columns.map(({ name, required, meaning, planned }) => [
      code(name),
      planned ? 'not yet' : required ? 'required' : '',
      plain(meaning),
    ]),
  )

const keys = ({ columns }: Columned): string =>
  table(
    ['Key', 'Meaning'],
    columns.map(({ name, meaning }) => [code(name), plain(meaning)]),
  )

/** What `check --ways` prints of the invoices of the example, as they stand in it now. */
const waysOfInvoices = (() => {
  const file = 'purchasing.md'
  const folder = new URL('../../examples/purchasing/', import.meta.url)
  const { app } = readApp(file, path => readFileSync(new URL(path, folder), 'utf8'))
  const said = sayWays(waysOutOf(app!).filter(({ entity }) => entity === 'Invoice'))
  return `\`\`\`text\n${said}\`\`\``
})()

/** Keys below a screen, each with the kinds that have it in one sense. */
function keysOfScreens(): string {
  const rows = screens.properties.columns.flatMap(({ name, meaning }): readonly (readonly string[])[] => {
    const kinds = new Map<string, string[]>()
    for (const { written, properties } of screenKinds.values())
      for (const own of properties)
        if (own.name === name) {
          const means = `${own.meaning}${own.many ? ' May stand there several times.' : ''}`
          kinds.set(means, [...(kinds.get(means) ?? []), code(written.split(' ')[0]!)])
        }
    if (kinds.size === 0) return [[code(name), 'every screen', plain(meaning)]]
    return Array.from(kinds, ([means, of]) => [code(name), of.join(', '), plain(means)])
  })
  return table(['Key', 'Of', 'Meaning'], rows)
}

/** Alternatives of one entry are parted by ` · `. */
const written = (first: string, all: readonly Written[]): string =>
  table(
    [first, 'Meaning'],
    all.map(({ written, meaning }) => [written.split(' · ').map(code).join(' · '), plain(meaning)]),
  )

/** All tables, by name. */
export function referenceTables(): ReadonlyMap<string, string> {
  const tables = new Map<string, string>([
    ['product', keys(product.properties)],
    ['ways of invoices', waysOfInvoices],
    ['screen', keysOfScreens()],
    ['card', keys(screens.cardKeys)],
    ['page', keys(screens.pageKeys)],
    ['section', keys(screens.sectionKeys)],
    ['entity', keys(entities.entityKeys)],
    ['call', keys(calls.properties)],
    ['working time', keys(limits.workingTime)],
    ['calls and mails', keys(calls.sectionKeys)],
    ['roles and permissions', keys(permissions.sectionKeys)],
    ['receives', keys(calls.receiveKeys)],
    ['received', columns(calls.received)],
    ['rules of fields', written('Rule', entities.rules)],
    ['acts', written('What happens', states.acts)],
    ['acts of answers', written('What happens', calls.answerActs)],
    ['field types', written('Type', [...fieldKinds.values()])],
    ['screen kinds', written('Shows', [...screenKinds.values()])],
    ['functions', written('Function', scalarFunctions)],
    ['aggregates', written('Function', aggregates)],
    [
      'engine limits',
      table(
        ['Name', 'Value', 'At most', 'Unit', 'Meaning'],
        engineLimits.map(({ key, value, most, unit, meaning }) => [
          code(key),
          value ?? 'none',
          most.toLocaleString('en'),
          unit,
          meaning,
        ]),
      ),
    ],
    [
      'file types',
      table(
        ['Kind', 'Known as'],
        Object.entries(fileTypes).map(([name, media]) => [code(name), media.map(code).join(', ')]),
      ),
    ],
    [
      'reserved names',
      table(
        ['Name', 'Why'],
        [
          ...Object.entries(everywhere).map(([name, why]) => [code(name), why]),
          ...Object.entries(saidByApi).map(([name, { what, of }]) => [
            code(name),
            of === 'all' ? what : `${what}; only where the entity has ${of}`,
          ]),
          [[...reservedWords].map(code).join(', '), 'words of the expression language'],
        ],
      ),
    ],
    [
      'refusals',
      table(
        ['Code', 'Message', 'What to do', 'Status'],
        Object.entries(builtIn).map(([name, { message, whatToDo, status }]) => [
          code(name),
          plain(message),
          plain(whatToDo),
          String(status),
        ]),
      ),
    ],
  ])
  const rooms: readonly Readonly<Record<string, unknown>>[] = [
    { translations: product.translations },
    screens,
    entities,
    states,
    validation,
    permissions,
    calls,
    errors,
    limits,
    codeTables,
    scenarios,
  ]
  for (const room of rooms)
    for (const value of Object.values(room)) {
      const schema = value as Columned
      if (Array.isArray(schema.columns) && !tables.has(schema.name)) tables.set(schema.name, columns(schema))
    }
  return tables
}

/** `<!-- table: acts -->`, or `<!-- table: acts, without report <error> -->`: rows that the page has no room for, by their first cell. */
const marked = /<!-- table: ([^>]+?)(, without [^\n]+)? -->\n[\s\S]*?<!-- end -->/g

/** The names of the tables that a page has. */
export const tablesIn = (page: string): readonly string[] => Array.from(page.matchAll(marked), match => match[1]!)

/** The page with all its tables as the code has them. */
export function withTables(page: string): string {
  const tables = referenceTables()
  return page.replace(marked, (_, name: string, without = '') => {
    const found = tables.get(name)
    if (found === undefined) throw new Error(`There is no table named '${name}'.`)
    return `<!-- table: ${name}${without} -->\n${withoutRows(found, without)}\n<!-- end -->`
  })
}

/** Whether a row is what is left out: its first cell, `name(` for a function, whatever it takes; `of [link]`: its second cell. */
const isNamed = (row: string, name: string): boolean =>
  name.startsWith('of ')
    ? row.split(' | ')[1] === code(name.slice(3))
    : row.startsWith(name.endsWith('(') ? `| \`${name}` : `| ${code(name)} |`)

function withoutRows(table: string, without: string): string {
  const left = without === '' ? [] : without.slice(', without '.length).split(', ')
  const rows = table.split('\n')
  for (const name of left)
    if (!rows.some(row => isNamed(row, name))) throw new Error(`No row is left out by '${name}'.`)
  return rows.filter(row => !left.some(name => isNamed(row, name))).join('\n')
}

/** The pages of the reference, by file name. */
export function pages(): ReadonlyMap<string, string> {
  const folder = new URL('.', import.meta.url)
  const names = readdirSync(folder).filter(name => name.endsWith('.md'))
  return new Map(names.sort().map(name => [name, readFileSync(new URL(name, folder), 'utf8')]))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, page] of pages()) writeFileSync(new URL(name, import.meta.url), withTables(page))
