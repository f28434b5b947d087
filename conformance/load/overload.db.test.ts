/** Many times what two processes can answer comes at once: each is answered or told to come again, and nobody keeps others from it. */
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectionsWaiting } from '../../src/web/bounds.ts'
import { type Desk, openDesk, type Started, startNode } from '../desk.ts'

let desk: Desk
let server: Started
let port: number

beforeAll(async () => {
  desk = await openDesk(inject('databaseUrl'), undefined, new Date().toISOString())
  server = startNode(['bin/ninefold.mjs', 'serve', desk.document], {
    DATABASE_URL: desk.url,
    HOST: '127.0.0.1',
    PORT: '0',
    WEB_PROCESSES: '2',
    TRUSTED_PROXIES: '1',
  })
  port = Number(await server.find(/"event":"serving","url":"[^"]*:(\d+)".*\n(?:.*\n)*.*"event":"serving"/))
})
afterAll(async () => {
  await server?.kill()
  await desk?.drop()
})

interface Got {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly type: string | undefined
  readonly connection: string | undefined
}

/** Over a connection of its own unless an agent keeps one, from a network of its own. */
const get = (path: string, network = '192.0.2.1', method = 'GET', body = '', agent: Agent | false = false) =>
  new Promise<Got>((resolve, reject) => {
    const headers = {
      host: `localhost:${port}`,
      cookie: `ninefold=${desk.people.Cleo.session}`,
      'x-forwarded-for': network,
    }
    request({ host: '127.0.0.1', port, path, method, headers, agent })
      .once('error', reject)
      .once('response', response => {
        const { statusCode: status = 0, headers: said } = response
        response
          .resume()
          .once('error', reject)
          .once('end', () =>
            resolve({
              status,
              retryAfter: said['retry-after'],
              type: said['content-type'],
              connection: said.connection,
            }),
          )
      })
      .end(body)
  })

test('a flood from one network: all of it is answered or refused in order, others come in between, and health is told at once', async () => {
  const bound = 2 * connectionsWaiting.atOnce
  const got: Got[] = []
  const flood = Array.from({ length: 10 * bound }, (_, at) =>
    (at % 10 === 0 ? get('/loans', undefined, 'POST', 'x'.repeat(200_000)) : get('/loans')).then(one => got.push(one)),
  )
  const handled = () => got.filter(({ status }) => status !== 503).length
  while (got.length === 0) await new Promise(setImmediate)
  const before = handled()
  const others = Array.from({ length: 10 }, (_, at) => get('/loans', `198.51.100.${at}`))
  const health = await Promise.all([get('/livez'), get('/readyz', '203.0.113.9')])
  const meanwhile = handled() - before
  expect(health.map(({ status }) => status)).toEqual([200, 200])
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(10).fill(200))
  // None was reset: each promise was kept.
  await Promise.all(flood)
  const refused = got.filter(({ status }) => status === 503)
  expect(refused.filter(({ retryAfter, type }) => retryAfter !== '5' || type !== 'text/html; charset=utf-8')).toEqual(
    [],
  )
  expect(new Set(got.map(({ status }) => status))).toEqual(new Set([200, 415, 503]))
  // All places where one waits were taken; those of the flood give way to others.
  expect(refused.length).toBeGreaterThan(flood.length / 4)
  expect(handled()).toBeGreaterThanOrEqual(2 * connectionsWaiting.lasting - others.length)
  // What was under way, and no more of what waited than was handled while two answers travelled.
  expect(meanwhile).toBeLessThan(bound)
  expect((await get('/loans')).status).toBe(200)
  expect(server.complaints()).toBe('')
})

test('bodies that still come while they wait and when they are handed over arrive whole', async () => {
  const sent = Array.from({ length: 2 * connectionsWaiting.lasting }, () =>
    get('/loans', undefined, 'POST', 'x'.repeat(200_000)),
  )
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([415]))
})

test('a connection that is kept ends with its answer while many wait, so that nobody passes them by it, and only then', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const kept = () => get('/loans', '198.51.100.1', 'GET', '', agent).then(({ connection }) => connection)
  expect(await kept()).toBe('keep-alive')
  const got: Got[] = []
  const flood = Array.from({ length: 10 * connectionsWaiting.atOnce }, () => get('/loans').then(one => got.push(one)))
  while (got.filter(({ status }) => status === 200).length < 10) await new Promise(setImmediate)
  expect(await kept()).toBe('close')
  await Promise.all(flood)
  while ((await kept()) !== 'keep-alive');
  expect(await kept()).toBe('keep-alive')
  agent.destroy()
})
