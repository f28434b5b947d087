import { expect, test } from 'vitest'
import { durationFromSql, momentFromSql, parserOf } from './rows.ts'

test.each([
  ['2026-03-02 10:00:00+00', '2026-03-02T10:00:00.000Z'],
  ['2026-03-02 10:00:00.1+00', '2026-03-02T10:00:00.100Z'],
  ['2026-03-02 10:00:00.123+00', '2026-03-02T10:00:00.123Z'],
  ['2026-03-02 10:00:00.5+05:30', '2026-03-02T04:30:00.500Z'],
  ['2026-03-02 10:00:00-03', '2026-03-02T13:00:00.000Z'],
])('the moment %s is %s', (text, wire) => expect(momentFromSql(text)).toBe(wire))

test.each([
  ['00:00:00', 'PT0S'],
  ['01:30:00', 'PT5400S'],
  ['-01:30:00', '-PT5400S'],
  ['100:00:00.25', 'PT360000.25S'],
  ['1 year 2 mons 3 days', 'P14M3D'],
  ['3 days', 'P3D'],
  ['1 mon', 'P1M'],
])('the interval %s is %s', (text, wire) => expect(durationFromSql(text)).toBe(wire))

test('a type that nobody thought of comes back as its text', () => {
  expect(parserOf(869)('127.0.0.1')).toBe('127.0.0.1')
})

test('arrays hold what their elements are, empties included', () => {
  expect(parserOf(1000)('{t,f,NULL}')).toEqual([true, false, null])
  expect(parserOf(1009)('{"a,b","say \\"x\\"",NULL,""}')).toEqual(['a,b', 'say "x"', null, ''])
})
