import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readOptions } from '../run/read/options.ts'
import { readSound } from '../run/testing.ts'
import { removeForGood } from '../run/write/writes.ts'
import { planMigration } from '../store/migrate.ts'
import { fieldsOf, multipart, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ben: TestBrowser
let rea: TestBrowser
let town: string
const app = (edit: (text: string) => string = text => text) =>
  readSound(join(import.meta.dirname, 'fixtures/suppliers.md'), edit)

const body = ({ text }: { text: string }) => JSON.parse(text)
const make = async (entity: string, values: object) => body(await ben.json('POST', `/api/v1/${entity}`, values))
const names = async (browser: TestBrowser, query = '') =>
  (body(await browser.get(`/api/v1/supplier?${query}`)).data as { name: string }[]).map(({ name }) => name).sort()
const figures = async () => {
  const { suppliers, contacts, put_aside } = body(await ben.get(`/api/v1/city/${town}`))
  return [suppliers, contacts, put_aside]
}
const timers = async (id: string) =>
  (await web.run.runtime.store.query(sql`select from ninefold.timer where record = ${id}::uuid`)).length

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app(), { variable: () => 'a key of both' })
  const [buyer, reader] = Object.keys(web.run.people) as [string, string]
  ben = await web.browser(buyer)
  rea = await web.browser(reader)
  town = (await make('city', { name: 'Kiel' })).id
})
afterAll(() => web?.stop())

test('what is deleted is put aside everywhere, stays where it was named, and comes back with its rows', async () => {
  const acme = await make('supplier', { name: 'Acme', vat: 'DE1', city: town, contacts: [{ phone: '1' }] })
  const bolt = await make('supplier', { name: 'Bolt', vat: 'DE2', city: town })
  const order = await make('order', { supplier: acme.id, others: [acme.id] })
  // What a step is refused with stands beside its closed button, too; its address is written with either line.
  expect((await ben.get('/suppliers/Acme')).text).toContain('First somebody has to look at it.')
  for (const step of ['look-at', 'look_at'])
    expect(body(await ben.json('POST', `/api/v1/supplier/${acme.id}/${step}`, {})).code).toBe('E-LOOK')
  const both = await make('order', { supplier: bolt.id, others: [bolt.id, acme.id] })
  expect(await figures()).toEqual([2, 1, 0])
  expect(await timers(acme.id)).toBe(1)
  const at = `/api/v1/supplier/${acme.id}`

  // Whoever may not delete may not archive.
  expect((await rea.json('DELETE', at)).status).toBe(403)
  expect((await ben.json('DELETE', at)).status).toBe(204)
  expect((await ben.json('DELETE', at)).status).toBe(409)
  expect(await names(ben)).toEqual(['Bolt'])
  expect(await names(ben, 'q=Acme')).toEqual([])
  expect(await names(ben, 'archived=only')).toEqual(['Acme'])
  expect((await rea.get('/api/v1/supplier?archived=only')).status).toBe(400)
  expect((await ben.get('/api/v1/supplier?archived=yes')).status).toBe(400)
  expect((await ben.get('/api/v1/order?archived=only')).status).toBe(400)
  expect(await figures()).toEqual([1, 0, 1])
  expect(await timers(acme.id)).toBe(0)

  // Whoever sees it goes on seeing it, and what names it; nothing is done with it, and nothing new names it.
  expect(body(await rea.get(at))).toMatchObject({ name: 'Acme', contacts: [{ phone: '1' }], steps: [] })
  expect(body(await rea.get(at)).archived_at).toMatch(/^2026/)
  for (const [method, path, sent] of [
    ['PATCH', at, { vat: 'X' }],
    ['POST', `${at}/approve`, {}],
  ] as const)
    expect([method, body(await ben.json(method, path, sent)).code]).toEqual([method, 'NF-ARCHIVED'])
  expect(body(await ben.json('POST', '/api/v1/order', { supplier: acme.id })).errors).toMatchObject([
    { code: 'NF-NO-RECORD' },
  ])
  expect((await rea.json('PATCH', `/api/v1/order/${order.id}`, { note: 'x', supplier: acme.id })).status).toBe(200)
  expect(body(await ben.get(at)).reminded).toBe(10)
  const [buyer] = Object.keys(web.run.people) as [string]
  const options = { entity: 'order', field: 'supplier', search: null, limit: 9 }
  const offered = await readOptions(web.run.runtime, await web.run.as(buyer), options)
  expect(offered.options.map(({ label }) => label)).toEqual(['Bolt'])
  const named = (await rea.get(`/orders/${order.number}`)).text
  expect(named).toContain('Acme (archived)')
  expect((await rea.get(`/orders/${both.number}`)).text).toContain('Acme (archived), Bolt')
  expect(named).toContain('href="/suppliers/Acme"')
  const form = (await rea.get(`/orders/${order.number}/edit`)).text
  const fields = fieldsOf(form, `/orders/${order.number}/edit`)
  expect([fields.supplier, fields.others]).toEqual([acme.id, acme.id])
  const saved = await rea.post(`/orders/${order.number}/edit`, { ...fields, note: 'y' })
  expect(saved.status).toBe(303)
  expect(body(await rea.get(`/api/v1/order/${order.id}`))).toMatchObject({
    supplier: acme.id,
    others: [acme.id],
    note: 'y',
  })
  expect((await rea.get('/put-aside')).text).toContain('Acme')
  const page = (await rea.get('/suppliers/Acme')).text
  expect(page).toMatch(/Archived on [^<]* by /)
  expect(page).not.toContain('/restore')

  const described = async (browser: TestBrowser) => Object.keys(body(await browser.get('/api/v1/openapi.json')).paths)
  expect(await described(ben)).toContain('/api/v1/supplier/{id}/restore')
  expect(await described(rea)).not.toContain('/api/v1/supplier/{id}/restore')

  // Something took its place meanwhile.
  const third = await make('supplier', { name: 'Coil', vat: 'DE1', city: town })
  expect((await make('supplier', { name: 'Acme' })).errors).toMatchObject([{ code: 'NF-UNIQUE-ARCHIVED' }])
  const codesOf = async () =>
    body(await ben.json('POST', `${at}/restore`, {})).errors.map(({ code }: { code: string }) => code)
  expect(await codesOf()).toEqual(['NF-UNIQUE'])
  expect((await ben.json('PATCH', `/api/v1/supplier/${third.id}`, { vat: 'DE3' })).status).toBe(200)
  expect(await codesOf()).toEqual(['E-FULL'])
  expect((await rea.json('POST', `${at}/restore`, {})).status).toBe(403)
  expect((await ben.json('PATCH', `/api/v1/supplier/${third.id}`, { city: null })).status).toBe(200)
  expect(body(await ben.json('POST', `${at}/restore`, {}))).toMatchObject({ name: 'Acme', archived_at: null })
  expect(body(await ben.json('POST', `${at}/restore`, {})).code).toBe('NF-NOT-ARCHIVED')
  expect(await figures()).toEqual([2, 1, 0])
  expect(await timers(acme.id)).toBe(1)
})

