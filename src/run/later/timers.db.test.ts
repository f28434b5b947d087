/** Timers: those that come back, those of working time, those that read other records, and clocks that stand. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { applyMigration } from '../../store/migrate.ts'
import { changeConstant } from '../limits.ts'
import { eraseRecord } from '../people/erase.ts'
import { systemRequest } from '../people/people.ts'
import { done, input, made, readSound, type TestRun } from '../testing.ts'
import { change, create, remove, takeStep } from '../write/writes.ts'
import { readOverdue } from './overdue.ts'
import { never } from './standing.ts'
import { workContext } from './testing.ts'
import { document, timersAtWork } from './testing-timers.ts'
import { work } from './work.ts'

const { armedAt, at, loan, loanFrom, round, ...timers } = timersAtWork()
let run: TestRun
let boss: string
beforeAll(() => {
  run = timers.run()
  boss = timers.boss()
})
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
  await armedAt('2026-01-14T23:00:00.000Z', 'watch')
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
  // Moved by hand, the clock misses nothing that came due on its way.
  run.now = new Date('2026-01-17T12:00:00.000Z')
  const moved = async () => {
    while ((await work(run.runtime, workContext(run, { clockMoves: true }))).timers > 0);
  }
  await moved()
  expect(await watch()).toMatchObject({ mornings: '2', walks: '2' })
  // What was over when it was armed is missed all the same, by as much as it was then: of a new record, and of one that is changed.
  const begun = async (one: string) =>
    (await run.runtime.store.query<{ begun: boolean }>(sql`select begun from watch where id = ${one}`))[0]?.begun
  const late = await made(run, boss, 'watch', input({ begins_at: '2026-01-17T11:30:00.000Z' }))
  const near = await made(run, boss, 'watch', input({ begins_at: '2026-01-17T11:31:00.000Z' }))
  const later = await made(run, boss, 'watch', input({ begins_at: '2026-01-18T00:00:00.000Z' }))
  await moved()
  expect([await begun(late), await begun(near), await begun(later)]).toEqual([false, true, false])
  run.now = new Date('2026-01-17T13:00:00.000Z')
  const earlier = input({ begins_at: '2026-01-17T12:10:00.000Z' })
  done(await change(run.runtime, await run.as(boss), 'watch', later, null, earlier))
  await moved()
  expect(await begun(later)).toBe(false)
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
