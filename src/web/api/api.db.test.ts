import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { sql } from '../../expression/sql.ts'
import { forgetTraces } from '../../run/people/erase.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

let web: TestWeb
let clerk: TestBrowser
let manager: TestBrowser
let borrower: TestBrowser
let visitor: TestBrowser
let items: readonly string[]

interface Body {
  readonly [key: string]: unknown
}

const read = (text: string) => JSON.parse(text) as Body
const draft = (more: Body = {}) => ({
  out_on: '2026-03-02',
  due_back: '2026-03-05',
  lines: [{ item: items[0] }],
  ...more,
})

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
  const role = async (name: string) => {
    const [row] = await web.run.runtime.store.query<{ name: string }>(sql`
      select name from public.person join ninefold.appointment on appointment.person = person.id where role = ${name} order by name limit 1`)
    return web.browser(row?.name ?? '')
  }
  clerk = await role('Clerk')
  manager = await role('Manager')
  const [{ name } = { name: '' }] = await web.run.runtime.store.query<{ name: string }>(sql`
    select name from public.person where not exists (select from ninefold.appointment where person = person.id) limit 1`)
  borrower = await web.browser(name)
  visitor = await web.browser(null)
  items = (await web.run.runtime.store.query<{ id: string }>(sql`select id from public.item order by tag`)).map(
    ({ id }) => id,
  )
})
afterAll(() => web?.stop())

test('the description is OpenAPI 3.1 for everybody, and every schema in it is one', async () => {
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true })
  // The package is CommonJS: its function is the default's default to TypeScript, and the default itself when it runs.
  const formats = addFormats as unknown as (of: Ajv2020) => void
  formats(ajv)
  // Ajv loses its way in a `$dynamicRef` that is met inside `if` and `unevaluatedProperties`; here it can only lead to one place.
  const schema = parse(readFileSync(join(import.meta.dirname, 'fixtures/openapi-3.1-schema.yaml'), 'utf8')) as object
  const plain = JSON.stringify(schema).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"')
  const validate = ajv.compile(JSON.parse(plain) as object)
  for (const browser of [visitor, borrower, clerk, manager]) {
    const page = await browser.get('/api/v1/openapi.json')
    expect(page.status).toBe(200)
    const document = read(page.text)
    expect([validate(document), validate.errors]).toEqual([true, null])
    const { schemas } = document.components as { schemas: Record<string, object> }
    const whole = new Ajv2020({ strict: false, logger: false })
    formats(whole)
    for (const name of Object.keys(schemas))
      expect(() =>
        whole.compile({
          $id: `x:${browser.url}${name}${Math.random()}`,
          components: { schemas },
          $ref: `#/components/schemas/${name}`,
        }),
      ).not.toThrow()
    const ids = [...page.text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  }
  expect(validate({ openapi: '3.1.0', paths: {} })).toBe(false)
})

test('each sees only what is theirs in the description', async () => {
  const of = async (browser: TestBrowser) =>
    read((await browser.get('/api/v1/openapi.json')).text) as {
      paths: Body
      components: { schemas: Record<string, { properties: Body }> }
    }
  expect((await of(visitor)).paths).toEqual({})
  const [own, desk] = [await of(borrower), await of(clerk)]
  expect(Object.keys(own.components.schemas.Loan!.properties)).not.toContain('total_value')
  expect(Object.keys(desk.components.schemas.Loan!.properties)).toContain('total_value')
  for (const { components } of [own, desk]) expect(JSON.stringify(components)).not.toContain('register_ref')
  expect(Object.keys(own.paths)).toContain('/api/v1/loan/{id}/submit')
  expect(Object.keys(own.paths)).not.toContain('/api/v1/loan/{id}/approve')
})

test('answers are what the description says', async () => {
  const document = read((await clerk.get('/api/v1/openapi.json')).text) as { components: object }
  const ajv = new Ajv2020({ strict: false, logger: false })
  ;(addFormats as unknown as (of: Ajv2020) => void)(ajv)
  ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/)
  const matches = (name: string, value: unknown) => {
    const validate = ajv.compile({ components: document.components, $ref: `#/components/schemas/${name}` })
    expect([validate(value), validate.errors]).toEqual([true, null])
  }
  const made = await clerk.json('POST', '/api/v1/loan', draft({ purpose: 'Words' }))
  expect(made.status).toBe(201)
  matches('Loan', read(made.text))
  for (const loan of read((await clerk.get('/api/v1/loan')).text).data as Body[]) matches('Loan', loan)
  for (const item of read((await clerk.get('/api/v1/item')).text).data as Body[]) matches('Item', item)
  matches('Problem', read((await clerk.json('POST', '/api/v1/loan', {})).text))
  matches('Problem', read((await clerk.get('/api/v1/nope')).text))
})

