/** The page of what was not delivered: for those who look after it, and for nobody else. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { input, loanDesk, made, readSound, testId } from '../run/testing.ts'
import { startTestWeb, type TestWeb } from './testing.ts'

let web: TestWeb
let loan: string
beforeAll(async () => {
  web = await startTestWeb(
    inject('databaseUrl'),
    readSound(loanDesk, text =>
      text
        .replace('| new_request | everyone in Clerk |', '| new_request | approved_by |')
        .replace('### C-2 Tell', '- **Send again:** Manager\n\n### C-2 Tell')
        .replace(
          /(?=## 7 )/,
          '### Person\n\n| Role | See | Create | Change | Delete |\n| --- | --- | --- | --- | --- |\n| Manager | yes | no | no | no |\n\n',
        ),
    ),
    { variable: () => undefined },
  )
  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const values = input({ out_on: '2026-03-02', due_back: '2026-03-09' }, { lines: [{ item: item!.id }] })
  loan = await made(web.run, 'Ben', 'loan', values)
})
afterAll(() => web?.stop())
beforeEach(async () => {
  const { store } = web.run.runtime
  await store.query(sql`delete from ninefold.outbox`)
  for (const nth of [1, 2])
    await store.query(sql`
      insert into ninefold.outbox (id, kind, name, entity, record, payload, repeat_key, state, due_at, attempts, last_status, last_error,
        last_answer, finished_at, created_at, request, document, because)
      values (${testId()}::uuid, 'call', 'C-2', 'loan', ${loan}::uuid, '{"url":["http://127.0.0.1/"],"body":{}}', ${`k${nth}`}, 'failed',
        now(), 3, 409, 'answered 409', '<script>alert(1)</script>', now(), now(), 'r', 'd', 'loan-desk.md:161')`)
})

const state = async () =>
  (await web.run.runtime.store.query<{ state: string }>(sql`select state from ninefold.outbox order by id`)).map(
    row => row.state,
  )

test('whoever looks after it sees what was refused, by whom and why, and sends one or all again', async () => {
  const mia = await web.browser('Mia')
  expect((await mia.get('/-/account')).text).toContain('href="/-/unsent"')
  await web.run.runtime.store.query(sql`
    insert into ninefold.timer (entity, record, timer, due_at, attempts, last_error)
    values ('loan', ${loan}::uuid, 'remind', now() - interval '1 hour', 3, 'It is too early.')`)
  web.statements.length = 0
  const page = await mia.get('/-/unsent')
  expect(page.text).toMatch(/Timers that are late.*remind.*Tried 3 times: It is too early\./s)
  expect(page.status).toBe(200)
  expect(web.statements.length).toBeLessThanOrEqual(4)
  expect(page.text).toContain('Call C-2 Tell the asset register')
  expect(page.text).toContain('Send all 2 again')
  expect(page.text).toMatch(/Not in the environment: .*ASSETS_/)
  expect(page.text).toContain('loan-desk.md:161')
  expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page.text).not.toContain('<script>alert')
  const id = /name="id" value="([^"]+)"/.exec(page.text)![1]!
  // What no database takes is nobody's failure.
  for (const name of ['id', 'name', 'resume'])
    expect((await mia.send('/-/unsent', { kind: 'call', [name]: 'C-2\0' })).status).toBeLessThan(500)
  expect((await mia.send('/-/unsent', { id })).location).toBe('/-/unsent')
  expect((await state()).sort()).toEqual(['failed', 'waiting'])
  expect((await mia.get('/-/unsent')).text).toContain('It will be sent again now.')
  await mia.send('/-/unsent', { kind: 'call', name: 'C-2' })
  expect(await state()).toEqual(['waiting', 'waiting'])
  expect((await mia.get('/-/unsent')).text).not.toContain('Call C-2')
})

test('what an answer reported stands there with its status and its code', async () => {
  await web.run.runtime.store.query(
    sql`update ninefold.outbox set reported = 'E-REG-1', last_error = 'It is not known. Tell the manager.' where repeat_key = 'k1'`,
  )
  const { text } = await (await web.browser('Mia')).get('/-/unsent')
  expect(text).toMatch(/409 It is not known\. Tell the manager\.<small[^>]*> <!-- -->502, E-REG-1<\/small>/)
  expect(text).toMatch(/409 answered 409<small[^>]*> <!-- -->&lt;script/)
})

test('a call that pauses is tried now by whoever looks after it, and by nobody else', async () => {
  const { store } = web.run.runtime
  await store.query(
    sql`insert into ninefold.breaker (call, failures, opened, open_until, failed_at) values ('C-2', 5, 3, now() + interval '1 day', now())`,
  )
  const paused = async () =>
    (await store.query(sql`select from ninefold.breaker where open_until > ${web.run.now.toISOString()}::timestamptz`))
      .length
  const mia = await web.browser('Mia')
  expect((await mia.get('/-/unsent')).text).toMatch(
    /C-2 Tell the asset register pauses: it failed 5 times in a row.*Try now/s,
  )
  const ben = await web.browser('Ben')
  expect((await ben.send('/-/unsent', { resume: 'C-2' })).status).toBe(404)
  expect(await paused()).toBe(1)
  expect((await mia.send('/-/unsent', { resume: 'C-2' })).location).toBe('/-/unsent')
  expect(await paused()).toBe(0)
  const page = (await mia.get('/-/unsent')).text
  expect(page).toContain('It is being tried again.')
  await store.query(sql`delete from ninefold.breaker`)
})

test('what waits, since when, and what was given up is told on one page, to the same people', async () => {
  const { store, app } = web.run.runtime
  await store.query(
    sql`update ninefold.outbox set state = 'waiting', created_at = ${web.run.now.toISOString()}::timestamptz - interval '2 hours' where repeat_key = 'k1'`,
  )
  await store.query(
    sql`insert into ninefold.breaker (call, failures, opened, open_until, failed_at) values ('C-2', 5, 3, now() + interval '1 day', now())`,
  )
  const mia = await web.browser('Mia')
  expect((await mia.get('/-/account')).text).toContain('href="/-/operation"')
  web.statements.length = 0
  const { status, text } = await mia.get('/-/operation')
  expect([status, web.statements.length <= 4]).toEqual([200, true])
  expect(text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')).toContain(
    'Call C-2 Tell the asset register pauses 1 2 hours 1',
  )
  expect(text).toContain(app.version)
  const german = await mia.get('/-/operation', { 'accept-language': 'de' })
  expect(german.status).toBe(200)
  expect((await (await web.browser('Ben')).get('/-/operation')).status).toBe(404)
  await store.query(sql`delete from ninefold.breaker`)
})

test('what a call sent stands there under the document that sent it, as text', async () => {
  const { app, store } = web.run.runtime
  const mia = await web.browser('Mia')
  expect((await mia.get('/-/unsent')).text).toContain('because the document has changed since')
  const sent = { url: [{ setting: 'assets_url' }, '/returns'], body: { loan: '<b>LN</b>', gone: 'a name of before' } }
  await store.query(sql`update ninefold.outbox set document = ${app.version}, payload = ${JSON.stringify(sent)}::jsonb`)
  web.statements.length = 0
  const { text } = await mia.get('/-/unsent')
  expect(web.statements.length).toBeLessThanOrEqual(4)
  expect(text).toContain('POST {ASSETS_URL}/returns\nIdempotency-Key: k1')
  expect(text).toContain('&lt;b&gt;LN&lt;/b&gt;')
  expect(text).not.toContain('a name of before')
  expect(text).not.toContain('document has changed since')
})

test('a mail about somebody is named by them, whose record may have no page', async () => {
  const { store } = web.run.runtime
  await store.query(sql`update ninefold.outbox set kind = 'mail', name = 'invitation', entity = 'person',
    record = (select id from person where name = 'Ben'), payload = '{"to":{"name":"Ben","address":"Ben@example.com"}}'`)
  const shown = async () => (await (await web.browser('Mia')).get('/-/unsent')).text
  expect(await shown()).toContain('<th role="rowheader" scope="row">Ben<')
  expect(await shown()).toContain('to Ben@example.com')
  // An address that is nobody's, or stands nowhere where she may see it, is not shown.
  await store.query(sql`update ninefold.outbox set payload = '{"to":{"name":"Ben","address":"before@example.com"}}'`)
  expect(await shown()).not.toContain('before@example.com')
})

test.each(['Ben', 'Cleo'])('%s finds no such page, and sends nothing', async name => {
  const browser = await web.browser(name)
  expect((await browser.get('/-/account')).text).not.toContain('/-/unsent')
  expect((await browser.get('/-/unsent')).status).toBe(404)
  expect((await browser.send('/-/unsent', { kind: 'call', name: 'C-2' })).status).toBe(404)
  expect(await state()).toEqual(['failed', 'failed'])
})

test('a visitor is asked to sign in', async () => {
  expect((await (await web.browser(null)).get('/-/unsent')).location).toMatch(/^\/-\/sign-in/)
})

test('what names no row changes nothing', async () => {
  const mia = await web.browser('Mia')
  for (const fields of [{ id: 'x' }, { id: testId() }, { kind: 'report', name: 'C-2' }, {}])
    expect((await mia.send('/-/unsent', fields)).status).toBe(303)
  expect(await state()).toEqual(['failed', 'failed'])
})

test('a mail that had nobody to go to is told with its line, in the timeline and here, and is not sent again', async () => {
  const { store } = web.run.runtime
  await store.query(sql`delete from ninefold.outbox`)
  const ben = await web.browser('Ben')
  expect((await ben.json('POST', `/api/v1/loan/${loan}/submit`)).status).toBe(200)
  expect(await store.query(sql`select state, name, attempts from ninefold.outbox`)).toEqual([
    { state: 'unaddressed', name: 'new_request', attempts: '0' },
  ])
  const { number } = JSON.parse((await ben.get(`/api/v1/loan/${loan}`)).text)
  expect((await ben.get(`/loans/${number}`)).text).toMatch(
    /could not send the mail “new_request”[\s\S]{0,80}there was nobody to send it to/,
  )
  const mia = await web.browser('Mia')
  web.statements.length = 0
  const { text } = await mia.get('/-/unsent')
  expect(text).toMatch(/Mail new_request[\s\S]*loan-desk\.md:\d+[\s\S]*there was nobody to send it to/)
  expect(text).not.toMatch(/Send .*again/)
  await mia.send('/-/unsent', { kind: 'mail', name: 'new_request' })
  expect(await state()).toEqual(['unaddressed'])
  await store.query(sql`update ninefold.outbox set finished_at = finished_at - interval '40 days'`)
  expect((await mia.get('/-/unsent')).text).not.toContain('new_request')
})
