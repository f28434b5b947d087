/** Amounts in other currencies, from the text alone: by the last rate on or before a day, with one rounding, halves away from zero. */
import { expect, test } from 'vitest'
import { readApp } from '../../headings/index.ts'
import type { About } from './names.ts'
import { partOf } from './read.ts'
import { read } from './told.ts'
import { type Stored, wireOf } from './values.ts'

const document = (says: string) => `# Costs

## 3 Entities and their fields

### Trip

| Field | Type | Rules |
| --- | --- | --- |
| currency | choice: EUR, USD, JPY, KWD | required |
| costs | list of Cost | |

### Cost (part of Trip)

| Field | Type | Rules |
| --- | --- | --- |
| amount | money in trip.currency | required |
| fee | money USD | |

### Rate

- **Exchange rates:** ${says}

| Field | Type | Rules |
| --- | --- | --- |
| currency | choice: USD, JPY, KWD | required |
| since | date | required |
| rate | decimal 12.6 | required |
`

const rates: readonly Stored[] = [
  { id: '1', currency: 'USD', since: '2026-01-01', rate: '1.25' },
  { id: '2', currency: 'USD', since: '2026-03-01', rate: '1.6' },
  { id: '3', currency: 'JPY', since: '2026-01-01', rate: '160' },
]

function worth(expression: string, amount: string, says = '1 EUR = rate currency since since', currency = 'EUR') {
  const { app } = readApp('costs.md', () => document(says))
  const trip = { id: 't', currency }
  const row = { entity: 'cost', record: { id: 'c', trip: 't', amount, fee: '2.50' }, up: null }
  const about: About = {
    told: read(app!.document),
    read: partOf,
    row,
    self: row,
    old: null,
    me: null,
    now: Date.parse('2026-02-10T09:20:00Z'),
    closed: new Set(),
    changed: new Map(),
    record: (entity, id) => (entity === 'trip' && id === 't' ? trip : undefined),
    records: entity => (entity === 'rate' ? rates : []),
  }
  return wireOf(partOf(expression)(about))
}

test.each([
  ['a later rate does not count', 'convert(amount, USD, 2026-02-28)', '10', '12.5'],
  ['that of the day counts', 'convert(amount, USD, 2026-03-01)', '10', '16'],
  ['before the first there is none', 'convert(amount, USD, 2025-12-31)', '10', null],
  ['of a currency without rates there is none', 'convert(amount, KWD, today)', '10', null],
  ['the same needs none', 'convert(amount, EUR, 2025-12-31)', '10.005', '10.01'],
  ['a currency without decimals', 'convert(amount, JPY, today)', '0.0156', '2'],
  ['halves go away from zero', 'convert(amount, JPY, today)', '-0.015625', '-3'],
  ['between two others by way of the first', 'convert(fee, JPY, today)', '1', '320'],
  ['a sum is in the currency of its amounts', 'convert(amount + amount, USD, today)', '10', '25'],
  ['of nothing comes nothing', 'convert(amount, USD, today)', '', null],
])('%s', (_, expression, amount, value) => {
  expect(worth(expression, amount)).toBe(value)
})

test('the other way round', () => {
  expect(worth('convert(amount, USD, today)', '10', '1 currency = rate EUR since since')).toBe('8')
  expect(worth('convert(amount, EUR, today)', '10', '1 currency = rate EUR since since', 'JPY')).toBe('1600')
})

test('an amount is rounded in its own currency', () => {
  expect(worth('round_amount(amount / 3)', '10')).toBe('3.33')
  expect(worth('round_amount(amount / 3)', '10', undefined, 'JPY')).toBe('3')
  expect(worth('round_amount(amount / 3)', '10', undefined, 'KWD')).toBe('3.333')
})
