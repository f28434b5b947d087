import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallEnvironment } from '../call-kind.ts'
import { sentName } from './body.ts'
import { type HttpPayload, http } from './call.ts'

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let answer: (response: ServerResponse, request: IncomingMessage) => void
let received: Received[]
const server = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += piece
  received.push({ method: request.method!, url: request.url!, headers: request.headers, body })
  answer(response, request)
})
let address = ''

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const now = new Date('2026-03-28T09:00:00Z')

async function call(
  change: Partial<HttpPayload> = {},
  around: Partial<CallEnvironment> = {},
  answering: typeof answer = response =>
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"R-7"}'),
) {
  received = []
  answer = answering
  const payload: HttpPayload = {
    method: 'POST',
    url: `${address}/returns`,
    reach: 'anywhere',
    body: { loan: 'LN-2026-00001', items: ['CA-0001'] },
    secret: null,
    headers: {},
    timeout: 60,
    idempotencyKey: 'LN-2026-00001',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ...change,
  }
  const environment: CallEnvironment = {
    variable: name => ({ ASSETS_KEY: 'swordfish' })[name],
    smtp: null,
    from: 'desk@example.org',
    now,
    signal: new AbortController().signal,
    ...around,
  }
  return http.attempt(payload, environment)
}

test('the body arrives as JSON with its key, and the answer comes back read', async () => {
  expect(await call()).toEqual({ kind: 'answered', status: 201, body: { id: 'R-7' }, retryAfter: null })
  expect(received).toMatchObject([
    {
      method: 'POST',
      url: '/returns',
      body: '{"loan":"LN-2026-00001","items":["CA-0001"]}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'LN-2026-00001' },
    },
  ])
  expect(received[0]!.headers).not.toHaveProperty('ninefold-signature')
})

test('a signed request can be verified by its receiver', async () => {
  await call({ secret: 'ASSETS_KEY' })
  const [{ headers, body }] = received as [Received]
  const [, seconds, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['ninefold-signature'] as string)!
  expect(Number(seconds) * 1000).toBe(now.getTime())
  expect(createHmac('sha256', 'swordfish').update(`${seconds}.${body}`).digest('hex')).toBe(digest)
  const whole = `${seconds}\nPOST /returns\n${headers['idempotency-key']}\n${body}`
  const all = createHmac('sha256', 'swordfish').update(whole).digest('hex')
  expect(headers['ninefold-signature-2']).toBe(`t=${seconds},v2=${all}`)
  expect(JSON.stringify(received)).not.toContain('swordfish')
})

test('without its secret nothing is sent', async () => {
  expect(await call({ secret: 'OTHER_KEY' })).toEqual({
    kind: 'failed',
    error: 'the environment variable OTHER_KEY is not set',
    permanent: false,
  })
  expect(received).toEqual([])
})

test('GET sends its values in the query', async () => {
  await call({ method: 'GET', url: `${address}/find?x=1`, body: { loan: 'A & B', items: ['1'] } })
  expect(received).toMatchObject([{ url: '/find?x=1&loan=A+%26+B&items=%5B%221%22%5D', body: '' }])
})

test('a redirect is an answer and is not followed', async () => {
  const attempt = await call({}, {}, response => response.writeHead(307, { location: `${address}/elsewhere` }).end())
  expect(attempt).toMatchObject({ kind: 'answered', status: 307, body: null })
  expect(received).toHaveLength(1)
})

test.each([
  ['120', 120],
  ['Sat, 28 Mar 2026 09:01:30 GMT', 90],
  ['999999999', 86_400],
  ['soon', null],
])('Retry-After %s', async (header, seconds) => {
  const attempt = await call({}, {}, response => response.writeHead(503, { 'retry-after': header }).end('busy'))
  expect(attempt).toEqual({ kind: 'answered', status: 503, body: 'busy', retryAfter: seconds })
})

test('a server that does not answer in time', async () => {
  expect(await call({ timeout: 0.1 }, {}, () => {})).toEqual({ kind: 'timeout' })
})

test('a server that begins to answer and never ends', async () => {
  expect(await call({ timeout: 0.2 }, {}, response => response.writeHead(200).write('{'))).toEqual({ kind: 'timeout' })
})

test('an answer without end is not taken in', async () => {
  let sent = 0
  const attempt = await call({}, {}, response => {
    const more = (): void => {
      while (!response.destroyed && sent < 100_000_000) {
        sent += 65_536
        if (!response.write('x'.repeat(65_536))) return void response.once('drain', more)
      }
    }
    more()
  })
  expect(attempt).toMatchObject({ kind: 'failed', error: expect.stringContaining('longer than 1000000 bytes') })
  expect(sent).toBeLessThan(50_000_000)
})

test('nobody listens', async () => {
  const closed = createServer()
  await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise(resolve => closed.close(resolve))
  expect(await call({ url: `http://127.0.0.1:${port}/` })).toEqual({
    kind: 'failed',
    error: expect.stringContaining('ECONNREFUSED'),
    permanent: false,
  })
})

test('the connection breaks in the middle', async () => {
  expect(await call({}, {}, (_, request) => request.socket.destroy())).toMatchObject({
    kind: 'failed',
    permanent: false,
  })
})

test('the process stops', async () => {
  const stop = new AbortController()
  const attempt = await call({}, { signal: stop.signal }, () => stop.abort())
  expect(attempt).toEqual({ kind: 'failed', error: 'the server was stopped meanwhile', permanent: false })
})

test.each(['', 'returns', 'file:///etc/passwd', 'http://me:secret@127.0.0.1/', 'javascript:1'])(
  '%j is never called',
  async url => {
    expect(await call({ url })).toMatchObject({ kind: 'failed', permanent: true })
  },
)

test('a dot puts a value into an object, brackets into each of a list', async () => {
  const body = { 'a.b': 1, 'a.c.d': null, 'x.rows[].n': ['1', '2'], 'x.rows[].of.t': ['p'], 'none[].n': [], plain: [3] }
  await call({ body })
  expect(JSON.parse(received[0]!.body)).toEqual({
    a: { b: 1, c: { d: null } },
    x: {
      rows: [
        { n: '1', of: { t: 'p' } },
        { n: '2', of: { t: null } },
      ],
    },
    none: [],
    plain: [3],
  })
  expect(['a..b', 'a[]', 'a[].b[].c', '[].a', 'a[0].b'].map(sentName)).toEqual(Array(5).fill(null))
})
