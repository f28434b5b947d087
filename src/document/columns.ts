/**
 * Tables and blocks read by the columns that a heading declares as data. A row of a table and a heading 4 with bold keys
 * ("row or block") give the same {@link NamedRow}; unknown columns and keys are answered here, once for all headings.
 */

import type { DocumentReport } from './codes.ts'
import { intoBlockQuote, withoutLines, writeInstead } from './fix.ts'
import { nearest } from './nearest.ts'
import type { Cell, Span } from './source.ts'
import type { Block, Property, Table } from './tree.ts'

export interface Column {
  /** As it is written in a header; upper and lower case are alike when reading. */
  readonly name: string
  /** Whether a table without this column is another table. */
  readonly required: boolean
  /** One sentence for reference, completion and hover. */
  readonly meaning: string
  /** Whether a block may say the key more than once (`Part`, `Assume`). Tables never have a column twice. */
  readonly many?: boolean
  /** What people call it first, far from its name: whoever writes one of these is told the name. */
  readonly others?: readonly string[]
}

export interface TableSchema {
  /** What its rows are, in the plural: `rules`, `transitions`. */
  readonly name: string
  /** Columns that people look for here although another table says it, and which. */
  readonly elsewhere?: { readonly names: readonly string[]; readonly where: string }
  /** In canonical order. The first column is the one that the title of a block stands for. */
  readonly columns: readonly Column[]
}

/** The column names of a schema that was written `as const`. */
export type ColumnName<S extends TableSchema> = S['columns'][number]['name']

/** A row read by its column names, whether it was written as a row or as a block. Its span is the row, or the title of the block. */
export interface NamedRow<Name extends string = string> extends Span {
  /** The cell of a column; null where the table has no such column or the block no such key. An empty cell is a cell. */
  readonly cell: (name: Name) => Cell | null
  /** All cells of a key that may be said more than once, in the order they were written. */
  readonly all: (name: Name) => readonly Cell[]
}

/**
 * The schema that a table is written in: all its required columns are there, and no column that it does not know. Among
 * several, the one with the most columns in common. Null after one report (N0310 or N0312) where there is none.
 */
export function matchTable<const S extends TableSchema>(
  table: Table,
  schemas: readonly S[],
  report: DocumentReport,
): S | null {
  const twice = table.header.find((cell, i) => table.header.findIndex(other => same(other.text, cell.text)) < i)
  if (twice !== undefined) {
    const first = table.header.find(cell => same(cell.text, twice.text))!
    report(
      'N0312',
      placeOf(twice, table),
      { column: twice.text },
      { related: [{ span: first, message: 'first here' }] },
    )
    return null
  }
  const candidates = schemas.map(schema => compare(table, schema)).sort((a, b) => b.score - a.score)
  const match = candidates.find(({ missing, unknown }) => missing.length === 0 && unknown.length === 0)
  if (match !== undefined) return match.schema
  reportUnknownTable(table, candidates[0] ?? null, report)
  return null
}

/** The rows of a table that {@link matchTable} found to be written in this schema. */
export function readRows<const S extends TableSchema>(table: Table, schema: S): NamedRow<ColumnName<S>>[] {
  const index = new Map(
    schema.columns.map(({ name }) => [name, table.header.findIndex(cell => same(cell.text, name))] as const),
  )
  return table.rows.map(row => {
    const cell = (name: string) => row.cells[index.get(name) ?? -1] ?? null
    return namedRow(row, name => {
      const found = cell(name)
      return found === null ? [] : [found]
    })
  })
}

/** A heading 4 in block form: its title is the first column, its bold keys are the others. Unknown and repeated keys are reported. */
export function rowOf<const S extends TableSchema>(
  block: Pick<Block, 'title' | 'properties'>,
  schema: S,
  report: DocumentReport,
): NamedRow<ColumnName<S>> {
  const [first, ...others] = schema.columns
  const cells = readKeys(block.properties, others, report)
  return namedRow(block.title, name => (name === first?.name ? [block.title] : (cells.get(name) ?? [])))
}

/**
 * The bold keys of a section or subject, read by columns as data; every column is a key. `place` is what the row's span is:
 * the title that the keys stand under.
 */
