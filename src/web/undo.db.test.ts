/** Taking back what one has just done: the values of before come by a change of their own, or it is said why not. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { takingBack } from '../run/read/history.ts'
import { done, input, loanDesk, made, readSound } from '../run/testing.ts'
import { accompanied } from '../run/write/accompanied.ts'
import { noting, type Undoable, undo } from '../run/write/undo.ts'
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
      .replace(
        '| Who | When | Then |\n| --- | --- | --- | --- | --- | --- |\n| submit | Draft | Requested | Borrower | `borrower = me` | send mail new_request |',
        '| Who | When | Then | Undo |\n| --- | --- | --- | --- | --- | --- | --- |\n| submit | Draft | Requested | Borrower | `borrower = me` | send mail new_request | 30 seconds |',
      )
      .replace('set approved_by = me |', 'set approved_by = me | 1 minute |')
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
    { what: takingBack, changes: { purpose: ['A talk', 'A film'], due_back: ['2026-03-06', '2026-03-05'] } },
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

test('rows that came, went or changed are as they were, each in its place', async () => {
  const { id } = await loan('A film')
  const { runtime } = web.run
  const others = await runtime.store.query<{ id: string }>(sql`
    insert into item (id, version, created_at, changed_at, tag, name, category, value)
    select gen_random_uuid(), 1, now(), now(), 'ZZ-000' || n, 'Lamp', (select id from category limit 1), n from generate_series(1, 4) as n returning id`)
  const rows = async () =>
    runtime.store.query<{ id: string; item: string }>(
      sql`select id, item from loan_line where loan = ${id}::uuid order by position`,
    )
  const doing = async (lines: readonly { id: string | null; values: Record<string, string> }[]) => {
    const as = await web.run.as('Ben')
    const found: Undoable[] = []
    const whole = accompanied(
      runtime,
      noting(runtime, as, one => void found.push(one)),
    )
    done(await change(whole, as, 'loan', id, null, { values: {}, children: { lines }, invalidValues: [] }))
    return found[0]!
  }
  const [first] = await rows()
  await doing([
    { id: first!.id, values: {} },
    { id: null, values: { item: others[0]!.id } },
    { id: null, values: { item: others[1]!.id } },
  ])
  const before = await rows()
  const changed = await doing([
    { id: before[0]!.id, values: { item: others[2]!.id } },
    { id: before[2]!.id, values: {} },
    { id: null, values: { item: others[3]!.id } },
  ])
  expect((await rows()).map(row => row.item)).toEqual([others[2]!.id, others[1]!.id, others[3]!.id])
  done(await undo(runtime, await web.run.as('Ben'), changed))
  const after = await rows()
  expect(after.map(row => row.item)).toEqual(before.map(row => row.item))
  expect([after[0]!.id, after[2]!.id]).toEqual([before[0]!.id, before[2]!.id])
})

/** Takes the step on its page; what the next page offers, null: nothing. */
const stepped = async (by: TestBrowser, path: string, step: string) => {
  const at = `${path}/do/${step}`
  const { text } = await by.get(path)
  expect((await by.post(at, fieldsOf(text, at))).status).toBe(303)
  const next = await by.get(path)
  return { text: next.text, offered: next.text.includes('form="undo"') ? fieldsOf(next.text, '/-/undo') : null }
}
const sentOf = (id: string) =>
  web.run.runtime.store.query<{ name: string; state: string; due: string; payload: string }>(
    sql`select name, state, extract(epoch from due_at - created_at)::integer::text as due, payload::text from ninefold.outbox where record = ${id}::uuid order by id`,
  )
const stateOf = async (id: string) => {
  const [row] = await web.run.runtime.store.query<{ state: string; approved_by: string | null }>(
    sql`select state, approved_by from loan where id = ${id}::uuid`,
  )
  return row
}

test('a step that says how long is taken back; its mail has waited, and nobody gets it', async () => {
  const { id, path } = await loan('A film')
  const { text, offered } = await stepped(ben, path, 'submit')
  expect(text).toContain('What it sends waits 30 seconds.')
  const clerks = await sentOf(id)
  expect([...new Set(clerks.map(({ state, due }) => `${state} ${due}`))]).toEqual(['waiting 30'])
  expect((await ben.post('/-/undo', offered!)).status).toBe(303)
  expect(await stateOf(id)).toMatchObject({ state: 'Draft' })
  expect([...new Set((await sentOf(id)).map(({ state, payload }) => `${state} ${payload}`))]).toEqual(['withdrawn {}'])
  const page = await ben.get(path)
  expect(page.text).toContain('took that back')
  // It can be taken again, and is told as before.
  await stepped(ben, path, 'submit')
  expect((await sentOf(id)).filter(({ state }) => state === 'waiting')).toHaveLength(clerks.length)
})

