/** Timers of records: armed in the transaction of every write, fired once per due time, as the application itself. */

import type { Expression } from '../../expression/expression.ts'
import { join, slot, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { TimeOfDay, Timer, Working } from '../../headings/4-states/model.ts'
import { clockTime, whoseDays } from '../../headings/4-states/timers.ts'
import type { App } from '../../headings/app.ts'
import { timedOf } from '../../store/migrate.ts'
import type { Tx } from '../../store/pool.ts'
import { rearmMark } from '../../store/system.ts'
import { isArchived, live } from '../access/archived.ts'
import { conditionSql } from '../access/condition.ts'
import { isAwaited } from '../approvals/approvals.ts'
import { momentAt } from '../clock.ts'
import { columnSql, fromSql } from '../names.ts'
import { closedFor } from '../people/closed.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import type { ChangedRecord } from '../write/domain-events.ts'
import { type Draft, deepLists, rowsAt } from '../write/draft-record.ts'
import { type Related, relatedRecords } from '../write/environment.ts'
import { loadRecords } from '../write/record.ts'
import type { Scope } from '../write/scope.ts'
import { withParent } from '../write/together.ts'
import { workedOut } from '../write/worked-out.ts'
import { elsewhereIn, markForRearming, markReaders, timersOf } from './rearm-mark.ts'
import { type Clockwork, clockworkOf, later, nextBy, workingDaysLater, workingHoursLater } from './recurrence.ts'
import { dueStanding, never, type Stood, stands, stoodBy } from './standing.ts'

/** Gives what an expression is of a record: a text, or null where it says nothing. */
type Ask = (expression: Expression) => Promise<string | null>

const asking =
  (tx: Tx, app: App, request: Request, related: Related, entity: string, record: RecordValue): Ask =>
  async expression => {
    const named = { entity, record, old: null, this: null }
    const value = await workedOut(tx, app, request, related, expression, named)
    return typeof value === 'string' ? value : null
  }

/** From when a timer counts, and when it fired last, where it comes back. */
interface Since {
  readonly from: Date
  readonly last: Date | null
  /** What is held of a timer whose clock may stand. */
  readonly held?: Held | undefined
}

/** When a timer of this record is due; null: not armed, because its moment is not known or its state is not the record's. */
async function dueAt(
  tx: Tx,
  app: App,
  request: Request,
  ask: Ask,
  record: RecordValue,
  timer: Timer,
  { from, last }: Since,
): Promise<Date | null> {
  if (timer.while?.includes(record.state as string) === false && !stands(timer, record)) return null
  const { at } = timer
  const clockwork = await clockworkFor(app, tx, request, ask, timer)
  if (clockwork === null) return null
  if (at.kind === 'every') return nextBy(at.rhythm, from, clockwork, request.limits, last)
  const time = at.time === null ? null : clockTime(at.time, request.limits)
  if (time === null && at.time !== null) return null
  if (at.kind === 'after entering') {
    if ('of' in at.length) return worked(from, at.length, 1, time, ask, clockwork)
    const length = await ask(at.length)
    return length === null ? null : later(from, length, time, clockwork)
  }
  const due = await ask(at.at)
  if (due === null) return null
  const moment = at.at.type.kind === 'moment' ? new Date(due) : momentAt(due, time!, clockwork.zone)
  if (at.working === null) return moment
  return worked(moment, at.working, at.working.before ? -1 : 1, time, ask, clockwork)
}

/** The clocks and days that a timer goes by; null: it is not known whose. */
async function clockworkFor(app: App, tx: Tx, request: Request, ask: Ask, { at }: Timer): Promise<Clockwork | null> {
  const whose = whoseDays(at)
  const id = whose === null ? null : await ask(whose)
  if (whose !== null && id === null) return null
  return clockworkOf(app, id === null ? request.closed : await closedFor(tx, app, id))
}

/** So many working days or hours after a moment; before it, where `sign` is negative. */
async function worked(
  from: Date,
  { of, count }: Working,
  sign: 1 | -1,
  time: TimeOfDay | null,
  ask: Ask,
  clockwork: Clockwork,
): Promise<Date | null> {
  const said = await ask(count)
  if (said === null) return null
  const by = Number(said) * sign
  return of === 'days' ? workingDaysLater(from, by, time, clockwork) : workingHoursLater(from, by, clockwork)
}

interface Due {
  readonly timer: Timer
  /** ISO 8601, or never. */
  readonly at: string
  readonly stood: Stood
}

/** Those of the timers that are to be armed for a record of theirs. */
async function dueOf(
  tx: Tx,
  app: App,
  request: Request,
  related: Related,
  timers: readonly Timer[],
  record: Draft,
  since: (timer: Timer) => Since,
): Promise<readonly Due[]> {
  const due: Due[] = []
  const awaited = timers.some(({ waits }) => waits !== null)
    ? await awaitedBy(tx, app, request, record.id, timers[0]!.entity)
    : null
  for (const timer of timers) {
    if (timer.waits !== null && awaited?.has(timer.waits) !== true) continue
    related.put(timer.entity, record)
    const ask = asking(tx, app, request, related, timer.entity, record)
    const from = since(timer)
    const at = await dueAt(tx, app, request, ask, record, timer, from)
    const stood = timer.stands === null ? [] : stoodBy(from.held?.stood ?? [], stands(timer, record), request.now)
    const moved =
      at === null ? null : await standing(tx, app, request, ask, record, timer, { at, stood, held: from.held })
    if (moved !== null) due.push({ timer, at: moved, stood })
  }
  return due
}

/** When it is due, as its clock stood. What has fired and counts from entering, or stands, stays so. */
async function standing(
  tx: Tx,
  app: App,
  request: Request,
  ask: Ask,
  record: RecordValue,
  timer: Timer,
  { at, stood, held }: { readonly at: Date; readonly stood: Stood; readonly held: Held | undefined },
): Promise<string | null> {
  if (timer.stands === null) return at.toISOString()
  const isStanding = stands(timer, record)
  if (held?.fired_at != null && (isStanding || timer.at.kind === 'after entering')) return held.due_at
  if (isStanding) return never
  const clockwork = await clockworkFor(app, tx, request, ask, timer)
  return clockwork === null ? null : (dueStanding(at, stood, timer.at, clockwork)?.toISOString() ?? null)
}

/** Keys of the approvals for which a record waits. */
export async function awaitedBy(
  tx: Tx,
  app: App,
  request: Request,
  record: string,
  entity: string,
): Promise<ReadonlySet<string>> {
  const query = cachedStatement(app, ['awaited', entity], () => {
    const parts = app.workflows
      .get(entity)!
      .approvals.map(
        approval =>
          sql`case when ${conditionSql(isAwaited(app, entity, approval, 't'))} then ${approval.key}::text end`,
      )
    return built(sql`select array_remove(array[${join(parts, ', ')}], null) as keys from ${fromSql(entity, 't')}
      where ${columnSql('t', 'id')} = ${slot('id')}::uuid`)
  })
  const [found] = await tx.run<{ keys: readonly string[] }>(query, bindingsOf(request, { id: record }))
  return new Set(found?.keys ?? [])
}

/** A record that is written, or a list of its rows. */
interface Timed {
  readonly entity: string
  /** None is armed, while the record is archived. */
  readonly timers: readonly Timer[]
  readonly records: readonly Draft[]
  /** Those that are there no more. */
  readonly gone: readonly string[]
}

/** The record and its lists, as far as there are timers. */
function timedIn(
  app: App,
  { entity, record, old }: Pick<ChangedRecord, 'entity' | 'record' | 'old'>,
): readonly Timed[] {
  const all = (of: string) => (isArchived(record) ? [] : timersOf(app, of))
  const rows = deepLists(app, entity).map((list): Timed => {
    const [records, before] = [record, old].map(one => rowsAt(one, list) as readonly Draft[])
    const kept = new Set(records!.map(({ id }) => id))
    const gone = before!.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
    return { entity: list.entity, timers: all(list.entity), records: records!, gone }
  })
  const own: Timed = { entity, timers: all(entity), records: [record], gone: [] }
  return [own, ...rows].filter(one => timersOf(app, one.entity).length > 0)
}

/**
 * Brings the timers of the record, and of its rows, to what they say now. A timer that has fired stays so until its due time moves: a reminder is not
 * sent again because something else of the record was changed. What counts from entering a state, or comes back, is armed once,
 * when the record comes into the state. Other records whose timers read this one are looked at behind the commit. Of sample data, what was due before they were put in has happened by then.
 */
export async function armTimers(
  { tx, runtime, request, related }: Scope,
  about: ChangedRecord,
  which: 'new' | 'stored' | 'sampled' = 'stored',
): Promise<void> {
  const { app } = runtime
  const { entity, record, old } = about
  await closedDayChanged(tx, runtime, request, entity)
  await markReaders(tx, runtime, request, entity, record, old)
  related.put(entity, record)
  for (const timed of timedIn(app, about)) await armThese(tx, runtime, request, related, timed, which)
}

async function armThese(
  tx: Tx,
  { app, wake }: Runtime,
  request: Request,
  related: Related,
  { entity, timers, records, gone }: Timed,
  which: 'new' | 'stored' | 'sampled',
): Promise<void> {
  const due: (Armed & { readonly how: 'moves' | 'lasts' | 'stands' })[] = []
  const ids = [...records.map(({ id }) => id), ...gone]
  const mayStand = which === 'stored' && timers.some(timer => timer.stands !== null)
  const held = mayStand ? await heldOf(tx, entity, ids) : noneHeld
  for (const record of records) {
    const since = (timer: Timer): Since => {
      const found = timer.stands === null ? undefined : held(record.id, timer)
      const entered = timer.at.kind === 'after entering' ? found?.armed_at : null
      return { from: new Date(entered ?? request.now), last: null, held: found }
    }
    for (const { timer, at, stood } of await dueOf(tx, app, request, related, timers, record, since)) {
      const how = timer.stands !== null ? 'stands' : timer.at.kind === 'once' ? 'moves' : 'lasts'
      due.push({ record: record.id, timer: timer.key, due: at, stood, how })
    }
  }
  if (which === 'stored' && ids.length > 0) await disarmOthers(tx, app, entity, ids, due)
  if (due.length === 0) return
  const now = request.now.toISOString()
  const isDue = due.some(one => one.due <= now)
  if (wake !== undefined && isDue && which !== 'sampled') tx.afterCommit(wake)
  for (const [how, statement] of [
    ['moves', arm],
    ['lasts', armNew],
    ['stands', armStanding],
  ] as const) {
    const these = due.filter(one => one.how === how)
    if (these.length > 0) tx.writeAhead(statement, { entity, now, due: JSON.stringify(these) })
  }
  if (which === 'sampled' && isDue) tx.writeAhead(firedBefore, { entity, records: ids, now })
}

/** As the database is told: which timer of which record, and when. */
interface Armed {
  readonly record: string
  readonly timer: string
  readonly due: string
  readonly stood: Stood
}

/** What was armed for records by a timer that looks for its records stays beside their own, and so does the mark of what reads them. */
function disarmOthers(
  tx: Tx,
  app: App,
  entity: string,
  records: readonly string[],
  due: readonly Armed[],
): Promise<number> {
  const beside = [rearmMark, ...app.sweeps.filter(sweep => sweep.entity === entity).map(({ key }) => key)]
  return tx.write(disarm, { entity, records, beside, due: JSON.stringify(due) })
}

const given = sql`jsonb_to_recordset(${slot('due')}::jsonb) as d (record uuid, timer text, due timestamptz, stood jsonb)`

const disarm = built(sql`
  delete from ninefold.timer as t where t.entity = ${slot('entity')} and t.record = any(${slot('records')}::uuid[])
    and t.timer <> all(${slot('beside')}::text[])
    and not exists (select from ${given} where d.record = t.record and d.timer = t.timer)`)

const armed = sql`
  insert into ninefold.timer as t (entity, record, timer, due_at, armed_at, stood)
  select ${slot('entity')}, d.record, d.timer, d.due, ${slot('now')}::timestamptz, nullif(d.stood, '[]') from ${given}`

const armNew = built(sql`${armed} on conflict (entity, record, timer) do nothing`)

const arm = built(sql`${armed}
  on conflict (entity, record, timer) do update
    set due_at = excluded.due_at, armed_at = excluded.armed_at, fired_at = null, attempts = 0, last_error = null,
      claimed_until = null, claimed_by = null
    where t.due_at <> excluded.due_at`)

/** What has fired stays so, unless its time moves. */
const armStanding = built(sql`${armed}
  on conflict (entity, record, timer) do update
    set due_at = excluded.due_at, stood = excluded.stood, fired_at = case when t.due_at = excluded.due_at then t.fired_at end,
      attempts = 0, last_error = null, claimed_until = null, claimed_by = null
    where t.due_at <> excluded.due_at or t.stood is distinct from excluded.stood`)

const firedBefore = built(sql`
  update ninefold.timer set fired_at = due_at
  where entity = ${slot('entity')} and record = any(${slot('records')}::uuid[]) and due_at <= ${slot('now')}::timestamptz`)

/** The record is deleted, and with it its rows; or it is archived. */
export async function disarmTimers(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  record: Draft,
): Promise<void> {
  await closedDayChanged(tx, runtime, request, entity)
  await tx.write(forget, { entity, records: [record.id] })
  for (const { entity: of, records } of timedIn(runtime.app, { entity, record, old: null }))
    if (of !== entity) await tx.write(forget, { entity: of, records: records.map(({ id }) => id) })
  await markReaders(tx, runtime, request, entity, null, record)
}

const forget = built(sql`
  delete from ninefold.timer where entity = ${slot('entity')} and record = any(${slot('records')}::uuid[])`)

/** A day without work that comes, goes or moves changes what timers go by. */
async function closedDayChanged(tx: Tx, runtime: Runtime, request: Request, entity: string): Promise<void> {
  const { app } = runtime
  const closing = app.workingTime?.closed?.entity
  if (closing !== undefined && (closing === entity || withParent(app, closing) === entity))
    await markForRearming(tx, runtime, request, timedOf(runtime.app))
}

/**
 * Brings timers of these records that have not fired to what decides about them now; what is due already stays so. One that has fired is
 * armed anew where its moment, which it reads of other records, has moved behind `changed`, when that was. `asking`: for a record, under
 * whose constants.
 */
export async function rearmRecords(
  tx: Tx,
  { app }: Runtime,
  asking: (record: Draft) => Request,
  related: Related,
  entity: string,
  records: readonly Draft[],
  changed: Date,
): Promise<void> {
  const ids = records.map(({ id }) => id)
  const held = await heldOf(tx, entity, ids)
  const living = await liveAmong(tx, app, entity, ids)
  const due: (Armed & { readonly how: 'again' | 'ahead' | 'stands' })[] = []
  for (const record of records) {
    const request = asking(record)
    const from = (timer: Timer): Since => {
      const found = held(record.id, timer)
      const { armed_at = null, last_at = null } = found ?? {}
      const entered = timer.at.kind === 'after entering' ? armed_at : null
      return { from: new Date(entered ?? request.now), last: last_at === null ? null : new Date(last_at), held: found }
    }
    const timers = living.has(record.id) ? timersOf(app, entity) : []
    for (const { timer, at, stood } of await dueOf(tx, app, request, related, timers, record, from)) {
      const again = timer.at.kind === 'once' && elsewhereIn(timer).length > 0
      const how = timer.stands !== null ? 'stands' : again ? 'again' : 'ahead'
      due.push({ record: record.id, timer: timer.key, due: at, stood, how })
    }
  }
  await disarmOthers(tx, app, entity, ids, due)
  const now = asking(records[0]!).now.toISOString()
  const these = (how: (typeof due)[number]['how']) => due.filter(one => one.how === how)
  const [again, ahead, standing] = [these('again'), these('ahead'), these('stands')]
  if (again.length > 0)
    await tx.write(moveAgain, { entity, now, changed: changed.toISOString(), due: JSON.stringify(again) })
  if (ahead.length > 0) await tx.write(move, { entity, now, due: JSON.stringify(ahead) })
  if (standing.length > 0) await tx.write(armStanding, { entity, now, due: JSON.stringify(standing) })
}

/** Those that are not archived, of rows with what they are part of. */
async function liveAmong(tx: Tx, app: App, entity: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const condition = live(app, entity, 't')
  if (typeof condition === 'boolean') return new Set(ids)
  const query = cachedStatement(app, ['live among', entity], () =>
    built(sql`select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')}
      where ${columnSql('t', 'id')} = any(${slot('ids')}::uuid[]) and ${condition}`),
  )
  return new Set((await tx.run<{ id: string }>(query, { ids })).map(({ id }) => id))
}

/** A timer as it is armed. */
interface Held {
  readonly record: string
  readonly timer: string
  readonly due_at: string
  readonly armed_at: string | null
  readonly last_at: string | null
  readonly fired_at: string | null
  readonly stood: Stood | null
}

type HeldOf = (record: string, timer: Timer) => Held | undefined

const noneHeld: HeldOf = () => undefined

/** What is armed for some records. */
async function heldOf(tx: Tx, entity: string, records: readonly string[]): Promise<HeldOf> {
  const rows = await tx.run<Held>(heldBy, { entity, records })
  const found = new Map(rows.map(one => [`${one.record} ${one.timer}`, one]))
  return (record, { key }) => found.get(`${record} ${key}`)
}

const heldBy = built(sql`
  select record, timer, due_at, armed_at, last_at, fired_at, stood from ninefold.timer
  where entity = ${slot('entity')} and record = any(${slot('records')}::uuid[])`)

const moved = sql`set due_at = excluded.due_at, fired_at = null, attempts = 0, last_error = null`
const ahead = sql`t.fired_at is null and t.due_at > ${slot('now')}::timestamptz`

const move = built(sql`${armed}
  on conflict (entity, record, timer) do update ${moved} where ${ahead} and t.due_at <> excluded.due_at`)

const moveAgain = built(sql`${armed}
  on conflict (entity, record, timer) do update ${moved}
    where (${ahead} or (t.fired_at is not null and excluded.due_at > ${slot('changed')}::timestamptz)) and t.due_at <> excluded.due_at`)

/** When a timer that comes back fires after this time, and fired at `last`; null: it is over. `closed`: the days that count (`daysOf`). */
export function nextDue(
  { app }: Runtime,
  request: Request,
  { at }: Timer,
  closed: readonly string[],
  last: Date | null = null,
): Date | null {
  if (at.kind !== 'every') return null
  return nextBy(at.rhythm, request.now, clockworkOf(app, closed), request.limits, last)
}

/** The closed days by which a timer of a record comes back. */
export async function daysOf(
  { app, store }: Runtime,
  request: Request,
  { entity, at }: Timer,
  id: string,
): Promise<readonly string[]> {
  const whose = at.kind === 'every' ? at.whose : null
  const [record] = whose === null ? [] : await loadRecords(store, app, entity, [id], 'as it is')
  if (whose === null || record === undefined) return request.closed
  const named = { entity, record, old: null, this: null }
  const its = await workedOut(store, app, request, relatedRecords(store, app, 'as it is'), whose, named)
  return typeof its === 'string' ? closedFor(store, app, its) : request.closed
}
