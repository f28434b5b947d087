/**
 * Delivers what lies in the outbox, at least once. A row is claimed and its attempt counted before anything is sent; what the
 * answer says happens in the transaction that ends the row. Every attempt carries the same key, so that the other side can tell.
 */
import { createHash } from 'node:crypto'
import type { Template } from '../../expression/expression.ts'
import { slot, sql } from '../../expression/sql.ts'
import { hexOf } from '../../headings/1-product/contrast.ts'
import { type Call, linkMark } from '../../headings/7-calls/model.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Attempt, CallEnvironment } from '../../kinds/calls/call-kind.ts'
import { callKinds } from '../../kinds/calls/index.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import { parseExact, roundedNumber } from '../../kinds/fields/json/exact.ts'
import { claimEnd, renewing, unclaimed } from '../claim.ts'
import { timeIn } from '../clock.ts'
import { openWay } from '../people/case-links.ts'
import { isOfNotices, noticeMail } from '../people/notice-mail.ts'
import { type Door, systemRequest } from '../people/people.ts'
import { repliesOf } from '../people/reply-address.ts'
import type { Request, Runtime } from '../request.ts'
import { built } from '../statements.ts'
import { answered } from './answered.ts'
import {
  type DeliveryContext,
  ended,
  finish,
  finishBindings,
  type OutboxRow,
  plainly,
  tryAgain,
  type Verdict,
} from './attempt.ts'
import { isBehind, isProbe, mayBeTried, noteAttempt, ordersOf, pauseBindings, receiverOf } from './breaker.ts'
import { addressOf, reachOf, redactor, standingIn, variableOf } from './egress.ts'
import type { StoredCall } from './outbox.ts'

/** Attempts beyond what the document asks for that may get lost with dying processes before a row is set aside. */
const lostAttempts = 3
/** Seconds that nothing waits longer than, unless the document gives a call more. */
const longestWait = 48 * 3600

export interface Delivered {
  readonly delivered: number
  readonly failed: number
  readonly waiting: number
}

/** Delivers what is due, rows side by side, and waits for all of it. What answers set, the application itself sets. */
export async function deliver(runtime: Runtime, door: Door, context: DeliveryContext): Promise<Delivered> {
  const begun = await claimAndDeliver(runtime, door, context)
  return deliveredOf(await Promise.all(begun.map(({ state }) => state)))
}

/** So many rows ended so. */
export function deliveredOf(states: readonly Verdict['state'][]): Delivered {
  const count = (state: Verdict['state']) => states.filter(one => one === state).length
  return { delivered: count('delivered'), failed: count('failed'), waiting: count('waiting') }
}

interface Begun {
  /** Who is sent to: the mail server, or whoever takes a call of this name. */
  readonly receiver: string
  readonly state: Promise<Verdict['state']>
}

/** Begins to deliver what is due. What each row comes to is told when it has: a receiver that is silent keeps nobody else waiting. */
export async function claimAndDeliver(
  runtime: Runtime,
  door: Door,
  context: DeliveryContext,
): Promise<readonly Begun[]> {
  const now = context.now()
  const claimed = await runtime.store.run<OutboxRow & { readonly payload: string }>(claim, {
    now: now.toISOString(),
    beyond_due: later(now, longestWaitOf(runtime.app)),
    worker: context.worker,
    limit: context.limit,
    full: context.full ?? [],
    hushed: isQuiet(runtime.app, now),
    ...ordersOf(runtime.app),
    ...pauseBindings(now),
  })
  if (claimed.length === 0) return []
  const request = await systemRequest(runtime, 'call', door)
  return claimed.map(({ payload, ...row }) => {
    const sent = deliverRow(runtime, request, context, { ...row, payload: parseExact(payload) })
    const own = { id: row.id, worker: context.worker, attempts: row.attempts }
    return { receiver: row.receiver, state: renewing(() => runtime.store.run(renew, own), sent) }
  })
}

/** A due time further ahead comes from a clock that was wrong. */
const longestWaitOf = ({ calls }: App): number =>
  Math.max(longestWait, ...[...calls.values()].flatMap(call => repeatsOf(call).map(({ within }) => within)))

const repeatsOf = ({ answers }: Call) => answers.flatMap(({ then }) => then).filter(act => act.kind === 'repeat')

const later = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString()

/** Whether it is quiet: then what need not wake anybody waits. */
function isQuiet({ quietHours, product }: App, now: Date): boolean {
  if (quietHours === null) return false
  const { from, to } = quietHours
  const { hour, minute } = timeIn(now, product.timeZone.name)
  const at = hour * 60 + minute
  return from < to ? at >= from && at < to : at >= from || at < to
}

