import { expect, test } from 'vitest'
import type { Measure } from '../../headings/2-screens/model.ts'
import { everyPeriod, runningPeriod } from './chart.ts'
import { decimalsOf, readableOf } from './figures.ts'

const row = (value: string | null, count: string) => ({ keys: [{ value, label: null }], across: null, values: [count] })
const none = (day: string) => row(day, '0')
const months = (...rows: Parameters<typeof row>[]) =>
  everyPeriod(
    'month',
    rows.map(one => row(...one)),
    true,
    none,
  ).map(({ keys, values }) => [keys[0]!.value, values[0]])

test('a line of months ends with its last month: records without a date are a point only where some of them count', () => {
  const dated = [
    ['2026-01-01', '1'],
    ['2026-02-01', '0'],
    ['2026-03-01', '2'],
  ]
  expect(months(['2026-01-01', '1'], ['2026-03-01', '2'], [null, '0'])).toEqual(dated)
  expect(months(['2026-01-01', '1'], ['2026-03-01', '2'], [null, '4'])).toEqual([...dated, [null, '4']])
})

test('of more periods than there is room for the newest are drawn', () => {
  const days = everyPeriod('day', [row('2024-01-01', '3'), row('2025-06-02', '1'), row('2026-11-28', '2')], true, none)
  expect(days.length).toBe(400)
  expect([days[0], days.at(-1)].map(one => one!.keys[0]!.value)).toEqual(['2025-10-25', '2026-11-28'])
  const all = everyPeriod('day', [row('0001-01-01', '1'), row('9999-12-31', '1')], true, none)
  expect([all.length, all[0]!.keys[0]!.value]).toEqual([400, '9998-11-27'])
})

test('figures below each other have as many decimals as the one with most', () => {
  const measure = { figure: { type: { kind: 'decimal' } } } as Measure
  expect(decimalsOf(measure, ['50.9166666667', '110.5', '7', null])).toBe(2)
  expect(decimalsOf(measure, ['3', '12', null])).toBe(0)
})

test('what a division gives is read with two decimals, everything else as it is', () => {
  const decimal = (value: string) => readableOf({ kind: 'decimal' }, value)
  expect(['50.9166666667', '-0.1250000001', '3.00005', '0.1234', '12', '11.75'].map(decimal)).toEqual([
    '50.92',
    '-0.13',
    '3',
    '0.1234',
    '12',
    '11.75',
  ])
})

test('the last month is running until the next one begins', () => {
  const rows = [row('2026-01-01', '1'), row('2026-02-01', '2'), row(null, '4')]
  const on = (today: string) => runningPeriod('month', rows, today)
  expect(['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01'].map(on)).toEqual([
    null,
    '2026-02-01',
    '2026-02-01',
    null,
  ])
})
