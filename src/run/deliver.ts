/**
 * Delivers what lies in the outbox, at least once. A row is claimed and its attempt counted before anything is sent; what the
 * answer says happens in the transaction that ends the row. Every attempt carries the same key, so that the other side can tell.
 */
import { evaluate, NOT_LOADED } from '../expression/evaluate.ts'
import { slot, sql } from '../expression/sql.ts'
import type { Wire } from '../expression/type.ts'
import { hexOf } from '../headings/1-product/contrast.ts'
import type { Answer, AnswerAct, Call } from '../headings/7-calls/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/said.ts'
import type { Attempt, CallEnvironment } from '../kinds/calls/call-kind.ts'
import { callKinds } from '../kinds/calls/index.ts'
import type { MailPayload } from '../kinds/calls/mail/call.ts'
import { noteAttempt, notPaused, pauseBindings } from './breaker.ts'
import { timeIn } from './clock.ts'
import { digestOf } from './digest.ts'
import { settle } from './effects.ts'
import { addressPart, reachOf, redactor, variableOf } from './egress.ts'
import { asTenant } from './limits.ts'
import type { StoredCall } from './outbox.ts'
import type { Outcome } from './outcome.ts'
import { raiseEntry } from './raise.ts'
import { readingOf } from './reading.ts'
import { type Draft, environmentOf, expectWrites, loadRecord, relatedRecords, withRelated } from './record.ts'
import type { Request, Runtime } from './request.ts'
import { built } from './statements.ts'
import { stepInside } from './step.ts'
import { isolationOf, writtenAfter } from './together.ts'
import { refused, setInside } from './write.ts'

/** Seconds that a claim lasts; it is renewed while an attempt runs, so a dead worker's rows are free again this soon. */
const lease = 10
const renewal = 3
/** Attempts where the document names no number, and seconds in which they are made. */
const plainAttempts = 8
const plainWithin = 6 * 3600
/** Attempts beyond what the document asks for that may get lost with dying processes before a row is set aside. */
const lostAttempts = 3
/** Seconds that nothing waits longer than: a due time further ahead comes from a clock that was wrong. */
const longestWait = 48 * 3600

export interface DeliveryContext {
  /** Unique per process; fences off a worker that was thought dead. */
  readonly worker: string
  /** From 0 up to 1: spreads repetitions. */
  readonly random: () => number
  readonly environment: Omit<CallEnvironment, 'now' | 'signal'>
  readonly now: () => Date
  readonly signal: AbortSignal
  /** Rows at once. */
  readonly limit: number
  /** Address of the page of a record; null where there is none. */
  readonly linkTo: (entity: string, record: string) => string | null
}

export interface Delivered {
  readonly delivered: number
  readonly failed: number
  readonly waiting: number
}

interface OutboxRow {
  readonly id: string
  readonly kind: 'mail' | 'call'
  readonly name: string
  readonly entity: string
  readonly record: string | null
  readonly payload: unknown
  readonly repeat_key: string
  readonly attempts: string
  readonly first_at: string
}

/** What becomes of a row after an attempt. */
interface Verdict {
  readonly state: 'delivered' | 'failed' | 'waiting'
  readonly status: number | null
  readonly error: string | null
  /** What the other side said, as text. */
  readonly answer?: string
  readonly dueAt: string | null
  readonly reported: string | null
}

/** Delivers what is due, rows side by side. `request` is the application's own, for what answers set. */
export async function deliver(runtime: Runtime, request: Request, context: DeliveryContext): Promise<Delivered> {
  const now = context.now()
  const rows = await runtime.store.run<OutboxRow>(claim, {
    now: now.toISOString(),
    until: later(now, lease),
    beyond_lease: later(now, lease),
    beyond_due: later(now, longestWait),
    worker: context.worker,
    limit: context.limit,
    hushed: isQuiet(runtime.app, now),
    ...pauseBindings(now),
  })
  if (rows.length === 0) return { delivered: 0, failed: 0, waiting: 0 }
  const renewing = setInterval(() => {
    // A renewal that fails costs nothing but a second delivery, which the key tells.
    runtime.store
      .run(renew, { ids: rows.map(({ id }) => id), worker: context.worker, until: later(context.now(), lease) })
      .catch(() => {})
  }, renewal * 1000)
  try {
    const states = await Promise.all(rows.map(row => deliverRow(runtime, request, context, row)))
    const count = (state: Verdict['state']) => states.filter(one => one === state).length
    return { delivered: count('delivered'), failed: count('failed'), waiting: count('waiting') }
  } finally {
    clearInterval(renewing)
  }
}

