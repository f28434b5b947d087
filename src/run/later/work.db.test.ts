/** The worker: timers of the desk, several workers at once, one that dies, and what wakes it. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import { takeHour } from '../claim.ts'
import { done, itemWith, startTestRun, type TestRun } from '../testing.ts'
import { change, remove, takeStep } from '../write/writes.ts'
import { type Partner, startPartner } from './testing.ts'
import { loansAtWork } from './testing-loans.ts'
import { keepWorking } from './work.ts'

let run: TestRun
let camera: string
let partner: Partner
const start = new Date('2026-03-02T09:00:00.000Z')

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
  camera = await itemWith(run, 'CA-0001')
  partner = await startPartner()
})
afterAll(async () => {
  partner?.stop()
  await run?.drop()
})
beforeEach(async () => {
  partner.received = []
  run.now = new Date(start)
  partner.answer = () => ({ status: 200, body: { id: 'R-1' } })
  await run.runtime.store.query(sql`delete from ninefold.outbox`)
  await run.runtime.store.query(sql`delete from ninefold.timer`)
})

const { context, round, later, newLoan, step, handedOut, takenBack, loan, call, kept } = loansAtWork(
  () => run,
  () => partner,
  () => camera,
)

test('a worker that died leaves its rows to another within seconds; whose clock is wrong takes none that another one has', async () => {
  const id = await takenBack()
  const claimedUntil = (end: string) =>
    run.runtime.store.query(
      sql`update ninefold.outbox set claimed_by = 'dead', attempts = 1, claimed_until = now() + ${end}::interval, first_at = ${run.now.toISOString()}::timestamptz where record = ${id} and kind = 'call'`,
    )
  await claimedUntil('9 seconds')
  for (const skew of [-2, 0, 2]) await round({ now: () => new Date(run.now.getTime() + skew * 60_000) })
  expect(partner.received).toHaveLength(0)
  await claimedUntil('0 seconds')
  await round()
  expect(partner.received).toHaveLength(1)
  // The clock of the database was wrong, and then that of whoever said when it is due.
  const other = await takenBack()
  await run.runtime.store.query(
    sql`update ninefold.outbox set claimed_by = 'dead', claimed_until = now() + interval '1 hour', due_at = '2027-01-01' where record = ${other} and kind = 'call'`,
  )
  await round()
  expect(partner.received).toHaveLength(2)
})

test('a row whose worker always dies is set aside, and the others go on', async () => {
  const id = await takenBack()
  const other = await takenBack()
  await run.runtime.store.query(sql`update ninefold.outbox set attempts = 11 where record = ${id} and kind = 'call'`)
  await round()
  expect(await call(id)).toMatchObject({ state: 'failed', attempts: '12' })
  expect(await call(other)).toMatchObject({ state: 'delivered' })
  expect(partner.received).toHaveLength(1)
})

test('two workers at once send each row once', async () => {
  for (let index = 0; index < 6; index++) await takenBack()
  const rounds = await Promise.all([1, 2, 3, 4].map(number => round({ worker: `worker-${number}`, limit: 3 })))
  await round()
  expect(partner.received).toHaveLength(6)
  expect(new Set(partner.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(6)
  expect(rounds.reduce((sum, { timers }) => sum + timers, 0)).toBe(0)
})

test('timers fire when the clock of the desk says so, once', async () => {
  const id = await handedOut()
  const due = async () =>
    run.runtime.store.query(
      sql`select timer, due_at, fired_at is not null as fired from ninefold.timer where record = ${id} order by due_at`,
    )
  // 09:00 and 08:00 in Berlin, winter time.
  expect(await due()).toEqual([
    { timer: 'due_soon', due_at: '2026-03-07T08:00:00.000Z', fired: false },
    { timer: 'overdue', due_at: '2026-03-10T07:00:00.000Z', fired: false },
  ])
  run.now = new Date('2026-03-07T07:59:59.999Z')
  expect((await round()).timers).toBe(0)
  run.now = new Date('2026-03-07T08:00:00.000Z')
  expect((await round()).timers).toBe(1)
  const number = String((await loan(id)).number)
  const reminder = {
    mail: 'due_soon',
    subject: `Please bring ${number} back by 9 Mar 2026`,
    recipients: ['Ben <ben@example.com>'],
  }
  expect((await kept(id)).filter(({ subject }) => subject.startsWith('Please'))).toEqual([reminder])
  // Something else of the loan changes: no second reminder.
  await run.runtime.store.query(sql`update loan set state = 'Out' where id = ${id}`)
  done(
    await change(run.runtime, await run.as('Mia'), 'loan', id, null, {
      values: { out_on: '2026-03-03' },
      children: {},
      invalidValues: [],
    }),
  )
  expect((await round()).timers).toBe(0)
  run.now = new Date('2026-03-10T07:00:00.000Z')
  const rounds = await Promise.all([1, 2, 3].map(number => round({ worker: `worker-${number}` })))
  expect(rounds.reduce((sum, { timers }) => sum + timers, 0)).toBe(1)
  expect(await loan(id)).toMatchObject({ state: 'Overdue' })
  const [entry] = await run.runtime.store.query(
    sql`select kind, what, from_state, to_state, actor, system from ninefold.history where record = ${id} order by id desc limit 1`,
  )
  expect(entry).toEqual({
    kind: 'timer',
    what: 'overdue',
    from_state: 'Out',
    to_state: 'Overdue',
    actor: null,
    system: 'timer',
  })
  expect(await due()).toEqual([])
  await round()
  // To the borrower and to the manager.
  expect((await kept(id)).filter(({ subject }) => subject === `${number} was due on 9 Mar 2026`)).toHaveLength(2)
  expect((await round()).timers).toBe(0)
})

test('a database that takes nothing uses up no try of a timer', async () => {
  const id = await handedOut()
  const { query } = run.runtime.store
  await query(
    raw(
      `create function no_room() returns trigger language plpgsql as $$ begin raise 'No space left' using errcode = '53100'; end $$`,
    ),
  )
  await query(raw('create trigger no_room before insert on ninefold.outbox for each row execute function no_room()'))
  run.now = new Date('2026-03-07T08:00:00.000Z')
  for (let tries = 0; tries < 10; tries++) {
    expect((await round()).timers).toBe(0)
    later(15)
  }
  await query(raw('drop function no_room cascade'))
  expect((await round()).timers).toBe(1)
  expect((await kept(id)).filter(({ subject }) => subject.startsWith('Please'))).toHaveLength(1)
})

test('a worker that was taken for dead and goes on does not fire a second time', async () => {
  const id = await handedOut()
  run.now = new Date('2026-03-07T08:00:00.000Z')
  const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const held = run.runtime.store.inTransaction(async tx => {
    await tx.query(sql`select from loan where id = ${id} for update`)
    hasLocked()
    await released
  })
  await locked
  const claimedBy = async () => {
    const rows = await run.runtime.store.query<{ who: string }>(
      sql`select claimed_by as who from ninefold.timer where claimed_by is not null`,
    )
    return rows.map(({ who }) => who)
  }
  const slow = round({ worker: 'slow' })
  await expect.poll(claimedBy).toEqual(['slow'])
  // Nobody else takes it, whatever clock they go by, until nothing was heard of it for ten seconds.
  const early = round({ worker: 'early', now: () => new Date('2026-03-07T09:00:00.000Z') })
  expect((await early).timers).toBe(0)
  const next: Promise<unknown>[] = []
  await expect
    .poll(async () => {
      // The slow one lives, and may say so at any moment.
      await run.runtime.store.query(sql`update ninefold.timer set claimed_until = now() where claimed_by = 'slow'`)
      next.push(round({ worker: 'next' }))
      return claimedBy()
    })
    .toEqual(['next'])
  release()
  await Promise.all([held, slow, ...next])
  await round()
  expect((await kept(id)).filter(({ subject }) => subject.startsWith('Please'))).toHaveLength(1)
})

test('a moved date moves the timer; what is brought back or deleted has none', async () => {
  const id = await handedOut()
  await run.runtime.store.query(sql`update loan set state = 'Approved' where id = ${id}`)
  done(
    await change(run.runtime, await run.as('Dan'), 'loan', id, null, {
      values: { due_back: '2026-03-12' },
      children: {},
      invalidValues: [],
    }),
  )
  // Not out: no timer runs.
  expect(await run.runtime.store.query(sql`select from ninefold.timer where record = ${id}`)).toEqual([])
  await step('Dan', id, 'hand_out')
  // In summer time after 29 March the same clock time is an hour earlier in UTC.
  done(
    await change(run.runtime, await run.as('Mia'), 'loan', id, null, {
      values: { out_on: '2026-03-25', due_back: '2026-03-31' },
      children: {},
      invalidValues: [],
    }),
  )
  const [soon] = await run.runtime.store.query(
    sql`select due_at from ninefold.timer where record = ${id} order by due_at`,
  )
  expect(soon).toEqual({ due_at: '2026-03-29T07:00:00.000Z' })
  await step('Dan', id, 'take_back')
  expect(await run.runtime.store.query(sql`select from ninefold.timer where record = ${id}`)).toEqual([])
  const draft = await newLoan()
  done(await remove(run.runtime, await run.as('Ben'), 'loan', draft, null))
})

test('a timer whose record is gone, or was moved on without it, ends quietly', async () => {
  const id = await handedOut()
  await run.runtime.store.query(sql`update loan set state = 'Returned' where id = ${id}`)
  run.now = new Date('2026-04-01T00:00:00.000Z')
  await round()
  expect((await loan(id)).state).toBe('Returned')
  expect(await run.runtime.store.query(sql`select from ninefold.timer where record = ${id}`)).toEqual([])
})

test('where nothing is due, a look asks for timers, news, mails and calls, and jobs, and for nothing else', async () => {
  await round()
  const { statements } = await run.runtime.store.counted(() => round())
  expect(statements.map(text => /(?:update|from) (ninefold\.\w+)/.exec(text)?.[1])).toEqual([
    'ninefold.timer',
    'ninefold.untold',
    'ninefold.outbox',
    'ninefold.job',
  ])
})

test('what is done once an hour is done by one of all who ask; a clock that was wrong keeps nobody from it', async () => {
  const ask = (minutes: number) => takeHour(run.runtime.store, 'test', new Date(run.now.getTime() + minutes * 60_000))
  expect((await Promise.all([ask(0), ask(0), ask(1)])).filter(Boolean)).toHaveLength(1)
  expect([await ask(-4), await ask(55), await ask(61)]).toEqual([false, false, true])
  expect([await ask(61 - 24 * 60), await ask(62 - 24 * 60)]).toEqual([true, false])
})

test('working goes on by itself, is woken by a commit, and stops when told', async () => {
  let rounds = 0
  const working = keepWorking(() => run.runtime, context(), { every: 60_000, onWorked: () => rounds++ })
  const runtime = { ...run.runtime, wake: working.wake }
  const id = await handedOut()
  done(await takeStep(runtime, await run.as('Dan'), 'loan', id, 'take_back', null))
  await expect.poll(() => partner.received.length).toBe(1)
  await working.stop()
  expect(partner.received).toHaveLength(1)
  expect(rounds).toBeGreaterThan(0)
})

test('a receiver that never answers keeps nobody waiting: timers fire and mails leave meanwhile', async () => {
  partner.answer = () => 'never'
  const ending = new AbortController()
  const working = keepWorking(() => run.runtime, context({ signal: ending.signal, limit: 4 }), { every: 20 })
  const until = (what: () => Promise<boolean>) => expect.poll(what).toBe(true)
  try {
    const silent = await takenBack()
    for (let more = 0; more < 5; more++) await takenBack()
    await until(async () => partner.received.length === 2)
    const id = await handedOut()
    run.now = new Date('2026-03-10T12:00:00.000Z')
    await until(async () => (await loan(id)).state === 'Overdue' && (await kept(id)).length > 0)
    expect(await loan(id)).toMatchObject({ state: 'Overdue' })
    expect(await kept(id)).not.toEqual([])
    // Others to the same receiver wait for these: it cannot take all places.
    expect(partner.received.length).toBeLessThan(4)
    // Its ten seconds are not over.
    expect(await call(silent)).toMatchObject({ state: 'waiting', claimed_by: 'worker-1', attempts: '1' })
  } finally {
    ending.abort()
    await working.stop()
  }
})

test('the worker is woken by what it can do now: something to send, a timer that is due already; by nothing else', async () => {
  let woken = 0
  const runtime = { ...run.runtime, wake: () => void woken++ }
  const take = async (who: string, id: string, key: string) =>
    done(await takeStep(runtime, await run.as(who), 'loan', id, key, null))
  const handOut = async (dueBack: string) => {
    const id = await newLoan({ due_back: dueBack })
    await step('Ben', id, 'submit')
    await take('Cleo', id, 'approve')
    expect(woken, 'nothing follows from an approval').toBe(0)
    await take('Dan', id, 'hand_out')
  }
  await handOut('2026-03-09')
  expect(woken, 'its timers are due in days').toBe(0)
  // Due tomorrow: the reminder, two days before, is due at once.
  await handOut('2026-03-03')
  expect(woken).toBe(1)
  const id = await newLoan()
  await take('Ben', id, 'submit')
  expect(woken, 'a mail').toBeGreaterThan(1)
})
