import { expect, test } from 'vitest'
import { raw } from '../../expression/sql.ts'
import { literal, textCheck } from './checks.ts'

test.each([
  ["it's", "'it''s'"],
  ['a\\d', "'a\\d'"],
  ['Grün 😀', "'Grün 😀'"],
  ['a\tb\\d', "E'a\\u0009b\\\\d'"],
  ['\u00a0\u2028\ufeff', "E'\\u00a0\\u2028\\ufeff'"],
  ['\u{e0041}', "E'\\U000e0041'"],
])('%j is written so that it can be read and copied', (text, written) => {
  expect(literal(text).texts).toEqual([written])
})

test('a plan stays on its lines', () => {
  expect(textCheck(raw('"name"'), 40).texts.join()).toMatch(/^[\x20-\x7e]+$/)
})