const later = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString()

/** Whether it is quiet: then what need not wake anybody waits. */
function isQuiet({ quietHours, product }: App, now: Date): boolean {
  if (quietHours === null) return false
  const { from, to } = quietHours
  const { hour, minute } = timeIn(now, product.timeZone.name)
  const at = hour * 60 + minute
  return from < to ? at >= from && at < to : at >= from || at < to
}

// Calls of one kind with one queue leave in the order in which they were caused.
const claim = built(sql`
  update ninefold.outbox as o set claimed_until = ${slot('until')}::timestamptz, claimed_by = ${slot('worker')},
    attempts = o.attempts + 1, first_at = coalesce(o.first_at, ${slot('now')}::timestamptz), last_at = ${slot('now')}::timestamptz
  where o.id in (
    select d.id from ninefold.outbox as d
    where d.state = 'waiting'
      and (d.due_at <= ${slot('now')}::timestamptz or d.due_at > ${slot('beyond_due')}::timestamptz)
      and (d.claimed_until is null or d.claimed_until <= ${slot('now')}::timestamptz
        or d.claimed_until > ${slot('beyond_lease')}::timestamptz)
      and not (d.quiet and ${slot('hushed')}::boolean)
      and ${notPaused}
      and (d.kind <> 'call' or not exists (select from ninefold.outbox as e where e.state = 'waiting' and e.kind = 'call'
        and e.name = d.name and e.queue = d.queue and e.turn < d.turn))
    order by d.due_at, d.id limit ${slot('limit')}::integer for update skip locked)
  returning o.id, o.kind, o.name, o.entity, o.record, o.payload, o.repeat_key, o.attempts, o.first_at`)

const renew = built(sql`
  update ninefold.outbox set claimed_until = ${slot('until')}::timestamptz
  where id = any(${slot('ids')}::uuid[]) and claimed_by = ${slot('worker')} and state = 'waiting'`)

// A worker that was taken for dead has lost the row: its late result counts for nothing.
const finish = built(sql`
  update ninefold.outbox set state = ${slot('state')}, due_at = coalesce(${slot('due')}::timestamptz, due_at),
    last_status = ${slot('status')}::integer, last_error = ${slot('error')},
    last_answer = ${slot('answer')}, reported = ${slot('reported')},
    finished_at = case when ${slot('state')} = 'waiting' then null else ${slot('now')}::timestamptz end,
    claimed_until = null, claimed_by = null
  where id = ${slot('id')}::uuid and state = 'waiting' and claimed_by = ${slot('worker')}
    and attempts = ${slot('attempts')}::integer`)

async function deliverRow(
  runtime: Runtime,
  request: Request,
  context: DeliveryContext,
  row: OutboxRow,
): Promise<Verdict['state']> {
  const redact = redactor(runtime.app, context.environment.variable, context.environment.smtp)
  const verdict = await attemptRow(runtime, request, context, row, redact).catch(
    (error: unknown): Verdict =>
      tryAgain(context, row, null, redact(error instanceof Error ? error.message : String(error))),
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
  })
  return verdict.state
}

const finishBindings = (context: DeliveryContext, row: OutboxRow, verdict: Verdict) => ({
  id: row.id,
  worker: context.worker,
  attempts: row.attempts,
  state: verdict.state,
  due: verdict.dueAt,
  status: verdict.status,
  error: verdict.error?.slice(0, 2000) ?? null,
  answer: verdict.answer?.slice(0, 2000) ?? null,
  reported: verdict.reported,
  now: context.now().toISOString(),
})

