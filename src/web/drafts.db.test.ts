/** Drafts over HTTP without scripts: what is typed is kept as a draft, which is no record and nobody else's. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { tidyTraces } from './sign-in/tidy.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let hal: TestBrowser
let sue: TestBrowser
let acorn: string

beforeAll(async () => {
  web = await startTestWeb(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, 'fixtures/orders.md'), text =>
      text
        .replace(
          '### Customer\n',
          '### Person\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| buys_for | Customer | |\n\n### Customer\n',
        )
        .replace('| gift | yes/no', '| buyer | Customer | copied from created_by.buys_for on create |\n| gift | yes/no')
        .replace(/(?=### Customer\n\n\| Role)/, '### Person\n\n| Role | See |\n| --- | --- |\n| Helper | yes |\n\n'),
    ),
  )
  ;[hal, sue] = [await web.browser('Hal'), await web.browser('Sue')]
  acorn = (await query<{ id: string }>(sql`select id from customer where name = 'Acorn'`))[0]!.id
})
afterAll(() => web?.stop())
beforeEach(() => web.run.runtime.store.query(sql`delete from ninefold.draft`))

const form = '/orders/new'
const whole = {
  wanted_on: '2027-03-09',
  note: 'Ring <twice>',
  'lines.0.what': 'Chair',
  'lines.0.pieces': '4',
}
const query = <Row extends object>(text: ReturnType<typeof sql>) => web.run.runtime.store.query<Row>(text)
const orders = async () => (await query(sql`select id from "order"`)).length
const auto = (browser: TestBrowser, fields: Readonly<Record<string, string>>) =>
  browser.post(form, { ...fields, _keep: 'auto' }, { accept: 'application/json' })

test('what is typed is kept as it is, offered to its writer alone, and comes back whole; it is no record', async () => {
  const before = await orders()
  const history = await query(sql`select id from ninefold.history`)
  const kept = await sue.submit(form, form, { ...whole, wanted_on: 'soon', discount: '99', _keep: 'draft' })
  expect(kept.location).toBe('/orders')
  const list = (await sue.get('/orders')).text
  expect(list).toContain('The draft is kept until')
  expect(list).toContain('>Continue your draft of order</a>')
  expect(await orders()).toBe(before)
  expect(await query(sql`select id from ninefold.history`)).toHaveLength(history.length)
  expect((await hal.get('/orders')).text).not.toContain('Continue your draft')

  const anew = (await sue.get(form)).text
  expect(anew).toContain('Continue your draft of order')
  expect(anew).toContain('Keep as draft, instead of the older one')
  expect(anew).not.toContain('Ring')
  expect((await hal.get(`${form}?draft=1`)).text).not.toContain('Ring')

  const again = await sue.get(`${form}?draft=1`)
  expect(again.text).not.toContain('Continue your draft')
  expect(fieldsOf(again.text, form)).toMatchObject({
    wanted_on: 'soon',
    note: 'Ring <twice>',
    discount: '99',
    'lines.0.what': 'Chair',
    'lines.0.pieces': '4',
    _draft: 'own',
  })
})

test('it goes with the record that is made of it, and what is on its way by then is not kept any more', async () => {
  await sue.submit(form, form, { ...whole, _keep: 'draft' })
  const page = (await sue.get(`${form}?draft=1`)).text
  const fields = { ...fieldsOf(page, form), customer: acorn }
  const refused = await sue.post(form, { ...fields, wanted_on: '2020-01-01' })
  expect(refused.text).toContain('That day is over.')
  expect((await query(sql`select form from ninefold.draft`)).length).toBe(1)
  const saved = await sue.post(form, fields)
  expect(saved.location).toMatch(/^\/orders\/OR-/)
  expect(await query(sql`select form from ninefold.draft`)).toEqual([])
  expect((await auto(sue, fields)).status).toBe(409)
  expect(await query(sql`select form from ninefold.draft`)).toEqual([])
})

test('an older draft stays while another record is made beside it, and goes when it is thrown away', async () => {
  await sue.submit(form, form, { ...whole, _keep: 'draft' })
  const page = (await sue.get(form)).text
  expect(fieldsOf(page, form)).not.toHaveProperty('_draft')
  const beside = await sue.submit(form, form, { ...whole, customer: acorn, note: '' })
  expect(beside.status).toBe(303)
  expect((await sue.get(`${form}?draft=1`)).text).toContain('Ring')
  await sue.send(`${form}?discard=1`, {})
  expect((await sue.get(form)).text).not.toContain('Continue your draft')
})

test('a script keeps it after a pause, says when, and is told to stop when its writer is signed out', async () => {
  const fields = fieldsOf((await hal.get(form)).text, form)
  const kept = await auto(hal, { ...fields, ...whole })
  expect(JSON.parse(kept.text)).toEqual({ status: expect.stringMatching(/^Draft kept \d\d:\d\d$/) })
  const gone = await web.browser('Hal')
  const old = fieldsOf((await gone.get(form)).text, form)
  gone.cookies.clear()
  expect((await auto(gone, { ...old, ...whole })).status).toBe(401)
  const large = await auto(hal, { ...fields, note: 'x'.repeat(300_000) })
  expect(large.status).toBe(413)
  expect((await hal.get(`${form}?draft=1`)).text).toContain('Ring')
})

test('what may not be set any more is not in it, and saving asks every permission anew', async () => {
  const [made] = await query<{ number: string }>(sql`select number from "order" limit 1`)
  const edit = `/orders/${made!.number}/edit`
  await sue.submit(edit, edit, { discount: '7', note: 'Kept', _keep: 'draft' })
  const { runtime, people } = web.run
  await query(sql`delete from ninefold.appointment where person = ${people.Sue!}::uuid`)
  const page = await sue.get(`${edit}?draft=1`)
  expect(page.text).toContain('Kept')
  expect(page.text).not.toContain('discount')
  const { _was: was = '' } = fieldsOf(page.text, edit)
  expect(Buffer.from(was, 'base64url').toString()).not.toContain('discount')
  // To whom less is shown, the record is another one: it is looked at anew.
  expect((await sue.post(edit, fieldsOf(page.text, edit))).status).toBe(409)
  const { _version } = fieldsOf((await sue.get(edit)).text, edit)
  const forced = await sue.post(edit, { ...fieldsOf(page.text, edit), _version: _version!, discount: '9' })
  expect(forced.status).toBe(422)
  expect(forced.text).not.toContain('name="discount"')
  await runtime.store.query(
    sql`insert into ninefold.appointment (person, role, at) values (${people.Sue!}::uuid, 'Seller', now())`,
  )
})

test('all drafts of somebody stand on one page, those of changes too, for nobody else', async () => {
  const drafts = '/-/drafts'
  const [made] = await query<{ number: string }>(sql`select number from "order" limit 1`)
  const edit = `/orders/${made!.number}/edit`
  await sue.submit(edit, edit, { note: 'Twice a day', _keep: 'draft' })
  const page = (await sue.get(drafts)).text
  expect(page).toContain(`<a href="${edit}?draft=1">Order ${made!.number}</a>`)
  const [{ id }] = (await query<{ id: string }>(sql`select id from customer where name = 'Acorn'`)) as [{ id: string }]
  await sue.submit(`/customers/${id}/edit`, `/customers/${id}/edit`, { name: 'Oak', _keep: 'draft' })
  expect((await sue.get(drafts)).text, 'by its title, not by its id').toMatch(/edit\?draft=1">Customer Acorn</)
  expect((await sue.get('/orders')).text, 'in the menu of whoever has one').toContain('href="/-/drafts"')
  const other = await web.browser('Hal')
  expect((await other.get(drafts)).text).not.toContain(edit)
  await other.send(drafts, { discard: edit })
  expect((await sue.get(`${edit}?draft=1`)).text).toContain('Twice a day')
  expect((await sue.send(drafts, { discard: '/orders/none/edit' })).status).toBe(404)
  expect((await sue.send(drafts, { discard: edit })).location).toBe(drafts)
  expect((await sue.get(drafts)).text).not.toContain(edit)
  expect((await sue.get(`${edit}?draft=1`)).text).not.toContain('Twice a day')
})

test('it ends with its time', async () => {
  await sue.submit(form, form, { ...whole, _keep: 'draft' })
  await query(sql`update ninefold.draft set ends_at = ${web.run.now.toISOString()}::timestamptz`)
  expect((await sue.get(form)).text).not.toContain('Continue your draft')
  expect((await sue.get(`${form}?draft=1`)).text).not.toContain('Ring')
  await tidyTraces(web.run.runtime.store, web.run.now)
  expect(await query(sql`select form from ninefold.draft`)).toEqual([])
})

test('what was begun for one whom its writer acts for is not silently saved for another one', async () => {
  const birch = crypto.randomUUID()
  await query(
    sql`insert into customer (id, version, created_at, changed_at, name) values (${birch}, 1, now(), now(), 'Birch')`,
  )
  const actFor = (id: string | null) => query(sql`update person set buys_for = ${id}::uuid where name = 'Sue'`)
  const buyers = () =>
    query<{ name: string | null }>(
      sql`select c.name from "order" as o left join customer as c on c.id = o.buyer order by o.created_at desc, o.number desc limit 1`,
    )
  await actFor(acorn)
  await sue.submit(form, form, { ...whole, customer: acorn, _keep: 'draft' })
  const open = { ...fieldsOf((await sue.get(form)).text, form), ...whole, customer: acorn }
  expect((await sue.get(`${form}?draft=1`)).text).not.toContain('This was begun')
  await actFor(birch)
  const told = 'This was begun for Acorn. Saved now, it is for Birch'
  const page = (await sue.get(`${form}?draft=1`)).text
  expect(page).toContain(told)
  const before = await orders()
  const refused = await sue.post(form, open)
  expect([refused.status, refused.text.includes(told), await orders()]).toEqual([409, true, before])
  expect((await sue.post(form, { ...open, ...fieldsOf(refused.text, form) })).status).toBe(303)
  expect(await buyers()).toEqual([{ name: 'Birch' }])
  expect((await sue.post(form, { ...fieldsOf(page, form), customer: acorn })).status).toBe(303)
  expect(await orders()).toBe(before + 2)
  await actFor(null)
})
