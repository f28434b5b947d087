/** Fires the timers that are due, as the application itself. */
import type { Cell } from '../../document/source.ts'
import { slot, sql } from '../../expression/sql.ts'
import type { Act, Timer } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Tx } from '../../store/pool.ts'
import { nobody, rearmMark } from '../../store/system.ts'
import { Unavailable } from '../../store/unavailable.ts'
import { isArchived } from '../access/archived.ts'
import type { Condition } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { claimEnd, renewing, unclaimed } from '../claim.ts'
import { asTenant } from '../limits.ts'
import type { Outcome } from '../outcome.ts'
import { type Door, systemRequest } from '../people/people.ts'
import { remember } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { built } from '../statements.ts'
import { follow, setFields } from '../write/acts.ts'
import { changesOf } from '../write/change-set.ts'
import { check } from '../write/check.ts'
import { type ChangedRecord, deferEffects, recordEvent } from '../write/domain-events.ts'
import { changedDraft, type Draft } from '../write/draft-record.ts'
import { recompute } from '../write/recompute.ts'
import { holdsNow, type Locked, loadChildren, lockRecord } from '../write/record.ts'
import { type Scope, scopeOf } from '../write/scope.ts'
import { writtenWith } from '../write/set.ts'
import { withParent } from '../write/together.ts'
import { workedOut } from '../write/worked-out.ts'
import { brokenLater, refused, save } from '../write/write.ts'
import { writing } from '../write/writing.ts'
import { rearm } from './rearm.ts'
import { timersOf } from './rearm-mark.ts'
import { clockworkOf, isSkipped, lastOf } from './recurrence.ts'
import { nextSweep, sweep, sweepsOf, takeAlone, wantedBy } from './sweeps.ts'
import { armTimers, awaitedBy, daysOf, nextDue } from './timers.ts'

/** Tries before a timer is left alone, with its error beside it. */
const maximumAttempts = 8
/** Seconds until the next try after a failure, at most. */
const longestPause = 900

interface TimerKey {
  readonly entity: string
  readonly record: string
  readonly timer: string
}

interface DueTimer extends TimerKey {
  readonly attempts: string
  readonly due_at: string
  readonly armed_at: string | null
}

interface TimerContext {
  readonly worker: string
  /** At most so many timers in one round. */
  readonly limit: number
  /** Records that a sweep arms in one transaction. Default 500. */
  readonly batch?: number
  /** The clock is moved by hand (`dev`, scenarios): only what was over when it was armed is missed. */
  readonly moves?: boolean
}

/**
 * Fires the timers that are due. Each is claimed and its try counted before it runs, and fires in the transaction that marks it
 * as fired: once per due time, whoever works beside us or dies meanwhile.
 */
export async function fireTimers(runtime: Runtime, door: Door, context: TimerContext): Promise<number> {
  const { worker, limit } = context
  const now = door.now.toISOString()
  const due = await runtime.store.run<DueTimer>(claimTimers, {
    now,
    // A pause that ends further ahead than one can comes from a clock that was wrong.
    beyond: later(door.now, longestPause),
    worker,
    attempts: maximumAttempts,
    limit,
  })
  if (due.length === 0) return 0
  return renewing(() => runtime.store.run(renewTimers, { now, worker }), fireClaimed(runtime, door, context, due))
}

