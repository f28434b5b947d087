import { expect, test } from 'vitest'
import { dayNumber } from './dates.ts'
import { wordingOf } from './wording.ts'
import { listed, writtenDay } from './written.ts'

const day = dayNumber('2026-03-05')!

test.each([
  ['en', '5 Mar 2026', '5 Mar 2026, 09:05', 'Thursday'],
  ['en-US', 'Mar 5, 2026', 'Mar 5, 2026, 09:05', 'Thursday'],
  ['de', '05.03.2026', '05.03.2026, 09:05', 'Donnerstag'],
  ['fr', '5 mars 2026', '5 mars 2026, 09:05', 'jeudi'],
])('a day in %s', (language, date, moment, weekday) => {
  const wording = wordingOf(language)
  expect(writtenDay(day, null, wording)).toBe(date)
  expect(writtenDay(day, '09:05', wording)).toBe(moment)
  expect(wording.weekdays[day % 7]).toBe(weekday)
})

test('a long list says how many more there are', () => {
  const texts = Array.from({ length: 32 }, (_, index) => `T${index + 1}`)
  expect(listed(texts.slice(0, 2), 'and {} more')).toBe('T1, T2')
  expect(listed(texts.slice(0, 20), 'and {} more')).toMatch(/, T20$/)
  expect(listed(texts, wordingOf('de').more)).toMatch(/, T19, T20 und 12 weitere$/)
  expect(listed([], 'and {} more')).toBe(null)
})
