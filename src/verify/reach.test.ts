/** A connection that breaks: before an answer, and in the middle of one. */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { Unavailable } from '../store/unavailable.ts'
import { reach, reachFeed } from './reach.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

type Breaking = (response: ServerResponse) => void

const reset: Breaking = response => response.socket!.resetAndDestroy()
const halfway: Breaking = response => {
  response.writeHead(200, { 'content-length': '10' })
  response.write('half', () => response.socket!.resetAndDestroy())
}

/** Breaks the first connections so, and answers the others; what it was asked. */
async function breaking(times: number, how: Breaking): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (asked.length > times) response.setHeader('x-which', asked.length).end('all of it')
    else how(response)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function whole(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

const failing = (answer: Promise<unknown>): Promise<unknown> => answer.then(() => 'an answer').catch(error => error)

test.each([
  ['before an answer', reset],
  ['in the middle of one', halfway],
])('what only reads is asked once more where the connection broke %s', async (_, how) => {
  const { url, asked } = await breaking(1, how)
  const { status, headers, text, bytes } = await reach(`${url}/loans?of=me`)
  expect([status, headers.get('x-which'), text, bytes.length]).toEqual([200, '2', 'all of it', 9])
  expect(asked).toEqual(['GET /loans?of=me', 'GET /loans?of=me'])
})

const late: Breaking = response => {
  response.statusCode = 408
  response.end()
}

test.each(['GET', 'POST'])('%s is asked once more where it did not arrive in time', async method => {
  const { url, asked } = await breaking(2, late)
  const { status, text } = await reach(`${url}/loans`, { method })
  expect([status, text, asked.length]).toEqual([200, 'all of it', 3])
})

test('a feed is opened once more', async () => {
  const { url, asked } = await breaking(1, reset)
  const { status, parts } = await reachFeed(`${url}/live`, {})
  expect([status, await whole(parts)]).toEqual([200, 'all of it'])
  expect(asked).toEqual(['GET /live', 'GET /live'])
})

test('a feed that breaks while it is listened to is no feed that ended', async () => {
  const { url } = await breaking(1, halfway)
  const { parts } = await reachFeed(`${url}/live`, {})
  expect(await failing(whole(parts))).toBeInstanceOf(Unavailable)
})

test('what does not answer twice is said in words, with a code and what to do', async () => {
  const { url, asked } = await breaking(2, reset)
  const met = await failing(reach(`${url}/loans`))
  expect(asked).toHaveLength(2)
  expect(met).toBeInstanceOf(Unavailable)
  const { code, message, hint } = met as Unavailable
  expect([code, message]).toEqual([
    'ECONNRESET',
    'The application that is tried gave no answer to GET /loans, since the connection broke',
  ])
  expect(hint).toContain('try again when it has less')
})

test.each([
  ['before an answer', reset],
  ['in the middle of one', halfway],
])('what writes is never asked twice: it may have been done (%s)', async (_, how) => {
  const { url, asked } = await breaking(1, how)
  const met = await failing(reach(`${url}/loans?sort=due`, { method: 'POST', body: '{}' }))
  expect(met).toBeInstanceOf(Unavailable)
  expect((met as Error).message).toContain(' no answer to POST /loans, ')
  expect(asked).toEqual(['POST /loans?sort=due'])
})

test('a mistake of ours keeps its stack', async () => {
  const met = await failing(reach('http://127.0.0.1/', { headers: { 'not a header': '' } }))
  expect(met).toBeInstanceOf(TypeError)
})
