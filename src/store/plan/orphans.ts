/** What vanished from the document: kept, made harmless and reported; dropped only when it is named. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import { archivedAt } from '../../expression/archived.ts'
import { quoted, tableName } from '../names.ts'
import { archivedType, type Physical } from '../physical.ts'
import { appendOnly } from './definition.ts'
import type { Actual, ActualTable } from './introspect.ts'
import { counted, judged, someOf } from './probes.ts'
import { alter, dropConstraint } from './statements.ts'
import { type Draft, type Probe, phases, type Step, step } from './step.ts'

/** `drop`: names of columns (`loan.purpose`) and tables. `nowOf` gives a table's name before renames. */
export function orphans(
  desired: Physical,
  actual: Actual,
  drop: readonly string[],
  nowOf: (name: string) => { readonly table: string },
): Omit<Draft, 'leftOver'> {
  const steps: Step[] = []
  const probes: Probe[] = []
  const found: Diagnostic[] = []
  const named = new Set(drop)
  const anyCell = [...desired.tables.values()][0]?.cell
  for (const table of actual.tables.values()) {
    if (!table.ours) continue
    const wanted = desired.tables.get(table.name)
    if (wanted === undefined) {
      if (named.delete(table.name)) steps.push(dropTable(table, nowOf(table.name).table, actual))
      else if (anyCell !== undefined) {
        steps.push(...released(table))
        probes.push({
          query: `select count(*) as count, array[]::text[] as examples, array[]::text[] as values from ${tableName(nowOf(table.name).table)}`,
          judge: count =>
            judged(3, ({ report }) =>
              report('N0910', anyCell, {
                name: table.name,
                count: counted(count, 'record'),
                example: `### New name (was ${table.name})`,
              }),
            ),
        })
      }
      continue
    }
    const columns = new Set(wanted.columns.map(column => column.name))
    for (const column of table.columns.values()) {
      if (columns.has(column.name) || column.kept) continue
      const name = `${table.name}.${column.name}`
      const isMark = column.name === archivedAt && column.type === archivedType
      if (named.delete(name)) {
        steps.push(
          step(
            phases.drop,
            'moment',
            wanted.cell,
            isMark ? `Let what is archived of ${table.name} be there again` : `Drop the column ${name} with its data`,
            [alter(table.name, `drop column ${quoted(column.name)}`)],
            {
              rows: isMark ? 'records are there again: {count}' : 'values are lost: {count}',
              count: `select count(${quoted(column.name)}) as count from ${tableName(nowOf(table.name).table)}`,
              drops: true,
            },
          ),
        )
        continue
      }
      if (column.notNull)
        steps.push(
          step(phases.loosen, 'moment', wanted.cell, `Let ${name} be empty: it is no longer in the document`, [
            alter(
              table.name,
              `alter column ${quoted(column.name)} drop not null${column.default === null ? '' : `, alter column ${quoted(column.name)} drop default`}`,
            ),
          ]),
        )
      const mark = quoted(column.name)
      probes.push({
        query: `select count(${mark}) as count, ${isMark ? `(array_agg(id::text order by id) filter (where ${mark} is not null))[1:5]` : 'array[]::text[]'} as examples, array[]::text[] as values from ${tableName(nowOf(table.name).table)}`,
        judge: (count, examples) =>
          judged(3, ({ report }) =>
            isMark && count > 0
              ? report('N0918', wanted.cell, {
                  count: String(count),
                  entity: wanted.title,
                  name,
                  examples: someOf(examples, count),
                })
              : report('N0910', wanted.cell, {
                  name,
                  count: counted(count, 'value'),
                  example: `new_name (was ${column.name})`,
                }),
          ),
      })
    }
  }
  for (const name of named) {
    const [table, column] = name.split('.')
    const there = desired.tables.get(table!)?.columns.some(one => one.name === column) === true
    const why =
      there || (column === undefined && desired.tables.has(table!))
        ? 'it is in the document'
        : 'there is nothing of that name'
    if (anyCell !== undefined) found.push(judged(3, ({ report }) => report('N0908', anyCell, { name, why })))
  }
  return { steps, probes, found }
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
