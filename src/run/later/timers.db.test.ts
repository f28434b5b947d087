/** Timers: those that come back, those of working time, those that read other records, and those of each record that matches. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { applyMigration } from '../../store/migrate.ts'
import { changeConstant } from '../limits.ts'
import { eraseRecord } from '../people/erase.ts'
import { systemRequest } from '../people/people.ts'
import { done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, remove, restore, takeStep } from '../write/writes.ts'
import { fireTimers } from './fire.ts'
import { readOverdue } from './overdue.ts'
import { rearm } from './rearm.ts'
import { never } from './standing.ts'
import { workContext } from './testing.ts'
import { work } from './work.ts'

const document = join(import.meta.dirname, '../fixtures/timers.md')

let run: TestRun
let boss: string
beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(document))
  boss = Object.keys(run.people)[0]!
  await run.runtime.store.query(
    sql`insert into ninefold.appointment (person, role, at) values (${run.people[boss]}::uuid, 'Boss', ${run.now.toISOString()}) on conflict do nothing`,
  )
})
afterAll(() => run?.drop())
beforeEach(async () => {
  await run.runtime.store.query(sql`delete from ninefold.timer`)
  await run.runtime.store.query(sql`delete from loan`)
  await run.runtime.store.query(sql`delete from closing_day`)
  await run.runtime.store.query(sql`delete from contract`)
  await run.runtime.store.query(sql`delete from crate`)
  await run.runtime.store.query(sql`delete from piece`)
  await run.runtime.store.query(sql`delete from delivery`)
  await run.runtime.store.query(sql`delete from ledger`)
  await run.runtime.store.query(sql`delete from ticket`)
  await run.runtime.store.query(sql`delete from watch`)
  await run.runtime.store.query(sql`delete from ninefold.constant`)
})

const round = (worker = 'one') => work(run.runtime, workContext(run, { worker }))
async function at(moment: string): Promise<void> {
  run.now = new Date(moment)
  while ((await round()).timers > 0);
}
const loanFrom = async (moment: string, returnAt: string) => {
  run.now = new Date(moment)
  return made(run, boss, 'loan', input({ return_at: returnAt }))
}
const loan = async (id: string) =>
  (await run.runtime.store.query<Record<string, unknown>>(sql`select * from loan where id = ${id}`))[0]!
const due = async (id: string, timer: string) =>
  (
    await run.runtime.store.query<{ due_at: string; fired_at: string | null }>(
      sql`select due_at, fired_at from ninefold.timer where record = ${id} and timer = ${timer}`,
    )
  )[0]

test('what comes back fires once each time, by the local clock, while the state lasts', async () => {
  const id = await loanFrom('2026-03-26T12:00:00.000Z', '2026-03-26T12:00:00.000Z')
  expect(await due(id, 'chase')).toMatchObject({ due_at: '2026-03-27T09:00:00.000Z' })
  await at('2026-03-27T08:59:59.000Z')
  expect(await loan(id)).toMatchObject({ chased: '0' })
  await at('2026-03-27T09:00:00.000Z')
  expect(await loan(id)).toMatchObject({ chased: '1' })
  // After the weekend on which summer time begins: an hour earlier in UTC.
  expect(await due(id, 'chase')).toMatchObject({ due_at: '2026-03-30T08:00:00.000Z', fired_at: null })
  await at('2026-03-30T08:00:00.000Z')
  expect(await loan(id)).toMatchObject({ chased: '2' })
  // Too late: not now, but the next occurrence stays armed.
  await at('2026-04-03T08:00:00.000Z')
  expect(await loan(id)).toMatchObject({ chased: '2' })
  expect(await due(id, 'chase')).toMatchObject({ due_at: '2026-04-06T08:00:00.000Z', fired_at: null })
  await at('2026-04-09T13:00:00.000Z')
  expect(await loan(id)).toMatchObject({ state: 'Lost' })
  expect(await due(id, 'chase')).toBe(undefined)
})

test('where a timer leads is asked of the rules, and what was erased arms no timer', async () => {
  const id = await loanFrom('2026-05-04T05:00:00.000Z', '2026-05-04T06:00:00.000Z')
  await run.runtime.store.query(sql`update loan set chased = 100 where id = ${id}`)
  done(await change(run.runtime, await run.as(boss), 'loan', id, null, input({ born_at: '2026-05-05T05:00:00.000Z' })))
  expect(await due(id, 'greet')).toMatchObject({ due_at: '2026-05-06T05:00:00.000Z' })
  const request = await systemRequest(run.runtime, 'timer', run.door())
  await run.runtime.store.inTransaction(tx =>
    eraseRecord(tx, run.runtime, request, { entity: 'loan', id, what: 'asked', because: null }),
  )
  await round()
  expect(await due(id, 'greet')).toBe(undefined)
  await at('2026-05-18T06:00:00.000Z')
  expect(await loan(id)).toMatchObject({ state: 'Out' })
  const [told] = await run.runtime.store.query(sql`select last_error from ninefold.timer where timer = 'lose'`)
  expect(told).toEqual({ last_error: 'Somebody is still looking for it.' })
})

test('what was missed while nobody worked happens once, then goes on', async () => {
  const id = await loanFrom('2026-05-04T05:00:00.000Z', '2026-05-10T12:00:00.000Z')
  expect(await due(id, 'look')).toMatchObject({ due_at: '2026-05-04T11:00:00.000Z' })
  await at('2026-05-06T12:00:00.000Z')
  expect(await loan(id)).toMatchObject({ looked: '1', chased: '1' })
  // Moved to later on the same day: it has happened.
  done(await changeConstant(run.runtime, await run.as(boss), 'chase_at', '15:00'))
  await at('2026-05-06T14:00:00.000Z')
  expect(await loan(id)).toMatchObject({ chased: '1' })
  expect(await due(id, 'chase')).toMatchObject({ due_at: '2026-05-07T14:00:00.000Z' })
  expect(await due(id, 'look')).toMatchObject({ due_at: '2026-05-06T17:00:00.000Z' })
})

test('what is missed is skipped, or happens each time, where the document says so; and is told', async () => {
  run.now = new Date('2026-01-14T23:00:00.000Z')
  await rearm(run.runtime, await systemRequest(run.runtime, 'timer', run.door()), 'watch', 'one')
  const id = await made(run, boss, 'watch', input({ begins_at: '2026-01-16T00:00:00.000Z' }))
  const watch = async () => (await run.runtime.store.query(sql`select * from watch where id = ${id}`))[0]
  await at('2026-01-15T07:59:00.000Z')
  expect(await watch()).toMatchObject({ ticks: '3', mornings: '1', walks: '1', begun: false })
  await at('2026-01-16T08:00:00.000Z')
  expect(await watch()).toMatchObject({ ticks: '11', mornings: '1', walks: '1', begun: false })
  expect(await due(id, 'rise')).toMatchObject({ due_at: '2026-01-17T06:00:00.000Z' })
  expect((await due(id, 'begin'))?.fired_at).not.toBeNull()
  const told = await readOverdue(run.runtime, await run.as(boss), 10)
  expect(told.map(({ timer, due_at, skipped, label }) => [timer, due_at, skipped, label]).sort()).toEqual([
    ['begin', '2026-01-16T00:00:00.000Z', true, '2026-01-16 00:00'],
    ['rise', '2026-01-16T06:00:00.000Z', true, '2026-01-16 00:00'],
    ['walk', '2026-01-16T06:00:00.000Z', true, null],
  ])
  // Moved by hand, the clock misses nothing.
  run.now = new Date('2026-01-17T12:00:00.000Z')
  while ((await work(run.runtime, workContext(run, { clockMoves: true }))).timers > 0);
  expect(await watch()).toMatchObject({ mornings: '2', walks: '2' })
})

test('each occurrence fires once though several workers look at the same time, and one of them was already dead', async () => {
  const id = await loanFrom('2026-05-04T05:00:00.000Z', '2026-05-10T12:00:00.000Z')
  run.now = new Date('2026-05-04T11:00:00.000Z')
  await run.runtime.store.query(
    sql`update ninefold.timer set claimed_until = now(), claimed_by = 'dead', attempts = 1 where timer = 'look'`,
  )
  await Promise.all(['one', 'two', 'three', 'four'].map(worker => round(worker)))
  expect(await loan(id)).toMatchObject({ looked: '1' })
})

test('a change of the record does not move what comes back, nor what counts from entering', async () => {
  const id = await loanFrom('2026-05-04T05:00:00.000Z', '2026-05-10T12:00:00.000Z')
  expect(await due(id, 'escalate')).toMatchObject({ due_at: '2026-05-06T11:00:00.000Z' })
  run.now = new Date('2026-05-05T12:00:00.000Z')
  done(
    await change(run.runtime, await run.as(boss), 'loan', id, null, input({ return_at: '2026-05-11T12:00:00.000Z' })),
  )
  expect(await due(id, 'look')).toMatchObject({ due_at: '2026-05-04T11:00:00.000Z' })
  expect(await due(id, 'escalate')).toMatchObject({ due_at: '2026-05-06T11:00:00.000Z' })
  await at('2026-05-06T11:00:00.000Z')
  expect(await loan(id)).toMatchObject({ escalated: true })
  expect(await due(id, 'settle')).toMatchObject({ due_at: '2026-05-07T05:00:00.000Z' })
})

test('a changed constant and a closed day arm anew what has not fired', async () => {
  const id = await loanFrom('2026-05-04T05:00:00.000Z', '2026-05-10T12:00:00.000Z')
  expect(await due(id, 'lapse')).toMatchObject({ due_at: '2026-05-10T14:00:00.000Z' })
  done(await changeConstant(run.runtime, await run.as(boss), 'lapse_hours', '5'))
  done(await changeConstant(run.runtime, await run.as(boss), 'patience', '3'))
  await round()
  expect(await due(id, 'lapse')).toMatchObject({ due_at: '2026-05-10T17:00:00.000Z' })
  expect(await due(id, 'escalate')).toMatchObject({ due_at: '2026-05-07T11:00:00.000Z' })
  expect(await due(id, 'chase')).toMatchObject({ due_at: '2026-05-04T08:00:00.000Z' })
  const day = await made(run, boss, 'closing_day', input({ day: '2026-05-04' }))
  await made(run, boss, 'closing_day', input({ day: '2026-05-06' }))
  await round()
  expect(await due(id, 'chase')).toMatchObject({ due_at: '2026-05-05T08:00:00.000Z' })
  expect(await due(id, 'escalate')).toMatchObject({ due_at: '2026-05-08T11:00:00.000Z' })
  done(await remove(run.runtime, await run.as(boss), 'closing_day', day, null))
  await round()
  expect(await due(id, 'chase')).toMatchObject({ due_at: '2026-05-04T08:00:00.000Z' })
  // A time of day may be a constant, of what looks for its records as well.
  const told = async () =>
    (await run.runtime.store.query(sql`select due_at from ninefold.timer where timer = 'tell'`))[0]
  expect(await told()).toEqual({ due_at: '2026-05-05T05:00:00.000Z' })
  for (const [key, time] of [
    ['chase_at', '10:30'],
    ['tell_at', '07:15'],
  ] as const)
    done(await changeConstant(run.runtime, await run.as(boss), key, time))
  await round()
  expect(await due(id, 'chase')).toMatchObject({ due_at: '2026-05-04T09:30:00.000Z' })
  expect(await told()).toEqual({ due_at: '2026-05-04T06:15:00.000Z' })
  for (const [key, time] of [
    ['chase_at', '09:00'],
    ['tell_at', '06:00'],
  ] as const)
    done(await changeConstant(run.runtime, await run.as(boss), key, time))
  await round()
  expect(await run.runtime.store.query(sql`select from ninefold.timer where timer = ' rearm'`)).toEqual([])
})

test('working hours before and after a moment: past the weekend, moved by a closed day and by a constant', async () => {
  run.now = new Date('2026-05-08T15:30:00.000Z')
  const id = await made(run, boss, 'fault', input({ seen_at: '2026-05-08T15:00:00.000Z' }))
  const all = async () =>
    (
      await run.runtime.store.query<{ timer: string; due_at: string }>(
        sql`select timer, due_at from ninefold.timer where record = ${id} order by timer`,
      )
    ).map(one => `${one.timer} ${one.due_at.slice(0, 16)}`)
  const friday = 'prepare 2026-05-11T12:00'
  const own = 'grace 2026-05-11T09:00'
  expect(await all()).toEqual([
    'answer 2026-05-11T09:00',
    own,
    friday,
    'visit 2026-05-12T09:00',
    'warn 2026-05-11T09:00',
  ])
  await made(run, boss, 'closing_day', input({ day: '2026-05-11' }))
  done(await changeConstant(run.runtime, await run.as(boss), 'patience', '4'))
  await round()
  const moved = [
    'answer 2026-05-12T11:00',
    'grace 2026-05-12T09:00',
    'prepare 2026-05-08T13:00',
    'visit 2026-05-15T09:00',
    'warn 2026-05-12T09:00',
  ]
  expect(await all()).toEqual(moved)
  await at('2026-05-12T11:00:00.000Z')
  expect(await run.runtime.store.query(sql`select late from fault where id = ${id}`)).toEqual([{ late: '11011' }])
})

test('what reads other records is armed, and moves with them: by references and by all there are', async () => {
  run.now = new Date('2026-05-04T05:00:00.000Z')
  const slot = (day: number) => made(run, boss, 'slot', input({ starts_at: `2026-05-${day}T09:00:00.000Z` }))
  const late = await slot(20)
  const [site, other] = [
    await made(run, boss, 'site', input({ opens_at: '2026-05-10T09:00:00.000Z' })),
    await made(run, boss, 'site', input({ opens_at: '2026-05-10T09:00:00.000Z' })),
  ]
  const visitAt = async (at: string) =>
    made(
      run,
      boss,
      'visit',
      input({ round: await made(run, boss, 'round', input({ site: at })), asked_at: '2026-05-05T09:00:00.000Z' }),
    )
  const [id, beside] = [await visitAt(site), await visitAt(other)]
  const dues = async (record = id) =>
    [(await due(record, 'come'))?.due_at, (await due(record, 'open'))?.due_at].map(one => one?.slice(5, 13))
  expect(await dues()).toEqual(['05-20T09', '05-10T10'])
  const early = await slot(12)
  done(
    await change(run.runtime, await run.as(boss), 'site', site, null, input({ opens_at: '2026-05-11T09:00:00.000Z' })),
  )
  await round()
  expect(await dues()).toEqual(['05-12T09', '05-11T10'])
  expect(await dues(beside)).toEqual(['05-12T09', '05-10T10'])
  done(await change(run.runtime, await run.as(boss), 'slot', early, null, input({ full: true })))
  await round()
  expect(await dues()).toEqual(['05-20T09', '05-11T10'])
  done(await remove(run.runtime, await run.as(boss), 'slot', late, null))
  await round()
  expect(await dues()).toEqual([undefined, '05-11T10'])
  await slot(14)
  await at('2026-05-14T09:00:00.000Z')
  const known = async () => (await run.runtime.store.query(sql`select known from visit where id = ${id}`))[0]
  expect(await known()).toEqual({ known: '11' })
  // Into the past: nothing; into the future: once more.
  const opening = async (day: string) =>
    change(run.runtime, await run.as(boss), 'site', site, null, input({ opens_at: `2026-05-${day}T09:00:00.000Z` }))
  done(await opening('08'))
  await at('2026-05-15T09:00:00.000Z')
  expect(await known()).toEqual({ known: '11' })
  done(await opening('16'))
  await at('2026-05-17T09:00:00.000Z')
  await at('2026-05-17T09:00:00.000Z')
  expect(await known()).toEqual({ known: '21' })
  expect(await run.runtime.store.query(sql`select from ninefold.timer where timer = ' rearm'`)).toEqual([])
})

test('what has fired does not fire again because a constant moved it', async () => {
  const id = await loanFrom('2026-05-04T05:00:00.000Z', '2026-05-04T05:30:00.000Z')
  await at('2026-05-04T07:30:00.000Z')
  expect(await loan(id)).toMatchObject({ lapsed: true, version: '2' })
  done(await changeConstant(run.runtime, await run.as(boss), 'lapse_hours', '3'))
  await round()
  expect(await due(id, 'lapse')).toMatchObject({ fired_at: '2026-05-04T07:30:00.000Z' })
})

test('a new document arms the timers of records that are there already', async () => {
  const id = await loanFrom('2026-05-04T05:00:00.000Z', '2026-05-10T12:00:00.000Z')
  const app = readSound(document, text =>
    text.replace('every 6 hours', 'every 8 hours').replace('| lose |', '| last |'),
  )
  await applyMigration(run.runtime.store, app, null, { now: run.now })
  const runtime = { ...run.runtime, app }
  const before = run.runtime
  Object.assign(run, { runtime })
  await round()
  expect(await due(id, 'look')).toMatchObject({ due_at: '2026-05-04T07:00:00.000Z' })
  expect(await due(id, 'last')).toMatchObject({ due_at: '2026-05-24T12:00:00.000Z' })
  expect(await due(id, 'lose')).toBe(undefined)
  Object.assign(run, { runtime: before })
})

test('what comes back is tried again at its next time, though it failed too often', async () => {
  const id = await loanFrom('2026-05-04T05:00:00.000Z', '2026-05-10T12:00:00.000Z')
  await run.runtime.store.query(sql`alter table loan add constraint never check (looked = 0)`)
  run.now = new Date('2026-05-04T11:00:00.000Z')
  for (let tries = 0; tries < 12; tries++) {
    await round()
    run.now = new Date(run.now.getTime() + 900_000)
  }
  expect(await due(id, 'look')).toMatchObject({ due_at: '2026-05-04T17:00:00.000Z', fired_at: null })
  await run.runtime.store.query(sql`alter table loan drop constraint never`)
  await at('2026-05-04T17:00:00.000Z')
  expect(await loan(id)).toMatchObject({ looked: '1' })
})

/** As when a document is applied, at a moment. */
async function armedAt(moment: string, ...entities: readonly string[]): Promise<void> {
  run.now = new Date(moment)
  const request = await systemRequest(run.runtime, 'timer', run.door())
  for (const entity of entities) await rearm(run.runtime, request, entity, 'one')
}
const contractUntil = (day: string) => made(run, boss, 'contract', input({ ends_on: day }))
const told = async () =>
  (await run.runtime.store.query<{ told: string }>(sql`select told from contract order by ends_on, id`)).map(one =>
    Number(one.told),
  )
