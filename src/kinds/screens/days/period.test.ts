import { expect, test } from 'vitest'
import { dateOf, dayNumber } from '../../../expression/dates.ts'
import { daysAround, readPeriod, turned } from './period.ts'

test('pages turn by day, week, month and quarter, whatever their length', () => {
  expect(turned('quarter', '2026-05-31', 1)).toBe('2026-07-01')
  expect(turned('quarter', '2026-01-31', -1)).toBe('2025-10-01')
  expect(turned('month', '2026-01-31', 1)).toBe('2026-02-01')
  expect(turned('month', '2026-01-31', -1)).toBe('2025-12-01')
  expect(turned('week', '2026-12-30', 1)).toBe('2027-01-06')
  expect(turned('day', '2026-03-01', -1)).toBe('2026-02-28')
})

test.each([
  ['day', '2026-05-14', '2026-05-14'],
  ['week', '2026-05-11', '2026-05-17'],
  ['month', '2026-05-01', '2026-05-31'],
  ['quarter', '2026-04-01', '2026-06-30'],
] as const)('a %s around a day', (zoom, first, last) => {
  const days = daysAround(zoom, dayNumber('2026-05-14')!, 0)
  expect([dateOf(days.first), dateOf(days.last)]).toEqual([first, last])
})

test('what the address does not say, or says of no day there is, is left in the rest', () => {
  const query = new URLSearchParams('view=year&on=0001-01-01&room=3')
  const { view, on, rest } = readPeriod({ query, today: '2026-05-14' }, ['week', 'month'], 'week')
  expect([view, dateOf(on), String(rest)]).toEqual(['week', '2026-05-14', String(query)])
})