test('who may not take the step any more is told of no rule', async () => {
  const { id, path } = await loan('old')
  await stepped(ben, path, 'submit')
  const cleo = await web.browser('Cleo')
  const { offered } = await stepped(cleo, path, 'approve')
  const back = async () => {
    const { status, text } = await cleo.post('/-/undo', offered!)
    return [status, text.includes('That was retired.')]
  }
  expect(await back()).toEqual([422, true])
  // She sees it still, as the one who borrows it, and no more approves it.
  const { query } = web.run.runtime.store
  await query(sql`update loan set borrower = ${web.run.people.Cleo!}::uuid where id = ${id}::uuid`)
  const role = (to: string, from: string) =>
    query(
      sql`update ninefold.appointment set role = ${to} where role = ${from} and person = ${web.run.people.Cleo!}::uuid`,
    )
  await role('Auditor', 'Clerk')
  expect(await back()).toEqual([404, false])
  await role('Clerk', 'Auditor')
  expect(await query(sql`select state from loan where id = ${id}::uuid`)).toEqual([{ state: 'Approved' }])
})

test('what it sent has left, somebody went on, or it is too late: it stays, and it is said who did what', async () => {
  const { id, path } = await loan('A film')
  const { offered } = await stepped(ben, path, 'submit')
  const { query } = web.run.runtime.store
  await query(sql`update ninefold.outbox set last_at = now() where record = ${id}::uuid`)
  const told = await ben.post('/-/undo', offered!)
  expect([told.status, told.text.includes('Others have been told of it by now')]).toEqual([409, true])
  await query(sql`update ninefold.outbox set last_at = null where record = ${id}::uuid`)
  const cleo = await web.browser('Cleo')
  const approved = await stepped(cleo, path, 'approve')
  const moved = await ben.post('/-/undo', offered!)
  expect([moved.status, moved.text.includes('was changed again'), moved.text.includes('Cleo')]).toEqual([
    409,
    true,
    true,
  ])
  expect(await stateOf(id)).toEqual({ state: 'Approved', approved_by: web.run.people.Cleo })
  // Nobody else takes it back, and who took it does with all that it set.
  expect((await ben.send('/-/undo', { of: approved.offered!.of! })).status).toBe(404)
  const { now } = web.run
  web.run.now = new Date(now.getTime() + 61_000)
  const late = await cleo.post('/-/undo', { ...approved.offered!, _csrf: await cleo.token() })
  web.run.now = now
  expect([late.status, late.text.includes('too long ago')]).toEqual([409, true])
  expect((await cleo.post('/-/undo', approved.offered!)).status).toBe(303)
  expect(await stateOf(id)).toEqual({ state: 'Requested', approved_by: null })
})

test('a step that does not say so is not taken back, whatever is sent', async () => {
  const { id, path } = await loan('A film')
  await stepped(ben, path, 'submit')
  const mia = await web.browser('Mia')
  const { offered } = await stepped(mia, path, 'decline')
  expect(offered).toBeNull()
  const { version } = await stored(id)
  expect((await mia.send('/-/undo', { of: `loan ${id} ${version}` })).status).toBe(404)
  expect(await stateOf(id)).toMatchObject({ state: 'Declined' })
})

test('an edit of many is taken back at once; what somebody changed meanwhile stays, and is named', async () => {
  const all = await Promise.all(['One', 'Two', 'Three'].map(loan))
  const chosen = all.map(({ id }) => ['id', id] as const)
  const asked = [
    ['_list', '/loans'],
    ['_field', 'due_back'],
    ['_asked', 'yes'],
    ['due_back', '2026-03-09'],
  ] as const
  const { location } = await ben.send('/-/bulk?entity=loan', [...asked, ...chosen])
  await ben.submit(location!, location!, { do: 'apply' })
  expect((await ben.get(location!)).text).toContain('Undo 3 changes')
  const only = { values: { purpose: 'Mine' }, children: {}, invalidValues: [] }
  done(await change(web.run.runtime, await web.run.as('Ben'), 'loan', all[1]!.id, null, only))
  const back = await ben.submit(location!, location!, { do: 'undo' })
  const { text } = await ben.get(back.location!)
  expect(text).toContain('Undo: ')
  expect(text).toContain('This was changed again since')
  const days = await Promise.all(all.map(async ({ id }) => (await stored(id)).due_back))
  expect(days).toEqual(['2026-03-05', '2026-03-09', '2026-03-05'])
  // Once.
  expect((await ben.get(location!)).text).not.toContain('Undo 3 changes')
})