const isDue = sql`(d.due_at <= ${slot('now')}::timestamptz or d.due_at > ${slot('beyond_due')}::timestamptz)`

// What an update returns has no order of its own.
const claim = built(sql`
  with claimed as (
    update ninefold.outbox as o set claimed_until = ${claimEnd}, claimed_by = ${slot('worker')},
      attempts = o.attempts + 1, first_at = coalesce(o.first_at, ${slot('now')}::timestamptz), last_at = ${slot('now')}::timestamptz
    where o.id in (
      select d.id from ninefold.outbox as d
      where d.state = 'waiting'
        and ${mayBeTried(isDue)}
        and ${unclaimed('d')}
        and not (d.quiet and ${slot('hushed')}::boolean)
        and ${receiverOf('d')} <> all(${slot('full')}::text[])
        and (d.kind <> 'call' or not ${isBehind('d')})
      order by d.due_at, d.turn limit ${slot('limit')}::integer for update skip locked)
    returning o.id, o.kind, o.name, o.entity, o.record, o.payload::text as payload, o.repeat_key, o.attempts, o.first_at,
      ${isProbe} as probe, ${receiverOf('o')} as receiver, o.due_at, o.turn)
  select * from claimed order by due_at, turn`)

const renew = built(sql`
  update ninefold.outbox set claimed_until = ${claimEnd}
  where id = ${slot('id')}::uuid and claimed_by = ${slot('worker')} and attempts = ${slot('attempts')}::integer
    and state = 'waiting'`)

async function deliverRow(
  runtime: Runtime,
  request: Request,
  context: DeliveryContext,
  row: OutboxRow,
): Promise<Verdict['state']> {
  const redact = redactor(runtime.app, context.environment.variable, context.environment.smtp)
  const begun = performance.now()
  const traced = row.kind === 'call' ? { traceparent: traceparentOf(row, context.now()) } : {}
  const verdict = await attemptRow(runtime, request, context, row, redact).catch((error: unknown) =>
    notSent(runtime, context, row, redact(error instanceof Error ? error.message : String(error))),
  )
  const bindings = finishBindings(context, row, verdict)
  // What an answer does was written with the end of its row; everything else ends here.
  if (!('ended' in verdict)) await runtime.store.run(finish, bindings)
  runtime.observe?.({
    kind: 'delivery',
    of: row.kind,
    name: row.name,
    id: row.id,
    attempt: Number(row.attempts),
    status: verdict.status,
    state: verdict.state,
    error: verdict.error,
    seconds: (performance.now() - begun) / 1000,
    ...traced,
  })
  return verdict.state
}

async function attemptRow(
  runtime: Runtime,
  request: Request,
  context: DeliveryContext,
  row: OutboxRow,
  redact: (text: string) => string,
): Promise<Verdict> {
  const environment: CallEnvironment = { ...context.environment, now: context.now(), signal: context.signal }
  if (Number(row.attempts) > attemptsFor(runtime, row) + lostAttempts)
    return ended('failed', null, 'it was begun too often and never ended: the process died each time')
  if (row.kind === 'mail') return mailed(runtime, request, context, row, environment, redact)
  const call = runtime.app.calls.get(row.name)
  if (call === undefined || isUnspecified(call.request))
    return ended('failed', null, `the document has no call named ${row.name} any more`)
  const missing = missingSetting(runtime, row, call, context)
  if (missing !== null && context.standIn === undefined)
    return notSent(runtime, context, row, `the environment variable ${missing} is not set`)
  const variable = missing === null ? environment.variable : standingIn(runtime.app, environment.variable)
  const address = addressOf(runtime.app, variable, (row.payload as StoredCall).url)
  if ('wrong' in address) return ended('failed', null, address.wrong)
  const own = missing === null ? address.url : `${context.standIn}/${row.id}`
  const url = context.redirect === undefined ? own : context.redirect(own)
  if (url === null) return notSent(runtime, context, row, 'nobody outside is called here')
  const reach = url === address.url ? reachOf(runtime.app, variable, url) : 'anywhere'
  if (reach === null)
    return ended('failed', null, `neither the document nor a setting names ${URL.parse(url)?.host ?? 'this host'}`)
  const made = await callKinds.http.attempt(
    {
      method: call.request.method,
      url,
      reach,
      body: bodyOf(runtime, row, variable),
      secret: call.secret?.name ?? null,
      headers: headersOf(runtime, call, variable),
      timeout: call.timeout.seconds,
      idempotencyKey: row.repeat_key,
      traceparent: traceparentOf(row, context.now()),
    },
    { ...environment, variable },
  )
  const attempt = withoutSecrets(made, redact)
  const went = context.signal.aborted ? null : wentHow(attempt)
  const retryAfter = attempt.kind === 'answered' ? attempt.retryAfter : null
  if (went !== null) await noteAttempt(runtime.store, row, went, context.now(), context.random, retryAfter)
  return answered(runtime, request, context, { ...row, probe: row.probe && went !== 'well' }, call, attempt)
}

