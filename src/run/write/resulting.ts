/**
 * Conditions over a record and its rows as they would be, asked before anything is written: with the SQL that answers everywhere else, over
 * tables that hold what would be there. `with claim as (…)` stands in front of the table `claim`, whatever reads it. So no rule, no constraint
 * and no number has answered, or was used up, before it is known whether somebody may write this at all.
 */
import { identifier, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { type Condition, conditionSql } from '../access/condition.ts'
import { columnSql, fromSql, isLinks, linksSql, tableSql, thenAlias, typeOf } from '../names.ts'
import { commas } from '../read/filter.ts'
import { bindingsOf, ofEntity } from '../statements.ts'
import { castWire } from '../values.ts'
import type { ChangedRecord } from './domain-events.ts'
import { type DeepList, deepLists, placedAt, storedFields } from './draft-record.ts'
import type { Scope } from './scope.ts'

/** The alias of the conditions that are asked here. */
export const resultAlias = thenAlias

/** For each row of an entity with one of these ids, which of the conditions hold; unknown is no. */
export async function holdsAsWritten(
  { tx, app, request }: Scope,
  about: ChangedRecord,
  {
    of,
    ids,
    conditions,
  }: { readonly of: string; readonly ids: readonly string[]; readonly conditions: readonly Condition[] },
): Promise<ReadonlyMap<string, readonly boolean[]>> {
  const known = conditions.map(condition => (typeof condition === 'boolean' ? condition : null))
  if (!known.includes(null)) return new Map(ids.map(id => [id, known as readonly boolean[]]))
  const answers = commas(conditions.map(condition => sql`(${conditionSql(condition)}) is true`))
  const id = columnSql(resultAlias, 'id')
  const rows = await tx.query<{ id: string; answers: readonly boolean[] }>(
    sql`with ${asWritten(app, about.entity)} select ${id} as id, array[${answers}] as answers
      from ${fromSql(of, resultAlias)} where ${id} = any(${ids}::uuid[])`,
    bindingsOf(request, tablesOf(app, about)),
  )
  return new Map(rows.map(row => [row.id, row.answers]))
}

/** The same of the record itself. */
export async function recordHolds(
  scope: Scope,
  about: ChangedRecord,
  conditions: readonly Condition[],
): Promise<readonly boolean[]> {
  const { id } = about.record
  const found = await holdsAsWritten(scope, about, { of: about.entity, ids: [id], conditions })
  return found.get(id) ?? conditions.map(() => false)
}

/** A record, or a list of rows below it: a table that is not yet as it would be. */
interface Part {
  readonly entity: string
  readonly list: DeepList | null
}

const partsOf = ofEntity((app, entity): readonly Part[] => [
  { entity, list: null },
  ...deepLists(app, entity).map(list => ({ entity: list.entity, list })),
])

const slotsOf = ({ list }: Part) => {
  const name = list === null ? 'as written' : `as written.${list.entity}`
  return { rows: `${name} rows`, gone: `${name} ids` }
}

/** Tables as they would be. Those of links come first: what they name are rows, and not the tables that follow. */
const asWritten = ofEntity((app, entity): Sql => {
  const parts = partsOf(app, entity)
  return commas([...parts.flatMap(part => linkTables(app, part)), ...parts.map(part => rowTable(app, part))])
})

const shadow = (table: Sql, stays: Sql, comes: Sql): Sql =>
  sql`${table} as not materialized (${stays} union all ${comes})`

const columnsOf = (app: App, entity: string): readonly string[] =>
  storedFields(app, entity).filter(key => !isLinks(app, entity, key))

function rowTable(app: App, part: Part): Sql {
  const { entity } = part
  const { rows, gone } = slotsOf(part)
  const fields = columnsOf(app, entity)
  const given = fields.map(key => castWire(typeOf(app, entity, key)!, identifier('r', key)))
  const number = part.list === null ? 'version' : 'position'
  const all = ['id', number, ...fields]
  const values = commas([sql`r.id::uuid`, sql`${identifier('r', number)}::integer`, ...given])
  return shadow(
    tableSql(entity),
    sql`select ${commas(all.map(key => identifier('t', key)))} from ${fromSql(entity, 't')}
      where ${identifier('t', 'id')} <> all(${slot(gone)}::uuid[])`,
    sql`select ${values} from json_to_recordset(${slot(rows)}::json)
      as r (${commas(all.map(key => sql`${identifier(key)} text`))})`,
  )
}

function linkTables(app: App, part: Part): readonly Sql[] {
  const { entity } = part
  const { rows, gone } = slotsOf(part)
  return storedFields(app, entity)
    .filter(key => isLinks(app, entity, key))
    .map(key => {
      const table = linksSql(entity, key)
      const member = sql`unnest(string_to_array(${identifier('r', key)}, ${raw(`' '`)}))::uuid`
      return shadow(
        table,
        sql`select l.owner, l.member from ${table} as l where l.owner <> all(${slot(gone)}::uuid[])`,
        sql`select r.id::uuid, ${member} from json_to_recordset(${slot(rows)}::json) as r (id text, ${identifier(key)} text)`,
      )
    })
}

/** What would be there, and which stored rows are not there then, or not as they are. */
function tablesOf(app: App, { entity, record, old }: ChangedRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    partsOf(app, entity).flatMap(part => {
      const { rows, gone } = slotsOf(part)
      const [now, before] = [record, old].map(one => rowsOf(one, part.list))
      const keys = ['id', 'version', 'position', ...storedFields(app, part.entity)]
      const values = now!.map(row => Object.fromEntries(keys.map(key => [key, row[key] ?? null])))
      return [
        [rows, JSON.stringify(values)],
        [gone, [...new Set([...now!, ...before!].map(({ id }) => id))]],
      ]
    }),
  )
}

function rowsOf(record: RecordValue | null, list: DeepList | null): readonly RecordValue[] {
  if (record === null) return []
  return list === null ? [record] : placedAt(record, list)
}
