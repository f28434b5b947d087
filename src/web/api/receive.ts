/** `POST /api/v1/-/stock_count`: messages of others, let in by a key or a signature that only the sender can make. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Sent } from '../../headings/7-calls/model.ts'
import { roundedNumber } from '../../kinds/fields/json/exact.ts'
import { messageInput, receive } from '../../run/later/receive.ts'
import { keepRefused, type Wrong, wrongOf } from '../../run/later/refused.ts'
import type { Input, Problem } from '../../run/outcome.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { receivedPerMinute, signatureSeconds } from '../bounds.ts'
import { parseJson } from '../form-body.ts'
import { type IdempotencyKey, idempotency, KeyReused } from '../idempotency.ts'
import { type Allowance, attempt } from '../rate-limit/backoff.ts'
import { countInMinute } from '../rate-limit/per-minute.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { statusOf } from '../write.ts'
import { problem, problems } from './problem.ts'

/** By network address: who tries keys waits longer and longer. */
export const strangers: Allowance = { name: 'receive', free: 20, first: 2, longest: 60, forgiven: 900 }

interface Received {
  readonly response: HttpResponse
  /** Null: it was taken, or has to wait. */
  readonly wrong: Wrong | null
}

/** A list of messages is answered with what came of each: one that is refused holds up none of the others. */
export async function receiveMessage(context: RequestContext, message: Sent): Promise<HttpResponse> {
  const { runtime, request } = context
  const { response, wrong, proven, body } = await letIn(context, message)
  if (wrong !== null) await keepRefused(runtime, request, message, response.status, wrong)
  if (proven === null) return response
  const take = async (given: unknown, nth: number | null) => {
    const one = await takenOne(context, message, proven, given, nth)
    if (one.wrong !== null) await keepRefused(runtime, request, message, one.response.status, one.wrong)
    return one.response
  }
  if (!Array.isArray(body)) return take(body, null)
  const answers: Readonly<Record<string, unknown>>[] = []
  for (const [nth, given] of body.entries()) {
    const { status, body: said } = await take(given, nth)
    answers.push({ status, ...JSON.parse(String(said)) })
  }
  return json({ messages: answers }, answers.every(({ status }) => status === 200) ? 200 : 207)
}

interface LetIn extends Received {
  /** The secret by which whoever sent it is let in; null: they are not, or have to wait, or sent nothing that can be read. */
  readonly proven: string | null
  readonly body?: unknown
}

async function letIn(context: RequestContext, message: Sent): Promise<LetIn> {
  const { runtime, request } = context
  const none = (received: Received): LetIn => ({ ...received, proven: null })
  const later = (delay: number): LetIn =>
    none({ response: problem(context, 429, { headers: { 'retry-after': String(delay) } }), wrong: null })
  const proven = keysOf(context, message).find(key => isProven(context, message, key))
  if (proven === undefined) {
    const delay = await attempt(runtime.store, strangers, context.network, request.now)
    if (delay > 0) return later(delay)
    const more = { headers: { 'www-authenticate': schemeOf(message) }, more: { title: STATUS_CODES[401]! } }
    return none(refused(context, 401, `The ${message.proof.kind} is missing, wrong or too old.`, more))
  }
  // Only whoever is let in counts: strangers must not use up the minute of the sender.
  const counted = { what: 'receive', who: message.key, most: mostOf(context, message), now: request.now }
  const wait = await countInMinute(runtime.store, counted)
  if (wait > 0) return later(wait)
  const body = parseJson(context.headers['content-type'], context.body)
  if ('status' in body) return none(refused(context, body.status, body.why))
  const more = Array.isArray(body.value) ? body.value.length - 1 : 0
  if (more < 0 || more >= counted.most)
    return none(refused(context, 422, `A list has from 1 to ${counted.most} messages.`))
  const rest = more === 0 ? 0 : await countInMinute(runtime.store, { ...counted, by: more })
  return rest > 0 ? later(rest) : { response: json({}), wrong: null, proven, body: body.value }
}

const refused = (
  context: RequestContext,
  status: number,
  detail: string,
  more: Parameters<typeof problem>[2] = {},
): Received => ({ response: problem(context, status, { ...more, detail }), wrong: { codes: [], words: detail } })

/** One message; `nth`: its place in a list of them. */
async function takenOne(
  context: RequestContext,
  message: Sent,
  proven: string,
  given: unknown,
  nth: number | null,
): Promise<Received> {
  const { site, runtime, request } = context
  const broken = (status: number, found: readonly Problem[]): Received => ({
    response: problems(context, status, found),
    wrong: wrongOf(site.app, found),
  })
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refused(
      context,
      422,
      nth === null ? 'The body must be a JSON object, or a list of them.' : 'A message must be a JSON object.',
    )
  const values = given as Readonly<Record<string, unknown>>
  const input = messageInput(site.app, message, values)
  const key = onceKey(context, message, values, nth)
  if (key === 'missing') return refused(context, 422, `\`${message.once}\` is missing: it tells repetitions.`)
  const told =
    key === null ? null : { scope: `receive ${message.key}`, key, request: textOf(input), entity: message.entity }
  try {
    const once = (key: IdempotencyKey | null) => idempotency(runtime.app, key, request.now)
    const whole = accompanied(runtime, once(signedOnce(context, message, proven, nth)), once(told))
    const outcome = await receive(whole, request, message, input)
    switch (outcome.kind) {
      case 'done':
        return { response: json({ id: outcome.id, version: outcome.version }), wrong: null }
      case 'refused':
        return broken(statusOf(outcome.problems), outcome.problems)
      case 'not found':
        return broken(404, [outcome.problem])
      case 'stale':
        return broken(409, [outcome.problem])
    }
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error
    return refused(context, 422, 'The same key came with another message.')
  }
}