export function readProperties<const S extends TableSchema>(
  properties: readonly Property[],
  schema: S,
  place: Span,
  report: DocumentReport,
): NamedRow<ColumnName<S>> {
  const cells = readKeys(properties, schema.columns, report)
  return namedRow(place, name => cells.get(name) ?? [])
}

function namedRow<Name extends string>(
  { file, start, end }: Span,
  cells: (name: Name) => readonly Cell[],
): NamedRow<Name> {
  return { file, start, end, cell: name => cells(name)[0] ?? null, all: cells }
}

function readKeys(
  properties: readonly Property[],
  columns: readonly Column[],
  report: DocumentReport,
): Map<string, Cell[]> {
  const cells = new Map<string, Cell[]>()
  const firstKey = new Map<string, Cell>()
  for (const property of properties) {
    const { key, value } = property
    const column = columns.find(({ name }) => same(name, key.text))
    if (column === undefined) {
      reportKeyBeside(key, columns, report)
      continue
    }
    const first = firstKey.get(column.name)
    if (first !== undefined && !column.many) {
      reportRepeatedKey(property, first, report)
      continue
    }
    firstKey.set(column.name, first ?? key)
    cells.set(column.name, [...(cells.get(column.name) ?? []), value])
  }
  return cells
}

/** N0305: a key that is none of these. */
export const reportKeyBeside = (key: Cell, columns: readonly Column[], report: DocumentReport): void =>
  reportUnknownKey(
    key,
    columns.map(({ name }) => name),
    report,
    '',
    columns.find(column => isCalled(column, key.text))?.name,
  )

/** Whether people call the column so. */
export const isCalled = ({ name, others = [] }: Column, text: string): boolean =>
  [name, ...others].some(one => same(one, text))

/** N0305: a key that is none of the known ones. */
export function reportUnknownKey(
  key: Cell,
  known: readonly string[],
  report: DocumentReport,
  note = '',
  meant: string | null = nearest(key.text, known) ?? begunWith(key.text, known),
): void {
  const names = known.map(name => `\`${name}\``).join(', ') || 'nothing'
  report(
    'N0305',
    key,
    { key: key.text, meant: meant === null ? '' : `; did you mean \`${meant}\`?`, known: names, note },
    { fixes: meant === null ? [] : [writeInstead(key, meant)] },
  )
}

/** `Empty` is the only one of them that begins so: `Empty text`. */
function begunWith(text: string, known: readonly string[]): string | null {
  const begun = known.filter(name => name.toLowerCase().startsWith(`${text.toLowerCase()} `))
  return begun.length === 1 ? begun[0]! : null
}

/** N0306: a key that is said again. */
export function reportRepeatedKey({ key, value }: Property, first: Cell, report: DocumentReport): void {
  const line = { file: key.file, start: key.start, end: value.end }
  report(
    'N0306',
    key,
    { key: key.text },
    { related: [{ span: first, message: 'first here' }], fixes: [withoutLines('take this line out', line)] },
  )
}

interface Candidate<S> {
  readonly schema: S
  readonly missing: readonly string[]
  readonly unknown: readonly Cell[]
  readonly score: number
}

function compare<S extends TableSchema>(table: Table, schema: S): Candidate<S> {
  const has = (name: string) => table.header.some(cell => same(cell.text, name))
  const shared = schema.columns.filter(({ name }) => has(name))
  const missing = schema.columns.filter(({ name, required }) => required && !has(name)).map(({ name }) => name)
  const unknown = table.header.filter(cell => !schema.columns.some(({ name }) => same(cell.text, name)))
  const likely = unknown.filter(cell => nearest(cell.text, missing) !== null)
  // A shared column counts most, a misspelt one nearly as much; the first column says best which table is meant.
  const first = shared[0] !== undefined && shared[0] === schema.columns[0] ? 2 : 0
  return {
    schema,
    missing,
    unknown,
    score: 4 * shared.length + 3 * likely.length + first - missing.length - unknown.length,
  }
}

