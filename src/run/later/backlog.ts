/** How much waits to be done without anybody asking, and since when: what an operator watches. */
import { raw, slot, sql } from '../../expression/sql.ts'
import { tablesAreHeld } from '../../store/locks.ts'
import type { Reader } from '../../store/pool.ts'
import { rearmMark } from '../../store/system.ts'
import { built } from '../statements.ts'
import { pauses } from './breaker.ts'

export interface Backlog {
  /** Mails, calls and reports that wait or were given up, by what they are called in the document. */
  readonly outbox: readonly {
    readonly kind: string
    readonly name: string
    readonly waiting: number
    readonly failed: number
    /** Seconds since the oldest that waits was written; 0: none waits. */
    readonly age: number
  }[]
  /** Calls that pause because they kept failing. */
  readonly paused: readonly string[]
  /** Timers whose time has come. */
  readonly timers: { readonly due: number; readonly failed: number /** Seconds. */; readonly late: number }
  /** Imports and steps for many records that are under way, by kind. */
  readonly jobs: readonly { readonly kind: string; readonly open: number }[]
  /** `appliedAt`: of the last document, in seconds since 1970. */
  readonly tables: { readonly changing: boolean; readonly appliedAt: number }
}

/** Five statements, each by an index of what is still open, or as short. */
export async function readBacklog(store: Reader, now: Date): Promise<Backlog> {
  const bindings = { now: now.toISOString() }
  const [outbox, paused, timers, jobs, tables] = await Promise.all([
    store.run<{ kind: string; name: string; waiting: string; failed: string; age: string }>(waitingOrGivenUp, bindings),
    pauses(store, now),
    store.run<{ due: string; failed: string; late: string }>(dueTimers, bindings),
    store.run<{ kind: string; open: string }>(openJobs),
    store.run<{ changing: boolean; applied: string }>(tablesNow),
  ])
  const { due, failed, late } = timers[0]!
  return {
    outbox: outbox.map(one => ({
      ...one,
      waiting: Number(one.waiting),
      failed: Number(one.failed),
      age: Number(one.age),
    })),
    paused: paused.map(({ call }) => call),
    timers: { due: Number(due), failed: Number(failed), late: Number(late) },
    jobs: jobs.map(({ kind, open }) => ({ kind, open: Number(open) })),
    tables: { changing: tables[0]!.changing, appliedAt: Number(tables[0]!.applied) },
  }
}

const secondsSince = (moment: ReturnType<typeof sql>) =>
  sql`greatest(0, coalesce(extract(epoch from ${slot('now')}::timestamptz - ${moment}), 0))::float8`

const waitingOrGivenUp = built(sql`
  select kind, name, count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'failed') as failed,
    ${secondsSince(sql`min(created_at) filter (where state = 'waiting')`)} as age
  from ninefold.outbox where state in ('waiting', 'failed') group by kind, name order by kind, name`)

const dueTimers = built(sql`
  select count(*) as due, count(*) filter (where last_error is not null) as failed, ${secondsSince(sql`min(due_at)`)} as late
  from ninefold.timer where fired_at is null and due_at <= ${slot('now')}::timestamptz
    and left(timer, 1) <> ${raw(`'${rearmMark.slice(0, 1)}'`)}`)

const openJobs = built(sql`
  select kind, count(*) as open from ninefold.job where state in ('checking', 'applying') group by kind order by kind`)

const tablesNow = built(sql`
  select ${tablesAreHeld} as changing,
    (select coalesce(extract(epoch from applied_at), 0)::float8 from ninefold.document order by number desc limit 1) as applied`)