const sweeping = async (worker: string, limit: number) =>
  fireTimers(run.runtime, await systemRequest(run.runtime, 'timer', run.door()), { worker, limit, batch: 2 })

test('a timer for each record finds those that match at its time, and each once, batch by batch', async () => {
  await armedAt('2026-05-04T03:00:00.000Z', 'contract')
  const ends = ['2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08', '2026-05-09', '2026-12-01']
  const ids: string[] = []
  for (const day of ends) ids.push(await contractUntil(day))
  run.now = new Date('2026-05-04T04:59:59.000Z')
  expect(await sweeping('one', 50)).toBe(0)
  run.now = new Date('2026-05-04T05:00:00.000Z')
  // The first worker dies behind its first batch.
  expect(await sweeping('one', 1)).toBe(1)
  expect(await told()).toEqual([0, 0, 0, 0, 0, 0])
  // Found, but no longer so; and one that people change meanwhile stays found.
  done(await change(run.runtime, await run.as(boss), 'contract', ids[0]!, null, input({ ends_on: '2027-01-01' })))
  done(await change(run.runtime, await run.as(boss), 'contract', ids[1]!, null, input({ ends_on: '2026-05-04' })))
  for (let last = -1; last !== 0; )
    last = (await Promise.all(['two', 'three'].map(worker => sweeping(worker, 3)))).reduce((sum, one) => sum + one)
  expect(await told()).toEqual([1, 1, 1, 1, 0, 0])
  expect(
    await run.runtime.store.query(
      sql`select kind, what from ninefold.history where record = ${ids[1]} order by id desc limit 1`,
    ),
  ).toEqual([{ kind: 'timer', what: 'tell' }])
  // Three days nobody works: once, at the next working day; then as planned.
  await at('2026-05-07T12:00:00.000Z')
  expect(await told()).toEqual([2, 2, 2, 2, 0, 0])
  await at('2026-05-08T04:59:00.000Z')
  expect(await told()).toEqual([2, 2, 2, 2, 0, 0])
  await at('2026-05-08T05:00:00.000Z')
  expect(await told()).toEqual([3, 3, 3, 3, 0, 0])
  // Its time is moved behind the one at which it happened: that day is over for it.
  done(await changeConstant(run.runtime, await run.as(boss), 'tell_at', '11:00'))
  await at('2026-05-08T10:00:00.000Z')
  expect(await told()).toEqual([3, 3, 3, 3, 0, 0])
  // So is the day on which it was too late, and the one on which its time was moved while it was under way.
  await at('2026-05-11T12:00:00.000Z')
  expect(await told()).toEqual([4, 4, 4, 4, 0, 0])
  done(await changeConstant(run.runtime, await run.as(boss), 'tell_at', '14:00'))
  await at('2026-05-11T13:00:00.000Z')
  expect(await told()).toEqual([4, 4, 4, 4, 0, 0])
  run.now = new Date('2026-05-12T13:00:00.000Z')
  expect(await sweeping('one', 1)).toBe(1)
  done(await changeConstant(run.runtime, await run.as(boss), 'tell_at', '15:00'))
  await at('2026-05-12T14:00:00.000Z')
  expect(await told()).toEqual([5, 5, 5, 5, 0, 0])
})

