/** One record for somebody without an account, by a link or by its number and a code: what it opens, what it never does, and its end. */

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw } from '../expression/sql.ts'
import { appOf } from '../kinds/testing.ts'
import { work } from '../run/later/work.ts'
import { caseSessions } from '../run/people/case-links.ts'
import { testId } from '../run/testing.ts'
import { wayIn } from './routes/case.tsx'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const app = appOf(`# Town

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /report | Report a defect | everyone | form for Report |
| /reports | Reports | Clerk | list of Report |
| /reports/{number} | Report | Clerk | one Report |
| /my/{number} | Your report | Sender | one Report |
| /my/{number}/more | Add something | Sender | form for Report |
| /cases | Cases | Clerk | list of Case |

### Report a defect

- **Columns:** what, email, papers.name

### Add something

- **Columns:** papers.name

## 3 Entities and their fields

### Report

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number RP-{0000} | |
| what | text 200 | required |
| email | e-mail | |
| remark | text 80 | |
| case | Case | |
| papers | list of Paper | |

### Paper (part of Report)

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| checked | yes/no | default no |

### Case

| Field | Type | Rules |
| --- | --- | --- |
| title | text 40 | required; unique |
| cost | integer | |

## 4 States and transitions

### Report

| State | Kind |
| --- | --- |
| New | start |
| Seen | |
| Withdrawn | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| look | New | Seen | Clerk | send mail seen |
| withdraw | New, Seen | Withdrawn | Sender, Clerk | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Anyone | everyone |
| Clerk | everyone signed in |
| Sender | link of Report |

### Report

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Anyone | no | yes | no | no | none |
| Clerk | yes | yes | yes | yes | all |
| Sender | yes | no | state != Withdrawn | no | withdraw |

| Field | See | Change |
| --- | --- | --- |
| remark | Clerk | Clerk |
| what | all | Anyone, Clerk |

### Case

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Clerk | yes | yes | yes |
| Sender | yes | no | no |

| Field | See | Change |
| --- | --- | --- |
| cost | Clerk | Clerk |

## 7 Calls to other systems

### Mails

| Mail | To | Subject | Body |
| --- | --- | --- | --- |
| seen | email | We look at {number} | Follow it: {link} |
`)

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app)
})
beforeEach(async () => {
  await web.run.runtime.store.inTransaction(async tx => {
    for (const table of [
      'public.report',
      'ninefold.attempt',
      'ninefold.case_link',
      'ninefold.outbox',
      'ninefold.mailbox',
    ])
      await tx.write(raw(`delete from ${table}`))
  })
})
afterAll(() => web?.stop())

const rows = <Row extends object>(text: string) => web.run.runtime.store.query<Row>(raw(text))

/** A visitor's browser with what the page said that its report had arrived on. */
async function report(what: string) {
  const visitor = await web.browser(null)
  const page = await visitor.get('/report')
  const sent = await visitor.post('/report', { ...fieldsOf(page.text, '/report'), what, email: 'ada@example.org' })
  const [, number = ''] =
    /name="number"[^>]*value="([^"]*)"/.exec(sent.text) ?? /value="(RP-[^"]*)"/.exec(sent.text) ?? []
  const [, code = ''] = /value="((?:[0-9A-Z]{4}-){6}[0-9A-Z]{2})"/.exec(sent.text) ?? []
  const [, link = ''] = /href="[^"]*(\/-\/case\?token=[\w-]{43})"/.exec(sent.text) ?? []
  return { visitor, sent, number, code, link }
}

async function byCode(visitor: TestBrowser, number: string, code: string) {
  const { text } = await visitor.get('/-/case')
  return visitor.post('/-/case', { ...fieldsOf(text, '/-/case'), number, code })
}

