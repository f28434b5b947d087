/** Columns that get another type: the steps for those of a table. */
import { columnList, quoted, shortName, tableName } from '../names.ts'
import type { Column, Table } from '../physical.ts'
import { inTheMaking, ofTypeBefore, pairUp, unpair, viewOf } from './before.ts'
import { bothWays, refusals } from './both-ways.ts'
import { filled, required } from './columns.ts'
import { commentOf, constraintDefinition, indexDefinition, renamedDefinition, speaksOf } from './definition.ts'
import type { ActualColumn, ActualObject, ActualPair, ActualTable } from './introspect.ts'
import type { Future } from './probes.ts'
import {
  adoptIndex,
  alter,
  commentOnConstraint,
  commentOnIndex,
  createIndex,
  dropConstraint,
  dropIndex,
} from './statements.ts'
import { phases, type Step, step } from './step.ts'
import { conversion, takesAll } from './types.ts'
import { asItWas } from './version-views.ts'

/** A column that gets another type. `again`: it had that type before, and its values stand in the column that kept it. */
export interface Retyped {
  readonly column: Column
  readonly old: ActualColumn
  readonly again: ActualPair | undefined
}

export interface Retyping {
  /** Of the document. */
  readonly version: string
  /** Of the document that the application goes on by meanwhile; null: none. */
  readonly running: string | null
  /** How that version calls the table, where that is not its name. */
  readonly alias: string | null
  /** The columns that it knows, by the names that they have by then. */
  readonly known: ReadonlyMap<string, string>
}

/** A new column is made beside the old one, `to`. `isKept`: the old one stays for the version that runs, which could not write the new one. */
interface Beside extends Retyped {
  readonly to: string
  readonly isKept: boolean
}

/**
 * Columns of another type. Where records would have to be written anew, that is done beside the running application: in a column of its
 * own, which a trigger keeps up with the old one. All of a table take the place of the old ones at once, with their indexes.
 */
export function retype(future: Future, all: readonly Retyped[], retyping: Retyping): Step[] {
  const { table, actual } = future
  const { version, running } = retyping
  const keeps = ({ column, old }: Retyped) =>
    running !== null && running !== version && !takesAll(old.type, column.type)
  const isInPlace = (one: Retyped) =>
    one.again === undefined &&
    (conversion(one.old.type, one.column.type)?.rewrites === false || (!actual.hasRows && !keeps(one)))
  const beside = all.flatMap((one): Beside[] =>
    isInPlace(one) ? [] : [{ ...one, to: one.again?.from ?? inTheMaking(one.column.name), isKept: keeps(one) }],
  )
  const found = foundBy(table, actual, beside)
  return [
    ...all.filter(isInPlace).map(one => retypedInPlace(table, one, retyping)),
    ...beside.flatMap(one => begun(table, one, version)),
    ...found.map(({ name, making, create, cell }) =>
      step(
        phases.retype + 2,
        'build',
        cell,
        `Build ${name} of ${table.name} anew, over values of another type`,
        [dropIndex(making), create],
        { mode: 'outside', rows: 'records are read, none is changed', through: tableName(table.name) },
      ),
    ),
    ...(beside.length === 0 ? [] : [exchanged(future, beside, found, retyping)]),
  ]
}

const typeChange = ({ column: { name, type }, old }: Retyped): string => `${name} from ${old.type} to ${type}`
const kept = (all: readonly Retyped[]): string =>
  all.every(({ column, old }) => conversion(old.type, column.type) === null)
    ? 'no record has a value in it'
    : 'every value is kept'

function retypedInPlace(table: Table, one: Retyped, { version, alias, known }: Retyping): Step {
  const { name, type, cell } = one.column
  const using = conversion(one.old.type, type)?.using.replaceAll('{column}', quoted(name)) ?? `null::${type}`
  const statement = alter(table.name, `alter column ${quoted(name)} type ${type} using ${using}`)
  const statements = alias === null ? [statement] : anew(alias, viewOf(alias, table.name, version, known), [statement])
  return step(phases.retype, 'moment', cell, `Change ${typeChange(one)} in ${table.name}`, statements, {
    rows: kept([one]),
  })
}

/** A view comes anew around a change of what it shows. */
const anew = (view: string, made: readonly string[], statements: readonly string[]): readonly string[] => [
  `drop view if exists ${tableName(view)}`,
  ...statements,
  ...made,
]

/** The new column, filled and as full as it has to be. */
function begun(table: Table, { column, old, again, to }: Beside, version: string): readonly Step[] {
  const { name, type, cell } = column
  const ways = { ...bothWays(column, old, to), backward: null }
  const what = `Make a column of the type ${type} beside ${name} of ${table.name}`
  const make = step(phases.retype, 'moment', cell, what, [
    alter(table.name, `add column if not exists ${quoted(to)} ${type}`),
    ...pairUp(table.name, { from: name, to, since: version }, ways, name),
  ])
  const fill = { ...filled(table, to, ways.forward, cell, `what ${name} holds`), phase: phases.retype + 1 }
  const isRequired = column.notNull && old.notNull
  return [
    ...(again === undefined ? [make, fill] : []),
    ...(isRequired ? [{ ...required(table, to, cell), phase: phases.retype + 2 }] : []),
  ]
}

