/** Columns that come, change their type or become required: the steps for each. */
import { quoted, tableName } from '../names.ts'
import type { Column, Table } from '../physical.ts'
import { commentOf } from './definition.ts'
import type { ActualColumn } from './introspect.ts'
import type { Future } from './probes.ts'
import { alter, columnText } from './statements.ts'
import { phases, type Step, step } from './step.ts'
import { conversion } from './types.ts'

/** A column that the table has not yet. */
export function added({ table, actual: { hasRows }, now }: Future, column: Column): Step[] {
  const what = `Add the column ${column.name} to ${table.name}`
  const name = quoted(column.name)
  const constant = column.default === null && column.notNull && column.fill?.sql.includes('"') === false
  // The default fills the rows without touching them. It stays until the next change, for records that a version before this one makes.
  const given = constant ? ` default ${column.fill.sql}` : ''
  const plain = alter(table.name, `add column ${columnText(column)}${given}`)
  if (!hasRows) return [step(phases.addColumn, 'moment', column.cell, what, [plain])]
  const all = { count: `select count(*) as count from ${tableName(now.table)}` }
  if (constant) {
    const rows = `records that get ${column.fill.shown}: {count}`
    return [step(phases.addColumn, 'moment', column.cell, what, [plain], { rows, ...all })]
  }
  if (column.default !== null || !column.notNull || column.fill === null)
    return [
      step(phases.addColumn, 'moment', column.cell, what, [plain], {
        rows: column.default === null ? 'existing records have no value in it' : 'existing records get its default',
      }),
    ]
  return [
    step(phases.addColumn, 'moment', column.cell, what, [alter(table.name, `add column ${name} ${column.type}`)]),
    ...made(table, column, true),
  ]
}

/** A column that becomes required: filled where there is something to fill it with, then `not null` through a validated check. */
export function made(table: Table, column: Column, hasRows: boolean): Step[] {
  const name = quoted(column.name)
  const what = `Make ${column.name} of ${table.name} required`
  const setNotNull = alter(table.name, `alter column ${name} set not null`)
  if (!hasRows) return [step(phases.require, 'moment', column.cell, what, [setNotNull])]
  const steps: Step[] = []
  if (column.fill !== null)
    steps.push(
      step(
        phases.fill,
        'rows',
        column.cell,
        `Fill ${column.name} of ${table.name} where it is empty`,
        [
          `update ${tableName(table.name)} set ${name} = ${column.fill.sql} where id in (select id from ${tableName(table.name)} where ${name} is null limit 5000)`,
        ],
        {
          mode: 'repeated',
          rows: `records without a value get ${column.fill.shown}`,
        },
      ),
    )
  const check = quoted(`${column.name.slice(0, 40)}_not_null_check`)
  steps.push(
    step(
      phases.require,
      'scan',
      column.cell,
      what,
      [
        alter(table.name, `drop constraint if exists ${check}`),
        // The comment marks it as ours, so that one left over by an interrupted run is taken away.
        `${alter(table.name, `add constraint ${check} check (${name} is not null) not valid`)}; comment on constraint ${check} on ${tableName(table.name)} is ${commentOf('check')}`,
        alter(table.name, `validate constraint ${check}`),
        setNotNull,
        alter(table.name, `drop constraint ${check}`),
      ],
      { mode: 'one by one', rows: 'records are read, none is changed' },
    ),
  )
  return steps
}

export function retype(table: Table, column: Column, old: ActualColumn): Step {
  const name = quoted(column.name)
  const change = conversion(old.type, column.type)
  const using = change?.using.replaceAll('{column}', name) ?? `null::${column.type}`
  return step(
    phases.retype,
    change?.rewrites === false ? 'moment' : 'rewrite',
    column.cell,
    `Change ${column.name} of ${table.name} from ${old.type} to ${column.type}`,
    [alter(table.name, `alter column ${name} type ${column.type} using ${using}`)],
    { rows: change === null ? 'no record has a value in it' : 'every value is kept' },
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
  ])
}
