/** What is to leave the application, written in the transaction that causes it: rolled back with it, and never forgotten. */
import type { Cell } from '../../document/source.ts'
import { placesIn } from '../../expression/currency.ts'
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Template } from '../../expression/expression.ts'
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { languageCalled } from '../../headings/1-product/tags.ts'
import type { Act } from '../../headings/4-states/model.ts'
import { type Call, linkMark, type Mail, type Recipient } from '../../headings/7-calls/model.ts'
import { orderedTogether } from '../../headings/7-calls/ordered.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { appFor, offeredLanguages } from '../../headings/translate.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import { integer } from '../../kinds/fields/integer/field.ts'
import { jsonOf } from '../../kinds/fields/json/text.ts'
import { money } from '../../kinds/fields/money/field.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { allOf, anyOf, conditionSql } from '../access/condition.ts'
import { readingAt } from '../access/reading.ts'
import { tenantOf } from '../access/tenants.ts'
import { awaits } from '../approvals/approvals.ts'
import { columnSql, fromSql } from '../names.ts'
import { andPresent } from '../people/present.ts'
import { holdsRole } from '../people/roles.ts'
import { nextMorning } from '../people/telling.ts'
import { mailName, type Told, wayOf } from '../people/told.ts'
import { render } from '../problems/raise.ts'
import { lineOf } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'
import type { ChangedRecord } from '../write/domain-events.ts'
import type { Draft } from '../write/draft-record.ts'
import { environmentOf, type Related, withRelated } from '../write/environment.ts'
import { bindingsFor, conditionOver, knownIn, type Named, workedOut } from '../write/worked-out.ts'
import type { AddressPart } from './egress.ts'

/** A call as it lies in the outbox: everything but settings is as it was when the step was taken. */
export interface StoredCall {
  readonly url: readonly AddressPart[]
  /** Values; a setting by its name. */
  readonly body: Readonly<Record<string, unknown>>
  /** Of the request that caused it, see `Request`; absent: that was none of a trace. */
  readonly trace?: string
}

interface Entry {
  readonly kind: 'mail' | 'call' | 'report'
  readonly name: string
  readonly entity: string
  readonly record: string
  readonly payload: unknown
  readonly repeatKey: string | null
  /** It waits for the end of quiet hours. */
  readonly quiet?: boolean
  /** Calls of one name and queue leave one after the other. */
  readonly queue?: string
  readonly reported?: string
  /** There is nothing to deliver: what is reported, and a mail for nobody, is there to be looked at. */
  readonly ends?: 'failed' | 'unaddressed'
  readonly because: Cell
}

async function put(tx: Tx, { app, wake }: Runtime, request: Request, entry: Entry): Promise<void> {
  if (wake !== undefined) tx.afterCommit(wake)
  const id = request.newId()
  const now = request.now.toISOString()
  tx.writeAhead(insertEntry, {
    id,
    kind: entry.kind,
    name: entry.name,
    entity: entry.entity,
    record: entry.record,
    payload: JSON.stringify(entry.payload),
    repeat_key: entry.repeatKey ?? id,
    queue: entry.queue ?? null,
    quiet: entry.quiet ?? false,
    state: entry.ends ?? 'waiting',
    reported: entry.reported ?? null,
    finished_at: entry.ends === undefined ? null : now,
    now,
    by: request.actor.id,
    request: request.id,
    document: app.version,
    because: lineOf(entry.because),
  })
}

const insertEntry = built(sql`
  insert into ninefold.outbox
    (id, kind, name, entity, record, payload, repeat_key, queue, quiet, state, due_at, reported, finished_at, created_at, created_by, request, document, because)
  values (${slot('id')}, ${slot('kind')}, ${slot('name')}, ${slot('entity')}, ${slot('record')}, ${slot('payload')}::jsonb,
    ${slot('repeat_key')}, ${slot('queue')}, ${slot('quiet')}::boolean, ${slot('state')}, ${slot('now')}, ${slot('reported')}, ${slot('finished_at')}, ${slot('now')}, ${slot('by')},
    ${slot('request')}, ${slot('document')}, ${slot('because')})`)

interface Addressee {
  /** Null: somebody of whom only the address is known. */
  readonly id: string | null
  readonly name: string
  readonly email: string
  /** That they chose, else that the mail names for them. */
  readonly language: string | null
  readonly zone: string | null
  readonly told: Told | null
}

/**
 * One row per recipient, in the language that they chose, or that the mail names: nobody sees who else gets it, and one bad address fails alone. Nobody to send
 * it to: one row that says so.
 */