test('what another record refuses names it, with a way there', async () => {
  const order = await make('order', { supplier: (await make('supplier', { name: 'Drum' })).id })
  await web.run.runtime.store.query(sql`update supplier set reminded = 60 where name = 'Drum'`)
  const at = `/orders/${order.number}/edit`
  const refused = await ben.post(at, { ...fieldsOf((await ben.get(at)).text, at), note: 'Soon' })
  const href = `/-/record?entity=supplier&amp;id=${order.supplier}`
  expect(refused.text).toMatch(
    new RegExp(`<strong>That is enough\\.</strong> <a href="${href.replaceAll('?', '\\?')}">Drum</a>`),
  )
  expect((await ben.get(href.replace('&amp;', '&'))).location).toBe('/suppliers/Drum')
  expect(body(await ben.json('PATCH', `/api/v1/order/${order.id}`, { note: 'Soon' })).errors).toMatchObject([
    { code: 'E-ENOUGH', of: { entity: 'supplier', id: order.supplier, title: 'Drum' } },
  ])
  expect((await ben.json('DELETE', `/api/v1/supplier/${order.supplier}`)).status).toBe(204)
})

test('pages archive and bring back without scripts, and say so in the timeline', async () => {
  const list = (await ben.get('/suppliers')).text
  expect(list).toContain('name="archived"')
  expect((await rea.get('/suppliers')).text).not.toContain('name="archived"')
  const asked = (await rea.get('/suppliers?archived=only')).text
  expect(asked).toContain('archived=only')
  expect(asked).toContain('Bolt')
  const asks = (await ben.get('/suppliers/Bolt/delete')).text
  expect(asks).toContain('Archive Supplier Bolt?')
  const gone = await ben.post('/suppliers/Bolt/delete', fieldsOf(asks, '/suppliers/Bolt/delete'))
  expect([gone.status, gone.location]).toEqual([303, '/suppliers'])
  expect((await ben.get('/suppliers?archived=only')).text).toContain('Bolt')
  expect((await rea.get('/suppliers/Bolt/restore')).status).toBe(404)
  expect((await ben.get('/suppliers/Bolt/restore')).text).not.toContain('href="/suppliers/Bolt/restore"')
  const page = (await ben.get('/suppliers/Bolt')).text
  expect(page).not.toContain('/suppliers/Bolt/edit')
  expect((await ben.get('/suppliers/Bolt/edit')).status).toBe(404)
  const back = await ben.post('/suppliers/Bolt/restore', fieldsOf(page, '/suppliers/Bolt/restore'))
  expect([back.status, back.location]).toEqual([303, '/suppliers/Bolt'])
  const after = (await ben.get('/suppliers/Bolt')).text
  expect(after).toContain('archived it')
  expect(after).toContain('restored it')
  expect((await ben.get('/suppliers/Bolt/restore')).status).toBe(404)
})

