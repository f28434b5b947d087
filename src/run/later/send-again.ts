/** What was given up or refused by the answer: who may look after it, what it was, and sending it again. */
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { CallEnvironment } from '../../kinds/calls/call-kind.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import { parseExact } from '../../kinds/fields/json/exact.ts'
import type { Tx } from '../../store/pool.ts'
import { allOf, anyOf, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { isLogged } from '../access/read-log.ts'
import { nameable } from '../access/unnamed.ts'
import { columnSql, fieldSql, fromSql } from '../names.ts'
import { isSingle, labelSql } from '../read/select.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'
import { relatedRecords } from '../write/environment.ts'
import { loadChildren, loadRecord } from '../write/record.ts'
import { mailServer, type Pause, pauses, tryNow } from './breaker.ts'
import { addressOf, redactor } from './egress.ts'
import { callOf, type StoredCall } from './outbox.ts'
import { type Sent, sentOf } from './sent.ts'

/** Those whom heading 7 names under `Send again`, or who appoint people. */
export const maySendAgain = ({ sendAgain }: App, { id, roles }: Actor): boolean =>
  id !== null && sendAgain.roles.some(role => roles.includes(role))

/** Those among them who belong to no tenant: what waits is told of all together. */
export const mayOperate = (app: App, actor: Actor): boolean => maySendAgain(app, actor) && actor.tenant == null

export interface Unsent {
  readonly id: string
  /** `unaddressed`: it had nobody to go to. Nothing is sent again then. */
  readonly state: 'failed' | 'unaddressed'
  readonly kind: 'mail' | 'call'
  /** Key of the mail or call. */
  readonly name: string
  readonly entity: string
  readonly record: string | null
  /** What names the record; null where it is gone, or not for whoever asks. */
  readonly label: string | null
  readonly attempts: string
  readonly finished_at: string
  readonly last_status: string | null
  readonly last_error: string | null
  readonly last_answer: string | null
  /** Code of the error catalogue whose words `last_error` are. */
  readonly reported: string | null
  /** Where a mail was to go; null for calls, and where whoever asks may not see that address where it is from. */
  readonly address: string | null
  /** `loan-desk.md:166`. */
  readonly because: string | null
  /** Who had it sent again before, and when; null: somebody whom whoever asks may not see. */
  readonly again_by: string | null
  readonly again_at: string | null
  /** Of this kind and name, in all. */
  readonly alike: string
  /**
   * What a call sent, or why it is not told: whoever asks may not see the record (`unseen`), may see it only where that is written down
   * (`logged`), or the document says by now what it did not when this was sent (`changed`). Null for mails.
   */
  readonly sent: Sent | 'unseen' | 'logged' | 'changed' | null
}

/** Days for which a mail that had nobody to go to is told. */
const toldFor = 30

interface UnsentData {
  readonly rows: readonly Unsent[]
  readonly pauses: readonly Pause[]
}

/** The newest of each name first, at most `limit` of each; mails for nobody behind all others. Null: it is not for whoever asks. */
export async function readUnsent(
  { app, store }: Runtime,
  request: Request,
  limit: number,
  variable: CallEnvironment['variable'] = () => undefined,
): Promise<UnsentData | null> {
  if (!maySendAgain(app, request.actor)) return null
  const policy = policyFor(app, request.actor)
  const query = cachedStatement(app, ['unsent', policy.key], () => {
    const entities = new Set([
      'person',
      ...[...app.calls.values(), ...app.mails.values()].flatMap(({ entity }) => entity ?? []),
    ])
    const shows = anyOf([...entities].flatMap(entity => addressSeen(app, policy, entity)))
    const seen = sql`(case when false then false ${seenCase(policy, entities)} else false end)`
    const newest = sql`o.finished_at desc, o.id desc`
    return built(sql`
      select o.*, ${seen} as seen,
        (select s.payload::text from ninefold.outbox as s where s.id = o.id and s.kind = 'call' and s.document = ${slot('document')} and ${seen}) as payload
      from (select o.id, o.state, o.kind, o.name, o.entity, o.record, o.attempts, o.finished_at, o.last_status, o.last_error, o.last_answer, o.reported,
        o.because, o.again_at, o.repeat_key, p.name as again_by, (case when false then '' ${labelCase(app, policy, entities)} end) as label,
        (case when o.kind = 'mail' and ${conditionSql(shows)} then ${mailedTo} end) as address,
        count(*) over (partition by o.state, o.kind, o.name) as alike,
        row_number() over (partition by o.state, o.kind, o.name order by ${newest}) as place
      from ninefold.outbox as o left join public.person as p on p.id = o.again_by and ${conditionSql(nameable(policy, 'person', 'p'))}
      where (o.state = 'failed' or o.state = 'unaddressed' and o.finished_at > ${slot('now')}::timestamptz - interval '${raw(String(toldFor))} days')
        and o.kind in ('mail', 'call') and ${ofTenant(app, request.actor)}
      ) as o where place <= ${slot('limit')}::bigint order by o.state, o.kind, o.name, ${newest}`)
  })
  const [rows, paused] = await Promise.all([
    store.run<Found>(query, bindingsOf(request, { limit, now: request.now.toISOString(), document: app.version })),
    pauses(store, request.now),
  ])
  const redact = redactor(app, variable, null)
  const told = rows.map(({ seen, payload, repeat_key, ...row }): Unsent => {
    const call = row.kind === 'call' ? app.calls.get(row.name) : null
    const toldOf = (): Unsent['sent'] => {
      if (call === null) return null
      if (!seen) return 'unseen'
      if (isLogged(app, row.entity)) return 'logged'
      if (call === undefined || payload === null) return 'changed'
      return sentOf(app, policy, call, parseExact(payload) as StoredCall, repeat_key, redact)
    }
    return { ...row, sent: toldOf() }
  })
  return { rows: told, pauses: paused }
}

type Found = Omit<Unsent, 'sent'> & {
  readonly seen: boolean
  readonly payload: string | null
  readonly repeat_key: string
}

/** Whether whoever asks may see the record of `o`: the branches of a `case`, one for each entity. */
const seenCase = (policy: Policy, entities: ReadonlySet<string>): Sql =>
  [...entities].reduce(
    (before, entity) => sql`${before} when o.entity = ${entity} then exists (select from ${fromSql(entity, 'r')}
      where ${columnSql('r', 'id')} = o.record and ${conditionSql(policy.rows(entity, 'see', 'r'))})`,
    raw(''),
  )

/** What names the record of `o`, as far as whoever asks may know: the branches of a `case`, one for each entity. */
export const labelCase = (app: App, policy: Policy, entities: ReadonlySet<string>): Sql =>
  [...entities].reduce((before, entity) => {
    const label = labelSql(app, policy, entity, 'r')
    return label === null
      ? before
      : sql`${before} when o.entity = ${entity} then (select ${label} from ${fromSql(entity, 'r')}
          where ${columnSql('r', 'id')} = o.record and ${conditionSql(policy.names(entity, 'r'))})`
  }, raw(''))

const mailedTo = sql`o.payload->'to'->>'address'`

/** It is somebody's, or stands in the record that the mail is about, in a field that may be seen there. */
function addressSeen(app: App, policy: Policy, entity: string): readonly Sql[] {
  const isOf =
    entity === 'person'
      ? sql`o.payload->'to'->>'person' = ${columnSql('r', 'id')}::text or o.entity = 'person' and o.record`
      : sql`o.entity = ${entity} and o.record`
  return app.entities.get(entity)!.fields.flatMap(({ key, kind }) => {
    if (kind !== 'e-mail' || !isSingle(app, entity, key)) return []
    const seen = allOf([policy.rows(entity, 'see', 'r'), policy.field(entity, key, 'r')])
    return seen === false
      ? []
      : [
          sql`exists (select from ${fromSql(entity, 'r')} where (${isOf} = ${columnSql('r', 'id')})
            and lower(${fieldSql(app, entity, key, 'r')}) = lower(${mailedTo}) and ${conditionSql(seen)})`,
        ]
  })
}

/** One, or all of a name. */
export type Which = { readonly id: string } | { readonly kind: string; readonly name: string }

/** Sent at one go; what is left over can be sent by asking again. */
const most = 500

interface Failed {
  readonly id: string
  readonly kind: 'mail' | 'call'
  readonly name: string
  readonly entity: string
  readonly record: string | null
  readonly payload: unknown
  readonly last_status: string | null
}

/**
 * Gives how many wait again; null: it is not for whoever asks. Sent again with the same key: what the other side has had, it can tell. A call that was refused for what it said is made
 * anew from the record as it is now, corrected perhaps; a mail goes to the address that its person has now.
 */
export async function sendAgain(runtime: Runtime, request: Request, which: Which): Promise<number | null> {
  const { app, store } = runtime
  if (!maySendAgain(app, request.actor)) return null
  if ('id' in which && !isId(which.id)) return 0
  const sent = await store.inTransaction(async tx => {
    const found = await tx.query<Failed & { readonly payload: string }>(
      sql`select o.id, o.kind, o.name, o.entity, o.record, o.payload::text as payload, o.last_status from ninefold.outbox as o
        where o.state = 'failed' and o.kind in ('mail', 'call') and ${ofTenant(app, request.actor)}
          and ${'id' in which ? sql`o.id = ${which.id}::uuid` : sql`o.kind = ${which.kind} and o.name = ${which.name}`}
        order by o.turn limit ${most}::bigint for update`,
      bindingsOf(request),
    )
    const rows: readonly Failed[] = found.map(row => ({ ...row, payload: parseExact(row.payload) }))
    for (const row of rows) {
      const payload = row.kind === 'mail' ? await readdressed(tx, row) : await corrected(tx, app, request, row)
      await tx.write(wait, {
        id: row.id,
        payload: JSON.stringify(payload),
        document: payload === row.payload ? null : app.version,
        now: request.now.toISOString(),
        by: request.actor.id,
      })
    }
    for (const receiver of new Set(rows.map(({ kind, name }) => (kind === 'mail' ? mailServer : name))))
      await tryNow(tx, receiver, request.now)
    if (runtime.wake !== undefined && rows.length > 0) tx.afterCommit(runtime.wake)
    return rows.length
  })
  return sent
}

/** Has a call that pauses tried now. False: it does not pause. Null: it is not for whoever asks. */
export async function resume({ app, store, wake }: Runtime, request: Request, call: string): Promise<boolean | null> {
  if (!maySendAgain(app, request.actor)) return null
  return store.inTransaction(async tx => {
    const paused = await tryNow(tx, call, request.now)
    if (wake !== undefined && paused) tx.afterCommit(wake)
    return paused
  })
}

/** What left because of a record is for those who may know of it: it stays within the record's tenant. */
export function ofTenant(app: App, actor: Actor): Sql {
  const apart = [...app.schema.values()].flatMap(({ key, tenant }) => (tenant === undefined ? [] : [{ key, tenant }]))
  if (apart.length === 0) return raw('true')
  if (actor.tenant == null) return sql`o.entity <> all(${apart.map(({ key }) => key)}::text[])`
  const cases = apart.map(
    ({ key, tenant }) => sql` when ${key}::text then exists (select from ${fromSql(key, 'f')}
      where ${columnSql('f', 'id')} = o.record and ${columnSql('f', tenant.field)} = ${slot('tenant')}::uuid)`,
  )
  return sql`(case o.entity${cases.reduce((before, one) => sql`${before}${one}`)} else true end)`
}

const wait = built(sql`
  update ninefold.outbox set state = 'waiting', payload = ${slot('payload')}::jsonb, due_at = ${slot('now')}::timestamptz,
    attempts = 0, first_at = null, finished_at = null, document = coalesce(${slot('document')}, document), reported = null, claimed_until = null, claimed_by = null,
    again_at = ${slot('now')}::timestamptz, again_by = ${slot('by')}::uuid
  where id = ${slot('id')}::uuid`)

async function corrected(tx: Tx, app: App, request: Request, row: Failed): Promise<unknown> {
  const call = app.calls.get(row.name)
  const status = Number(row.last_status)
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429
  const { url, trace } = row.payload as StoredCall
  const isUnsendable = 'wrong' in addressOf(app, () => 'https://example.org', url)
  if (!(isRefused || isUnsendable) || call === undefined || row.record === null || !app.entities.has(row.entity))
    return row.payload
  const record = await loadRecord(tx, app, row.entity, row.record)
  if (record === null) return row.payload
  await loadChildren(tx, app, row.entity, [record])
  const made = await callOf(tx, app, request, relatedRecords(tx, app), row.entity, record, call)
  return made === null ? row.payload : { ...made.payload, ...(trace !== undefined && { trace }) }
}

async function readdressed(tx: Tx, row: Failed): Promise<unknown> {
  const payload = row.payload as MailPayload
  const [person] = await tx.run<{ name: string; email: string | null }>(personById, { id: payload.to.person ?? null })
  if (person?.email == null) return payload
  return { ...payload, to: { ...payload.to, name: person.name, address: person.email } }
}

const personById = built(sql`select p.name, p.email from public.person as p where p.id = ${slot('id')}::uuid`)
