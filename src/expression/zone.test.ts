import { expect, test } from 'vitest'
import { momentOf } from './dates.ts'
import { clockText, localOf, offsetAt } from './zone.ts'

const shown = (moment: string, zone: string) => {
  const { day, minute } = localOf(momentOf(moment)!, zone)
  return `${(day + 1) % 7} ${clockText(minute)}`
}

// Day 0 is a Monday, so that the number before the time is the day of the week, 0 for Sunday.
test.each([
  ['2026-03-29T00:59:59.999Z', 'Europe/London', '0 00:59'],
  ['2026-03-29T01:00:00.000Z', 'Europe/London', '0 02:00'],
  ['2026-10-25T00:30:00.000Z', 'Europe/London', '0 01:30'],
  ['2026-10-25T01:30:00.000Z', 'Europe/London', '0 01:30'],
  ['2026-03-29T00:59:59.999Z', 'Europe/Berlin', '0 01:59'],
  ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', '0 03:00'],
  ['2026-10-25T00:59:00.000Z', 'Europe/Berlin', '0 02:59'],
  ['2026-10-25T01:00:00.000Z', 'Europe/Berlin', '0 02:00'],
  ['2026-06-30T23:30:00.000Z', 'Asia/Kathmandu', '3 05:15'],
  ['2026-06-30T23:30:00.000Z', 'UTC', '2 23:30'],
])('%s in %s is %s', (moment, zone, says) => {
  expect(shown(moment, zone)).toBe(says)
})

test('local mean time has seconds, and days before the year 1 are counted on', () => {
  expect(offsetAt(momentOf('1700-01-01T00:00:00.000Z')!, 'Europe/London')).toBe(-75_000)
  expect(localOf(momentOf('0001-01-01T00:00:00.000Z')!, 'Europe/London').day).toBe(-1)
})