/** What a message says, the same however it is written, and whatever else it brings. */
function textOf({ values, children, invalidValues }: Input): string {
  const sorted = (values: Input['values']) => Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))
  const rowsIn = (lists: Input['children']): unknown =>
    Object.entries(lists).map(([list, all]) => [
      list,
      all.map(({ id, values, children = {} }) => [id, sorted(values), rowsIn(children)]),
    ])
  return JSON.stringify([sorted(values), rowsIn(children), invalidValues])
}

/** How many are taken in a minute. */
function mostOf({ request }: RequestContext, { most }: Sent): number {
  if (most === null) return receivedPerMinute
  return typeof most.value === 'number' ? most.value : Number(request.limits[most.value.limit] ?? receivedPerMinute)
}

const schemeOf = ({ proof }: Sent): string => (proof.kind === 'key' ? 'Bearer' : 'Ninefold-Signature')

/** What tells one of a list from the others. */
const nthOf = (nth: number | null): string => (nth === null ? '' : ` ${nth}`)

/** What repetitions have in common: a value of the body, else the header; null: nothing does. */
function onceKey(
  { headers }: RequestContext,
  message: Sent,
  given: Readonly<Record<string, unknown>>,
  nth: number | null,
): string | 'missing' | null {
  if (message.once === null) {
    const header = headers['idempotency-key']
    return typeof header === 'string' && /^[\x21-\x7e]{1,200}$/.test(header) ? `header ${header}${nthOf(nth)}` : null
  }
  const value = roundedNumber(given[message.once]) ?? given[message.once]
  if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return 'missing'
  return createHash('sha256').update(String(value)).digest('base64url')
}

/** The key, and the one that it replaces until the moment when that ends. */
function keysOf({ web, request }: RequestContext, { proof }: Sent): readonly string[] {
  const variable = (end: string) => web.options.variable?.(`${proof.variable}${end}`) ?? ''
  // Without a moment, or with one that cannot be read, it has ended.
  const isStill = request.now.getTime() < Date.parse(variable('_OLD_UNTIL'))
  return [variable(''), isStill ? variable('_OLD') : ''].filter(key => key !== '')
}

function isProven(context: RequestContext, { proof }: Sent, secret: string): boolean {
  const { headers, request } = context
  if (proof.kind === 'key') return isSame(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '', secret)
  const { seconds, given, all } = signatureIn(context)
  const age = Math.abs(request.now.getTime() / 1000 - Number(seconds))
  return seconds !== '' && age <= signatureSeconds && isSame(given, digestOf(context, secret, seconds, all))
}

/** The signature that a message brings; `all`: of all that makes it what it is, which counts where there is one. */
function signatureIn({ headers }: RequestContext) {
  const whole = headers['ninefold-signature-2']
  const all = whole !== undefined
  const text = String((all ? whole : headers['ninefold-signature']) ?? '')
  const [, seconds = '', version = '', given = ''] = /^t=(\d{1,12}),(v[12])=([0-9a-f]{64})$/.exec(text) ?? []
  return version === (all ? 'v2' : 'v1') ? { seconds, given, all } : { seconds: '', given: '', all }
}

/** Over the seconds and the body; `all`: with the method, the address and the key of repetitions, which nobody can then exchange. */
function digestOf(
  { method, path, headers, body }: RequestContext,
  secret: string,
  seconds: string,
  all: boolean,
): string {
  const key = String(headers['idempotency-key'] ?? '')
  const before = all ? `${seconds}\n${method} ${path}\n${key}\n` : `${seconds}.`
  return createHmac('sha256', secret).update(before).update(body).digest('hex')
}

/**
 * A signed message is taken once, for longer than its signature is good: whoever has seen it can send it again byte for byte, with other
 * headers too, and to another address. What has another moment or says something else is another message.
 */
function signedOnce(
  context: RequestContext,
  { key, proof }: Sent,
  secret: string,
  nth: number | null,
): IdempotencyKey | null {
  if (proof.kind === 'key') return null
  const { seconds } = signatureIn(context)
  const digest = digestOf(context, secret, seconds, false)
  return { scope: `signed ${proof.variable}`, key: `${digest}${nthOf(nth)}`, request: key, entity: null }
}

/** In the same time whatever is different. */
export const isSame = (given: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(right).digest())