export async function enqueueMail(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  related: Related,
  { entity, record, names, locals, outer }: ChangedRecord,
  { mail: name, to, cell: because }: Extract<Act, { kind: 'send mail' }>,
): Promise<void> {
  const { app } = runtime
  const mail = app.mails.get(name)
  if (mail === undefined) return
  related.put(entity, record)
  const others = { ...knownIn(request, { names, locals }), ...(outer !== undefined && { this: outer }) }
  const environment = { ...environmentOf(request, related, record, null), ...others }
  const recipients: readonly Recipient[] =
    to !== null ? [{ kind: 'person', expression: to, cell: because }] : isUnspecified(mail.to) ? [] : mail.to
  const { people, addresses, language } = await withRelated(related, () => {
    const named = (kind: 'person' | 'address') =>
      recipients.flatMap(recipient => {
        if (recipient.kind !== kind) return []
        const found = evaluate(recipient.expression, environment)
        return found === NOT_LOADED ? [] : [found].flat().filter(one => typeof one === 'string')
      })
    const called = mail.language === null ? null : evaluate(mail.language, environment)
    return {
      people: named('person').filter(isId),
      addresses: [...new Set(named('address'))],
      language: typeof called === 'string' ? languageCalled(offeredLanguages(app), called) : null,
    }
  })
  const holders = recipients.filter(recipient => recipient.kind === 'role' || recipient.kind === 'awaited')
  const known = await addresseesOf(tx, app, request, people, holders, { entity, record, old: null, this: null })
  const unknown = addresses.filter(address => !known.some(({ email }) => email === address))
  const addressees: readonly Addressee[] = [
    ...known.map(person => ({ ...person, language: person.language ?? language })),
    ...unknown.map(email => ({ id: null, name: '', email, language, zone: null, told: null })),
  ]
  const wanting = mail.optional ? addressees.filter(({ told }) => wayOf(told, mailName(name)) !== 'none') : addressees
  if (addressees.length === 0) {
    const nobody = { payload: {}, repeatKey: null, ends: 'unaddressed' } as const
    return put(tx, runtime, request, { kind: 'mail', name, entity, record: record.id, ...nobody, because })
  }
  const words = new Map<App, MailWords>()
  for (const spoken of new Set(wanting.map(({ language }) => appFor(app, language))))
    words.set(spoken, await wordsOf(tx, spoken, request, related, record, spoken.mails.get(name) ?? mail))
  if (runtime.wake !== undefined) tx.afterCommit(runtime.wake)
  const now = request.now.toISOString()
  const about = { name, entity, record: record.id, quiet: !mail.urgent, now, by: request.actor.id }
  const of = { ...about, request: request.id, document: app.version, because: lineOf(because) }
  const dueTo = ({ told, zone }: Addressee) =>
    mail.optional && wayOf(told, mailName(name)) === 'daily' ? nextMorning(app, request.now, zone).toISOString() : now
  for (let from = 0; from < wanting.length; from += mailsAtOnce) {
    const some = wanting.slice(from, from + mailsAtOnce)
    const keys = some.map(() => request.newId())
    const payloads = some.map((person, index): string => {
      const to = { name: person.name, address: person.email, ...(person.id === null ? {} : { person: person.id }) }
      const opens = mail.body !== null && holdsLink(mail.body)
      const own = words.get(appFor(app, person.language))!
      const payload: MailPayload = { to, ...own, ...(opens ? { opens } : {}), idempotencyKey: keys[index]! }
      return JSON.stringify(payload)
    })
    tx.writeAhead(insertMails, { ...of, keys, payloads, dues: some.map(dueTo) })
  }
}

/** The document itself wrote the link into the text: what somebody typed is no place for one. */
const holdsLink = (body: NonNullable<Mail['body']>): boolean =>
  !isUnspecified(body) && body.parts.some(part => part.kind === 'text' && part.text === linkMark)

/** One role may be everybody: so many go in one statement. */
const mailsAtOnce = 1000

const insertMails = built(sql`
  insert into ninefold.outbox
    (id, kind, name, entity, record, payload, repeat_key, quiet, state, due_at, created_at, created_by, request, document, because)
  select m.key::uuid, 'mail', ${slot('name')}, ${slot('entity')}, ${slot('record')}::uuid, m.payload::jsonb, m.key, ${slot('quiet')}::boolean, 'waiting',
    m.due, ${slot('now')}::timestamptz, ${slot('by')}::uuid, ${slot('request')}, ${slot('document')}, ${slot('because')}
  from unnest(${slot('keys')}::text[], ${slot('payloads')}::text[], ${slot('dues')}::timestamptz[]) as m (key, payload, due)`)

type Holders = Extract<Recipient, { kind: 'role' | 'awaited' }>

