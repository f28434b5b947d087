import { expect, test } from 'vitest'
import { safeNext } from './next.ts'

const elsewhere = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/%0d%0aLocation: x'.replace('%0d%0a', '\r\n'),
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'evil.example',
  'http:evil.example',
  'http:/evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '//evil.example/%2f..',
  '/\u0000/evil.example',
  `${'/\u00a0'.repeat(0)}\u3000//evil.example`,
  '',
  '.',
  '@evil.example',
  `/${'x'.repeat(3000)}`,
  '/\ud800',
]

test.each(elsewhere)('%j leads nowhere else', given => {
  expect(safeNext(given)).toBe('/')
})

test.each([
  '/',
  '/loans',
  '/loans/LN-2026-00001?sort=-due_back&q=a%20b',
  '/-/account',
  '/a%2F%2Fb',
  '/@evil.example',
  '/x?next=//evil',
])('%j is a place here', given => {
  expect(safeNext(given)).toBe(given)
})

test('dot segments are worked out, and nothing is left behind the #', () => {
  expect(safeNext('/a/../loans#x')).toBe('/loans')
  expect(safeNext(null, '/loans')).toBe('/loans')
})
