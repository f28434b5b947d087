/** Wizards over HTTP without scripts: page by page, back again and on another day, of new records and of stored ones. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let hal: TestBrowser
let sue: TestBrowser
let acorn: string

/** With a value that only the server can work out and a default, on the last page, and a default that no page asks for. */
const edited = (text: string): string =>
  text
    .replace('lines.pieces, note, drawing', 'lines.pieces, others, copies, note, drawing')
    .replace(
      '| drawing | file | |',
      '| drawing | file | |\n| others | integer | = 40 + count(other Order where customer = this.customer) |\n| copies | integer | default 2 |\n| urgent | yes/no | default no |',
    )

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/orders.md'), edited))
  ;[hal, sue] = [await web.browser('Hal'), await web.browser('Sue')]
  acorn = (await query<{ id: string }>(sql`select id from customer where name = 'Acorn'`))[0]!.id
})
afterAll(() => web?.stop())
beforeEach(() => web.run.runtime.store.query(sql`delete from ninefold.draft`))

const query = <Row extends object>(text: ReturnType<typeof sql>) => web.run.runtime.store.query<Row>(text)
const orders = async () => (await query(sql`select id from "order"`)).length

const wizard = '/order'
const step = (number: number) => `${wizard}?step=${number}`
const summaryOf = (text: string) => /<div class="summary"[\s\S]*?<\/ul>/.exec(text)?.[0] ?? ''
/** Sends a page of the wizard as it came, with these answers. */
const answer = async (number: number, fields: Readonly<Record<string, string>>) => {
  const { text } = await sue.get(number === 1 ? wizard : step(number))
  return sue.post(step(number), { ...fieldsOf(text, step(number)), ...fields })
}

test('a wizard asks page by page, by the rules of what has been asked so far, and makes one record at the end', async () => {
  const before = await orders()
  const first = (await sue.get(wizard)).text
  expect(first).toContain('Step 1 of 3')
  expect(first).toMatch(/<li class="now" aria-current="step"><span>Who is it for\?<\/span>/)
  expect(first).not.toContain('name="lines.0.what"')
  expect((await sue.get(step(3))).location).toBe(wizard)
  const refused = await answer(1, { customer: acorn, wanted_on: '2020-01-01', discount: '20' })
  expect(refused.status).toBe(422)
  expect(summaryOf(refused.text)).toContain('That day is over.')
  expect(summaryOf(refused.text), 'it reads what is only asked for later').not.toContain('More than 10 %')
  const token = fieldsOf(first, step(1))._csrf ?? ''
  // The page about the card is left out without a gift.
  expect((await answer(1, { customer: acorn, wanted_on: '2027-03-09', discount: '20' })).location).toBe(step(3))
  expect((await sue.post(step(4), { _csrf: token })).location, 'a page is still to come').toBe(wizard)
  const one = await answer(3, { 'lines.0.what': 'Chair', 'lines.0.pieces': '4' })
  expect(summaryOf(one.text)).toContain('More than 10 % needs two lines.')
  const two = { 'lines.0.what': 'Chair', 'lines.0.pieces': '4', 'lines.1.what': 'Table', 'lines.1.pieces': '1' }
  const third = (await answer(3, { ...two, _add: 'lines' })).text
  expect(third).toContain('name="lines.2.what"')
  expect(third, 'its page names other columns of the rows').not.toContain('name="lines.2.each"')
  expect((await answer(3, { ...two, 'lines.0.each': '5' })).location).toBe(step(4))
  const check = (await sue.get(step(4))).text
  for (const said of ['Acorn', '9 Mar 2027', 'Chair 4', 'Table 1', `href="${step(1)}"`]) expect(check).toContain(said)
  expect(await orders()).toBe(before)
  const fields = fieldsOf(check, step(4))
  const [made, again] = [await sue.post(step(4), fields), await sue.post(step(4), fields)]
  expect(made.location).toMatch(/^\/orders\/OR-/)
  expect(again.location).toBe(made.location)
  expect(await orders()).toBe(before + 1)
  expect(await query(sql`select copies, urgent from "order" order by number desc limit 1`)).toEqual([
    { copies: '2', urgent: false },
  ])
  expect(
    await query(sql`select what, pieces, each from order_line where what in ('Chair', 'Table') order by what`),
  ).toEqual([
    { what: 'Chair', pieces: '4', each: null },
    { what: 'Table', pieces: '1', each: null },
  ])
  expect(await query(sql`select form from ninefold.draft`)).toEqual([])
})

test('a page shows what the answers of earlier pages come to, and works it out anew with its own', async () => {
  const shownOn = (text: string) => /Others\b.*?<dd>([^<]*)/s.exec(text)?.[1]
  const made = (await query<{ count: string }>(sql`select count(*) from "order" where customer = ${acorn}::uuid`))[0]!
  await answer(1, { customer: acorn, wanted_on: '2027-03-09' })
  const page = (await sue.get(step(3))).text
  expect(fieldsOf(page, step(3)), 'what it begins with').toMatchObject({ copies: '2' })
  expect(shownOn(page)).toBe(String(40 + Number(made.count)))
  const asked = await sue.post(step(3), { ...fieldsOf(page, step(3)), _needed: 'yes' })
  expect(JSON.parse(asked.text).worked).toEqual({ others: String(40 + Number(made.count)) })
})

