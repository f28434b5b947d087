/** A form that whoever comes may send: what it takes, what it does not, and what becomes of programs that send it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import { tidyFiles } from '../run/read/files.ts'
import { readSound, testId } from '../run/testing.ts'
import { heldOfEntity } from '../run/write/held-forms.ts'
import { folderFiles } from '../store/files.ts'
import { formsToReview } from './access.ts'
import { mebibyte, png } from './fixtures/contents.ts'
import { tidyTraces } from './sign-in/tidy.ts'
import {
  ForgetfulBrowser,
  fieldsOf,
  multipart,
  type Part,
  startTestWeb,
  type TestBrowser,
  type TestWeb,
} from './testing.ts'

let web: TestWeb
let visitor: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/shop.md')), {
    trustedProxies: 1,
  })
})
beforeEach(async () => {
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from public.message`)
    for (const table of [
      'public.claim',
      'ninefold.attempt',
      'ninefold.outbox',
      'ninefold.unconfirmed',
      'ninefold.held_form',
    ])
      await tx.write(raw(`delete from ${table}`))
  })
  visitor = await web.browser(null)
})
afterAll(() => web?.stop())

const messages = () =>
  web.run.runtime.store.query<{ name: string; text: string; verdict: string | null }>(
    sql`select name, text, verdict from public.message order by id`,
  )

/** Opens the form and sends it. */
async function send(fields: Record<string, string>, more: Record<string, string> = {}, headers = {}) {
  const page = await visitor.get('/contact')
  expect(page.status).toBe(200)
  const hidden = Object.fromEntries(
    [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
  return visitor.post('/contact', { ...hidden, ...fields, ...more }, headers)
}

test('it is where visitors begin, and not whoever works here', async () => {
  const clerk = await web.browser('Cleo')
  expect([(await visitor.get('/')).location, (await clerk.get('/')).location]).toEqual(['/contact', '/messages'])
  const linksOf = ({ text }: { readonly text: string }) =>
    [...(/<nav.*?<\/nav>/s.exec(text)?.[0] ?? '').matchAll(/aria-label="For|href="(\/[^"]*)"/g)].map(([, href]) => href)
  expect(linksOf(await visitor.get('/contact'))).toEqual(['/contact', '/claim', '/short'])
  expect((await visitor.get('/claim')).text, 'their own address').toMatch(
    /<input(?=[^>]*name="email")[^>]*autoComplete="email"/i,
  )
  expect(linksOf(await clerk.get('/messages'))).toEqual([
    '/messages',
    '/answers',
    '/-/notices',
    undefined,
    '/contact',
    '/claim',
    '/short',
  ])
  expect(linksOf(await visitor.get('/-/sign-in'))).toEqual([])
})

test('a visitor sends it and is told that it arrived', async () => {
  const answer = await send({ name: 'Ada', text: 'Hello', agreed: 'yes' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/contact?sent=1'])
  expect(await messages()).toEqual([{ name: 'Ada', text: 'Hello', verdict: null }])
  const thanks = await visitor.get('/contact?sent=1')
  expect(thanks.text).toContain('We answer within two days.')
})

test('a page that was open too long comes back to a visitor with what they typed, and asks for no account', async () => {
  const opened = fieldsOf((await visitor.get('/contact')).text, '/contact')
  const later = await web.browser(null)
  await later.get('/contact')
  const answer = await later.post('/contact', { ...opened, name: 'Ada', text: 'A long story', agreed: 'yes' })
  expect([answer.status, answer.location?.split('=')[0]]).toEqual([303, '/contact?kept'])
  expect(await messages()).toEqual([])
  const again = await later.get(answer.location!)
  const fields = fieldsOf(again.text, '/contact')
  expect([again.status, fields.name, fields.text]).toEqual([200, 'Ada', 'A long story'])
  expect(again.text).toContain('What you typed is here again')
  expect((await later.post('/contact', fields)).location).toBe('/contact?sent=1')
  expect(await messages()).toEqual([{ name: 'Ada', text: 'A long story', verdict: null }])

  // Whoever worked here signs in again, and finds it too.
  const clerk = await web.browser('Cleo')
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from ninefold.session`))
  const ended = await clerk.post('/contact', { ...opened, name: 'Cleo', text: 'Mine' })
  expect(ended.location).toMatch(/^\/-\/sign-in\?next=%2Fcontact%3Fkept/)
})

test('a browser that keeps no cookies sends it, with its files, and once', async () => {
  const browser = new ForgetfulBrowser(web.url)
  const opened = { ...fieldsOf((await browser.get('/contact')).text, '/contact'), text: 'A long story' }
  const photo: Part = ['photo', Buffer.concat([png, Buffer.from('forgotten')]), 'hole.png']
  const refused = await browser.request('POST', '/contact', multipart([...Object.entries(opened), photo]))
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([422, []])
  const [, action = ''] = /action="(\/contact\?visit=[\w-]{43})"/.exec(refused.text) ?? []
  const again: Record<string, string> = { ...fieldsOf(refused.text, action), name: 'Ada' }
  expect(again.text).toBe('A long story')
  for (let time = 0; time < 2; time++) {
    const sent = await browser.post(action, again)
    expect([sent.status, sent.location?.split('&')[0]]).toEqual([303, '/contact?sent=1'])
    expect((await browser.get(sent.location!)).text).toContain('We answer within two days.')
  }
  expect(
    await web.run.runtime.store.query(sql`select name, text, photo is not null as has, created_by from public.message`),
  ).toEqual([{ name: 'Ada', text: 'A long story', has: true, created_by: null }])
})

test('what comes without cookies from elsewhere, or from nobody knows where, is not taken, and is told why', async () => {
  const browser = new ForgetfulBrowser(web.url)
  const { _csrf = '', ...rest } = fieldsOf((await browser.get('/contact')).text, '/contact')
  const typed = { ...rest, name: 'Ada', text: 'Hi' }
  for (const headers of [{ origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await browser.post('/contact', { ...typed, _csrf }, headers)).text).toContain('came from another site')
  const body = new URLSearchParams({ ...typed, _csrf })
  const bare = await fetch(`${web.url}/contact`, { method: 'POST', body, redirect: 'manual' })
  const said = await bare.text()
  expect([bare.status, said.includes('Your browser sent no cookie'), said.includes('Ada')]).toEqual([403, true, false])
  // What is for people who work here is not taken so, nor without a token what comes with a session.
  expect((await browser.post('/messages/new', { ...typed, _csrf })).location).toMatch(/^\/-\/sign-in/)
  const clerk = await web.browser('Cleo')
  expect((await clerk.post('/contact', typed, { origin: web.url })).status).toBe(403)
  expect(await messages()).toEqual([])
})

test('what a visitor may not open leads to signing in, whether there is such a record or not', async () => {
  await send({ name: 'Ada', text: 'Hello', agreed: 'yes' })
  const [message] = await web.run.runtime.store.query<{ id: string }>(sql`select id from public.message`)
  for (const id of [message!.id, testId()])
    for (const page of ['edit', 'delete']) {
      const address = `/contact/${id}/${page}`
      const { status, location } = await visitor.get(address)
      expect([status, location]).toEqual([303, `/-/sign-in?${new URLSearchParams({ next: address })}`])
    }
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

test('a hidden box that is filled in holds the form back, says so, is counted, and loses nothing', async () => {
  const logged = web.log.length
  const held = await send({ name: 'Ada', text: 'A long letter', agreed: 'yes' }, { _blank: 'https://example.com' })
  expect([held.status, held.text.includes('This is not sent yet'), await messages()]).toEqual([422, true, []])
  expect(web.log.slice(logged).filter(({ event }) => event === 'form held back')).toMatchObject([
    { detail: { path: '/contact' } },
  ])
  // A person sends it once more; the box is not there to be filled in again.
  const again = fieldsOf(held.text, '/contact')
  expect([again.text ?? /A long letter/.exec(held.text)?.[0], '_blank' in again]).toEqual(['A long letter', false])
  expect((await visitor.post('/contact', again)).location).toBe('/contact?sent=1')
  expect(await messages()).toMatchObject([{ name: 'Ada', text: 'A long letter' }])
})

const held = () =>
  web.run.runtime.store.query<{ id: string; form: string }>(sql`select id, form from ninefold.held_form`)
const caught = (fields: Record<string, string>) =>
  send({ name: 'Ada', agreed: 'yes', ...fields }, { _blank: 'https://example.com' })

test('what was held back is kept for whoever sees all such records: they release it, or throw it away', async () => {
  const clerk = await web.browser('Cleo')
  expect((await clerk.get('/messages')).text).not.toContain('held back')
  await caught({ text: 'A long letter', word: 'open sesame', verdict: 'approved' })
  await caught({ text: 'Buy now' })
  for (const page of ['/messages', '/answers'])
    expect((await clerk.get(page)).text).toMatch(/href="\/-\/held\?entity=message"[^>]*>.*?2 held back/)
  const { text } = await clerk.get('/-/held?entity=message')
  expect([text.includes('A long letter'), text.includes('sesame'), text.includes('approved')]).toEqual([
    true,
    false,
    false,
  ])
  expect((await held()).filter(({ form }) => /sesame|approved|_csrf|_blank/.test(form))).toEqual([])
  const idOf = async (of: string) => (await held()).find(({ form }) => form.includes(of))!.id
  const does = (what: string, id: string, by = clerk) => by.send('/-/held', { entity: 'message', id, do: what })
  const letter = await idOf('letter')
  const stranger = await does('release', letter, visitor)
  expect([stranger.status, stranger.location?.startsWith('/-/sign-in')]).toEqual([303, true])
  expect([(await does('keep', letter)).status, (await does('release', testId())).status]).toEqual([404, 404])
  expect((await does('discard', await idOf('Buy'))).location).toBe('/-/held?entity=message')
  expect((await does('release', letter)).location).toBe('/-/held?entity=message')
  expect([await messages(), await held()]).toMatchObject([[{ name: 'Ada', text: 'A long letter', verdict: null }], []])
  const [author] = await web.run.runtime.store.query(
    sql`select actor from ninefold.history where entity = 'message' order by id desc limit 1`,
  )
  expect(author, 'it is the visitor’s, not theirs').toEqual({ actor: null })
  expect((await does('release', letter)).status).toBe(404)
})

test('what stands in it is called by its name, as whoever looks at it may know it, and many forms take no more statements', async () => {
  const clerk = await web.browser('Cleo')
  const topics = await web.run.runtime.store.query<{ id: string; name: string }>(sql`select id, name from public.topic`)
  const about = (name: string) => topics.find(topic => topic.name === name)!.id
  const asked = async () => {
    web.statements.length = 0
    const { text } = await clerk.get('/-/held?entity=message')
    return { text, statements: web.statements.length }
  }
  await caught({ text: 'One', about: about('Delivery') })
  const one = await asked()
  expect(one.text).toMatch(/<dt>About<\/dt><dd>Delivery<\/dd>/)
  await caught({ text: 'Two', about: about('Returns') })
  await caught({ text: 'Three', about: about('Lawsuits'), keeper: testId() })
  const all = await asked()
  expect([...all.text.matchAll(/<dt>About<\/dt><dd>([^<]*)<\/dd>/g)].map(([, name]) => name)).toEqual([
    'Lawsuits',
    'Returns',
    'Delivery',
  ])
  // Nobody has this id, and it says nothing to a person.
  expect(all.text).not.toContain('<dt>Keeper</dt>')
  expect(all.statements).toBe(one.statements)
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update public.topic set secret = true where name = 'Lawsuits'`),
  )
  const { text } = await asked()
  expect([text.includes('Returns'), text.includes('Lawsuits'), text.includes(about('Lawsuits'))]).toEqual([
    true,
    false,
    false,
  ])
})

test('what no longer fits is not released, and stays', async () => {
  const clerk = await web.browser('Cleo')
  await caught({ name: '', text: 'Nameless' })
  const { id } = (await held())[0]!
  const refused = await clerk.send('/-/held', { entity: 'message', id, do: 'release' })
  expect([refused.status, refused.text.includes('Nameless'), (await held()).length, await messages()]).toEqual([
    422,
    true,
    1,
    [],
  ])
})

test('a form that somebody sends once more is held back no longer', async () => {
  const page = await caught({ text: 'A long letter' })
  expect(await held()).toHaveLength(1)
  expect((await visitor.post('/contact', fieldsOf(page.text, '/contact'))).location).toBe('/contact?sent=1')
  expect([(await messages()).length, await held()]).toEqual([1, []])
})

test('programs fill no shelves: many from one network wait, the oldest make room, and all go in time', async () => {
  for (let at = 0; at < 10; at++) expect((await caught({ text: `Buy ${at}` })).status).toBe(422)
  const wait = await caught({ text: 'Buy more' })
  expect([wait.status, wait.text.includes('Buy more'), (await held()).length]).toEqual([429, true, 10])
  const { store } = web.run.runtime
  await store.query(sql`delete from ninefold.attempt`)
  await store.query(sql`insert into ninefold.held_form select gen_random_uuid(), sha256(n::text::bytea), 'message', '/contact', '', '{}', ${testId()}::uuid,
    'en', ${web.run.now}::timestamptz + n * interval '1 second', ${web.run.now}::timestamptz + interval '1 day' from generate_series(1, ${heldOfEntity}::bigint) as n`)
  await caught({ text: 'One more' })
  expect((await held()).length).toBe(heldOfEntity)
  await tidyTraces(store, new Date(web.run.now.getTime() + 31 * 86_400_000))
  expect(await held()).toEqual([])
})

test('only who sees every record, in every field that the form asks for, looks through what it brings', () => {
  const app = readSound(join(import.meta.dirname, '../../examples/street-defects/street-defects.md'))
  const may = (...roles: string[]) =>
    formsToReview(app, { id: testId(), name: null, system: null, roles: ['Anyone', ...roles] }, 'report').length
  // Managers do not see the address of who reports.
  expect([may('Dispatcher'), may('Manager'), may('Inspector'), may()]).toEqual([1, 0, 0, 0])
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
  const others = sql`insert into ninefold.file values (${testId()}::uuid, 'f', 'text/plain', 'a', ${20 * mebibyte}::bigint, now())`
  await web.run.runtime.store.inTransaction(tx => tx.write(others))
  const full = await sendFile('photo', Buffer.concat([png, png]))
  expect([full.status, full.text.includes('all files together may take 20 MB')]).toEqual([422, true])
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from ninefold.file where digest = 'f'`))
  expect(stored() - before).toBe(1)
})

test('what came with a form that was held back is kept with it, and comes with its release', async () => {
  const clerk = await web.browser('Cleo')
  const before = stored()
  const caught = await sendFile('photo', Buffer.concat([png, Buffer.from('held')]), { _blank: 'https://example.com' })
  expect([caught.status, stored() - before]).toEqual([422, 1])
  const { runtime } = web.run
  const later = new Date(web.run.now.getTime() + 3 * 86_400_000)
  await tidyFiles(runtime, folderFiles(web.folder), later)
  const { id } = (await held())[0]!
  expect((await clerk.send('/-/held', { entity: 'message', id, do: 'release' })).status).toBe(303)
  const [message] = await runtime.store.query<{ id: string }>(sql`select id from public.message`)
  const photo = await clerk.get(`/-/files/message/${message!.id}/photo`)
  expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/png'])
})

test('many files from one address have to wait', async () => {
  const { _csrf } = fieldsOf((await visitor.get('/contact')).text, '/contact')
  const parts = Array.from({ length: 5 }, (): Part => ['photo', png, 'hole.png'])
  const answer = await visitor.request('POST', '/contact', multipart([['_csrf', _csrf!], ...parts]))
  expect(answer.text).toContain('too many files were sent from here')
})

test('many from one address have to wait, and nothing typed is lost', async () => {
  // What a proxy adds is believed, what was there before it is not.
  const from = (made: number, address: string) => ({ 'x-forwarded-for': `198.51.100.${made}, ${address}` })
  const text = 'my long text'
  // One machine has all of a network of IPv6.
  const here = (at: number) => (at % 2 === 0 ? `2001:db8:0:7::${at}` : `[2001:db8::7:${at}:0:0:1]:443`)
  for (let at = 0; at < 10; at++)
    expect((await send({ name: `N${at}`, text }, {}, from(at, here(at)))).status).toBe(303)
  const answer = await send({ name: 'Eleven', text }, {}, from(11, here(11)))
  expect(answer.status).toBe(429)
  expect(answer.text).toContain(text)
  expect(await messages()).toHaveLength(10)
  expect((await send({ name: 'Another', text }, {}, from(11, '2001:db8:0:8::1'))).status).toBe(303)
})

test('as many as the document says, in any hour, and then its own words', async () => {
  const send = async (plate: string, minutes: number) => {
    const { text } = await visitor.get('/short')
    const app = web.run.now
    web.run.now = new Date(app.getTime() + minutes * 60_000)
    const answer = await visitor.post('/short', { ...fieldsOf(text, '/short'), plate })
    web.run.now = app
    return answer
  }
  // Mistakes may be corrected: what is refused is none of them.
  for (const minutes of [-2, -1, 0]) expect((await send('', minutes)).status).toBe(422)
  expect([(await send('A', 0)).status, (await send('B', 40)).status]).toEqual([303, 303])
  for (const minutes of [50, 59.9]) {
    const refused = await send('C', minutes)
    expect([refused.status, refused.text.includes('C may be claimed for later.')]).toEqual([429, true])
  }
  expect([(await send('D', 61)).status, (await send('E', 62)).status]).toEqual([303, 429])
  // Nor is it tried without end: ten times as many, and what is refused counts, too.
  expect((await send('', 600)).status).toBe(422)
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update ninefold.attempt set failures = 19 where key like 'form % refused:%'`),
  )
  const tried = []
  for (let at = 0; at < 4; at++) tried.push((await send('', 600)).status)
  expect(tried).toEqual([422, 422, 422, 429])
  const thanks = (await visitor.get('/short?sent=1')).text
  expect([thanks.includes('Thank you.'), thanks.includes('It has arrived')]).toEqual([true, false])
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
  expect(text).toMatch(/<input(?=[^>]*tabindex="-1")(?=[^>]*autocomplete="new-password")[^>]*name="_blank"/i)
})
