/** Rules of fields that search the records of others: as a form without scripts, one that asks while it is filled in, and the API tell them. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let member: TestBrowser
let item: string
const form = '/bookings/new'

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, '../run/fixtures/searched.md')))
  member = await web.browser(Object.keys(web.run.people)[0]!)
  item = (await web.run.runtime.store.query<{ id: string }>(sql`select id from item`))[0]!.id
})
afterAll(() => web?.stop())

test('a bound that goes by the records of others refuses by form, by API, and while the form is filled in', async () => {
  const page = (await member.get(form)).text
  const filled = { ...fieldsOf(page, form), item, pieces: '11' }
  const sent = await member.submit(form, form, filled)
  expect([sent.status, sent.text.includes('Only 10 are left.')]).toEqual([422, true])
  expect(fieldsOf(sent.text, form)).toMatchObject({ pieces: '11' })
  const asked = await member.post(form, { ...filled, _taken: 'yes' }, { accept: 'application/json' })
  expect(JSON.parse(asked.text).problems).toMatchObject([{ code: 'E-STOCK', name: 'pieces' }])
  const refused = await member.json('POST', '/api/v1/booking', { item, pieces: '11' })
  expect(JSON.parse(refused.text).errors).toMatchObject([{ code: 'E-STOCK', pointer: '/pieces' }])
  expect((await member.submit(form, form, { ...filled, pieces: '10' })).status).toBe(303)
  expect((await member.json('POST', '/api/v1/booking', { item, pieces: '1' })).status).toBe(422)
})
