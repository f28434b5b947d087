/**
 * Receivers that keep failing pause (circuit breaker), so that a server that is down is left alone and nobody's attempts are used up on it:
 * whoever takes the calls of one name, and the mail server.
 * After the pause a probe, one call that counts for no attempt, shows whether it works again: the next pause is longer, or all that waits
 * goes on. As long as all failures are of one row, it alone pauses: what is wrong with that one holds up nobody else.
 */
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import { orderedTogether } from '../../headings/7-calls/ordered.ts'
import type { App } from '../../headings/app.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { unclaimed } from '../claim.ts'
import { built } from '../statements.ts'

/** Failures one after the other that open it. */
const patience = 5
/** Seconds of the first pause, each further one twice as long, and of the longest. */
const firstPause = 15
const longestPause = 300
/** Seconds ahead that a pause is believed to end: more comes from a clock that was wrong. */
const believed = 2 * longestPause

/** What the mail server is called, among the calls. */
export const mailServer = 'SMTP'

/** Who is sent to: whoever takes a call of this name, or the mail server. */
export const receiverOf = (row: 'd' | 'e' | 'o' | 'p'): Sql =>
  raw(`(case ${row}.kind when 'mail' then '${mailServer}' else ${row}.name end)`)

/**
 * A call leaves in the order in which it was caused, among those of its queue: of its own kind, and of those that keep one order with it
 * (`ordersOf`).
 */
export const isBehind = (row: 'd' | 'e'): Sql => sql`exists (
  select from (select ${raw(row)}.name union select o.other from unnest(${slot('ordered')}::text[], ${slot('ordered_with')}::text[])
      as o (name, other) where o.name = ${raw(row)}.name) as kinds
    join ninefold.outbox as f on f.name = kinds.name
  where f.state = 'waiting' and f.kind = 'call' and f.queue = ${raw(row)}.queue and f.turn < ${raw(row)}.turn)`

/** What `isBehind` is given: calls that keep one order, two by two. */
export function ordersOf({ calls }: Pick<App, 'calls'>) {
  const pairs = [...orderedTogether(calls)].flatMap(([name, all]) => [...all].map(other => [name, other] as const))
  return { ordered: pairs.map(([name]) => name), ordered_with: pairs.map(([, other]) => other) }
}

/** It was tried, or its time has come: what its reader wants in the morning, and what can still be taken back, waits for its time whoever is back. */
const isUnderWay = (row: 'e' | 'o'): Sql =>
  sql`(${raw(row)}.last_at is not null or ${raw(row)}.due_at <= ${slot('now')}::timestamptz)`

const pausing = sql`b.failures >= ${slot('patience')}::integer`

/** Something is on its way to the receiver that pauses: one at a time shows whether it is back, whichever process sends it. */
const isAsked = sql`exists (select from ninefold.outbox as p
  where p.state = 'waiting' and ${receiverOf('p')} = b.call and not ${unclaimed('p')})`

/** Of those that are tried next, one for each receiver whose pause is over. Once for the statement, however many wait. */
const probes = (value: Sql) => sql`array(select (
    select ${value} from ninefold.outbox as e where e.state = 'waiting' and ${receiverOf('e')} = b.call
      and ${isUnderWay('e')}
      and not (e.quiet and ${slot('hushed')}::boolean)
      and not ${isBehind('e')}
      and (b.failed_by is null or b.failed_by = e.id)
    order by e.last_at nulls first, e.due_at, e.turn limit 1)
  from ninefold.breaker as b where ${pausing} and (b.failed_by is not null or not ${isAsked})
    and (b.open_until > ${slot('now')}::timestamptz and b.open_until <= ${slot('beyond_pause')}::timestamptz) is not true)`

const lastTry = (row: 'd' | 'e'): Sql => raw(`coalesce(${row}.last_at, '-infinity')`)

/**
 * The row `d` of the outbox may be tried: it is due and does not pause, or the pause is over and it is the one that shows whether the other
 * side is back, however far away its own next attempt is: the one that was tried least lately. Who finds that another process has tried it
 * while it looked leaves it.
 */
