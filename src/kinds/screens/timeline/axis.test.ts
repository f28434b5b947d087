import { expect, test } from 'vitest'
import { axisOf, loadOf, overlap, placeOn, runsOf } from './axis.ts'

const berlin = 'Europe/Berlin'
const span = (begins: string, ends: string | null = null) => ({ begins, ends })

test('an axis never has more units than two digits say, whatever the clocks do', () => {
  for (const [view, first, last] of [
    ['day', '2026-10-25', '2026-10-25'],
    ['week', '2026-10-19', '2026-10-25'],
    ['month', '2026-10-01', '2026-10-31'],
    ['quarter', '2026-07-01', '2026-09-30'],
  ] as const)
    for (const zone of [null, berlin]) {
      const { units, days, end } = axisOf(view, first, last, zone)
      expect(units.length).toBeLessThanOrEqual(99)
      expect([days[0], days.at(-1), [...units].sort()]).toEqual([first, last, units])
      expect(end > units.at(-1)!).toBe(true)
    }
})

test('the day on which clocks go back has an hour more, the one on which they go forward one less', () => {
  expect(axisOf('day', '2026-10-25', '2026-10-25', berlin).units).toHaveLength(50)
  expect(axisOf('day', '2026-03-29', '2026-03-29', berlin).units).toHaveLength(46)
})

test('of days the last one counts; what began before or goes on says so', () => {
  const axis = axisOf('week', '2026-03-02', '2026-03-08', null)
  expect(placeOn(axis, span('2026-03-03', '2026-03-04'))).toEqual({ start: 1, length: 2, begun: false, goesOn: false })
  expect(placeOn(axis, span('2026-02-20', '2026-03-02'))).toEqual({ start: 0, length: 1, begun: true, goesOn: false })
  expect(placeOn(axis, span('2026-03-08', '2026-03-09'))).toEqual({ start: 6, length: 1, begun: false, goesOn: true })
  expect(placeOn(axis, span('2026-03-05'))).toMatchObject({ start: 3, length: 1 })
  expect(placeOn(axis, span('2026-03-05', '2026-03-01'))).toMatchObject({ start: 3, length: 1 })
})

test('of moments the end does not count, and what has none takes an hour', () => {
  const axis = axisOf('day', '2026-03-02', '2026-03-02', berlin)
  const at = (time: string) => `2026-03-02T${time}:00.000Z`
  expect(placeOn(axis, span(at('08:00'), at('09:00')))).toEqual({ start: 18, length: 2, begun: false, goesOn: false })
  expect(placeOn(axis, span(at('08:10')))).toMatchObject({ start: 18, length: 3 })
  expect(overlap(span(at('08:00'), at('09:00')), span(at('09:00'), at('10:00')))).toBe(false)
  expect(overlap(span(at('08:00'), at('09:00')), span(at('08:59')))).toBe(true)
})

test('days overlap where both have one', () => {
  expect(overlap(span('2026-03-02', '2026-03-04'), span('2026-03-04'))).toBe(true)
  expect(overlap(span('2026-03-02', '2026-03-04'), span('2026-03-05'))).toBe(false)
})

test('the load is the share of the open time that is taken, twice where two take it', () => {
  const open = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map(day => ({ begins: day, ends: day }))
  expect(loadOf(open, [span('2026-03-01', '2026-03-03')])).toBe(50)
  expect(loadOf(open, [span('2026-03-01', '2026-03-09'), span('2026-03-05')])).toBe(125)
  expect(loadOf(open, [])).toBe(0)
  expect(loadOf([], [span('2026-03-02')])).toBeNull()
})

test('what follows each other with one key is one', () => {
  expect(runsOf(5, at => Math.floor(at / 2))).toEqual([
    { key: 0, start: 0, length: 2 },
    { key: 1, start: 2, length: 2 },
    { key: 2, start: 4, length: 1 },
  ])
})
