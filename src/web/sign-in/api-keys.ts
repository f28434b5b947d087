/**
 * Keys for programs: `nf_` and 256 random bits, of which the database holds the SHA-256. A key acts as its person in one of their roles,
 * and never as more than that person still is.
 */
import { sql } from '../../expression/sql.ts'
import type { Store, Tx } from '../../store/pool.ts'
import { keysOfPerson } from '../bounds.ts'
import type { Random } from '../random.ts'
import { hashOf, isToken, newToken } from './session.ts'

const prefix = 'nf_'

/**
 * What an `Authorization` header says: the key, `refused` for anything else that it may hold; null: there is none. `assistant`: where
 * tokens of assistants are taken, too.
 */
export function keyGiven(header: string | undefined, { assistant = false } = {}): string | 'refused' | null {
  if (header === undefined) return null
  const [, key = ''] = /^Bearer +(\S+) *$/i.exec(header) ?? []
  return (key.startsWith(prefix) && isToken(key.slice(prefix.length))) || (assistant && isToken(key)) ? key : 'refused'
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly created: string
  /** Null: never used. */
  readonly seen: string | null
  readonly ends: string
  /** It may change how people sign in. */
  readonly signIn: boolean
  /** An assistant was let in with it, and nobody was shown it. */
  readonly assistant: boolean
}

/** Keys of a person, ended ones too, the newest first. */
export const keysOf = (store: Store, person: string): Promise<readonly ApiKey[]> =>
  store.query<ApiKey>(sql`
    select id, name, role, created_at as created, seen_at as seen, ends_at as ends, sign_in as "signIn", token_hash is null as assistant from ninefold.api_key
    where person = ${person}::uuid order by id desc limit ${keysOfPerson}::bigint`)

export interface NewKey {
  readonly id: string
  readonly person: string
  readonly name: string
  readonly role: string
  readonly now: Date
  readonly ends: Date
  /** It may change how people sign in. */
  readonly signIn: boolean
}

export type NoKey = { readonly refused: 'taken' | 'too many' }

/** Makes a key, and gives it: nobody can ask for it again. Refused where the name is taken, or the person has too many. */
export async function makeKey(tx: Tx, random: Random, made: NewKey): Promise<{ readonly key: string } | NoKey> {
  const key = prefix + newToken(random)
  return (await addKey(tx, made, hashOf(key))) ?? { key }
}

/** A key that nobody is shown, for an assistant with tokens of its own; gives its id. */
export const connectAssistant = async (
  tx: Tx,
  made: Omit<NewKey, 'signIn'>,
): Promise<{ readonly connected: string } | NoKey> =>
  (await addKey(tx, { ...made, signIn: false }, null)) ?? { connected: made.id }

async function addKey(
  tx: Tx,
  { id, person, name, role, now, ends, signIn }: NewKey,
  hash: Buffer | null,
): Promise<NoKey | null> {
  // One after the other for each person, so that the count holds.
  await tx.query(sql`select id from public.person where id = ${person}::uuid for update`)
  const [had] = await tx.query<{ all: string; taken: boolean }>(sql`
    select count(*) as "all", coalesce(bool_or(name = ${name}), false) as taken from ninefold.api_key where person = ${person}::uuid`)
  if (had!.taken) return { refused: 'taken' }
  if (Number(had!.all) >= keysOfPerson) return { refused: 'too many' }
  await tx.write(sql`
    insert into ninefold.api_key (id, token_hash, person, name, role, created_at, ends_at, sign_in)
    values (${id}::uuid, ${hash}::bytea, ${person}::uuid, ${name}, ${role}, ${now}, ${ends}, ${signIn})`)
  return null
}

/** Ends a key of this person; gives its name, or null where there is none. */
export async function revokeKey(store: Store, person: string, id: string): Promise<string | null> {
  const [row] = await store.inTransaction(tx =>
    tx.query<{ name: string }>(
      sql`delete from ninefold.api_key where person = ${person}::uuid and id = ${id}::uuid returning name`,
    ),
  )
  return row?.name ?? null
}

/** Notes that the key was used. */
export async function touchKey(store: Store, id: string, now: Date): Promise<void> {
  await store.inTransaction(tx =>
    tx.write(sql`
      update ninefold.api_key set seen_at = ${now} where id = ${id}::uuid and (seen_at is null or seen_at < ${now})`),
  )
}
