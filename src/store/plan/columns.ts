/** Columns that come, change their type or become required: the steps for each. */
import { columnList, quoted, shortName, tableName } from '../names.ts'
import type { Column, Table } from '../physical.ts'
import { inTheMaking, pairUp, retoldFromNowOn, unpair } from './before.ts'
import {
  commentOf,
  constraintDefinition,
  defaultMark,
  indexDefinition,
  renamedDefinition,
  speaksOf,
} from './definition.ts'
import type { ActualColumn, ActualObject, ActualTable } from './introspect.ts'
import { inPortions } from './portions.ts'
import type { Future } from './probes.ts'
import {
  adoptIndex,
  alter,
  columnText,
  commentOnConstraint,
  commentOnIndex,
  createIndex,
  dropIndex,
} from './statements.ts'
import { phases, type Step, step } from './step.ts'
import { conversion, type Written, written } from './types.ts'

/** A column that the table has not yet. `version`: of the document. */
export function added({ table, actual: { hasRows }, now }: Future, column: Column, version: string): Step[] {
  const what = `Add the column ${column.name} to ${table.name}`
  const name = quoted(column.name)
  const constant = column.default === null && column.notNull && column.fill?.sql.includes('"') === false
  // The default fills the rows without touching them. It stays until the next document, for records that a version before this one makes.
  const given = constant ? ` default ${column.fill.sql}` : ''
  const plain = alter(table.name, `add column ${columnText(column)}${given}`)
  const ends =
    column.notNull && column.default === null
      ? `cannot make records of ${table.name}: it does not know ${column.name}, which is required`
      : null
  if (!hasRows) {
    const marked = constant ? [commentOnDefault(table.name, column.name, version)] : []
    return [step(phases.addColumn, 'moment', column.cell, what, [plain, ...marked], { ends: constant ? null : ends })]
  }
  const all = { count: `select count(*) as count from ${tableName(now.table)}` }
  if (constant) {
    const rows = `records that get ${column.fill.shown}: {count}`
    const marked = commentOnDefault(table.name, column.name, version)
    return [step(phases.addColumn, 'moment', column.cell, what, [plain, marked], { rows, ...all })]
  }
  if (column.default !== null || !column.notNull || column.fill === null)
    return [
      step(phases.addColumn, 'moment', column.cell, what, [plain], {
        rows: column.default === null ? 'existing records have no value in it' : 'existing records get its default',
        ends,
      }),
    ]
  return [
    step(phases.addColumn, 'moment', column.cell, what, [alter(table.name, `add column ${name} ${column.type}`)], {
      ends,
    }),
    ...made(table, column, true),
  ]
}

/** Marks the database's own default as that of a document: it goes with the next one. */
const commentOnDefault = (table: string, column: string, version: string): string =>
  `comment on column ${tableName(table)}.${quoted(column)} is ${commentOf(defaultMark + version)}`

/** A column that comes beside the one of another name that it was, which stays for the version that runs. */
export function succeeding(future: Future, column: Column, old: ActualColumn, version: string): Step[] {
  const { table } = future
  const { name, cell } = column
  const pair = { from: old.name, to: name, since: version }
  const { forward, backward } = bothWays(column, old)
  const isThere = future.actual.columns.has(name)
  const what = `Add the column ${name} to ${table.name}, beside ${old.name}: each is written as the other is, until the next document`
  const statements = [
    alter(table.name, `add column ${quoted(name)} ${column.type}`),
    ...pairUp(table.name, pair, forward, backward),
    ...retoldFromNowOn(table.name, pair),
  ]
  return [
    ...(isThere ? [] : [step(phases.addColumn, 'moment', cell, what, statements)]),
    filled(table, name, forward, cell, `what ${old.name} holds`),
    ...(column.notNull ? made(table, { ...column, fill: null }, true, old.notNull) : []),
  ]
}

