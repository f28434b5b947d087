/** What leaves goes to nobody whose certificate no authority vouches for: the server of this test has one that it made itself. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallEnvironment } from './call-kind.ts'
import { http } from './http/call.ts'
import { mail } from './mail/call.ts'

let taken = 0
const counted = (server: SMTPServer) => {
  server.on('error', () => undefined)
  return server
}
const take: SMTPServerOptions = {
  onData(_stream: unknown, _session: unknown, done: () => void) {
    taken++
    done()
  },
}
/** TLS from the first byte, and TLS once both have agreed to it. */
const [atOnce, agreed] = [
  counted(new SMTPServer({ ...take, secure: true, authOptional: true })),
  counted(new SMTPServer({ ...take, authOptional: true })),
]
const portOf = ({ server }: SMTPServer) => (server.address() as AddressInfo).port

beforeAll(async () => {
  for (const server of [atOnce, agreed]) await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const server of [atOnce, agreed]) await new Promise<void>(resolve => server.close(resolve))
})

const environment = (smtp: string | null): CallEnvironment => ({
  variable: () => undefined,
  smtp,
  from: 'desk@example.org',
  now: new Date('2026-03-28T09:00:00Z'),
  signal: new AbortController().signal,
})

test('a call is not sent', async () => {
  const payload = {
    method: 'POST',
    url: `https://127.0.0.1:${portOf(atOnce)}/claims`,
    reach: 'anywhere',
    body: {},
    secret: null,
    headers: {},
    timeout: 60,
    idempotencyKey: 'k',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  } as const
  expect(await http.attempt(payload, environment(null))).toMatchObject({
    kind: 'failed',
    error: expect.stringMatching(/certificate/),
  })
})

test.each([
  ['from the first byte', () => `smtps://127.0.0.1:${portOf(atOnce)}`],
  ['once both agree', () => `smtp://127.0.0.1:${portOf(agreed)}`],
  ['and nothing else', () => `smtp://127.0.0.1:${portOf(agreed)}?requireTLS=true`],
])('a mail is not sent with TLS %s', async (_, smtp) => {
  const payload = {
    to: { name: 'Ada', address: 'ada@example.org' },
    subject: 'Due',
    text: 'It is due.',
    idempotencyKey: '018f2b6e-7c1a-7000-8000-000000000001',
  }
  const found = await mail.attempt(payload, environment(smtp()))
  expect(found).toMatchObject({ kind: 'failed', error: expect.stringMatching(/certificate/) })
  expect(taken).toBe(0)
})
