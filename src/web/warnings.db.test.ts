/** Rules that warn: by form, step, deletion and API, and what the history keeps of it. Without scripts. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { systemRequest } from '../run/people/people.ts'
import { codes, done, input, readSound } from '../run/testing.ts'
import { change, create, remove, takeStep } from '../run/write/writes.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let sue: TestBrowser
let acorn: string

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/orders.md')))
  sue = await web.browser('Sue')
  acorn = (await query<{ id: string }>(sql`select id from customer where name = 'Acorn'`))[0]!.id
})
afterAll(() => web?.stop())

const form = '/orders/new'
const whole = {
  wanted_on: '2027-03-09',
  note: 'Ring <twice>',
  'lines.0.what': 'Chair',
  'lines.0.pieces': '4',
}
const query = <Row extends object>(text: ReturnType<typeof sql>) => web.run.runtime.store.query<Row>(text)
const orders = async () => (await query(sql`select id from "order"`)).length
const confirmations = async (id: string) =>
  (
    await query<{ what: string; confirmed: readonly string[] | null; actor: string | null }>(
      sql`select what, confirmed, actor from ninefold.history where record = ${id}::uuid order by id`,
    )
  ).map(({ what, confirmed, actor }) => [what, confirmed, actor])
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

test('over the API a refusal says what may be confirmed, and how', async () => {
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
})
