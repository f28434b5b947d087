/** Seeing the application as a role, and acting as another person: never with more rights, never in silence, and over in time. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

let web: TestWeb
let strict: App
const start = new Date('2026-03-02T09:00:00.000Z')
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
const id = (name: string) => web.run.people[name]!

beforeAll(async () => {
  const asking = (text: string) =>
    text
      .replace('| /reports |', '| /ask | Ask | everyone signed in | wizard for Loan |\n| /reports |')
      .replace('## 3 ', '### Ask\n\n#### Until when?\n\n- **Columns:** due_back, lines\n\n## 3 ')
  const app = readSound(loanDesk, text => asking(text.replace(/(## 6 .*\n)/, '$1\n- **Act as others:** Manager\n')))
  strict = readSound(loanDesk, asking)
  web = await startTestWeb(inject('databaseUrl'), app)
})
beforeEach(async () => {
  web.run.now = start
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from ninefold.acting`))
})
afterAll(() => web?.stop())

const acted = () => web.run.runtime.store.query(sql`select by, person, reason, ended_at from ninefold.acting`)
/** A token of a page that is open to whoever acts. */
async function post(browser: TestBrowser, path: string, fields: Readonly<Record<string, string>>) {
  const csrf = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/loans/new')).text)?.[1] ?? ''
  return browser.post(path, { ...fields, _csrf: csrf })
}
/** It has ended by itself: the next page says so, and is one's own. */
async function oneself(browser: TestBrowser, why: string): Promise<void> {
  const led = await browser.get('/loans?q=x')
  expect([led.status, led.location]).toEqual([303, '/loans?q=x'])
  const page = (await browser.get('/-/account')).text
  expect(page).toContain('Mia,')
  expect(page).toContain(`no longer Ben: ${why}`)
  expect((await browser.get('/-/account')).text).not.toContain('no longer Ben')
}
async function actingAs(name: string): Promise<TestBrowser> {
  const mia = await web.browser('Mia')
  const begun = await mia.send('/-/act', { do: 'act', person: id(name), reason: 'Ben cannot find his loan' })
  expect([begun.status, begun.location]).toEqual([303, '/'])
  return mia
}

test('nobody acts as others whom the document does not let, nor without a reason, nor as one with more rights', async () => {
  for (const name of ['Ben', 'Cleo']) {
    const browser = await web.browser(name)
    expect([(await browser.get('/-/act')).status, (await browser.get('/loans')).text.includes('/-/act"')]).toEqual([
      404,
      false,
    ])
    for (const fields of [
      { do: 'act', person: id('Dan'), reason: 'x' },
      { do: 'preview', role: 'Manager' },
    ])
      expect((await browser.send('/-/act', fields)).status).toBe(404)
  }
  const mia = await web.browser('Mia')
  for (const fields of [
    { person: id('Ben'), reason: '' },
    { person: id('Ben'), reason: ' ' },
    { person: id('Mia'), reason: 'myself' },
    { person: '', reason: 'nobody' },
    { person: '00000000-0000-7000-8000-000000000000', reason: 'nobody' },
  ])
    expect([fields, (await mia.send('/-/act', { do: 'act', ...fields })).status]).toEqual([fields, 422])
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(
      sql`insert into ninefold.appointment (person, role, by, at) values (${id('Dan')}::uuid, 'Manager', ${id('Mia')}::uuid, ${start})`,
    ),
  )
  expect((await mia.send('/-/act', { do: 'act', person: id('Dan'), reason: 'a peer' })).status).toBe(422)
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`delete from ninefold.appointment where person = ${id('Dan')}::uuid and role = 'Manager'`),
  )
  // Without the line in the document nobody may.
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: readSound(loanDesk) } })
  expect((await mia.send('/-/act', { do: 'act', person: id('Ben'), reason: 'x' })).status).toBe(422)
  await web.web.reload(web.served)
  expect(await acted()).toEqual([])
})

