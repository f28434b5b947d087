/**
 * The one way by which changes whatever decides how somebody signs in, and what they may do then: address, password, second factor,
 * passkeys, connections elsewhere, keys, roles, who decides for them. It asks whether whoever changes it is there (`Request.present`: signed in, or shown anew who they are, lately;
 * an API key that was made for it), and may do as much as the person it is about. Afterwards it ends what has to end, tells the person,
 * at the address that they had as well, and remembers it.
 */
import { sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { shownValue } from '../problems/shown.ts'
import { wordsIn } from '../problems/words.ts'
import { remember } from '../read/history.ts'
import type { Request } from '../request.ts'
import { isNoHigher } from './acting.ts'
import { requestsOf } from './people.ts'

/**
 * What ends with each. `sessions`: those of the person but the one that asks, and mailed links; `all`: keys, and which devices are known,
 * too; `nothing`: it adds a way in, and takes none away.
 */
const ending = {
  address: 'sessions',
  password: 'all',
  'factor on': 'sessions',
  'factor off': 'sessions',
  codes: 'nothing',
  key: 'nothing',
  assistant: 'nothing',
  passkey: 'nothing',
  'passkey removed': 'sessions',
  connected: 'nothing',
  disconnected: 'sessions',
  role: 'nothing',
  'role taken': 'nothing',
  deputy: 'nothing',
  'deputy taken back': 'nothing',
  sessions: 'sessions',
} as const

export interface CredentialChange {
  readonly person: string
  readonly what: keyof typeof ending
  /** What it is called: a key, an assistant, a role, a provider, a deputy. */
  readonly name?: string
  /** The address that they had. */
  readonly before?: string | null
}

const decidesItself = ({ actor }: Request) => actor.system !== null && actor.system !== 'effect'

/** Whoever asks is not there, or asks by a key that was not made for this; null: neither. */
export function absentFrom(app: App, request: Request, field: string | null = null): Problem | null {
  if (decidesItself(request) || request.present === true) return null
  return raise(app, request.key === undefined ? 'NF-PRESENCE' : 'NF-KEY-SIGN-IN', {}, { field })
}

/** Why whoever asks may not change how this person signs in; null: they may. */
export async function deniedCredential(
  reader: Reader,
  app: App,
  request: Request,
  person: string,
  field: string | null = null,
): Promise<Problem | null> {
  if (decidesItself(request)) return null
  const absent = absentFrom(app, request, field)
  if (absent !== null || person === request.actor.id) return absent
  const [other] = await requestsOf(reader, app, [person], request)
  const isOpen = other === undefined || isNoHigher(app, request.actor.roles, other.actor.roles)
  return isOpen ? null : raise(app, 'NF-HIGHER', {}, { field })
}

/** Somebody who has just shown who they are, by a password, a code or a link of their own. */
export const shown = (request: Request, { id, name }: { readonly id: string; readonly name: string }): Request =>
  request.actor.id === id
    ? { ...request, present: true }
    : { ...request, present: true, actor: { id, name, roles: [], system: null } }

/** Asks, does it and what follows from it: all of it, or nothing. `write` gives null where there was nothing to change. */
export async function changeCredential<Value>(
  tx: Tx,
  app: App,
  request: Request,
  change: CredentialChange,
  write: () => Promise<Value | null>,
): Promise<{ readonly denied: Problem } | { readonly value: Value | null }> {
  const denied = await deniedCredential(tx, app, request, change.person)
  if (denied !== null) return { denied }
  const value = await write()
  if (value !== null) {
    await credentialChanged(tx, app, request, change)
    remember(tx, app, request, {
      entity: 'person',
      record: change.person,
      version: 1,
      kind: 'sign-in',
      what: change.what,
      changes: {},
      because: null,
    })
  }
  return { value }
}

/** What follows, where the change itself is written, and remembered, elsewhere. Sample data tell and end nothing. */
export async function credentialChanged(tx: Tx, app: App, request: Request, change: CredentialChange): Promise<void> {
  if (request.actor.system === 'seed') return
  const { person, what } = change
  const ends = ending[what]
  const here = request.actor.id === person ? request.here : undefined
  if (ends !== 'nothing') {
    await tx.write(sql`delete from ninefold.session
      where person = ${person}::uuid and token_hash is distinct from ${here?.session ?? null}::bytea`)
    await tx.write(sql`delete from ninefold.link where person = ${person}::uuid`)
  }
  if (ends === 'all') {
    await tx.write(sql`delete from ninefold.api_key where person = ${person}::uuid`)
    await tx.write(sql`delete from ninefold.device
      where person = ${person}::uuid and token_hash is distinct from ${here?.device ?? null}::bytea`)
  }
  await tellPerson(tx, app, request, change)
}

/** By mail, in their language. Whoever has not come in yet has nothing that could have changed. */
async function tellPerson(tx: Tx, app: App, request: Request, change: CredentialChange): Promise<void> {
  const { person, what, before } = change
  const [them] = await tx.query<{
    name: string
    email: string | null
    language: string | null
    zone: string | null
    came: boolean
  }>(sql`select p.name, p.email, f.language, f.time_zone as zone,
      exists (select from ninefold.account as a where a.person = p.id and a.password is not null)
      or exists (select from ninefold.device as d where d.person = p.id)
      or exists (select from ninefold.session as s where s.person = p.id) as came
    from public.person as p left join ninefold.preference as f on f.person = p.id where p.id = ${person}::uuid`)
  if (them === undefined || !(them.came || what === 'address')) return
  const language = them.language ?? app.product.defaultLanguage.tag
  const words = wordsIn(language)
  const fill = (text: string) =>
    Object.entries({
      app: app.name,
      name: change.name ?? '',
      address: them.email ?? '–',
      before: before ?? '–',
    }).reduce((filled, [key, value]) => filled.replaceAll(`{${key}}`, () => value), text)
  const when = shownValue(
    request.now.toISOString(),
    { kind: 'moment' },
    language,
    them.zone ?? app.product.timeZone.name,
  )
  const by = request.actor.id === person ? words.byYou : words.byOther
  const text = [fill(words.credential[what]), `${by}, ${when}.`, fill(words.notYou)].join('\n\n')
  const addresses = new Set([before ?? null, them.email])
  for (const address of addresses) {
    if (address === null) continue
    const id = request.newId()
    const payload: MailPayload = {
      to: { name: them.name, address },
      subject: `${app.name}: ${words.signInChanged}`.replace(/\s+/g, ' '),
      text,
      idempotencyKey: id,
    }
    await tx.write(sql`
      insert into ninefold.outbox (id, kind, name, entity, record, payload, repeat_key, quiet, due_at, created_at, request, document)
      values (${id}, 'mail', 'sign_in_changed', 'person', ${person}::uuid, ${JSON.stringify(payload)}::jsonb, ${id}, true,
        ${request.now}, ${request.now}, ${request.id}, ${app.version})`)
  }
}
