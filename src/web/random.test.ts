import { expect, test } from 'vitest'
import { randomBytes } from './random.ts'

test('bytes are given out once, however many are asked for', () => {
  const given = Array.from({ length: 2000 }, (_, index) => randomBytes(16 + (index % 17)))
  expect(given.map(({ length }) => length)).toEqual(given.map((_, index) => 16 + (index % 17)))
  expect(new Set(given.map(bytes => bytes.toString('hex'))).size).toBe(2000)
  expect(given.filter(bytes => bytes.subarray(0, 8).every(byte => byte === 0))).toEqual([])
})

test('more than there are at a time are refused, not given short', () => {
  expect(() => randomBytes(5000)).toThrow()
  expect(randomBytes(4096)).toHaveLength(4096)
})
