/** Rate limit with a number for a span of time: `At most` of a form for everyone. */
import { sql } from '../../expression/sql.ts'
import type { Store } from '../../store/pool.ts'
import { attempt, clockSkew, keyOf } from './backoff.ts'

const seconds = { minute: 60, hour: 3600, day: 86_400 } as const

export interface SpanLimit {
  readonly what: string
  readonly most: number
  readonly span: keyof typeof seconds
}

/**
 * Each that is taken has a place of its own, which is free again when the span is over. `wait`: seconds, because as many were taken in
 * the span before this moment; that does not count.
 */
export async function takePlace(
  store: Store,
  { what, most, span }: SpanLimit,
  who: string,
  now: Date,
): Promise<{ readonly place: string } | { readonly wait: number }> {
  const key = keyOf({ name: what }, who)
  const places = sql`from generate_series(1, ${String(most)}::integer) as place (number)
    left join ninefold.attempt as taken on taken.key = ${key} || '/' || place.number
      and taken.last_at > ${now}::timestamptz - make_interval(secs => ${String(seconds[span])}::integer)
      -- A clock that went back must not keep anybody waiting.
      and taken.last_at <= ${now}::timestamptz + make_interval(secs => ${String(clockSkew)}::integer)`
  return store.inTransaction(async tx => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    const [found] = await tx.query<{ place: string }>(sql`
      insert into ninefold.attempt (key, failures, last_at)
      select ${key} || '/' || place.number, 1, ${now}::timestamptz ${places} where taken.key is null limit ${'1'}::integer
      on conflict (key) do update set last_at = excluded.last_at
      returning key as place`)
    if (found !== undefined) return { place: found.place }
    const [first] = await tx.query<{ at: string }>(sql`select min(taken.last_at) as at ${places}`)
    return { wait: Math.max(1, Math.ceil((Date.parse(first!.at) + seconds[span] * 1000 - now.getTime()) / 1000)) }
  })
}

/** So many may be refused for each that is taken. */
const refusedEach = 10

/** What was refused has no place, unless so many were that it is no longer somebody who corrects mistakes. */
export async function giveBack(
  store: Store,
  { what, most, span }: SpanLimit,
  who: string,
  place: string,
  now: Date,
): Promise<void> {
  const long = seconds[span]
  const allowance = { name: `${what} refused`, free: most * refusedEach, first: long, longest: long, forgiven: long }
  if ((await attempt(store, allowance, who, now)) > 0) return
  await store.inTransaction(tx =>
    tx.write(sql`delete from ninefold.attempt where key = ${place} and last_at = ${now}::timestamptz`),
  )
}
