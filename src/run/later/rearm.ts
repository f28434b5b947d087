/** Brings the timers of all records of an entity, and what code works out of them, to what decides about them now. */
import { identifier, join, raw, type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { nobody, rearmMark } from '../../store/system.ts'
import { tenantOf } from '../access/tenants.ts'
import { ofTenant } from '../limits.ts'
import { columnSql, fromSql, typeOf } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import type { Draft } from '../write/draft-record.ts'
import { relatedRecords } from '../write/environment.ts'
import { recomputeStored } from '../write/recompute.ts'
import { loadRecords } from '../write/record.ts'
import { elsewhereIn, timersOf } from './rearm-mark.ts'
import { armSweeps } from './sweeps.ts'
import { rearmRecords } from './timers.ts'

/** Records of one transaction. */
const batch = 100

/** States in which records are looked at: those with timers; all where a timer has no states, or code works out a field. */
function timedStates(app: App, entity: string): readonly string[] | 'all' {
  const states = timersOf(app, entity).map(timer =>
    timer.while === null ? null : [...timer.while, ...(timer.stands ?? [])],
  )
  const isRenewed = app.entities.get(entity)?.fields.some(({ renewed }) => renewed) === true
  return isRenewed || states.includes(null) ? 'all' : [...new Set(states.flatMap(some => some ?? []))]
}

/**
 * Goes through the records of an entity, or its rows, that timers or code are about; then takes the mark
 * away, unless it was left anew. `about` a record: only itself and those whose timers read it. `changed`: when the mark was left first.
 */
export async function rearm(
  runtime: Runtime,
  request: Request,
  entity: string,
  worker: string,
  { about = nobody, changed = request.now }: { readonly about?: string; readonly changed?: Date } = {},
): Promise<void> {
  const { app, store } = runtime
  const states = timedStates(app, entity)
  let last = nobody
  if (about === nobody) await armSweeps(runtime, request, entity)
  const which = about === nobody ? raw('true') : readingSql(app, entity, about)
  while (app.entities.has(entity) && states.length > 0) {
    const ids = (await store.query<{ id: string }>(idsAfter(entity, states, which, last))).map(({ id }) => id)
    if (ids.length === 0) break
    await store.inTransaction(async tx => {
      const related = relatedRecords(tx, app)
      const records = await loadRecords(tx, app, entity, ids)
      for (const record of records) await recomputeStored(tx, app, request, related, entity, record)
      const asking = (record: Draft) => ofTenant(request, tenantOf(app, { entity, record }))
      if (records.length > 0) await rearmRecords(tx, runtime, asking, related, entity, records, changed)
    })
    last = ids.at(-1)!
  }
  await store.inTransaction(tx =>
    tx.write(
      sql`delete from ninefold.timer where entity = ${entity} and record = ${about}::uuid and timer = ${rearmMark} and claimed_by = ${worker}`,
    ),
  )
}

const idsAfter = (entity: string, states: readonly string[] | 'all', which: Sql, last: string): Sql => sql`
  select ${columnSql('t0', 'id')} as ${identifier('id')} from ${fromSql(entity, 't0')}
  where ${states === 'all' ? raw('true') : sql`${columnSql('t0', 'state')} = any(${states}::text[])`} and (${which}) and ${columnSql('t0', 'id')} > ${last}::uuid
  order by 1 limit ${batch}::integer`

/** The record `about` itself, its rows, and those of which a timer reads it by references of theirs. */
function readingSql(app: App, entity: string, about: string): Sql {
  const reads = timersOf(app, entity).flatMap(elsewhereIn)
  const ways = new Map(reads.flatMap(({ via }) => (via === null ? [] : [[via.join('.'), via] as const])))
  const leads = (of: string, [first, ...rest]: readonly string[], depth: number): Sql => {
    const column = columnSql(`t${depth}`, first!)
    if (rest.length === 0) return sql`${column} = ${about}::uuid`
    return sql`${column} in (select ${columnSql(`t${depth + 1}`, 'id')} from ${fromSql(next(app, of, first!), `t${depth + 1}`)} where ${leads(next(app, of, first!), rest, depth + 1)})`
  }
  const { parent } = app.schema.get(entity)!
  const own = ['id', ...(parent === undefined ? [] : [parent])].map(
    key => sql`${columnSql('t0', key)} = ${about}::uuid`,
  )
  return join([...own, ...[...ways.values()].map(way => leads(entity, way, 0))], ' or ')
}

/** The entity that a reference leads to. */
function next(app: App, entity: string, field: string): string {
  const type = typeOf(app, entity, field)!
  return type.kind === 'reference' ? type.entity : entity
}
