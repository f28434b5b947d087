import { expect, test } from 'vitest'
import type { Rhythm } from '../headings/4-states/model.ts'
import { type Clockwork, later, nextOccurrence, workingDaysLater } from './rhythm.ts'

const week = [true, true, true, true, true, false, false]
const clockwork = (zone: string, closed: readonly string[] = []): Clockwork => ({ zone, days: week, closed })
const at = (hour: number, minute: number, days: readonly boolean[] | null = Array(7).fill(true)): Rhythm => ({
  of: 'days',
  days,
  time: { hour, minute },
})

/** The next occurrences, one after the other, in UTC. */
function following(rhythm: Rhythm, zone: string, from: string, count: number, closed: readonly string[] = []) {
  const found: string[] = []
  let last = new Date(from)
  for (let n = 0; n < count; n++) {
    last = nextOccurrence(rhythm, last, clockwork(zone, closed))!
    found.push(last.toISOString().slice(0, 16))
  }
  return found
}

// Summer time begins on 29 March and ends on 25 October 2026, in both at 01:00 UTC.
test.each<[string, string, Rhythm, string, readonly string[]]>([
  [
    'every day at 09:00',
    'Europe/London',
    at(9, 0),
    '2026-03-28T00:00Z',
    ['2026-03-28T09:00', '2026-03-29T08:00', '2026-03-30T08:00'],
  ],
  [
    'every day at 09:00',
    'Europe/Berlin',
    at(9, 0),
    '2026-03-28T00:00Z',
    ['2026-03-28T08:00', '2026-03-29T07:00', '2026-03-30T07:00'],
  ],
  [
    'every day at 09:00',
    'Europe/London',
    at(9, 0),
    '2026-10-24T00:00Z',
    ['2026-10-24T08:00', '2026-10-25T09:00', '2026-10-26T09:00'],
  ],
  [
    'every day at 09:00',
    'Europe/Berlin',
    at(9, 0),
    '2026-10-24T00:00Z',
    ['2026-10-24T07:00', '2026-10-25T08:00', '2026-10-26T08:00'],
  ],
  // The time that is skipped.
  [
    'every day at 01:30',
    'Europe/London',
    at(1, 30),
    '2026-03-28T00:00Z',
    ['2026-03-28T01:30', '2026-03-29T00:30', '2026-03-30T00:30'],
  ],
  [
    'every day at 02:30',
    'Europe/Berlin',
    at(2, 30),
    '2026-03-28T00:00Z',
    ['2026-03-28T01:30', '2026-03-29T00:30', '2026-03-30T00:30'],
  ],
  // The time that comes twice: the first of them, once.
  [
    'every day at 01:30',
    'Europe/London',
    at(1, 30),
    '2026-10-24T00:00Z',
    ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  [
    'every day at 02:30',
    'Europe/Berlin',
    at(2, 30),
    '2026-10-24T00:00Z',
    ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  // A day of 23 and of 25 hours.
  [
    'every 12 hours',
    'Europe/London',
    { of: 'minutes', minutes: 720 },
    '2026-03-28T12:30Z',
    ['2026-03-29T00:00', '2026-03-29T12:00', '2026-03-29T23:00', '2026-03-30T11:00'],
  ],
  [
    'every 12 hours',
    'Europe/Berlin',
    { of: 'minutes', minutes: 720 },
    '2026-10-24T23:00Z',
    ['2026-10-25T10:00', '2026-10-25T22:00', '2026-10-25T23:00'],
  ],
  [
    'every 15 minutes',
    'Europe/Berlin',
    { of: 'minutes', minutes: 15 },
    '2026-03-29T00:44:59Z',
    ['2026-03-29T00:45', '2026-03-29T01:00', '2026-03-29T01:15'],
  ],
  [
    'every 30 minutes',
    'Asia/Kathmandu',
    { of: 'minutes', minutes: 30 },
    '2026-03-29T00:00Z',
    ['2026-03-29T00:15', '2026-03-29T00:45'],
  ],
  [
    'every weekday at 06:00',
    'Europe/London',
    at(6, 0, week),
    '2026-03-27T06:00Z',
    ['2026-03-30T05:00', '2026-03-31T05:00'],
  ],
  [
    'every Monday, Thursday at 08:00',
    'Europe/London',
    at(8, 0, [true, false, false, true, false, false, false]),
    '2026-10-22T07:00Z',
    ['2026-10-26T08:00', '2026-10-29T08:00'],
  ],
])('%s in %s', (_, zone, rhythm, from, expected) => {
  expect(following(rhythm, zone, from, expected.length)).toEqual(expected)
})

test('working days leave out what is closed', () => {
  const closed = ['2026-04-03', '2026-04-06']
  const rhythm = at(9, 0, null)
  expect(following(rhythm, 'Europe/London', '2026-04-02T08:00Z', 2, closed)).toEqual([
    '2026-04-07T08:00',
    '2026-04-08T08:00',
  ])
  const nothing = { ...clockwork('Europe/London'), days: Array(7).fill(false) }
  expect(nextOccurrence(rhythm, new Date('2026-04-02T08:00Z'), nothing)).toBe(null)
})

test.each([
  ['2026-04-02T10:00Z', 1, null, '2026-04-07T10:00:00.000Z'],
  ['2026-04-02T10:00Z', 2, { hour: 9, minute: 0 }, '2026-04-08T08:00:00.000Z'],
  ['2026-03-27T10:00Z', 1, null, '2026-03-30T09:00:00.000Z'],
  ['2026-04-04T10:00Z', 1, null, '2026-04-07T10:00:00.000Z'],
  ['2026-04-02T10:00Z', 0, null, '2026-04-02T10:00:00.000Z'],
])('from %s, %i working days later', (from, count, time, expected) => {
  const found = workingDaysLater(new Date(from), count, time, clockwork('Europe/London', ['2026-04-03', '2026-04-06']))
  expect(found?.toISOString()).toBe(expected)
})

test.each([
  // Days go by the clocks on the wall, hours by the time that passes.
  ['2026-03-28T10:00Z', 'P1D', null, '2026-03-29T09:00:00.000Z'],
  ['2026-03-28T10:00Z', 'PT24H', null, '2026-03-29T10:00:00.000Z'],
  ['2026-03-28T10:00Z', 'P28D', { hour: 9, minute: 0 }, '2026-04-25T08:00:00.000Z'],
  ['2026-01-31T10:00Z', 'P1M', null, '2026-02-28T10:00:00.000Z'],
  ['2026-03-28T10:00Z', 'PT0S', null, '2026-03-28T10:00:00.000Z'],
])('from %s, %s later', (from, length, time, expected) => {
  expect(later(new Date(from), length, time, clockwork('Europe/London'))?.toISOString()).toBe(expected)
})
