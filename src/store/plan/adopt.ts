/**
 * Tables that somebody else made, taken over with their records: only where they are named. One step in one transaction turns them
 * into tables of ours, without losing a value; everything else that the document says comes after it, as for any table of ours.
 */
import type { Diagnostic } from '../../document/diagnostic.ts'
import { literal, quoted, schemaIn, tableName } from '../names.ts'
import type { Column, Constraint, Physical, Table } from '../physical.ts'
import { commentOf, constraintDefinition } from './definition.ts'
import {
  besidePrefix,
  choicesOf,
  columnsFor,
  keyColumn,
  ofKind,
  ours,
  snake,
  spelling,
  type Taken,
  trimmed,
} from './foreign.ts'
import type { Actual, ActualColumn, ActualConstraint, ActualTable } from './introspect.ts'
import { judged } from './probes.ts'
import { addConstraint, alter, commentOnConstraint } from './statements.ts'
import { phases, type Step, step } from './step.ts'

interface Adoption {
  readonly steps: readonly Step[]
  readonly found: readonly Diagnostic[]
  /** The database as it will be after that. */
  readonly actual: Actual
  /** Names of the tables that were taken over; their records cannot be asked before. */
  readonly adopted: ReadonlySet<string>
}

/** `named`: tables, or `all`. */
export function adopt(desired: Physical, actual: Actual, named: readonly string[]): Adoption {
  const found: Diagnostic[] = []
  const refuse = (cell: Table['cell'], name: string, why: string) =>
    found.push(judged(3, ({ report }) => report('N0915', cell, { name, why })))
  const open = [...desired.tables.values()].flatMap(table => {
    const foreign = foreignFor(table, desired, actual)
    return foreign === null ? [] : [{ table, foreign }]
  })
  const isNamed = ({ table, foreign }: (typeof open)[number]) =>
    [table.name, foreign.name, 'all'].some(name => named.includes(name))
  const taken: Taken[] = open.filter(isNamed).map(one => ({ ...one, columns: columnsFor(one.table, one.foreign) }))
  const first = [...desired.tables.values()][0]
  const known = (name: string) =>
    open.some(one => [one.table.name, one.foreign.name].includes(name)) ||
    [...desired.tables.values()].some(
      table => [table.name, table.beside?.table].includes(name) && actual.tables.get(table.name)?.ours === true,
    )
  for (const name of named)
    if (name !== 'all' && !known(name) && first !== undefined)
      refuse(first.cell, name, 'no entity needs a table of that name')
  for (const one of taken) for (const why of whyNot(one, taken, actual)) refuse(one.table.cell, one.foreign.name, why)
  if (taken.length === 0 || found.length > 0) return { steps: [], found, actual, adopted: new Set() }
  const tables = new Map(actual.tables)
  for (const one of taken) {
    tables.delete(one.foreign.name)
    tables.set(one.table.name, afterwards(one, taken))
  }
  const names = taken.map(({ foreign }) => foreign.name)
  const taking = step(
    phases.system + 1,
    'rewrite',
    taken[0]!.table.cell,
    `Take over ${names.length === 1 ? 'the table' : `${names.length} tables`} that another application made: ${names.join(', ')}. Records get a key, a version and times; references lead to those keys`,
    [
      ...taken.flatMap(loosened),
      ...taken.flatMap(one => takenOver(one, taken)),
      ...taken.flatMap(one => heldAtOnce(one, taken, 'primary')),
      ...taken.flatMap(one => heldAtOnce(one, taken, 'foreign')),
    ],
    {
      rows: 'every record and every value is kept: {count} records',
      count: `select (${names.map(name => `(select count(*) from ${tableName(name)})`).join(' + ')})::text as count`,
    },
  )
  return {
    steps: [taking],
    found,
    actual: { ...actual, tables },
    adopted: new Set(taken.map(({ table }) => table.name)),
  }
}

/** The table that holds the records of an entity, where somebody else made it. */
function foreignFor({ name, beside }: Table, desired: Physical, { tables }: Actual): ActualTable | null {
  const same = tables.get(beside?.table ?? name) ?? tables.get(name)
  if (same !== undefined) return same.ours ? null : same
  const like = [...tables.values()].filter(
    one => !one.ours && schemaIn(one.name) === null && !desired.tables.has(one.name) && snake(one.name) === name,
  )
  return like.length === 1 ? like[0]! : null
}

