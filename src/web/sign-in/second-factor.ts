/**
 * The second factor: codes of an authenticator (TOTP, RFC 6238), and recovery codes for whoever lost it. A code is good once: the
 * counter of the last one is kept, and every earlier or equal one is refused. Recovery codes are kept as hashes and go with their use.
 */
import { Secret, TOTP } from 'otpauth'
import { sql } from '../../expression/sql.ts'
import type { Reader, Store, Tx } from '../../store/pool.ts'
import { recoveryCodes } from '../bounds.ts'
import type { Random } from '../random.ts'
import type { Seal } from './seal.ts'
import { hashOf, weaken } from './session.ts'

const period = 30
const secretBytes = 20
/** 128 bits: enough for a plain hash, which less would not be. */
const recoveryBytes = 16

export interface SecondFactor {
  /** Null: begun, and no code has shown yet that it works. */
  readonly confirmed: string | null
  /** Base32, for people to copy into their authenticator; empty: it was sealed with a key that is not there any more. */
  readonly secret: string
  /** As it stands in the database. */
  readonly kept: string
  /** Recovery codes that are left. */
  readonly left: number
}

export async function secondFactorOf(store: Reader, seal: Seal, person: string): Promise<SecondFactor | null> {
  const [row] = await store.query<{ confirmed: string | null; kept: string; left: string }>(sql`
    select confirmed_at as confirmed, secret as kept, (select count(*) from ninefold.recovery_code as c where c.person = f.person) as "left"
    from ninefold.second_factor as f where person = ${person}::uuid`)
  if (row === undefined) return null
  const secret = seal.open(row.kept, person)
  // One that was begun and cannot be read is begun anew.
  return secret === null && row.confirmed === null ? null : { ...row, secret: secret ?? '', left: Number(row.left) }
}

const authenticator = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period, secret: Secret.fromBase32(secret) })

/** What an authenticator reads from a picture. */
export const addressOf = (secret: string, app: string, email: string): string =>
  authenticator(secret, app, email).toString()

/** Begins, or begins again, with a new secret; one that is in use stays. */
export async function beginSecondFactor(store: Store, seal: Seal, person: string, random: Random): Promise<void> {
  const secret = new Secret({ buffer: new Uint8Array(random(secretBytes)).buffer }).base32
  await store.inTransaction(tx =>
    tx.write(sql`
      insert into ninefold.second_factor (person, secret) values (${person}::uuid, ${seal.close(secret, person)})
      on conflict (person) do update set secret = excluded.secret, last_counter = 0 where second_factor.confirmed_at is null`),
  )
}

/** The first right code: from now on it is asked for. Gives the recovery codes, which are shown once; null: the code is wrong. */
export async function confirmSecondFactor(
  tx: Tx,
  seal: Seal,
  person: string,
  typed: string,
  now: Date,
  random: Random,
): Promise<readonly string[] | null> {
  const factor = await secondFactorOf(tx, seal, person)
  if (factor === null || factor.confirmed !== null) return null
  const counter = counterOf(factor.secret, typed, now)
  if (counter === null) return null
  const codes = newCodes(random)
  const written = await tx.write(sql`
    update ninefold.second_factor set confirmed_at = ${now}, last_counter = ${counter}
    where person = ${person}::uuid and confirmed_at is null and secret = ${factor.kept}`)
  if (written === 0) return null
  // Of the sessions only the one that has just shown the code is left in the end.
  await tx.write(sql`update ninefold.session set strong = true where person = ${person}::uuid`)
  await tx.write(codesSql(person, codes))
  return codes
}

/** New recovery codes; the old ones are worth nothing then. */
export async function renewCodes(tx: Tx, person: string, random: Random): Promise<readonly string[]> {
  const codes = newCodes(random)
  await tx.write(sql`delete from ninefold.recovery_code where person = ${person}::uuid`)
  await tx.write(codesSql(person, codes))
  return codes
}

/** Uses up a code of the authenticator, or a recovery code. False: neither, or used before. */
export async function takeCode(tx: Tx, seal: Seal, person: string, typed: string, now: Date): Promise<boolean> {
  const factor = await secondFactorOf(tx, seal, person)
  if (factor === null || factor.confirmed === null) return false
  const counter = counterOf(factor.secret, typed, now)
  const written = await tx.write(
    counter === null
      ? sql`delete from ninefold.recovery_code where person = ${person}::uuid and code_hash = ${hashOf(plain(typed))}`
      : sql`update ninefold.second_factor set last_counter = ${counter}, secret = ${seal.renew(factor.kept, person)}
          where person = ${person}::uuid and confirmed_at is not null and last_counter < ${counter}`,
  )
  return written > 0
}

/** Seals all with the key of now: what a key of before sealed, and what was kept before there was one. Gives how many. */
export async function resealSecrets(store: Store, seal: Seal): Promise<number> {
  const kept = await store.query<{ person: string; secret: string }>(
    sql`select person, secret from ninefold.second_factor order by person`,
  )
  let resealed = 0
  for (const { person, secret } of kept) {
    const renewed = seal.renew(secret, person)
    if (renewed === secret) continue
    resealed += await store.inTransaction(tx =>
      tx.write(
        sql`update ninefold.second_factor set secret = ${renewed} where person = ${person}::uuid and secret = ${secret}`,
      ),
    )
  }
  return resealed
}

/** Null: there was none. */
export async function dropSecondFactor(tx: Tx, person: string): Promise<true | null> {
  const dropped = await tx.write(sql`delete from ninefold.second_factor where person = ${person}::uuid`)
  await tx.write(sql`delete from ninefold.recovery_code where person = ${person}::uuid`)
  await weaken(tx, person)
  return dropped > 0 ? true : null
}

/** For somebody who lost what they had: the authenticator, its recovery codes and all passkeys go. Null: there was nothing. */
export async function resetFactors(tx: Tx, person: string): Promise<true | null> {
  const passkeys = await tx.write(sql`delete from ninefold.passkey where person = ${person}::uuid`)
  const dropped = await dropSecondFactor(tx, person)
  return passkeys > 0 ? true : dropped
}

/** The step of time that a code belongs to; clocks may be one step apart. */
function counterOf(secret: string, typed: string, now: Date): number | null {
  const token = typed.replace(/\s/g, '')
  if (secret === '' || !/^\d{6}$/.test(token)) return null
  const delta = authenticator(secret).validate({ token, timestamp: now.getTime(), window: 1 })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / period) + delta
}

const plain = (typed: string): string => typed.toUpperCase().replace(/[^A-Z2-7]/g, '')

const newCodes = (random: Random): readonly string[] =>
  Array.from({ length: recoveryCodes }, () =>
    new Secret({ buffer: new Uint8Array(random(recoveryBytes)).buffer }).base32.replace(/(.{4})(?=.)/g, '$1-'),
  )

const codesSql = (person: string, codes: readonly string[]) => sql`
  insert into ninefold.recovery_code (person, code_hash)
  select ${person}::uuid, hash from unnest(${codes.map(code => hashOf(plain(code)))}::bytea[]) as hash`
