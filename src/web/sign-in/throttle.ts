/**
 * How often somebody may try to sign in, or have a link sent: a delay that grows, per account and per address, and never a lock-out
 * (which would let a stranger shut people out). Counted in the database, before the result is known, in one statement: attempts made
 * at once, by several processes, or around a restart, count one by one.
 */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from '../../expression/sql.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { Request } from '../../run/request.ts'
import { takesNothing } from '../../store/failures.ts'
import type { Store } from '../../store/pool.ts'

/** Seconds that the clocks of processes may differ: what another one counted a little ahead counts, what is further ahead was a wrong clock. */
const skew = 300

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

/** By what was typed as the account: a person mistypes a few times. */
export const perAccount = ({ limits }: Pick<Request, 'limits'>): Allowance => ({
  name: 'account',
  free: engineValue(limits, 'sign_in_attempts'),
  first: 2,
  longest: 60,
  forgiven: 900,
})
/** By network address: a whole office may share one. */
export const perAddress: Allowance = { name: 'address', free: 40, first: 2, longest: 60, forgiven: 900 }
/** Codes of a second factor, by person: six digits must not be tried out. */
export const perCode: Allowance = { name: 'code', free: 5, first: 4, longest: 300, forgiven: 3600 }
/** Codes of one record, by its number as it was typed, whether there is one or not: then it is closed to codes for a while. */
export const perCase = ({ limits }: Pick<Request, 'limits'>): Allowance => ({
  name: 'case',
  free: engineValue(limits, 'code_attempts'),
  first: engineValue(limits, 'code_pause') * 60,
  longest: engineValue(limits, 'code_pause') * 60,
  forgiven: 900,
})
/** Links sent to one account: its mailbox is not a stranger's to fill. */
export const linksPerAccount: Allowance = { name: 'links', free: 3, first: 30, longest: 600, forgiven: 3600 }

/** Forms that whoever comes may send, by network address. */
export const formsPerAddress = ({ limits }: Pick<Request, 'limits'>): Allowance => ({
  name: 'form',
  free: engineValue(limits, 'visitor_forms'),
  first: 30,
  longest: 600,
  forgiven: 3600,
})

/** Files that come with them: what is sent is kept for a day, whether the form is taken or not. */
export const filesPerAddress = ({ limits }: Pick<Request, 'limits'>): Allowance => ({
  name: 'file',
  free: engineValue(limits, 'visitor_files'),
  first: 30,
  longest: 600,
  forgiven: 3600,
})

/** What somebody sends without a session and is kept for them: a stranger must not push out what others typed. */
export const keptPerAddress: Allowance = { name: 'kept', free: 60, first: 2, longest: 60, forgiven: 900 }

/**
 * Whom an address is counted as. One household, or one rented machine, has 2^64 addresses of IPv6: they count as one. Some proxies put
 * the port behind it, which is another with each connection.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(bare)) return bare
  const [head = '', tail = ''] = bare.replace(/%.*$/, '').split('::')
  const [left, right] = [head, tail].map(part => (part === '' ? [] : part.split(':'))) as [string[], string[]]
  const all = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${all
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Seconds to wait; 0: go on, and this attempt is counted. An attempt that is refused does not count. */
export async function attempt(store: Store, allowance: Allowance, who: string, now: Date): Promise<number> {
  const key = keyOf(allowance, who)
  const { free, first, longest, forgiven } = allowance
  const again = sql`(case when attempt.last_at < ${now}::timestamptz - make_interval(secs => ${forgiven}) then 1 else attempt.failures + 1 end)`
  // The exponent is bounded so that the power stays a number; the result is bounded by `longest` anyway.
  const delay = sql`make_interval(secs => least(${first} * power(2, least(${again} - ${free}, 20)), ${longest}))`
  return store.inTransaction(async tx => {
    const [counted] = await tx.query(sql`
      insert into ninefold.attempt (key, failures, last_at) values (${key}, 1, ${now})
      on conflict (key) do update set
        failures = ${again},
        last_at = ${now},
        blocked_until = case when ${again} >= ${free} then ${now}::timestamptz + ${delay} end
      where attempt.blocked_until is null or attempt.blocked_until <= ${now}
        -- A clock that went back must not keep anybody waiting for longer than the longest delay.
        or attempt.blocked_until > ${now}::timestamptz + make_interval(secs => ${longest + skew})
      returning failures`)
    if (counted !== undefined) return 0
    const [blocked] = await tx.query<{ blocked_until: string }>(
      sql`select blocked_until from ninefold.attempt where key = ${key}`,
    )
    return blocked === undefined
      ? 0
      : Math.max(1, Math.ceil((Date.parse(blocked.blocked_until) - now.getTime()) / 1000))
  })
}

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
      and taken.last_at <= ${now}::timestamptz + make_interval(secs => ${String(skew)}::integer)`
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

/** After a sign-in that succeeded. What has long been quiet goes too. */
export async function forgive(store: Store, allowance: Allowance, who: string, now: Date): Promise<void> {
  await store.inTransaction(tx =>
    tx.write(sql`
      delete from ninefold.attempt
      where key = ${keyOf(allowance, who)} or last_at < ${now}::timestamptz - interval '1 day'`),
  )
}

/**
 * Seconds until the next minute begins, once this one is full; 0: go on, and this is counted. All processes count together. Where the
 * database keeps nothing, nothing is counted: what is there can be read.
 */
export async function countInMinute(
  store: Store,
  { what, who, most, now }: { readonly what: string; readonly who: string; readonly most: number; readonly now: Date },
): Promise<number> {
  const minute = Math.floor(now.getTime() / 60_000)
  const isNow = sql`(m.minute between excluded.minute and excluded.minute + ${String(skew / 60)}::bigint)`
  const counted = await store
    .inTransaction(tx =>
      tx.write(sql`
      insert into ninefold.minute as m (key, minute, count) values (${`${what}:${who}`}, ${minute}, 1)
      on conflict (key) do update set minute = case when ${isNow} then m.minute else excluded.minute end,
        count = case when ${isNow} then m.count + 1 else 1 end
      where not ${isNow} or m.count < ${most}::bigint`),
    )
    .catch((error: unknown) => {
      if (!takesNothing(error)) throw error
      return 1
    })
  return counted > 0 ? 0 : 60 - Math.floor((now.getTime() % 60_000) / 1000)
}

/** What was typed may be anything, a password in the wrong box included: only its hash is kept. */
const keyOf = (allowance: Pick<Allowance, 'name'>, who: string): string =>
  `${allowance.name}:${createHash('sha256').update(who).digest('base64url')}`