const ticketAt = async (moment: string) => {
  run.now = new Date(moment)
  return made(run, boss, 'ticket', input({ reported_at: moment }))
}
const stepAt = async (moment: string, id: string, ...steps: readonly string[]) => {
  await at(moment)
  for (const step of steps) done(await takeStep(run.runtime, await run.as(boss), 'ticket', id, step, null))
}
const marks = async (id: string) => {
  const [row] = await run.runtime.store.query<Record<string, string>>(sql`select * from ticket where id = ${id}`)
  return [row!.late, row!.nagged, row!.aged].map(Number)
}
const dueOf = async (id: string) =>
  Object.fromEntries(
    (
      await run.runtime.store.query<{ timer: string; at: string }>(
        sql`select timer, due_at as at from ninefold.timer where record = ${id} and fired_at is null`,
      )
    ).map(one => [one.timer, one.at === never ? 'never' : one.at]),
  )

test('a clock stands while its record waits, and goes on with what was left', async () => {
  // Thursday, 10:00 in London.
  const id = await ticketAt('2026-05-07T09:00:00.000Z')
  expect(await dueOf(id)).toEqual({
    answer: '2026-05-07T13:00:00.000Z',
    nag: '2026-05-07T14:00:00.000Z',
    grow_old: '2026-05-11T11:00:00.000Z',
  })
  // An hour of work has passed.
  await stepAt('2026-05-07T10:00:00.000Z', id, 'begin', 'ask')
  expect(await dueOf(id)).toEqual({ answer: 'never', nag: 'never', grow_old: 'never' })
  await at('2026-05-11T08:00:00.000Z')
  expect(await marks(id)).toEqual([0, 0, 0])
  // On at 10:30 on Monday: three hours of work, four by the clock, two working days.
  await stepAt('2026-05-11T09:30:00.000Z', id, 'go_on')
  const on = {
    answer: '2026-05-11T12:30:00.000Z',
    nag: '2026-05-11T13:30:00.000Z',
    grow_old: '2026-05-13T11:00:00.000Z',
  }
  expect(await dueOf(id)).toEqual(on)
  // Whatever else is written, it stays so; a longer time is longer by as much.
  done(await change(run.runtime, await run.as(boss), 'ticket', id, null, input({ answer_hours: '5' })))
  expect(await dueOf(id)).toEqual({ ...on, answer: '2026-05-11T13:30:00.000Z' })
  await at('2026-05-11T13:30:00.000Z')
  expect(await marks(id)).toEqual([1, 1, 0])
  // What has fired does not fire again, however often it waits.
  await stepAt('2026-05-11T15:00:00.000Z', id, 'ask')
  await stepAt('2026-05-12T15:00:00.000Z', id, 'go_on')
  expect(await dueOf(id)).toEqual({ grow_old: '2026-05-14T11:00:00.000Z' })
  await at('2026-05-20T11:00:00.000Z')
  expect(await marks(id)).toEqual([1, 1, 1])
})