function reportUnknownTable(table: Table, best: Candidate<TableSchema> | null, report: DocumentReport): void {
  const quote = intoBlockQuote('the table', table)
  if (best === null || best.score < 0) {
    report(
      'N0310',
      placeOf(table.header[0], table),
      { nearest: '', edit: 'Another table is expected, or none.' },
      { fixes: [quote] },
    )
    return
  }
  const { schema, missing, unknown } = best
  const names = schema.columns.map(({ name }) => name)
  const free = names.filter(name => !table.header.some(cell => same(cell.text, name)))
  // One column missing and one unknown: that one is meant, however it is written.
  const only = missing.length === 1 && unknown.length === 1 ? missing[0]! : null
  const { elsewhere } = schema
  const isElsewhere = ({ text }: Cell) => elsewhere?.names.some(name => same(name, text)) ?? false
  const called = ({ text }: Cell) =>
    schema.columns.find(column => free.includes(column.name) && isCalled(column, text))?.name
  const meantBy = (cell: Cell) =>
    isElsewhere(cell) ? null : (called(cell) ?? withWord(cell.text, free) ?? nearest(cell.text, free) ?? only)
  const renames = unknown.flatMap(cell => {
    const meant = meantBy(cell)
    return meant === null || cell.text === '' ? [] : [writeInstead(cell, meant)]
  })
  report(
    'N0310',
    placeOf(unknown[0] ?? table.header[0], table),
    {
      nearest:
        `; the nearest is ${schema.name} (${schema.columns.flatMap(each => (each.required ? [each.name] : [])).join(', ')})` +
        (missing.length === 0 ? '' : `; missing: ${quoted(missing)}`) +
        (unknown.length === 0
          ? ''
          : `; unknown: ${unknown.map(cell => unknownColumn(cell, meantBy(cell))).join(', ')}`),
      edit:
        unknown.length > 0
          ? `Known columns: ${quoted(names)}.${unknown.some(isElsewhere) ? ` ${elsewhere!.where}` : ''}`
          : `Add the missing ${missing.length === 1 ? 'column' : 'columns'}.`,
    },
    {
      fixes: [
        ...(renames.length === 0
          ? []
          : [{ title: renames.map(({ title }) => title).join(', '), edits: renames.flatMap(({ edits }) => edits) }]),
        ...(missing.length === 0 &&
        unknown.length === 1 &&
        unknown[0]!.text !== '' &&
        !isElsewhere(unknown[0]!) &&
        renames.length === 0
          ? between(unknown[0]!, table, names).map(name => writeInstead(unknown[0]!, name))
          : []),
        quote,
      ],
    },
  )
}

/** The one column of several words that has this one among them: `Change` means `Who may change`, although `Range` is spelled more like it. */
function withWord(word: string, names: readonly string[]): string | null {
  const all = names.filter(name => name.split(' ').some((part, _, parts) => parts.length > 1 && same(part, word)))
  return all.length === 1 ? all[0]! : null
}

/** The columns that stand between the neighbours of a cell wherever they all stand in order. */
function between(cell: Cell, { header }: Table, names: readonly string[]): readonly string[] {
  const index = header.indexOf(cell)
  const placeOf = (at: number) => names.findIndex(name => header[at] !== undefined && same(name, header[at].text))
  const [before, after] = [placeOf(index - 1), index + 1 < header.length ? placeOf(index + 1) : names.length]
  return names.slice(before + 1, Math.max(before + 1, after))
}

function unknownColumn({ text }: Cell, meant: string | null): string {
  if (text === '') return 'a column without a name'
  return meant === null ? `\`${text}\`` : `\`${text}\` (did you mean \`${meant}\`?)`
}

function quoted(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ')
}

/** A header cell may be empty and so have no extent; then the header row as a whole is the place. */
function placeOf(cell: Cell | undefined, table: Table): Span {
  if (cell !== undefined && cell.text !== '') return cell
  const line = /^[^\r\n]*/.exec(table.file.text.slice(table.start, table.end))![0]
  return { file: table.file, start: table.start, end: table.start + line.length }
}

/** Whether two column names or keys are the same: upper and lower case and the amount of white space do not count. */
function same(a: string, b: string): boolean {
  return plain(a) === plain(b)
}

function plain(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase()
}
