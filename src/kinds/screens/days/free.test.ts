import { expect, test } from 'vitest'
import { dayNumber } from '../../../expression/dates.ts'
import type { App } from '../../../headings/app.ts'
import { isFreeDay, nextWorkingDay } from './free.ts'

type Week = App['workingTime']
const at = (workingTime: Week, today: string, closed: readonly string[] = []) => ({
  app: { workingTime },
  address: { today, closed },
})
const cell = null as never
const toThursday: Week = {
  cell,
  days: [true, true, true, true, false, false, false],
  hours: null,
  closed: { cell, entity: 'holiday', field: 'day', of: null },
}
const freeIn = (week: Week, closed: readonly string[] = []) =>
  ['2026-11-26', '2026-11-27', '2026-11-28', '2026-11-30'].map(day => isFreeDay(at(week, day, closed), day))

test('a day is free by the working week of the document, where it names none from Saturday, and where it is closed', () => {
  expect(freeIn(null)).toEqual([false, false, true, false])
  expect(freeIn(toThursday)).toEqual([false, true, true, false])
  expect(freeIn(toThursday, ['2026-11-30'])).toEqual([false, true, true, true])
})

test('the next working day is after all that is free', () => {
  expect(nextWorkingDay(at(null, '2026-11-27'))).toBe(dayNumber('2026-11-30'))
  expect(nextWorkingDay(at(toThursday, '2026-11-26', ['2026-11-30']))).toBe(dayNumber('2026-12-01'))
})
