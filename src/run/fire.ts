/** Fires the timers that are due, as the application itself. */
import { slot, sql } from '../expression/sql.ts'
import type { Timer } from '../headings/4-states/model.ts'
import { isUnspecified } from '../headings/said.ts'
import type { Tx } from '../store/pool.ts'
import { rearmMark } from '../store/system.ts'
import { follow, setFields } from './acts.ts'
import { allowFor } from './allow.ts'
import { changesOf } from './change-set.ts'
import { check } from './check.ts'
import { happened } from './happenings.ts'
import { remember } from './history.ts'
import { whereSql } from './names.ts'
import type { Outcome } from './outcome.ts'
import { systemRequest } from './people.ts'
import { rearm } from './rearm.ts'
import { type Draft, holdsNow, loadChildren, lockRecord, relatedRecords } from './record.ts'
import type { Request, Runtime } from './request.ts'
import { built } from './statements.ts'
import { armTimers, nextDue } from './timers.ts'
import { refused, save } from './write.ts'
import { writing } from './writing.ts'

/** Seconds that a worker may take for one timer; then another one tries. */
const lease = 30
/** Tries before a timer is left alone, with its error beside it. */
const maximumAttempts = 8
/** Seconds until the next try after a failure, at most. */
const longestPause = 900

interface DueTimer {
  readonly entity: string
  readonly record: string
  readonly timer: string
  readonly attempts: string
}

export interface TimerContext {
  readonly worker: string
  /** At most so many timers in one round. */
  readonly limit: number
}

/**
 * Fires the timers that are due. Each is claimed and its try counted before it runs, and fires in the transaction that marks it
 * as fired: once per due time, whoever works beside us or dies meanwhile.
 */
export async function fireTimers(runtime: Runtime, request: Request, context: TimerContext): Promise<number> {
  const now = request.now
  const due = await runtime.store.run<DueTimer>(claimTimers, {
    now: now.toISOString(),
    until: later(now, lease),
    // A claim further ahead than one can be comes from a clock that was wrong.
    beyond: later(now, Math.max(lease, longestPause)),
    worker: context.worker,
    attempts: maximumAttempts,
    limit: context.limit,
  })
  let fired = 0
  for (const { entity, record, timer, attempts } of due) {
    const key = { entity, record, timer }
    if (timer === rearmMark) {
      // With the constants and closed days of now: the mark may be younger than the request.
      await rearm(runtime, await systemRequest(runtime, 'timer', request), entity, context.worker)
      continue
    }
    const error = await fire(runtime, request, entity, record, timer).then(
      outcome => (outcome.kind === 'refused' ? outcome.problems.map(({ message }) => message).join(' ') : null),
      (failure: unknown) => (failure instanceof Error ? failure.message : String(failure)),
    )
    if (error === null) fired++
    else {
      const pause = Math.min(longestPause, 5 * 2 ** Number(attempts))
      // What comes back is not left alone for ever: its next time is another try.
      const known = runtime.app.workflows.get(entity)?.timers.find(one => one.key === timer)
      const isLast = Number(attempts) >= maximumAttempts && known !== undefined
      const next = isLast ? (nextDue(runtime, request, known)?.toISOString() ?? null) : null
      await runtime.store.run(timerFailed, { ...key, error, until: later(now, pause), next })
    }
    runtime.observe?.({ kind: 'timer', ...key, error })
  }
  return fired
}

const later = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString()

const claimTimers = built(sql`
  update ninefold.timer as t set claimed_until = ${slot('until')}::timestamptz, claimed_by = ${slot('worker')}, attempts = t.attempts + 1
  from (select entity, record, timer from ninefold.timer
    where fired_at is null and due_at <= ${slot('now')}::timestamptz and attempts < ${slot('attempts')}::integer
      and (claimed_until is null or claimed_until <= ${slot('now')}::timestamptz or claimed_until > ${slot('beyond')}::timestamptz)
    order by due_at limit ${slot('limit')}::integer for update skip locked) as d
  where t.entity = d.entity and t.record = d.record and t.timer = d.timer
  returning t.entity, t.record, t.timer, t.attempts`)

