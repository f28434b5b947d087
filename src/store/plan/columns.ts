/** Columns that come or become required: the steps for each. */
import { quoted, tableName } from '../names.ts'
import type { Column, Table } from '../physical.ts'
import { pairUp, retoldFromNowOn } from './before.ts'
import { bothWays, refusals, refusedBy } from './both-ways.ts'
import { commentOf, defaultMark } from './definition.ts'
import type { ActualColumn } from './introspect.ts'
import { inPortions } from './portions.ts'
import type { Future } from './probes.ts'
import { alter, columnText } from './statements.ts'
import { phases, type Step, step } from './step.ts'

/** Whether records that lack the value get one that is the same for all, which the database can give by itself. */
const isConstant = ({ default: given, notNull, fill }: Column): boolean =>
  given === null && notNull && fill?.sql.includes('"') === false

/** A column that the table has not yet. `version`: of the document. */
export function added({ table, actual: { hasRows }, now }: Future, column: Column, version: string): Step[] {
  const what = `Add the column ${column.name} to ${table.name}`
  const name = quoted(column.name)
  const constant = isConstant(column)
  // The default fills the rows without touching them. It stays until the next document, for records that a version before this one makes.
  const given = constant ? ` default ${column.fill!.sql}` : ''
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
    const rows = `records that get ${column.fill!.shown}: {count}`
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

/** The same for one that is there, and empty where it likes: a version that does not know it goes on making records. */
export function givenMeanwhile(table: Table, column: Column, old: ActualColumn, version: string): readonly Step[] {
  if (!isConstant(column) || old.default !== null) return []
  const what = `Let the database give ${column.fill!.shown} to ${column.name} of ${table.name} until the next document`
  return [
    step(phases.addColumn, 'moment', column.cell, what, [
      alter(table.name, `alter column ${quoted(column.name)} set default ${column.fill!.sql}`),
      commentOnDefault(table.name, column.name, version),
    ]),
  ]
}

/** Marks the database's own default as that of a document: it goes with the next one. */
export const commentOnDefault = (table: string, column: string, version: string): string =>
  `comment on column ${tableName(table)}.${quoted(column)} is ${commentOf(defaultMark + version)}`

/** A column that comes beside the one of another name that it was, which stays for the version that runs. */
export function succeeding(future: Future, column: Column, old: ActualColumn, version: string): Step[] {
  const { table } = future
  const { name, cell } = column
  const pair = { from: old.name, to: name, since: version }
  const ways = bothWays(column, old)
  const isThere = future.actual.columns.has(name)
  const what = `Add the column ${name} to ${table.name}, beside ${old.name}: each is written as the other is, until the next document`
  const statements = [
    alter(table.name, `add column ${quoted(name)} ${column.type}`),
    // What the new version leaves empty, or has no way back, is empty in the old column.
    ...(old.notNull && !(column.notNull && refusedBy(column.type, old.type) === null)
      ? [alter(table.name, `alter column ${quoted(old.name)} drop not null`)]
      : []),
    ...pairUp(table.name, pair, ways, old.name),
    ...retoldFromNowOn(table.name, pair),
  ]
  return [
    ...(isThere
      ? []
      : [step(phases.addColumn, 'moment', cell, what, statements, { ends: refusals(table, column, old.type) })]),
    filled(table, name, ways.forward, cell, `what ${old.name} holds`),
    ...(column.notNull ? made(table, { ...column, fill: null }, true, old.notNull) : []),
  ]
}

export const filled = (table: Table, name: string, value: string, cell: Column['cell'], shown: string): Step =>
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
export function required(table: Table, column: string, cell: Column['cell']): Step {
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
