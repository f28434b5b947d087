/** `POST /api/v1/-/stock_count`: messages of others, let in by a key or a signature that only the sender can make. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Entity } from '../../headings/3-entities/model.ts'
import type { Receive } from '../../headings/7-calls/model.ts'
import { decodeJson } from '../../kinds/fields/input.ts'
import { roundedNumber } from '../../kinds/fields/json/exact.ts'
import { receive } from '../../run/later/receive.ts'
import { keepRefused, type Wrong, wrongOf } from '../../run/later/refused.ts'
import type { Input, Problem } from '../../run/outcome.ts'
import { type Answer, json } from '../answer.ts'
import { receivedPerMinute, signatureSeconds } from '../bounds.ts'
import type { Exchange } from '../exchange.ts'
import { readJson } from '../form-body.ts'
import { type Allowance, attempt } from '../rate-limit/backoff.ts'
import { countInMinute } from '../rate-limit/per-minute.ts'
import { KeyReused, type OnceKey, once } from '../sign-in/once.ts'
import { inputOf, statusOf } from '../write.ts'
import { problem, problems } from './problem.ts'

/** By network address: who tries keys waits longer and longer. */
const strangers: Allowance = { name: 'receive', free: 20, first: 2, longest: 60, forgiven: 900 }

interface Received {
  readonly answer: Answer
  /** Null: it was taken, or has to wait. */
  readonly wrong: Wrong | null
}

export async function receiveMessage(exchange: Exchange, message: Receive): Promise<Answer> {
  const { answer, wrong } = await received(exchange, message)
  if (wrong !== null) await keepRefused(exchange.runtime, exchange.request, message, answer.status, wrong)
  return answer
}

async function received(exchange: Exchange, message: Receive): Promise<Received> {
  const { site, runtime, request } = exchange
  const later = (delay: number): Received => ({
    answer: problem(exchange, 429, { headers: { 'retry-after': String(delay) } }),
    wrong: null,
  })
  const refused = (status: number, detail: string, more: Parameters<typeof problem>[2] = {}): Received => ({
    answer: problem(exchange, status, { ...more, detail }),
    wrong: { codes: [], words: detail },
  })
  const broken = (status: number, found: readonly Problem[]): Received => ({
    answer: problems(exchange, status, found),
    wrong: wrongOf(site.app, found),
  })
  const proven = keysOf(exchange, message).find(key => isProven(exchange, message, key))
  if (proven === undefined) {
    const delay = await attempt(runtime.store, strangers, exchange.network, request.now)
    if (delay > 0) return later(delay)
    return refused(401, `The ${message.proof.kind} is missing, wrong or too old.`, {
      headers: { 'www-authenticate': schemeOf(message) },
      more: { title: STATUS_CODES[401]! },
    })
  }
  // Only whoever is let in counts: strangers must not use up the minute of the sender.
  const counted = { what: 'receive', who: message.key, most: receivedPerMinute, now: request.now }
  const wait = await countInMinute(runtime.store, counted)
  if (wait > 0) return later(wait)
  const body = readJson(exchange.headers['content-type'], exchange.body)
  if ('status' in body) return refused(body.status, body.why)
  if (typeof body.value !== 'object' || body.value === null || Array.isArray(body.value))
    return refused(422, 'The body must be a JSON object.')
  const given = body.value as Readonly<Record<string, unknown>>

  const entity = site.app.entities.get(message.entity)!
  // Only what the document names is looked at; the sender may have more to say.
  const mapped = Object.fromEntries(
    message.takes.flatMap(({ name, field }) => (Object.hasOwn(given, name) ? [[field, given[name]]] : [])),
  )
  const input = decoded(exchange, entity, message, mapped)
  const key = onceKey(exchange, message, given)
  if (key === 'missing') return refused(422, `\`${message.once}\` is missing: it tells repetitions.`)
  const told =
    key === null ? null : { scope: `receive ${message.key}`, key, request: textOf(input), entity: entity.key }
  try {
    const outcome = await once(runtime, signedOnce(exchange, message, proven), request.now, signed =>
      once(signed, told, request.now, run => receive(run, request, message, input)),
    )
    switch (outcome.kind) {
      case 'done':
        return { answer: json({ id: outcome.id, version: outcome.version }), wrong: null }
      case 'refused':
        return broken(statusOf(outcome.problems), outcome.problems)
      case 'not found':
        return broken(404, [outcome.problem])
      case 'stale':
        return broken(409, [outcome.problem])
    }
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error
    return refused(422, 'The same key came with another message.')
  }
}

