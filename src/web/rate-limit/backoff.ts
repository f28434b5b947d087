/**
 * Rate limit by exponential backoff: so many are free, then each has to wait twice as long as the one before. Counted in the database,
 * before the result is known, in one statement: attempts made at once, by several processes, or around a restart, count one by one.
 */
import { createHash } from 'node:crypto'
import { sql } from '../../expression/sql.ts'
import type { Store } from '../../store/pool.ts'

/** Seconds that the clocks of processes may differ: what another one counted a little ahead counts, what is further ahead was a wrong clock. */
export const clockSkew = 300

export interface Allowance {
  readonly name: string
  /** Attempts without any delay. */
  readonly free: number
  /** Seconds to wait after the first one beyond; doubled with each. */
  readonly first: number
  readonly longest: number
  /** Seconds of quiet after which everything is forgiven. */
  readonly forgiven: number
}

/** Who is counted, and by which allowance. */
export interface Counter {
  readonly allowance: Allowance
  readonly who: string
}

/** Seconds to wait; 0: go on, and this attempt is counted. An attempt that is refused does not count. */
export async function attempt(store: Store, allowance: Allowance, who: string, now: Date): Promise<number> {
  const counted = await count(store, { allowance, who }, now)
  return 'wait' in counted ? counted.wait : 0
}

/** `failures`: how many there are with this one. */
export async function count(
  store: Store,
  { allowance, who }: Counter,
  now: Date,
): Promise<{ readonly failures: number } | { readonly wait: number }> {
  const key = keyOf(allowance, who)
  const { free, first, longest, forgiven } = allowance
  const again = sql`(case when attempt.last_at < ${now}::timestamptz - make_interval(secs => ${forgiven}) then 1 else attempt.failures + 1 end)`
  // The exponent is bounded so that the power stays a number; the result is bounded by `longest` anyway.
  const delay = sql`make_interval(secs => least(${first} * power(2, least(${again} - ${free}, 20)), ${longest}))`
  return store.inTransaction(async tx => {
    const [counted] = await tx.query<{ failures: number }>(sql`
      insert into ninefold.attempt (key, failures, last_at) values (${key}, 1, ${now})
      on conflict (key) do update set
        failures = ${again},
        last_at = ${now},
        blocked_until = case when ${again} >= ${free} then ${now}::timestamptz + ${delay} end
      where attempt.blocked_until is null or attempt.blocked_until <= ${now}
        -- A clock that went back must not keep anybody waiting for longer than the longest delay.
        or attempt.blocked_until > ${now}::timestamptz + make_interval(secs => ${longest + clockSkew})
      returning failures`)
    if (counted !== undefined) return { failures: Number(counted.failures) }
    const [blocked] = await tx.query<{ blocked_until: string }>(
      sql`select blocked_until from ninefold.attempt where key = ${key}`,
    )
    return blocked === undefined
      ? { failures: 1 }
      : { wait: Math.max(1, Math.ceil((Date.parse(blocked.blocked_until) - now.getTime()) / 1000)) }
  })
}

/** An attempt that turned out to be none to count. Whoever waits because of it does so no more. */
export async function uncount(store: Store, { allowance, who }: Counter): Promise<void> {
  await store.inTransaction(tx =>
    tx.write(sql`
      update ninefold.attempt set failures = greatest(failures - 1, 0),
        blocked_until = case when failures > ${allowance.free} then blocked_until end
      where key = ${keyOf(allowance, who)}`),
  )
}

/** All that was counted. What has long been quiet goes too. */
export async function forgive(store: Store, { allowance, who }: Counter, now: Date): Promise<void> {
  await store.inTransaction(tx =>
    tx.write(sql`
      delete from ninefold.attempt
      where key = ${keyOf(allowance, who)} or last_at < ${now}::timestamptz - interval '1 day'`),
  )
}

/** What was typed may be anything, a password in the wrong box included: only its hash is kept. */
export const keyOf = (allowance: Pick<Allowance, 'name'>, who: string): string =>
  `${allowance.name}:${createHash('sha256').update(who).digest('base64url')}`
