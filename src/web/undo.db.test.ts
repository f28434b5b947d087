/** Taking back what one has just done: the values of before come by a change of their own, or it is said why not. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { input, loanDesk, made, readSound } from '../run/testing.ts'
import { change } from '../run/write/writes.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ben: TestBrowser
let item: string

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace(
        '\n## 5 Validation',
        '\n| On | Of | When | Then |\n| --- | --- | --- | --- |\n| changed | Loan | `purpose is "tell"` | send mail declined |\n| changed | Loan | `purpose is "count"` | set register_ref = "1" |\n\n## 5 Validation',
      )
      .replace(
        '| register_ref | text 40 | set by calls only; hidden |',
        '| register_ref | text 40 | set by steps only; hidden |',
      )
      .replace('| 200, 201 | set register_ref = answer.id |', '| 200, 201 | |')
      .replace('| V-4 | Loan on submit |', '| V-9 | Loan on change | `purpose is not "old"` | purpose | E-ITEM-1 |\n$&')
      .replace('{item.name} was retired on {item.retired_on}.', 'That was retired.'),
  )
  web = await startTestWeb(inject('databaseUrl'), app)
  ben = await web.browser('Ben')
  const [first] = await web.run.runtime.store.query<{ id: string }>(sql`select id from item order by tag`)
  item = first!.id
})
afterAll(() => web?.stop())

const loan = async (purpose: string) => {
  const id = await made(
    web.run,
    'Ben',
    'loan',
    input({ out_on: '2026-03-02', due_back: '2026-03-05', purpose }, { lines: [{ item }] }),
  )
  const [row] = await web.run.runtime.store.query<{ number: string }>(
    sql`select number from loan where id = ${id}::uuid`,
  )
  return { id, path: `/loans/${row!.number}` }
}
const stored = async (id: string) => {
  const [row] = await web.run.runtime.store.query<{ purpose: string; due_back: string; version: string }>(
    sql`select purpose, due_back::text as due_back, version from loan where id = ${id}::uuid`,
  )
  return row!
}
/** What the next page offers; null: it offers nothing. */
const changed = async (path: string, fields: Record<string, string>) => {
  const answer = await ben.submit(`${path}/edit`, `${path}/edit`, fields)
  expect(answer.status).toBe(303)
  const { text } = await ben.get(path)
  expect(text).toContain(' saved.')
  return text.includes('form="undo"') ? fieldsOf(text, '/-/undo') : null
}

test('what was changed is as it was before, by a change of its own; the history tells both', async () => {
  const { id, path } = await loan('A film')
  const offered = await changed(path, { purpose: 'A talk', due_back: '2026-03-06' })
  expect(await stored(id)).toEqual({ purpose: 'A talk', due_back: '2026-03-06', version: '2' })
  const answer = await ben.post('/-/undo', offered!)
  expect([answer.status, answer.location]).toEqual([303, path])
  expect((await ben.get(path)).text).toContain('Undone.')
  expect(await stored(id)).toEqual({ purpose: 'A film', due_back: '2026-03-05', version: '3' })
  const history = await web.run.runtime.store.query<{ what: string; changes: object }>(
    sql`select what, changes from ninefold.history where record = ${id}::uuid order by id`,
  )
  expect(history.slice(1)).toEqual([
    { what: 'change', changes: { purpose: ['A film', 'A talk'], due_back: ['2026-03-05', '2026-03-06'] } },
    { what: 'change', changes: { purpose: ['A talk', 'A film'], due_back: ['2026-03-06', '2026-03-05'] } },
  ])
  // Once.
  expect((await ben.post('/-/undo', offered!)).status).toBe(409)
  expect((await stored(id)).version).toBe('3')
})

test('what somebody changed since is left, and said', async () => {
  const { id, path } = await loan('A film')
  const offered = await changed(path, { purpose: 'A talk' })
  const only = { values: { due_back: '2026-03-09' }, children: {}, invalidValues: [] }
  await change(web.run.runtime, await web.run.as('Mia'), 'loan', id, null, only)
  const answer = await ben.post('/-/undo', offered!)
  expect(answer.status).toBe(409)
  expect(answer.text).toContain('This was changed again since, so it cannot be undone.')
  expect(await stored(id)).toMatchObject({ purpose: 'A talk', due_back: '2026-03-09' })
})

test('who may not see it any more is not told that it was changed', async () => {
  const { id, path } = await loan('A film')
  const offered = await changed(path, { purpose: 'A talk' })
  const { query } = web.run.runtime.store
  await query(
    sql`update loan set borrower = (select id from person where name = 'Mia'), version = 3 where id = ${id}::uuid`,
  )
  const answer = await ben.post('/-/undo', offered!)
  expect([answer.status, answer.text.includes('changed again')]).toEqual([404, false])
})

test('rules are asked anew', async () => {
  const { id, path } = await loan('old')
  const offered = await changed(path, { purpose: 'A talk' })
  const answer = await ben.post('/-/undo', offered!)
  expect([answer.status, answer.text.includes('That was retired.')]).toEqual([422, true])
  expect((await stored(id)).purpose).toBe('A talk')
})

test('after ten minutes it is too late', async () => {
  const { id, path } = await loan('A film')
  const offered = await changed(path, { purpose: 'A talk' })
  const { now } = web.run
  web.run.now = new Date(now.getTime() + 601_000)
  const answer = await ben.post('/-/undo', { ...offered!, _csrf: await ben.token() })
  web.run.now = now
  expect([answer.status, answer.text.includes('too long ago')]).toEqual([409, true])
  expect((await stored(id)).purpose).toBe('A talk')
})

test('nobody takes back what others did, or what was never done', async () => {
  const { id, path } = await loan('A film')
  const offered = await changed(path, { purpose: 'A talk' })
  const mia = await web.browser('Mia')
  for (const of of [
    offered!.of!,
    `loan ${id} 1`,
    `loan ${id} 9`,
    `person ${id} 1`,
    'loan',
    `loan ${'x'.repeat(36)} 1`,
    '',
  ])
    expect((await mia.send('/-/undo', { of })).status).toBe(404)
  expect((await ben.send('/-/undo', { of: `loan ${id} 1` })).status).toBe(404)
  expect((await stored(id)).purpose).toBe('A talk')
})

test('what sent a mail, or led to something else, cannot be taken back, and is not offered to be', async () => {
  expect(await changed((await loan('A film')).path, { purpose: 'tell' })).toBeNull()
  const { id, path } = await loan('A film')
  expect(await changed(path, { purpose: 'count' })).toBeNull()
  // Nor is a form that was sent without a change.
  expect(await changed((await loan('A film')).path, {})).toBeNull()
  const { version } = await stored(id)
  expect((await ben.send('/-/undo', { of: `loan ${id} ${version}` })).status).not.toBe(303)
})

test('a cell of a list offers the same', async () => {
  const { id, path } = await loan('A film')
  const at = `/-/cell?${new URLSearchParams({ of: `${path}/edit`, field: 'due_back' })}`
  const { text } = await ben.get(at)
  const answer = await ben.post(at, { ...fieldsOf(text, at), due_back: '2026-03-07' })
  expect(answer.text).toContain('data-saved')
  expect((await ben.post('/-/undo', fieldsOf(answer.text, '/-/undo'))).status).toBe(303)
  expect((await stored(id)).due_back).toBe('2026-03-05')
})