test('create, read, change, step and delete, with tags', async () => {
  const made = await borrower.json('POST', '/api/v1/loan', draft())
  const path = made.headers.get('location')!
  const loan = read(made.text)
  const tag = made.headers.get('etag')!
  expect([made.status, path]).toEqual([201, `/api/v1/loan/${String(loan.id)}`])
  expect(tag).toMatch(/^"1-/)
  expect(loan).toMatchObject({
    state: 'Draft',
    version: 1,
    due_back: '2026-03-05',
    days: expect.anything() as unknown,
    steps: ['submit'],
  })
  expect((await borrower.get(path, { 'if-none-match': tag })).status).toBe(304)

  const changed = await borrower.json('PATCH', path, { due_back: '2026-03-06' }, { 'if-match': tag })
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2-/)])
  const stale = await borrower.json('PATCH', path, { due_back: '2026-03-07' }, { 'if-match': tag })
  expect([stale.status, stale.headers.get('etag'), read(stale.text).code]).toEqual([412, '"2"', 'NF-STALE'])
  expect((await borrower.json('PATCH', path, { due_back: '2026-03-07', version: 1 })).status).toBe(409)
  expect((await borrower.json('PATCH', path, { due_back: '2026-03-07' }, { 'if-match': 'nonsense' })).status).toBe(400)
  const other = await borrower.json('PATCH', path, { id: 'x', due_back: '2026-03-07' })
  expect([other.status, read(other.text).errors]).toMatchObject([422, [{ code: 'NF-FILLED', pointer: '/id' }]])
  expect((await borrower.json('POST', '/api/v1/loan', draft({ id: loan.id }))).status).toBe(422)
  expect((await borrower.json('POST', `${path}/submit`, undefined, { 'if-match': '"1"' })).status).toBe(412)
  expect(read((await borrower.get(path)).text)).toMatchObject({ due_back: '2026-03-06', version: 2 })

  expect((await borrower.json('DELETE', path, undefined, { 'if-match': '"1"' })).status).toBe(412)
  expect((await borrower.json('DELETE', path, undefined, { 'if-match': '"2"' })).status).toBe(204)
  expect((await borrower.get(path)).status).toBe(404)
})

test('who prefers a minimal answer gets the tag, and the record is not read for it', async () => {
  const little = { prefer: 'respond-async, return=minimal' }
  const made = await borrower.json('POST', '/api/v1/loan', draft(), little)
  const path = made.headers.get('location')!
  expect([made.status, made.headers.get('etag'), made.headers.get('preference-applied')]).toEqual([
    201,
    '"1"',
    'return=minimal',
  ])
  expect(Object.keys(read(made.text))).toEqual(['id'])
  const changed = await borrower.json('PATCH', path, { due_back: '2026-03-06' }, { ...little, 'if-match': '"1"' })
  expect([changed.status, changed.headers.get('etag'), changed.text]).toEqual([204, '"2"', ''])
  expect((await borrower.json('POST', `${path}/submit`, undefined, little)).status).toBe(204)
  expect((await borrower.json('PATCH', path, { due_back: '2026-03-01' }, little)).status).not.toBe(204)
  expect(read((await borrower.get(path)).text)).toMatchObject({ due_back: '2026-03-06', state: 'Requested' })
})

test('a repeat with the same key happens once, at the same moment too; with other content it is refused', async () => {
  const key = { 'idempotency-key': 'order-4711' }
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => borrower.json('POST', '/api/v1/loan', draft(), key)),
  )
  expect(new Set(answers.map(({ status, text }) => `${status} ${String(read(text).id)}`)).size).toBe(1)
  expect((await borrower.json('POST', '/api/v1/loan', draft({ purpose: 'other' }), key)).status).toBe(422)
  expect((await borrower.json('POST', '/api/v1/loan', draft(), { 'idempotency-key': 'ä' })).status).toBe(400)
  expect((await borrower.json('POST', '/api/v1/loan', draft(), { 'idempotency-key': 'x'.repeat(201) })).status).toBe(
    400,
  )
  const others = await clerk.json('POST', '/api/v1/loan', draft(), key)
  expect(read(others.text).id).not.toBe(read(answers[0]!.text).id)
})

