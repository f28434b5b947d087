import { expect, test } from 'vitest'
import { formatNumber, numberPeriod, picturePattern, readPicture } from './picture.ts'

test.each([
  ['LN-{yyyy}-{00000}', 'LN-2026-00042', '2026'],
  ['{yy}{mm}/{000}', '2603/042', '26-03'],
  ['{yyyy}{mm}{dd}.{0}', '20260328.42', '2026-03-28'],
  ['{0000}', '0042', ''],
  ['No. {0}', 'No. 42', ''],
])('%s', (picture, number, period) => {
  expect(formatNumber(picture, 42, '2026-03-28')).toBe(number)
  expect(numberPeriod(picture, '2026-03-28')).toBe(period)
  expect(number).toMatch(new RegExp(picturePattern(picture), 'u'))
})

test('a number that outgrows its picture gets longer and does not begin anew', () => {
  expect(formatNumber('{000}', 12345, '2026-03-28')).toBe('12345')
  expect('12345').toMatch(new RegExp(picturePattern('{000}'), 'u'))
  expect('12').not.toMatch(new RegExp(picturePattern('{000}'), 'u'))
})

test('signs of a picture stand for themselves', () => {
  expect('AxB-1').not.toMatch(new RegExp(picturePattern('A.B-{0}'), 'u'))
})

test.each(['LN', '{00}{00}', '{yyyy', 'LN}-{0}', '{}', '{year}{0}', 'ä{0}', "a'{0}", 'a[{0}', ''])(
  '%j is no picture',
  picture => {
    expect(readPicture(picture)).toHaveProperty('wrong')
  },
)
