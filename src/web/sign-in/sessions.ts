/** Where somebody is signed in, as they see it themselves: to end what they do not know. */
import { slot, sql } from '../../expression/sql.ts'
import type { Request, Runtime } from '../../run/request.ts'
import { bindingsOf } from '../../run/statements.ts'
import type { Store } from '../../store/pool.ts'
import { type Account, accountColumns, somePasswords } from './accounts.ts'
import { type Acted, actedSql } from './acting.ts'
import { hashOf, usedSince } from './session.ts'

export interface OpenSession {
  /** The hash of the token, as hexadecimal digits: names it, and signs nobody in. */
  readonly id: string
  readonly created: string
  readonly seen: string
  /** What the browser said of itself; null: nothing. */
  readonly agent: string | null
  /** The one that asks. */
  readonly own: boolean
}

/** One's own account with what its page shows of it. */
interface OwnAccount extends Account {
  /** Where they are signed in, the last used first. */
  readonly sessions: readonly OpenSession[]
  /** Issuers that they are connected with. */
  readonly issuers: readonly string[]
  /** Who acted as them, the latest first. */
  readonly acted: readonly Acted[]
  /** Whether anybody here signs in with a password. */
  readonly passwords: boolean
}

/** All of it in one statement. Null: nobody is signed in. */
export async function ownAccount(
  { app, store }: Runtime,
  request: Request,
  token: string | null,
): Promise<OwnAccount | null> {
  const own = token === null ? null : hashOf(token)
  const { now, limits } = request
  const [row] = await store.query<OwnAccount>(
    sql`select ${accountColumns}, ${somePasswords} as passwords,
      array(select issuer from ninefold.identity where identity.person = person.id order by issuer) as issuers,
      (select coalesce(jsonb_agg(to_jsonb(of) order by of.seen desc, of.created desc), '[]') from (
        select encode(token_hash, 'hex') as id, created_at as created, seen_at as seen, agent, token_hash is not distinct from ${own}::bytea as own
        from ninefold.session
        where session.person = person.id and ends_at > ${now}::timestamptz and seen_at > ${usedSince(limits, now)}::timestamptz
        order by seen_at desc, created_at desc limit 100) as of) as sessions,
      (select coalesce(jsonb_agg(to_jsonb(of) order by of.id desc), '[]') from (${actedSql(app, request, 'person')}) as of) as acted
    from public.person left join ninefold.account on account.person = person.id where person.id = ${slot('me')}::uuid`,
    bindingsOf(request),
  )
  return row ?? null
}

/** Ends one session of this person, or all but the one that asks. Gives how many. */
export async function endSessions(
  store: Store,
  person: string,
  which: { readonly id: string } | { readonly allBut: string | null },
): Promise<number> {
  const chosen =
    'id' in which
      ? sql`encode(token_hash, 'hex') = ${which.id}`
      : sql`token_hash is distinct from ${which.allBut === null ? null : hashOf(which.allBut)}::bytea`
  return store.inTransaction(tx =>
    tx.write(sql`delete from ninefold.session where person = ${person}::uuid and ${chosen}`),
  )
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox, Windows`; what is not known is shown as it came, empty where nothing came. */
export function agentText(agent: string | null): string {
  const named = [browsers, systems].flatMap(list => list.find(([like]) => like.test(agent ?? ''))?.[1] ?? [])
  return named.length === 0 ? (agent ?? '').slice(0, 60) : named.join(', ')
}