test('whoever acts as somebody sees and writes as they do, and everything says so', async () => {
  const browser = await actingAs('Ben')
  const page = await browser.get('/loans/new')
  expect(page.text).toContain('Mia acts as Ben, until')
  for (const path of [
    '/-/account',
    '/-/account/keys',
    '/-/people',
    '/-/act',
    '/-/import?entity=loan',
    '/-/notices',
    '/-/emergency',
  ])
    expect([path, (await browser.get(path)).status]).toEqual([path, 403])
  for (const path of [
    '/-/account',
    '/-/account/keys',
    '/-/people/role',
    '/-/act',
    '/-/comments',
    '/-/view',
    '/-/bulk',
    '/-/limits',
  ])
    expect([path, (await post(browser, path, {})).status]).toEqual([path, 403])
  expect((await browser.json('GET', '/api/v1/loan')).status).toBe(200)
  expect(JSON.parse((await browser.json('POST', '/api/v1/loan', {})).text).code).toBe('NF-ACTING')
  // Drafts are one's own: a form in steps lives on one, and what is sent to be kept is not saved instead.
  expect((await browser.get('/ask')).text).toContain('You cannot do this while acting as somebody else.')
  const loans = () => web.run.runtime.store.query(sql`select from public.loan`)
  const there = await loans()
  const kept = await post(browser, '/loans/new', { due_back: '2026-03-04', _keep: 'draft' })
  expect([kept.status, (await loans()).length]).toEqual([200, there.length])

  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from public.item limit 1`)
  const made = await browser.submit('/loans/new', '/loans/new', {
    due_back: '2026-03-04',
    'lines.0.item': item!.id,
    purpose: 'as Ben',
  })
  expect([made.status, made.text.slice(0, 0)]).toEqual([303, ''])
  expect((await browser.get(made.location!)).text).toContain('Mia as Ben')
  const [entry] = await web.run.runtime.store.query<{ actor: string; acted_by: string }>(
    sql`select actor, acted_by from ninefold.history where entity = 'loan' order by id desc limit 1`,
  )
  expect(entry).toEqual({ actor: id('Ben'), acted_by: id('Mia') })

  expect((await post(browser, '/-/act/stop', {})).location).toBe('/-/act')
  expect((await browser.get('/-/act')).text).toContain('Ben cannot find his loan')
  expect((await browser.get('/-/account')).text).toContain('Mia')
  const ben = await web.browser('Ben')
  expect((await ben.get('/-/account')).text).toContain('Ben cannot find his loan')
  expect((await ben.get(made.location!)).text).toContain('Mia as Ben')
  expect(await acted()).toMatchObject([{ by: id('Mia'), person: id('Ben'), ended_at: start.toISOString() }])
})

test('forms and cookies of before are worth nothing, it ends with its time, with sign-out and with the right to it', async () => {
  const { store } = web.run.runtime
  const mia = await web.browser('Mia')
  const before = mia.cookies.get('ninefold')!
  const csrf = await mia.token()
  await mia.send('/-/act', { do: 'act', person: id('Ben'), reason: 'x' })
  expect((await mia.post('/loans/new', { _csrf: csrf })).status).toBe(403)
  const old = await web.browser(null)
  old.cookies.set('ninefold', before)
  expect((await old.get('/-/account')).status).toBe(303)
  // The session is used meanwhile; the time of acting runs out all the same.
  for (const minutes of [10, 20]) {
    web.run.now = later(minutes)
    expect((await mia.get('/loans')).text).toContain('Mia acts as Ben')
  }
  web.run.now = later(30)
  await oneself(mia, 'the time is over')

  web.run.now = start
  const out = await actingAs('Ben')
  await post(out, '/-/sign-out', {})
  expect((await out.get('/-/account')).status).toBe(303)

  const manager = (person: string, has: boolean) =>
    store.inTransaction(tx =>
      tx.write(
        has
          ? sql`insert into ninefold.appointment (person, role, by, at) values (${id(person)}::uuid, 'Manager', ${id('Mia')}::uuid, ${start})`
          : sql`delete from ninefold.appointment where person = ${id(person)}::uuid and role = 'Manager'`,
      ),
    )
  const risen = await actingAs('Ben')
  await manager('Ben', true)
  await oneself(risen, 'you may not do that any more')
  await manager('Ben', false)
  const fallen = await actingAs('Ben')
  await manager('Mia', false)
  await oneself(fallen, 'you may not do that any more')
  expect((await fallen.get('/-/act')).status).toBe(404)
  await manager('Mia', true)
  const forbidden = await actingAs('Ben')
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: strict } })
  await oneself(forbidden, 'you may not do that any more')
  await web.web.reload(web.served)
})

test('when the other person is kept out, whoever acts as them is told, and nothing that was sent before is done in their own name', async () => {
  const { store } = web.run.runtime
  const blocked = (at: Date | null) =>
    store.inTransaction(tx =>
      tx.write(sql`insert into ninefold.account (person, disabled_at, changed_at) values (${id('Ben')}::uuid, ${at}::timestamptz, ${start})
        on conflict (person) do update set disabled_at = excluded.disabled_at`),
    )
  const records = () => store.query(sql`select id from public.loan`)
  for (const [api, mia] of [
    [false, await actingAs('Ben')],
    [true, await actingAs('Ben')],
  ] as const) {
    const page = (await mia.get('/loans/new')).text
    const csrf = /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    await blocked(start)
    const before = await records()
    const sent = api
      ? await mia.get('/api/v1/loan')
      : await mia.post('/loans/new', { _csrf: csrf, due_back: '2026-03-09' })
    expect([sent.status, await records()]).toEqual([403, before])
    expect(sent.text).toContain('no longer Ben, who cannot sign in any more')
    // The form of before stays worth nothing.
    expect((await mia.post('/loans/new', { _csrf: csrf })).status).toBe(403)
    expect((await mia.get('/-/account')).text).toContain('Mia,')
    await blocked(null)
  }
})

test('as a role one sees what it sees, and writes nothing', async () => {
  const mia = await web.browser('Mia')
  const [loan] = await web.run.runtime.store.query<{ number: string }>(sql`select number from public.loan limit 1`)
  const address = `/loans/${loan!.number}`
  expect((await mia.get(address)).status).toBe(200)
  expect((await mia.send('/-/act', { do: 'preview', role: 'Nobody' })).status).toBe(404)
  expect((await mia.send('/-/act', { do: 'preview', role: 'Borrower' })).status).toBe(303)
  const page = await mia.get('/loans/new')
  expect(page.text).toContain('You see this as Borrower does')
  // A borrower sees their own loans, and Mia has none.
  expect([(await mia.get(address)).status, (await mia.get('/-/people')).status]).toEqual([404, 404])
  for (const path of ['/loans/new', `${address}/delete`, '/-/account', '/-/comments', '/-/view', '/-/act', '/-/people'])
    expect([path, (await post(mia, path, { do: 'preview', role: 'Manager' })).status]).toEqual([path, 403])
  expect(JSON.parse((await mia.json('POST', '/api/v1/loan', {})).text)).toMatchObject({
    status: 403,
    code: 'NF-PREVIEW',
  })
  const api = JSON.parse((await mia.json('GET', '/api/v1/loan')).text)
  expect(JSON.stringify(api)).not.toContain(loan!.number)
  expect((await post(mia, '/-/act/stop', {})).status).toBe(303)
  expect((await mia.get(address)).status).toBe(200)
})