test('a clock that stands moves with closed days when it goes on, and ends with its states', async () => {
  const id = await ticketAt('2026-05-07T09:00:00.000Z')
  await stepAt('2026-05-07T10:00:00.000Z', id, 'ask')
  done(await create(run.runtime, await run.as(boss), 'closing_day', input({ day: '2026-05-11' })))
  await at('2026-05-08T09:00:00.000Z')
  expect(await dueOf(id)).toMatchObject({ answer: 'never' })
  // At the end of Friday: what is left goes on on Tuesday, as Monday is closed.
  await stepAt('2026-05-08T15:00:00.000Z', id, 'go_on')
  expect(await dueOf(id)).toMatchObject({ answer: '2026-05-12T10:00:00.000Z', grow_old: '2026-05-13T11:00:00.000Z' })
  await stepAt('2026-05-08T15:30:00.000Z', id, 'finish')
  expect(await dueOf(id)).toEqual({})
})

test('a timer about no record does what it says once each time, as a whole, and not where its When does not hold', async () => {
  await armedAt('2026-05-04T03:00:00.000Z', 'ledger')
  const ledgers = async () =>
    (
      await run.runtime.store.query<{ day: string; watches: string; others: string | null }>(
        sql`select day, watches, (select string_agg(others::text, ' ' order by position) from ledger_line where ledger = ledger.id) as others from ledger order by day`,
      )
    ).map(({ day, watches, others }) => [day, watches, others])
  const walks = async () =>
    (await run.runtime.store.query<{ walks: string }>(sql`select walks from watch order by id`)).map(one =>
      Math.floor(Number(one.walks) / 100),
    )
  // The last of May is a Sunday: Friday is the last working day. There is no watch yet.
  await at('2026-05-29T20:00:00.000Z')
  expect(await ledgers()).toEqual([])
  const watch = () => made(run, boss, 'watch', input({ begins_at: '2027-01-01T00:00:00.000Z' }))
  await watch()
  await watch()
  await at('2026-06-30T16:59:00.000Z')
  expect(await ledgers()).toEqual([])
  run.now = new Date('2026-06-30T17:00:00.000Z')
  await Promise.all(['one', 'two'].map(worker => sweeping(worker, 50)))
  expect(await ledgers()).toEqual([['2026-06-30', '2', '1 1']])
  expect(await walks()).toEqual([1, 1])
  // What is refused is undone as a whole, and tried again.
  const third = await watch()
  await at('2026-07-31T17:00:00.000Z')
  expect(await ledgers()).toHaveLength(1)
  expect(await walks()).toEqual([1, 1, 0])
  expect(
    await run.runtime.store.query(
      sql`select timer, last_error is null as fine from ninefold.timer where entity = 'ledger'`,
    ),
  ).toEqual([{ timer: 'close_month', fine: false }])
  await run.runtime.store.query(sql`delete from watch where id = ${third}`)
  await at('2026-07-31T18:00:00.000Z')
  expect((await ledgers()).map(([day]) => day)).toEqual(['2026-06-30', '2026-07-31'])
})

