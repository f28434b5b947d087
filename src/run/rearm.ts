/** Brings the timers of all records of an entity, and what code works out of them, to what decides about them now. */
import { identifier, raw, type Sql, sql } from '../expression/sql.ts'
import { nobody, rearmMark } from '../store/system.ts'
import { ofTenant } from './limits.ts'
import { columnSql, fromSql } from './names.ts'
import { loadRecord, relatedRecords } from './record.ts'
import { renewStored } from './renew.ts'
import type { Request, Runtime } from './request.ts'
import { armSweeps } from './sweeps.ts'
import { tenantOf } from './tenants.ts'
import { rearmRecord } from './timers.ts'

/** Records of one transaction. */
const batch = 100

/**
 * Goes through the records of an entity that are in a state with timers, or all where code works out a field; then takes the mark
 * away, unless it was left anew.
 */
export async function rearm(runtime: Runtime, request: Request, entity: string, worker: string): Promise<void> {
  const { app, store } = runtime
  const timed = [...new Set(app.workflows.get(entity)?.timers.flatMap(timer => timer.while) ?? [])]
  const states = app.entities.get(entity)?.fields.some(({ renewed }) => renewed) ? 'all' : timed
  let last = nobody
  await armSweeps(runtime, request, entity)
  while (app.entities.has(entity) && states.length > 0) {
    const ids = (await store.query<{ id: string }>(idsAfter(entity, states, last))).map(({ id }) => id)
    if (ids.length === 0) break
    await store.inTransaction(async tx => {
      const related = relatedRecords(tx, app)
      for (const id of ids) {
        const record = await loadRecord(tx, app, entity, id)
        if (record === null) continue
        await renewStored(tx, app, request, related, entity, record)
        const asked = ofTenant(request, tenantOf(app, { entity, record }))
        await rearmRecord(tx, runtime, asked, related, entity, record)
      }
    })
    last = ids.at(-1)!
  }
  await store.inTransaction(tx =>
    tx.write(
      sql`delete from ninefold.timer where entity = ${entity} and timer = ${rearmMark} and claimed_by = ${worker}`,
    ),
  )
}

const idsAfter = (entity: string, states: readonly string[] | 'all', last: string): Sql => sql`
  select ${columnSql('t', 'id')} as ${identifier('id')} from ${fromSql(entity, 't')}
  where ${states === 'all' ? raw('true') : sql`${columnSql('t', 'state')} = any(${states}::text[])`} and ${columnSql('t', 'id')} > ${last}::uuid
  order by 1 limit ${batch}::integer`