async function fireClaimed(
  runtime: Runtime,
  door: Door,
  context: TimerContext,
  due: readonly DueTimer[],
): Promise<number> {
  const request = await systemRequest(runtime, 'timer', door)
  let fired = 0
  for (const { entity, record, timer, attempts, due_at, armed_at } of due) {
    const key = { entity, record, timer }
    if (timer === rearmMark) {
      // With the constants and closed days of now: the mark may be younger than the request.
      await rearm(runtime, await systemRequest(runtime, 'timer', door), entity, context.worker, {
        about: record,
        changed: new Date(due_at),
      })
      continue
    }
    const firing =
      record === nobody
        ? fireDocument(runtime, request, entity, timer, context)
        : fireTimer(runtime, request, key, {
            due: new Date(due_at),
            seen: context.moves ? new Date(armed_at ?? due_at) : door.now,
          })
    let isOurs = true
    const error = await firing.then(
      outcome => (outcome.kind === 'refused' ? outcome.problems.map(({ message }) => message).join(' ') : null),
      (failure: unknown) => {
        // The database takes nothing: that says nothing of the timer, and uses up no try.
        isOurs = !(failure instanceof Unavailable)
        return failure instanceof Error ? failure.message : String(failure)
      },
    )
    if (error === null) fired++
    else {
      const tries = Number(attempts) - (isOurs ? 0 : 1)
      const pause = Math.min(longestPause, 5 * 2 ** tries)
      // What comes back is not left alone for ever: its next time is another try.
      const isLast = tries >= maximumAttempts
      const next = isLast ? ((await againAt(runtime, request, key))?.toISOString() ?? null) : null
      await runtime.store.run(timerFailed, {
        ...key,
        error,
        until: later(door.now, pause),
        next,
        tries: next === null ? tries : 0,
      })
    }
    runtime.observe?.({ kind: 'timer', ...key, error })
  }
  return fired
}

/** When what failed too often is due again; null: never. */
async function againAt(runtime: Runtime, request: Request, { entity, record, timer }: TimerKey): Promise<Date | null> {
  if (record === nobody) return nextSweep(runtime, request, entity, timer)
  const known = timersOf(runtime.app, entity).find(one => one.key === timer)
  return known === undefined ? null : nextDue(runtime, request, known, await daysOf(runtime, request, known, record))
}

const later = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString()

// What an update returns has no order of its own.
const claimTimers = built(sql`
  with claimed as (
    update ninefold.timer as t set claimed_until = ${claimEnd}, claimed_by = ${slot('worker')}, attempts = t.attempts + 1
    from (select entity, record, timer from ninefold.timer as o
      where fired_at is null and due_at <= ${slot('now')}::timestamptz and attempts < ${slot('attempts')}::integer
        and case when claimed_by is not null then ${unclaimed('o')}
          else claimed_until is null or claimed_until <= ${slot('now')}::timestamptz or claimed_until > ${slot('beyond')}::timestamptz end
      order by due_at limit ${slot('limit')}::integer for update skip locked) as d
    where t.entity = d.entity and t.record = d.record and t.timer = d.timer
    returning t.entity, t.record, t.timer, t.attempts, t.due_at, t.armed_at)
  select * from claimed order by due_at`)

/** Those that are still to fire, except what somebody is just writing. */
const renewTimers = built(sql`
  update ninefold.timer as t set claimed_until = ${claimEnd}
  from (select entity, record, timer from ninefold.timer
    where fired_at is null and due_at <= ${slot('now')}::timestamptz and claimed_by = ${slot('worker')} for update skip locked) as o
  where t.entity = o.entity and t.record = o.record and t.timer = o.timer`)

/** Until it is tried again it is nobody's: `claimed_until` is the end of the pause, by the clock that timers go by. */
const timerFailed = built(sql`
  update ninefold.timer set last_error = ${slot('error')}, claimed_by = null, due_at = coalesce(${slot('next')}::timestamptz, due_at),
    claimed_until = case when ${slot('next')}::timestamptz is null then ${slot('until')}::timestamptz end, attempts = ${slot('tries')}::integer
  where entity = ${slot('entity')} and record = ${slot('record')}::uuid and timer = ${slot('timer')} and fired_at is null`)

/** Fired, or due again at `next`. */
const takeTimer = built(sql`
  update ninefold.timer set due_at = coalesce(${slot('next')}::timestamptz, due_at), last_at = ${slot('last')}::timestamptz, attempts = 0,
    skipped_at = coalesce(${slot('skipped')}::timestamptz, skipped_at), fired_at = case when ${slot('next')}::timestamptz is null then ${slot('now')}::timestamptz end, claimed_until = null, claimed_by = null, last_error = null
  where entity = ${slot('entity')} and record = ${slot('record')}::uuid and timer = ${slot('timer')}
    and fired_at is null and due_at <= ${slot('now')}::timestamptz`)