test('a timer for each record takes states, and goes by the working days that are left', async () => {
  await armedAt('2026-05-08T12:00:00.000Z', 'contract', 'loan')
  await made(run, boss, 'closing_day', input({ day: '2026-05-11' }))
  await contractUntil('2026-05-12')
  const id = await loanFrom('2026-05-08T12:00:00.000Z', '2026-05-20T12:00:00.000Z')
  await round()
  await run.runtime.store.query(sql`update loan set escalated = true, lapsed = true where id = ${id}`)
  await at('2026-05-11T12:00:00.000Z')
  expect(await told()).toEqual([0])
  expect(await loan(id)).toMatchObject({ state: 'Lost' })
  await at('2026-05-12T12:00:00.000Z')
  expect(await told()).toEqual([1])
})

interface CrateRow {
  readonly id: string
  readonly due_on: string
  readonly told: string
  readonly stored: string
}

const cratesOf = (delivery: string) =>
  run.runtime.store.query<CrateRow>(
    sql`select id, due_on::text, told, stored from crate where delivery = ${delivery}::uuid order by position`,
  )
const deliveryWith = (arrives: string, ...days: readonly string[]) =>
  made(run, boss, 'delivery', input({ arrives_on: arrives }, { crates: days.map(due_on => ({ due_on })) }))
