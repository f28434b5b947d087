/** Undoing what one has just done with a comment: it comes back with its notices, and nobody is mailed before that is over. Without scripts. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { workContext } from '../run/later/testing.ts'
import { work } from '../run/later/work.ts'
import { erasePerson } from '../run/people/erasure.ts'
import { giveOut } from '../run/people/give-out.ts'
import { systemRequest } from '../run/people/people.ts'
import { forgetPast } from '../run/retention.ts'
import { testId } from '../run/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ben: TestBrowser
let cleo: TestBrowser
let loan: { id: string; number: string }
let start: Date

const store = () => web.run.runtime.store
const path = () => `/loans/${loan.number}`
const send = async (who: TestBrowser, fields: Record<string, string>) => {
  const sent = await who.send('/-/comments', { entity: 'loan', record: loan.id, _next: path(), ...fields })
  expect(sent.status).toBe(303)
  return fieldsOf((await who.get(path())).text, '/-/undo')
}
const after = (seconds: number) => {
  web.run.now = new Date(start.getTime() + seconds * 1000)
}
const undone = async (who: TestBrowser, offered: Record<string, string>) =>
  (await who.post('/-/undo', { ...offered, _csrf: await who.token() })).status
const comment = async () => {
  const [said] = await store().query<{ id: string; text: string | null; before: { text: string } | null }>(
    sql`select id, text, before from ninefold.comment order by id`,
  )
  return said!
}
const shown = async () => (await cleo.get(path())).text
const unread = async (who: TestBrowser) => /data-counts="unread">(\d+)</.exec((await who.get('/-/account')).text)?.[1]
const mailed = async () => {
  await work(web.run.runtime, workContext(web.run))
  const gone = await store().query<{ subject: string }>(
    sql`with gone as (delete from ninefold.mailbox where mail = 'comment' returning id, subject) select subject from gone order by id`,
  )
  return gone.map(({ subject }) => subject.replace(/^Loan desk: |: Ben .*/g, ''))
}

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
  start = web.run.now
  ;[ben, cleo] = [await web.browser('Ben'), await web.browser('Cleo')]
  const [item] = await store().query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const lines = [{ item: item!.id }]
  const made = await ben.json('POST', '/api/v1/loan', { out_on: '2026-03-02', due_back: '2026-03-05', lines })
  loan = JSON.parse(made.text) as typeof loan
})
beforeEach(async () => {
  after(0)
  await store().inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.comment`)
    await tx.write(sql`delete from ninefold.outbox`)
  })
})
afterAll(() => web?.stop())

test('a comment that was taken back comes back as it was, and those who were told of it have it again; once', async () => {
  await send(ben, { do: 'add', text: 'Is the lens in, @Cleo?' })
  after(5)
  const offered = await send(ben, { do: 'remove', comment: (await comment()).id })
  expect(await comment()).toMatchObject({ text: null, before: { text: 'Is the lens in, @Cleo?' } })
  // Only its author has it while it is kept, and they by that alone.
  expect([await unread(cleo), (await shown()).includes('lens'), (await ben.get(path())).text.includes('lens')]).toEqual(
    [undefined, false, false],
  )
  expect((await ben.get(`/api/v1/loan/${loan.id}/comments`)).text).not.toContain('lens')
  expect(await undone(cleo, offered)).toBe(404)
  expect(await undone(ben, offered)).toBe(303)
  expect([await unread(cleo), (await shown()).includes('lens'), (await shown()).includes('changed just now')]).toEqual([
    '1',
    true,
    false,
  ])
  expect(await comment()).toMatchObject({ before: null })
  expect(await undone(ben, offered)).toBe(409)
  expect((await comment()).text).toBe('Is the lens in, @Cleo?')
})

test('nobody is mailed of a comment within a minute, of one that was taken back never, and of one that came back once', async () => {
  await send(ben, { do: 'add', text: 'One, @Cleo' })
  after(59)
  expect(await mailed()).toEqual([])
  const offered = await send(ben, { do: 'remove', comment: (await comment()).id })
  after(61)
  expect(await mailed()).toEqual([])
  after(300)
  expect(await undone(ben, offered)).toBe(303)
  expect([await mailed(), await mailed()]).toEqual([['Ben mentioned you'], []])
  await send(ben, { do: 'remove', comment: (await comment()).id })
  after(3600)
  expect(await mailed()).toEqual([])
})

test('the mail of the morning waits for what comes back, too', async () => {
  const told = { 'told mention': 'daily' }
  await cleo.submit('/-/account', '/-/account/preferences', told)
  await send(ben, { do: 'add', text: 'Good morning, @Cleo' })
  const [mail] = await store().query<{ due: string }>(
    sql`select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as due from ninefold.outbox where payload ? 'digest'`,
  )
  web.run.now = new Date(new Date(mail!.due).getTime() - 60_000)
  await ben.signIn(web.run.people.Ben!)
  const offered = await send(ben, { do: 'remove', comment: (await comment()).id })
  web.run.now = new Date(mail!.due)
  expect(await mailed()).toEqual([])
  expect(await undone(ben, offered)).toBe(303)
  web.run.now = new Date(new Date(mail!.due).getTime() + 600_000)
  expect(await mailed()).toEqual(['Ben mentioned you'])
  after(0)
  await Promise.all([ben.signIn(web.run.people.Ben!), cleo.signIn(web.run.people.Cleo!)])
  await cleo.submit('/-/account', '/-/account/preferences', { 'told mention': 'now' })
})

test('what was written is taken back by undoing it, for good, and no mail leaves; not any more when it has', async () => {
  const offered = await send(ben, { do: 'add', text: 'Too early, @Cleo' })
  expect(await undone(ben, offered)).toBe(303)
  expect(await comment()).toMatchObject({ text: null, before: null })
  after(61)
  expect([await mailed(), await unread(cleo)]).toEqual([[], undefined])
  expect(await undone(ben, offered)).toBe(409)
  after(0)
  const told = await send(ben, { do: 'add', text: 'On time, @Cleo' })
  after(61)
  expect(await mailed()).toEqual(['Ben mentioned you'])
  expect(await undone(ben, told)).toBe(409)
  after(0)
  // Nobody is told of this one: it can be undone as long as a change.
  await cleo.send('/-/comments', { entity: 'loan', record: loan.id, do: 'stop' })
  const alone = await send(ben, { do: 'add', text: 'To myself' })
  after(600)
  expect(await undone(ben, alone)).toBe(303)
})

test('a change is undone, and whoever came to be mentioned by it is not told', async () => {
  await send(ben, { do: 'add', text: 'Is it in?' })
  const dan = await web.browser('Dan')
  after(5)
  const { id } = await comment()
  const offered = await send(ben, { do: 'change', comment: id, text: 'Is it in, @Dan?' })
  expect(await unread(dan)).toBe('1')
  expect(await undone(ben, offered)).toBe(303)
  expect([await comment(), await unread(dan)]).toEqual([{ id, text: 'Is it in?', before: null }, undefined])
  after(120)
  expect(await mailed()).not.toContain('Ben mentioned you')
  // Something else was done with it since.
  after(130)
  const first = await send(ben, { do: 'change', comment: id, text: 'One' })
  after(131)
  await send(ben, { do: 'change', comment: id, text: 'Two' })
  expect(await undone(ben, first)).toBe(409)
  expect((await comment()).text).toBe('Two')
  // Their mail may have left.
  after(200)
  const told = await send(ben, { do: 'change', comment: id, text: 'Two, @Cleo' })
  after(261)
  expect(await undone(ben, told)).toBe(409)
})

test('within one moment, too, a change is undone once: the same again does not take the comment back', async () => {
  await send(ben, { do: 'add', text: 'Before' })
  const { id } = await comment()
  const offered = await send(ben, { do: 'change', comment: id, text: 'After' })
  expect([await undone(ben, offered), await undone(ben, offered)]).toEqual([303, 409])
  expect((await comment()).text).toBe('Before')
  const removed = await send(ben, { do: 'remove', comment: id })
  expect([await undone(ben, removed), await undone(ben, removed)]).toEqual([303, 409])
  expect((await comment()).text).toBe('Before')
})

test('over the API what was changed or taken back is brought back, by its author, at its record, once', async () => {
  await send(ben, { do: 'add', text: 'Is it in, @Cleo?' })
  const { id } = await comment()
  const at = (record: string, of = id) => `/api/v1/loan/${record}/comments/${of}`
  const back = async (who: TestBrowser, path = at(loan.id)) => {
    const { status, text } = await who.json('POST', `${path}/undo`)
    return status === 200
      ? (JSON.parse(text) as { id: string }).id
      : `${status} ${(JSON.parse(text) as { code?: string }).code ?? ''}`
  }
  // That it was written is undone by taking it back.
  expect(await back(ben)).toBe('409 NF-UNDO')
  expect((await ben.json('DELETE', at(loan.id))).status).toBe(204)
  expect(await unread(cleo)).toBeUndefined()
  for (const path of [at(loan.id, testId()), at(testId())]) expect(await back(ben, path)).toMatch(/^404/)
  expect(await back(cleo)).toMatch(/^404/)
  expect(await back(ben)).toBe(id)
  expect([(await comment()).text, await unread(cleo)]).toEqual(['Is it in, @Cleo?', '1'])
  expect(await back(ben)).toBe('409 NF-UNDO')
  expect((await ben.json('PATCH', at(loan.id), { text: 'Two' })).status).toBe(200)
  after(601)
  expect(await back(ben)).toBe('409 NF-UNDO-LATE')
  expect((await comment()).text).toBe('Two')
})

test('after ten minutes it is too late, and what was said goes with the next sweep', async () => {
  await send(ben, { do: 'add', text: 'Gone, @Cleo' })
  const offered = await send(ben, { do: 'remove', comment: (await comment()).id })
  const door = { now: new Date(start.getTime() + 599_000), id: testId(), locale: 'en', newId: testId }
  await forgetPast(web.run.runtime, door)
  expect((await comment()).before).not.toBeNull()
  after(601)
  expect(await undone(ben, offered)).toBe(409)
  expect(await forgetPast(web.run.runtime, { ...door, now: web.run.now })).toBe(1)
  expect(await comment()).toMatchObject({ text: null, before: null })
  expect(await store().query(sql`select id from ninefold.notice where comment is not null`)).toEqual([])
})

test('whoever does not see the record any more brings nothing back', async () => {
  await send(ben, { do: 'add', text: 'Mine' })
  const offered = await send(ben, { do: 'remove', comment: (await comment()).id })
  const borrower = (name: string) =>
    store().query(sql`update loan set borrower = ${web.run.people[name]}::uuid where id = ${loan.id}::uuid`)
  await borrower('Mia')
  expect(await undone(ben, offered)).toBe(404)
  await borrower('Ben')
  for (const of of ['@comment', `@comment ${testId()} 1772442000000`, `@comment ${'x'.repeat(36)} 1772442000000`, ''])
    expect((await ben.send('/-/undo', { of })).status, of).toBe(404)
  expect((await comment()).text).toBeNull()
})

test('what is kept to be undone is given out with the person, and goes with them', async () => {
  await send(ben, { do: 'add', text: 'Personal' })
  await send(ben, { do: 'remove', comment: (await comment()).id })
  const door = { now: web.run.now, id: testId(), locale: 'en', newId: testId }
  const system = await systemRequest(web.run.runtime, 'timer', door)
  const given = await giveOut(web.run.runtime, system, web.run.people.Ben!)
  expect(given!.json.comments).toMatchObject([{ text: null, before: 'Personal' }])
  await erasePerson(web.run.runtime, system, web.run.people.Ben!)
  expect(await comment()).toMatchObject({ text: null, before: null })
})
