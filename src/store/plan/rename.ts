/** Renames by `was`: found first, done first, and taken as done for everything that is compared afterwards. */
import { literal, quoted, tableName } from '../names.ts'
import type { Physical, Table } from '../physical.ts'
import { type Before, retold, standIn, standInNoMore, without } from './before.ts'
import { commentOf, constraintDefinition, renamedDefinition, speaksOf } from './definition.ts'
import type { Actual, ActualObject, ActualTable } from './introspect.ts'
import { inPortions, untilNone } from './portions.ts'
import type { Future } from './probes.ts'
import { phases, type Step, step } from './step.ts'
import { lasting } from './version-views.ts'

interface Renaming {
  readonly steps: readonly Step[]
  /** The database as it will be after the renames, without the columns that a version before goes on using. */
  readonly actual: Actual
  /** By the new name of the table: its name now, its columns' names now by their new ones, and the table as if all were renamed. */
  readonly now: ReadonlyMap<string, Future['now']>
  /** `was` that cannot be followed because both names exist. */
  readonly both: readonly {
    readonly table: Table
    readonly old: string
    readonly new: string
    readonly column: boolean
  }[]
}

interface Wish {
  /** Of the document. */
  readonly version: string
  /** What may be lost. */
  readonly drop: readonly string[]
}

/** The renames of tables and columns; `both` are those whose old and new name are both there. */
export function renames(desired: Physical, { actual, shown, begun }: Before, wish: Wish): Renaming {
  const { version } = wish
  const steps: Step[] = []
  const both: Renaming['both'][number][] = []
  const newTable = new Map<string, string>()
  for (const table of desired.tables.values()) {
    const was = nameBefore(table, desired, actual)
    if (was === null) continue
    if (actual.tables.has(table.name)) both.push({ table, old: was, new: table.name, column: false })
    else {
      newTable.set(was, table.name)
      steps.push(tableStep(table, shown.get(was)!, actual, wish), toldLater(table, was, actual))
    }
  }
  const tables = new Map<string, ActualTable>()
  const now = new Map<string, Future['now']>()
  for (const there of actual.tables.values()) {
    const name = newTable.get(there.name) ?? there.name
    const table = desired.tables.get(name)
    const columns =
      table !== undefined && there.ours ? renamedColumns(table, there) : { fresh: new Map<string, string>(), both: [] }
    const newColumn = columns.fresh
    const beside = new Map(begun.get(name))
    both.push(...columns.both)
    if (table !== undefined && there.ours) steps.push(...toldWhereInterrupted(table, there, actual, version))
    for (const [old, fresh] of newColumn) {
      const { cell } = table!.columns.find(column => column.name === fresh)!
      if (there.hasRows && !isCompared(table!, fresh)) beside.set(fresh, there.columns.get(old)!)
      else steps.push(columnStep(table!, old, fresh, cell))
      steps.push(retold(name, old, fresh, cell, table!.was ?? there.name))
    }
    const inPlace = new Map([...newColumn].filter(([, fresh]) => !beside.has(fresh)))
    const after = renamedTable(there, name, inPlace, newTable)
    tables.set(
      name,
      [...beside.values()].reduce((one, { name: old }) => without(one, old), after),
    )
    const renamed = renamedTable(there, name, newColumn, newTable)
    now.set(name, {
      table: there.name,
      columns: new Map([
        ...[...beside].map(([fresh, old]) => [fresh, old.name] as const),
        ...[...newColumn].map(([old, fresh]) => [fresh, old] as const),
      ]),
      renamed: { ...renamed, columns: new Map([...renamed.columns, ...beside]) },
      beside,
    })
  }
  return { steps, both, now, actual: { ...actual, tables } }
}

/** `fresh`: the new names of columns by their old ones. */
function renamedColumns(table: Table, { columns: there }: ActualTable) {
  const fresh = new Map<string, string>()
  const both: Renaming['both'][number][] = []
  const wanted = new Set(table.columns.map(({ name }) => name))
  for (const { name, was } of table.columns) {
    if (was === null || wanted.has(was) || !there.has(was)) continue
    if (there.has(name)) both.push({ table, old: was, new: name, column: true })
    else fresh.set(was, name)
  }
  return { fresh, both }
}

