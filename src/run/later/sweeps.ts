/**
 * Timers that look for their records (`every weekday at 06:00 for each Loan where …`). A row of `ninefold.timer` with no record
 * stands for each. When it is due, a batch of the records that match is armed, one row each, in the transaction that notes how
 * far it has come; those rows then fire as any other timer. So each record is found once per time, whoever dies meanwhile.
 */
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { Sweep } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import { nobody } from '../../store/system.ts'
import { liveUnless } from '../access/archived.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { ofTenant } from '../limits.ts'
import { columnSql, fromSql, whereSql } from '../names.ts'
import type { Outcome } from '../outcome.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { clockworkOf, isSkipped, lastOf, nextBy } from './recurrence.ts'

export const sweepsOf = (app: App, entity: string): readonly Sweep[] => app.sweeps.filter(one => one.entity === entity)

/** What a record must say to be found, over `t`. Its When is asked when it fires. */
export const wantedBy = (app: App, { entity, where, while: states }: Sweep): Condition =>
  allOf([
    liveUnless(app, entity, where, 't'),
    where === null ? true : whereSql(where, 't'),
    states === null ? true : sql`${columnSql('t', 'state')} = any(${states}::text[])`,
  ])

/** When a sweep is due next, which was so last at `last`; null: never, or there is none of this name. */
export function nextSweep(
  { app }: Runtime,
  request: Request,
  entity: string,
  key: string,
  last: Date | null = null,
): Date | null {
  const found = sweepsOf(app, entity).find(one => one.key === key)
  return found === undefined
    ? null
    : nextBy(found.at.rhythm, request.now, clockworkOf(app, request.closed), request.limits, last)
}

/** Brings the sweeps of an entity to what the document says now. What is due already stays so, and happens. */
export async function armSweeps(runtime: Runtime, request: Request, entity: string): Promise<void> {
  const sweeps = sweepsOf(runtime.app, entity)
  await runtime.store.inTransaction(async tx => {
    const held =
      sweeps.length === 0 ? [] : await tx.run<{ timer: string; last_at: string | null }>(lastTimes, { entity })
    const last = new Map(held.flatMap(one => (one.last_at === null ? [] : [[one.timer, new Date(one.last_at)]])))
    const due = sweeps.flatMap(({ key }) => {
      const next = nextSweep(runtime, request, entity, key, last.get(key))
      return next === null ? [] : [{ timer: key, due: next.toISOString() }]
    })
    await tx.write(forget, { entity, kept: due.map(({ timer }) => timer) })
    if (due.length > 0) await tx.write(arm, { entity, due: JSON.stringify(due), now: request.now.toISOString() })
  })
}

const lastTimes = built(sql`
  select timer, last_at from ninefold.timer where entity = ${slot('entity')} and record = ${nobody}::uuid for update`)

const forget = built(sql`
  delete from ninefold.timer where entity = ${slot('entity')} and record = ${nobody}::uuid and left(timer, 1) <> ' '
    and timer <> all(${slot('kept')}::text[])`)

const arm = built(sql`
  insert into ninefold.timer as t (entity, record, timer, due_at, armed_at)
  select ${slot('entity')}, ${nobody}::uuid, d.timer, d.due, ${slot('now')}::timestamptz
  from jsonb_to_recordset(${slot('due')}::jsonb) as d (timer text, due timestamptz)
  on conflict (entity, record, timer) do update set due_at = excluded.due_at, attempts = 0, last_error = null
    where t.due_at > ${slot('now')}::timestamptz and t.reached is null`)

/** Notes that a timer which is about no record has had its time; `due`: what it says is to happen now. */
export async function takeAlone(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  found: Sweep,
  moves = false,
): Promise<'due' | 'done'> {
  const { entity, key, missed } = found
  const row = { entity, timer: key, now: request.now.toISOString() }
  const [at] = await tx.run<{ due_at: string }>(lockSweep, row)
  if (at === undefined) return 'done'
  const due = new Date(at.due_at)
  const skipped = !moves && isSkipped(found, due, request.now)
  const after = missed?.kind === 'each' ? { ...request, now: due } : request
  await moveOn(tx, runtime, request, { ...row, due, skipped, next: nextSweep(runtime, after, entity, key, due) })
  return skipped ? 'done' : 'due'
}

/** It is due again at `next`, with nothing left to look through. */
async function moveOn(
  tx: Tx,
  { app }: Runtime,
  request: Request,
  { due, skipped, next, ...row }: Moved,
): Promise<void> {
  if (next === null) await tx.write(forgetOne, row)
  else {
    const last = lastOf(due, next, request.now, clockworkOf(app, request.closed)).toISOString()
    const times = { next: next.toISOString(), last, skipped: skipped ? due.toISOString() : null }
    await tx.write(goOn, { ...row, reached: null, ...times })
  }
}

