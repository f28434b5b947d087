import { expect, test } from 'vitest'
import { tooManyAtOnce } from './too-many.ts'

const refused = tooManyAtOnce({ 'x-frame-options': 'DENY' })
const asked = (first: string, ...headers: string[]) =>
  refused([`${first} HTTP/1.1`, 'host: desk', ...headers, '', ''].join('\r\n'), true)?.bytes.toString()

test('a whole request without a body is answered in one piece, in its language and form, and the connection ends', () => {
  const page = asked('GET /loans', 'accept-language: de-AT')!
  const [head = '', body = ''] = page.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
  for (const line of ['x-frame-options: DENY', 'retry-after: 5', 'connection: close', 'cache-control: no-store'])
    expect(head.split('\r\n')).toContain(line)
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
  expect(body).toContain('lang="de"')
  expect(asked('GET /loans')).toContain('lang="en"')
  expect(asked('GET /api/v1/loan')).toMatch(/application\/problem\+json[\s\S]*"status":503/)
})

test('what something still comes of, or might, is not', () => {
  expect(asked('POST /loans', 'content-length: 0')).toBe(undefined)
  expect(asked('HEAD /loans')).toBe(undefined)
  expect(asked('GET /loans', 'Content-Length: 5')).toBe(undefined)
  expect(asked('GET /loans', 'Transfer-Encoding: chunked')).toBe(undefined)
  expect(refused('GET / HTTP/1.1\r\nhost: desk\r\n\r\nGET / HTTP/1.1\r\nhost: desk\r\n\r\n', false)).toBe(null)
  expect(refused('GET / HTTP/1.1\r\nhost: desk\r\n', false)).toBe(null)
  expect(refused('GET / HTTP/1.0\r\n\r\n', false)).toBe(null)
})

test('the connection goes on for whoever keeps it, unless it is to end', () => {
  const answers = (...headers: string[]) =>
    [false, true].map(ends => {
      const { bytes, isLast } = refused(['GET / HTTP/1.1', 'host: desk', ...headers, '', ''].join('\r\n'), ends)!
      return [/\r\nconnection: (.*)\r\n/.exec(bytes.toString())![1], isLast]
    })
  const end = ['close', true]
  expect(answers()).toEqual([['keep-alive', false], end])
  expect(answers('connection: keep-alive')).toEqual([['keep-alive', false], end])
  expect(answers('Connection: TE, close')).toEqual([end, end])
})
