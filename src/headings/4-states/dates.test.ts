import { expect, test } from 'vitest'
import { isOwnRhythm, readDates } from './dates.ts'

test.each([
  ['month on the last working day', { every: 'month', month: null, nth: -1, among: 'working days' }],
  ['month on the 15th', { every: 'month', month: null, nth: 15, among: 'days' }],
  ['quarter on the first day', { every: 'quarter', month: null, nth: 1, among: 'days' }],
  ['month on the second last Friday', { every: 'month', month: null, nth: -2, among: 4 }],
  ['year on 31 December', { every: 'year', month: 12, nth: 31, among: 'days' }],
  ['year on December 31', { every: 'year', month: 12, nth: 31, among: 'days' }],
  ['year on the last working day', { every: 'year', month: null, nth: -1, among: 'working days' }],
  ['Monday', null],
  ['working day', null],
  ['month', undefined],
  ['month on the 32nd', undefined],
  ['month on the sixth Monday', undefined],
  ['month on 31 December', undefined],
  ['month on the last last day', undefined],
  ['year on 31 Decembre', undefined],
])('every %s', (text, expected) => {
  expect(readDates(text)).toEqual(expected)
})

test.each([
  ['2 weeks', true],
  ['(rhythm) months', true],
  ['(limits.rhythm) months', true],
  ['other month', true],
  ['Mondai', false],
  ['Monday, Thursday', false],
  ['day', false],
])('every %s: a rhythm of its own? %s', (text, expected) => {
  expect(isOwnRhythm(text)).toBe(expected)
})
