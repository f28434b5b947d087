import { expect, test } from 'vitest'
import { readerOf } from '../../ui/reader.tsx'
import type { FieldInfo, Site } from '../site.ts'
import { valueView } from './values.ts'

const site = { reader: readerOf({ locale: 'en', zone: 'UTC' }) } as Site

test.each([
  ['a percentage with a decimal', { kind: 'decimal', percent: true }, 1, '0.3333333333', '33.3%'],
  ['rounded half away from zero', { kind: 'decimal', percent: true }, 0, '-0.125', '-13%'],
  ['filled up', { kind: 'decimal' }, 2, '1.5', '1.50'],
  ['cut', { kind: 'decimal' }, 2, '0.6666666667', '0.67'],
  ['of no said decimals', { kind: 'decimal', percent: true }, undefined, '0.5000000000', '50%'],
  ['with all that it has', { kind: 'decimal' }, undefined, '0.3333333333', '0.3333333333'],
  ['an amount', { kind: 'money', currency: 'EUR' }, 2, '33.3333333333', '€33.33'],
  ['a price per unit', { kind: 'money', currency: 'EUR', places: 4 }, 4, '0.0125', '€0.0125'],
  ['at least those of the currency', { kind: 'money', currency: 'EUR', places: 4 }, 4, '1.2000', '€1.20'],
] as const)('what is computed is shown with the decimals of its type: %s', (_, type, scale, wire, shown) => {
  const info = { key: 'share', type, field: { kind: 'decimal', parameters: { scale } } } as unknown as FieldInfo
  expect(valueView(site, 'share', info, wire).text).toBe(shown)
})

test('a number that no two records have is written as it stands; others in groups', () => {
  const shown = (unique: object | null) =>
    valueView(
      site,
      'order',
      {
        key: 'n',
        type: { kind: 'integer' },
        field: { kind: 'integer', unique, parameters: {} },
      } as unknown as FieldInfo,
      '10835',
    ).text
  expect([shown({ within: [] }), shown({ within: ['store'] }), shown(null)]).toEqual(['10835', '10,835', '10,835'])
})