const timerFailed = built(sql`
  update ninefold.timer set last_error = ${slot('error')}, claimed_by = null, due_at = coalesce(${slot('next')}::timestamptz, due_at),
    claimed_until = case when ${slot('next')}::timestamptz is null then ${slot('until')}::timestamptz end,
    attempts = case when ${slot('next')}::timestamptz is null then attempts else 0 end
  where entity = ${slot('entity')} and record = ${slot('record')}::uuid and timer = ${slot('timer')} and fired_at is null`)

/** Fired, or due again at `next`. */
const takeTimer = built(sql`
  update ninefold.timer set due_at = coalesce(${slot('next')}::timestamptz, due_at), attempts = 0,
    fired_at = case when ${slot('next')}::timestamptz is null then ${slot('now')}::timestamptz end, claimed_until = null, claimed_by = null, last_error = null
  where entity = ${slot('entity')} and record = ${slot('record')}::uuid and timer = ${slot('timer')}
    and fired_at is null and due_at <= ${slot('now')}::timestamptz`)

/** Whether the timer's When holds of the record as it is stored. */
async function isTime(tx: Tx, request: Request, { when }: Timer, entity: string, id: string): Promise<boolean> {
  if (when === null) return true
  if (isUnspecified(when)) return false
  const [holds] = await holdsNow(tx, request, entity, id, [whereSql(when, 't')])
  return holds === true
}

/** One timer of one record. A record that is gone, or no longer where the timer runs, has nothing to fire. */
function fire(runtime: Runtime, request: Request, entity: string, id: string, key: string): Promise<Outcome> {
  const { app } = runtime
  const timer = app.workflows.get(entity)?.timers.find(one => one.key === key)
  return writing(runtime, request, key, entity, async tx => {
    const allow = allowFor(app, request.actor)
    // The record before its timer, as every other write does it: so nobody waits for each other in a circle.
    const locked = await lockRecord(tx, app, request, allow, entity, id)
    const nothing: Outcome = { kind: 'done', id, version: locked?.version ?? 1 }
    if (timer === undefined || locked === null || !timer.while.includes(locked.record.state as string)) {
      await tx.write(
        sql`delete from ninefold.timer where entity = ${entity} and record = ${id}::uuid and timer = ${key}`,
      )
      return nothing
    }
    const next = nextDue(runtime, request, timer)?.toISOString() ?? null
    const taken = await tx.write(takeTimer, { entity, record: id, timer: key, now: request.now.toISOString(), next })
    if (taken === 0 || !(await isTime(tx, request, timer, entity, id))) return nothing
    await loadChildren(tx, app, entity, [locked.record])
    const related = relatedRecords(tx, app)
    const record: Draft = { ...locked.record }
    const { fields, state } = await setFields(tx, app, request, related, entity, record, timer.then)
    const moved = state !== null && state !== record.state
    if (moved) record.state = state
    let version = locked.version
    if (moved || fields.size > 0) {
      const checked = await check(tx, runtime, request, allow, related, {
        entity,
        record,
        old: locked.record,
        on: key,
        touched: fields,
        settled: new Set(),
      })
      if (checked.problems.length > 0) return refused(checked.problems)
      version = await save(tx, runtime, request, entity, locked, record)
    }
    await remember(tx, app, request, {
      entity,
      record: id,
      version,
      kind: 'timer',
      what: key,
      fromState: locked.record.state as string,
      toState: record.state as string,
      changes: changesOf(app, entity, locked.record, record),
      because: timer.cell,
    })
    const old = locked.record
    await follow(tx, runtime, request, related, { entity, record, old }, timer.then)
    happened(tx, app, { on: [], entity, record, old })
    await armTimers(tx, runtime, request, related, entity, record)
    return { kind: 'done', id, version }
  })
}
