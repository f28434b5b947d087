import { expect, test } from 'vitest'
import { mostPeriods } from '../periods.ts'
import { daysBefore, periodsIn, readPeriod, unitWithin } from './period.ts'

const read = (address: string, today = '2026-11-20', preset: Parameters<typeof readPeriod>[2] = null) => {
  const query = new URLSearchParams(address)
  const period = readPeriod(query, { today }, preset, 0)
  const days = (of: { readonly from: string; readonly to: string } | undefined) => of && `${of.from} ${of.to}`
  const { now, before } = period.days ?? {}
  return [period.name, days(now), days(before?.now), days(before?.whole), `${query}`]
}

test('a running period goes as far as today, and is compared with as many days of the one before', () => {
  expect(read('period=quarter')).toEqual([
    'quarter',
    '2026-10-01 2026-11-21',
    '2026-07-01 2026-08-21',
    '2026-07-01 2026-10-01',
    '',
  ])
  expect(read('period=month&against=year')).toEqual([
    'month',
    '2026-11-01 2026-11-21',
    '2025-11-01 2025-11-21',
    '2025-11-01 2025-12-01',
    '',
  ])
  // No more days than there are: the thirtieth of March is beyond the end of February.
  expect(read('period=month', '2026-03-30').slice(1, 3)).toEqual(['2026-03-01 2026-03-31', '2026-02-01 2026-03-01'])
  expect(read('period=week').slice(1, 3)).toEqual(['2026-11-16 2026-11-21', '2026-11-09 2026-11-14'])
})

test('a period that is over, or its last day, is whole; dates are compared with as many before', () => {
  expect(read('period=year&on=2025-05-05').slice(1, 3)).toEqual(['2025-01-01 2026-01-01', '2024-01-01 2025-01-01'])
  expect(read('period=month', '2026-11-30').slice(1, 3)).toEqual(['2026-11-01 2026-12-01', '2026-10-01 2026-11-01'])
  expect(read('from=2026-11-01&to=2026-11-10').slice(0, 3)).toEqual([
    'dates',
    '2026-11-01 2026-11-11',
    '2026-10-22 2026-11-01',
  ])
  expect(read('against=none&period=week')[2]).toBeUndefined()
})

test('what is not understood stays in the address, and the document decides what is seen first', () => {
  expect(read('period=decade&on=never&against=odd', '2026-11-20', 'year')).toEqual([
    'year',
    '2026-01-01 2026-11-21',
    '2025-01-01 2025-11-21',
    '2025-01-01 2026-01-01',
    'period=decade&on=never&against=odd',
  ])
  expect(read('')).toEqual(['all', undefined, undefined, undefined, ''])
  expect(read('period=year&on=0001-01-01')[0]).toBe('year')
  const turned = 'from=2026-02-02&to=2026-01-01'
  expect(read(turned)).toEqual(['all', undefined, undefined, undefined, turned])
})

test('a drawing has points enough, and as narrow as the document has them', () => {
  const days = (from: string, to: string) => ({ from, to })
  expect(unitWithin(days('2026-11-01', '2026-12-01'), 'month')).toBe('day')
  expect(unitWithin(days('2026-10-01', '2027-01-01'), 'month')).toBe('week')
  expect(unitWithin(days('2026-01-01', '2027-01-01'), 'week')).toBe('week')
  expect(unitWithin(days('2026-01-01', '2027-01-01'), 'quarter')).toBe('month')
  expect(periodsIn(days('2026-10-01', '2026-10-14'), 'week', 0)).toEqual(['2026-09-28', '2026-10-05', '2026-10-12'])
  expect(periodsIn(days('2026-11-29', '2026-12-02'), 'day', 0)).toHaveLength(3)
  const all = days('0003-01-01', '9998-01-01')
  const drawn = periodsIn(all, unitWithin(all, 'month'), 0)
  expect([drawn.length, drawn[0], drawn.at(-1)], 'the newest that there is room for').toEqual([
    mostPeriods,
    '9964-09-01',
    '9997-12-01',
  ])
})

test('a small line has the periods before the one that is shown', () => {
  const period = readPeriod(new URLSearchParams('period=quarter'), { today: '2026-11-20' }, null, 0)
  expect(daysBefore(period)).toEqual({ from: '2024-10-01', to: '2026-11-21' })
})