const ended = (state: 'delivered' | 'failed', status: number | null, error: string | null = null): Verdict => ({
  state,
  status,
  error,
  dueAt: null,
  reported: null,
})

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
  const missing = missingSetting(runtime, row, context)
  if (missing !== null) return tryAgain(context, row, null, `the environment variable ${missing} is not set`)
  const { variable } = context.environment
  const url = urlOf(runtime, row, context)
  const reach = reachOf(runtime.app, variable, url)
  if (reach === null)
    return ended('failed', null, `neither the document nor a setting names ${URL.parse(url)?.host ?? 'this host'}`)
  const made = await callKinds.http.attempt(
    {
      method: call.request.method,
      url,
      reach,
      body: bodyOf(runtime, row, context),
      secret: call.secret?.name ?? null,
      timeout: call.timeout.seconds,
      idempotencyKey: row.repeat_key,
    },
    environment,
  )
  const attempt = withoutSecrets(made, redact)
  const went = context.signal.aborted ? null : wentHow(attempt)
  if (went !== null) await noteAttempt(runtime.store, call.key, went, context.now(), context.random)
  return answered(runtime, request, context, row, call, attempt, redact)
}

/** `badly`: the other side is not there, or says that it cannot now. Whatever else it answers, it is there. */
function wentHow(attempt: Attempt): 'well' | 'badly' | null {
  if (attempt.kind === 'answered') return attempt.status >= 500 || attempt.status === 429 ? 'badly' : 'well'
  return attempt.kind === 'kept' || (attempt.kind === 'failed' && attempt.permanent) ? null : 'badly'
}

const withoutSecrets = (attempt: Attempt, redact: (text: string) => string): Attempt =>
  attempt.kind === 'failed' ? { ...attempt, error: redact(attempt.error) } : attempt

/** As often as the document says, the first attempt included. */
function attemptsFor({ app }: Runtime, row: OutboxRow): number {
  const times = (app.calls.get(row.name)?.answers ?? [])
    .flatMap(({ then }) => then)
    .map(act => (act.kind === 'repeat' ? act.times + 1 : 0))
  return Math.max(plainAttempts, ...times)
}

function settingsOf(row: OutboxRow): readonly string[] {
  const { url, body } = row.payload as StoredCall
  return [...url, ...Object.values(body)].flatMap(part => (isSetting(part) ? [part.setting] : []))
}

const isSetting = (part: unknown): part is { readonly setting: string } =>
  typeof part === 'object' && part !== null && 'setting' in part

/** The environment variable of a setting that is used but has no value. */
function missingSetting(runtime: Runtime, row: OutboxRow, context: DeliveryContext): string | null {
  const names = settingsOf(row).map(setting => variableOf(runtime.app, setting))
  return names.find(name => !context.environment.variable(name)) ?? null
}

const urlOf = ({ app }: Runtime, row: OutboxRow, { environment }: DeliveryContext): string =>
  (row.payload as StoredCall).url
    .map(part => (typeof part === 'string' ? part : addressPart(app, environment.variable, part.setting)))
    .join('')