test('who sent a form comes back to it by the link that is shown once, and does there what the document lets', async () => {
  const { sent, number, link } = await report('A hole')
  expect([sent.status, number, link.length > 0]).toEqual([200, 'RP-0001', true])
  // In a frame for visitors, with what happens next, as far as they will see it.
  expect(sent.text).toMatch(/What happens next<\/h2><ol[^>]*><li aria-current="step">New<\/li><li>Seen<\/li>/)
  expect(sent.text).not.toContain('class="side"')
  await report('Another hole')
  await rows(
    `insert into public."case" (id, title, cost, created_at, changed_at) values ('00000000-0000-7000-8000-00000000ca5e', 'Bridge Street', 77123, now(), now())`,
  )
  await rows(`update public.report set "case" = '00000000-0000-7000-8000-00000000ca5e' where number = 'RP-0001'`)

  const later = await web.browser(null)
  expect((await later.get('/my/RP-0001')).location).toBe('/-/case')
  const opened = await later.get(link)
  expect([opened.status, opened.location, opened.headers.get('referrer-policy')]).toEqual([
    303,
    '/my/RP-0001',
    'no-referrer',
  ])
  const own = await later.get('/my/RP-0001')
  expect(own.status).toBe(200)
  expect([/A hole/, /Bridge Street/, /77123/, /remark/i, /token/].map(part => part.test(own.text))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])

  expect((await later.get('/-/case')).text).toContain('href="/my/RP-0001"')

  // Of this record alone, and nothing of what those who work here have.
  expect((await later.get('/my/RP-0002')).status).toBe(404)
  for (const path of ['/reports/RP-0001', '/reports', '/cases', '/-/search?q=hole'])
    expect([path, (await later.get(path)).status]).toEqual([path, 303])
  expect((await later.get('/api/v1/report')).status).toBe(401)
  expect(
    (await later.post('/reports/RP-0002/do/withdraw', { ...fieldsOf(own.text, '/my/RP-0001/do/withdraw') })).status,
  ).toBe(404)

  const add = async (more: Record<string, string>) => {
    const form = await later.get('/my/RP-0001/more')
    const typed = { ...fieldsOf(form.text, '/my/RP-0001/more'), 'papers.0.name': 'A plan', ...more }
    return later.post('/my/RP-0001/more', typed)
  }
  expect((await add({ what: 'Not theirs to change' })).status).toBe(403)
  expect((await add({ remark: 'Nor this' })).status).toBe(422)
  expect((await add({})).location).toBe('/my/RP-0001')
  expect(
    await rows(
      "select what, remark, (select string_agg(name, ',') from public.paper) as papers from public.report where number = 'RP-0001'",
    ),
  ).toEqual([{ what: 'A hole', remark: null, papers: 'A plan' }])

  const page = await later.get('/my/RP-0001')
  const withdraw = '/my/RP-0001/do/withdraw'
  expect(page.text).toContain('href="/my/RP-0001/edit"')
  expect((await later.get('/my/RP-0001/edit')).status).toBe(200)
  expect(fieldsOf(page.text, withdraw)).toMatchObject({ _next: '/my/RP-0001' })
  const asked = await later.get(withdraw)
  const done = await later.post(withdraw, fieldsOf(asked.text, withdraw))
  expect([done.status, done.location]).toEqual([303, '/my/RP-0001'])
  expect(await rows('select number, state from public.report order by number')).toEqual([
    { number: 'RP-0001', state: 'Withdrawn' },
    { number: 'RP-0002', state: 'New' },
  ])
  const clerk = await web.browser('Cleo')
  expect((await clerk.get('/reports/RP-0001')).text).toContain('Somebody with the link')
  expect(JSON.stringify(web.log)).not.toContain(link.slice(-43))
})

