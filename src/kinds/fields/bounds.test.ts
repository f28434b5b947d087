import { expect, test } from 'vitest'
import { parseExact } from './json/exact.ts'
import { decimalFromJson } from './numbers.ts'
import { cleanLine, cleanLines, composed } from './texts.ts'

const invalidCodeOf = (parsed: object) =>
  'invalid' in parsed ? (parsed.invalid as { readonly code: string }).code : null

test('more marks on a letter than any writing has are refused, however many', () => {
  expect(cleanLine(`a${'\u0315\u0300'.repeat(15)}`, 100)).toEqual({
    value: `\u00e0${'\u0300'.repeat(14)}${'\u0315'.repeat(15)}`,
  })
  const heap = `a${'\u0315\u0300'.repeat(500_000)}`
  expect([invalidCodeOf(cleanLine(heap, 100)), invalidCodeOf(cleanLines(heap, 100))]).toEqual(['NF-TEXT', 'NF-TEXT'])
  expect(composed(heap)).toBe(heap)
})

test('a number of JSON that is longer than anybody means is none', () => {
  const shape = { scale: 2, whole: 9, padded: false }
  const digits = '0'.repeat(1_000_000)
  expect(invalidCodeOf(decimalFromJson(parseExact(`0.${digits}1`), shape))).toBe('NF-NUMBER')
  for (const number of [`9${digits}`, '1e1000000'])
    expect(invalidCodeOf(decimalFromJson(parseExact(number), shape))).toBe('NF-JSON')
  expect(invalidCodeOf(decimalFromJson(parseExact('1.0000000000000000001'), shape))).toBe('NF-DECIMALS')
})