test('one goes back without losing anything, on another day too, and what a condition leaves out is not saved', async () => {
  await answer(1, { customer: acorn, wanted_on: '2027-03-09', gift: 'yes' })
  await answer(2, { card_text: 'With love' })
  expect((await answer(3, { 'lines.0.what': 'Half a', _back: '1' })).location).toBe(step(2))
  const offered = await sue.get(wizard)
  expect(offered.text).toContain('Continue your draft of order')
  expect(offered.text).not.toContain('name="wanted_on"')
  expect((await sue.get(`${wizard}?draft=1`)).location).toBe(step(3))
  expect((await sue.get('/orders')).text).toContain('Continue your draft of Order something')
  expect(fieldsOf((await sue.get(step(3))).text, step(3))).toMatchObject({ 'lines.0.what': 'Half a' })
  await answer(3, { 'lines.0.what': 'Half a chair', 'lines.0.pieces': '1' })
  const { text } = await sue.get(step(1))
  const changed = await sue.post(step(1), { ...fieldsOf(text, step(1)), gift: 'no' })
  expect(changed.location, 'back to where all answers are').toBe(step(4))
  const check = (await sue.get(step(4))).text
  expect(check).not.toContain('With love')
  const made = await sue.post(step(4), fieldsOf(check, step(4)))
  const { text: page } = await sue.get(made.location ?? '')
  expect(page).toContain('Half a chair')
  expect(page).not.toContain('With love')
})

test('what is wrong only at the end leads back to its page, and nobody takes another one’s pages', async () => {
  await answer(1, { customer: acorn, wanted_on: '2027-03-09' })
  await answer(3, { 'lines.0.what': 'Lamp', 'lines.0.pieces': '1' })
  const check = (await sue.get(step(4))).text
  await query(sql`update ninefold.draft set pairs = replace(pairs::text, '2027-03-09', '2020-01-01')::jsonb`)
  const refused = await sue.post(step(4), fieldsOf(check, step(4)))
  expect(refused.status).toBe(422)
  expect(refused.text).toContain(`<a href="${step(1)}#wanted_on">That day is over.</a>`)
  expect((await hal.get(step(4))).location).toBe(wizard)
  expect((await hal.get(wizard)).text).not.toContain('2020-01-01')
})

/** A stored order of Acorn, as its wizard begins. */
async function stored(more: Readonly<Record<string, unknown>> = {}) {
  const made = await sue.json('POST', '/api/v1/order', {
    customer: acorn,
    wanted_on: '2027-03-09',
    note: 'Ring',
    lines: [{ what: 'Chair', pieces: 4 }],
    ...more,
  })
  const { id, number } = JSON.parse(made.text) as { id: string; number: string }
  const path = `/orders/${number}/revise`
  const at = (page: number) => `${path}?step=${page}`
  const reply = async (who: TestBrowser, page: number, fields: Readonly<Record<string, string>>, without = '') => {
    const { text } = await who.get(page === 1 ? path : at(page))
    const { [without]: _, ...form } = fieldsOf(text, at(page))
    return who.post(at(page), { ...form, ...fields })
  }
  /** Sue changes it elsewhere. */
  const meanwhile = async (values: Readonly<Record<string, string>>) => {
    const edit = `/orders/${number}/edit`
    expect((await sue.submit(edit, edit, values)).location).toBe(`/orders/${number}`)
  }
  const now = async () => JSON.parse((await sue.get(`/api/v1/order/${id}`)).text) as Record<string, unknown>
  return { number, path, at, reply, meanwhile, now }
}