test('a link that is followed over and over leaves so many sessions and no more; a browser has one', async () => {
  const { number, link } = await report('A hole')
  const { link: other, number: another } = await report('Another hole')
  const sessions = async () =>
    (
      await rows<{ entity: string; n: string }>(
        `select record::text as entity, count(*) as n from ninefold.case_link where way = 'session' group by 1 order by 2`,
      )
    ).map(({ n }) => Number(n))
  const one = await web.browser(null)
  for (let at = 0; at < 3; at++) await one.get(link)
  expect(await sessions()).toEqual([1])
  expect((await one.get(`/my/${number}`)).status).toBe(200)
  await one.get(other)
  expect(await sessions()).toEqual([1])

  const browsers = []
  for (let at = 0; at < caseSessions + 5; at++) {
    web.run.now = new Date(web.run.now.getTime() + 1000)
    const browser = await web.browser(null)
    await browser.get(link)
    browsers.push(browser)
  }
  // Of another record none is taken for it.
  expect(await sessions()).toEqual([1, caseSessions])
  const opens = await Promise.all(browsers.map(async browser => (await browser.get(`/my/${number}`)).status))
  expect(opens.indexOf(200)).toBe(5)
  expect((await one.get(`/my/${another}`)).status).toBe(200)
  // Whoever opened it first opens it again.
  await browsers[0]!.get(link)
  expect((await browsers[0]!.get(`/my/${number}`)).status).toBe(200)
  // What is over goes with the next opening.
  web.run.now = new Date(web.run.now.getTime() + 3 * 3_600_000)
  await one.get(link)
  expect((await sessions()).at(-1)).toBe(1)
})

test('what is sent when the two hours are over waits until it is opened again, by its code or its link', async () => {
  const { number, code, link } = await report('A hole')
  const other = await report('Another hole')
  const browser = await web.browser(null)
  const later = () => {
    web.run.now = new Date(web.run.now.getTime() + 121 * 60_000)
  }
  await browser.get(link)
  const more = `/my/${number}/more`
  const typed = { ...fieldsOf((await browser.get(more)).text, more), 'papers.0.name': 'A plan' }
  const withdraw = `/my/${number}/do/withdraw`
  const withdrawing = fieldsOf((await browser.get(`/my/${number}`)).text, withdraw)
  later()
  const late = await browser.post(more, typed)
  expect([late.status, late.location]).toEqual([303, '/-/case'])
  const asks = (await browser.get('/-/case')).text
  expect(asks).toContain('What you typed is kept for half an hour')
  expect(fieldsOf(asks, '/-/case')).toMatchObject({ number, of: 'report' })
  expect((await byCode(browser, number, 'wrong')).status).toBe(403)
  const back = await byCode(browser, number, code)
  expect(back.location).toMatch(new RegExp(`^${more}\\?kept=[\\w-]{43}$`))
  const again = await browser.get(back.location!)
  expect(again.text).toContain('Your session had ended. What you typed is here again')
  const sent = fieldsOf(again.text, more)
  expect(sent['papers.0.name']).toBe('A plan')
  expect(await rows('select name from public.paper')).toEqual([])
  expect((await browser.post(more, sent)).location).toBe(`/my/${number}`)
  expect(await rows('select name from public.paper')).toEqual([{ name: 'A plan' }])

  later()
  expect((await browser.post(withdraw, withdrawing)).location).toBe('/-/case')
  // The link of another one leads there, and to nothing of this one.
  expect((await browser.get(other.link)).location).toBe(`/my/${other.number}`)
  expect((await browser.get('/-/case')).text).not.toContain('What you typed is kept')
  later()
  await browser.post(withdraw, withdrawing)
  const asked = await browser.get((await browser.get(link)).location!)
  expect(asked.text).toContain('Your session had ended')
  expect((await browser.post(withdraw, fieldsOf(asked.text, withdraw))).status).toBe(303)
  expect(await rows('select state from public.report order by number')).toEqual([
    { state: 'Withdrawn' },
    { state: 'New' },
  ])
  // Whoever was never shown it by a link is asked to sign in.
  const stranger = await web.browser(null)
  expect((await stranger.post(withdraw, withdrawing)).location).toMatch(/^\/-\/sign-in\?/)
})

test('visitors fill in those fields of a row that the form names, and are shown no others', async () => {
  const visitor = await web.browser(null)
  const page = await visitor.get('/report')
  const typed = { ...fieldsOf(page.text, '/report'), what: 'A hole', 'papers.0.name': 'A plan' }
  const shown = await visitor.post('/report', { ...typed, _add: 'papers' })
  expect([/papers\.0\.name/, /checked/].map(part => part.test(shown.text))).toEqual([true, false])
  await visitor.post('/report', { ...typed, 'papers.0.checked': 'yes' })
  expect(await rows('select name, checked from public.paper')).toEqual([{ name: 'A plan', checked: false }])
})