/** The crates that stay, each with its day. */
const changeCrates = async (delivery: string, crates: readonly (readonly [id: string | null, day: string])[]) =>
  done(
    await change(run.runtime, await run.as(boss), 'delivery', delivery, null, {
      ...input({}),
      children: { crates: crates.map(([id, due_on]) => ({ id, values: { due_on } })) },
    }),
  )
const armed = async (timer: string) =>
  (
    await run.runtime.store.query<{ at: string }>(
      sql`select left(due_at::text, 16) as at from ninefold.timer where timer = ${timer} and fired_at is null order by 1`,
    )
  ).map(one => one.at)

test('each row has its own time: it moves with the row, with its record, and goes with either', async () => {
  run.now = new Date('2026-05-04T05:00:00.000Z')
  const id = await deliveryWith('2026-05-15', '2026-05-05', '2026-05-06', '2026-05-07')
  expect(await armed('remind')).toEqual(['2026-05-05 07:00', '2026-05-06 07:00', '2026-05-07 07:00'])
  // Behind the weekend, and with the closing day.
  expect(await armed('store')).toEqual(Array(3).fill('2026-05-19 11:00'))
  await made(run, boss, 'closing_day', input({ day: '2026-05-18' }))
  await round()
  expect(await armed('store')).toEqual(Array(3).fill('2026-05-20 11:00'))
  await at('2026-05-05T07:00:00.000Z')
  const [first, second, third] = (await cratesOf(id)).map(crate => crate.id)
  expect((await cratesOf(id)).map(({ told }) => told)).toEqual(['1', '0', '0'])
  const [kept] = await run.runtime.store.query(
    sql`select kind, changes from ninefold.history where record = ${id}::uuid order by id desc limit 1`,
  )
  expect(kept).toMatchObject({ kind: 'change' })
  // What has fired fires again where its day moves; a row that goes takes its time with it, one that comes has its own.
  await changeCrates(id, [
    [first!, '2026-05-09'],
    [second!, '2026-05-06'],
    [null, '2026-05-12'],
  ])
  expect(third).toBeDefined()
  expect(await armed('remind')).toEqual(['2026-05-06 07:00', '2026-05-09 07:00', '2026-05-12 07:00'])
  done(await change(run.runtime, await run.as(boss), 'delivery', id, null, input({ arrives_on: '2026-05-11' })))
  expect(await armed('store')).toEqual(Array(3).fill('2026-05-13 11:00'))
  await at('2026-05-09T07:00:00.000Z')
  expect((await cratesOf(id)).map(({ told }) => told)).toEqual(['2', '1', '0'])
  // The record's own timer, which has no states either, closes the When of the rows.
  await at('2026-05-13T11:00:00.000Z')
  expect((await cratesOf(id)).map(({ told, stored }) => [told, stored])).toEqual([
    ['2', '1'],
    ['1', '1'],
    ['0', '1'],
  ])
  // What is archived has no times, nor have its rows; brought back, they have.
  done(await remove(run.runtime, await run.as(boss), 'delivery', id, null))
  await armedAt('2026-05-13T11:00:00.000Z', 'crate', 'delivery')
  const held = () =>
    run.runtime.store.query(sql`select from ninefold.timer where entity in ('crate', 'delivery') and timer <> ' rearm'`)
  expect(await held()).toEqual([])
  done(await restore(run.runtime, await run.as(boss), 'delivery', id, null))
  expect(await held()).toHaveLength(7)
})

