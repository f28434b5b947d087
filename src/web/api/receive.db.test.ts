/** Messages of others: who may send them, what they do, and what repetitions, disorder and mistakes come to. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { done, input, loanDesk, made, readSound } from '../../run/testing.ts'
import { takeStep } from '../../run/write/writes.ts'
import { tidyTraces } from '../sign-in/tidy.ts'
import { startTestWeb, type TestWeb } from '../testing.ts'

let web: TestWeb
const signing = 'a key of both'
const bearer = 'another key of both'

const app = readSound(loanDesk, text =>
  text
    .replace(
      '## 7 The calls it makes',
      `### Item

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Borrower | yes | no | no |
| Manager | yes | yes | yes |

## 7 The calls it makes`,
    )
    .replace(
      '| /loans/{number}/slip | Hand-out slip | Clerk, Manager | TBD |',
      '| /items/{tag} | Item | everyone signed in | one Item |',
    )
    .replace('| retired_on | date |', '| counted_on | date | | |\n| said | json | | |\n| retired_on | date |')
    .replace(
      '| Field | Type | Rules | Meaning |\n| --- | --- | --- | --- |\n| number |',
      '| Field | Type | Rules | Meaning |\n| --- | --- | --- | --- |\n| told_why | text 20 | set by calls only | |\n| number |',
    )
    .replace(
      '### C-2 Tell the asset register',
      `### Receives stock_count

- **About:** Item
- **Found by:** tag
- **Then:** create or change
- **Sign with:** secret STOCK_KEY
- **Once per:** message_id
- **Newest by:** counted_on

| Receive | Into |
| --- | --- |
| tag | tag |
| label | name |
| category | category |
| price | value |
| counted | counted_on |
| details | said |

### Receives priced

- **About:** Item
- **Found by:** tag
- **Sign with:** secret STOCK_KEY

| Receive | Into |
| --- | --- |
| tag | tag |
| price | value |

### Receives retired

- **About:** Item
- **Found by:** tag
- **Key:** secret RETIRED_KEY

| Receive | Into |
| --- | --- |
| tag | tag |
| on | retired_on |

### Receives few

- **About:** Item
- **Found by:** tag
- **Key:** secret RETIRED_KEY
- **At most:** 3

| Receive | Into |
| --- | --- |
| tag | tag |
| on | retired_on |

### Receives as_said

- **About:** Item
- **Found by:** tag
- **Key:** secret RETIRED_KEY
- **At most:** limits.max_items

| Receive | Into |
| --- | --- |
| tag | tag |
| on | retired_on |

### Receives refusal

- **About:** Loan
- **Found by:** number
- **Then:** do decline
- **Key:** secret RETIRED_KEY

| Receive | Into |
| --- | --- |
| loan | number |
| why | told_why |
| from | out_on |

### C-2 Tell the asset register`,
    ),
)

/** Keys that were replaced, and until when they are good. */
let replaced: Record<string, string> = {}
let category: string
let tag = ''
let nth = 0
beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app, {
    variable: name => ({ STOCK_KEY: signing, RETIRED_KEY: bearer, ...replaced })[name],
  })
  const [row] = await web.run.runtime.store.query<{ id: string }>(sql`select id from category limit 1`)
  category = row!.id
})
afterAll(() => web?.stop())
beforeEach(async () => {
  await web.run.runtime.store.query(sql`delete from ninefold.attempt`)
  web.run.now = new Date('2026-03-02T09:00:00.000Z')
  tag = `CA-9${String(++nth).padStart(3, '0')}`
})

