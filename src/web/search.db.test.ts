/** Everything that answers to what one types: records that one may see, screens that one may open, steps that one may take. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ben: TestBrowser
let dan: TestBrowser
let stranger: TestBrowser
let loan: { readonly id: string; readonly number: string }

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
  ben = await web.browser('Ben')
  dan = await web.browser('Cleo')
  stranger = await web.browser('Dan')
  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from item limit 1`)
  const made = await ben.json('POST', '/api/v1/loan', {
    out_on: '2026-03-02',
    due_back: '2026-03-05',
    lines: [{ item: item!.id }],
  })
  loan = JSON.parse(made.text)
})
afterAll(() => web?.stop())

type Found = { readonly groups: readonly { title: string; items: readonly { label: string; href: string }[] }[] }
const found = async (browser: TestBrowser, query: Record<string, string>) =>
  Object.fromEntries(
    (JSON.parse((await browser.get(`/-/search.json?${new URLSearchParams(query)}`)).text) as Found).groups.map(
      ({ title, items }) => [title, items.map(({ label, href }) => `${label} ${href}`)],
    ),
  )

test('a record is found by those who may see it, on the page and for the palette', async () => {
  const last = loan.number.slice(-5)
  expect(await found(ben, { q: last })).toEqual({ Loans: [`Ben · ${loan.number} /loans/${loan.number}`] })
  const { status, text } = await ben.get(`/-/search?q=${last}`)
  expect(status).toBe(200)
  expect(text).toContain(`<a href="/loans/${loan.number}">Ben · ${loan.number}</a>`)
  expect(text).toContain('Draft')
})

test('a number leads to its record, in small letters too, for those who may see it', async () => {
  const typed = `/-/search?q=${loan.number.toLowerCase()}`
  expect((await ben.get(typed)).location).toBe(`/loans/${loan.number}`)
  const { status, location } = await (await web.browser('Dan')).get(typed)
  expect([status, location]).toEqual([303, `/loans/${loan.number}`])
  const other = await web.newcomer('Nora')
  expect((await other.get(typed)).text).toContain('Nothing was found.')
})

test('whoever a record names is found with it', async () => {
  const { status, text } = await ben.get('/-/search?q=ben')
  expect(status).toBe(200)
  expect(text).toMatch(new RegExp(`${loan.number}</a> <small class="muted">Borrower: Ben`))
})

test('what one may not see, open or do is not found by anything', async () => {
  const people = await Promise.all(
    Object.keys(web.run.people).map(async name => [name, await web.browser(name)] as const),
  )
  for (const [name, browser] of people) {
    const api = await browser.get(`/api/v1/loan/${loan.id}`)
    const groups = await found(browser, { q: loan.number, from: `/loans/${loan.number}` })
    expect([name, groups.Loans !== undefined]).toEqual([name, api.status === 200])
    const desk = (await browser.get('/desk')).status === 200
    expect([name, (await found(browser, { q: 'desk board' })).Screens !== undefined]).toEqual([name, desk])
  }
  expect(await found(stranger, { q: '', from: '/loans/LN-2026-99999' })).not.toHaveProperty('Steps of LN-2026-99999')
})

test('steps of the open record are found, those that can be taken now', async () => {
  const from = `/loans/${loan.number}`
  const submit = `Submit ${from}/do/submit`
  expect(await found(ben, { q: 'submit', from })).toEqual({ [`Steps of Ben · ${loan.number}`]: [submit] })
  expect(await found(ben, { q: 'approve', from })).toEqual({})
  expect(await found(ben, { q: 'submit' })).toEqual({})
})

test('nothing typed shows where one may go; nothing found says so', async () => {
  expect(Object.keys(await found(ben, { q: '' }))).toEqual(['Do', 'Screens'])
  expect((await ben.get('/-/search?q=xyzzy')).text).toContain('Nothing was found.')
  for (const q of ['%', '_', '\\', "'", 'a\u0000b', '\ud800', 'x'.repeat(5000)])
    expect((await ben.get(`/-/search?q=${encodeURIComponent(q.toWellFormed())}`)).status).toBe(200)
  expect((await ben.get(`/-/search?q=${'a+'.repeat(6)}more+words`)).text).toContain(
    'first 6 words are looked for, without: more words.',
  )
  expect((await ben.get('/-/search?from=//evil.example&q=a')).status).toBe(200)
})

test('three statements, whatever is found; visitors are asked to sign in', async () => {
  web.statements.length = 0
  await dan.get(`/-/search?q=a&from=/loans/${loan.number}`)
  expect(web.statements.length).toBeLessThanOrEqual(4)
  const visitor = await web.browser(null)
  expect((await visitor.get('/-/search?q=a')).location).toContain('/-/sign-in')
})
