import { expect, test } from 'vitest'
import { askingIn } from './asking.ts'

const head = (...lines: readonly string[]) => `${['GET /loans HTTP/1.1', 'Host: desk', ...lines].join('\r\n')}\r\n\r\n`
const asking = (text: string, proxies = 0) => askingIn(text, '::ffff:192.0.2.9', proxies, '__Host-ninefold')

test('who asks is told by network, and there by session or key', () => {
  expect(asking(head())).toEqual({ network: '192.0.2.9', person: '' })
  expect(asking(head('Cookie: a=1; __Host-ninefold=abc; __Host-ninefold-visit=v')).person).toBe('abc')
  expect(asking(head('authorization: Bearer nf_1', 'cookie: __Host-ninefold=abc')).person).toBe('Bearer nf_1')
})

test('behind proxies the address counts that the first of them saw, and none that anybody made up', () => {
  const forwarded = head('X-Forwarded-For: 10.0.0.1, 2001:db8:1:2:3::4, 198.51.100.7')
  expect([0, 1, 2, 3].map(proxies => asking(forwarded, proxies).network)).toEqual([
    '192.0.2.9',
    '198.51.100.7',
    '2001:db8:1:2::/64',
    '10.0.0.1',
  ])
  expect(asking(head(), 2).network).toBe('192.0.2.9')
  // A head ends where a body begins.
  expect(asking(`${head()}cookie: __Host-ninefold=abc`).person).toBe('')
})