test('a repeat gets the first answer, whatever became of the record', async () => {
  const sends = (key: string, content: unknown = draft()) =>
    borrower.json('POST', '/api/v1/loan', content, { 'idempotency-key': key })
  const whole = ({ status, headers, text }: Awaited<ReturnType<typeof sends>>) => [
    status,
    headers.get('location'),
    headers.get('etag'),
    text,
  ]
  const first = await sends('first-1')
  const path = `/api/v1/loan/${read(first.text).id}`
  expect((await borrower.json('POST', `${path}/submit`)).status).toBe(200)
  expect(whole(await sends('first-1'))).toEqual(whole(first))
  const backwards = Object.fromEntries(Object.entries(draft()).reverse())
  expect(whole(await sends('first-1', backwards))).toEqual(whole(first))
  const gone = await sends('first-2')
  expect((await borrower.json('DELETE', `/api/v1/loan/${read(gone.text).id}`)).status).toBe(204)
  expect(whole(await sends('first-2'))).toEqual(whole(gone))
  // What was told of a record goes with what is personal in it.
  const { store } = web.run.runtime
  const id = String(read(gone.text).id)
  const kept = async () =>
    (await store.query(sql`select 1 from ninefold.idempotency where answer ? 'told' and answer ->> 'id' = ${id}`))
      .length
  expect(await kept()).toBe(1)
  await store.inTransaction(tx => forgetTraces(tx, 'loan', id))
  expect(await kept()).toBe(0)
})

test('lists are filtered, sorted and paged without holes', async () => {
  for (let day = 3; day <= 9; day++)
    await borrower.json('POST', '/api/v1/loan', draft({ due_back: `2026-03-0${day}`, purpose: 'paged' }))
  const seen: unknown[] = []
  let after: string | null = null
  do {
    const query = new URLSearchParams({ sort: '-due_back', limit: '3', ...(after === null ? {} : { after }) })
    const page = read((await borrower.get(`/api/v1/loan?${query}`)).text)
    seen.push(...(page.data as Body[]).map(({ due_back }) => due_back))
    after = page.next as string | null
  } while (after !== null)
  expect(seen).toEqual([...seen].sort().reverse())
  expect(seen.length).toBeGreaterThanOrEqual(7)
  const late = read((await borrower.get('/api/v1/loan?due_back.after=2026-03-06&count=yes')).text)
  expect((late.data as Body[]).every(({ due_back }) => String(due_back) > '2026-03-06')).toBe(true)
  const { next } = read((await borrower.get('/api/v1/loan?sort=-due_back&limit=3')).text)
  for (const wrong of [`after=${next}&sort=purpose,due_back`, 'before=x', '_sort=due_back'])
    expect([wrong, (await borrower.get(`/api/v1/loan?${wrong}`)).status]).toEqual([wrong, 400])
  for (const wrong of ['nope=1', 'due_back=never', 'sort=nope', 'limit=0', 'limit=101', 'limit=x', 'register_ref=x'])
    expect([wrong, (await borrower.get(`/api/v1/loan?${wrong}`)).status]).toEqual([wrong, 400])
})

test('a plain filter means equal, whatever the type; every other comparison has its name, and says what it means', async () => {
  const made = await borrower.json('POST', '/api/v1/loan', draft({ purpose: 'equal or not' }))
  const { created_at: moment, number } = read(made.text) as { created_at: string; number: string }
  const found = async (query: Record<string, string>) => {
    const page = await borrower.get(`/api/v1/loan?${new URLSearchParams({ ...query, limit: '100' })}`)
    expect([query, page.status]).toEqual([query, 200])
    return (read(page.text).data as Body[]).some(one => one.number === number)
  }
  expect(await found({ purpose: 'equal or not' })).toBe(true)
  expect(await found({ purpose: 'equal' })).toBe(false)
  expect(await found({ 'purpose.contains': 'equal' })).toBe(true)
  expect(await found({ created_at: moment })).toBe(true)
  // As Python, Java and PostgreSQL write the same moment.
  expect(await found({ created_at: moment.replace('Z', '000+00:00') })).toBe(true)
  expect(await found({ created_at: new Date(Date.parse(moment) + 1).toISOString() })).toBe(false)
  expect(await found({ 'created_at.before': new Date(Date.parse(moment) + 1).toISOString() })).toBe(true)
  expect(await found({ due_back: '2026-03-05' })).toBe(true)
  const described = read((await borrower.get('/api/v1/openapi.json')).text) as {
    paths: Record<string, { get: { parameters: { name: string; description?: string }[] } }>
  }
  const told = new Map(
    described.paths['/api/v1/loan']!.get.parameters.map(({ name, description }) => [name, description]),
  )
  expect(told.get('created_at')).toMatch(/^date and time: exactly this/)
  expect(told.get('purpose.contains')).toMatch(/^long text: with this in it/)
})

