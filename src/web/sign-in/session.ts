/**
 * Sessions on the server: the session cookie holds 256 random bits, the database their SHA-256, so that who reads the database cannot sign in.
 * A session ends after a time without use, after a longer time in any case, at sign-out, and with its account; a request that comes
 * after that is nobody's.
 */
import { hash } from 'node:crypto'
import { sql } from '../../expression/sql.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { Request } from '../../run/request.ts'
import { isPassing } from '../../store/failures.ts'
import type { Store, Tx } from '../../store/pool.ts'
import type { Random } from '../random.ts'
import type { RequestContext } from '../request-context.ts'

const tokenBytes = 32

export const newToken = (random: Random): string => random(tokenBytes).toString('base64url')

/** By way of a text: asked for as bytes, Node gives it three times as slowly. */
export const hashOf = (token: string): Buffer => Buffer.from(hash('sha256', token, 'binary'), 'binary')

/** What a browser that nobody is signed in with is known by, where it sent files. */
export function senderOf(visit: string): string {
  const hex = hashOf(`sender ${visit}`).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** A token as we give them out; anything else is not looked up. */
export const isToken = (text: string | undefined): text is string => text !== undefined && /^[\w-]{43}$/.test(text)

interface NewSession {
  readonly now: Date
  readonly random: Random
  readonly agent: string | undefined
  /** How they came in; absent: not by themselves. */
  readonly way?: string
  /** With a second factor. Default: without. */
  readonly strong?: boolean
  /** Constants that say for how long. Default: Ninefold's own. */
  readonly limits?: Request['limits']
}

/** A new session, always under a new token (a token from before signing in is never used on). Ended sessions are cleared away. */
export async function openSession(
  store: Store,
  person: string,
  { now, random, agent, way, strong = false, limits = {} }: NewSession,
): Promise<string> {
  const token = newToken(random)
  const ends = new Date(now.getTime() + engineValue(limits, 'session_length') * 3_600_000)
  await store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.session where ends_at <= ${now}`)
    await tx.write(sql`
      insert into ninefold.session (token_hash, person, created_at, seen_at, ends_at, agent, way, strong)
      values (${hashOf(token)}, ${person}, ${now}, ${now}, ${ends}, ${storable(agent)}, ${way ?? null}, ${strong})`)
  })
  return token
}

/** Gives how they had come in; null: nobody knows, or there was no such session. */
export async function closeSession(store: Store, token: string): Promise<string | null> {
  const [closed] = await store.inTransaction(tx =>
    tx.query<{ way: string | null }>(
      sql`delete from ninefold.session where token_hash = ${hashOf(token)} returning way`,
    ),
  )
  return closed?.way ?? null
}

/** Notes that the session was used. */
export async function touchSession(store: Store, token: string, now: Date): Promise<void> {
  await store.inTransaction(tx =>
    tx.write(
      sql`update ninefold.session set seen_at = ${now} where token_hash = ${hashOf(token)} and seen_at < ${now}`,
    ),
  )
}

/** Where a standby is read from: that somebody wrote in this session, or with this key, and how far the log of the database is. */
export async function noteWritten({ web, runtime, session, key }: RequestContext): Promise<void> {
  if (web.options.replica === undefined) return
  const by =
    session !== null
      ? sql`ninefold.session set written = pg_current_wal_insert_lsn() where token_hash = ${hashOf(session)}`
      : key !== null && key !== 'refused'
        ? sql`ninefold.api_key set written = pg_current_wal_insert_lsn() where id = ${key.id}::uuid`
        : null
  try {
    if (by !== null) await runtime.store.inTransaction(tx => tx.write(sql`update ${by}`))
  } catch (error) {
    // What was written is: it is answered.
    if (!isPassing(error)) throw error
  }
}

/** What forms of a session are bound to, unless it has come to its token from another one. */
export const formSecretOf = (token: string): string => hashOf(`ninefold forms ${token}`).toString('base64url')

/** Its person has shown anew who they are: it goes on under another token, and forms that are open stay good. False: it is none any more. */
export async function renewSession(
  store: Store,
  before: string,
  { token, by, now }: { readonly token: string; readonly by: 'password' | 'code'; readonly now: Date },
): Promise<boolean> {
  const confirmed = by === 'password' ? sql`${now}` : sql`confirmed_at`
  const written = await store.inTransaction(tx =>
    tx.write(sql`
      update ninefold.session set token_hash = ${hashOf(token)}, forms = coalesce(forms, ${formSecretOf(before)}), confirmed_at = ${confirmed}
      where token_hash = ${hashOf(before)}`),
  )
  return written > 0
}

/** The clock is moved by hand (`dev`): nobody was away for that long, nor comes from the future. */
export async function carrySessions(store: Store, now: Date, to: Date): Promise<void> {
  const by = sql`make_interval(secs => ${(to.getTime() - now.getTime()) / 1000}::double precision)`
  await store.inTransaction(tx =>
    tx.write(sql`
      update ninefold.session set created_at = created_at + ${by}, seen_at = seen_at + ${by},
        confirmed_at = confirmed_at + ${by}, ends_at = ends_at + ${by}
      where ends_at > ${now}`),
  )
}

/** After a second factor is given up: where none is left, no session of theirs counts as one with it. */
export async function weaken(tx: Tx, person: string): Promise<void> {
  await tx.write(sql`
    update ninefold.session set strong = false where person = ${person}::uuid
      and not exists (select from ninefold.second_factor as f where f.person = ${person}::uuid and f.confirmed_at is not null)
      and not exists (select from ninefold.passkey as k where k.person = ${person}::uuid)`)
}

/** Since when a session must have been used to be one. */
export const usedSince = (limits: Request['limits'], now: Date): Date =>
  new Date(now.getTime() - engineValue(limits, 'session_idle') * 60_000)

/** What a browser says of itself, as far as it can be stored. */
function storable(agent: string | undefined): string | null {
  if (agent === undefined) return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return agent.replace(/[\u0000-\u001f\u007f]|\p{Surrogate}/gu, '').slice(0, 300)
}
