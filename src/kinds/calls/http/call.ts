import { createHmac } from 'node:crypto'
import http1, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { parseExact } from '../../fields/json/exact.ts'
import type { Attempt, CallEnvironment, CallKind } from '../call-kind.ts'
import { isCallable, isRefusedLiteral, lookupWithin, type Reach } from './address.ts'
import { nested } from './body.ts'

/** A request as it is made. Of what signs it, only the name is here. */
export interface HttpPayload {
  readonly method: string
  /** Complete. The values of holes are percent-encoded already, so that a record can change neither host nor path. */
  readonly url: string
  /** How far its host may lead. */
  readonly reach: Reach
  /** Sent as JSON; with GET and HEAD as query parameters. */
  readonly body: Readonly<Record<string, unknown>>
  /** Name of the environment variable whose value signs the request. */
  readonly secret: string | null
  /** Names in small letters; beside those that every request has. */
  readonly headers: Readonly<Record<string, string>>
  /** Seconds until the answer must be there. */
  readonly timeout: number
  /** Sent as `Idempotency-Key`: the same for every attempt, so that the other side can tell repetitions. */
  readonly idempotencyKey: string
  /** W3C Trace Context. */
  readonly traceparent: string
}

/** Bytes of an answer that are read. */
const longestAnswer = 1_000_000

/**
 * One HTTP request: no redirects (a redirect is an answer like any other), one time limit for all of it, a bounded answer.
 * Signed requests carry `Ninefold-Signature`, over the seconds and what was sent, and `Ninefold-Signature-2`, over all that makes them new.
 */
export const http: CallKind<HttpPayload> = {
  name: 'http',
  meaning: 'An HTTP request to another application.',
  attempt,
}

async function attempt(payload: HttpPayload, environment: CallEnvironment): Promise<Attempt> {
  const url = URL.parse(payload.url)
  if (!isCallable(url))
    return { kind: 'failed', error: `\`${payload.url}\` is not a web address that can be called`, permanent: true }
  if (isRefusedLiteral(url.hostname, payload.reach))
    return { kind: 'failed', error: `${url.hostname} is an address where calls may not go`, permanent: true }
  const isQuery = /^(GET|HEAD)$/i.test(payload.method)
  if (isQuery) for (const [name, value] of Object.entries(payload.body)) url.searchParams.append(name, queryText(value))
  const body = isQuery ? null : JSON.stringify(nested(payload.body))

  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': 'Ninefold',
    ...payload.headers,
    'idempotency-key': payload.idempotencyKey,
    traceparent: payload.traceparent,
  }
  if (body !== null) {
    headers['content-type'] = 'application/json'
    headers['content-length'] = String(Buffer.byteLength(body))
  }
  if (payload.secret !== null) {
    const secret = environment.variable(payload.secret)
    if (!secret)
      return { kind: 'failed', error: `the environment variable ${payload.secret} is not set`, permanent: false }
    const path = url.pathname + url.search
    headers['ninefold-signature'] = signature(secret, body ?? path, environment.now)
    const first = `${payload.method} ${path}\n${payload.idempotencyKey}`
    headers['ninefold-signature-2'] = fullSignature(secret, `${first}\n${body ?? ''}`, environment.now)
  }

  const timeout = AbortSignal.timeout(payload.timeout * 1000)
  try {
    const signal = AbortSignal.any([environment.signal, timeout])
    const response = await send(url, { method: payload.method, headers, signal, reach: payload.reach }, body)
    const text = await readText(response)
    const status = response.statusCode ?? 0
    if (text === null)
      return {
        kind: 'failed',
        error: `the answer (${status}) is longer than ${longestAnswer} bytes`,
        permanent: false,
      }
    return { kind: 'answered', status, body: readBody(text), retryAfter: retryAfter(response, environment.now) }
  } catch (error) {
    if (environment.signal.aborted)
      return { kind: 'failed', error: 'the server was stopped meanwhile', permanent: false }
    if (timeout.aborted) return { kind: 'timeout' }
    return { kind: 'failed', error: reason(error), permanent: false }
  }
}

interface Sending {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly reach: Reach
}

/** Over a connection of its own, to an address that was looked at; redirects are answers like any other. */
function send(url: URL, { reach, ...options }: Sending, body: string | null): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http1
  return new Promise((answer, fail) => {
    const sent = request(url, { ...options, agent: false, lookup: lookupWithin(reach) }, answer)
    sent.on('error', fail)
    sent.end(body ?? undefined)
  })
}

/** What the receiver computes again: over the text of the body; for GET and HEAD over path and query. */
export const signature = (secret: string, text: string, now: Date): string => signed('v1', secret, '.', text, now)

/** Over lines: the method and the address, the idempotency key, the body. */
const fullSignature = (secret: string, text: string, now: Date): string => signed('v2', secret, '\n', text, now)

function signed(version: string, secret: string, between: string, text: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const digest = createHmac('sha256', secret).update(`${seconds}${between}${text}`).digest('hex')
  return `t=${seconds},${version}=${digest}`
}

const queryText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Null where it is too long; the rest is then not even received. */
async function readText(response: IncomingMessage): Promise<string | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.byteLength
    if (length > longestAnswer) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function readBody(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return parseExact(text)
  } catch {
    return text
  }
}

/** `Retry-After` in seconds or as a date; at most a day. */
function retryAfter(response: IncomingMessage, now: Date): number | null {
  const header = response.headers['retry-after']?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 86_400) : null
}

function reason(error: unknown): string {
  // Of several addresses that were tried, the first says why.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
  const { code, message } = first as { readonly code?: string; readonly message?: string }
  return [code, message].filter(part => part !== undefined && part !== '').join(': ') || String(error)
}