const send = async (name: string, body: string, headers: Record<string, string>) => {
  const response = await fetch(`${web.url}/api/v1/-/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const signed = (body: string, seconds = web.run.now.getTime() / 1000, key = signing) => ({
  'ninefold-signature': `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`,
})
const count = (values: Record<string, unknown>) =>
  JSON.stringify({
    message_id: `m-${tag}`,
    tag,
    label: 'Camera',
    category,
    price: '10.00',
    counted: '2026-01-10',
    ...values,
  })
const stock = (values: Record<string, unknown> = {}) => send('stock_count', count(values), signed(count(values)))
const items = () =>
  web.run.runtime.store.query<{ id: string; name: string; version: string; value: string; retired_on: string | null }>(
    sql`select id, name, version, value, retired_on from item where tag = ${tag}`,
  )

test('a message creates, the next one changes, and both say so in the history', async () => {
  expect((await stock()).status).toBe(200)
  const [item] = await items()
  expect(item).toMatchObject({ name: 'Camera', version: '1' })
  const second = { message_id: `${tag}-2`, label: 'Better camera', counted: '2026-01-11' }
  expect(JSON.parse((await stock(second)).text)).toEqual({ id: item!.id, version: 2 })
  expect(await items()).toMatchObject([{ name: 'Better camera', version: '2' }])
  const told = await web.run.runtime.store.query(
    sql`select what, system, actor from ninefold.history where record = ${item!.id} order by version`,
  )
  expect(told).toEqual([
    { what: 'create', system: 'receive stock_count', actor: null },
    { what: 'change', system: 'receive stock_count', actor: null },
  ])
})

test('a number too large for JavaScript tells repetitions by all its digits', async () => {
  const sent = (id: string, counted: string) => {
    const body = count({ message_id: 0, label: counted, counted }).replace('"message_id":0', `"message_id":${id}`)
    return send('stock_count', body, signed(body))
  }
  const statuses = []
  for (const [id, counted] of [
    ['12345678901234567890', '2026-01-10'],
    ['12345678901234567891', '2026-01-11'],
    ['12345678901234567891', '2026-01-12'],
  ] as const)
    statuses.push((await sent(id, counted)).status)
  expect(statuses).toEqual([200, 200, 422])
  expect(await items()).toMatchObject([{ name: '2026-01-11' }])
})

test('what is JSON is kept as it came, given as it is, shown as text, and written by nobody else', async () => {
  const details = { shelf: ['A', { deep: '<b>\u0000 & more' }], count: 1e-7, none: null }
  expect((await stock({ details })).status).toBe(200)
  const kept = { ...details, shelf: ['A', { deep: '<b> & more' }] }
  const [item] = await items()
  const stored = await web.run.runtime.store.query(
    sql`select said, jsonb_typeof(said) as type from item where tag = ${tag}`,
  )
  expect(stored).toEqual([{ said: kept, type: 'object' }])
  // The same once more is no change.
  await stock({ details, counted: '2026-01-11', message_id: `m2-${tag}` })
  const told = await web.run.runtime.store.query<{ changes: object }>(
    sql`select changes from ninefold.history where record = ${item!.id} and version = 2`,
  )
  expect(Object.keys(told[0]!.changes)).toEqual(['counted_on'])
  const mia = await web.browser('Mia')
  const one = `/api/v1/item/${item!.id}`
  expect(JSON.parse((await mia.get(one)).text)).toMatchObject({ said: kept })
  const { version } = JSON.parse((await mia.get(one)).text)
  for (const body of [{ said: { a: 1 } }, { said: null }]) {
    const refused = await mia.json('PATCH', one, { version, ...body })
    expect([refused.status, refused.text.includes('NF-FIXED')], refused.text).toEqual([422, true])
  }
  const list = await mia.get('/api/v1/item?said=x')
  expect(list.status).toBe(400)
  const page = (await mia.get(`/items/${tag}`)).text
  expect(page).toContain('<pre><code>{\n  &quot;none&quot;: null,')
  expect(page).toContain('&quot;deep&quot;: &quot;&lt;b&gt; &amp; more&quot;')
  expect((await mia.get(`/items/${tag}/edit`)).text).not.toContain('name="said"')
  const description = JSON.parse((await mia.get('/api/v1/openapi.json')).text).components.schemas
  expect([description.Item.properties.said, description.ItemCreate.properties.said]).toEqual([
    { description: 'Any JSON.' },
    undefined,
  ])
})

test('a repetition gets the same answer and changes nothing; the same key with something else is refused', async () => {
  const [first, second] = [await stock(), await stock()]
  expect(second).toMatchObject({ status: 200, text: first.text })
  expect(await items()).toMatchObject([{ version: '1' }])
  expect((await stock({ label: 'Other' })).status).toBe(422)
})

test('a repetition may say more that no row takes, and write the same values in another way', async () => {
  const first = await stock({ details: { size: 1, parts: [1] }, attempt: 1 })
  const again: readonly Record<string, unknown>[] = [
    { attempt: 2 },
    { price: 10 },
    { price: '10.0', label: ' Camera ' },
  ]
  for (const values of again) {
    const one = await stock({ details: { size: 1, parts: [1] }, ...values })
    expect(one, JSON.stringify(values)).toMatchObject({ status: 200, text: first.text })
  }
  expect(await items()).toMatchObject([{ version: '1', value: '10.00' }])
  for (const values of [{ price: '10.01' }, { price: 'ten' }, { counted: null }])
    expect((await stock({ details: { size: 1, parts: [1] }, ...values })).status, JSON.stringify(values)).toBe(422)
})

test('twenty at the same moment make one record', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, (_, one) => stock({ message_id: `${tag}-${one}` })))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await items()).toMatchObject([{ version: '1' }])
})

test('what comes late changes nothing', async () => {
  await stock({ counted: '2026-01-20', label: 'New' })
  expect((await stock({ message_id: `${tag}-2`, counted: '2026-01-19', label: 'Old' })).status).toBe(200)
  expect(await items()).toMatchObject([{ name: 'New', version: '1' }])
})

test('a signed message is taken once, whatever comes with it and wherever it is sent', async () => {
  await stock()
  const priced = (price: string) => JSON.stringify({ tag, price })
  const [first, second] = [priced('11.00'), priced('12.00')]
  const heads = signed(first)
  const taken = await send('priced', first, heads)
  expect((await send('priced', second, signed(second))).status).toBe(200)
  for (const more of [{}, { 'idempotency-key': 'another' }, { 'idempotency-key': 'a-third', 'x-more': '1' }])
    expect(await send('priced', first, { ...heads, ...more })).toMatchObject({ status: 200, text: taken.text })
  expect(await items()).toMatchObject([{ value: '12.00', version: '3' }])
  expect((await send('stock_count', first, heads)).status).toBe(422)
  // A moment later it is another message, and the document does not say how to tell that it is old.
  const again = signed(first, web.run.now.getTime() / 1000 + 1)
  expect((await send('priced', first, again)).status).toBe(200)
  expect(await items()).toMatchObject([{ value: '11.00', version: '4' }])
})

test('ten of one signed message at the same moment are one', async () => {
  await stock()
  const body = JSON.stringify({ tag, price: '21.00' })
  const heads = signed(body)
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, one) => send('priced', body, { ...heads, 'idempotency-key': `k${tag}${one}` })),
  )
  expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(await items()).toMatchObject([{ value: '21.00', version: '2' }])
})

test('a signed message that was refused may be sent again', async () => {
  const body = JSON.stringify({ tag, price: '31.00' })
  const heads = signed(body)
  expect((await send('priced', body, heads)).status).toBe(404)
  await stock()
  expect((await send('priced', body, heads)).status).toBe(200)
  expect(await items()).toMatchObject([{ value: '31.00' }])
})

test('the second signature covers address and key', async () => {
  await stock()
  const body = JSON.stringify({ tag, price: '41.00' })
  const seconds = web.run.now.getTime() / 1000
  const full = (path: string, key: string, text = body) => {
    const sent = `${seconds}\nPOST /api/v1/-/${path}\n${key}\n${text}`
    return { 'ninefold-signature-2': `t=${seconds},v2=${createHmac('sha256', signing).update(sent).digest('hex')}` }
  }
  const given = { 'idempotency-key': `k-${tag}` }
  const wrong = [
    { ...full('priced', `k-${tag}`), 'idempotency-key': 'other' },
    full('priced', `k-${tag}`),
    { ...full('stock_count', `k-${tag}`), ...given },
    { ...full('priced', `k-${tag}`, `${body} `), ...given },
    { 'ninefold-signature-2': signed(body)['ninefold-signature'], ...given },
    // What is right in the first one does not help.
    { ...signed(body), ...full('priced', 'other'), ...given },
  ]
  for (const headers of wrong) expect((await send('priced', body, headers)).status).toBe(401)
  const right = { ...full('priced', `k-${tag}`), ...given }
  expect((await send('priced', body, right)).status).toBe(200)
  const later = JSON.stringify({ tag, price: '42.00' })
  expect((await send('priced', later, full('priced', '', later))).status).toBe(200)
  // Taken, it is not taken by the first signature either.
  expect((await send('priced', body, signed(body))).status).toBe(200)
  expect(await items()).toMatchObject([{ value: '42.00', version: '3' }])
})

test('nobody without the key is let in, and what is signed is not old', async () => {
  const body = count({})
  const now = web.run.now.getTime() / 1000
  const wrong = [
    {},
    { authorization: `Bearer ${signing}` },
    signed(body, now, 'wrong'),
    signed(`${body} `),
    signed(body, now - 301),
    signed(body, now + 301),
    { 'ninefold-signature': signed(body)['ninefold-signature'].replace('v1=', 'v1=0') },
  ] as Record<string, string>[]
  for (const headers of wrong) expect((await send('stock_count', body, headers)).status).toBe(401)
  expect(JSON.parse((await send('stock_count', body, {})).text)).toMatchObject({
    title: 'Unauthorized',
    detail: 'The signature is missing, wrong or too old.',
  })
  expect(await items()).toEqual([])
  expect((await send('stock_count', body, signed(body, now - 299))).status).toBe(200)
  // A key that was replaced is good until its end.
  const before = async (until: string | null) => {
    replaced = { STOCK_KEY_OLD: 'before', ...(until === null ? {} : { STOCK_KEY_OLD_UNTIL: until }) }
    const other = count({ message_id: `${tag}-${until}` })
    return (await send('stock_count', other, signed(other, now, 'before'))).status
  }
  const soon = new Date(web.run.now.getTime() + 1000).toISOString()
  expect([await before(null), await before('soon'), await before(web.run.now.toISOString())]).toEqual([401, 401, 401])
  expect(await before(soon)).toBe(200)
  expect((await send('stock_count', body, signed(body))).status).toBe(200)
  replaced = {}
  // A session is no key either.
  const mia = await web.browser('Mia')
  expect((await mia.json('POST', '/api/v1/-/retired', { tag, on: '2026-02-01' })).status).toBe(401)
})

test('a key is enough where the document says so', async () => {
  await stock()
  const body = JSON.stringify({ tag, on: '2026-02-01' })
  expect((await send('retired', body, { authorization: 'Bearer wrong' })).status).toBe(401)
  expect((await send('retired', body, { authorization: `Bearer ${bearer}` })).status).toBe(200)
  expect(await items()).toMatchObject([{ retired_on: '2026-02-01' }])
  const unknown = JSON.stringify({ tag: 'CA-0000', on: '2026-02-01' })
  expect((await send('retired', unknown, { authorization: `Bearer ${bearer}` })).status).toBe(404)
})

test('a message takes a step, and what it maps into fields is written with it', async () => {
  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const values = input({ out_on: '2026-03-02', due_back: '2026-03-09' }, { lines: [{ item: item!.id }] })
  const id = await made(web.run, 'Ben', 'loan', values)
  done(await takeStep(web.run.runtime, await web.run.as('Ben'), 'loan', id, 'submit', null))
  const [{ number }] = (await web.run.runtime.store.query<{ number: string }>(
    sql`select number from loan where id = ${id}`,
  )) as [{ number: string }]
  const sent = (why = 'Too late', from: unknown = '2026-03-03') =>
    send('refusal', JSON.stringify({ loan: number, why, from }), { authorization: `Bearer ${bearer}` })
  const stored = () =>
    web.run.runtime.store.query(sql`select state, told_why, out_on::text, version from loan where id = ${id}`)
  const [before] = await stored()
  expect([(await sent('Far too long for this field')).status, (await sent('Too late', null)).status]).toEqual([
    422, 422,
  ])
  expect(await stored()).toEqual([before])
  expect((await sent()).status).toBe(200)
  expect(await stored()).toEqual([
    { state: 'Declined', told_why: 'Too late', out_on: '2026-03-03', version: String(Number(before!.version) + 1) },
  ])
  expect((await sent()).status).toBe(409)
})

test.each([
  [{ price: 'much' }, 422],
  [{ counted: '2026-13-01' }, 422],
  [{ label: null }, 422],
  [{ tag: { $ne: null } }, 422],
  [{ tag: null }, 404],
  [{ message_id: undefined }, 422],
  [{ message_id: {} }, 422],
] as const)('what does not fit is refused with what is wrong: %j', async (values, status) => {
  const { status: given, headers } = await stock(values)
  expect([given, headers.get('content-type')]).toEqual([status, expect.stringContaining('problem+json')])
  expect(await items()).toEqual([])
})

test('what no row takes is not looked at', async () => {
  expect((await stock({ retired_on: '2020-01-01', id: 'x', version: 9, __proto__: { name: 'x' } })).status).toBe(200)
  expect(await items()).toMatchObject([{ retired_on: null, version: '1' }])
})

test('what was refused is listed for those who look after it, without what it said', async () => {
  const { store } = web.run.runtime
  await store.query(sql`delete from ninefold.refused`)
  const id = 'CA-7777 <b>secret</b>'
  await stock({ tag: null })
  await stock({ price: 'much', label: id })
  await send('stock_count', count({ label: id }), {})
  const unknown = JSON.stringify({ tag: 'CA-0000', on: '2026-02-01' })
  const { text } = await send('retired', unknown, { authorization: `Bearer ${bearer}` })
  const mia = await web.browser('Mia')
  const page = (await mia.get('/-/unsent')).text
  for (const words of [
    '422, NF-',
    '404, NF-NOT-FOUND',
    'The signature is missing, wrong or too old.',
    JSON.parse(text).request,
  ])
    expect(page).toContain(words)
  expect(page).not.toContain('secret')
  expect((await (await web.browser('Ben')).get('/-/unsent')).status).toBe(404)
  await store.query(sql`insert into ninefold.refused (id, at, name, stranger, status, codes, words, request)
    select gen_random_uuid(), ${web.run.now}, 'stock_count', true, 401, '{}', 'x', 'r' || n from generate_series(1, 150) as n`)
  await send('stock_count', 'x'.repeat(2000), {})
  const left = await store.query(
    sql`select stranger, count(*)::text from ninefold.refused where name = 'stock_count' group by 1 order by 1`,
  )
  expect(left).toEqual([
    { stranger: false, count: '2' },
    { stranger: true, count: '100' },
  ])
  await tidyTraces(store, new Date(web.run.now.getTime() + 31 * 86_400_000))
  expect(await store.query(sql`select from ninefold.refused`)).toEqual([])
})

test('a list of messages is taken one by one, and one that is refused holds up no other', async () => {
  const one = (values: object) => ({ ...JSON.parse(count({})), ...values })
  const [first, third] = [`CB-${1000 + nth}`, `CC-${1000 + nth}`]
  const all = [
    one({ tag: first, message_id: 'l1' }),
    one({ tag: first, label: null, message_id: 'l2', counted: '2026-03-05' }),
    'no message',
    one({ tag: third, message_id: 'l3' }),
  ]
  const body = JSON.stringify(all)
  const headers = signed(body)
  const { status, text } = await send('stock_count', body, headers)
  const told = (answer: string) => (JSON.parse(answer).messages as { status: number }[]).map(message => message.status)
  expect([status, told(text)]).toEqual([207, [200, 422, 422, 200]])
  const store = web.run.runtime.store
  const there = () => store.query(sql`select tag from item where tag in (${first}, ${third}) order by tag`)
  expect(await there()).toEqual([{ tag: first }, { tag: third }])
  expect((await store.query(sql`select from ninefold.refused`)).length).toBe(2)
  // Repeated as it is, and signed anew: each is known again.
  expect((await send('stock_count', body, headers)).status).toBe(207)
  web.run.now = new Date(web.run.now.getTime() + 1000)
  expect(told((await send('stock_count', body, signed(body))).text)).toEqual([200, 422, 422, 200])
  expect(await store.query(sql`select version from item where tag in (${first}, ${third})`)).toEqual([
    { version: '1' },
    { version: '1' },
  ])
  const few = (n: number) => send('few', JSON.stringify(Array(n).fill({})), { authorization: `Bearer ${bearer}` })
  expect([(await few(0)).status, (await few(4)).status]).toEqual([422, 422])
  await store.query(sql`delete from ninefold.refused`)
})

test('only what the document receives has an address, and only for POST', async () => {
  expect((await send('nothing', '{}', {})).status).not.toBe(200)
  const get = await fetch(`${web.url}/api/v1/-/stock_count`)
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
})

test('a document says how many are taken in a minute, also by a constant that somebody may change', async () => {
  web.run.now = new Date('2026-03-04T09:00:30.000Z')
  const headers = { authorization: `Bearer ${bearer}` }
  const taken = async (name: string) => {
    const all = await Promise.all(Array.from({ length: 12 }, () => send(name, 'no JSON', headers)))
    return all.filter(({ status }) => status === 400).length
  }
  expect([await taken('few'), await taken('as_said')]).toEqual([3, 6])
})

test('more than so many in a minute have to wait', async () => {
  web.run.now = new Date('2026-03-03T09:00:30.000Z')
  const headers = { authorization: `Bearer ${bearer}` }
  const statuses: number[] = []
  for (let one = 0; one < 610; one += 10) {
    const ten = await Promise.all(Array.from({ length: 10 }, () => send('retired', 'no JSON', headers)))
    statuses.push(...ten.map(({ status }) => status))
  }
  expect(statuses.filter(status => status === 429)).toHaveLength(10)
  web.run.now = new Date('2026-03-03T09:01:00.000Z')
  expect((await send('retired', 'no JSON', headers)).status).toBe(400)
})

test('the description of the API says it to those who see what it is about', async () => {
  const pathsFor = async (name: string | null) => {
    const { text } = await (await web.browser(name)).get('/api/v1/openapi.json')
    return (JSON.parse(text) as { paths: Record<string, { post?: Record<string, unknown> }> }).paths
  }
  expect((await pathsFor('Mia'))['/api/v1/-/stock_count']?.post).toMatchObject({
    security: [{ senderSignature: [] }],
    requestBody: {
      content: {
        'application/json': { schema: { oneOf: [{ properties: { label: {}, message_id: {} } }, { type: 'array' }] } },
      },
    },
  })
  expect(Object.keys(await pathsFor(null)).filter(path => path.startsWith('/api/v1/-/'))).toEqual([])
})