interface Moved {
  readonly entity: string
  readonly timer: string
  readonly now: string
  readonly due: Date
  readonly skipped: boolean
  readonly next: Date | null
}

/** Arms the next records, at most `batch`; behind the last of them the sweep is due at its next time. */
export function sweep(
  runtime: Runtime,
  request: Request,
  entity: string,
  key: string,
  batch: number,
  moves = false,
): Promise<Outcome> {
  const { app, store } = runtime
  const nothing: Outcome = { kind: 'done', id: nobody, version: 1 }
  const found = sweepsOf(app, entity).find(one => one.key === key)
  return store.inTransaction(async tx => {
    const row = { entity, timer: key, now: request.now.toISOString() }
    const [at] = await tx.run<{ due_at: string; reached: string | null; last_at: string | null }>(lockSweep, row)
    if (found === undefined || at === undefined) {
      if (at !== undefined) await tx.write(forget, { entity, kept: sweepsOf(app, entity).map(one => one.key) })
      return nothing
    }
    // What has begun in time goes on.
    const skipped = !moves && at.reached === null && isSkipped(found, new Date(at.due_at), request.now)
    const ids: string[] = []
    for (const { asked, tenants, others } of skipped ? [] : groupsOf(app, request, entity)) {
      const query = cachedStatement(app, ['sweep', entity, key, others], () =>
        built(foundSql(app, entity, wantedBy(app, found), others)),
      )
      const bindings = { reached: at.reached ?? nobody, tenants, limit: batch }
      ids.push(...(await tx.run<{ id: string }>(query, bindingsOf(asked, bindings))).map(({ id }) => id))
    }
    // Each group is in order, so the first of all of them are the first of the entity.
    const armed = ids.sort().slice(0, batch)
    if (armed.length > 0) await tx.write(armFound, { ...row, ids: armed, due: at.due_at })
    const due = new Date(at.due_at)
    if (armed.length < batch)
      await moveOn(tx, runtime, request, { ...row, due, skipped, next: nextSweep(runtime, request, entity, key, due) })
    else await tx.write(goOn, { ...row, reached: armed.at(-1), next: at.due_at, last: at.last_at, skipped: null })
    return nothing
  })
}

const ofSweep = sql`entity = ${slot('entity')} and record = ${nobody}::uuid and timer = ${slot('timer')}`

const lockSweep = built(sql`
  select due_at, reached, last_at from ninefold.timer where ${ofSweep} and due_at <= ${slot('now')}::timestamptz for update`)

interface Group {
  readonly asked: Request
  readonly tenants: readonly string[]
  /** Of all tenants but these. */
  readonly others: boolean
}

/** The records of everybody who goes by the same constants: those without any of their own, and each of the others. */
function groupsOf(app: App, request: Request, entity: string): readonly Group[] {
  const apart = app.schema.get(entity)?.tenant === undefined ? [] : [...(request.tenants?.keys() ?? [])]
  return [
    { asked: request, tenants: apart, others: true },
    ...apart.map(tenant => ({ asked: ofTenant(request, tenant), tenants: [tenant], others: false })),
  ]
}

function foundSql(app: App, entity: string, wanted: Condition, others: boolean): Sql {
  const { tenant } = app.schema.get(entity)!
  const among = tenant && sql`${columnSql('t', tenant.field)} = any(${slot('tenants')}::uuid[])`
  const mine = among === undefined ? true : others ? sql`(${among}) is not true` : among
  return sql`select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')}
    where ${columnSql('t', 'id')} > ${slot('reached')}::uuid and ${conditionSql(allOf([mine, wanted]))}
    order by 1 limit ${slot('limit')}::integer`
}

/** A record that was found before and has not fired yet stays armed, once. */
const armFound = built(sql`
  insert into ninefold.timer (entity, record, timer, due_at, armed_at)
  select ${slot('entity')}, f.id, ${slot('timer')}, ${slot('due')}::timestamptz, ${slot('now')}::timestamptz
  from unnest(${slot('ids')}::uuid[]) as f (id)
  on conflict (entity, record, timer) do update set due_at = excluded.due_at, armed_at = excluded.armed_at, attempts = 0,
    last_error = null, fired_at = null`)

const goOn = built(sql`
  update ninefold.timer set due_at = ${slot('next')}::timestamptz, reached = ${slot('reached')}::uuid, last_at = ${slot('last')}::timestamptz, attempts = 0,
    skipped_at = coalesce(${slot('skipped')}::timestamptz, skipped_at), claimed_until = null, claimed_by = null, last_error = null
  where ${ofSweep}`)

const forgetOne = built(sql`delete from ninefold.timer where ${ofSweep}`)
