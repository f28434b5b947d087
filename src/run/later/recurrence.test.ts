import { expect, test } from 'vitest'
import { closedDays, workedUntil } from '../../expression/calendar.ts'
import type { Dates, Rhythm } from '../../headings/4-states/model.ts'
import {
  type Clockwork,
  later,
  nextBy,
  nextOccurrence,
  workingDaysFrom,
  workingDaysLater,
  workingHoursLater,
} from './recurrence.ts'

const week = [true, true, true, true, true, false, false]
const clockwork = (zone: string, closed: readonly string[] = []): Clockwork => ({
  zone,
  days: week,
  closed,
  hours: [...Array(5).fill({ from: 9 * 60, to: 17 * 60 }), null, null],
})
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

// Good Friday and Easter Monday are closed; 30 March is the first working day of summer time.
test.each([
  ['2026-04-01T10:00Z', 1, '2026-04-01T11:00:00.000Z'],
  // Opening is at 8 and closing at 16 in UTC: what would end as it closes ends then, not at the next opening.
  ['2026-04-01T08:00Z', 8, '2026-04-01T16:00:00.000Z'],
  ['2026-04-01T15:30:20Z', 1, '2026-04-02T08:30:20.000Z'],
  ['2026-04-02T15:30Z', 1, '2026-04-07T08:30:00.000Z'],
  ['2026-04-01T20:00Z', 1, '2026-04-02T09:00:00.000Z'],
  ['2026-04-01T01:00Z', 1.5, '2026-04-01T09:30:00.000Z'],
  ['2026-03-27T16:00Z', 2, '2026-03-30T09:00:00.000Z'],
  ['2026-10-23T15:00Z', 2, '2026-10-26T10:00:00.000Z'],
  ['2026-04-01T20:00Z', 0, '2026-04-01T20:00:00.000Z'],
  ['2026-04-07T09:00Z', -1, '2026-04-07T08:00:00.000Z'],
  ['2026-04-07T09:00Z', -2, '2026-04-02T15:00:00.000Z'],
  ['2026-04-05T09:00Z', -8, '2026-04-02T08:00:00.000Z'],
  ['2026-03-30T09:00Z', -4, '2026-03-27T14:00:00.000Z'],
  ['2026-04-01T20:00Z', 1e15, undefined],
  ['2026-04-01T20:00Z', -1e15, undefined],
])('from %s, %f working hours later', (from, count, expected) => {
  const { days, hours, closed, zone } = clockwork('Europe/London', ['2026-04-03', '2026-04-06'])
  const found = workingHoursLater(new Date(from), count, { days, hours, closed, zone })
  expect(found?.toISOString()).toBe(expected)
  if (found === null) return
  const until = (moment: Date) =>
    workedUntil(moment.getTime(), { zone, week: { days, hours, closed: true } }, closedDays(closed))
  expect(until(found) - until(new Date(from))).toBe(count * 3_600_000)
})

test('no hours, no moment; and no number of working days is counted to beyond the end of time', () => {
  const { hours: _, ...rest } = clockwork('Europe/London')
  expect(workingHoursLater(new Date('2026-04-01T10:00Z'), 1, { ...rest, hours: null })).toBe(null)
  const years = workingHoursLater(new Date('2026-04-01T10:00Z'), 8 * 5 * 52 * 30, clockwork('Europe/London'))
  expect(years?.toISOString().slice(0, 4)).toBe('2056')
  expect(workingDaysFrom('2026-04-01', 1e15, clockwork('Europe/London'))).toBe(null)
})

// What fired at a moment does not fire again for it, though another process, whose clock is behind, works out its next time.
test.each<[string, Rhythm, string, string, string]>([
  [
    'every quarter of an hour',
    { of: 'minutes', minutes: 15 },
    '2026-05-04T08:58Z',
    '2026-05-04T09:00Z',
    '2026-05-04T09:15',
  ],
  ['every day', at(9, 0), '2026-05-04T08:58Z', '2026-05-04T09:00Z', '2026-05-05T09:00'],
  ['every day, its time moved', at(17, 0), '2026-05-04T10:00Z', '2026-05-04T09:00Z', '2026-05-05T17:00'],
  ['a wrong clock fired it', at(9, 0), '2026-05-04T08:58Z', '2027-05-04T09:00Z', '2026-05-04T09:00'],
])('%s, once', (_, rhythm, now, last, next) => {
  const found = nextBy(rhythm, new Date(now), clockwork('UTC'), {}, new Date(last))
  expect(found?.toISOString().slice(0, 16)).toBe(next)
})

const dates = (every: Dates['every'], nth: number, among: Dates['among'], month: number | null = null): Rhythm => ({
  of: 'dates',
  every,
  month,
  nth,
  among,
  time: { hour: 18, minute: 0 },
})

test.each<[string, Rhythm, string, readonly string[], readonly string[]]>([
  ['the 31st, or the last', dates('month', 31, 'days'), '2026-01-31T18:00Z', [], ['02-28', '03-31', '04-30']],
  ['on the day itself', dates('month', 31, 'days'), '2026-01-31T17:59Z', [], ['01-31', '02-28']],
  // 31 May is a Sunday; Friday the 29th is closed.
  ['last working day', dates('month', -1, 'working days'), '2026-05-01T00:00Z', ['2026-05-29'], ['05-28', '06-30']],
  ['second last day', dates('month', -2, 'days'), '2026-02-01T00:00Z', [], ['02-27', '03-30']],
  ['first Monday', dates('month', 1, 0), '2026-03-02T18:00Z', [], ['04-06', '05-04']],
  ['fifth Friday, where there is one', dates('month', 5, 4), '2026-02-01T00:00Z', [], ['05-29', '07-31']],
  [
    'last of a quarter',
    dates('quarter', -1, 'working days'),
    '2026-02-01T00:00Z',
    [],
    ['03-31', '06-30', '09-30', '12-31', '03-31'],
  ],
  ['a day of the year', dates('year', 29, 'days', 2), '2026-03-01T00:00Z', [], ['02-28', '02-29', '02-28']],
  [
    'first working day of the year',
    dates('year', 1, 'working days'),
    '2026-06-01T00:00Z',
    ['2027-01-01'],
    ['01-04', '01-03'],
  ],
])('by dates: %s', (_, rhythm, from, closed, expected) => {
  expect(following(rhythm, 'UTC', from, expected.length, closed).map(one => one.slice(5, 10))).toEqual(expected)
})
