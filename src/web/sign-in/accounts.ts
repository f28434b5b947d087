/** How people sign in: what `ninefold.account` says of a person. The person itself is a record of the application. */

import { sql } from '../../expression/sql.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Request } from '../../run/request.ts'
import type { Store, Tx } from '../../store/pool.ts'

export interface Account {
  readonly person: string
  readonly name: string
  readonly email: string
  /** Null: none, or the account is disabled. */
  readonly password: string | null
  readonly disabled: boolean
}

/** An address as it is kept, however it was typed; null: it is none. */
export function addressOf(typed: string): string | null {
  const email = fieldKind('e-mail').parse(typed, {}, 'en', 'UTC')
  return 'invalid' in email ? null : String(email.value)
}

/** By what somebody typed as e-mail; null: nobody, whatever the reason. */
export async function accountOf(store: Store, typed: string): Promise<Account | null> {
  const email = addressOf(typed)
  return email === null ? null : accountWhere(store, sql`person.email = ${email}`)
}

export const accountById = (store: Store, person: string): Promise<Account | null> =>
  accountWhere(store, sql`person.id = ${person}::uuid`)

/** Of `person` and their `account`. */
export const accountColumns = sql`person.id as person, person.name, person.email,
  case when account.disabled_at is null then account.password end as password, account.disabled_at is not null as disabled`

async function accountWhere(store: Store, condition: ReturnType<typeof sql>): Promise<Account | null> {
  const [row] = await store.query<Account>(sql`
    select ${accountColumns} from public.person left join ninefold.account on account.person = person.id where ${condition}`)
  return row ?? null
}

/** Sets or changes a password (a PHC string), as a change of credentials (`run/people/credentials.ts`). */
export async function writePassword(tx: Tx, person: string, password: string, now: Date): Promise<true> {
  await tx.write(sql`
    insert into ninefold.account (person, password, changed_at) values (${person}, ${password}, ${now})
    on conflict (person) do update set password = excluded.password, changed_at = excluded.changed_at`)
  return true
}

/** Whether anybody here signs in with a password, as a part of what else is read. */
export const somePasswords = sql`exists (select from ninefold.account where password is not null)`

export async function havePasswords(store: Store): Promise<boolean> {
  const [row] = await store.query<{ some: boolean }>(sql`select ${somePasswords} as some`)
  return row?.some === true
}

/** Puts a mail to one person into the outbox: it leaves as all mails do. It holds a link, so its text does not stay: see tidy.ts. */
export async function enqueueOwnMail(
  store: Store,
  request: Request,
  document: string,
  to: Pick<Account, 'person' | 'name' | 'email'>,
  words: OwnMail,
): Promise<void> {
  await store.inTransaction(tx => putOwnMail(tx, request, document, to, words))
}

/** The same inside of a transaction. `person` null: it goes to an address that somebody typed. */
export async function putOwnMail(
  tx: Tx,
  request: Request,
  document: string,
  to: Pick<Account, 'name' | 'email'> & { readonly person: string | null },
  words: OwnMail,
): Promise<void> {
  const id = request.newId()
  const payload: MailPayload = {
    to: { name: to.name, address: to.email },
    subject: words.subject,
    text: words.text,
    idempotencyKey: id,
  }
  await tx.write(sql`
    insert into ninefold.outbox (id, kind, name, entity, record, payload, repeat_key, due_at, created_at, request, document)
    values (${id}, 'mail', ${words.name}, 'person', ${to.person}, ${JSON.stringify(payload)}::jsonb, ${id},
      ${request.now}, ${request.now}, ${request.id}, ${document})`)
}

export interface OwnMail {
  readonly name: string
  readonly subject: string
  readonly text: string
}