/** A number that the application gives finds its record, and is never written. */
function decoded(
  exchange: Exchange,
  entity: Entity,
  { foundBy }: Receive,
  mapped: Readonly<Record<string, unknown>>,
): Input {
  const finder = entity.fields.find(({ key }) => key === foundBy)
  if (finder?.kind !== 'auto number') return inputOf(exchange, decodeJson(entity, exchange.site.app, mapped))
  const { [finder.key]: number, ...rest } = mapped
  const input = inputOf(exchange, decodeJson(entity, exchange.site.app, rest))
  return typeof number === 'string' && number.isWellFormed() && !number.includes('\0')
    ? { ...input, values: { ...input.values, [finder.key]: number.trim() } }
    : input
}

/** What a message says, the same however it is written, and whatever else it brings. */
function textOf({ values, children, misfits }: Input): string {
  const sorted = (values: Input['values']) => Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))
  const rows = Object.entries(children).map(([list, all]) => [list, all.map(({ id, values }) => [id, sorted(values)])])
  return JSON.stringify([sorted(values), rows, misfits])
}

const schemeOf = ({ proof }: Receive): string => (proof.kind === 'key' ? 'Bearer' : 'Ninefold-Signature')

/** What repetitions have in common: a value of the body, else the header; null: nothing does. */
function onceKey(
  { headers }: Exchange,
  message: Receive,
  given: Readonly<Record<string, unknown>>,
): string | 'missing' | null {
  if (message.once === null) {
    const header = headers['idempotency-key']
    return typeof header === 'string' && /^[\x21-\x7e]{1,200}$/.test(header) ? `header ${header}` : null
  }
  const value = roundedNumber(given[message.once]) ?? given[message.once]
  if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return 'missing'
  return createHash('sha256').update(String(value)).digest('base64url')
}

/** The key, and the one that it replaces until the moment when that ends. */
function keysOf({ web, request }: Exchange, { proof }: Receive): readonly string[] {
  const variable = (end: string) => web.options.variable?.(`${proof.variable}${end}`) ?? ''
  // Without a moment, or with one that cannot be read, it has ended.
  const isStill = request.now.getTime() < Date.parse(variable('_OLD_UNTIL'))
  return [variable(''), isStill ? variable('_OLD') : ''].filter(key => key !== '')
}

function isProven(exchange: Exchange, { proof }: Receive, secret: string): boolean {
  const { headers, request } = exchange
  if (proof.kind === 'key') return isSame(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '', secret)
  const { seconds, given, all } = signatureIn(exchange)
  const age = Math.abs(request.now.getTime() / 1000 - Number(seconds))
  return seconds !== '' && age <= signatureSeconds && isSame(given, digestOf(exchange, secret, seconds, all))
}

/** The signature that a message brings; `all`: of all that makes it what it is, which counts where there is one. */
function signatureIn({ headers }: Exchange) {
  const whole = headers['ninefold-signature-2']
  const all = whole !== undefined
  const text = String((all ? whole : headers['ninefold-signature']) ?? '')
  const [, seconds = '', version = '', given = ''] = /^t=(\d{1,12}),(v[12])=([0-9a-f]{64})$/.exec(text) ?? []
  return version === (all ? 'v2' : 'v1') ? { seconds, given, all } : { seconds: '', given: '', all }
}

/** Over the seconds and the body; `all`: with the method, the address and the key of repetitions, which nobody can then exchange. */
function digestOf({ method, path, headers, body }: Exchange, secret: string, seconds: string, all: boolean): string {
  const key = String(headers['idempotency-key'] ?? '')
  const before = all ? `${seconds}\n${method} ${path}\n${key}\n` : `${seconds}.`
  return createHmac('sha256', secret).update(before).update(body).digest('hex')
}

/**
 * A signed message is taken once, for longer than its signature is good: whoever has seen it can send it again byte for byte, with other
 * headers too, and to another address. What has another moment or says something else is another message.
 */
function signedOnce(exchange: Exchange, { key, proof }: Receive, secret: string): OnceKey | null {
  if (proof.kind === 'key') return null
  const { seconds } = signatureIn(exchange)
  const digest = digestOf(exchange, secret, seconds, false)
  return { scope: `signed ${proof.variable}`, key: digest, request: key, entity: null }
}

/** In the same time whatever is different. */
const isSame = (given: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(right).digest())