/**
 * It never left. Where it was to show whether the other side is back, that is not known, and its call goes on pausing. It is tried at least
 * as often and as long as the document says for some answer: nobody knows what this one would have been.
 */
async function notSent(runtime: Runtime, context: DeliveryContext, row: OutboxRow, error: string): Promise<Verdict> {
  if (row.probe) await noteAttempt(runtime.store, row, 'badly', context.now(), context.random)
  const { attempts, within } = plainly[row.kind]
  const call = row.kind === 'call' ? runtime.app.calls.get(row.name) : undefined
  const repeats = call === undefined ? [] : repeatsOf(call)
  const times = Math.max(attempts - 1, ...repeats.map(one => one.times))
  return tryAgain(context, row, null, error, times, Math.max(within, ...repeats.map(one => one.within)))
}

/** W3C Trace Context: the trace that caused the call, or one of its own, the same for every attempt; each attempt is a span of it. */
function traceparentOf({ id, attempts, payload }: OutboxRow, now: Date): string {
  const [trace, flags] = ((payload as StoredCall).trace ?? `${id.replaceAll('-', '')}-01`).split('-')
  const span = createHash('sha256').update(`${id} ${attempts} ${now.toISOString()}`).digest('hex').slice(0, 16)
  return `00-${trace}-${span}-${flags}`
}

/** `badly`: the other side is not there, or says that it cannot now. Whatever else it answers, it is there. */
function wentHow(attempt: Attempt): 'well' | 'badly' | null {
  if (attempt.kind === 'answered') return attempt.status >= 500 || attempt.status === 429 ? 'badly' : 'well'
  if (attempt.kind === 'failed' && attempt.refused === true) return 'well'
  return attempt.kind === 'kept' || (attempt.kind === 'failed' && attempt.permanent) ? null : 'badly'
}

/** As everything sees it from here on, what the document keeps of an answer too. */
function withoutSecrets(attempt: Attempt, redact: (text: string) => string): Attempt {
  if (attempt.kind === 'answered') return { ...attempt, body: redacted(attempt.body, redact) }
  return attempt.kind === 'failed' ? { ...attempt, error: redact(attempt.error) } : attempt
}

/** JSON with each name and text redacted; a number that is a secret becomes a text. */
function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map(one => redacted(one, redact))
  if (typeof value === 'object' && value !== null && roundedNumber(value) === null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact(name), redacted(one, redact)]))
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const rest = redact(text)
  return rest === text ? value : rest
}

/** As often as the document says, the first attempt included. */
function attemptsFor({ app }: Runtime, { kind, name }: OutboxRow): number {
  const call = app.calls.get(name)
  return Math.max(plainly[kind].attempts, ...(call === undefined ? [] : repeatsOf(call)).map(({ times }) => times + 1))
}

function settingsOf(row: OutboxRow, { headers }: Call): readonly string[] {
  const { url, body } = row.payload as StoredCall
  const written = headers.flatMap(({ value }) => value.parts.flatMap(part => settingIn(part) ?? []))
  return [...[...url, ...Object.values(body)].flatMap(part => (isSetting(part) ? [part.setting] : [])), ...written]
}

const settingIn = (part: Template['parts'][number]): string | null =>
  part.kind !== 'text' && part.expression.root.op === 'setting' ? part.expression.root.name : null

const isSetting = (part: unknown): part is { readonly setting: string } =>
  typeof part === 'object' && part !== null && 'setting' in part

/** The environment variable of a setting, or of what signs the call, that has no value. */
function missingSetting(runtime: Runtime, row: OutboxRow, call: Call, context: DeliveryContext): string | null {
  const settings = settingsOf(row, call).map(setting => variableOf(runtime.app, setting))
  const names = call.secret === null ? settings : [...settings, call.secret.name]
  return names.find(name => !context.environment.variable(name)) ?? null
}

