import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { overdue } from './overdue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is late is told, once; what ended in time is not, and nothing looks where nothing waits', () => {
  const told: string[] = []
  const late = overdue(1000)
  const [first, second, third] = ['first', 'second', 'third'].map(name => () => void told.push(name))
  const earliest = late.begin(first!)
  const ended = late.begin(second!)
  vi.advanceTimersByTime(600)
  late.begin(third!)
  late.end(ended)
  vi.advanceTimersByTime(390)
  expect(told).toEqual([])
  vi.advanceTimersByTime(100)
  expect(told).toEqual(['first'])
  late.end(earliest)
  vi.advanceTimersByTime(600)
  expect(told).toEqual(['first', 'third'])
  vi.advanceTimersByTime(100)
  expect(vi.getTimerCount()).toBe(0)
  late.begin(second!)
  vi.advanceTimersByTime(990)
  expect(told).toEqual(['first', 'third'])
  vi.advanceTimersByTime(100)
  expect(told).toEqual(['first', 'third', 'second'])
})
