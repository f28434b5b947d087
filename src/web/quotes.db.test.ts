/** Rows of rows in the currency of their record: made together with it, and added up over both lists. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let mia: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/quotes.md')))
  mia = await web.browser('Mia')
})
afterAll(() => web?.stop())

const part = (label: string, kind: string, cost: string) => ({ label, kind, cost })

test('rows and their rows are made with their record, in the currency that is given to it', async () => {
  const lines = [
    { what: 'Desk', price: '1350', parts: [part('Leg', 'A', '450'), part('Top', 'B', '900')] },
    { what: 'Lamp', price: '200', parts: [part('Bulb', 'A', '1000')] },
  ]
  const quote = await mia.json('POST', '/api/v1/quote', { name: 'A', currency: 'JPY', lines })
  expect(quote.status).toBe(201)
  const { id, version } = JSON.parse(quote.text)
  expect((await mia.json('POST', `/api/v1/quote/${id}/win`, { version })).status).toBe(200)
  const [order] = JSON.parse((await mia.get('/api/v1/order')).text).data
  expect(order).toMatchObject({ currency: 'JPY', total: '1550', parts_total: '2350', highest: '1000', count_parts: 3 })
  const one = JSON.parse((await mia.get(`/api/v1/order/${order.id}`)).text)
  expect(one.lines).toMatchObject([
    { what: 'Desk', number: 1, parts_cost: '1350', parts: [{ label: 'Leg', cost: '450' }, { label: 'Top' }] },
    { what: 'Lamp', number: 2, parts_cost: '1000', parts: [{ label: 'Bulb' }] },
  ])
  const list = (await mia.get('/orders')).text
  for (const said of ['JP¥2,350', 'JP¥1,000', 'Leg, Top, Bulb']) expect(list).toContain(said)
})

test.each([
  ['nothing is said of it', ', currency = currency', ''],
  ['it is another one', 'currency = currency', 'currency = EUR'],
  ['the rows are of other records', 'for each lines:', 'for each (Quote line where price > 0):'],
])('an amount of a row needs the currency of the new record: %s', (_, from, to) => {
  const path = join(import.meta.dirname, 'fixtures/quotes.md')
  expect(() => readSound(path, text => text.replace(from, to))).toThrow('N0213 this is an amount in the currency of')
})
