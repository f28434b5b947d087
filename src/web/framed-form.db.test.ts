/** A form for everyone in a frame on a page of another site. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { png } from './fixtures/contents.ts'
import { fieldsOf, multipart, startTestWeb, TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let visitor: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/shop.md')), {
    trustedProxies: 1,
  })
})
beforeEach(async () => {
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from public.message`))
  visitor = await web.browser(null)
})
afterAll(() => web?.stop())

const frame = '/-/embed/contact'
const own = () => ({ origin: web.url, 'sec-fetch-site': 'same-origin' })
/** As a browser sends it from a frame: without cookies. */
async function sendFramed(fields: Record<string, string>, headers: Record<string, string> = own()) {
  const stranger = new TestBrowser(web.url)
  const { text } = await stranger.get(frame)
  const action = /action="(\/-\/embed\/contact\?visit=[\w-]{43})"/.exec(text)![1]!
  return new TestBrowser(web.url).post(
    action,
    { ...fieldsOf(text, action), name: 'Ada', text: 'Hi', ...fields },
    headers,
  )
}

test('nothing of the document is marked in it, in `dev` either', async () => {
  const marked = async (path: string) => (await visitor.get(path)).text.includes('class="src"')
  expect([await marked('/contact'), await marked(frame)]).toEqual([true, false])
})

test('only the forms that name sites, and nothing else anywhere, may be framed', async () => {
  const framed = async (path: string, browser = visitor) => {
    const { headers } = await browser.get(path)
    const [ancestors] = /frame-ancestors [^;]+/.exec(headers.get('content-security-policy') ?? '') ?? []
    return [ancestors, headers.get('x-frame-options')]
  }
  const sites = 'frame-ancestors https://www.example.org http://localhost:8080'
  const cleo = await web.browser('Cleo')
  for (const browser of [visitor, cleo]) {
    expect(await framed(frame, browser)).toEqual([sites, null])
    expect(await framed(`${frame}?sent=1`, browser)).toEqual([sites, null])
    for (const path of [
      '/',
      '/contact',
      '/contact?visit=x',
      '/claim',
      '/messages',
      '/-/embed/claim',
      '/-/embed/messages',
      '/-/embed/contact/new',
      '/-/embed/contact/',
      '/-/embed/-/sign-in',
      '/-/embed//-/account',
      '/-/embed/',
      '/-/embed',
      '/-/sign-in',
      '/-/confirm',
      '/-/assets/ninefold.css',
      '/api/v1/message',
      '/nothing',
    ])
      expect([path, ...(await framed(path, browser))]).toEqual([path, "frame-ancestors 'none'", 'DENY'])
  }
  for (const path of ['/-/embed/claim', '/-/embed/messages', '/-/embed/-/sign-in'])
    expect((await cleo.get(path)).status).toBe(404)
})

test('it has no cookies and no navigation, acts for nobody, and leads nowhere else', async () => {
  const cleo = await web.browser('Cleo')
  const page = await cleo.get(frame)
  expect(page.headers.getSetCookie()).toEqual([])
  expect(page.text).not.toMatch(/Cleo|<nav|<script type="module"|class="brand"|Messages/)
  const sent = await sendFramed({})
  expect([sent.status, sent.location?.startsWith(`${frame}?sent=1&visit=`)]).toEqual([303, true])
  const thanks = await visitor.get(sent.location!)
  expect([thanks.status, thanks.text.includes('We answer within two days.')]).toEqual([200, true])
  expect(thanks.text.match(/<a [^>]*href="[^"]*"/g)).toEqual([
    expect.stringMatching(/href="\/-\/embed\/contact\?visit=/),
  ])
  const { text } = await cleo.get(frame)
  const action = /action="(\/-\/embed[^"]+)"/.exec(text)![1]!
  expect((await cleo.post(action, { ...fieldsOf(text, action), name: 'Cleo', text: 'x' }, own())).status).toBe(303)
  expect(await web.run.runtime.store.query(sql`select created_by from public.message`)).toEqual([
    { created_by: null },
    { created_by: null },
  ])
})

test('only the frame itself sends it, with its files', async () => {
  expect((await sendFramed({}, { origin: 'https://www.example.org', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await sendFramed({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await sendFramed({ _csrf: 'x' })).status).toBe(403)
  const unsaid = new TestBrowser(web.url)
  const { text } = await unsaid.get(frame)
  const action = /action="(\/-\/embed[^"]+)"/.exec(text)![1]!
  const fields = { ...fieldsOf(text, action), name: 'Ada', text: 'Hi' }
  const bare = await fetch(web.url + action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  expect(bare.status).toBe(403)
  expect(await web.run.runtime.store.query(sql`select from public.message`)).toEqual([])
  const parts = multipart([...Object.entries({ ...fields, name: '' }), ['photo', png, 'hole.png']])
  const headers = { ...parts.headers, ...own() }
  const refused = await new TestBrowser(web.url).request('POST', action, { headers, body: parts.body })
  expect(refused.headers.get('content-security-policy')).toContain('frame-ancestors https://www.example.org')
  const again = { ...fieldsOf(refused.text, action), name: 'Ada' }
  expect((await new TestBrowser(web.url).post(action, again, own())).status).toBe(303)
  expect(await web.run.runtime.store.query(sql`select photo is not null as has from public.message`)).toEqual([
    { has: true },
  ])
})