/** Values of the old column in the new one, and the other way round; what has no way back is empty there. */
function bothWays(column: Column, old: ActualColumn) {
  const from = quoted(old.name)
  const to = quoted(column.name)
  const value = old.type === column.type ? from : converted(from, old.type, column.type)
  return {
    forward: column.notNull && column.fill !== null ? `coalesce(${value}, ${column.fill.sql})` : value,
    backward: old.type === column.type ? to : converted(to, column.type, old.type),
  }
}

function converted(value: string, from: string, to: string): string {
  const change = conversion(from, to)
  if (change === null) return `null::${to}`
  const using = change.using.replaceAll('{column}', value)
  return change.impossible === null
    ? using
    : `case when ${change.impossible.replaceAll('{column}', value)} then null else ${using} end`
}

const filled = (table: Table, name: string, value: string, cell: Column['cell'], shown: string): Step =>
  step(
    phases.fill,
    'rows',
    cell,
    `Fill ${name} of ${table.name} where it is empty`,
    [
      inPortions(
        tableName(table.name),
        `${quoted(name)} = ${value}`,
        `${quoted(name)} is null and (${value}) is not null`,
      ),
    ],
    { mode: 'outside', rows: `records without a value get ${shown}`, through: tableName(table.name) },
  )

/** A column that becomes required: filled where there is something to fill it with, then `not null` through a validated check. */
export function made(table: Table, column: Column, hasRows: boolean, wasRequired = false): Step[] {
  const what = `Make ${column.name} of ${table.name} required`
  const ends = wasRequired ? null : `is refused records of ${table.name} without ${column.name}`
  if (!hasRows)
    return [
      step(
        phases.require,
        'moment',
        column.cell,
        what,
        [alter(table.name, `alter column ${quoted(column.name)} set not null`)],
        { ends },
      ),
    ]
  const { name, fill, cell } = column
  return [
    ...(fill === null ? [] : [filled(table, name, fill.sql, cell, fill.shown)]),
    { ...required(table, name, cell), what, ends },
  ]
}

/** `not null` through a check that is validated beside the application. */
function required(table: Table, column: string, cell: Column['cell']): Step {
  const name = quoted(column)
  const check = quoted(`${column.slice(0, 40)}_not_null_check`)
  return step(
    phases.require,
    'scan',
    cell,
    `Require the values of ${column} of ${table.name}`,
    [
      alter(table.name, `drop constraint if exists ${check}`),
      // The comment marks it as ours, so that one left over by an interrupted run is taken away.
      `${alter(table.name, `add constraint ${check} check (${name} is not null) not valid`)}; comment on constraint ${check} on ${tableName(table.name)} is ${commentOf('check')}`,
      alter(table.name, `validate constraint ${check}`),
      alter(table.name, `alter column ${name} set not null`),
      alter(table.name, `drop constraint ${check}`),
    ],
    { mode: 'one by one', rows: 'records are read, none is changed', through: tableName(table.name) },
  )
}

/** What a version before cannot do any more where a column has another type, by what becomes of that which it writes there. */
const without: Readonly<Record<Written, (table: string, name: string, type: string) => string | null>> = {
  kept: () => null,
  'too large': (table, name, type) => `is refused what is too large for ${name} of ${table} as ${type}`,
  rounded: (table, name, type) => `writes ${name} of ${table} rounded to ${type}, and nobody is told`,
  text: (table, name) =>
    `cannot compare ${name} of ${table}, nor filter by it: whoever does is asked to come again (503)`,
  refused: (table, name) =>
    `can neither create records of ${table}, nor change ${name} of one, nor compare it: whoever does is asked to come again (503)`,
}

/**
 * A column of another type. Where its records would have to be written anew, that is done beside the running application: in a column of
 * its own, which a trigger keeps up with the old one, and which takes its place and its name in the end, with its indexes.
 */