test('a row in a state is counted from when it entered, and rows that are there already are armed with the document', async () => {
  run.now = new Date('2026-05-04T05:00:00.000Z')
  const pieces = [{ name: 'Tent' }, { name: 'Stove' }]
  const values = input({ arrives_on: '2026-05-15' }, { pieces, crates: [{ due_on: '2026-05-20' }] })
  const id = await made(run, boss, 'delivery', values)
  run.now = new Date('2026-05-06T05:00:00.000Z')
  done(await change(run.runtime, await run.as(boss), 'delivery', id, null, input({ arrives_on: '2026-05-16' })))
  expect(await armed('miss')).toEqual(Array(2).fill('2026-05-09 05:00'))
  await run.runtime.store.query(sql`delete from ninefold.timer where timer in ('miss', 'remind')`)
  await armedAt('2026-05-06T05:00:00.000Z', 'piece', 'crate')
  expect([await armed('miss'), await armed('remind')]).toEqual([
    Array(2).fill('2026-05-11 05:00'),
    ['2026-05-20 07:00'],
  ])
  const states = () => run.runtime.store.query(sql`select name, state from piece order by position`)
  await at('2026-05-11T04:59:00.000Z')
  expect(await states()).toMatchObject([{ state: 'Awaited' }, { state: 'Awaited' }])
  await Promise.all(
    ['one', 'two', 'three'].map(worker => {
      run.now = new Date('2026-05-11T05:00:00.000Z')
      return round(worker)
    }),
  )
  expect(await states()).toMatchObject([{ state: 'Missing' }, { state: 'Missing' }])
  expect(await armed('miss')).toEqual([])
  const told = await run.runtime.store.query(
    sql`select changes::text from ninefold.history where record = ${id}::uuid order by id desc limit 1`,
  )
  expect(JSON.stringify(told)).toContain('Missing')
})
