/** A form that is confirmed by mail: it becomes a record when its link was followed. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import { tidyFiles } from '../run/read/files.ts'
import { readSound } from '../run/testing.ts'
import { folderFiles } from '../store/files.ts'
import { png } from './fixtures/contents.ts'
import { ForgetfulBrowser, fieldsOf, multipart, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let visitor: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/shop.md')), {
    trustedProxies: 1,
  })
})
beforeEach(async () => {
  await web.run.runtime.store.inTransaction(async tx => {
    for (const table of ['public.claim', 'ninefold.attempt', 'ninefold.outbox', 'ninefold.unconfirmed'])
      await tx.write(raw(`delete from ${table}`))
  })
  visitor = await web.browser(null)
})
afterAll(() => web?.stop())

const mails = () =>
  web.run.runtime.store.query<{ to: string; subject: string; text: string }>(sql`
    select payload -> 'to' ->> 'address' as to, payload ->> 'subject' as subject, payload ->> 'text' as text
    from ninefold.outbox where name = 'confirm_form' order by id`)

const claims = () => web.run.runtime.store.query(sql`select plate, amount, bill from public.claim order by id`)

const waiting = () => web.run.runtime.store.query(sql`select * from ninefold.unconfirmed`)

/** The address in the newest mail. */
const mailed = async (): Promise<string> => /\/-\/confirm\?\S+/.exec((await mails()).at(-1)!.text)![0]

async function claim(browser: TestBrowser, fields: Record<string, string>, headers: Record<string, string> = {}) {
  await web.run.runtime.store.query(sql`delete from ninefold.attempt`)
  const { text } = await browser.get('/claim', headers)
  return browser.post('/claim', { ...fieldsOf(text, '/claim'), ...fields }, headers)
}

const ada = { plate: 'AB 1', amount: '12.50', email: 'Ada@example.org' }
const confirm = async (browser: TestBrowser, link: string) => browser.submit(link, '/-/confirm')

test('becomes a record when the link was followed, once, in whichever browser', async () => {
  const { text } = await visitor.get('/claim')
  const parts = [...Object.entries({ ...fieldsOf(text, '/claim'), ...ada }), ['bill', png, 'bill.png'] as const]
  const twice = [1, 2].map(() => visitor.request('POST', '/claim', multipart(parts)))
  for (const sent of await Promise.all(twice))
    expect([sent.status, sent.location]).toEqual([303, '/claim?sent=confirm'])
  expect((await visitor.get('/claim?sent=confirm')).text).toContain('look into your mailbox')
  const [mail, ...more] = await mails()
  expect([mail!.to, mail!.subject, more]).toEqual(['ada@example.org', 'Claim damages: please confirm', []])
  expect(mail!.text).not.toContain('AB 1')
  const link = await mailed()
  expect(JSON.stringify(await waiting())).not.toContain(link.slice(-43))
  // Programs that look at mails.
  const phone = await web.browser(null)
  for (const method of ['GET', 'GET', 'HEAD']) expect((await phone.request(method, link)).status).toBe(200)
  expect(await claims()).toEqual([])
  const later = new Date(web.run.now.getTime() + 23.9 * 3_600_000)
  const files = folderFiles(web.folder)
  await web.run.runtime.store.query(sql`update ninefold.file set at = at - interval '2 hours'`)
  await tidyFiles(web.run.runtime, files, later)
  const asked = fieldsOf((await phone.get(link)).text, '/-/confirm')
  const done = await phone.post('/-/confirm', asked)
  // Pressed twice, it says the same.
  expect((await phone.post('/-/confirm', asked)).location).toBe(done.location)
  expect([done.status, done.location]).toEqual([303, '/claim?sent=1'])
  expect(await claims()).toEqual([{ plate: 'AB 1', amount: '12.50', bill: expect.stringMatching(/ bill\.png$/) }])
  expect(await waiting()).toEqual([])
  const again = await phone.get(link)
  expect([again.status, again.text.includes('This link does not work any more')]).toEqual([404, true])
  expect((await phone.send('/-/confirm', { token: link.slice(-43) })).status).toBe(404)
  expect(await claims()).toHaveLength(1)
})

test('needs no cookies, neither to send it nor to confirm it', async () => {
  const browser = new ForgetfulBrowser(web.url)
  expect((await claim(browser, ada)).location).toMatch(/^\/claim\?sent=confirm/)
  expect(await claims()).toEqual([])
  expect((await confirm(browser, await mailed())).location).toMatch(/^\/claim\?sent=1/)
  expect(await claims()).toMatchObject([{ plate: 'AB 1' }])
})