/** Each person once. */
async function addresseesOf(
  tx: Reader,
  app: App,
  request: Request,
  people: readonly string[],
  holders: readonly Holders[],
  named: Named,
): Promise<readonly Addressee[]> {
  if (people.length === 0 && holders.length === 0) return []
  const isAbout = holders.some(one => one.kind === 'role' && one.where !== null)
  const about = isAbout ? bindingsFor(app, named) : {}
  const bindings = { ...about, record: named.record.id, people, of: tenantOf(app, named) }
  return tx.run<Addressee>(addressees(app, holders, named), bindingsOf(request, bindings))
}

/** What is said of a tenant's record is said to its people, whatever roles others have. */
const ofTenant = ({ product: { tenant } }: App): Sql =>
  tenant === null
    ? raw('true')
    : sql`(${slot('of')}::uuid is null or ${columnSql('p', tenant.field)} = ${slot('of')}::uuid)`

const addressees = (app: App, holders: readonly Holders[], named: Named) =>
  cachedStatement(
    app,
    ['addressees', named.entity, ...holders.flatMap(({ cell }) => [cell.file.path, cell.start])],
    () => {
      const isNamed = anyOf([
        sql`p.id = any(${slot('people')}::uuid[])`,
        ...holders.map(one =>
          one.kind === 'awaited'
            ? isAwaitedOf(app, named.entity, one.approval)
            : allOf([
                one.role === null ? true : holdsRole(app, one.role, 'p'),
                one.where === null ? true : conditionOver(app, one.where, 'p', named),
              ]),
        ),
      ])
      return built(sql`
  select p.id, p.name, p.email, f.language, f.time_zone as zone, f.told from public.person as p left join ninefold.preference as f on f.person = p.id
  where p.email is not null${andPresent(app, 'p')} and ${ofTenant(app)} and ${conditionSql(isNamed)}
  order by p.id`)
    },
  )

/** The record that the mail is about, as it is stored, waits for the person `p`. */
function isAwaitedOf(app: App, entity: string, key: string): Sql {
  const approval = app.workflows.get(entity)!.approvals.find(one => one.key === key)!
  const awaited = allOf([
    sql`${columnSql('t', 'id')} = ${slot('record')}::uuid`,
    awaits(app, entity, approval, 't', sql`p.id`),
  ])
  return sql`exists (select from ${fromSql(entity, 't')} where ${conditionSql(awaited)})`
}

type MailWords = Pick<MailPayload, 'subject' | 'text'>

async function wordsOf(
  tx: Reader,
  app: App,
  request: Request,
  related: Related,
  record: Draft,
  mail: Mail,
): Promise<MailWords> {
  const templates = [mail.subject, mail.body].flatMap(one => (one === null || isUnspecified(one) ? [] : [one]))
  const of = { entity: mail.entity ?? '', record }
  const reading = { ...(await readingAt(tx, app, request, related, of, templates)), ...forOthers(app, app.language) }
  const text = (template: Mail['subject'] | null) =>
    template === null || isUnspecified(template) ? '' : render(template, reading)
  return { subject: text(mail.subject).replace(/\s+/g, ' '), text: text(mail.body) }
}

/** Mails and messages are for others than who causes them. */
const forOthers = (app: App, locale: string) => ({ locale, zone: app.product.timeZone.name })

/** A sentence that a call sends, in the language of the document. */
async function textOf(
  tx: Reader,
  app: App,
  request: Request,
  related: Related,
  of: Named,
  template: Template,
): Promise<string> {
  return render(template, {
    ...(await readingAt(tx, app, request, related, of, [template])),
    ...forOthers(app, app.product.languages[0]!.tag),
  })
}

/** Writes one call to the outbox, with the values of the record as it is now. */
export async function enqueueCall(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  related: Related,
  { entity, record }: ChangedRecord,
  { call: key, cell: because }: Extract<Act, { kind: 'call' }>,
): Promise<void> {
  const call = runtime.app.calls.get(key)
  if (call === undefined) return
  const made = await callOf(tx, runtime.app, request, related, entity, record, call)
  if (made === null) return
  const queue = await queueOf(tx, runtime.app, request, related, { entity, record, old: null, this: null }, call)
  const payload = { ...made.payload, ...(request.trace !== undefined && { trace: request.trace }) }
  const entry = { ...made, payload, name: key, entity, record: record.id, queue, quiet: call.quiet, because }
  await put(tx, runtime, request, { kind: 'call', ...entry })
}

/**
 * Takes back the calls of one name about a record that nobody has tried to send. A worker that has just taken one sends it: whoever
 * comes second sees what the first one made of it.
 */
