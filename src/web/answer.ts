/** What a handler answers: a value, so that it can be looked at in a test, kept for a repeated submit, and sent in one place. */
import type { Readable } from 'node:stream'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  /** Sites whose pages may show it in a frame; absent: none. */
  readonly framedBy?: readonly string[]
  /** A stream is sent as it comes: what is in it is never whole in memory. */
  readonly body: string | Buffer | Readable
}

/** The type of the `json` answers: their body is text. */
export type TextAnswer = Answer & { readonly body: string }

const htmlType = 'text/html; charset=utf-8'
export const jsonType = 'application/json; charset=utf-8'
export const problemType = 'application/problem+json; charset=utf-8'

export const html = (body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': htmlType, ...headers },
  cookies: [],
  body,
})

export const json = (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): TextAnswer => ({
  status,
  headers: { 'content-type': jsonType, ...headers },
  cookies: [],
  body: JSON.stringify(value),
})

export const plain = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  cookies: [],
  body,
})

/** After a POST: the browser gets the page with GET, so that reloading never repeats the POST. */
export const seeOther = (location: string, cookies: readonly string[] = []): Answer => ({
  status: 303,
  headers: { location },
  cookies,
  body: '',
})

export const withCookies = (answer: Answer, cookies: readonly string[]): Answer => ({
  ...answer,
  cookies: [...answer.cookies, ...cookies],
})
