/** `choose from` for several records: what is offered, what is taken, and what stays chosen, in every way of writing. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { editRow } from '../run/many/bulk.ts'
import { importRow } from '../run/many/import.ts'
import { readSound } from '../run/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let lena: TestBrowser
let mia: TestBrowser
const items: Record<string, string> = {}

const made = async (entity: string, values: object) => {
  const { status, text } = await lena.json('POST', `/api/v1/${entity}`, values)
  const body = JSON.parse(text)
  return status === 201 ? body.id : body.errors.map(({ code, pointer }: Told) => `${code} ${pointer}`)
}
const change = async (browser: TestBrowser, id: string, values: object) => {
  const { status, text } = await browser.json('PATCH', `/api/v1/kit/${id}`, values)
  return status === 200
    ? 'done'
    : JSON.parse(text).errors.map((one: Told) => `${one.code} ${one.pointer} ${one.detail}`)
}
interface Told {
  readonly code: string
  readonly pointer: string
  readonly detail: string
}
const named = (...names: string[]) => names.map(name => items[name]!).sort()
const set = (name: string, column: 'usable' | 'secret', value: boolean) =>
  web.run.runtime.store.query(
    column === 'usable'
      ? sql`update item set usable = ${value}::boolean where name = ${name}`
      : sql`update item set secret = ${value}::boolean where name = ${name}`,
  )

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/kits.md')))
  const [lead, member] = Object.keys(web.run.people) as [string, string]
  lena = await web.browser(lead)
  mia = await web.browser(member)
  for (const [name, model, usable] of [
    ['Cam 1', 'Camera', true],
    ['Cam 2', 'Camera', true],
    ['Cam 3', 'Camera', false],
    ['Lamp 1', 'Light', true],
    ['Lamp 2', 'Light', true],
  ] as const)
    items[name] = JSON.parse((await lena.json('POST', '/api/v1/item', { name, model, usable })).text).id
})
afterAll(() => web?.stop())

test('each record that is named must fit, and the message names those that do not', async () => {
  const values = { name: 'A', model: 'Camera' }
  expect(await made('kit', { ...values, items: named('Cam 1', 'Lamp 1') })).toEqual(['NF-NOT-ALL-OFFERED /items'])
  expect(await made('kit', { ...values, items: named('Cam 3') })).toEqual(['NF-NOT-ALL-OFFERED /items'])
  expect(await made('kit', { ...values, like: named('Cam 3') })).toEqual(['NF-NOT-ALL-OFFERED /like'])
  expect(await made('kit', { ...values, spares: named('Cam 1'), models: ['Light'] })).toEqual(['E-SPARE /spares'])
  const id = await made('kit', { ...values, items: named('Cam 1', 'Cam 2'), like: named('Cam 2') })
  expect(await change(lena, id, { items: named('Cam 1', 'Cam 3', 'Lamp 2') })).toEqual([
    'NF-NOT-ALL-OFFERED /items Items: Cam 3 and Lamp 2 cannot be chosen here.',
    'NF-NOT-ALL-OFFERED /like Like: Cam 2 cannot be chosen here.',
  ])
})

test('what was chosen stays, until something that decides it changes', async () => {
  const id = await made('kit', { name: 'B', model: 'Camera', items: named('Cam 1', 'Cam 2') })
  await set('Cam 2', 'usable', false)
  expect(await change(lena, id, { name: 'Bee' })).toBe('done')
  expect(await change(lena, id, { items: named('Cam 1', 'Cam 2', 'Cam 3') })).toEqual([
    'NF-NOT-ALL-OFFERED /items Items: Cam 3 cannot be chosen here.',
  ])
  expect(await change(lena, id, { items: named('Cam 2') })).toBe('done')
  expect(await change(lena, id, { items: named('Cam 1') })).toBe('done')
  expect(await change(lena, id, { items: named('Cam 1', 'Cam 2') })).toEqual([
    'NF-NOT-ALL-OFFERED /items Items: Cam 2 cannot be chosen here.',
  ])
  await set('Cam 2', 'usable', true)
  expect(await change(lena, id, { model: 'Light' })).toEqual([
    'NF-NOT-ALL-OFFERED /items Items: Cam 1 cannot be chosen here.',
  ])
  expect(await change(lena, id, { model: 'Light', items: named('Lamp 1') })).toBe('done')
})

test('what somebody does not see is not offered, stays chosen, and is not named when it no longer fits', async () => {
  const id = await made('kit', { name: 'C', model: 'Camera', items: named('Cam 1', 'Cam 2') })
  await set('Cam 2', 'secret', true)
  expect((await mia.get('/kits/C/edit')).text).not.toContain('Cam 2')
  expect(await change(mia, id, { items: [] })).toBe('done')
  expect(JSON.parse((await lena.get(`/api/v1/kit/${id}`)).text).items).toEqual(named('Cam 2'))
  const [refused] = await change(mia, id, { model: 'Light' })
  expect(refused).toMatch(/^NF-NOT-OFFERED \/items/)
  await set('Cam 2', 'secret', false)
})

test('a row goes by itself and by the record around it', async () => {
  const values = { name: 'D', model: 'Camera' }
  const part = (what: string, ...uses: string[]) => ({ what, uses: named(...uses) })
  expect(await made('kit', { ...values, parts: [part('Cam', 'Cam 1'), part('Lamp', 'Lamp 1')] })).toEqual([
    'NF-NOT-ALL-OFFERED /parts/1/uses',
  ])
  const id = await made('kit', { ...values, parts: [part('Cam', 'Cam 1', 'Cam 3')] })
  expect(await change(lena, id, { model: 'Light' })).toEqual([
    'NF-NOT-ALL-OFFERED /parts/0/uses Uses: Cam 1 and Cam 3 cannot be chosen here.',
  ])
})

test('many records at once and rows of a file are judged alike', async () => {
  const as = await web.run.as(Object.keys(web.run.people)[0]!)
  const bring = async (cells: readonly string[]) =>
    (
      await importRow(
        web.run.runtime,
        as,
        { entity: 'kit', what: { mapping: ['name', 'model', 'items'], key: 'name' } as never },
        { cells } as never,
      )
    ).outcome
  expect(await bring(['E', 'Camera', 'Cam 1, Lamp 1'])).toMatchObject({
    problems: [{ code: 'NF-NOT-ALL-OFFERED', field: 'items' }],
  })
  const brought = await bring(['E', 'Camera', 'Cam 1, Cam 2'])
  expect(brought.kind).toBe('done')
  const id = JSON.parse((await lena.get('/api/v1/kit?name=E')).text).data[0].id
  const edit = async (name: string) =>
    (
      await editRow(
        web.run.runtime,
        as,
        { entity: 'kit', what: { values: { items: named(name).join(' ') } } as never },
        { record: id, title: 'E', cells: null } as never,
      )
    ).outcome
  expect(await edit('Lamp 1')).toMatchObject({ problems: [{ code: 'NF-NOT-ALL-OFFERED' }] })
  expect((await edit('Cam 1')).kind).toBe('done')
})

test('the form offers what fits what it holds, and keeps what is ticked', async () => {
  const box = (name: string) => new RegExp(`<input[^>]*name="items"[^>]*value="${items[name]}"`)
  const empty = (await lena.get('/kits/new')).text
  expect([box('Cam 1').test(empty), box('Lamp 1').test(empty), box('Cam 3').test(empty)]).toEqual([true, true, false])
  expect(empty).toContain('this.model')
  await made('kit', { name: 'F', model: 'Camera', items: named('Cam 1') })
  const page = (await lena.get('/kits/F/edit')).text
  expect([box('Cam 1').test(page), box('Cam 2').test(page), box('Lamp 1').test(page)]).toEqual([true, true, false])
  const pairs = Object.entries({ ...fieldsOf(page, '/kits/F/edit'), items: items['Lamp 1']! })
  const refused = await lena.post('/kits/F/edit', pairs)
  expect([refused.status, refused.text.includes('Items: Lamp 1 cannot be chosen here.')]).toEqual([422, true])
  expect(refused.text).toMatch(new RegExp(`name="items"[^>]*checked=""[^>]*value="${items['Lamp 1']}"`))
  const options = async (model: string) =>
    JSON.parse((await lena.get(`/-/options?entity=kit&field=items&this.model=${model}`)).text).options.length
  expect([await options('Camera'), await options('Light')]).toEqual([2, 2])
  const among = async (...names: string[]) => {
    const asked = named(...names).map(id => `&this.items=${id}`)
    const { text } = await lena.get(`/-/options?entity=kit&field=like${asked.join('')}`)
    return JSON.parse(text).options.map(({ label }: { readonly label: string }) => label)
  }
  expect([await among('Cam 1'), await among('Cam 1', 'Lamp 2')]).toEqual([['Cam 1'], ['Cam 1', 'Lamp 2']])
  const spares = async (...models: string[]) => {
    const asked = models.map(model => `&this.models=${model}`)
    const { text } = await lena.get(`/-/options?entity=kit&field=spares${asked.join('')}`)
    return JSON.parse(text).options.length
  }
  expect([await spares('Light'), await spares('Camera', 'Light')]).toEqual([2, 4])
})