export const withdrawCalls = (tx: Tx, request: Request, entity: string, record: string, key: string): Promise<number> =>
  tx.write(sql`
    update ninefold.outbox set state = 'withdrawn', payload = '{}', finished_at = ${request.now.toISOString()}
    where kind = 'call' and name = ${key} and entity = ${entity} and record = ${record}::uuid and state = 'waiting' and last_at is null`)

/** Keeps all from leaving that a step was to send, and people from being told of it, for it is taken back; gives how much has left, or is just leaving. */
export async function withdrawSent(
  tx: Tx,
  request: Request,
  entry: { readonly id: string; readonly request: string },
): Promise<number> {
  const own = sql`id > ${entry.id}::uuid and request = ${entry.request} and state not in ('unaddressed', 'withdrawn')`
  await tx.write(sql`update ninefold.outbox set state = 'withdrawn', payload = '{}', finished_at = ${request.now.toISOString()}
    where ${own} and state = 'waiting' and last_at is null`)
  await tx.write(sql`delete from ninefold.untold where entry in (
    select id from ninefold.history where id >= ${entry.id}::uuid and request = ${entry.request})`)
  const [left] = await tx.query<{ count: string }>(sql`select count(*) as count from ninefold.outbox where ${own}`)
  return Number(left!.count)
}

/**
 * What a call shares with those that leave before it and after it. Where another transaction may cause one of these, too, it waits for the
 * end of this one: the order in which they are caused is then the order in which they are stored.
 */
async function queueOf(
  tx: Tx,
  app: App,
  request: Request,
  related: Related,
  named: Named,
  { key, order }: Call,
): Promise<string> {
  const own = String(named.record.id)
  const together = orderedTogether(app.calls).get(key)
  const isOwn = order === null || isUnspecified(order)
  if (isOwn && together === undefined) return own
  const shared = isOwn ? own : await workedOut(tx, app, request, related, order, named)
  const queue = typeof shared === 'string' ? shared : own
  const [first = key] = [...(together ?? [])].sort()
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`call ${first} ${queue}`}, 0))`)
  return queue
}

/** What a call sends about a record as it is now. Null where the document leaves its request open. */
export async function callOf(
  tx: Reader,
  app: App,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
  call: Call,
): Promise<{ readonly payload: StoredCall; readonly repeatKey: string | null } | null> {
  if (isUnspecified(call.request)) return null
  related.put(entity, record)
  const environment = environmentOf(request, related, record, null)
  const template = call.request.url
  const named = { entity, record, old: null, this: null }
  const body: Record<string, unknown> = {}
  for (const { name, from } of call.send) {
    if (isUnspecified(from)) continue
    if ('parts' in from) {
      body[name] = await textOf(tx, app, request, related, named, from)
      continue
    }
    body[name] =
      from.root.op === 'setting'
        ? { setting: from.root.name }
        : sentAs(from.type, await workedOut(tx, app, request, related, from, named))
  }
  return withRelated(related, () => ({
    payload: {
      url: template.parts.map(part => {
        if (part.kind === 'text') return part.text
        const { root } = part.expression
        if (root.op === 'setting') return { setting: root.name }
        const value = evaluate(part.expression, environment)
        return { value: encodeURIComponent(typeof value === 'string' ? value : '') }
      }),
      body,
    },
    repeatKey: (call.repeat?.key == null ? null : plain(call.repeat.key, environment)) || null,
  }))
}

/** As the API gives it: whole numbers as numbers, amounts with all decimals of their type. */
function sentAs(type: Type, value: Wire | readonly Wire[]): unknown {
  if (Array.isArray(value)) return value.map(one => sentAs(type.kind === 'values' ? type.of : type, one))
  const wire = value as Wire
  if (type.kind === 'json') return typeof wire === 'string' ? jsonOf(wire) : null
  if (type.kind === 'money') return money.toJson(wire, { scale: type.places ?? placesIn(type) })
  return type.kind === 'integer' ? integer.toJson(wire, {}) : wire
}

/** A template as a key: values as on the wire, without the reader's language. */
const plain = (template: Template, environment: Parameters<typeof evaluate>[1]): string =>
  template.parts
    .map(part => {
      if (part.kind === 'text') return part.text
      const value = evaluate(part.expression, environment)
      return value === NOT_LOADED || value === null || typeof value === 'object' ? '' : String(value satisfies Wire)
    })
    .join('')

/** A problem of the catalogue that nobody is there to read: it is kept where it can be seen. */
export async function reportLater(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  { entity, record }: ChangedRecord,
  { error: code, cell: because }: Extract<Act, { kind: 'report' }>,
): Promise<void> {
  await put(tx, runtime, request, {
    kind: 'report',
    name: code,
    entity,
    record: record.id,
    payload: {},
    repeatKey: null,
    reported: code,
    ends: 'failed',
    because,
  })
}
