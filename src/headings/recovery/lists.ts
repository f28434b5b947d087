/** Lists that stand where a table declares names which the rest of the document uses: fields, states, roles, constants. */
import { type Diagnostic, reporter } from '../../document/diagnostic.ts'
import type { Span } from '../../document/source.ts'
import type { Content, Document, Section, Subject } from '../../document/tree.ts'
import { isName } from '../../expression/names.ts'
import { fieldKinds } from '../../kinds/fields/index.ts'
import { structureCodes } from '../codes.ts'
import { headingOfTable, isStates } from './forms.ts'

interface Item {
  readonly name: string
  readonly rest: string
}

/** What a list of a heading would declare, as the rows of its table. */
const tables: Readonly<Record<number, { readonly what: string; readonly rows: (items: readonly Item[]) => string[] }>> =
  {
    3: {
      what: 'fields',
      rows: items => [
        'Field | Type | Rules',
        '--- | --- | ---',
        ...items.map(({ name, rest }) => {
          const [type = '', ...rules] = rest.split(/\s*[,;]\s*/)
          return `${name} | ${type} | ${rules.join('; ')}`
        }),
      ],
    },
    4: {
      what: 'states',
      rows: items => [
        'State | Kind',
        '--- | ---',
        ...items.map(({ name }, at) => `${name} | ${at === 0 ? 'start' : ''}`),
      ],
    },
    6: {
      what: 'roles',
      rows: items => ['Role | Who', '--- | ---', ...items.map(({ name, rest }) => `${name} | ${rest || 'TBD'}`)],
    },
    9: {
      what: 'constants',
      rows: items => [
        'Name | Value | Unit',
        '--- | --- | ---',
        ...items.map(
          ({ name, rest }) => `${name} | ${rest.replace(/^(\S+)\s+(\S+)$/, '$1 | $2').replace(/^[^|]*$/, '$& |')}`,
        ),
      ],
    },
  }

/** N0330 for each list of which at least two items are fields with their types, or names that something else uses, where no table declares any. */
export function reportLists({ sections }: Document, found: Diagnostic[]): void {
  const used = usedIn(sections)
  for (const section of sections) {
    const { number, subjects } = section
    const table = tables[number]
    const places: readonly (Section | Subject)[] =
      number === 4
        ? subjects.filter(lacksStates)
        : number === 3
          ? subjects.filter(({ tables }) => tables.length === 0)
          : [section]
    if (table === undefined || (number > 4 && hasOwnTable(section))) continue
    for (const { title } of places) {
      const list = listBelow(title)
      if (list === null || list.items.filter(item => (number === 3 ? isField(item) : used.has(item.name))).length < 2)
        continue
      const text = table
        .rows(list.items)
        .map(row => `| ${row} |`)
        .join('\n')
      const fixes = [{ title: 'write it as a table', edits: [{ span: list.place, text }] }]
      const { file, start } = list.place
      const end = file.text.indexOf('\n', start)
      reporter(structureCodes, number, found).report('N0330', { file, start, end }, { what: table.what }, { fixes })
    }
  }
}

/** `name: text 40, required`. */
const isField = ({ name, rest }: Item): boolean => isName(name) && typed.test(rest)

const typed = new RegExp(`^(?:${[...fieldKinds.keys()].join('|')})(?![^\\s:,;])`)

const lacksStates = ({ tables }: Subject): boolean => tables.length > 0 && !tables.some(isStates)

const hasOwnTable = ({ number, tables, subjects }: Section): boolean =>
  tables.some(({ header }) => headingOfTable(header.map(({ text }) => text)) === number) ||
  (number === 9 && subjects.length > 0)

/** Pieces of all cells, and the constants that expressions read. */
function usedIn(sections: readonly Section[]): ReadonlySet<string> {
  const parts: readonly Content[] = sections.flatMap(section => [section, ...section.subjects])
  const cells = parts.flatMap(({ tables }) => tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)))
  return new Set(
    cells.flatMap(({ text }) => [
      ...text.split(/[,;]/).map(piece => piece.trim()),
      ...[...text.matchAll(/\blimits\.(\w+)/g)].map(([, name = '']) => name),
    ]),
  )
}

/** The first list below a heading, before the next one. */
function listBelow({ file, end }: Span): { readonly items: readonly Item[]; readonly place: Span } | null {
  const below = /^[^\n]*\n([\s\S]*?)(?=\n#|$(?![\s\S]))/.exec(file.text.slice(end))?.[1] ?? ''
  const list = /^(?:[-*+] (?!\*\*).*(?:\n|$))+/m.exec(below)
  if (list === null) return null
  const start = file.text.indexOf('\n', end) + 1 + list.index
  const items = list[0]
    .trimEnd()
    .split('\n')
    .map(line => {
      const [, name = '', rest = ''] =
        /^[-*+] ([\p{L}_][\p{L}\p{N}_ ]*?)\s*(?:[:=(–—-]\s*(.*?)\)?\s*)?$/u.exec(line) ?? []
      return { name, rest: rest.replaceAll('|', '\\|') }
    })
  if (items.some(({ name }) => name === '')) return null
  return { items, place: { file, start, end: start + list[0].trimEnd().length } }
}