test('what records are called that a record names comes in the same call, where it is asked for', async () => {
  await borrower.json('POST', '/api/v1/loan', draft({ purpose: 'named' }))
  const list = read((await borrower.get('/api/v1/loan?purpose=named&with=names')).text).data as {
    id: string
    borrower: string
    _names: Record<string, string>
  }[]
  const [person] = await web.run.runtime.store.query<{ name: string }>(
    sql`select name from public.person where id = ${list[0]!.borrower}::uuid`,
  )
  expect(list[0]!._names).toEqual({ borrower: person!.name })
  const one = read((await borrower.get(`/api/v1/loan/${list[0]!.id}?with=names`)).text) as {
    lines: { item: string; _names: Record<string, string> }[]
  }
  expect(one.lines[0]!._names.item).toMatch(/\w/)
  const further = await borrower.get(`/api/v1/loan?lines.item=${one.lines[0]!.item}&borrower.name.contains=ben`)
  expect((read(further.text).data as { id: string }[]).map(({ id }) => id)).toContain(list[0]!.id)
  const { paths } = read((await borrower.get('/api/v1/openapi.json')).text) as {
    paths: Record<string, { get: object }>
  }
  expect(paths['/api/v1/loan']!.get).toMatchObject({
    description: expect.stringMatching(/`borrower`.*`lines`.*`borrower\.FIELD\.contains`/),
  })
  expect(read((await borrower.get(`/api/v1/loan/${list[0]!.id}`)).text)).not.toHaveProperty('_names')
  for (const path of ['/api/v1/loan?with=all', `/api/v1/loan/${list[0]!.id}?with=all`])
    expect((await borrower.get(path)).status).toBe(400)
})

test('records say when they were created and changed, and lists are sorted and filtered by that', async () => {
  const { now } = web.run
  const ids: unknown[] = []
  for (const millisecond of [2, 1, 3]) {
    web.run.now = new Date(Date.UTC(2026, 2, 2, 9, 0, 0, millisecond))
    ids.push(read((await borrower.json('POST', '/api/v1/loan', draft({ purpose: 'in turn' }))).text).id)
  }
  const from = '2026-03-02T09:00:00.001Z'
  const list = async (query: string) =>
    (read((await borrower.get(`/api/v1/loan?purpose=in turn&${query}`)).text).data as Body[]).map(({ id }) => id)
  expect(await list('sort=created_at')).toEqual([ids[1], ids[0], ids[2]])
  expect(await list('sort=-created_at&limit=2')).toEqual([ids[2], ids[0]])
  expect(await list('created_at.after=2026-03-02T09:00:00.001Z&sort=changed_at')).toEqual([ids[0], ids[2]])
  const at = `/api/v1/loan/${ids[1]}`
  expect(read((await borrower.get(at)).text)).toMatchObject({ created_at: from, changed_at: from })
  web.run.now = new Date('2026-03-02T09:05:00.000Z')
  expect(read((await borrower.json('PATCH', at, { purpose: 'late' })).text)).toMatchObject({
    created_at: from,
    changed_at: '2026-03-02T09:05:00.000Z',
  })
  web.run.now = now
  expect((await borrower.json('PATCH', at, { created_at: from })).status).toBe(422)
  const document = read((await borrower.get('/api/v1/openapi.json')).text) as unknown as {
    components: { schemas: Record<string, { properties: object }> }
  }
  expect(document.components.schemas.Loan!.properties).toMatchObject({ created_at: { format: 'date-time' } })
})