export const mayBeTried = (isDue: Sql): Sql => sql`(
  d.id = any(${probes(raw('e.id'))}) and ${lastTry('d')} = any(${probes(lastTry('e'))}) or ${isDue}
  and ${receiverOf('d')} <> all(array(select b.call from ninefold.breaker as b where ${pausing} and b.failed_by is null))
  and d.id <> all(array(select b.failed_by from ninefold.breaker as b where ${pausing} and b.failed_by is not null)))`

/** The receiver of the row `o` pauses: an attempt only shows whether it is back. */
export const isProbe = sql`exists (select from ninefold.breaker as b where b.call = ${receiverOf('o')} and ${pausing}
  and (b.failed_by is null or b.failed_by = o.id))`

export const pauseBindings = (now: Date) => ({
  patience,
  beyond_pause: new Date(now.getTime() + believed * 1000).toISOString(),
})

/** Notes how an attempt to deliver a row went. `random`: from 0 up to 1, spreads the ends of pauses. `retryAfter`: seconds that the other side asks for. */
export async function noteAttempt(
  store: Reader,
  { id, receiver: call }: { readonly id: string; readonly receiver: string },
  went: 'well' | 'badly',
  now: Date,
  random: () => number,
  retryAfter: number | null = null,
): Promise<void> {
  if (went === 'well') await store.run(closed, { call, now: now.toISOString(), patience })
  else
    await store.run(failed, {
      call,
      row: id,
      now: now.toISOString(),
      first: firstPause,
      longest: longestPause,
      share: 1 - random() / 4,
      asked: Math.min(retryAfter ?? 0, believed),
      ...pauseBindings(now),
    })
}

// What waited for the other side goes on at once, in its order, however far away its next attempt had been put.
const closed = built(sql`
  with gone as (delete from ninefold.breaker where call = ${slot('call')} returning failures, failed_by)
  update ninefold.outbox as o set due_at = ${slot('now')}::timestamptz from gone
  where gone.failures >= ${slot('patience')}::integer and gone.failed_by is null
    and o.state = 'waiting' and ${receiverOf('o')} = ${slot('call')} and ${isUnderWay('o')}`)

// Attempts that were under way when it opened do not make the pause longer.
const failed = built(sql`
  insert into ninefold.breaker as b (call, failures, opened, open_until, failed_at, failed_by)
  values (${slot('call')}, 1, 0, null, ${slot('now')}::timestamptz, ${slot('row')}::uuid)
  on conflict (call) do update set failures = b.failures + 1, failed_at = excluded.failed_at,
    failed_by = case when b.failed_by = excluded.failed_by then b.failed_by end,
    opened = b.opened + case when ${opens()} then 1 else 0 end,
    open_until = case when ${opens()} then ${slot('now')}::timestamptz + make_interval(secs => greatest(
      least(${slot('first')}::float8 * power(2, least(b.opened, 20)), ${slot('longest')}::float8) * ${slot('share')}::float8,
      ${slot('asked')}::float8))
      else b.open_until end`)

function opens() {
  return sql`(b.failures + 1 >= ${slot('patience')}::integer and (b.open_until is null
    or b.open_until <= ${slot('now')}::timestamptz or b.open_until > ${slot('beyond_pause')}::timestamptz))`
}

export interface Pause {
  /** Of the mail server, its name here. */
  readonly call: string
  readonly failures: string
  readonly open_until: string | null
  /** What waits for its end. */
  readonly waiting: string
}

/** Those that pause now, or are just tried again. */
export const pauses = (store: Reader, now: Date): Promise<readonly Pause[]> =>
  store.run<Pause>(paused, { patience, now: now.toISOString() })

const paused = built(sql`
  select b.call, b.failures, b.open_until, (select count(*) from ninefold.outbox as o
    where o.state = 'waiting' and ${receiverOf('o')} = b.call and (b.failed_by is null or b.failed_by = o.id)
      and ${isUnderWay('o')}) as waiting
  from ninefold.breaker as b where b.failures >= ${slot('patience')}::integer order by b.call`)

/** Somebody asks for it: one is tried at once, and all go if it is answered. Whether it paused. */
export const tryNow = async (tx: Tx, call: string, now: Date): Promise<boolean> =>
  (await tx.write(endPause, { call, now: now.toISOString(), patience })) > 0

const endPause = built(sql`
  update ninefold.breaker as b set open_until = ${slot('now')}::timestamptz where b.call = ${slot('call')} and ${pausing}`)
