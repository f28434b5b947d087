/** Forms over HTTP without scripts: wizards, what a form begins with, records made on the way, rows, warnings, values that are taken, secrets. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { passwords } from '../run/people/password.ts'
import { systemRequest } from '../run/people/people.ts'
import { read } from '../run/read/read.ts'
import { codes, done, input, readSound } from '../run/testing.ts'
import { change, create, remove, takeStep } from '../run/write/writes.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

/** Rows that only sellers make, and defaults out of one's own record. */
const withStamps = (text: string) =>
  text
    .replace(
      '### Box\n',
      '### Person\n\n| Field | Type |\n| --- | --- |\n| regular | Customer |\n| motto | text 20 |\n\n$&',
    )
    .replace('| customer | Customer | required |', '| customer | Customer | required; default my.regular |')
    .replace('| lines | list of Order line | min 1 |', '$&\n| stamps | list of Stamp | |')
    .replace(
      '\n## 4 States',
      '\n### Stamp (part of Order)\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| says | text 20 | default my.motto |\n$&',
    )
    .replace(
      '\n## 8 The',
      '\n### Stamp\n\n| Role | See | Create |\n| --- | --- | --- |\n| Helper | yes | no |\n| Seller | yes | yes |\n$&',
    )

let web: TestWeb
let hal: TestBrowser
let sue: TestBrowser
let acorn: string