test('a wizard of a stored record goes the same way: nothing is written before its end, and then only what was touched', async () => {
  const { number, path, at, reply, now } = await stored({ gift: true, card_text: 'Hi' })
  expect((await sue.get(`/orders/${number}`)).text).toContain(`<a href="${path}"`)
  const first = (await sue.get(path)).text
  expect(first).toContain('Step 1 of 4')
  expect(first).toContain(`<a href="/orders/${number}">Acorn · ${number}</a>`)
  expect(fieldsOf(first, at(1))).toMatchObject({ wanted_on: '2027-03-09', gift: 'yes' })
  expect(first, 'shown, not asked for').toContain(number)
  expect(summaryOf((await reply(sue, 1, { wanted_on: '2020-01-01' })).text)).toContain('That day is over.')
  expect((await reply(sue, 1, { wanted_on: '2027-04-09' }, 'gift')).location).toBe(at(2))
  expect((await reply(sue, 2, { discount: '20' })).location).toBe(at(3))
  const wrong = await reply(sue, 3, {})
  expect(summaryOf(wrong.text)).toContain('More than 10 % needs two lines.')
  expect((await reply(sue, 3, { 'lines.0.what': 'Stool', _back: '1' })).location).toBe(at(2))
  expect((await sue.get(path)).text).toContain(`Continue your draft of Acorn · ${number}`)
  expect((await sue.get('/-/drafts')).text).toContain(`<a href="${path}?draft=1">Revise ${number}</a>`)
  expect((await reply(sue, 2, { discount: '5' })).location).toBe(at(3))
  expect((await reply(sue, 3, {})).location).toBe(at(4))
  expect(await now(), 'a draft is no record').toMatchObject({ wanted_on: '2027-03-09', discount: 0, version: 1 })
  const check = (await sue.get(at(4))).text
  for (const said of ['9 Apr 2027', 'Stool 4', 'Ring', '>Save</button>']) expect(check).toContain(said)
  const fields = fieldsOf(check, at(4))
  const [saved, again] = [await sue.post(at(4), fields), await sue.post(at(4), fields)]
  expect([saved.location, again.location]).toEqual([`/orders/${number}`, `/orders/${number}`])
  expect(await now()).toMatchObject({ wanted_on: '2027-04-09', gift: false, discount: 5, note: 'Ring', version: 2 })
  expect(await query(sql`select form from ninefold.draft`)).toEqual([])
})

test('of it everybody has the pages on which they may set something, and what another one changed meanwhile is not lost', async () => {
  const { path, at, reply, meanwhile, now } = await stored()
  expect((await hal.get(path)).text).toContain('Step 1 of 3')
  expect((await reply(hal, 1, { wanted_on: '2027-05-01', discount: '40' })).location).toBe(at(3))
  expect((await hal.get(at(2))).status).toBe(404)
  await meanwhile({ note: 'Ring twice', wanted_on: '2027-06-01', discount: '7' })
  await reply(hal, 3, { 'lines.0.pieces': '5' })
  const stale = await hal.submit(at(4), at(4), {})
  expect(stale.status).toBe(409)
  for (const said of ['Sue', '1 May 2027', '1 Jun 2027', 'Ring twice', 'Chair 5']) expect(stale.text).toContain(said)
  expect(stale.text).not.toContain('discount')
  expect((await hal.get(at(4))).text, 'it is all there').toContain('1 May 2027')
  const chosen = {
    ...fieldsOf(stale.text, at(4)),
    '_take.wanted_on': 'theirs',
    '_take.lines': 'yours',
    '_take.note': 'theirs',
  }
  // Once more it is still what was chosen.
  await meanwhile({ note: 'Ring thrice', discount: '8' })
  const again = await hal.post(at(4), chosen)
  expect(again.status).toBe(409)
  expect(again.text).not.toContain('1 May 2027')
  // A change of what he may not see is none to him, and is kept.
  await meanwhile({ discount: '9' })
  const choice = { '_take.lines': 'yours', '_take.note': 'theirs' }
  expect((await hal.post(at(4), { ...fieldsOf(again.text, at(4)), ...choice })).status).toBe(303)
  expect(await now()).toMatchObject({
    wanted_on: '2027-06-01',
    note: 'Ring thrice',
    discount: 9,
    lines: [{ pieces: 5 }],
  })
})

test('a page that was opened before another one changed the record does not take their change back', async () => {
  const { path, at, reply, meanwhile } = await stored()
  const old = fieldsOf((await sue.get(path)).text, at(1))
  await meanwhile({ wanted_on: '2027-07-01' })
  expect((await sue.post(at(1), old)).location).toBe(at(2))
  await reply(sue, 2, { discount: '3' })
  await reply(sue, 3, {})
  const stale = await sue.submit(at(4), at(4), {})
  expect(stale.status).toBe(409)
  expect(fieldsOf(stale.text, at(4))['_take.wanted_on']).toBe('theirs')
})

test('at the address of the ordinary form a wizard stands in its place, for those whom it is for', async () => {
  expect((await sue.get('/boxes/B1/edit')).text).toContain('Step 1 of 2')
  const his = (await hal.get('/boxes/B1/edit')).text
  expect(his).not.toContain('Step 1')
  expect(fieldsOf(his, '/boxes/B1/edit')).toMatchObject({ label: 'B1', content: 'Straw' })
  expect((await sue.get('/boxes/B2/edit')).status).toBe(404)
})

test('a warning is asked at the end', async () => {
  expect((await answer(1, { customer: acorn, wanted_on: '2027-03-09', discount: '38' })).location).toBe(step(3))
  const lines = { 'lines.0.what': 'Chair', 'lines.0.pieces': '1', 'lines.1.what': 'Table', 'lines.1.pieces': '1' }
  expect((await answer(3, lines)).location).toBe(step(4))
  const last = await answer(4, {})
  expect(last.status).toBe(422)
  expect(last.text).toContain('value="E-HIGH"')
  expect((await answer(4, { _confirm: 'E-HIGH' })).status).toBe(303)
})
