/** Forms over HTTP without scripts: what a form begins with, records made on the way, rows, values that are taken, secrets; and what is printed. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { passwords } from '../run/people/password.ts'
import { read } from '../run/read/read.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create } from '../run/write/writes.ts'
import { fieldsOf, pagesOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

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
      '\n### Stamp (part of Order)\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| says | text 20 | default my.motto |\n| ink | text 20 | only when says is not empty; required when says = "Fragile" |\n$&',
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
/** A stored order of Acorn. */
const ordered = async (more: Readonly<Record<string, unknown>>) => {
  const made = await sue.json('POST', '/api/v1/order', { customer: acorn, wanted_on: '2027-03-09', ...more })
  return JSON.parse(made.text) as { id: string; number: string }
}
const orders = async () => (await query(sql`select id from "order"`)).length

const wizard = '/order'
const step = (number: number) => `${wizard}?step=${number}`

test('a print has what its reader sees, under the letterhead and without anything around it', async () => {
  const { number } = await ordered({
    note: 'Ring',
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
  const file = /<a [^>]*href="([^"]*_export=pdf)"/.exec(hers)![1]!
  const [onPaper = ''] = await pagesOf(await sue.get(file))
  for (const said of [
    `Delivery note for ${number}`,
    '9 Mar 2027',
    '+49 30 1',
    'Several lines, less 7 %.',
    'For us',
    'Chair',
    '€112.55',
    `Acorn, ${number} 1 / 1`,
  ])
    expect(onPaper).toContain(said)
  const [onHis = ''] = await pagesOf(await hal.get(file))
  for (const hidden of ['Discount', '+49', 'Phone', 'Several lines', 'For us']) expect(onHis).not.toContain(hidden)
  expect((await hal.get('/orders/OR-9999/note?_export=pdf')).status).toBe(404)
  expect((await hal.get('/orders/OR-9999/note')).status).toBe(404)
  expect((await hal.get('/orders/%00/note')).status).toBe(404)
})

test('many are printed from their list: what each reader sees of each, up to a bound', async () => {
  const lines = [{ what: 'Chair', pieces: 1 }]
  const both = [await ordered({ note: 'First', lines }), await ordered({ note: 'Second', lines })]
  const listed = (await sue.get('/orders')).text
  const [, href = ''] = /formAction="(\/-\/print\?screen=[^"]*)"/.exec(listed) ?? []
  const ticked = both.map(({ id }): [string, string] => ['id', id]).toReversed()
  const print = (browser: typeof sue, fields: [string, string][]) =>
    browser.send(href, [['_list', '/orders'], ...fields])
  const paper = await print(sue, ticked)
  const titles = [...paper.text.matchAll(/<h1>([^<]*)/g)].map(([, title]) => title)
  expect([paper.status, titles]).toEqual([200, both.map(({ number }) => `Delivery note for ${number}`).toReversed()])
  expect(paper.text.match(/class="letterhead"/g)).toHaveLength(2)
  expect((await print(hal, ticked)).text).not.toContain('Discount')
  const [, file = ''] = /action="(\/-\/print[^"]*_export=pdf)"/.exec(paper.text)!
  const sheets = await pagesOf(await sue.send(file.replaceAll('&amp;', '&'), ticked))
  expect(sheets.map(sheet => /Delivery note for OR-\d+/.exec(sheet)?.[0])).toEqual(titles)
  expect((await print(sue, [])).status).toBe(422)
  expect((await print(await web.browser(null), ticked)).status).toBe(303)
  await query(sql`insert into "order" (id, number, customer, wanted_on, gift, state, state_since, created_at, changed_at)
    select gen_random_uuid(), 'OR-' || (9000 + n), o.customer, o.wanted_on, o.gift, o.state, o.state_since, o.created_at, o.changed_at
    from generate_series(1, 101) as n, "order" as o where o.number = ${both[0]!.number}`)
  expect((await print(sue, [['_all', 'yes']])).text).toContain('At most 100 records are printed at once.')
  const stored = await query<{ id: string }>(sql`select id from "order" order by number limit 100`)
  const token = await sue.token()
  for (const ids of [ticked, stored.map(({ id }): [string, string] => ['id', id])]) {
    web.statements.length = 0
    const { text } = await sue.post(href, [['_list', '/orders'], ['_csrf', token], ...ids])
    expect(text.match(/class="letterhead"/g)).toHaveLength(ids.length)
    expect(web.statements, 'who asks, which are seen, and all of each').toHaveLength(3)
  }
  await query(sql`delete from "order" where number like 'OR-9___'`)
})

test('a duplicate begins with what the record has, its rows included, and is a new record', async () => {
  const made = await ordered({
    note: 'Ring',
    gift: true,
    card_text: 'For you',
    lines: [
      { what: 'Chair', pieces: 4 },
      { what: 'Table', pieces: 1 },
    ],
  })
  const page = (await sue.get(`/orders/${made.number}`)).text
  const href = `${form}?_copy=${made.number}`
  expect(page).toContain(`href="${href}"`)
  expect((await sue.get('/orders')).text).toContain(`data-href="${form}?_copy={value}"`)
  const copy = await sue.get(href)
  expect(copy.text).toContain(`A copy of Acorn · ${made.number}: save it to make a new one.`)
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

test('what decides about a field is said where no script shows it', async () => {
  const page = (await sue.get(form)).text
  const said = (field: string) =>
    new RegExp(
      `<label for="${field}">.*?<noscript class="hint" id="[^"]*">([^<]*)</noscript>.*?id="${field}"`,
      's',
    ).exec(page)?.[1]
  expect(said('card_text')).toBe('Only if Gift is Yes; needed then.')
  expect(said('discount')).toBe('Not if Gift is Yes.')
  const rows = /<fieldset [^>]*id="stamps".*?<\/fieldset>/s.exec(page)?.[0]
  expect(rows).toContain('<noscript class="hint">Ink: Only if Says is filled in. Needed if Says is Fragile.</noscript>')
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
  const made = await ordered({
    lines: [
      { what: 'Chair', pieces: 4, each: '12.50' },
      { what: 'Table', pieces: 1, each: '100.05' },
    ],
  })
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
  expect(edit).toMatch(/<span class="cellv end">€50\.00<\/span>/)
  expect(edit).not.toContain('name="lines.0.amount"')
})

test('a rule about rows is asked of each at a step of their record, and its refusal says at which', async () => {
  const made = async (...lines: readonly (readonly [what: string, pieces: number])[]) =>
    await ordered({
      lines: lines.map(([what, pieces]) => ({ what, pieces })),
    })
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
  expect(refused.text).toContain('Lines › Table: 60 of Table go into no parcel.')
  expect(refused.text, 'where it is put right').toMatch(/href="\/orders\/OR-\d+\/edit#lines-1-pieces"/)
  expect((await sent(await made(['Chair', 49]))).state).toBe('Sent')
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

  // What was typed into the form of a record that is gone is shown to whoever typed it here, to be copied.
  await query(sql`delete from customer where id = ${id}::uuid`)
  const vain = { ...opened, name: 'Oak & Elm', pin: 'brown horse', _once: 'cd'.repeat(9) }
  const gone = await sue.post(edit, vain)
  expect([gone.status, gone.text.includes('<dd>Oak &amp; Elm</dd>'), gone.text.includes('horse')]).toEqual([
    404,
    true,
    false,
  ])
  expect((await sue.post(edit, vain, { origin: 'https://elsewhere.example' })).text).not.toContain('Elm')
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
