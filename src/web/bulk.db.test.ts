/**
 * Records changed from their list. A step for many at once: each is asked and judged on its own, tried first, and its outcome told.
 * A cell where it stands: the server gives the control and decides.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { workJobs } from '../run/many/work-jobs.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create } from '../run/write/writes.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let keeper: TestBrowser
let helper: TestBrowser
let villager: TestBrowser
let ids: readonly string[]

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/shed.md')))
  const [saw] = await web.run.runtime.store.query<{ id: string }>(sql`select id from public.kind where name = 'Saw'`)
  const as = await web.run.as('Kira')
  const made: string[] = []
  for (let at = 0; at < 130; at++) {
    const values = { code: `T-${String(at).padStart(3, '0')}`, name: 'Saw', kind: saw!.id, price: '1' }
    made.push(done(await create(web.run.runtime, as, 'tool', input(values))))
  }
  ids = made
  ;[keeper, helper, villager] = await Promise.all([web.browser('Kira'), web.browser('Hugo'), web.browser('Vera')])
})
afterAll(() => web?.stop())

const inState = async (state: string) =>
  (await web.run.runtime.store.query(sql`select code from public.tool where state = ${state}`)).length

const bulk = (browser: TestBrowser, step: string, fields: readonly (readonly [string, string])[]) =>
  browser.send(`/-/bulk?entity=tool&step=${step}`, [['_list', '/tools?code.starts-with=T'], ...fields])

test('who may never take the step finds no boxes, and nothing at the address', async () => {
  const { text } = await villager.get('/tools')
  expect(text).not.toContain('/-/bulk')
  expect(text).not.toMatch(/type="checkbox"(?! id="dev-lines")/)
  expect((await bulk(villager, 'break', [['id', ids[0]!]])).status).toBe(404)
  expect((await bulk(helper, 'mend', [['id', ids[0]!]])).status).toBe(404)
  expect((await bulk(keeper, 'nothing', [['id', ids[0]!]])).status).toBe(404)
  expect((await helper.get('/tools')).text).toContain('formAction="/-/bulk?entity=tool&amp;step=break"')
  expect((await helper.get('/tools')).text).not.toContain('step=mend')
  expect((await keeper.get('/tools')).text).toContain('step=give_away')
  expect((await bulk(villager, 'give_away', [['id', ids[0]!]])).status).toBe(404)
})

test('without a choice nothing happens, and that is said', async () => {
  const page = await bulk(keeper, 'break', [])
  expect([page.status, page.text.includes('No record was chosen.')]).toEqual([422, true])
  expect((await bulk(keeper, 'break', [['id', '01940000-0000-7000-8000-ffffffffffff']])).status).toBe(422)
})

test('each is tried, then done, and what does not go is said with its reason', async () => {
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update public.tool set state = 'Broken' where id = ${ids[1]}::uuid`),
  )
  const { location } = await bulk(keeper, 'break', [
    ['id', ids[0]!],
    ['id', ids[1]!],
    ['id', ids[2]!],
  ])
  const tried = await keeper.get(location!)
  expect(tried.text).toContain('3 records are chosen.')
  expect(tried.text).toContain('Possible: 2. Not possible: 1.')
  expect(tried.text).toContain('“break” is not possible from Broken; it starts from Ready.')
  // The record is named once, where a row of a file has its number.
  expect(tried.text).toContain('<th role="columnheader" scope="col">Tool</th>')
  expect(tried.text).toMatch(/scope="row">Saw · T-001<\/th><td[^>]*>refused<span/)
  expect(await inState('Broken')).toBe(1)
  await keeper.submit(location!, location!, { do: 'apply' })
  expect((await keeper.get(location!)).text).toContain('Done: 2.')
  expect(await inState('Broken')).toBe(3)
})

test('all that the filters let through, on all pages, in the background', async () => {
  const { location } = await bulk(helper, 'break', [['_all', 'yes']])
  const worker = () => workJobs(web.run.runtime, web.run.door(), { worker: 'w', limit: 100 })
  while ((await worker()) > 0);
  const { text } = await helper.get(location!)
  expect(text).toContain('Possible: 127. Not possible: 3.')
  await helper.submit(location!, location!, { do: 'apply' })
  expect(await inState('Broken')).toBe(53)
  while ((await worker()) > 0);
  expect(await inState('Broken')).toBe(130)
  expect((await helper.get(location!)).text).toContain('Done: 127.')
})

test('groups that are folded belong to all that the filters let through', async () => {
  const list = '/tools?code.starts-with=T&_by=state&_folded=Ready&_folded=Broken'
  expect((await keeper.get(list)).text).not.toContain('href="/tools/T-000')
  const page = await keeper.send('/-/bulk?entity=tool&step=give_away', [
    ['_list', list],
    ['_all', 'yes'],
  ])
  expect(page.text).toContain('130 records are chosen.')
  const edit = await keeper.send('/-/bulk?entity=tool', [
    ['_list', list],
    ['_all', 'yes'],
    ['_field', 'bought'],
    ['_asked', 'yes'],
    ['bought', '2026-01-01'],
  ])
  const worker = () => workJobs(web.run.runtime, web.run.door(), { worker: 'w', limit: 200 })
  while ((await worker()) > 0);
  expect((await keeper.get(edit.location!)).text).toContain('Possible: 130.')
})

test('the address of a list that somebody may not open chooses nothing', async () => {
  const fields = [
    ['_list', '/kinds'],
    ['_all', 'yes'],
  ] as const
  expect((await helper.send('/-/bulk?entity=tool&step=break', fields)).status).toBe(422)
})

const stateOf = async (id: string) =>
  (
    await web.run.runtime.store.query<{ state: string; notes: string | null; count: string }>(
      sql`select state, notes, count from public.tool where id = ${id}::uuid`,
    )
  )[0]
const edit = (browser: TestBrowser, fields: readonly (readonly [string, string])[]) =>
  browser.send('/-/bulk?entity=tool', [['_list', '/tools'], ...fields])

test('what a step asks for is asked once, for all of them', async () => {
  const asked = await bulk(keeper, 'give_away', [
    ['id', ids[5]!],
    ['id', ids[6]!],
  ])
  expect(asked.status).toBe(200)
  expect(asked.text).toContain('2 records are chosen.')
  expect((await bulk(keeper, 'give_away', [['_all', 'yes']])).text).toContain('130 records are chosen.')
  expect((await bulk(keeper, 'give_away', [['id', '01940000-0000-7000-8000-ffffffffffff']])).status).toBe(422)
  expect(asked.text).toContain('name="notes"')
  expect(asked.text).toContain(`name="id" value="${ids[6]}"`)
  const { location } = await bulk(keeper, 'give_away', [
    ['id', ids[5]!],
    ['id', ids[6]!],
    ['_asked', 'yes'],
    ['notes', 'to the school'],
  ])
  expect((await keeper.get(location!)).text).toContain('Possible: 2.')
  await keeper.submit(location!, location!, { do: 'apply' })
  expect(await stateOf(ids[5]!)).toMatchObject({ state: 'Gone', notes: 'to the school' })
  // What it requires and nobody gave is refused row by row.
  const empty = await bulk(keeper, 'give_away', [
    ['id', ids[7]!],
    ['_asked', 'yes'],
    ['notes', ' '],
  ])
  expect((await keeper.get(empty.location!)).text).toContain('Possible: 0. Not possible: 1.')
})

test('a range of a spreadsheet goes over the cells of a list: tried first, each cell that is refused is named, and undone at once', async () => {
  const range = [
    ['field', 'name'],
    ['column', 'Name'],
    ['field', ''],
    ['column', 'State'],
    ['field', 'count'],
    ['column', 'Count'],
  ] as const
  const paste = (browser: TestBrowser, chosen: readonly string[], text: string) =>
    edit(browser, [...range, ...chosen.map(id => ['id', id] as const), ['_pasted', text]])
  expect((await paste(villager, [ids[20]!], 'Plane')).status).toBe(404)
  expect((await paste(keeper, ['01940000-0000-7000-8000-ffffffffffff'], 'Plane')).status).toBe(422)
  const chosen = [ids[20]!, ids[21]!, ids[22]!]
  const text = 'Plane\t\t4\r\nFile\t\tmany\r\n"Rasp\n2"\tGone\t5\r\nBeyond\t\t6\r\n'
  const { location } = await paste(keeper, chosen, text)
  const tried = (await keeper.get(location!)).text
  expect(tried).toContain('Possible: 1. Not possible: 3.')
  expect(tried).toMatch(/many<span class="err">/)
  expect(tried).toContain('State cannot be set by hand here.')
  await keeper.submit(location!, location!, { do: 'apply' })
  const now = async () =>
    web.run.runtime.store.query<{ name: string; count: string }>(
      sql`select name, count from public.tool where id = any(${chosen}::uuid[]) order by code`,
    )
  expect(await now()).toEqual([
    { name: 'Plane', count: '4' },
    { name: 'Saw', count: '1' },
    { name: 'Saw', count: '1' },
  ])
  await keeper.submit(location!, location!, { do: 'undo' })
  expect((await now())[0]).toEqual({ name: 'Saw', count: '1' })
})

test('one field is changed on many records, tried first, with an outcome for each', async () => {
  expect((await edit(villager, [['id', ids[10]!]])).status).toBe(404)
  expect((await edit(keeper, [])).status).toBe(422)
  const first = await edit(keeper, [['id', ids[10]!]])
  expect(first.text).toContain('One record is chosen.')
  expect(first.text).toMatch(/<option value="count">/)
  // What no two of them may share is not changed in many.
  expect(first.text).not.toMatch(/<option value="(state|id|code)">/)
  expect((await edit(helper, [['id', ids[10]!]])).text).not.toContain('value="cost"')
  expect(
    (
      await edit(helper, [
        ['id', ids[10]!],
        ['_field', 'cost'],
      ])
    ).status,
  ).toBe(404)
  const second = await edit(keeper, [
    ['id', ids[10]!],
    ['_field', 'count'],
  ])
  expect(second.text).toContain('name="count"')
  const wrong = await edit(keeper, [
    ['id', ids[10]!],
    ['_field', 'count'],
    ['_asked', 'yes'],
    ['count', 'many'],
  ])
  expect([wrong.status, wrong.text.includes('value="many"')]).toEqual([422, true])
  const { location } = await edit(keeper, [
    ['id', ids[10]!],
    ['id', ids[11]!],
    ['_field', 'count'],
    ['_asked', 'yes'],
    ['count', '3'],
  ])
  expect((await keeper.get(location!)).text).toContain('Possible: 2.')
  expect((await stateOf(ids[10]!))?.count).toBe('1')
  await keeper.submit(location!, location!, { do: 'apply' })
  expect((await stateOf(ids[11]!))?.count).toBe('3')
  // A rule of the document refuses each in its words.
  const low = await edit(keeper, [
    ['id', ids[10]!],
    ['_field', 'count'],
    ['_asked', 'yes'],
    ['count', '0'],
  ])
  expect((await keeper.get(low.location!)).text).toContain('is there at least once, not 0 times')
  // Somebody who may change only what is ready is told so for the others.
  const others = await edit(helper, [
    ['id', ids[10]!],
    ['_field', 'name'],
    ['_asked', 'yes'],
    ['name', 'Saws'],
  ])
  expect((await helper.get(others.location!)).text).toContain('Possible: 0.')
})

test('the menu of a row has what can be done with that row, for this person', async () => {
  const menu = (text: string, code: string) => {
    const shared = /id="row-menu"[^>]*>(.*?)<\/div>/s.exec(text)?.[1] ?? ''
    const items = Array.from(shared.matchAll(/<hr\/>|data-href="([^"]+)"/g), ([, href]) => href)
    const places = new RegExp(`href="/tools/${code}[?][^"]*" data-menu="([\\d ]+)"`).exec(text)?.[1]?.split(' ') ?? []
    return places.map(at => items[Number(at)]).filter(href => href !== undefined)
  }
  const { text } = await keeper.get('/tools?q=T-020')
  expect(menu(text, 'T-020')).toEqual([
    '{path}/do/mend',
    '{path}/do/give_away',
    '{path}/edit',
    '/tools/new?_copy={value}',
    '{path}/delete',
  ])
  // Changes what is ready only, and deletes nothing; others do neither.
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update public.tool set state = 'Ready' where code = 'T-021'`),
  )
  expect(menu((await helper.get('/tools?q=T-020')).text, 'T-020')).toEqual([])
  expect(menu((await helper.get('/tools?q=T-021')).text, 'T-021')).toEqual(['{path}/do/break', '{path}/edit'])
  expect(menu((await villager.get('/tools?q=T-021')).text, 'T-021')).toEqual([])
})

const cellAt = (code: string, field: string) => `/-/cell?${new URLSearchParams({ of: `/tools/${code}/edit`, field })}`

test('a cell is closed to whoever may not change that field of that record', async () => {
  expect((await villager.get('/tools')).text).not.toContain('data-cell')
  const { text } = await helper.get('/tools')
  expect([...text.matchAll(/data-cell="(\w+)"/g)].map(([, field]) => field)).not.toContain('cost')
  expect(text).toContain('data-cell="price"')
  // What somebody does not see is not there, and what is no single value is no cell.
  for (const field of ['cost', 'state', 'nothing']) expect((await helper.get(cellAt('T-120', field))).status).toBe(404)
  expect((await keeper.get('/-/cell?of=/tools/T-120&field=price')).status).toBe(404)
  expect((await (await web.browser(null)).get(cellAt('T-120', 'price'))).status).toBe(303)
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update public.tool set state = 'Broken' where code = 'T-121'`),
  )
  const closed = await helper.get(cellAt('T-121', 'price'))
  expect([
    closed.status,
    closed.text.includes('You may not change this Tool now'),
    closed.text.includes('<form'),
  ]).toEqual([403, true, false])
  const forced = await helper.send(cellAt('T-121', 'price'), { price: '5', _version: '1' })
  expect(forced.status).toBe(403)
})

test('a cell writes its field and nothing else, with the version that was seen', async () => {
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update public.tool set state = 'Ready' where code = 'T-122'`),
  )
  const at = cellAt('T-122', 'price')
  const { text, status } = await helper.get(at)
  expect([status, fieldsOf(text, at).price]).toEqual([200, '1.00'])
  expect(text).toContain('aria-label="Price, Saw · T-122"')
  const form = fieldsOf(text, at)

  const refused = await helper.post(at, { ...form, price: '-3' })
  expect([refused.status, refused.text.includes('must be at least'), fieldsOf(refused.text, at).price]).toEqual([
    422,
    true,
    '-3',
  ])
  const saved = await helper.post(at, { ...fieldsOf(refused.text, at), price: '7.50', name: 'Stolen' })
  expect(saved).toMatchObject({ status: 200, text: expect.stringContaining('Price of Saw · T-122 is saved.') })
  const now = () => web.run.runtime.store.query(sql`select name, price::text from public.tool where code = 'T-122'`)
  expect(await now()).toEqual([{ name: 'Saw', price: '7.50' }])

  // The control was opened before that: the newer value is said, and saving again is meant.
  const stale = await keeper.get(at)
  // Later than what made it ready.
  web.run.now = new Date(web.run.now.getTime() + 1000)
  await helper.submit(at, at, { price: '8' })
  const late = await keeper.post(at, { ...fieldsOf(stale.text, at), price: '9' })
  expect(late.status).toBe(409)
  expect(late.text).toMatch(/Hugo .*changed this .*Now saved is €8\.00\./)
  expect(fieldsOf(late.text, at).price).toBe('9')
  expect((await keeper.post(at, fieldsOf(late.text, at))).status).toBe(200)
  expect(await now()).toEqual([{ name: 'Saw', price: '9.00' }])
})