/** Found by a sweep: it is armed for this time only. */
const takeFound = built(sql`
  delete from ninefold.timer where entity = ${slot('entity')} and record = ${slot('record')}::uuid and timer = ${slot('timer')}
    and fired_at is null and due_at <= ${slot('now')}::timestamptz`)

/** `seen`: when somebody could first have done what was due then. */
interface DueTime {
  readonly due: Date
  readonly seen: Date
}

/** What fires: a timer of the record, or one that has found it. */
interface Firing {
  readonly cell: Cell
  readonly while: readonly string[] | null
  readonly waits: string | null
  /** What the database is asked of the record as it is stored. */
  readonly wanted: Condition
  readonly when: Timer['when']
  readonly then: readonly Act[]
  /** It is too late for this time. */
  readonly skipped: boolean
  /** Takes its time away; 0: somebody else has. */
  readonly take: (tx: Tx) => Promise<number>
}

async function firingOf(
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  key: string,
  { due, seen }: DueTime,
): Promise<Firing | null> {
  const { app } = runtime
  const row = { entity, record: id, timer: key, now: request.now.toISOString() }
  const timer = timersOf(app, entity).find(one => one.key === key)
  if (timer !== undefined) {
    const after = timer.missed?.kind === 'each' ? { ...request, now: due } : request
    const closed = await daysOf(runtime, request, timer, id)
    const next = nextDue(runtime, after, timer, closed, due)
    const last = next === null ? null : lastOf(due, next, request.now, clockworkOf(app, closed)).toISOString()
    const skipped = isSkipped(timer, due, seen)
    const taken = { ...row, next: next?.toISOString() ?? null, last, skipped: skipped ? due.toISOString() : null }
    return { ...timer, wanted: true, skipped, take: tx => tx.write(takeTimer, taken) }
  }
  const found = app.sweeps.find(one => one.entity === entity && one.key === key)
  if (found === undefined) return null
  return { ...found, waits: null, wanted: wantedBy(app, found), skipped: false, take: tx => tx.write(takeFound, row) }
}

/** Whether the timer's When holds of the record, which may be for a function of the document to say. */
async function isTime(
  { tx, app, request, related }: Scope,
  when: Timer['when'],
  entity: string,
  record: Draft,
): Promise<boolean> {
  if (when === null || isUnspecified(when)) return when === null
  related.put(entity, record)
  return (await workedOut(tx, app, request, related, when, { entity, record, old: null, this: null })) === true
}

/** The record that a row is written with, locked before it, as every write of the row does. */
async function lockAbove(tx: Tx, app: App, request: Request, entity: string, id: string): Promise<Locked | null> {
  const whole = await writtenWith(tx, app, entity, id)
  return whole === null ? null : lockRecord(tx, app, request, policyFor(app, request.actor), whole.entity, whole.id)
}

/** A timer of the document itself: it looks for its records, or is about none. */
function fireDocument(
  runtime: Runtime,
  request: Request,
  entity: string,
  key: string,
  { batch = 500, moves }: TimerContext,
): Promise<Outcome> {
  const found = sweepsOf(runtime.app, entity).find(one => one.key === key)
  if (found?.alone !== true) return sweep(runtime, request, entity, key, batch, moves)
  const record = { id: nobody }
  return writing(runtime, request, key, entity, async tx => {
    const isDue = (await takeAlone(tx, runtime, request, found, moves)) === 'due'
    if (isDue && (await isTime(scopeOf(tx, runtime, request), found.when, entity, record)))
      deferEffects(tx, {
        about: { entity, record, old: null },
        effects: [{ when: null, acts: found.then, isStep: false }],
      })
    return { kind: 'done', id: nobody, version: 1 }
  })
}

