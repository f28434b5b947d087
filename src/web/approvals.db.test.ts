/** Approvals as people and programs meet them: the page of a record, the page that asks, the API, and deputies on the account page. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { workContext } from '../run/later/testing.ts'
import { work } from '../run/later/work.ts'
import { readSound } from '../run/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
const people: Record<string, TestBrowser> = {}

/** The fixture of the run-time's tests with a page for each payment, in two languages. */
const screens = `- **Languages:** English, German

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /payments | Payments | Employee | list of Payment |
| /payments/{id} | Payment | Employee | one Payment |
| /inbox | To do | Employee | inbox |
`

const leaving = `### Person

- **Sign-in when:** left_on is empty or left_on > today

| Field | Type |
| --- | --- |
| left_on | date |

`

/** Everybody sees their own address alone. */
const themselves = `### Person

| Role | See |
| --- | --- |
| Employee | yes |

| Field | See | When |
| --- | --- | --- |
| email | all | \`id = me\` |

`

beforeAll(async () => {
  const path = join(import.meta.dirname, '../run/fixtures/approvals.md')
  const edit = (text: string) =>
    text
      .replace('- **Time zone:** Europe/Berlin\n', `- **Time zone:** Europe/Berlin\n${screens}`)
      .replace(
        /(### Payment[\s\S]*?\| Transition[^\n]*)\n([^\n]*)\n(\| approve[^\n]*)/,
        '$1 Undo |\n$2 --- |\n$3 1 minute |',
      )
      .replace('### Payment\n', `${leaving}### Payment\n`)
      .replace(
        '| V-4 |',
        '| V-5 | Payment | `none(other Payment where order = this.order and state = Refused)` | E-MUCH | |\n| V-4 |',
      )
      .replace(/(## 6 [\s\S]*?)### Payment\n/, `$1${themselves}### Payment\n`)
  web = await startTestWeb(inject('databaseUrl'), readSound(path, edit))
  for (const name of ['Ann', 'Kim', 'Sam', 'Fay', 'Finn']) people[name] = await web.browser(name)
})
afterAll(() => web?.stop())

const payment = async (values: object): Promise<string> => {
  const made = await people.Ann!.json('POST', '/api/v1/payment', { what: 'Chairs', net: '2000.00', ...values })
  return JSON.parse(made.text).id
}

test('the API keeps each decision, answers with what is missing, and moves the record with the last one', async () => {
  const id = await payment({ keeper: web.run.people.Kim })
  const first = await people.Fay!.json('POST', `/api/v1/payment/${id}/approve`, { reason: 'Within the plan' })
  expect(first.status).toBe(200)
  expect(JSON.parse(first.text)).toMatchObject({
    state: 'Asked',
    version: 1,
    approvals: [
      { approval: 'keeper', needs: 1, missing: 1, decisions: [], waiting: ['Kim'] },
      { approval: 'finance', needs: 2, missing: 1, decisions: [{ by: 'Fay', for: null, reason: 'Within the plan' }] },
    ],
  })
  expect(JSON.parse(first.text).steps).not.toContain('approve')
  const again = await people.Fay!.json('POST', `/api/v1/payment/${id}/approve`)
  expect([again.status, JSON.parse(again.text).errors[0].code]).toEqual([409, 'NF-STEP-DECIDED'])
  const stranger = await people.Sam!.json('POST', `/api/v1/payment/${id}/approve`)
  expect(stranger.status).toBe(403)
  expect((await people.Kim!.json('POST', `/api/v1/payment/${id}/approve`)).status).toBe(200)
  const last = await people.Finn!.json('POST', `/api/v1/payment/${id}/approve`)
  expect(JSON.parse(last.text)).toMatchObject({ state: 'Approved', version: 2, approvals: [] })
})

test('the page says who agreed, why and who is still needed; the button is there for those who may decide', async () => {
  const id = await payment({ keeper: web.run.people.Kim })
  const page = async (name: string) => (await people[name]!.get(`/payments/${id}`)).text
  const address = `/payments/${id}/do/approve`
  expect(await page('Sam')).not.toContain(address)
  expect(await page('Fay')).toContain(address)
  const asking = (await people.Fay!.get(address)).text
  expect(asking).toMatch(/<textarea[^>]*name="_reason"/)
  const kept = await people.Fay!.post(
    address,
    Object.entries({ ...fieldsOf(asking, address), _reason: 'It is <cheap>' }),
  )
  expect(kept.status).toBe(303)
  const after = await page('Fay')
  expect(after).toContain('Fay agreed')
  expect(after).toContain('It is &lt;cheap&gt;')
  expect(after).toContain('waits for Kim')
  expect(after).toContain('1 more needed')
  expect(after).toContain('You have decided; others still have to.')
  expect(after).toContain('agreed to the step “approve”')
  expect(after).not.toContain(`href="${address}"`)
  const german = (await people.Sam!.get(`/payments/${id}`, { 'accept-language': 'de' })).text
  expect(german).toContain('Fay hat zugestimmt')
  expect(german).toContain('wartet auf Kim')
  expect((await people.Kim!.get('/inbox')).text).toContain(address)
  expect((await people.Fay!.get('/inbox')).text).not.toContain(address)
  // Beside the inbox stands how much waits, on every page, for one statement more; nothing where nothing does.
  const beside = async (name: string) => {
    const inbox = (await people[name]!.get('/inbox')).text
    const shown =
      /To do<span class="n hot" data-counts="waiting">(\d+)/.exec((await people[name]!.get('/payments')).text)?.[1] ??
      '0'
    return {
      shown: Number(shown),
      listed: new Set(inbox.match(/href="\/payments\/[\w-]+\/do\/\w+\?/g)?.map(one => one.split('/')[2])).size,
    }
  }
  const kim = await beside('Kim')
  expect(kim.shown).toBeGreaterThan(0)
  expect(kim.shown).toBe(kim.listed)
  const fay = await beside('Fay')
  expect(fay.shown).toBe(fay.listed)
  web.statements.length = 0
  await people.Kim!.get('/payments')
  expect(web.statements.length).toBe(3)
})

test('a deputy is named on the account page, decides for somebody, and is taken back there', async () => {
  const id = await payment({ net: '10.00', keeper: web.run.people.Kim })
  const account = (await people.Kim!.get('/-/account')).text
  const sheet = fieldsOf(account, '/-/account/deputies')
  const named = { ...sheet, deputy: web.run.people.Sam!, from: '2026-03-02', until: '2026-03-06' }
  const wrong = await people.Kim!.post('/-/account/deputies', Object.entries({ ...named, until: '2026-03-01' }))
  expect([wrong.status, wrong.text.includes('The last day lies before the first')]).toEqual([422, true])
  expect(fieldsOf(wrong.text, '/-/account/deputies'), 'nothing is lost').toMatchObject({
    from: '2026-03-02',
    until: '2026-03-01',
  })
  expect(wrong.text).toMatch(new RegExp(`<option value="${web.run.people.Sam}" selected`))
  // Without a script days are typed, as people write them.
  const typed = { ...named, from: '2 March 2026', until: '6 Merch 2026' }
  const unread = await people.Kim!.post('/-/account/deputies', Object.entries(typed))
  expect([unread.status, unread.text.includes('Last day must be a date in a form')]).toEqual([422, true])
  const readable = Object.entries({ ...typed, until: '6 March 2026' })
  expect((await people.Kim!.post('/-/account/deputies', readable)).status).toBe(303)
  expect((await people.Kim!.get('/-/account')).text).toContain('Sam, 2 Mar 2026 to 6 Mar 2026')
  const again = await people.Kim!.post(
    '/-/account/deputies',
    Object.entries({ ...named, from: '2026-03-06', until: '2026-03-09' }),
  )
  expect([again.status, again.text.includes('Already named for one of these days.')]).toEqual([422, true])
  const decided = await people.Sam!.json('POST', `/api/v1/payment/${id}/approve`)
  expect(JSON.parse(decided.text).state).toBe('Approved')
  expect((await people.Ann!.get(`/payments/${id}`)).text).toContain('agreed to the step “approve” for Kim')
  const [, end] =
    /value="([0-9a-f]{8}-[0-9a-f-]{27})"[^>]*>(?:(?!<\/form>)[\s\S])*?Take back/.exec(
      (await people.Kim!.get('/-/account')).text,
    ) ?? []
  const theirs = fieldsOf((await people.Sam!.get('/-/account')).text, '/-/account/deputies')
  expect(
    (await people.Sam!.post('/-/account/deputies', [...Object.entries({ _csrf: theirs._csrf! }), ['end', end!]]))
      .status,
  ).toBe(404)
  expect(
    (await people.Kim!.post('/-/account/deputies', [...Object.entries({ _csrf: sheet._csrf! }), ['end', end!]])).status,
  ).toBe(303)
  expect((await people.Kim!.get('/-/account')).text).not.toContain('2 Mar 2026 to 6 Mar 2026')
})

test('a deputy is named, and taken back, only by somebody who is there, and it is told and remembered', async () => {
  const { store } = web.run.runtime
  const told = () =>
    store.query<{ text: string }>(
      sql`select payload ->> 'text' as text from ninefold.outbox where name = 'sign_in_changed' order by id`,
    )
  const kim = await web.browser('Kim')
  const days = { deputy: web.run.people.Sam!, from: '2026-03-02', until: '2026-03-06' }
  const then = web.run.now
  await store.query(sql`delete from ninefold.outbox`)
  web.run.now = new Date(then.getTime() + 16 * 60_000)
  const absent = await kim.send('/-/account/deputies', days)
  expect([absent.status, absent.text.includes('confirm'), await told()]).toEqual([403, true, []])
  web.run.now = then
  expect((await kim.send('/-/account/deputies', days)).status).toBe(303)
  const [named] = await store.query<{ id: string }>(sql`select id from ninefold.deputy`)
  web.run.now = new Date(then.getTime() + 16 * 60_000)
  expect((await kim.send('/-/account/deputies', { end: named!.id })).status).toBe(403)
  web.run.now = then
  expect((await kim.send('/-/account/deputies', { end: named!.id })).status).toBe(303)
  expect((await told()).map(({ text }) => text.split('\n')[0])).toEqual([
    'Sam may decide for you, on the days that you named.',
    'Sam does not decide for you any more.',
  ])
  const history = sql`select what from ninefold.history
    where kind = 'sign-in' and record = ${web.run.people.Kim}::uuid order by id desc limit 2`
  expect(await store.query(history)).toEqual([{ what: 'deputy taken back' }, { what: 'deputy' }])
})

test('no deputy is found by an address that one does not see, or is somebody who cannot sign in', async () => {
  const { store } = web.run.runtime
  const name = async (deputy: string) => {
    const page = await people.Kim!.get('/-/account')
    const sheet = { ...fieldsOf(page.text, '/-/account/deputies'), deputy, from: '2026-03-02', until: '2026-03-06' }
    const { status } = await people.Kim!.post('/-/account/deputies', Object.entries(sheet))
    return [status, page.text.includes('>Finn</option>')]
  }
  const [finn] = await store.query<{ email: string }>(sql`select email from person where name = 'Finn'`)
  expect(await name(finn!.email)).toEqual([422, true])
  await store.query(sql`update person set left_on = '2026-03-01' where name = 'Finn'`)
  expect(await name(web.run.people.Finn!)).toEqual([422, false])
  await store.query(sql`update person set left_on = null where name = 'Finn'`)
  expect(await name('Finn')).toEqual([303, true])
  await store.query(sql`delete from ninefold.deputy`)
})

test('OpenAPI tells of the reason and of the open approvals', async () => {
  const { paths, components } = JSON.parse((await people.Fay!.get('/api/v1/openapi.json')).text)
  const { post } = paths['/api/v1/payment/{id}/approve']
  expect(post.requestBody.content['application/json'].schema.properties).toHaveProperty('reason')
  expect(JSON.stringify(components.schemas.Payment)).toContain('"approvals"')
})

test('whoever decides takes that back, and whoever took the step by it takes back both; the others stay', async () => {
  const id = await payment({ keeper: web.run.people.Kim })
  const path = `/payments/${id}`
  const address = `${path}/do/approve`
  const decide = async (name: string) => {
    const { text } = await people[name]!.get(address)
    expect((await people[name]!.post(address, fieldsOf(text, address))).status).toBe(303)
    return fieldsOf((await people[name]!.get(path)).text, '/-/undo')
  }
  const back = async (name: string, offered: Record<string, string>) =>
    (await people[name]!.post('/-/undo', offered)).status
  const by = async () =>
    (
      await web.run.runtime.store.query<{ name: string }>(
        sql`select p.name from ninefold.decision as d join person as p on p.id = d.person join payment as t on t.id = d.record
          where t.id = ${id}::uuid and d.version = t.version and d.taken_from is null order by p.name`,
      )
    ).map(({ name }) => name)
  const fay = await decide('Fay')
  const kim = await decide('Kim')
  expect(await by()).toEqual(['Fay', 'Kim'])
  expect(await back('Kim', kim)).toBe(303)
  expect(await by()).toEqual(['Fay'])
  expect(await back('Kim', kim)).toBe(409)
  await decide('Kim')
  const finn = await decide('Finn')
  expect(await back('Fay', fay)).toBe(409)
  expect(await back('Finn', finn)).toBe(303)
  expect(await by()).toEqual(['Fay', 'Kim'])
  const again = JSON.parse((await people.Finn!.json('GET', `/api/v1/payment/${id}`)).text)
  expect(again).toMatchObject({ state: 'Asked', version: 3 })
  await decide('Finn')
  expect(JSON.parse((await people.Finn!.json('GET', `/api/v1/payment/${id}`)).text)).toMatchObject({
    state: 'Approved',
  })
})

test('whoever may decide no more takes nothing back, and is told of no rule', async () => {
  const id = await payment({})
  const path = `/payments/${id}`
  const decide = async (name: string) =>
    expect((await people[name]!.submit(`${path}/do/approve`, `${path}/do/approve`, {})).status).toBe(303)
  await decide('Fay')
  await decide('Finn')
  const offered = fieldsOf((await people.Finn!.get(path)).text, '/-/undo')
  const { query } = web.run.runtime.store
  const other = await payment({})
  await query(sql`update payment set "order" = 'PO-77' where id in (${id}::uuid, ${other}::uuid)`)
  await query(sql`update payment set state = 'Refused' where id = ${other}::uuid`)
  const back = async () => {
    const { status, text } = await people.Finn!.post('/-/undo', offered)
    return [status, text.includes('That is much.')]
  }
  expect(await back()).toEqual([422, true])
  await query(sql`update payment set requester = ${web.run.people.Finn!}::uuid where id = ${id}::uuid`)
  expect(await back()).toEqual([404, false])
})

test('people are told of what waits for them, who put them down for it, and what became of it; nobody of their own', async () => {
  /** What is not read of what they were told about it. */
  const news = async (name: string) => {
    await work(web.run.runtime, workContext(web.run))
    const [, ...items] = (await people[name]!.get('/-/notices')).text.split(/<li id="notice-[^"]*">/)
    return items
      .filter(item => item.includes('Standing desks') && item.includes('>New<'))
      .map(item =>
        item
          .replace(/Standing desks.*/s, '')
          .replaceAll(/<[^>]*>/g, '')
          .replace('New', '')
          .trim(),
      )
  }
  const made = await people.Ann!.json('POST', '/api/v1/payment', {
    what: 'Standing desks',
    net: '50.00',
    keeper: web.run.people.Kim,
    assistant: web.run.people.Sam,
  })
  const path = `/payments/${(JSON.parse(made.text) as { id: string }).id}`
  const decide = 'Please decide: Payment'
  expect([made.status, await news('Kim'), await news('Sam'), await news('Ann')]).toEqual([201, [decide], [decide], []])
  // While Kim can take it back nobody hears of it, and of what was taken back never.
  const approve = () => people.Kim!.submit(`${path}/do/approve`, `${path}/do/approve`, {})
  expect((await approve()).status).toBe(303)
  expect([await news('Ann'), await news('Sam')]).toEqual([[], [decide]])
  const offered = fieldsOf((await people.Kim!.get(path)).text, '/-/undo')
  expect((await people.Kim!.post('/-/undo', offered)).status).toBe(303)
  const later = () => {
    web.run.now = new Date(web.run.now.getTime() + 61_000)
  }
  later()
  expect([await news('Ann'), await news('Sam')]).toEqual([[], [decide]])
  // Decided, it waits for nobody any more: that they were asked is read.
  expect((await approve()).status).toBe(303)
  later()
  const moved = 'Kim changed it to Approved: Payment'
  expect([await news('Ann'), await news('Sam'), await news('Kim')]).toEqual([[moved], [moved], []])
})
