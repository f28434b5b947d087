/** Amounts whose currency their reader may not see: the number alone, wherever it stands, and every page works. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import { type Page, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let mia: TestBrowser
let clerk: TestBrowser
let kobe: string

const body = ({ text }: Page) => JSON.parse(text)
const order = (who: TestBrowser, values: object) => who.json('POST', '/api/v1/order', { supplier: kobe, ...values })

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/closed-currency.md')))
  clerk = await web.browser('Clara')
  mia = await web.browser('Mia')
  const suppliers = body(await mia.get('/api/v1/supplier')).data as readonly { id: string; name: string }[]
  kobe = suppliers.find(({ name }) => name === 'Kobe')!.id
  const made = await order(mia, { name: 'A', net: '1350', lines: [{ what: 'Tea', price: '450' }] })
  expect(made.status).toBe(201)
})
afterAll(() => web?.stop())

const yen = /JPY|¥|円/

test.each([
  '/orders',
  '/orders/A',
  '/orders/A/paper',
  '/orders/A/edit',
  '/orders/new',
  '/suppliers',
  '/api/v1/order',
  '/orders?_export=csv',
])('%s has the number and not the currency', async address => {
  const [told, whole] = [await mia.get(address), await clerk.get(address)]
  expect([told.status, whole.status]).toEqual([200, 200])
  expect(told.text).not.toMatch(yen)
  if (!/new|suppliers/.test(address)) expect(told.text).toMatch(/1,?350/)
})

test('whoever sees the currency is shown it', async () => {
  expect((await clerk.get('/orders/A')).text).toContain('¥1,350')
  expect((await clerk.get('/suppliers')).text).toContain('JPY')
})

test('a refusal says the amount without its currency, in the form and to programs', async () => {
  const told = async (who: TestBrowser) => body(await order(who, { name: 'B', net: '999999' })).detail
  expect(await told(clerk)).toBe('JP¥999,999, twice JP¥1,999,998, is too much')
  expect(await told(mia)).toBe('999,999, twice 1,999,998, is too much')
  const { id, version } = body(await mia.get('/api/v1/order')).data[0]
  const changed = await mia.json('PATCH', `/api/v1/order/${id}`, { net: '999999', version })
  expect(body(changed).detail).toBe('999,999, twice 1,999,998, is too much')
  expect(body(await order(mia, { name: 'C', net: '12.5' })).code).toBe('NF-WHOLE')
})

test('what somebody looks for finds no currency that they do not see', async () => {
  expect((await mia.get('/orders?q=JPY')).text).not.toMatch(/1,?350/)
  // A filter by a field that they do not see is none.
  expect((await mia.get('/suppliers?currency=JPY')).text).toMatch(/Boston[\s\S]*Kobe/)
  expect((await mia.get('/api/v1/supplier?currency=JPY')).text).not.toContain('Kobe')
})