function whyNot({ table, foreign, columns }: Taken, taken: readonly Taken[], actual: Actual): readonly string[] {
  const why: string[] = []
  if (schemaIn(foreign.name) !== null)
    why.push(
      `it is not in the schema \`public\`, where Ninefold keeps its tables: \`alter table ${foreign.name} set schema public\` moves it`,
    )
  if (table.name === 'person') why.push('people who sign in are kept by Ninefold itself')
  if ([...foreign.columns.keys()].some(name => name.startsWith(besidePrefix)))
    why.push('Ninefold stands beside it already, and keeps its own in it')
  for (const { column } of table.constraints.flatMap(one => (one.kind === 'foreign' ? [one] : [])))
    if (
      columns.has(column) &&
      !references({ table, foreign, columns }, taken).some(one => one.constraint.column === column)
    )
      why.push(`\`${columns.get(column)!.name}\` is no foreign key to the key of a table that is taken over too`)
  for (const other of actual.tables.values())
    if (!taken.some(one => one.foreign === other) && ofKind(other, 'f').some(({ target }) => target === foreign.name))
      why.push(`the table \`${other.name}\` refers to it, and is not taken over`)
  return why
}

/** The references of a table that lead to records which are taken over, by their one key. */
function references({ table, foreign, columns }: Taken, taken: readonly Taken[]) {
  return table.constraints.flatMap(constraint => {
    if (constraint.kind !== 'foreign') return []
    const old = columns.get(constraint.column)
    const target = taken.find(one => one.table.name === constraint.table)
    const key = target === undefined ? null : keyColumn(target.foreign)
    const isKept = ofKind(foreign, 'f').some(
      one =>
        one.columns.join() === old?.name && one.target === target?.foreign.name && one.targetColumns.join() === key,
    )
    return isKept ? [{ constraint, target: target! }] : []
  })
}

/** The same for the same key, so that references find it without looking. */
const keyOfRecord = (table: string, column: string): string =>
  `encode(substr(sha256(convert_to(${literal(`${table} `)} || ${quoted(column)}::text, 'UTF8')), 1, 16), 'hex')::uuid`

/** What a constraint of theirs says, the document says too, or says otherwise: keys, and checks of values that are spelled otherwise. */
function isLoosened({ kind, columns }: ActualConstraint, one: Taken): boolean {
  if (kind !== 'c') return kind === 'f' || kind === 'p' || kind === 'u'
  return [...one.columns].some(
    ([wanted, { name }]) => columns.includes(name) && choicesOf(one.table, wanted).length > 0,
  )
}

/** Foreign keys of all tables come first. */
function loosened(one: Taken, index: number, taken: readonly Taken[]): readonly string[] {
  const drop = (of: Taken, test: (kind: string) => boolean) =>
    [...of.foreign.constraints.values()]
      .filter(constraint => isLoosened(constraint, of) && test(constraint.kind))
      .map(({ name }) => alter(of.foreign.name, `drop constraint ${quoted(name)}`))
  const all = index === 0 ? taken.flatMap(each => drop(each, kind => kind === 'f')) : []
  return [...all, ...drop(one, kind => kind !== 'f')]
}