test('no emergency, message or file changes what is archived', async () => {
  const { id } = await make('contract', { code: 'K-1', pieces: 4 })
  const at = `/api/v1/contract/${id}`
  expect((await ben.json('DELETE', at)).status).toBe(204)

  // In an emergency it is read, and no more than that.
  expect((await rea.get(at)).status).toBe(404)
  const opened = await rea.json('POST', '/api/v1/contract/emergency', { record: 'K-1', reason: 'who supplies us?' })
  expect(opened.status).toBe(201)
  expect(body(await rea.get(at))).toMatchObject({ pieces: 4, archived_at: expect.any(String) })
  expect((await rea.get('/contracts/K-1')).text).toContain('Archived on')
  for (const [method, path] of [
    ['PATCH', at],
    ['DELETE', at],
    ['POST', `${at}/restore`],
  ] as const)
    expect([method, (await rea.json(method, path, {})).status < 400]).toEqual([method, false])

  const sent = await fetch(`${web.url}/api/v1/-/pieces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer a key of both' },
    body: '{"code":"K-1","pieces":9}',
  })
  expect(await sent.json()).toMatchObject({ status: 409, code: 'NF-ARCHIVED' })

  // A file that means it makes no new one either: the code stays taken.
  const file = multipart([
    ['_csrf', await ben.token()],
    ['file', 'Code,Pieces\nK-1,9\nK-2,9\n', 'contracts.csv'],
  ])
  const { location: job } = await ben.request('POST', '/-/import?entity=contract', file)
  for (const what of ['check', 'apply']) await ben.submit(job!, job!, { do: what, key: 'code' })
  expect((await ben.get(job!)).text).toContain('Wrong 1')
  const stored = await web.run.runtime.store.query(
    sql`select code, pieces::text as pieces, archived_at is not null as archived from contract order by code`,
  )
  expect(stored).toEqual([
    { code: 'K-1', pieces: '4', archived: true },
    { code: 'K-2', pieces: '9', archived: false },
  ])
})

test('its time ends all the same, and taking the line out is no way back', async () => {
  const { runtime } = web.run
  const { id } = await make('supplier', { name: 'Dash' })
  expect((await ben.json('DELETE', `/api/v1/supplier/${id}`)).status).toBe(204)
  const plain = app(text =>
    text
      .replace('- **Delete:** archives\n', '')
      .replace(/- \*\*Where:.*\n/, '')
      .replace(' while archived_at is empty', '')
      .replace(/\| put_aside .*\n/, ''),
  )
  const plan = await planMigration(runtime.store, plain, { drop: [] })
  expect(plan.found.map(({ code }) => code)).toContain('N0918')
  const named = await planMigration(runtime.store, plain, { drop: ['supplier.archived_at'] })
  expect(named.found.map(({ code }) => code)).not.toContain('N0918')
  expect(named.steps.map(({ what }) => what)).toContain('Let what is archived of supplier be there again')
  const [buyer] = Object.keys(web.run.people) as [string]
  const system = { ...(await web.run.as(buyer)), actor: { id: null, name: null, roles: [], system: 'timer' as const } }
  expect(await removeForGood(runtime, system, 'supplier', id)).toMatchObject({ kind: 'done' })
  expect(await runtime.store.query(sql`select from supplier where id = ${id}::uuid`)).toEqual([])
})

test('whoever may bring back what they archived can undo it at once', async () => {
  const { id: city } = await make('city', { name: 'Husum' })
  const { id } = await make('supplier', { name: 'Undone', vat: 'DE77', city })
  const at = '/suppliers/Undone/delete'
  const answer = await ben.submit(at, at)
  expect(await names(ben, 'archived=only')).toContain('Undone')
  const { text } = await ben.get(answer.location!)
  expect(text).toContain('form="undo"')
  expect((await ben.post('/-/undo', fieldsOf(text, '/-/undo'))).status).toBe(303)
  expect(body(await ben.get(`/api/v1/supplier/${id}`)).archived_at).toBeNull()
})
