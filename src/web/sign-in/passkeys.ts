/**
 * Passkeys (WebAuthn): made and proved by `@simplewebauthn/server`, which is loaded where somebody uses one. Whoever uses one must have
 * shown the device who they are (a finger, a PIN), so that it stands for both factors. A challenge is for one thing, one browser, once.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Sql, sql } from '../../expression/sql.ts'
import type { Store, Tx } from '../../store/pool.ts'
import { challengeMinutes, passkeysOfPerson } from '../bounds.ts'
import type { Account } from './accounts.ts'
import { hashOf, weaken } from './session.ts'

export interface Passkey {
  /** Of the credential, base64url. */
  readonly id: string
  readonly name: string
  readonly made: string
  /** Null: never used. */
  readonly used: string | null
}

/** Where passkeys are good: the address by which people reach the application. */
export interface RelyingParty {
  readonly store: Store
  /** `https://desk.example.org`. */
  readonly origin: string
  readonly app: string
  readonly now: Date
  /** Token of the session, or of the visit: what the browser has that asks. */
  readonly secret: string
}

/** COSE: Ed25519, ES256, RS256. */
const algorithms = [-8, -7, -257]

const keysSql = (person: string): Sql => sql`
  select id, name, made_at as made, used_at as used from ninefold.passkey where person = ${person}::uuid order by made_at, id`

/** Of a person, the oldest first. */
export const passkeysOf = (store: Store, person: string): Promise<readonly Passkey[]> => store.query(keysSql(person))

const known = async (store: Store, person: string | null) =>
  person === null ? [] : (await passkeysOf(store, person)).map(({ id }) => ({ id }))

/** What the browser asks its device for a new passkey of this person. */
export async function askForNew({ store, origin, app, now, secret }: RelyingParty, account: Account) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: app,
    rpID: new URL(origin).hostname,
    userName: account.email,
    userDisplayName: account.name,
    userID: new Uint8Array(Buffer.from(account.person.replaceAll('-', ''), 'hex')),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: await known(store, account.person),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(store, options.challenge, `new ${account.person} ${secret}`, now)
  return options
}

/** What the browser asks for a proof. `person` null: whoever has a passkey for this application. */
export async function askForProof({ store, origin, now, secret }: RelyingParty, person: string | null) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    allowCredentials: await known(store, person),
    userVerification: 'required',
  })
  await keepChallenge(store, options.challenge, `proof ${secret}`, now)
  return options
}

/** The passkey that the device made, and proved; null: it did not. */
export async function madePasskey({ store, origin, now, secret }: RelyingParty, person: string, posted: string) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const response = readCredential<RegistrationResponseJSON>(posted)
  const verified =
    response === null
      ? null
      : await verifyRegistrationResponse({
          response,
          expectedChallenge: challenge => takeChallenge(store, challenge, `new ${person} ${secret}`, now),
          expectedOrigin: origin,
          expectedRPID: new URL(origin).hostname,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms,
        }).catch(() => null)
  return verified?.verified ? verified.registrationInfo.credential : null
}

/** Keeps it. Null: it is kept; else why not. */
export async function keepPasskey(
  tx: Tx,
  { now, secret }: Pick<RelyingParty, 'now' | 'secret'>,
  { person, name, made }: { person: string; name: string; made: NonNullable<Awaited<ReturnType<typeof madePasskey>>> },
): Promise<'wrong' | 'taken' | 'too many' | null> {
  // One after the other for each person, so that the count holds.
  await tx.query(sql`select id from public.person where id = ${person}::uuid for update`)
  const had = await tx.query<Passkey>(keysSql(person))
  if (had.length >= passkeysOfPerson) return 'too many'
  if (had.some(one => one.name === name)) return 'taken'
  const written = await tx.write(sql`
    insert into ninefold.passkey (id, person, public_key, counter, name, made_at)
    values (${made.id}, ${person}::uuid, ${Buffer.from(made.publicKey)}, ${made.counter}, ${name}, ${now})
    on conflict do nothing`)
  // The device has just shown who holds it.
  await tx.write(sql`update ninefold.session set strong = true where token_hash = ${hashOf(secret)}`)
  return written === 0 ? 'wrong' : null
}

/** The person whose device proved it; null: nobody's, or the account is disabled. */
export async function personOfProof(
  { store, origin, now, secret }: RelyingParty,
  posted: string,
): Promise<string | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const response = readCredential<AuthenticationResponseJSON>(posted)
  if (response === null) return null
  const [key] = await store.query<{ person: string; publicKey: string; counter: string }>(sql`
    select person, encode(public_key, 'hex') as "publicKey", counter from ninefold.passkey
    where id = ${response.id} and not exists (select from ninefold.account where account.person = passkey.person and disabled_at is not null)`)
  if (key === undefined) return null
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge => takeChallenge(store, challenge, `proof ${secret}`, now),
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'hex')),
      counter: Number(key.counter),
    },
  }).catch(() => null)
  if (!verified?.verified) return null
  const { newCounter } = verified.authenticationInfo
  // A counter that did not move on belongs to a copy; most devices do not count, and always say 0.
  const written = await store.inTransaction(tx =>
    tx.write(sql`
      update ninefold.passkey set counter = ${newCounter}, used_at = ${now}
      where id = ${response.id} and (counter < ${newCounter} or (counter = 0 and ${newCounter}::bigint = 0))`),
  )
  return written === 0 ? null : key.person
}

/** False: there is none such, or the name is taken. */
export async function renamePasskey(store: Store, person: string, id: string, name: string): Promise<boolean> {
  const written = await store.inTransaction(tx =>
    tx.write(sql`
      update ninefold.passkey set name = ${name} where person = ${person}::uuid and id = ${id}
        and not exists (select from ninefold.passkey as o where o.person = ${person}::uuid and o.name = ${name} and o.id <> ${id})`),
  )
  return written > 0
}

/** Null: there is none such. */
export async function removePasskey(tx: Tx, person: string, id: string): Promise<true | null> {
  const gone = await tx.write(sql`delete from ninefold.passkey where person = ${person}::uuid and id = ${id}`)
  await weaken(tx, person)
  return gone > 0 ? true : null
}

async function keepChallenge(store: Store, challenge: string, purpose: string, now: Date): Promise<void> {
  const ends = new Date(now.getTime() + challengeMinutes * 60_000)
  await store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.challenge where ends_at <= ${now}`)
    await tx.write(sql`
      insert into ninefold.challenge (challenge_hash, purpose_hash, ends_at)
      values (${hashOf(challenge)}, ${hashOf(purpose)}, ${ends})`)
  })
}

async function takeChallenge(store: Store, challenge: string, purpose: string, now: Date): Promise<boolean> {
  const taken = await store.inTransaction(tx =>
    tx.write(sql`
      delete from ninefold.challenge
      where challenge_hash = ${hashOf(challenge)} and purpose_hash = ${hashOf(purpose)} and ends_at > ${now}`),
  )
  return taken > 0
}

/** Base64url, as devices give it; anything else is not looked up. */
export const isPasskeyId = (id: string): boolean => /^[\w-]{1,1400}$/.test(id)

/** JSON of the browser, as far as it is looked up by; the library judges the rest. */
function readCredential<Response extends { readonly id: string }>(posted: string): Response | null {
  try {
    const read = JSON.parse(posted) as Partial<Response> | null
    return typeof read?.id === 'string' && isPasskeyId(read.id) ? (read as Response) : null
  } catch {
    return null
  }
}