function takenOver(one: Taken, taken: readonly Taken[]): readonly string[] {
  const { table, foreign, columns } = one
  const { name } = table
  const change = (...what: readonly string[]) => (what.length === 0 ? [] : [alter(name, what.join(', '))])
  const kept = new Map([...columns].map(([wanted, { name: old }]) => [old, wanted]))
  const isTaken = (column: string) => table.columns.some(one => one.name === column)
  const fresh = (column: string) => kept.get(column) ?? (isTaken(column) ? `before_${column}` : column)
  const all = [...foreign.columns.values()]
  const left = all.filter(({ name: old, notNull }) => notNull && !kept.has(old))
  const led = new Map(references(one, taken).map(({ constraint, target }) => [constraint.column, target.table.name]))
  const key = keyColumn(foreign)
  return [
    ...(foreign.name === name ? [] : [`alter table ${tableName(foreign.name)} rename to ${quoted(name)}`]),
    ...all
      .filter(column => fresh(column.name) !== column.name)
      .flatMap(column => change(`rename column ${quoted(column.name)} to ${quoted(fresh(column.name))}`)),
    ...left.flatMap(column =>
      ['drop identity if exists', 'drop not null'].flatMap(what =>
        change(`alter column ${quoted(fresh(column.name))} ${what}`),
      ),
    ),
    ...change(
      'add column id uuid',
      'add column version integer not null default 1',
      'add column created_at timestamptz(3) not null default :now',
      'add column created_by uuid',
      'add column changed_at timestamptz(3) not null default :now',
      'add column changed_by uuid',
    ),
    // Not by an update, which would wake their triggers.
    ...change(`alter column id type uuid using ${key === null ? 'gen_random_uuid()' : keyOfRecord(name, fresh(key))}`),
    ...change(
      'alter column id set not null',
      'alter column created_at drop default',
      'alter column changed_at drop default',
      ...[...columns].flatMap(([wanted, old]) =>
        old.default === null ? [] : [`alter column ${quoted(wanted)} drop default`],
      ),
    ),
    ...change(
      ...table.columns.flatMap(column => {
        const old = columns.get(column.name)
        const using = old === undefined ? null : carriedOver(table, column, old, led.get(column.name) ?? null)
        return using === null ? [] : [`alter column ${quoted(column.name)} type ${column.type} using ${using}`]
      }),
    ),
    `comment on table ${tableName(name)} is ${commentOf(table.title)}`,
  ]
}

/** How a value becomes one of ours; null: it is one. `to`: the table that it refers to. */
function carriedOver(table: Table, column: Column, old: ActualColumn, to: string | null): string | null {
  const name = quoted(column.name)
  if (to !== null) return keyOfRecord(to, column.name)
  const choices = choicesOf(table, column.name)
  if (choices.length > 0) {
    const whens = choices.map(choice => `when ${literal(spelling(choice))} then ${literal(choice)}`)
    const spelled = `regexp_replace(lower(${name}::text), '[^a-z0-9]+', '_', 'g')`
    return `case ${spelled} ${whens.join(' ')} else ${name}::text end`
  }
  if (column.type === 'text') return trimmed(`${name}::text`)
  return old.type === column.type ? null : `${name}::${column.type}`
}

/** The table as it will be. What is kept beside the document's columns is told of when it is there. */
function afterwards(one: Taken, taken: readonly Taken[]): ActualTable {
  const { table, foreign, columns } = one
  const plain = (name: string, type: string, notNull: boolean, given: string | null = null): ActualColumn => ({
    name,
    type,
    notNull,
    default: given,
    defaultOf: null,
    kept: false,
    given: false,
    labels: [],
  })
  const own = table.columns.filter(({ name }) => ours.has(name))
  const atOnce = keysOf(one, taken).map((constraint): [string, ActualConstraint] => [constraint.name, held(constraint)])
  const checks = [...foreign.constraints].filter(([, constraint]) => !isLoosened(constraint, one))
  return {
    ...foreign,
    name: table.name,
    ours: true,
    columns: new Map([
      ...own.map((column): [string, ActualColumn] => [
        column.name,
        plain(column.name, column.type, column.notNull, column.default),
      ]),
      ...[...columns].map(([name, { notNull }]): [string, ActualColumn] => [
        name,
        plain(name, table.columns.find(column => column.name === name)!.type, notNull),
      ]),
    ]),
    constraints: new Map([...checks, ...atOnce]),
  }
}

/** Keys that are held in the same transaction: a reference that leads nowhere must not be taken over. */
const keysOf = (one: Taken, taken: readonly Taken[]): readonly Constraint[] => [
  ...one.table.constraints.filter(({ kind }) => kind === 'primary'),
  ...references(one, taken).map(({ constraint }) => constraint),
]

const heldAtOnce = (one: Taken, taken: readonly Taken[], kind: Constraint['kind']): readonly string[] =>
  keysOf(one, taken)
    .filter(constraint => constraint.kind === kind)
    .flatMap(constraint => [addConstraint(one.table.name, constraint), commentOnConstraint(one.table.name, constraint)])

const held = (constraint: Constraint): ActualConstraint => ({
  name: constraint.name,
  kind: constraint.kind === 'primary' ? 'p' : 'f',
  definition: constraintDefinition(constraint),
  valid: true,
  columns: [],
  target: null,
  targetColumns: [],
  text: '',
})