const bodyOf = ({ app }: Runtime, row: OutboxRow, { environment }: DeliveryContext) =>
  Object.fromEntries(
    Object.entries((row.payload as StoredCall).body).map(([name, value]) => [
      name,
      isSetting(value) ? environment.variable(variableOf(app, value.setting)) : value,
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
  const payload = stored.digest
    ? await digestOf(runtime, request, stored, context.linkTo)
    : withLink(runtime, context, row)
  if (payload === null) return ended('delivered', null)
  const attempt = await callKinds.mail.attempt({ ...payload, ...branded(runtime.app) }, environment)
  switch (attempt.kind) {
    case 'kept':
      await runtime.store.run(keepMail, {
        id: row.id,
        now: context.now().toISOString(),
        sender: context.environment.from,
        recipients: [`${payload.to.name} <${payload.to.address}>`],
        subject: payload.subject,
        body: payload.text,
        mail: row.name,
        entity: row.entity,
        record: row.record,
      })
      return ended('delivered', null)
    case 'answered':
      return ended('delivered', attempt.status)
    case 'failed': {
      const error = redact(attempt.error)
      return attempt.permanent ? ended('failed', null, error) : tryAgain(context, row, null, error)
    }
    case 'timeout':
      return tryAgain(context, row, null, 'the mail server did not answer in time')
  }
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
  if (payload.link !== undefined) {
    const href = context.linkTo(payload.link.entity, payload.link.record)
    return href === null ? payload : { ...payload, text: `${href}\n\n${payload.text}` }
  }
  const body = app.mails.get(row.name)?.body ?? null
  if (body === null || !isUnspecified(body) || row.record === null) return payload
  return { ...payload, text: context.linkTo(row.entity, row.record) ?? '' }
}

const keepMail = built(sql`
  insert into ninefold.mailbox (id, at, sender, recipients, subject, body, mail, entity, record)
  values (${slot('id')}::uuid, ${slot('now')}::timestamptz, ${slot('sender')}, ${slot('recipients')}::text[], ${slot('subject')},
    ${slot('body')}, ${slot('mail')}, ${slot('entity')}, ${slot('record')}::uuid)
  on conflict (id) do nothing`)

/** Another attempt, at growing distances; after the last one the row has failed. */
function tryAgain(
  context: DeliveryContext,
  row: OutboxRow,
  status: number | null,
  error: string,
  times = plainAttempts - 1,
  within = plainWithin,
  retryAfter: number | null = null,
): Verdict {
  if (Number(row.attempts) > times) return ended('failed', status, error)
  return {
    state: 'waiting',
    status,
    error,
    dueAt: nextAttempt(context, row, times, within, retryAfter),
    reported: null,
  }
}

/**
 * When attempt `n + 1` is due: pauses double, so that `times` of them fill the time that the document gives; each is shortened
 * by up to a quarter by chance, so that many rows do not come back at once. The other side may ask for more patience.
 */
export function nextAttempt(
  context: Pick<DeliveryContext, 'now' | 'random'>,
  row: Pick<OutboxRow, 'attempts' | 'first_at'>,
  times: number,
  within: number,
  retryAfter: number | null,
): string {
  const number = Number(row.attempts)
  const pause = (within / (2 ** times - 1)) * 2 ** (number - 1) * (1 - context.random() / 4)
  const now = context.now()
  const end = Date.parse(row.first_at) + within * 1000
  const wanted = now.getTime() + Math.max(pause, retryAfter ?? 0) * 1000
  return new Date(Math.max(now.getTime() + 1000, Math.min(wanted, end))).toISOString()
}

/** The first row of the document's answers that fits. No answer at all is what the document calls a time-out. */
function answerFor(call: Call, attempt: Attempt): Answer | null {
  const { answers } = call
  if (attempt.kind === 'answered') {
    const status = String(attempt.status)
    return answers.find(({ statuses }) => statuses.some(one => one === status || one === `${status[0]}xx`)) ?? null
  }
  return answers.find(({ timeout }) => timeout) ?? null
}

async function answered(
  runtime: Runtime,
  request: Request,
  context: DeliveryContext,
  row: OutboxRow,
  call: Call,
  attempt: Attempt,
  redact: (text: string) => string,
): Promise<Verdict> {
  const said = answerText(attempt, redact)
  const verdict = await judged(runtime, request, context, row, call, attempt, said)
  return { ...verdict, answer: said }
}

/** The beginning of what came back, for people. */
const answerText = (attempt: Attempt, redact: (text: string) => string): string => {
  if (attempt.kind !== 'answered' || attempt.body === null) return ''
  const text = typeof attempt.body === 'string' ? attempt.body : JSON.stringify(attempt.body)
  // Redacted first: a cut would leave half of a secret.
  return redact(text).replaceAll('\0', '').toWellFormed().slice(0, 500)
}

async function judged(
  runtime: Runtime,
  request: Request,
  context: DeliveryContext,
  row: OutboxRow,
  call: Call,
  attempt: Attempt,
  said: string,
): Promise<Verdict> {
  const status = attempt.kind === 'answered' ? attempt.status : null
  const retryAfter = attempt.kind === 'answered' ? attempt.retryAfter : null
  const error = errorOf(attempt)
  const answer = attempt.kind === 'failed' && attempt.permanent ? null : answerFor(call, attempt)
  if (answer === null) {
    if (attempt.kind === 'failed' && attempt.permanent) return ended('failed', null, error)
    if (status !== null && status < 300) return ended('delivered', status)
    return tryAgain(context, row, status, error ?? 'no answer', undefined, undefined, retryAfter)
  }
  const acts: AnswerAct[] = []
  for (const act of answer.then) {
    if (act.kind === 'repeat') {
      const again = Number(row.attempts) <= act.times
      if (again) {
        const dueAt = nextAttempt(context, row, act.times, act.within, retryAfter)
        return { state: 'waiting', status, error: error ?? `answered ${status}`, dueAt, reported: null }
      }
    } else acts.push(act)
  }
  const bad =
    acts.some(act => act.kind === 'stop' || act.kind === 'report') ||
    (status !== null && status >= 400) ||
    error !== null
  const body = attempt.kind === 'answered' ? attempt.body : null
  const verdict = { ...ended(bad ? 'failed' : 'delivered', status, error), answer: said }
  return actOn(runtime, request, context, row, call, acts, body, verdict)
}

function errorOf(attempt: Attempt): string | null {
  switch (attempt.kind) {
    case 'answered':
      return attempt.status < 400 ? null : `answered ${attempt.status}`
    case 'timeout':
      return 'no answer in time'
    case 'failed':
      return attempt.error
    case 'kept':
      return null
  }
}

/** Does what an answer says and ends the row, in one transaction: both or neither. */
async function actOn(
  runtime: Runtime,
  everybodys: Request,
  context: DeliveryContext,
  row: OutboxRow,
  call: Call,
  acts: readonly AnswerAct[],
  body: unknown,
  verdict: Verdict,
): Promise<Verdict> {
  const request = await asTenant(runtime, everybodys, row.entity, row.record!)
  const done = await runtime.store.inTransaction(
    async (tx): Promise<Verdict & { readonly ended: true }> => {
      const id = row.record!
      expectWrites(tx, new Set([row.entity, ...writtenAfter(runtime.app, row.entity)]))
      const related = relatedRecords(tx, runtime.app)
      const record: Draft = (await loadRecord(tx, runtime.app, row.entity, id)) ?? { id }
      related.put(row.entity, record)
      const environment = { ...environmentOf(request, related, record, null), answer: answerFields(body) }
      const values: Record<string, Wire> = {}
      let reported: string | null = null
      let message = verdict.error
      for (const act of acts) {
        if (act.kind === 'set') {
          const value = await withRelated(related, () => evaluate(act.value, environment))
          values[act.field] = value === NOT_LOADED || Array.isArray(value) ? null : (value as Wire)
        }
        if (act.kind === 'report') {
          const reading = {
            ...readingOf(runtime.app, request, environment),
            locale: runtime.app.language,
          }
          const problem = await withRelated(related, () =>
            raiseEntry(runtime.app, act.error, row.entity, reading, { field: null, because: act.cell }),
          )
          reported = act.error
          message = problem.message
        }
      }
      const last = { ...verdict, reported, error: message }
      if ((await tx.write(finish, finishBindings(context, row, last))) === 0)
        return tx.abandon({ ...verdict, error: 'another worker has it', ended: true })
      const what = { kind: 'call' as const, name: call.key, because: acts[0]?.cell ?? call.cell }
      if (Object.keys(values).length > 0)
        insist(tx.abandon, await setInside(tx, runtime, request, row.entity, id, { values, state: null, ...what }))
      for (const act of acts)
        if (act.kind === 'do')
          insist(tx.abandon, await stepInside(tx, runtime, request, row.entity, id, act.step, null))
      const { problems } = await settle(tx, runtime, request, { entity: row.entity, id })
      if (problems.length > 0) insist(tx.abandon, refused(problems))
      return { ...last, ended: true }
    },
    isolationOf(runtime.app, row.entity),
  )
  // The record's own rules refuse what the answer says: undone, and kept where somebody sees it.
  if ('refusal' in done) return ended('failed', verdict.status, String(done.refusal))
  return done
}

function insist(abandon: (value: unknown) => never, outcome: Outcome): void {
  if (outcome.kind === 'done') return
  const problems = outcome.kind === 'refused' ? outcome.problems : [outcome.problem]
  abandon({ refusal: problems.map(({ message }) => message).join(' ') })
}

/** The top level of a JSON answer as texts; what is deeper is not looked at. */
function answerFields(body: unknown): Readonly<Record<string, Wire>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]): [string, Wire][] =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[key, String(value)]]
        : [],
    ),
  )
}