/** One timer of one record. A record that is gone, or no longer where the timer runs, has nothing to fire. */
async function fireTimer(
  runtime: Runtime,
  everybodys: Request,
  { entity, record: id, timer: key }: TimerKey,
  time: DueTime,
): Promise<Outcome> {
  const { app } = runtime
  const request = await asTenant(runtime, everybodys, entity, id)
  const timer = await firingOf(runtime, request, entity, id, key, time)
  const { partOf } = app.entities.get(entity)!
  return writing(runtime, request, key, withParent(app, entity), async tx => {
    const policy = policyFor(app, request.actor)
    const above = partOf === null ? null : await lockAbove(tx, app, request, entity, id)
    // The record before its timer, as every other write does it: so nobody waits for each other in a circle.
    const locked = await lockRecord(tx, app, request, policy, entity, id)
    const nothing: Outcome = { kind: 'done', id, version: locked?.version ?? 1 }
    const isKept = [locked, above].some(one => one !== null && isArchived(one.record))
    if (timer === null || locked === null || isKept || !(await isRunning(tx, app, request, timer, entity, locked))) {
      await tx.write(
        sql`delete from ninefold.timer where entity = ${entity} and record = ${id}::uuid and timer = ${key}`,
      )
      return nothing
    }
    if ((await timer.take(tx)) === 0 || timer.skipped) return nothing
    const [isWanted] = await holdsNow(tx, request, entity, id, [timer.wanted])
    await loadChildren(tx, app, entity, [locked.record])
    const scope = scopeOf(tx, runtime, request)
    if (!isWanted || !(await isTime(scope, timer.when, entity, locked.record))) return nothing
    if (above === null) return change(scope, entity, locked, timer, key)
    // A row is written with its record, as what follows from anything else writes it.
    const about = { entity, record: locked.record, old: null }
    deferEffects(tx, { about, effects: [{ when: null, acts: timer.then, isStep: false }] })
    return { kind: 'done', id: above.record.id, version: above.version }
  })
}

/** In the state in which the timer runs, and what it waits for may have been given by what was changed elsewhere. */
async function isRunning(
  tx: Tx,
  app: App,
  request: Request,
  timer: Firing,
  entity: string,
  { record }: Locked,
): Promise<boolean> {
  if (timer.while?.includes(record.state as string) === false) return false
  return timer.waits === null || (await awaitedBy(tx, app, request, record.id, entity)).has(timer.waits)
}

/** Does with a record what its timer says, and what follows from that. */
async function change(scope: Scope, entity: string, locked: Locked, timer: Firing, key: string): Promise<Outcome> {
  const { tx, app, request } = scope
  const old = locked.record
  const record = changedDraft(app, request, entity, old)
  const about: ChangedRecord = { entity, record, old }
  const set = await setFields(scope, { entity, record, old: null, this: null }, timer.then)
  const { fields, state } = set
  const moved = state !== null && state !== record.state
  if (moved) record.state = state
  let version = locked.version
  if (moved || fields.size > 0) {
    const touched = new Set([...fields, ...recompute(scope, about), ...(moved ? ['state'] : [])])
    const checked = await check(scope, { entity, record, old, on: key, touched, reported: new Set() })
    if (checked.problems.length > 0) return refused(checked.problems)
    version = await save(scope, entity, locked, record)
    const late = await brokenLater(scope, checked)
    if (late.length > 0) return refused(late)
  }
  remember(tx, app, request, {
    entity,
    record: record.id,
    version,
    kind: 'timer',
    what: key,
    fromState: (old.state as string | undefined) ?? null,
    toState: (record.state as string | undefined) ?? null,
    changes: changesOf(app, entity, old, record),
    because: timer.cell,
  })
  await follow(scope, about, timer.then, set)
  recordEvent(tx, app, { on: [], ...about })
  await armTimers(scope, about)
  return { kind: 'done', id: record.id, version }
}
