/**
 * What a history tells of a field that a `When` opens: what changed while it was open. Judged over the record as it was before and
 * after the change and at its time; who reads, and all other records, are as they are now.
 */
import { identifier, type Sql, slot, sql, withColumns } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { dateIn } from '../clock.ts'
import { columnSql, fromSql, isState, thenAlias, typeOf } from '../names.ts'
import { commas } from '../read/filter.ts'
import type { Changes } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { fits, sqlType } from '../values.ts'
import { storedFields } from '../write/draft-record.ts'
import { conditionSql } from './condition.ts'
import type { Policy } from './policy.ts'

interface Entry {
  readonly id: string
  readonly at: string
  readonly version: string | null
  readonly kind: string
  readonly changes: Changes
  readonly from_state: string | null
  readonly to_state: string | null
}

/** Whether what an entry says of a field is told. `entries`: the newest ones, none left out between them. */
export async function toldThen(
  { app, store }: Runtime,
  request: Request,
  policy: Policy,
  entity: string,
  record: string,
  entries: readonly Entry[],
): Promise<(entry: string, field: string) => boolean> {
  const fields = sometimesOpen(app, policy, entity)
  const moments = fields.some(field => entries.some(entry => isAbout(app, entity, entry, field)))
    ? momentsOf(app, entity, fields, inOrder(entries))
    : []
  if (moments.length === 0) return () => true
  const query = cachedStatement(app, ['told then', policy.key, entity], () =>
    built(openSql(app, policy, entity, fields)),
  )
  const found = await store.run<{ id: string; open: readonly (boolean | null)[] }>(
    query,
    bindingsOf(request, { record, moments: JSON.stringify(moments) }),
  )
  return (entry, field) => {
    const at = fields.indexOf(field)
    return (
      at === -1 ||
      (found.some(({ id }) => id === entry) && found.every(({ id, open }) => id !== entry || open[at] === true))
    )
  }
}

/** Fields that these roles see on some records only, by a `When`. */
const sometimesOpen = (app: App, policy: Policy, entity: string): readonly string[] =>
  cachedStatement(app, ['sometimes open', policy.key, entity], () =>
    [...new Set(app.access.get(entity)?.fields.flatMap(({ field, when }) => (when === null ? [] : [field])))].filter(
      field => typeof policy.openThen(entity, field, 't', thenAlias) !== 'boolean',
    ),
  )

/** Newest first, by what followed upon what: of two who wait for each other, the one who came later may be done first. */
const inOrder = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ version }) => version !== null).sort((left, right) => Number(right.version) - Number(left.version))

const isAbout = (app: App, entity: string, { changes, from_state, to_state }: Entry, field: string): boolean =>
  isState(app, entity, field) ? from_state !== to_state : changes[field] !== undefined

/** The record before and after each entry that is about one of the fields: what differs from how it is now. */
function momentsOf(app: App, entity: string, fields: readonly string[], entries: readonly Entry[]) {
  const columns = new Set(storedFields(app, entity))
  const since: Record<string, Wire> = {}
  const moments: { id: string; at: string; today: string; values: Record<string, Wire> }[] = []
  for (const entry of entries) {
    const { id, at, changes, from_state, to_state } = entry
    const asked = fields.some(field => isAbout(app, entity, entry, field))
    const moment = { id, at, today: dateIn(new Date(at), app.product.timeZone.name) }
    if (asked) moments.push({ ...moment, values: { ...since } })
    for (const [key, change] of Object.entries(changes)) {
      if (!columns.has(key) || !Array.isArray(change)) continue
      const [before] = change as readonly [Wire, Wire]
      // What the field could not hold today tells nothing of what was: nothing older is judged.
      if (before !== null && !fits(typeOf(app, entity, key)!, before)) return moments.filter(one => one.id !== id)
      since[key] = before
    }
    if (from_state !== to_state && columns.has('state')) since.state = from_state
    if (asked && entry.kind !== 'create') moments.push({ ...moment, values: { ...since } })
  }
  return moments
}

/** One row for each moment: which fields were open. */
function openSql(app: App, policy: Policy, entity: string, fields: readonly string[]): Sql {
  const columns = storedFields(app, entity).flatMap(key => {
    const type = typeOf(app, entity, key)!
    const now = columnSql('t', key)
    if (type.kind === 'list') return []
    const then = sql`(m.values ->> ${key}::text)::${sqlType(type)}`
    return sql`case when jsonb_exists(m.values, ${key}::text) then ${then} else ${now} end as ${identifier(key)}`
  })
  const conditions = fields.map(field => conditionSql(policy.openThen(entity, field, 't', thenAlias)))
  return sql`select m.id, array[${commas(conditions.map(at))}] as open
    from ${fromSql(entity, 't')}, jsonb_to_recordset(${slot('moments')}::jsonb) as m (id text, at text, today text, values jsonb),
      lateral (select ${columnSql('t', 'id')}, ${commas(columns)}) as ${identifier(thenAlias)}
    where ${columnSql('t', 'id')} = ${slot('record')}::uuid`
}

/** With the day and the time of the moment itself. */
const at = (query: Sql): Sql => withColumns(query, { today: sql`(m.today)`, now: sql`(m.at)` })
