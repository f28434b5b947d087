import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addMonths,
  dateOf,
  dayNumber,
  formatClock,
  formatMoment,
  LAST_DAY,
  momentOf,
  parseDuration,
  partsOf,
  weekdaysUpTo,
} from './dates.ts'
import { add, compare, divide, formatDecimal, multiply, parseDecimal, round, subtract } from './decimal.ts'

const decimal = (text: string) => parseDecimal(text)!
const anyDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(12))
  .map(([units, scale]) => ({ units, scale }))

describe('decimals', () => {
  test.each([
    ['1', '1'],
    ['-1.50', '-1.5'],
    ['0.00', '0'],
    ['-0', '0'],
    ['007', '7'],
    ['9007199254740993.10', '9007199254740993.1'],
  ])('%s is %s', (text, plain) => {
    expect(formatDecimal(decimal(text))).toBe(plain)
  })

  test.each(['', '-', '1.', '.5', '1e3', '+1', '1,5', ' 1', '٣'])('%j is no number', text => {
    expect(parseDecimal(text)).toBe(null)
  })

  test('at least so many places', () => {
    expect(formatDecimal(decimal('2.5'), 2)).toBe('2.50')
    expect(formatDecimal(decimal('2.505'), 2)).toBe('2.505')
    expect(formatDecimal(decimal('-0.05'), 2)).toBe('-0.05')
  })

  test.each([
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['2.4999', 0, '2'],
    ['1.005', 2, '1.01'],
    ['-0.5', 0, '-1'],
    ['0.4', 0, '0'],
    ['7', 2, '7'],
  ])('%s to %i places is %s', (text, places, rounded) => {
    expect(formatDecimal(round(decimal(text), places))).toBe(rounded)
  })

  test('sums and products obey their laws, and text keeps every digit', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, anyDecimal, (a, b, c) => {
        expect(compare(add(a, b), add(b, a))).toBe(0)
        expect(compare(subtract(add(a, b), b), a)).toBe(0)
        expect(compare(multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c)))).toBe(0)
        expect(compare(parseDecimal(formatDecimal(a))!, a)).toBe(0)
      }),
    )
  })

  test('a quotient is off by at most half of its last place', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        const quotient = divide(a, b)
        if (b.units === 0n) {
          expect(quotient).toBe(null)
          return
        }
        const rest = subtract(a, multiply(quotient!, b))
        const bound = multiply(b, decimal('0.00000000005'))
        const size = (value: typeof a) => ({ ...value, units: value.units < 0n ? -value.units : value.units })
        expect(compare(size(rest), size(bound))).toBeLessThanOrEqual(0)
      }),
    )
  })
})

describe('dates', () => {
  test('every day of the years 1 to 9999 has a number of its own, and is the day that JavaScript knows', () => {
    for (let number = 0; number <= LAST_DAY; number += 97) {
      const date = dateOf(number)!
      expect(dayNumber(date)).toBe(number)
      expect(formatMoment(momentOf(`${date}T00:00:00Z`)!)!.slice(0, 10)).toBe(date)
    }
    expect(dateOf(0)).toBe('0001-01-01')
    expect(dateOf(LAST_DAY)).toBe('9999-12-31')
    expect([dateOf(-1), dateOf(LAST_DAY + 1), dateOf(Number.NaN)]).toEqual([null, null, null])
  })

  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '0000-01-01',
    '26-01-01',
    '2026-1-1',
  ])('%s is no day', text => {
    expect(dayNumber(text)).toBe(null)
  })

  test('a month later is the same day, or the last of that month', () => {
    const later = (date: string, months: number) => {
      const number = addMonths(dayNumber(date)!, months)
      return number === null ? null : dateOf(number)
    }
    expect(later('2026-01-31', 1)).toBe('2026-02-28')
    expect(later('2024-02-29', 12)).toBe('2025-02-28')
    expect(later('2026-03-31', -1)).toBe('2026-02-28')
    expect(later('0001-01-31', -1)).toBe(null)
    expect(later('9999-12-01', 1)).toBe(null)
    expect(partsOf(dayNumber('2026-12-31')!)).toEqual([2026, 12, 31])
  })

  test('working days are what counting them one by one gives', () => {
    let count = 0
    for (let number = 0; number < 800; number++) {
      if (number % 7 < 5) count++
      expect(weekdaysUpTo(number)).toBe(count)
    }
  })

  test('moments keep milliseconds and drop their offset', () => {
    expect(formatMoment(momentOf('2026-03-28T11:00:00.123+01:00')!)).toBe('2026-03-28T10:00:00.123Z')
    expect(formatMoment(momentOf('2026-03-28T10:00Z')!)).toBe('2026-03-28T10:00:00.000Z')
    expect(momentOf('2026-03-28T10:00')).toBe(null)
    expect(momentOf('2026-03-28T24:00Z')).toBe(null)
    expect(momentOf('0001-01-01T00:00+01:00')).toBe(null)
  })

  test.each([
    ['PT5400S', { months: 0, days: 0, milliseconds: 5_400_000 }],
    ['PT1H30M', { months: 0, days: 0, milliseconds: 5_400_000 }],
    ['-PT0.5S', { months: 0, days: 0, milliseconds: -500 }],
    ['P1Y2M', { months: 14, days: 0, milliseconds: 0 }],
    ['P2W', { months: 0, days: 14, milliseconds: 0 }],
    ['P1DT1H', null],
    ['P', null],
    ['PT', null],
    ['P4001Y', null],
    ['90', null],
  ])('the duration %s', (text, parts) => {
    expect(parseDuration(text)).toEqual(parts)
  })

  test('a clock duration is written in one way', () => {
    expect([formatClock(5_400_000), formatClock(-500), formatClock(0), formatClock(1_050)]).toEqual([
      'PT5400S',
      '-PT0.5S',
      'PT0S',
      'PT1.05S',
    ])
  })
})