const headersOf = ({ app }: Runtime, { headers }: Call, variable: CallEnvironment['variable']) =>
  Object.fromEntries(
    headers.map(({ name, value }) => [
      name,
      value.parts
        .map(part => {
          const setting = settingIn(part)
          return part.kind === 'text' ? part.text : setting === null ? '' : variable(variableOf(app, setting))
        })
        .join(''),
    ]),
  )

const bodyOf = ({ app }: Runtime, row: OutboxRow, variable: CallEnvironment['variable']) =>
  Object.fromEntries(
    Object.entries((row.payload as StoredCall).body).map(([name, value]) => [
      name,
      isSetting(value) ? variable(variableOf(app, value.setting)) : value,
    ]),
  )

async function mailed(
  runtime: Runtime,
  request: Request,
  context: DeliveryContext,
  row: OutboxRow,
  environment: CallEnvironment,
  redact: (text: string) => string,
): Promise<Verdict> {
  const stored = row.payload as MailPayload
  const payload = isOfNotices(stored)
    ? await noticeMail(runtime, request, stored, {
        linkTo: context.linkTo,
        replies: repliesOf(context.environment.variable),
      })
    : withLink(runtime, context, row)
  if (payload === null) return ended('delivered', null)
  const sent = payload.opens === true ? await withWayIn(runtime, request, context, row, payload) : payload
  const attempt = await callKinds.mail.attempt({ ...sent, ...branded(runtime.app) }, environment)
  const went = context.signal.aborted ? null : wentHow(attempt)
  if (went !== null) await noteAttempt(runtime.store, row, went, context.now(), context.random)
  const tried = { ...row, probe: row.probe && went !== 'well' }
  switch (attempt.kind) {
    case 'kept':
      await runtime.store.run(keepMail, {
        id: row.id,
        now: context.now().toISOString(),
        sender: context.environment.from,
        recipients: [`${payload.to.name} <${payload.to.address}>`],
        subject: payload.subject,
        body: sent.text,
        mail: row.name,
        entity: row.entity,
        record: row.record,
      })
      return ended('delivered', null)
    case 'answered':
      return ended('delivered', attempt.status)
    case 'failed': {
      const error = redact(attempt.error)
      return attempt.permanent ? ended('failed', null, error) : tryAgain(context, tried, null, error)
    }
    case 'timeout':
      return tryAgain(context, tried, null, 'the mail server did not answer in time')
  }
}

/** With a link of its own to its record, for whoever has no account. It stands nowhere but in the mail that leaves. */
async function withWayIn(
  { store }: Runtime,
  { limits }: Request,
  { way, now }: DeliveryContext,
  { entity, record }: OutboxRow,
  payload: MailPayload,
): Promise<MailPayload> {
  if (record === null || way === undefined) return { ...payload, text: payload.text.replaceAll(linkMark, '') }
  const { hash, href } = way()
  const at = now()
  const ends = new Date(at.getTime() + engineValue(limits, 'link_days') * 86_400_000)
  await store.inTransaction(tx => openWay(tx, { entity, record, way: 'link', hash, now: at, ends }))
  return { ...payload, text: payload.text.replaceAll(linkMark, href) }
}

/** A document with a colour or a logo heads its mails with them. */
function branded({ name, product: { brand } }: App): Pick<MailPayload, 'brand'> {
  const { colour, logo } = brand
  if (colour === null && logo === null) return {}
  const isDrawn = logo !== null && logo.type !== 'image/svg+xml'
  return {
    brand: { name, colour: colour === null ? null : hexOf(colour.colours.accent[0]), logo: isDrawn ? logo : null },
  }
}

/** A mail whose body the document leaves open says where to look, and nothing else. */
function withLink({ app }: Runtime, context: DeliveryContext, row: OutboxRow): MailPayload {
  const payload = row.payload as MailPayload
  const body = app.mails.get(row.name)?.body ?? null
  if (body === null || !isUnspecified(body) || row.record === null) return payload
  return { ...payload, text: context.linkTo(row.entity, row.record) ?? '' }
}

const keepMail = built(sql`
  insert into ninefold.mailbox (id, at, sender, recipients, subject, body, mail, entity, record)
  values (${slot('id')}::uuid, ${slot('now')}::timestamptz, ${slot('sender')}, ${slot('recipients')}::text[], ${slot('subject')},
    ${slot('body')}, ${slot('mail')}, ${slot('entity')}, ${slot('record')}::uuid)
  on conflict (id) do nothing`)
