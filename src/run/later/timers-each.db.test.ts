/** Timers of each record that matches at their time, of each row, and those about no record. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { changeConstant } from '../limits.ts'
import { systemRequest } from '../people/people.ts'
import { done, input, made, type TestRun } from '../testing.ts'
import { change, remove, restore } from '../write/writes.ts'
import { fireTimers } from './fire.ts'
import { timersAtWork } from './testing-timers.ts'

const { armedAt, at, loan, loanFrom, round, ...timers } = timersAtWork()
let run: TestRun
let boss: string
beforeAll(() => {
  run = timers.run()
  boss = timers.boss()
})

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
