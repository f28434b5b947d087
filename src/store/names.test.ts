import { expect, test } from 'vitest'
import { raw, slot, sql } from '../expression/sql.ts'
import { endingIn, inlined, literal, quoted, shortName } from './names.ts'
import { catalogueType } from './plan/types.ts'

test('a short name stays; a long one keeps its beginning and stays itself', () => {
  expect(shortName('loan', 'due_back', 'check')).toBe('loan_due_back_check')
  const [one, other] = [`${'x'.repeat(80)}1`, `${'x'.repeat(80)}2`].map(name => shortName(name, 'key'))
  expect(one).not.toBe(other)
  expect(one).toMatch(/^x{54}_[0-9a-f]{8}$/)
  const wide = shortName('ä'.repeat(60))
  expect(Buffer.byteLength(wide)).toBeLessThanOrEqual(63)
  expect(wide).toMatch(/^ä+_[0-9a-f]{8}$/)
})

test('an ending stays whole, and names that begin alike stay two', () => {
  expect(endingIn('amount', '$was')).toBe('amount$was')
  const [one, other] = [`${'x'.repeat(62)}1`, `${'x'.repeat(62)}2`].map(name => endingIn(name, '$was'))
  expect(one).not.toBe(other)
  expect(one).toMatch(/^x{50}_[0-9a-f]{8}[$]was$/)
})

test('quotes inside names and texts are doubled', () => {
  expect(quoted('a"b')).toBe('"a""b"')
  expect(literal("it's")).toBe("'it''s'")
})

test('values are written into a constraint, and what is known only at a request is refused', () => {
  expect(inlined(sql`a > ${'x'} and b = ${true} and c is ${null} and d = any(${['1', "2'"]})`)).toBe(
    "a > 'x' and b = true and c is null and d = any(array['1', '2'''])",
  )
  expect(() => inlined(sql`${raw('a')} = ${slot('today')}`)).toThrow(/slot 'today'/)
})

test.each([
  ['timestamptz(3)', 'timestamp(3) with time zone'],
  ['timestamptz', 'timestamp with time zone'],
  ['time', 'time without time zone'],
  ['numeric(19, 2)', 'numeric(19,2)'],
  ['numeric(5)', 'numeric(5,0)'],
  ['int8', 'bigint'],
  ['bool', 'boolean'],
  ['text', 'text'],
])('the catalogue writes %s as %s', (type, written) => expect(catalogueType(type)).toBe(written))
