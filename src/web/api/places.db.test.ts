/** Records put elsewhere in an order by hand over the API: refused first, then moved, undone, and once for each key. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { readSound } from '../../run/testing.ts'
import { startTestWeb, TestBrowser, type TestWeb } from '../testing.ts'

let web: TestWeb
let anna: TestBrowser
let ben: TestBrowser
const ids: Record<string, string> = {}

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/tasks.md')))
  anna = await web.signedIn(web.run.people.Anna!)
  ben = await web.signedIn(web.run.people.Ben!)
  for (const name of ['Ash', 'Elm', 'Fir', 'Yew'])
    ids[name] = JSON.parse((await send(anna, '/api/v1/task', { name })).text).id as string
})
afterAll(() => web?.stop())
beforeEach(() => web.run.runtime.store.query(sql`update task set position = null`))

const send = (browser: TestBrowser, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  browser.json('POST', path, body, headers)
const put = (name: string, body: unknown, browser = anna, headers = {}) =>
  send(browser, `/api/v1/task/${ids[name]}/position`, body, headers)
const names = async () =>
  (JSON.parse((await anna.get('/api/v1/task')).text).data as readonly { readonly name: string }[]).map(
    ({ name }) => name,
  )

test.each([
  [400, {}],
  [400, []],
  [400, null],
  [400, 'first'],
  [400, { before: null }],
  [400, { before: 3 }],
  [400, { after: null, undo: null }],
  [400, { undo: null }],
  [400, { undo: { from: '1' } }],
  [400, { undo: { from: '1; drop table task', to: '1' } }],
  [404, { before: 'x' }],
  [404, { after: '01940000-0000-7000-8000-000000000000' }],
  [409, { undo: { from: null, to: '7' } }],
])('%i for %j, and nothing is moved', async (status, body) => {
  expect((await put('Yew', body)).status).toBe(status)
  expect(await names()).toEqual(['Ash', 'Elm', 'Fir', 'Yew'])
})

test('who may not change a record does not move it', async () => {
  expect((await put('Yew', { after: null }, ben)).status).toBe(403)
  expect((await put('Yew', { after: null }, new TestBrowser(web.url))).status).toBe(401)
  expect((await anna.get(`/api/v1/task/${ids.Yew}/position`)).status).toBe(405)
  expect(await names()).toEqual(['Ash', 'Elm', 'Fir', 'Yew'])
})

test('before one, after one, to the first place, and back', async () => {
  expect((await put('Yew', { before: ids.Elm })).status).toBe(200)
  expect(await names()).toEqual(['Ash', 'Yew', 'Elm', 'Fir'])
  await put('Ash', { after: ids.Fir!.toUpperCase() })
  expect(await names()).toEqual(['Yew', 'Elm', 'Fir', 'Ash'])
  const { undo } = JSON.parse((await put('Fir', { after: null })).text) as { readonly undo: object }
  expect(await names()).toEqual(['Fir', 'Yew', 'Elm', 'Ash'])
  const answer = await put('Fir', { undo })
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { id: ids.Fir }])
  expect(await names()).toEqual(['Yew', 'Elm', 'Fir', 'Ash'])
  expect((await put('Fir', { undo })).status).toBe(409)
})

test('the same key moves once', async () => {
  const key = { 'idempotency-key': 'm1' }
  const first = await put('Yew', { before: ids.Elm }, anna, key)
  await put('Yew', { after: ids.Fir })
  expect((await put('Yew', { before: ids.Elm }, anna, key)).text).toBe(first.text)
  expect(await names()).toEqual(['Ash', 'Elm', 'Fir', 'Yew'])
})

test('the description of the API has it for whoever may', async () => {
  const paths = async (browser: TestBrowser) =>
    Object.keys(JSON.parse((await browser.get('/api/v1/openapi.json')).text).paths)
  expect(await paths(anna)).toContain('/api/v1/task/{id}/position')
  expect(await paths(ben)).not.toContain('/api/v1/task/{id}/position')
})
