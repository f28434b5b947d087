/** What a handler responds with: a value, so that a test can look at it, a repeated submit can be given it again, and one place sends it. */
import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  /** Sites whose pages may show it in a frame; absent: none. */
  readonly framedBy?: readonly string[]
  /** A stream is sent as it comes: what is in it is never whole in memory. */
  readonly body: string | Buffer | Readable
}

/** The type of the `json` answers: their body is text. */
export type TextResponse = HttpResponse & { readonly body: string }

const htmlType = 'text/html; charset=utf-8'
export const jsonType = 'application/json; charset=utf-8'
export const problemType = 'application/problem+json; charset=utf-8'

export const html = (body: string, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': htmlType, ...headers },
  cookies: [],
  body,
})

export const json = (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): TextResponse => ({
  status,
  headers: { 'content-type': jsonType, ...headers },
  cookies: [],
  body: JSON.stringify(value),
})

export const plain = (body: string, status = 200): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  cookies: [],
  body,
})

/** After a POST: the browser gets the page with GET, so that reloading never repeats the POST. */
export const seeOther = (location: string, cookies: readonly string[] = []): HttpResponse => ({
  status: 303,
  headers: { location },
  cookies,
  body: '',
})

/** What the browser has kept for whoever was signed in goes: files, and what the palette has in mind. */
export const clearing = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'clear-site-data': '"cache", "storage"' },
})

export const withCookies = (response: HttpResponse, cookies: readonly string[]): HttpResponse => ({
  ...response,
  cookies: [...response.cookies, ...cookies],
})

/** An answer as it goes over a connection, which ends with it unless it is kept. `headers`: what every answer has. */
export function asBytes(
  { status, headers: own, body }: TextResponse,
  headers: Readonly<Record<string, string>>,
  connection: 'close' | 'keep-alive' = 'close',
): Buffer {
  const length = String(Buffer.byteLength(body))
  const all = { ...headers, ...own, 'cache-control': 'no-store', 'content-length': length, connection }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}
