/** A form that whoever comes may send: what it takes, what it does not, and what becomes of programs that send it. */
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { appOf } from '../kinds/testing.ts'
import { mebibyte, png } from './fixtures/contents.ts'
import { fieldsOf, multipart, type Part, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const app = appOf(`# Shop

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /contact | Write to us | everyone | form for Message |
| /messages | Messages | Clerk | list of Message |

### Write to us

- **Columns:** name, text, agreed, about, keeper, phone, photo
- **Confirmation:** We answer within two days.

## 3 Entities and their fields

### Message

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| text | long text 500 | required |
| agreed | yes/no | required; default no |
| verdict | text 40 | |
| about | Topic | |
| keeper | Person | |
| phone | phone | |
| photo | image | at most 1 MB |
| paper | file | |

### Topic

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |
| open | yes/no | required; default yes |

#### Sample data

| name | open |
| --- | --- |
| Delivery | yes |
| Returns | yes |
| Lawsuits | no |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Anyone | everyone |
| Clerk | everyone signed in |

### Message

| Role | See | Create |
| --- | --- | --- |
| Anyone | no | yes |
| Clerk | yes | no |

| Field | See | Change |
| --- | --- | --- |
| phone | all | Anyone |
| verdict | Clerk | Clerk |

### Topic

| Role | See |
| --- | --- |
| Anyone | open |
| Clerk | yes |
`)

let web: TestWeb
let visitor: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app)
})
beforeEach(async () => {
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from public.message`)
    await tx.write(sql`delete from ninefold.attempt`)
  })
  visitor = await web.browser(null)
})
afterAll(() => web?.stop())

const messages = () =>
  web.run.runtime.store.query<{ name: string; text: string; verdict: string | null }>(
    sql`select name, text, verdict from public.message order by id`,
  )

/** Opens the form and sends it. */
async function send(fields: Record<string, string>, more: Record<string, string> = {}) {
  const page = await visitor.get('/contact')
  expect(page.status).toBe(200)
  const hidden = Object.fromEntries(
    [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
  return visitor.post('/contact', { ...hidden, ...fields, ...more })
}

test('a visitor sends it and is told that it arrived', async () => {
  const answer = await send({ name: 'Ada', text: 'Hello', agreed: 'yes' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/contact?sent=1'])
  expect(await messages()).toEqual([{ name: 'Ada', text: 'Hello', verdict: null }])
  const thanks = await visitor.get('/contact?sent=1')
  expect(thanks.text).toContain('We answer within two days.')
})

test('what it does not list is neither asked nor taken', async () => {
  expect((await visitor.get('/contact')).text).not.toMatch(/verdict/i)
  await send({ name: 'Eve', text: 'Hello', verdict: 'approved' })
  expect(await messages()).toEqual([{ name: 'Eve', text: 'Hello', verdict: null }])
})

test('a record is chosen among those that everybody sees; people are named to nobody', async () => {
  const { text } = await visitor.get('/contact')
  const chosen = (of: string) =>
    [...(new RegExp(`<select id="${of}".*?</select>`).exec(text)?.[0] ?? '').matchAll(/value="([^"]+)">([^<]+)</g)].map(
      ([, , label]) => label,
    )
  expect([chosen('about'), chosen('keeper')]).toEqual([['Delivery', 'Returns'], []])
  const topics = await web.run.runtime.store.query<{ id: string; name: string }>(sql`select id, name from public.topic`)
  const id = (name: string) => topics.find(topic => topic.name === name)!.id
  const found = await send({ name: 'Ada', text: 'x' }, { _pick: 'about', '_q.about': 'l' })
  expect([/Delivery/.test(found.text), /Lawsuits/.test(found.text)]).toEqual([true, false])
  expect((await send({ name: 'Ada', text: 'x', about: id('Lawsuits') })).status).toBe(422)
  expect(await messages()).toEqual([])
  expect((await send({ name: 'Ada', text: 'x', about: id('Delivery') })).status).toBe(303)
})

test('a field that only some may change is given by those who may', async () => {
  expect((await send({ name: 'Ada', text: 'Hello', phone: '+44 20 1234', verdict: 'fine' })).status).toBe(303)
  expect(await web.run.runtime.store.query(sql`select phone, verdict from public.message`)).toEqual([
    { phone: '+44 20 1234', verdict: null },
  ])
  expect((await visitor.get('/api/v1/message')).text).not.toContain('1234')
})

test('a refusal keeps what was typed and says what is missing', async () => {
  const answer = await send({ name: '', text: 'Hello there' })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('There is a problem')
  expect(answer.text).toContain('Hello there')
  expect(await messages()).toEqual([])
})

test('a program that fills in the hidden box is thanked, and nothing is kept', async () => {
  const answer = await send({ name: 'Bot', text: 'Buy' }, { website_url: 'https://example.com' })
  expect(answer.headers.get('location')).toBe('/contact?sent=1')
  expect(await messages()).toEqual([])
})

test('sent twice, it arrives once', async () => {
  const page = await visitor.get('/contact')
  const hidden = Object.fromEntries(
    [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
  for (let at = 0; at < 2; at++) await visitor.post('/contact', { ...hidden, name: 'Ada', text: 'Once' })
  expect(await messages()).toHaveLength(1)
})

const stored = () =>
  readdirSync(web.folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length

/** As a browser sends it, with a file behind the texts. */
async function sendFile(field: string, content: Buffer, fields: Record<string, string> = {}) {
  const texts = { ...fieldsOf((await visitor.get('/contact')).text, '/contact'), name: 'Ada', text: 'Look', ...fields }
  return visitor.request('POST', '/contact', multipart([...Object.entries(texts), [field, content, 'hole.png']]))
}

test('a photograph comes with it: of the browser that sent it, and into no other field', async () => {
  const before = stored()
  const refused = await sendFile('photo', png, { name: '' })
  expect([refused.status, stored() - before]).toEqual([422, 1])
  const { photo } = fieldsOf(refused.text, '/contact')
  expect(photo).toMatch(/ image\/png hole\.png$/)
  // Who merely knows what it is called has nothing of it.
  const other = await web.browser(null)
  const { text } = await other.get('/contact')
  const taken = await other.post('/contact', { ...fieldsOf(text, '/contact'), name: 'Eve', text: 'x', photo: photo! })
  expect([taken.status, taken.text.includes('does not name a file that you sent')]).toEqual([422, true])
  const sent = await visitor.post('/contact', { ...fieldsOf(refused.text, '/contact'), name: 'Ada' })
  expect(sent.status).toBe(303)
  expect(await web.run.runtime.store.query(sql`select photo from public.message`)).toEqual([{ photo }])
  // What the form does not list, what it does not take, and what no form asked for.
  expect((await sendFile('paper', png)).status).toBe(303)
  expect((await sendFile('photo', Buffer.alloc(2 * mebibyte))).status).toBe(422)
  expect((await sendFile('photo', Buffer.concat([png, png]), { _csrf: 'x' })).status).toBe(303)
  expect(stored() - before).toBe(1)
})

test('many files from one address have to wait', async () => {
  const { _csrf } = fieldsOf((await visitor.get('/contact')).text, '/contact')
  const parts = Array.from({ length: 21 }, (): Part => ['photo', png, 'hole.png'])
  const answer = await visitor.request('POST', '/contact', multipart([['_csrf', _csrf!], ...parts]))
  expect(answer.text).toContain('too many files were sent from here')
})

test('many from one address have to wait, and nothing typed is lost', async () => {
  for (let at = 0; at < 10; at++) expect((await send({ name: `N${at}`, text: 'x' })).status).toBe(303)
  const answer = await send({ name: 'Eleven', text: 'my long text' })
  expect(answer.status).toBe(429)
  expect(answer.text).toContain('my long text')
  expect(await messages()).toHaveLength(10)
})

test('a visitor has no other way in: not the ordinary form, not the list, not the API', async () => {
  expect((await visitor.get('/contact/new')).headers.get('location')).toMatch(/^\/-\/sign-in/)
  expect((await visitor.get('/messages')).headers.get('location')).toMatch(/^\/-\/sign-in/)
  expect((await visitor.json('POST', '/api/v1/message', { name: 'a', text: 'b', verdict: 'c' })).status).toBe(401)
  expect(await messages()).toEqual([])
})

test('no script is needed, and none is asked for', async () => {
  const { text } = await visitor.get('/contact')
  expect(text).not.toMatch(/form\.[\w.]*js/)
  expect(text).toMatch(
    /<input[^>]*name="website_url"[^>]*tabindex="-1"|<input[^>]*tabindex="-1"[^>]*name="website_url"/i,
  )
})