/** As the document says, or as it was before it became what a version after this one calls it. */
function nameBefore(table: Table, desired: Physical, actual: Actual): string | null {
  const names = [table.was, actual.aliases.get(table.name)?.table ?? null]
  return names.find(was => was !== null && !desired.tables.has(was) && actual.tables.get(was)?.ours === true) ?? null
}

/** What no two records may have at once could not be compared beside the application: the column takes its rule along. */
const isCompared = (table: Table, column: string): boolean =>
  table.constraints.some(one => one.kind === 'exclude' && speaksOf(constraintDefinition(one), column))

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

/** `there`: as the version that runs finds it. */
function tableStep(table: Table, there: ActualTable, actual: Actual, { version, drop }: Wish): Step {
  const { name } = table
  const { name: was, hasRows: stays } = there
  const isBack = actual.aliases.get(name)?.table === was
  return step(
    phases.rename,
    'moment',
    table.cell,
    `Rename the table ${was} to ${name}${stays ? `; a view keeps the name ${was} for the version that runs` : ''}`,
    [
      ...(isBack ? standInNoMore(name, was, actual) : []),
      `alter table ${tableName(was)} rename to ${quoted(name)}`,
      `comment on table ${tableName(name)} is ${commentOf(table.title)}`,
      `update ninefold.counter set entity = ${literal(name)} where entity = ${literal(was)}`,
      ...(stays ? standIn(was, name, version, actual, lasting(there, table, drop)) : []),
    ],
    {
      rows: 'all records are kept',
      ends: stays ? `shows no history of ${was}` : `does not find ${was} any more: its pages about it fail`,
    },
  )
}

function columnStep(table: Table, was: string, name: string, cell: Step['because']): Step {
  const [old, fresh] = [literal(was), literal(name)]
  return step(
    phases.rename + 1,
    'moment',
    cell,
    `Rename the column ${was} of ${table.name} to ${name}`,
    [
      `alter table ${tableName(table.name)} rename column ${quoted(was)} to ${quoted(name)}`,
      `update ninefold.counter set field = ${fresh} where entity = ${literal(table.name)} and field = ${old}`,
    ],
    {
      rows: 'all values are kept',
      ends: `does not find ${was} of ${table.name} any more: it can neither read nor write ${table.name}`,
    },
  )
}

/** What an interrupted run had renamed, and not yet told. */
function toldWhereInterrupted(table: Table, there: ActualTable, actual: Actual, version: string): readonly Step[] {
  if (actual.version === version) return []
  const before = [...actual.aliases].filter(([, one]) => one.table === table.name && one.since === version)
  const names = new Set([...before.map(([name]) => name), ...(table.was === null ? [] : [table.was])])
  const fields = table.columns.filter(({ name, was }) => was !== null && there.columns.has(name))
  return [
    ...[...names].filter(was => !actual.tables.has(was)).map(was => toldLater(table, was, actual)),
    ...fields
      .filter(({ was }) => !there.columns.has(was!))
      .map(({ name, was, cell }) => retold(table.name, was!, name, cell, table.was ?? undefined)),
  ]
}

/** What happened and what is waiting speaks of entities by their names, and is told the new ones in portions. */
function toldLater(table: Table, was: string, { systemTables }: Actual): Step {
  const [now, old] = [literal(table.name), literal(was)]
  const each = [...systemTables].map(([system, key]) => {
    const its = `ninefold.${quoted(system)}`
    const others = key.filter(column => column !== 'entity').map(quoted)
    const same = [`it.entity = ${now}`, ...others.map(column => `it.${column} = ${its}.${column}`)].join(' and ')
    return {
      found: `exists (select from ${its} where entity = ${old})`,
      statements: [
        // Both versions wrote it: what the new one knows counts.
        ...(key.includes('entity')
          ? [`delete from ${its} where entity = ${old} and exists (select from ${its} as it where ${same})`]
          : []),
        key.join() === 'id'
          ? inPortions(its, `entity = ${now}`, `entity = ${old}`)
          : untilNone(its, `entity = ${now}`, `entity = ${old}`),
      ],
    }
  })
  const what = `Let history, timers and all else that speaks of ${was} speak of ${table.name}`
  const statements = each.flatMap(one => one.statements)
  return step(phases.reworded, 'rows', table.cell, what, statements, {
    mode: 'outside',
    through: 'ninefold.history',
    onlyIf: `select where ${each.map(({ found }) => found).join(' or ')}`,
  })
}