beforeAll(async () => {
  web = await startTestWeb(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, 'fixtures/orders.md'), withStamps),
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
  expect((await answer(3, { ...two, _add: 'lines' })).text).toContain('name="lines.2.what"')
  expect((await answer(3, two)).location).toBe(step(4))
  const check = (await sue.get(step(4))).text
  for (const said of ['Acorn', '9 Mar 2027', 'Chair 4', 'Table 1', `href="${step(1)}"`]) expect(check).toContain(said)
  expect(await orders()).toBe(before)
  const fields = fieldsOf(check, step(4))
  const [made, again] = [await sue.post(step(4), fields), await sue.post(step(4), fields)]
  expect(made.location).toMatch(/^\/orders\/OR-/)
  expect(again.location).toBe(made.location)
  expect(await orders()).toBe(before + 1)
  expect(await query(sql`select form from ninefold.draft`)).toEqual([])
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
  expect(first).toContain(`<a href="/orders/${number}">${number}</a>`)
  expect(fieldsOf(first, at(1))).toMatchObject({ wanted_on: '2027-03-09', gift: 'yes' })
  expect(first, 'shown, not asked for').toContain(number)
  expect(summaryOf((await reply(sue, 1, { wanted_on: '2020-01-01' })).text)).toContain('That day is over.')
  expect((await reply(sue, 1, { wanted_on: '2027-04-09' }, 'gift')).location).toBe(at(2))
  expect((await reply(sue, 2, { discount: '20' })).location).toBe(at(3))
  const wrong = await reply(sue, 3, {})
  expect(summaryOf(wrong.text)).toContain('More than 10 % needs two lines.')
  expect((await reply(sue, 3, { 'lines.0.what': 'Stool', _back: '1' })).location).toBe(at(2))
  expect((await sue.get(path)).text).toContain(`Continue your draft of ${number}`)
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
  await meanwhile({ discount: '8' })
  const again = await hal.post(at(4), chosen)
  expect(again.status).toBe(409)
  expect(again.text).not.toContain('1 May 2027')
  expect((await hal.post(at(4), { ...fieldsOf(again.text, at(4)), '_take.lines': 'yours' })).status).toBe(303)
  expect(await now()).toMatchObject({
    wanted_on: '2027-06-01',
    note: 'Ring twice',
    discount: 8,
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

test('a print has what its reader sees, under the letterhead and without anything around it', async () => {
  const { number } = await stored({
    discount: 7,
    lines: [
      { what: 'Chair', pieces: 4, each: '12.50' },
      { what: 'Table', pieces: 1, each: '100.05' },
    ],
  })
  await sue.submit(`/customers/${acorn}/edit`, `/customers/${acorn}/edit`, { phone: '+49 30 1' })
  const note = `/orders/${number}/note`
  expect((await sue.get(`/orders/${number}`)).text).toContain(`<a href="${note}"`)
  const hers = (await sue.get(note)).text
  expect(hers).toContain(`<h1>Delivery note for ${number}</h1>`)
  expect(hers).toContain(`data-foot="Acorn, ${number}"`)
  for (const said of ['9 Mar 2027', '+49 30 1', 'Several lines, less 7 %.', '<h2>For us</h2>', 'Chair'])
    expect(hers).toContain(said)
  const heads = (text: string) => Array.from(text.matchAll(/<th [^>]*scope="col"[^>]*>([^<]*)/g), ([, head]) => head)
  expect(heads(hers)).toEqual(['What', 'Each'])
  expect(hers, 'a sum of what stands there').toMatch(/<tfoot[ >].*€112\.55/)
  for (const around of ['class="side"', 'class="crumbs"', 'action="/-/search"']) expect(hers).not.toContain(around)
  const his = (await hal.get(note)).text
  for (const said of ['Acorn', '9 Mar 2027', 'Chair', 'Ring']) expect(his).toContain(said)
  for (const hidden of ['Discount', '+49', 'Phone', 'Several lines', 'For us']) expect(his).not.toContain(hidden)
  expect((await hal.get('/orders/OR-9999/note')).status).toBe(404)
  expect((await hal.get('/orders/%00/note')).status).toBe(404)
})

test('a duplicate begins with what the record has, its rows included, and is a new record', async () => {
  const made = JSON.parse(
    (
      await sue.json('POST', '/api/v1/order', {
        customer: acorn,
        wanted_on: '2027-03-09',
        note: 'Ring',
        gift: true,
        card_text: 'For you',
        lines: [
          { what: 'Chair', pieces: 4 },
          { what: 'Table', pieces: 1 },
        ],
      })
    ).text,
  ) as { number: string }
  const page = (await sue.get(`/orders/${made.number}`)).text
  const href = `${form}?_copy=${made.number}`
  expect(page).toContain(`href="${href}"`)
  expect((await sue.get('/orders')).text).toContain(`data-href="${form}?_copy={value}"`)
  const copy = await sue.get(href)
  expect(copy.text).toContain(`A copy of ${made.number}: save it to make a new one.`)
  const fields = fieldsOf(copy.text, form)
  expect(fields).toMatchObject({
    customer: acorn,
    wanted_on: '2027-03-09',
    note: 'Ring',
    gift: 'yes',
    card_text: 'For you',
    'lines.0.what': 'Chair',
    'lines.1.what': 'Table',
    'lines.1.pieces': '1',
  })
  expect(Object.keys(fields).filter(name => /^_version|^_was|\.id$|number|state/.test(name))).toEqual([])
  const before = await orders()
  const saved = await sue.post(form, { ...fields, note: 'Ring twice' })
  expect([saved.status, saved.location !== `/orders/${made.number}`, await orders()]).toEqual([303, true, before + 1])
  expect((await sue.get(`/orders/${made.number}`)).text).not.toContain('Ring twice')
  // What is unique cannot be there twice; what is not there, or not for this person, makes an empty form.
  expect(fieldsOf((await sue.get('/customers/new?_copy=no-such')).text, '/customers/new').name).toBe('')
  expect(fieldsOf((await sue.get(`/customers/new?_copy=${acorn}`)).text, '/customers/new').name).toBe('')
})

test('a record that is missing is made on the way and comes back chosen, with everything else as it was left', async () => {
  const page = (await sue.get(form)).text
  expect(page).toMatch(/<button type="submit"[^>]*name="_create"[^>]*>|<button[^>]*value="customer"[^>]*name="_create"/)
  const away = await sue.post(form, { ...fieldsOf(page, form), ...whole, _create: 'customer' })
  expect(away.location).toBe('/customers/new?for=%2Forders%2Fnew%3Fdraft%3D1&field=customer')
  const small = away.location ?? ''
  expect((await sue.get(small)).text).toContain('href="/orders/new?draft=1"')
  expect((await sue.submit(small, small, { name: 'Acorn' })).text).toContain('There is a problem')
  const back = await sue.submit(small, small, { name: 'Cedar & Sons' })
  expect(back.location).toBe('/orders/new?draft=1')
  const again = (await sue.get('/orders/new?draft=1')).text
  const [cedar] = await query<{ id: string }>(sql`select id from customer where name = 'Cedar & Sons'`)
  expect(fieldsOf(again, form)).toMatchObject({ note: 'Ring <twice>', 'lines.0.what': 'Chair', customer: cedar!.id })
  const made = await sue.post(form, fieldsOf(again, form))
  expect((await sue.get(made.location ?? '')).text).toContain('Cedar &amp; Sons')
})

test('the same in a wizard, where it comes back to its page; and nobody makes what they may not', async () => {
  const page = (await sue.get(wizard)).text
  const away = await sue.post(step(1), { ...fieldsOf(page, step(1)), wanted_on: '2027-03-09', _create: 'customer' })
  const back = await sue.submit(away.location ?? '', away.location ?? '', { name: 'Dogwood' })
  expect(back.location).toBe(step(1))
  const again = (await sue.get(step(1))).text
  expect(again).toMatch(/<option value="[^"]+" selected="">Dogwood/)
  expect(fieldsOf(again, step(1))).toMatchObject({ wanted_on: '2027-03-09' })

  const his = (await hal.get(form)).text
  expect(his).not.toContain('_create')
  const refused = await hal.post(form, { ...fieldsOf(his, form), ...whole, _create: 'customer' })
  expect(refused.status, 'it is a form with nothing chosen').toBe(422)
  expect((await hal.get('/customers/new?quick=1')).status).toBe(404)
  for (const bad of ['//evil.example', '/nothing', '/orders/new?draft=1&x=https://evil.example'])
    expect((await sue.get(`/customers/new?${new URLSearchParams({ for: bad, field: 'note' })}`)).text).not.toContain(
      'evil.example',
    )
})

test('the small form is data for a dialog: what it is called by and cannot do without, judged as any other', async () => {
  const small = '/customers/new?quick=1&text=Elm'
  const { view } = JSON.parse((await sue.get(small)).text)
  expect(view.fields.map(({ key, value }: { key: string; value: string }) => [key, value])).toEqual([['name', 'Elm']])
  expect(JSON.stringify(view)).not.toContain('orders.md')
  const hidden = view.hidden.map(({ name, value }: { name: string; value: string }) => [name, value])
  const wrong = await sue.post(small, [...hidden, ['name', 'Acorn']])
  expect(wrong.status).toBe(422)
  expect(JSON.parse(wrong.text).view.fields[0]).toMatchObject({ value: 'Acorn', errors: [{ code: 'NF-UNIQUE' }] })
  const done = JSON.parse((await sue.post(small, [...hidden, ['name', 'Elm']])).text)
  expect(done).toEqual({ option: { value: expect.any(String), label: 'Elm' } })
})

test('rows say what they come to, in the form as it comes and on the page', async () => {
  const made = JSON.parse(
    (
      await sue.json('POST', '/api/v1/order', {
        customer: acorn,
        wanted_on: '2027-03-09',
        lines: [
          { what: 'Chair', pieces: 4, each: '12.50' },
          { what: 'Table', pieces: 1, each: '100.05' },
        ],
      })
    ).text,
  ) as { number: string }
  const feet = (text: string) =>
    Array.from(text.matchAll(/<tfoot[^>]*>([\s\S]*?)<\/tfoot>/g), ([, foot]) =>
      foot!
        .replace(/<[^>]*>/g, '|')
        .replace(/\|+/g, ' ')
        .trim(),
    )
  expect(feet((await sue.get(`/orders/${made.number}`)).text)).toEqual(['Total €112.55 €150.05'])
  const edit = (await sue.get(`/orders/${made.number}/edit`)).text
  expect(feet(edit)).toEqual(['Total €112.55 €150.05'])
  expect(edit).toMatch(/<span class="cellv num">€50\.00<\/span>/)
  expect(edit).not.toContain('name="lines.0.amount"')
})

const confirmations = async (id: string) =>
  (
    await query<{ what: string; confirmed: readonly string[] | null; actor: string | null }>(
      sql`select what, confirmed, actor from ninefold.history where record = ${id}::uuid order by id`,
    )
  ).map(({ what, confirmed, actor }) => [what, confirmed, actor])
test('a rule about rows is asked of each at a step of their record, and its refusal says at which', async () => {
  const made = async (...lines: readonly (readonly [what: string, pieces: number])[]) =>
    JSON.parse(
      (
        await sue.json('POST', '/api/v1/order', {
          customer: acorn,
          wanted_on: '2027-03-09',
          lines: lines.map(([what, pieces]) => ({ what, pieces })),
        })
      ).text,
    ) as { id: string; number: string }
  const sent = async ({ id }: { id: string }) =>
    JSON.parse((await sue.json('POST', `/api/v1/order/${id}/send`, {})).text)
  const many = await made(['Chair', 49], ['Table', 60], ['Unicorn', 1], ['Unicorn', 50])
  expect((await sent(many)).errors).toMatchObject([
    { code: 'E-PARCEL', detail: '60 of Table go into no parcel.', pointer: '/lines/1/pieces' },
    { code: 'E-PARCEL', detail: '50 of Unicorn go into no parcel.', pointer: '/lines/3/pieces' },
  ])
  const rare = await made(['Chair', 1], ['Unicorn', 1], ['Unicorn', 2])
  expect((await sent(rare)).errors).toMatchObject([{ pointer: '/lines/1' }, { pointer: '/lines/2' }])
  const page = `/orders/${many.number}`
  const refused = await sue.submit(page, `${page}/do/send`)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Lines, row 2: 60 of Table go into no parcel.')
  expect(refused.text, 'where it is put right').toMatch(/href="\/orders\/OR-\d+\/edit#lines-1-pieces"/)
  expect((await sent(await made(['Chair', 49]))).state).toBe('Sent')
})

const costly = (discount: string) =>
  input(
    { customer: acorn, wanted_on: '2027-03-09', discount },
    {
      lines: [
        { what: 'Chair', pieces: '1' },
        { what: 'Table', pieces: '1' },
      ],
    },
  )

test('a warning waits for whoever confirms its code, the history keeps it, and the application is not asked', async () => {
  const { runtime, people } = web.run
  const asks = await web.run.as('Sue')
  const confirms = (...codes: readonly string[]) => ({ ...asks, confirmed: new Set(codes) })
  const before = await orders()
  const asked = await create(runtime, asks, 'order', costly('35'))
  expect(asked.kind === 'refused' ? asked.problems : []).toMatchObject([
    { code: 'E-HIGH', field: 'discount', warning: true },
  ])
  expect(codes(await create(runtime, confirms('E-LOST', 'E-TWIN'), 'order', costly('35')))).toEqual(['E-HIGH'])
  // What refuses is not confirmed by its code, and says so beside the warnings.
  const past = { ...costly('35'), values: { ...costly('35').values, wanted_on: '2020-01-01' } }
  expect(codes(await create(runtime, confirms('E-PAST'), 'order', past))).toEqual(['E-PAST', 'E-HIGH'])
  expect(await orders()).toBe(before)

  // Only what would have stopped it counts as confirmed.
  const id = done(await create(runtime, confirms('E-HIGH', 'E-LOST'), 'order', costly('35')))
  expect(await confirmations(id)).toEqual([['create', ['E-HIGH'], people.Sue]])
  const edit = (note: string) => input({ note })
  expect(codes(await change(runtime, asks, 'order', id, null, input({ discount: '36' })))).toEqual(['E-HIGH'])
  const calm = done(await create(runtime, asks, 'order', costly('5')))
  done(await change(runtime, confirms('E-HIGH'), 'order', calm, null, edit('Calm')))
  expect(await confirmations(calm)).toEqual([
    ['create', null, people.Sue],
    ['change', null, people.Sue],
  ])

  // What only the database knows is asked in the same way.
  done(await create(runtime, confirms('E-HIGH'), 'order', costly('41')))
  expect(codes(await create(runtime, confirms('E-HIGH'), 'order', costly('41')))).toEqual(['E-TWIN'])
  const twin = done(await create(runtime, confirms('E-HIGH', 'E-TWIN'), 'order', costly('41')))
  expect(await confirmations(twin)).toEqual([['create', ['E-HIGH', 'E-TWIN'], people.Sue]])

  expect(codes(await takeStep(runtime, asks, 'order', id, 'send', null))).toEqual(['E-LOST'])
  done(await takeStep(runtime, confirms('E-LOST'), 'order', id, 'send', null))
  expect((await confirmations(id))[1]).toEqual(['send', ['E-LOST'], people.Sue])
  expect(codes(await remove(runtime, asks, 'order', twin, null))).toEqual(['E-LOST'])
  done(await remove(runtime, confirms('E-LOST'), 'order', twin, null))
  expect((await confirmations(twin))[1]).toEqual(['delete', ['E-LOST'], people.Sue])

  const timer = await systemRequest(runtime, 'timer', web.run.door())
  const made = done(await create(runtime, timer, 'order', costly('37')))
  expect(await confirmations(made)).toEqual([['create', null, null]])
})

test('a form comes back with the warning and a button that confirms it, and so does the page of a step', async () => {
  const before = await orders()
  const fields = { ...whole, customer: acorn, discount: '33', 'lines.1.what': 'Table', 'lines.1.pieces': '1' }
  const asked = await sue.submit(form, form, fields)
  expect(asked.status).toBe(422)
  expect(asked.text).toContain('Is this meant?')
  expect(asked.text).toContain('Warning: <a href="#discount">That is a lot.</a>')
  // Beside its field it looks like a warning, not like a mistake.
  expect(asked.text).toContain('class="summary wait"')
  expect(asked.text).toMatch(/class="field warned[^"]*"/)
  expect(asked.text).not.toMatch(/id="discount"[^>]*aria-invalid|aria-invalid[^>]*id="discount"/)
  const back = fieldsOf(asked.text, form)
  expect(back).toMatchObject({ discount: '33', note: 'Ring <twice>', 'lines.1.what': 'Table' })
  const button = (text: string) =>
    /<button(?=[^>]*name="_confirm")[^>]*value="([^"]*)"[^>]*>(?:<[^>]*>)*([^<]*)/.exec(text)
  expect(button(asked.text)?.slice(1)).toEqual(['E-HIGH', 'Save anyway'])
  // Saved as before, it asks again; with something wrong, that comes first; a new warning is asked for by itself.
  expect((await sue.post(form, back)).status).toBe(422)
  const wrong = await sue.post(form, { ...back, wanted_on: '2020-01-01' })
  expect([wrong.status, button(wrong.text)]).toEqual([422, null])
  expect(wrong.text).toContain('There is a problem')
  await create(web.run.runtime, { ...(await web.run.as('Sue')), confirmed: new Set(['E-HIGH']) }, 'order', costly('49'))
  const more = await sue.post(form, { ...back, discount: '49', _confirm: 'E-HIGH' })
  expect([more.status, button(more.text)?.[1]]).toEqual([422, 'E-HIGH E-TWIN'])
  expect(await orders()).toBe(before + 1)

  const saved = await sue.post(form, { ...back, _confirm: 'E-HIGH' })
  expect([saved.status, await orders()]).toEqual([303, before + 2])
  const page = saved.location!
  expect((await sue.get(page)).text).toContain('with E-HIGH confirmed')

  const step = await sue.submit(page, `${page}/do/send`)
  expect(step.status).toBe(422)
  expect(step.text).toContain('Its discount of 33 % is lost.')
  expect(button(step.text)?.slice(1)).toEqual(['E-LOST', 'Do it anyway'])
  const sent = await sue.post(`${page}/do/send`, { ...fieldsOf(step.text, `${page}/do/send`), _confirm: 'E-LOST' })
  expect(sent.status).toBe(303)
  const gone = await sue.submit(`${page}/delete`, `${page}/delete`)
  expect([gone.status, button(gone.text)?.[1]]).toEqual([422, 'E-LOST'])
  const deleted = { ...fieldsOf(gone.text, `${page}/delete`), _confirm: 'E-LOST' }
  expect((await sue.post(`${page}/delete`, deleted)).location).toBe('/orders')
})

test('over the API a refusal says what may be confirmed, and how; a wizard asks at its end', async () => {
  const value = {
    customer: acorn,
    wanted_on: '2027-03-09',
    discount: 34,
    lines: [
      { what: 'Chair', pieces: 1 },
      { what: 'Table', pieces: 1 },
    ],
  }
  const asked = await sue.json('POST', '/api/v1/order', value)
  expect([asked.status, JSON.parse(asked.text)]).toMatchObject([
    422,
    { code: 'E-HIGH', confirm: ['E-HIGH'], errors: [{ code: 'E-HIGH', warning: true, pointer: '/discount' }] },
  ])
  const wrong = JSON.parse((await sue.json('POST', '/api/v1/order', { ...value, wanted_on: '2020-01-01' })).text)
  expect([wrong.code, 'confirm' in wrong]).toEqual(['E-PAST', false])
  const confirmed = await sue.json('POST', '/api/v1/order', value, { 'confirm-warnings': 'E-OTHER, E-HIGH' })
  expect(confirmed.status).toBe(201)
  const described = JSON.parse((await sue.get('/api/v1/openapi.json')).text)
  const warned = { $ref: '#/components/parameters/confirmWarnings' }
  expect(described.paths['/api/v1/order'].post.parameters).toContainEqual(warned)
  expect(described.paths['/api/v1/order/{id}/send'].post.parameters).toContainEqual(warned)
  expect(described.paths['/api/v1/customer'].post.parameters).not.toContainEqual(warned)

  expect((await answer(1, { customer: acorn, wanted_on: '2027-03-09', discount: '38' })).location).toBe(step(3))
  const lines = { 'lines.0.what': 'Chair', 'lines.0.pieces': '1', 'lines.1.what': 'Table', 'lines.1.pieces': '1' }
  expect((await answer(3, lines)).location).toBe(step(4))
  const last = await answer(4, {})
  expect(last.status).toBe(422)
  expect(last.text).toContain('value="E-HIGH"')
  expect((await answer(4, { _confirm: 'E-HIGH' })).status).toBe(303)
})

test('while it is filled in, a form may ask whether a value is free: it is told what saving would say, and so often in a minute only', async () => {
  const ask = async (browser: TestBrowser, at: string, fields: Readonly<Record<string, string>>) => {
    const answer = await browser.post(at, { ...fields, _taken: 'yes' }, { accept: 'application/json' })
    return [answer.status, answer.status === 200 ? JSON.parse(answer.text).problems : null]
  }
  const customers = '/customers/new'
  const blank = fieldsOf((await sue.get(customers)).text, customers)
  const before = await query(sql`select id, version from customer`)
  const [status, problems] = await ask(sue, customers, { ...blank, name: 'Acorn' })
  expect([status, problems]).toMatchObject([200, [{ code: 'NF-UNIQUE', name: 'name' }]])
  expect(await ask(sue, customers, { ...blank, name: 'Larch' })).toEqual([200, []])
  expect(await ask(sue, customers, blank)).toEqual([200, []])
  expect(await query(sql`select id, version from customer`)).toEqual(before)
  // Who may not make one is told nothing, and of rows the control is named as it stands in the page.
  expect((await ask(hal, customers, { ...blank, name: 'Acorn' }))[0]).toBe(403)
  const rows = { customer: acorn, wanted_on: '2027-03-09', lines: '' }
  const lines = { 'lines.3.what': 'Chair', 'lines.3.pieces': '1', 'lines.3.serial': 'S-1' }
  const first = await sue.submit(form, form, { ...rows, ...lines })
  expect(first.status).toBe(303)
  const order = fieldsOf((await sue.get(form)).text, form)
  expect(await ask(sue, form, { ...order, ...lines })).toMatchObject([
    200,
    [{ code: 'NF-UNIQUE', name: 'lines.3.serial' }],
  ])
  // The record itself does not stand in its own way.
  const edit = `${first.location}/edit`
  const own = fieldsOf((await sue.get(edit)).text, edit)
  expect(await ask(sue, edit, own)).toEqual([200, []])
  const statuses = new Set<number>()
  for (let count = 0; count < 61; count++) statuses.add((await ask(sue, customers, { ...blank, name: 'Acorn' }))[0])
  expect([...statuses]).toEqual([200, 429])
})

test('a secret is typed, hashed, and never given to anybody', async () => {
  const customers = '/customers/new'
  expect((await sue.get(customers)).text).toMatch(
    /<input[^>]*type="password"[^>]*name="pin"|name="pin"[^>]*type="password"/,
  )
  const short = await sue.submit(customers, customers, { name: 'Oak', pin: 'acorn' })
  expect(short.text).toContain('Pin must have at least 8 characters.')
  await sue.submit(customers, customers, { name: 'Oak', pin: 'correct horse', _keep: 'draft' })
  const [{ pairs } = { pairs: '' }] = await query<{ pairs: string }>(sql`select pairs::text from ninefold.draft`)
  expect([pairs.includes('Oak'), pairs.includes('horse')]).toEqual([true, false])
  expect(fieldsOf(short.text, customers)).toMatchObject({ name: 'Oak', pin: '' })
  expect(short.text).toContain('What was typed is not shown again')
  // Nor is it kept for whoever signs in again.
  const stranger = await web.browser(null)
  expect((await stranger.post(customers, { name: 'Elm', pin: 'correct horse' })).status).toBe(303)
  const [{ form: keptForm } = { form: '' }] = await query<{ form: string }>(sql`select form from ninefold.kept_post`)
  expect(keptForm).toBe('name=Elm')

  await sue.submit(customers, customers, { name: 'Oak', pin: 'correct horse' })
  const stored = async () =>
    (await query<{ id: string; pin: string }>(sql`select id, pin from customer where name like 'Oak%'`))[0]!
  const { id, pin } = await stored()
  const { verify } = passwords(randomBytes)
  expect([await verify('correct horse', pin), await verify('correct house', pin)]).toEqual([true, false])

  const api = `/api/v1/customer/${id}`
  const edit = `/customers/${id}/edit`
  const form = (await sue.get(edit)).text
  expect(form).toContain('Leave it empty to keep what is there.')
  expect(fieldsOf(form, edit)).toMatchObject({ name: 'Oak', pin: '' })
  // Somebody was faster: what was typed is neither in the page nor lost without a word.
  const opened = fieldsOf(form, edit)
  await sue.submit(edit, edit, { name: 'Oaken' })
  const late = await sue.post(edit, { ...opened, name: 'Oak', pin: 'stable horse', _once: 'ab'.repeat(9) })
  expect([late.status, late.text.includes('stable horse')]).toEqual([409, false])
  expect(late.text).toContain('What was typed for Pin is not kept here')
  await sue.submit(edit, edit, { name: 'Oaks' })
  expect((await stored()).pin).toBe(pin)
  // What looks like a hash is a text like any other.
  expect((await sue.json('PATCH', api, { pin })).status).toBe(200)
  expect(await verify(pin, (await stored()).pin)).toBe(true)

  const pages = [api, '/api/v1/customer', '/api/v1/customer?pin=x', '/customers', edit]
  for (const browser of [sue, hal])
    for (const page of pages) expect((await browser.get(page)).text, page).not.toMatch(/argon2|horse/)
  expect(JSON.parse((await sue.get(api)).text)).not.toHaveProperty('pin')
  const told = async (name: string) => {
    const by = { field: 'id', value: id }
    const one = await read(web.run.runtime, await web.run.as(name), { kind: 'one', entity: 'customer', by, history: 9 })
    return one!.history.flatMap(({ changes }) => changes.filter(({ field }) => field === 'pin'))
  }
  const veil = '••••••••'
  expect(await told('Sue')).toEqual([
    { field: 'pin', before: veil, after: veil },
    { field: 'pin', before: null, after: veil },
  ])
  expect(await told('Hal')).toEqual([])
  expect((await hal.json('PATCH', api, { pin: 'another horse' })).status).toBe(403)
  const described = JSON.parse((await sue.get('/api/v1/openapi.json')).text).components.schemas
  expect([described.Customer, described.CustomerChange].map(({ properties }) => properties.pin?.writeOnly)).toEqual([
    undefined,
    true,
  ])
  // Sent again it happens once, and what tells so is as hard to guess as the stored hash.
  const once = { 'idempotency-key': 'order-4711' }
  for (const text of ['white horse', 'white horse'])
    expect((await sue.json('PATCH', api, { pin: text }, once)).status).toBe(200)
  expect((await sue.json('PATCH', api, { pin: 'black horse' }, once)).status).toBe(422)
  const hashes = await query<{ hash: string }>(
    sql`select convert_from(request_hash, 'UTF8') as hash from ninefold.idempotency where key = 'api order-4711'`,
  )
  expect(hashes.map(({ hash }) => hash.slice(0, 20))).toEqual(['$argon2id$v=19$m=194'])
  const [{ all } = { all: '' }] = await query<{ all: string }>(
    sql`select string_agg(h::text, ' ') as all from ninefold.history as h`,
  )
  expect([all.includes('••••••••'), /argon2|horse/.test(all)]).toEqual([true, false])
})

test('what is taken from one’s own record stands in the form before anybody types, in new rows too', async () => {
  const regular = async (customer: string | null, motto: string | null) =>
    web.run.runtime.store.inTransaction(tx =>
      tx.write(sql`update person set regular = ${customer}::uuid, motto = ${motto} where name = 'Sue'`),
    )
  const begins = async (address: string, action = address) => fieldsOf((await sue.get(address)).text, action).customer
  expect([await begins(form), await begins(wizard, step(1))]).toEqual(['', ''])
  await regular(acorn, 'With love')
  try {
    expect([await begins(form), await begins(wizard, step(1))]).toEqual([acorn, acorn])
    const { text } = await sue.submit(form, form, { _add: 'stamps' })
    expect(fieldsOf(text, form)).toMatchObject({ customer: acorn, 'stamps.0.says': 'With love' })
    // Whoever is not them begins with nothing.
    expect(fieldsOf((await hal.get(form)).text, form).customer).toBe('')
    const before = await orders()
    expect((await sue.submit(form, form, { ...whole })).status).toBe(303)
    expect(await orders()).toBe(before + 1)
  } finally {
    await regular(null, null)
  }
})

test('only who may make a row is offered to add one', async () => {
  const adds = async (browser: TestBrowser) =>
    [...(await browser.get('/orders/new')).text.matchAll(/value="(\w+)"[^>]*name="_add"/g)].map(([, list]) => list)
  expect(await adds(sue)).toEqual(['lines', 'stamps'])
  expect(await adds(hal)).toEqual(['lines'])
})

test('rows that may not be changed or taken out are shown, and stay when others are changed', async () => {
  const lines = [
    { what: 'Freight', pieces: '1', packers: (await web.run.as('Hal')).actor.id },
    { what: 'Chair', pieces: '2' },
  ]
  const given = input({ customer: acorn, wanted_on: '2027-03-09' }, { lines })
  const id = done(await create(web.run.runtime, await web.run.as('Sue'), 'order', given))
  const [order] = await query<{ number: string }>(sql`select number from "order" where id = ${id}::uuid`)
  const edit = `/orders/${order!.number}/edit`
  const { text } = await sue.get(edit)
  const removes = [...text.matchAll(/value="(lines\.\d)"/g)].map(([, row]) => row)
  expect(removes).toEqual(['lines.1'])
  expect([text.includes('id="lines-0-what"'), text.includes('id="lines-1-what"')]).toEqual([false, true])
  expect((await sue.post(edit, { ...fieldsOf(text, edit), 'lines.1.pieces': '3' })).status).toBe(303)
  const stored = await query(
    sql`select what, pieces::text as pieces from order_line where "order" = ${id}::uuid order by position`,
  )
  expect(stored).toEqual([
    { what: 'Freight', pieces: '1' },
    { what: 'Chair', pieces: '3' },
  ])
})
