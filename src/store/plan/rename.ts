/** Renames by `was`: found first, done first, and taken as done for everything that is compared afterwards. */
import { literal, quoted, tableName } from '../names.ts'
import type { Physical, Table } from '../physical.ts'
import { commentOf, renamedDefinition } from './definition.ts'
import type { Actual, ActualObject, ActualTable } from './introspect.ts'
import { phases, type Step } from './step.ts'

interface Renaming {
  readonly steps: readonly Step[]
  /** The database as it will be after the renames. */
  readonly actual: Actual
  /** By the new name of the table: its name now, and its columns' names now by their new ones. */
  readonly now: ReadonlyMap<string, { readonly table: string; readonly columns: ReadonlyMap<string, string> }>
  /** `was` that cannot be followed because both names exist. */
  readonly both: readonly {
    readonly table: Table
    readonly old: string
    readonly new: string
    readonly column: boolean
  }[]
}

/** The renames of tables and columns; `both` are those whose old and new name are both there. */
export function renames(desired: Physical, actual: Actual): Renaming {
  const steps: Step[] = []
  const both: Renaming['both'][number][] = []
  const newTable = new Map<string, string>()
  for (const table of desired.tables.values()) {
    if (table.was === null || desired.tables.has(table.was) || !actual.tables.get(table.was)?.ours) continue
    if (actual.tables.has(table.name)) both.push({ table, old: table.was, new: table.name, column: false })
    else {
      newTable.set(table.was, table.name)
      steps.push(tableStep(table, table.was))
    }
  }
  const tables = new Map<string, ActualTable>()
  const now = new Map<string, { table: string; columns: Map<string, string> }>()
  for (const before of actual.tables.values()) {
    const name = newTable.get(before.name) ?? before.name
    const table = desired.tables.get(name)
    const newColumn = new Map<string, string>()
    if (table !== undefined && before.ours) {
      const wanted = new Set(table.columns.map(column => column.name))
      for (const column of table.columns) {
        if (column.was === null || wanted.has(column.was) || !before.columns.has(column.was)) continue
        if (before.columns.has(column.name)) both.push({ table, old: column.was, new: column.name, column: true })
        else {
          newColumn.set(column.was, column.name)
          steps.push(columnStep(table, column.was, column.name, column.cell))
        }
      }
    }
    tables.set(name, renamedTable(before, name, newColumn, newTable))
    now.set(name, { table: before.name, columns: new Map([...newColumn].map(([old, fresh]) => [fresh, old])) })
  }
  return { steps, both, now, actual: { ...actual, tables } }
}

function renamedTable(
  table: ActualTable,
  name: string,
  columns: ReadonlyMap<string, string>,
  tables: ReadonlyMap<string, string>,
): ActualTable {
  const redefined = <Object extends ActualObject>(object: Object): Object =>
    object.definition === null
      ? object
      : { ...object, definition: renamedDefinition(object.definition, columns, tables) }
  return {
    ...table,
    name,
    columns: new Map(
      [...table.columns.values()].map(column => {
        const to = columns.get(column.name) ?? column.name
        return [to, { ...column, name: to }]
      }),
    ),
    constraints: new Map([...table.constraints].map(([key, constraint]) => [key, redefined(constraint)])),
    indexes: new Map([...table.indexes].map(([key, index]) => [key, redefined(index)])),
  }
}

/** What is waiting, and what happened, speaks of the entity by its key: it is told the new one. */
const tablesWithEntity = ['history', 'outbox', 'timer', 'counter']
/** As those, where an older database has them already. */
const newerTablesWithEntity = ['comment', 'follower', 'notice', 'decision', 'job', 'read_log', 'erased', 'case_link']

function tableStep(table: Table, was: string): Step {
  return {
    phase: phases.rename,
    what: `Rename the table ${was} to ${table.name}`,
    statements: [
      `alter table ${tableName(was)} rename to ${quoted(table.name)}`,
      `comment on table ${tableName(table.name)} is ${commentOf(table.title)}`,
      ...tablesWithEntity.map(
        name => `update ninefold.${name} set entity = ${literal(table.name)} where entity = ${literal(was)}`,
      ),
      ...newerTablesWithEntity.map(
        name => `do $$ begin if to_regclass('ninefold.${name}') is not null then
        update ninefold.${name} set entity = ${literal(table.name)} where entity = ${literal(was)}; end if; end $$`,
      ),
    ],
    mode: 'together',
    lock: 'moment',
    rows: 'all records are kept; processes of the version before do not find them any more',
    count: null,
    because: table.cell,
    drops: false,
  }
}

function columnStep(table: Table, was: string, name: string, cell: Step['because']): Step {
  const inHistory = `entity = ${literal(table.name)} and changes ? ${literal(was)}`
  return {
    phase: phases.rename + 1,
    what: `Rename the column ${was} of ${table.name} to ${name}`,
    statements: [
      `alter table ${tableName(table.name)} rename column ${quoted(was)} to ${quoted(name)}`,
      `update ninefold.history set changes = (changes - ${literal(was)}) || jsonb_build_object(${literal(name)}, changes -> ${literal(was)}) where ${inHistory}`,
      `update ninefold.counter set field = ${literal(name)} where entity = ${literal(table.name)} and field = ${literal(was)}`,
    ],
    mode: 'together',
    lock: 'moment',
    rows: 'all values are kept; processes of the version before do not find them any more',
    count: null,
    because: cell,
    drops: false,
  }
}