/** All that was made takes its names. What stays for the version that runs is written as the new is, and shown to it as it knows it. */
function exchanged(
  { table, actual }: Future,
  beside: readonly Beside[],
  found: readonly Found[],
  { version, running, alias, known }: Retyping,
): Step {
  const rename = (from: string, to: string) => alter(table.name, `rename column ${quoted(from)} to ${quoted(to)}`)
  const stay = beside.filter(({ isKept }) => isKept)
  const ofBefore = new Map(stay.map(({ column: { name } }) => [name, ofTypeBefore(name)]))
  const seen = new Map([...known].map(([name, as]) => [ofBefore.get(name) ?? name, as]))
  const statements = [
    ...beside.map(({ column: { name }, to, again }) => unpair(table.name, again ?? { from: name, to, since: version })),
    ...leftBehind(table, actual, beside, ofBefore),
    ...beside.flatMap(({ column, to, isKept }) => exchange(table, column, to, isKept, rename)),
    ...found.flatMap(({ adopt }) => adopt),
    ...stay.flatMap(({ column, old }) => {
      const before = ofTypeBefore(column.name)
      const ways = bothWays(column, { name: before, type: old.type })
      return pairUp(table.name, { from: before, to: column.name, since: version }, ways, column.name)
    }),
  ]
  const said = stay.flatMap(({ column, old }) => refusals(table, column, old.type) ?? [])
  const stays = stay.length === 0 ? '' : '; what was there stays for the version that runs'
  return step(
    phases.retype + 3,
    'moment',
    beside[0]!.column.cell,
    `Change ${beside.map(typeChange).join(', ')} in ${table.name}${stays}`,
    alias !== null
      ? anew(alias, viewOf(alias, table.name, version, seen), statements)
      : [
          ...statements,
          ...(stay.length === 0 ? [] : asItWas(table.name, { running: running!, version, columns: seen })),
        ],
    { rows: kept(beside), ends: said.length === 0 ? null : said.join(', ') },
  )
}

function exchange(
  { name: table }: Table,
  { name, default: given }: Column,
  to: string,
  isKept: boolean,
  rename: (from: string, to: string) => string,
): readonly string[] {
  const [before, making] = [quoted(ofTypeBefore(name)), inTheMaking(name)]
  return [
    ...(to === making ? [] : [rename(to, making)]),
    ...(isKept
      ? [rename(name, ofTypeBefore(name)), alter(table, `alter ${before} drop not null, alter ${before} drop default`)]
      : [alter(table, `drop column ${quoted(name)}`)]),
    rename(making, name),
    ...(given === null ? [] : [alter(table, `alter column ${quoted(name)} set default ${given}`)]),
  ]
}

/** An index or a unique constraint that stays as it is, over the new columns: under a name for the time being, and how it gets its own. */
interface Found {
  readonly name: string
  readonly making: string
  readonly create: string
  readonly adopt: readonly string[]
  readonly cell: Column['cell']
}

function foundBy(table: Table, { constraints, indexes }: ActualTable, beside: readonly Beside[]): readonly Found[] {
  const to = new Map(beside.map(({ column, to }) => [column.name, to]))
  const isKept = (there: ReadonlyMap<string, ActualObject>, one: { readonly name: string }, definition: string) =>
    speaksOfSome(definition, to.keys()) && there.get(one.name)?.definition === definition
  const uniques = table.constraints.flatMap((one): Found[] => {
    if (one.kind !== 'unique' || !isKept(constraints, one, constraintDefinition(one))) return []
    const columns = columnList(one.columns.map(column => to.get(column) ?? column))
    const making = shortName(one.name, 'new')
    return [
      {
        name: one.name,
        making,
        create: `create unique index concurrently ${quoted(making)} on ${tableName(table.name)} (${columns})`,
        adopt: [
          `alter index ${tableName(making)} rename to ${quoted(one.name)}`,
          adoptIndex(table.name, one),
          commentOnConstraint(table.name, one),
        ],
        cell: one.holds.cell,
      },
    ]
  })
  const others = table.indexes.flatMap((one): Found[] => {
    if (!isKept(indexes, one, indexDefinition(one))) return []
    const making = shortName(one.name, 'new')
    const columns = one.columns.map(column => ({ ...column, name: to.get(column.name) ?? column.name }))
    const where = one.where === null ? null : renamedDefinition(one.where, to, new Map())
    const create = createIndex(table.name, { ...one, name: making, columns, where }, true)
    const adopt = [`alter index ${tableName(making)} rename to ${quoted(one.name)}`, commentOnIndex(one)]
    return [{ name: one.name, making, create, adopt, cell: one.cell }]
  })
  return [...uniques, ...others]
}

const speaksOfSome = (definition: string, columns: Iterable<string>): boolean =>
  [...columns].some(column => speaksOf(definition, column))

/**
 * What the old columns leave: the version that runs goes on looking records up by its indexes, under other names, and what no two may
 * have alike is held by the new columns alone. `ofBefore`: the names of the old columns that stay.
 */
function leftBehind(
  table: Table,
  { constraints, indexes }: ActualTable,
  beside: readonly Beside[],
  ofBefore: ReadonlyMap<string, string>,
): readonly string[] {
  const names = beside.map(({ column }) => column.name)
  const speaks = ({ definition }: ActualObject) => definition !== null && speaksOfSome(definition, names)
  const uniques = [...constraints.values()].filter(one => one.kind === 'u' && speaks(one))
  return [
    ...uniques.map(({ name }) => dropConstraint(table.name, name)),
    ...[...indexes.values()].filter(speaks).flatMap(({ name, definition, unique }) => {
      const isKept = names.every(column => ofBefore.has(column) || !speaksOf(definition!, column))
      if (unique || !isKept) return [`drop index ${tableName(name)}`]
      const before = shortName(name, 'was')
      return [
        `drop index if exists ${tableName(before)}`,
        `alter index ${tableName(name)} rename to ${quoted(before)}`,
        `comment on index ${tableName(before)} is ${commentOf(renamedDefinition(definition!, ofBefore, new Map()))}`,
      ]
    }),
  ]
}
