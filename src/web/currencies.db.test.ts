/** Amounts in the currency that another field says: with its decimals wherever they are read and written, and converted by a table of rates. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import { type Page, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let mia: TestBrowser
let clerk: TestBrowser

type Body = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number }

const body = ({ text }: Page) => JSON.parse(text) as Body
const told = ({ status, text }: Page) => [
  status,
  ...((JSON.parse(text).errors ?? []) as { code: string; pointer: string }[]).map(one => [one.code, one.pointer]),
]
const cost = (values: object) => mia.json('POST', '/api/v1/cost', { what: 'Hotel', spent_on: '2026-03-10', ...values })

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/currencies.md')))
  clerk = await web.browser('Clara')
  mia = await web.browser('Mia')
})
afterAll(() => web?.stop())

test('an amount has no more decimals than the currency that its record says', async () => {
  expect(told(await cost({ currency: 'JPY', amount: '12.5' }))).toEqual([422, ['NF-WHOLE', '/amount']])
  expect(told(await cost({ currency: 'USD', amount: '12.505' }))).toEqual([422, ['NF-DECIMALS', '/amount']])
  expect(told(await cost({ currency: 'USD', amount: '12.50505' }))).toEqual([422, ['NF-DECIMALS', '/amount']])
  expect(told(await cost({ currency: 'USD', amount: '-1' }))).toEqual([422, ['NF-MIN', '/amount']])
  const made = body(await cost({ currency: 'USD', amount: '12.50' }))
  const yen = await mia.json('PATCH', `/api/v1/cost/${made.id}`, { currency: 'JPY', version: made.version })
  expect(told(yen)).toEqual([422, ['NF-WHOLE', '/amount']])
})

test('what is worked out is rounded to the decimals of the currency, halves away from zero', async () => {
  const dollars = body(await cost({ currency: 'USD', amount: '12.5', tip: '1.25' }))
  expect([dollars.amount, dollars.whole, dollars.tax, dollars.words]).toEqual([
    '12.50',
    '13.75',
    '2.38',
    'Cost USD\u00a013.75',
  ])
  const yen = body(await cost({ currency: 'JPY', amount: '1350' }))
  expect([yen.amount, yen.tax, yen.words]).toEqual(['1350', '257', 'Cost JPY\u00a01,350'])
})

test('it is converted by the last rate on or before its day', async () => {
  const worth = async (currency: string, amount: string, spent_on: string, paid_in = 'EUR') => {
    const made = body(await cost({ currency, amount, spent_on, paid_in }))
    return [made.in_eur, made.in_usd, made.payout]
  }
  expect(await worth('USD', '10', '2026-03-09')).toEqual(['8.00', '10.00', '8.00'])
  expect(await worth('USD', '10', '2026-03-10', 'JPY')).toEqual(['6.25', '10.00', '1000'])
  expect(await worth('USD', '10', '2026-12-01')).toEqual(['5.00', '10.00', '5.00'])
  expect(await worth('EUR', '10', '2026-03-10')).toEqual(['10.00', '16.00', '10.00'])
  expect(await worth('JPY', '1', '2026-03-10', 'JPY')).toEqual(['0.01', '0.01', '1'])
})

test('without a rate nothing is written, and it says so', async () => {
  const early = await cost({ currency: 'USD', amount: '10', spent_on: '2025-12-31' })
  expect(told(early)).toEqual([422, ['NF-RATE', undefined], ['NF-RATE', undefined]])
  expect(early.text).toContain('there is no exchange rate for that day')
  expect(told(await cost({ currency: 'KWD', amount: '10.125' }))).toEqual([
    422,
    ['NF-RATE', undefined],
    ['NF-RATE', '/amount'],
    ['NF-RATE', undefined],
  ])
})

test('what is frozen keeps the rate of then', async () => {
  const made = body(await cost({ currency: 'USD', amount: '10', spent_on: '2026-05-01' }))
  const settled = await clerk.json('POST', `/api/v1/cost/${made.id}/settle`, { version: made.version })
  expect(settled.status).toBe(200)
  const [rate] = JSON.parse((await clerk.get('/api/v1/exchange_rate?currency=USD&valid_from=2026-04-01')).text).data
  const changed = await clerk.json('PATCH', `/api/v1/exchange_rate/${rate.id}`, { rate: '4', version: rate.version })
  expect(changed.status).toBe(200)
  const now = body(await mia.get(`/api/v1/cost/${made.id}`))
  expect([now.in_eur, now.payout, now.kept]).toEqual(['5.00', '2.50', '3.30'])
  await clerk.json('PATCH', `/api/v1/exchange_rate/${rate.id}`, { rate: '2', version: body(changed).version })
})

test('rows in the currency of their record are added up', async () => {
  const made = await mia.json('POST', '/api/v1/trip', {
    name: 'Osaka',
    currency: 'JPY',
    lines: [
      { what: 'Train', price: '13500' },
      { what: 'Tea', price: '450' },
    ],
  })
  const { id, total, most, every } = body(made)
  expect([total, most, every]).toEqual(['13950', '13500', 'JPY\u00a013,500, JPY\u00a0450'])
  const page = await mia.get('/trips')
  expect(page.text).toContain('¥13,950')
  const finer = { name: 'Kyoto', currency: 'JPY', lines: [{ what: 'Tea', price: '4.5' }] }
  expect(told(await mia.json('POST', '/api/v1/trip', finer))).toEqual([422, ['NF-WHOLE', '/lines/0/price']])
  const one = await mia.get('/trips/Osaka')
  expect(one.text).toContain('¥450')
  expect(id).toBeTruthy()
})

test('the page and the list say who made a record and when it was changed, as its face does', async () => {
  const made = await clerk.json('POST', '/api/v1/trip', { name: 'Nara', currency: 'JPY' })
  expect(made.status).toBe(201)
  const [page, list] = [(await mia.get('/trips/Nara')).text, (await mia.get('/trips')).text]
  for (const said of ['Created by', 'Clara', 'Changed at']) expect(page).toContain(said)
  expect(list).toContain('Clara')
  expect(Object.keys(body(made))).not.toContain('created_by')
})

test('lists, files and messages name the currency', async () => {
  await cost({ what: 'Dinner', currency: 'USD', amount: '1234.5' })
  const list = (await mia.get('/costs')).text
  expect(list).toContain('US$1,234.50')
  const much = await cost({ currency: 'USD', amount: '1000000' })
  expect(much.text).toContain('US$1,000,000.00 is too much')
})
