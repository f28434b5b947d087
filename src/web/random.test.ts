import { expect, test, vi } from 'vitest'
import { newId, randomBytes } from './random.ts'

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

test('an id is greater than all before, also within a millisecond and when the clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const given: string[] = []
    for (const moment of ['2026-03-02T10:00:00Z', '2026-03-02T10:00:00.001Z', '2026-03-02T09:00:00Z']) {
      vi.setSystemTime(moment)
      for (let count = 0; count < 1000; count++) given.push(newId())
    }
    expect(
      given.filter(id => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toEqual([])
    expect(given.toSorted()).toEqual(given)
    expect(new Set(given).size).toBe(3000)
  } finally {
    vi.useRealTimers()
  }
})