test('a number and a code open it; wrong ones, and numbers that are none, are answered alike and close it for a while', async () => {
  const { number, code } = await report('A hole')
  const visitor = await web.browser(null)
  const wrong = await byCode(visitor, number, '0000-0000-0000')
  const none = await byCode(visitor, 'RP-9999', code)
  const said = (text: string) => /role="alert".*?<\/div>/s.exec(text)?.[0].replace(/_r_\w+|:r\w+:/g, '')
  expect([
    wrong.status,
    none.status,
    said(wrong.text) === said(none.text),
    said(wrong.text)?.includes('do not fit'),
  ]).toEqual([403, 403, true, true])
  expect((await byCode(visitor, number, code.toLowerCase().replaceAll('-', ' '))).location).toBe(`/my/${number}`)

  for (let at = 0; at < 5; at++) await byCode(await web.browser(null), number, 'wrong')
  const closed = await byCode(await web.browser(null), number, code)
  expect([closed.status, said(closed.text) === said(wrong.text)]).toEqual([403, true])
  web.run.now = new Date(web.run.now.getTime() + 31 * 60_000)
  expect((await byCode(await web.browser(null), number, code)).location).toBe(`/my/${number}`)
})

test('a mail carries a link that is kept as a hash alone; who may change the record ends them all', async () => {
  const { number, link } = await report('A hole')
  const clerk = await web.browser('Cleo')
  const page = await clerk.get(`/reports/${number}`)
  expect(page.text, 'above a record is their list, not the form for everyone').toMatch(
    /href="\/reports">Reports<\/a>.*<h1/s,
  )
  expect(page.text).not.toMatch(/class="crumbs".*href="\/report">.*<h1/s)
  await clerk.post(`/reports/${number}/do/look`, fieldsOf(page.text, `/reports/${number}/do/look`))
  await work(web.run.runtime, {
    now: () => web.run.now,
    newId: testId,
    random: () => 0,
    variable: () => undefined,
    smtp: null,
    from: 'desk@example.org',
    locale: 'en',
    worker: 'w1',
    signal: new AbortController().signal,
    way: () => wayIn(web.url, randomBytes),
  })
  const [mail] = await rows<{ body: string }>('select body from ninefold.mailbox')
  const mailed = /\/-\/case\?token=[\w-]{43}$/.exec(mail!.body)![0]
  expect(JSON.stringify(await rows('select payload from ninefold.outbox'))).not.toContain(mailed.slice(-43))
  const visitor = await web.browser(null)
  expect((await visitor.get(mailed)).location).toBe(`/my/${number}`)
  expect((await visitor.get(`/my/${number}`)).text).not.toContain(mailed.slice(-43))

  const [{ id }] = (await rows<{ id: string }>('select id from public.report')) as [{ id: string }]
  const ask = await clerk.get(`/-/case/end?entity=report&id=${id}`)
  await clerk.post('/-/case/end', fieldsOf(ask.text, '/-/case/end'))
  for (const gone of [mailed, link]) expect((await (await web.browser(null)).get(gone)).status).toBe(404)
  expect((await visitor.get(`/my/${number}`)).location).toBe('/-/case')
})

test('a page that ends the links of one record ends none of another that was opened since', async () => {
  const [one, two] = [await report('A hole'), await report('Another hole')]
  const visitor = await web.browser(null)
  await visitor.get(one.link)
  const { text } = await visitor.get('/-/case')
  const end = /name="end" value="([^"]+)"/.exec(text)![1]!
  const ends = async () => visitor.post('/-/case/close', { ...fieldsOf(text, '/-/case/close'), end })
  await visitor.get(two.link)
  expect((await ends()).location).toBe('/-/case')
  expect((await visitor.get(`/my/${two.number}`)).status).toBe(200)
  await visitor.get(one.link)
  await ends()
  expect([(await visitor.get(one.link)).status, (await visitor.get(two.link)).status]).toEqual([404, 303])
})
