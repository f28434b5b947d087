/** What vanished from the document: kept, made harmless and reported; dropped only when it is named. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { archivedAt } from '../../expression/archived.ts'
import { quoted, tableName } from '../names.ts'
import { archivedType, type Physical, type Table } from '../physical.ts'
import { appendOnly } from './definition.ts'
import type { Actual, ActualColumn, ActualTable } from './introspect.ts'
import { counted, judged, someOf } from './probes.ts'
import { alter, dropConstraint } from './statements.ts'
import { type Draft, type Probe, phases, type Step, step } from './step.ts'
import { hidden } from './version-views.ts'

/** `drop`: names of columns (`loan.purpose`) and tables. `nowOf` gives a table's name before renames. */
export function orphans(
  desired: Physical,
  actual: Actual,
  drop: readonly string[],
  nowOf: (name: string) => { readonly table: string },
): Omit<Draft, 'leftOver' | 'takenOver'> {
  const steps: Step[] = []
  const probes: Probe[] = []
  const named = new Set(drop)
  const anyCell = [...desired.tables.values()][0]?.cell
  for (const table of actual.tables.values()) {
    if (!table.ours) continue
    const now = nowOf(table.name).table
    const wanted = desired.tables.get(table.name)
    if (wanted !== undefined) {
      const columns = new Set(wanted.columns.map(column => column.name))
      const left = [...table.columns.values()].filter(({ name, kept }) => !columns.has(name) && !kept)
      for (const column of left) {
        const orphan: OrphanColumn = { table, column, wanted, now, isMark: isArchiveMark(column) }
        if (named.delete(`${table.name}.${column.name}`)) steps.push(dropColumn(orphan, actual))
        else {
          if (column.notNull) steps.push(loosenColumn(orphan))
          probes.push(leftColumn(orphan))
        }
      }
    } else if (named.delete(table.name)) steps.push(dropTable(table, now, actual))
    else if (anyCell !== undefined) {
      steps.push(...released(table))
      probes.push(leftTable(table, now, anyCell))
    }
  }
  const found = anyCell === undefined ? [] : [...named].map(name => notDropped(name, desired, anyCell))
  return { steps, probes, found }
}

/** A column that the document has no more, of a table that it has. `now`: the table's name before renames. */
interface OrphanColumn {
  readonly table: ActualTable
  readonly column: ActualColumn
  readonly wanted: Table
  readonly now: string
  /** Whether it says when a record was archived. */
  readonly isMark: boolean
}

const isArchiveMark = ({ name, type }: ActualColumn): boolean => name === archivedAt && type === archivedType

function dropColumn({ table, column, wanted, now, isMark }: OrphanColumn, { versionViews }: Actual): Step {
  const title = isMark
    ? `Let what is archived of ${table.name} be there again`
    : `Drop the column ${table.name}.${column.name} with its data`
  const statements = [...hidden(versionViews, table.name), alter(table.name, `drop column ${quoted(column.name)}`)]
  return step(phases.drop, 'moment', wanted.cell, title, statements, {
    rows: isMark ? 'records are there again: {count}' : 'values are lost: {count}',
    count: `select count(${quoted(column.name)}) as count from ${tableName(now)}`,
    drops: true,
  })
}

function loosenColumn({ table, column, wanted }: OrphanColumn): Step {
  const title = `Let ${table.name}.${column.name} be empty: it is no longer in the document`
  const noDefault = column.default === null ? '' : `, alter column ${quoted(column.name)} drop default`
  const statement = alter(table.name, `alter column ${quoted(column.name)} drop not null${noDefault}`)
  return step(phases.loosen, 'moment', wanted.cell, title, [statement])
}

function leftColumn({ table, column, wanted, now, isMark }: OrphanColumn): Probe {
  const name = `${table.name}.${column.name}`
  const mark = quoted(column.name)
  const examples = isMark
    ? `(array_agg(id::text order by id) filter (where ${mark} is not null))[1:5]`
    : 'array[]::text[]'
  return {
    query: `select count(${mark}) as count, ${examples} as examples, array[]::text[] as values from ${tableName(now)}`,
    judge: (count, some) =>
      judged(3, ({ report }) =>
        isMark && count > 0
          ? report('N0918', wanted.cell, {
              count: String(count),
              entity: wanted.title,
              name,
              examples: someOf(some, count),
            })
          : report('N0910', wanted.cell, {
              name,
              count: counted(count, 'value'),
              example: `new_name (was ${column.name})`,
            }),
      ),
  }
}

function leftTable({ name }: ActualTable, now: string, cell: Cell): Probe {
  return {
    query: `select count(*) as count, array[]::text[] as examples, array[]::text[] as values from ${tableName(now)}`,
    judge: count =>
      judged(3, ({ report }) =>
        report('N0910', cell, { name, count: counted(count, 'record'), example: `### New name (was ${name})` }),
      ),
  }
}

/** What was to be dropped, and cannot. */
function notDropped(name: string, desired: Physical, cell: Cell): Diagnostic {
  const [table, column] = name.split('.') as [string, string?]
  const there = desired.tables.get(table)
  const isThere = column === undefined ? there !== undefined : there?.columns.some(one => one.name === column) === true
  const why = isThere ? 'it is in the document' : 'there is nothing of that name'
  return judged(3, ({ report }) => report('N0908', cell, { name, why }))
}

function dropTable(table: ActualTable, now: string, actual: Actual): Step {
  const target = `references ${tableName(table.name)} `
  const referring = [...actual.tables.values()].flatMap(other =>
    [...other.constraints.values()]
      .filter(({ definition }) => other !== table && definition?.includes(target) === true)
      .map(({ name }) => dropConstraint(other.name, name)),
  )
  const statements = [...referring, `drop table ${tableName(table.name)}`]
  return step(phases.drop + 1, 'moment', null, `Drop the table ${table.name} with its data`, statements, {
    rows: 'records are lost: {count}',
    count: `select count(*) as count from ${tableName(now)}`,
    drops: true,
  })
}

/** A table that is no longer in the document must not keep others from deleting what its rows refer to. */
function released(table: ActualTable): Step[] {
  const holding = [...table.constraints.values()].filter(
    ({ kind, definition }) =>
      definition === appendOnly || (kind === 'f' && definition?.endsWith('on delete restrict') === true),
  )
  return holding.map(({ name, definition }) =>
    step(phases.loosen, 'moment', null, `Let records be deleted that the kept table ${table.name} refers to`, [
      dropConstraint(table.name, name, definition),
    ]),
  )
}
