import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { csrfToken, csrfTokenFits, originOf } from './csrf.ts'

const own = 'https://desk.example'

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 'foreign'],
  [{ 'sec-fetch-site': 'same-site' }, 'foreign'],
  [{ 'sec-fetch-site': 'none' }, 'foreign'],
  [{ origin: 'https://evil.example' }, 'foreign'],
  [{ origin: 'null' }, 'foreign'],
  [{ origin: 'http://desk.example' }, 'foreign'],
  [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, 'foreign'],
  [{ origin: own, 'sec-fetch-site': 'same-origin' }, 'own'],
  [{ origin: own }, 'own'],
  [{ 'sec-fetch-site': 'same-origin' }, 'own'],
  [{}, 'unknown'],
])('%j is %s', (headers, expected) => {
  expect(originOf(headers, own)).toBe(expected)
})

test('a token fits its own session only, and looks different each time', () => {
  const first = csrfToken('session', randomBytes)
  const second = csrfToken('session', randomBytes)
  expect(first).not.toBe(second)
  expect(csrfTokenFits('session', first) && csrfTokenFits('session', second)).toBe(true)
  expect(csrfTokenFits('other', first)).toBe(false)
  for (const wrong of [null, undefined, '', 'x', `${first}x`, first.slice(1), 'A'.repeat(first.length)])
    expect(csrfTokenFits('session', wrong)).toBe(false)
})