test('becomes one record where two follow the link at once', async () => {
  await claim(visitor, ada)
  const link = await mailed()
  const phones = await Promise.all([1, 2, 3, 4].map(() => web.browser(null)))
  const asked = await Promise.all(phones.map(async phone => fieldsOf((await phone.get(link)).text, '/-/confirm')))
  const done = await Promise.all(phones.map((phone, at) => phone.post('/-/confirm', asked[at]!)))
  expect(done.map(({ status }) => status).toSorted()).toEqual([303, 404, 404, 404])
  expect(await claims()).toHaveLength(1)
})

test('is judged before anything is kept or mailed', async () => {
  const { text } = await visitor.get('/claim')
  expect(text).not.toContain('An insurer pays')
  expect((await claim(visitor, { ...ada, amount: '101' })).text).toContain('An insurer pays 101, less [].')
  const refused = await claim(visitor, { ...ada, amount: '0' })
  expect([refused.status, refused.text.includes('There is a problem')]).toEqual([422, true])
  expect((await claim(visitor, { ...ada, email: 'nobody' })).status).toBe(422)
  expect([await mails(), await waiting()]).toEqual([[], []])
  expect((await claim(visitor, { plate: 'NO MAIL' })).location).toBe('/claim?sent=1')
  expect(await claims()).toHaveLength(1)
})

test('says what fits no longer, loses nothing, and need not be confirmed once more', async () => {
  await claim(visitor, ada)
  const first = await mailed()
  await claim(visitor, { ...ada, amount: '7' })
  const second = await mailed()
  await confirm(visitor, first)
  const refused = await confirm(visitor, second)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('It cannot be taken any more as you sent it.')
  const fields = fieldsOf(refused.text, '/claim')
  expect([fields.plate, fields.amount, fields.email]).toEqual(['AB 1', '7', 'Ada@example.org'])
  expect(await waiting()).toHaveLength(1)
  // Another address proves nothing.
  const other = await visitor.post('/claim', { ...fields, plate: 'AB 2', email: 'eve@example.org' })
  expect([other.location, (await mails()).length]).toEqual(['/claim?sent=confirm', 3])
  const put = await visitor.post('/claim', { ...fields, _once: 'another-time', plate: 'AB 2' })
  expect([put.location, (await mails()).length]).toEqual(['/claim?sent=1', 3])
  expect(await claims()).toMatchObject([{ plate: 'AB 1' }, { plate: 'AB 2', amount: '7.00' }])
})

test('is not made in the name of whoever follows the link, and what is refused is not tried without end', async () => {
  await claim(visitor, ada)
  const [name] = Object.keys(web.run.people)
  const clerk = await web.browser(name!)
  expect((await confirm(clerk, await mailed())).location).toBe('/claim?sent=1')
  const made = await web.run.runtime.store.query(sql`select created_by from public.claim`)
  expect(made).toEqual([{ created_by: null }])
  await claim(visitor, { ...ada, plate: 'AB 2' })
  await web.run.runtime.store.query(sql`update public.claim set plate = 'AB 2'`)
  const fields = fieldsOf((await confirm(visitor, await mailed())).text, '/claim')
  const tried = []
  for (let at = 0; at < 10; at++) tried.push((await visitor.post('/claim', fields)).status)
  expect(tried).toEqual([...Array(9).fill(422), 429])
})

test('five wait at an address, nobody is told, and after a day they are gone', async () => {
  const spelt = ['ada@example.org', ' ADA@Example.org ', 'Ada@EXAMPLE.ORG']
  for (let at = 1; at <= 7; at++)
    expect((await claim(visitor, { ...ada, email: spelt[at % 3]!, plate: `P${at}` })).location).toBe(
      '/claim?sent=confirm',
    )
  expect([(await mails()).length, (await waiting()).length]).toEqual([5, 5])
  const link = await mailed()
  web.run.now = new Date(web.run.now.getTime() + 24 * 3_600_000)
  expect((await confirm(visitor, link).catch(() => visitor.get(link))).status).toBe(404)
  expect((await visitor.send('/-/confirm', { token: link.slice(-43) })).status).toBe(404)
  await claim(visitor, { ...ada, plate: 'P8' })
  expect([(await waiting()).length, await claims()]).toEqual([1, []])
})

test('speaks the language of whoever filled it in', async () => {
  await claim(visitor, { ...ada, amount: '1,50' }, { 'accept-language': 'de' })
  expect((await mails())[0]!.subject).toBe('Claim damages: bitte bestätigen')
  expect((await visitor.get(await mailed())).text).toContain('Haben Sie das gesendet?')
  await confirm(visitor, await mailed())
  expect(await claims()).toMatchObject([{ amount: '1.50' }])
})