export function retype(
  future: Future,
  column: Column,
  old: ActualColumn,
  version: string,
  alias: string | null,
): Step[] {
  const { table, actual } = future
  const { name, type, cell } = column
  const change = conversion(old.type, type)
  const what = `Change ${name} of ${table.name} from ${old.type} to ${type}`
  const rows = change === null ? 'no record has a value in it' : 'every value is kept'
  const ends = change?.rewrites === false ? null : without[written(old.type, type)](table.name, name, type)
  if (!actual.hasRows || change?.rewrites === false) {
    const using = change?.using.replaceAll('{column}', quoted(name)) ?? `null::${type}`
    return [
      step(
        phases.retype,
        'moment',
        cell,
        what,
        [alter(table.name, `alter column ${quoted(name)} type ${type} using ${using}`)],
        {
          rows,
          ends,
        },
      ),
    ]
  }
  const to = inTheMaking(name)
  const pair = { from: name, to, since: version }
  const forward = converted(quoted(name), old.type, type)
  const whole = tableName(table.name)
  const isRequired = column.notNull && old.notNull
  const found = foundBy(table, actual, name)
  return [
    step(phases.retype, 'moment', cell, `Make a column of the type ${type} beside ${name} of ${table.name}`, [
      alter(table.name, `add column if not exists ${quoted(to)} ${type}`),
      ...pairUp(table.name, pair, forward, null),
    ]),
    { ...filled(table, to, forward, cell, `what ${name} holds`), phase: phases.retype + 1 },
    ...(isRequired ? [{ ...required(table, to, cell), phase: phases.retype + 2 }] : []),
    ...found.map(one =>
      step(
        phases.retype + 2,
        'build',
        cell,
        `Build ${one.name} of ${table.name} anew, over the values of the type ${type}`,
        [dropIndex(one.making), one.create],
        { mode: 'outside', rows: 'records are read, none is changed', through: whole },
      ),
    ),
    step(
      phases.retype + 3,
      'moment',
      cell,
      what,
      [
        ...(alias === null ? [] : [`drop view if exists ${tableName(alias)}`]),
        unpair(table.name, pair),
        alter(table.name, `drop column ${quoted(name)}`),
        alter(table.name, `rename column ${quoted(to)} to ${quoted(name)}`),
        ...(column.default === null
          ? []
          : [alter(table.name, `alter column ${quoted(name)} set default ${column.default}`)]),
        ...found.flatMap(one => one.adopt),
      ],
      { rows, ends },
    ),
  ]
}

/** Indexes and unique constraints over the column that stay as they are: under a name for the time being, and how they get their own. */
function foundBy(table: Table, { constraints, indexes }: ActualTable, name: string) {
  const to = new Map([[name, inTheMaking(name)]])
  const isKept = (there: ReadonlyMap<string, ActualObject>, one: { readonly name: string }, definition: string) =>
    speaksOf(definition, name) && there.get(one.name)?.definition === definition
  const uniques = table.constraints.flatMap(one => {
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
      },
    ]
  })
  const others = table.indexes.flatMap(one => {
    if (!isKept(indexes, one, indexDefinition(one))) return []
    const making = shortName(one.name, 'new')
    const columns = one.columns.map(column => ({ ...column, name: to.get(column.name) ?? column.name }))
    const where = one.where === null ? null : renamedDefinition(one.where, to, new Map())
    const create = createIndex(table.name, { ...one, name: making, columns, where }, true)
    const adopt = [`alter index ${tableName(making)} rename to ${quoted(one.name)}`, commentOnIndex(one)]
    return [{ name: one.name, making, create, adopt }]
  })
  return [...uniques, ...others]
}

export function defaultStep(table: Table, column: Column): Step {
  const name = `${column.name} of ${table.name}`
  const [what, change] =
    column.default === null
      ? [`Leave the default of ${name} to the application`, 'drop default']
      : [`Change the default of ${name}`, `set default ${column.default}`]
  return step(phases.addColumn, 'moment', column.cell, what, [
    alter(table.name, `alter column ${quoted(column.name)} ${change}`),
    `comment on column ${tableName(table.name)}.${quoted(column.name)} is null`,
  ])
}