test('methods, types and forms that are not offered are answered as HTTP says', async () => {
  const put = await clerk.json('PUT', '/api/v1/loan', {})
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS'])
  expect((await clerk.get('/api/v1/loan', { accept: 'text/html' })).status).toBe(406)
  expect((await clerk.get('/api/v1/loan', { accept: 'text/html, application/*;q=0.5' })).status).toBe(200)
  expect(
    (await clerk.request('POST', '/api/v1/loan', { headers: { 'content-type': 'application/xml' }, body: '<a/>' }))
      .status,
  ).toBe(415)
  expect(
    (await clerk.request('POST', '/api/v1/loan', { headers: { 'content-type': 'application/json' }, body: '{"a":' }))
      .status,
  ).toBe(400)
  for (const body of [null, 1, 'x', [], [[]], { lines: {} }, { lines: [1] }, { lines: [[]] }])
    expect([body, (await clerk.json('POST', '/api/v1/loan', body)).status]).toEqual([body, 422])
  for (const path of [
    '/api/v1/loan_line',
    '/api/v1/Loan',
    '/api/v1',
    '/api/v1/loan/x',
    '/api/v1/loan/x/y/z',
    '/api/v2/loan',
    '/api/v1/__proto__',
    '/api/v1/constructor',
  ])
    expect([path, (await clerk.get(path)).status]).toEqual([path, 404])
  const nobody = await visitor.get('/api/v1/loan')
  expect([nobody.status, nobody.headers.get('content-type')]).toEqual([401, 'application/problem+json; charset=utf-8'])
  expect((await clerk.request('HEAD', '/api/v1/loan')).status).toBe(200)
  expect((await clerk.request('OPTIONS', '/api/v1/loan')).headers.get('access-control-allow-origin')).toBeNull()
})

test('of names that no field has the first twenty are told, by name, whether one is closed or there is none', async () => {
  const told = async (body: Body) => {
    const { status, text } = await borrower.json('POST', '/api/v1/loan', draft(body))
    return [status, (read(text).errors as Body[]).map(({ pointer }) => pointer)]
  }
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${String(at).padStart(4, '0')}`, 1]))
  expect(await told(many)).toEqual([
    422,
    Object.keys(many)
      .slice(0, 20)
      .map(name => `/${name}`),
  ])
  expect(await told({ total_value: 1, ...many })).toEqual(await told(many))
  expect(await told({ register_ref: 'x', nothing: 1 })).toEqual([422, ['/nothing', '/register_ref']])
  expect(await told({ revision_of: 'x', nothing: 1 })).toEqual([422, ['/nothing', '/revision_of']])
})

test('a problem has no line outside of dev', async () => {
  const serve = await web.another({ mode: 'serve' })
  try {
    const browser = await web.signedIn(web.run.people.Ben!, serve)
    const page = await browser.json('POST', '/api/v1/loan', { due_back: '2026-01-01', out_on: '2026-02-01' })
    expect(page.status).toBe(422)
    expect(page.text).not.toContain('loan-desk.md')
    expect((await browser.get('/loans')).text).not.toMatch(/loan-desk\.md|§\d/)
  } finally {
    await serve.close()
  }
})

test('what the document names tells repetitions of a new record without a header', async () => {
  const app = readSound(loanDesk, text =>
    text.replace(/(## 3[\s\S]*?### Loan \(was Booking\)\n\n)/, '$1- **Once per:** purpose\n\n'),
  )
  const other = await web.another({ served: { ...web.served, runtime: { ...web.served.runtime, app } } })
  try {
    const ben = await web.signedIn(web.run.people.Ben!, other)
    const send = async (more: Body, headers = {}) => {
      const { status, text } = await ben.json('POST', '/api/v1/loan', draft(more), headers)
      return { status, text, id: read(text).id }
    }
    const answers = await Promise.all(Array.from({ length: 4 }, () => send({ purpose: 'Order 4711' })))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(201)
    expect(await send({ purpose: 'Order 4711', due_back: '2026-03-06' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('The same was sent before with other values.'),
    })
    const others = [await send({ purpose: 'Order 4712' }), await send({}), await send({})]
    const keyed = await send({ purpose: 'Order 4711' }, { 'idempotency-key': 'its-own' })
    expect(new Set([answers[0]!, ...others, keyed].map(({ id }) => id)).size).toBe(5)
    // What was refused uses nothing up.
    expect((await send({ purpose: 'Order 4713', due_back: '2026-03-01' })).status).toBe(422)
    expect((await send({ purpose: 'Order 4713' })).status).toBe(201)
  } finally {
    await other.close()
  }
})
