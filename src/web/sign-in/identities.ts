/** Who somebody is at another place (OpenID Connect): the way there and back, and which person stands behind an issuer's subject. */
import { sql } from '../../expression/sql.ts'
import type { Store, Tx } from '../../store/pool.ts'
import { signOnMinutes } from '../bounds.ts'
import { hashOf, isToken } from './session.ts'

/** What must come back, and from whom. */
export interface SignOn {
  readonly nonce: string
  readonly verifier: string
  readonly next: string
  /** SHA-256 of the invitation that is answered so; null: there is none. */
  readonly invitation: Buffer | null
}

/** Keeps what was sent along. `state` and `visit` are 256 random bits each; only their hashes are kept. */
export async function beginSignOn(store: Store, state: string, visit: string, begun: SignOn, now: Date): Promise<void> {
  const ends = new Date(now.getTime() + signOnMinutes * 60_000)
  await store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.sign_on where ends_at <= ${now}`)
    await tx.write(sql`
      insert into ninefold.sign_on (state_hash, visit_hash, nonce, verifier, next, invitation_hash, ends_at)
      values (${hashOf(state)}, ${hashOf(visit)}, ${begun.nonce}, ${begun.verifier}, ${begun.next}, ${begun.invitation}, ${ends})`)
  })
}

/** What this browser began, which is over with it; null: it did not, it took too long, or it came back before. */
export async function takeSignOn(store: Store, state: string | null, visit: string, now: Date): Promise<SignOn | null> {
  if (!isToken(state ?? undefined)) return null
  const [row] = await store.inTransaction(tx =>
    tx.query<{ nonce: string; verifier: string; next: string; invitation: string | null }>(sql`
      delete from ninefold.sign_on where state_hash = ${hashOf(state!)} and visit_hash = ${hashOf(visit)} and ends_at > ${now}
      returning nonce, verifier, next, encode(invitation_hash, 'hex') as invitation`),
  )
  return row === undefined
    ? null
    : { ...row, invitation: row.invitation === null ? null : Buffer.from(row.invitation, 'hex') }
}

export interface Known {
  readonly person: string
  readonly disabled: boolean
}

/** The person behind a subject; null: nobody yet. */
export async function identityOf(store: Store, issuer: string, subject: string): Promise<Known | null> {
  const [row] = await store.query<Known>(sql`
    select identity.person, account.disabled_at is not null as disabled
    from ninefold.identity left join ninefold.account on account.person = identity.person
    where identity.issuer = ${issuer} and identity.subject = ${subject}`)
  return row ?? null
}

/** From now on this subject is this person. Null: it is somebody already, or the person has another one there. */
export async function keepIdentity(
  tx: Tx,
  { issuer, subject, person, now }: { issuer: string; subject: string; person: string; now: Date },
): Promise<true | null> {
  const written = await tx.write(sql`
    insert into ninefold.identity (issuer, subject, person, made_at)
    values (${issuer}, ${subject}, ${person}::uuid, ${now}) on conflict do nothing`)
  return written > 0 ? true : null
}

/** Issuers that a person is connected with. */
export const issuersOf = (store: Store, person: string): Promise<readonly { readonly issuer: string }[]> =>
  store.query(sql`select issuer from ninefold.identity where person = ${person}::uuid order by issuer`)

/** Null: they were not connected. */
export async function dropIdentity(tx: Tx, person: string, issuer: string): Promise<true | null> {
  const gone = await tx.write(sql`delete from ninefold.identity where person = ${person}::uuid and issuer = ${issuer}`)
  return gone > 0 ? true : null
}
