/** Calls that pause: whose failures they are, who ends a pause, and what three days without a partner leave. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { itemWith, loanDesk, readSound, startTestRun, type TestRun } from '../testing.ts'
import { readUnsent, resume } from './send-again.ts'
import { type Partner, startPartner } from './testing.ts'
import { loansAtWork } from './testing-loans.ts'
import { work } from './work.ts'

let run: TestRun
let camera: string
let partner: Partner

const patient = (text: string) => text.replace('repeat 6 times within 2 hours', 'repeat 60 times within 96 hours')

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(loanDesk, patient))
  camera = await itemWith(run, 'CA-0001')
  partner = await startPartner()
})
afterAll(async () => {
  partner?.stop()
  await run?.drop()
})
beforeEach(async () => {
  partner.received = []
  run.now = new Date('2026-03-02T09:00:00.000Z')
  for (const table of ['outbox', 'timer', 'breaker'] as const)
    await run.runtime.store.inSession(session => session.execute(`delete from ninefold.${table}`))
})

const { context, round, later, takenBack, call } = loansAtWork(
  () => run,
  () => partner,
  () => camera,
)
const mia = () => run.as('Mia')
const pauses = async () => (await readUnsent(run.runtime, await mia(), 10))!.pauses
const accepted = (key: string) => ({ status: 201, body: { id: key } })
const states = (ids: readonly string[]) => Promise.all(ids.map(async id => (await call(id)).state))
const keyOf = async (id: string) => (await call(id)).repeat_key

test('one call that always fails pauses alone: others go as ever, and do not hurry it', async () => {
  const bad = await takenBack()
  const badKey = await keyOf(bad)
  partner.answer = ({ key }) => (key === badKey ? { status: 500 } : accepted(key))
  for (let nth = 0; nth < 5; nth++) {
    await round()
    later(0.2)
  }
  expect(await pauses()).toMatchObject([{ call: 'C-2', failures: '5', waiting: '1' }])
  const good = [await takenBack(), await takenBack()]
  const { due_at: due } = await call(bad)
  await round()
  expect(await states(good)).toEqual(['delivered', 'delivered'])
  expect(await call(bad)).toMatchObject({ state: 'waiting', due_at: due, attempts: '5' })
})

test('failures of several calls are those of a server that is down', async () => {
  partner.answer = () => ({ status: 500 })
  const all = [await takenBack(), await takenBack()]
  for (let nth = 0; nth < 3; nth++) {
    await round()
    later(0.2)
  }
  expect(await pauses()).toMatchObject([{ call: 'C-2', waiting: '2' }])
  partner.received = []
  const late = await takenBack()
  await round()
  expect(partner.received).toEqual([])
  // Whichever was tried least lately shows whether it is back: first the one that never was.
  for (const nth of [late, ...all]) {
    later(11)
    await round()
    expect(partner.received.at(-1)!.key).toBe(await keyOf(nth))
  }
})

test('one at a time shows whether a server is back, however many processes look and however long it is silent', async () => {
  partner.answer = () => ({ status: 503 })
  const all = [await takenBack(), await takenBack(), await takenBack()]
  for (let nth = 0; nth < 2; nth++) {
    await round()
    later(0.2)
  }
  expect(await pauses()).toMatchObject([{ call: 'C-2', waiting: '3' }])
  partner.received = []
  partner.answer = () => 'never'
  later(11)
  const ending = new AbortController()
  const asked = round({ signal: ending.signal })
  await expect.poll(() => partner.received.length).toBe(1)
  for (const worker of ['worker-2', 'worker-3', 'worker-2']) await round({ worker })
  expect(partner.received).toHaveLength(1)
  ending.abort()
  await asked
  partner.answer = ({ key }) => accepted(key)
  later(11)
  await round({ worker: 'worker-2' })
  await round({ worker: 'worker-3' })
  expect(await states(all)).toEqual(all.map(() => 'delivered'))
})

test.each([
  ['that would show whether a server is back', 6],
  ['that was never tried', 1],
])('a call %s and cannot even leave waits as long as the document says', async (_, count) => {
  const all: string[] = []
  for (let nth = 0; nth < count; nth++) all.push(await takenBack())
  partner.answer = () => ({ status: 503 })
  if (count > 1) await round()
  partner.received = []
  for (let hour = 0; hour < 30; hour++) {
    later(60)
    await round({ variable: name => (name === 'ASSETS_URL' ? `${partner.url}/` : undefined) })
  }
  expect(await states(all)).toEqual(all.map(() => 'waiting'))
  expect(partner.received).toEqual([])
  partner.answer = ({ key }) => accepted(key)
  later(60)
  await round()
  await round()
  expect(await states(all)).toEqual(all.map(() => 'delivered'))
})

test('whoever may send again ends a pause by hand: one is tried, and all go when it is answered', async () => {
  const all: string[] = []
  for (let nth = 0; nth < 6; nth++) all.push(await takenBack())
  partner.answer = () => ({ status: 503 })
  await round()
  expect(await resume(run.runtime, await run.as('Ben'), 'C-2')).toBeNull()
  expect(await resume(run.runtime, await mia(), 'C-9')).toBe(false)
  partner.received = []
  partner.answer = ({ key }) => accepted(key)
  await round()
  expect(partner.received).toEqual([])
  expect(await resume(run.runtime, await mia(), 'C-2')).toBe(true)
  await round()
  await round()
  expect(await states(all)).toEqual(all.map(() => 'delivered'))
  expect(await resume(run.runtime, await mia(), 'C-2')).toBe(false)
})

test('what can still be taken back neither shows whether its receiver is back nor leaves when it is', async () => {
  const tried = [await takenBack(), await takenBack()]
  partner.answer = () => ({ status: 503 })
  for (let nth = 0; nth < 3; nth++) {
    await round()
    later(0.2)
  }
  const held = await takenBack()
  // As of a step with `Undo`, until five in the afternoon.
  const { query } = run.runtime.store
  await query(sql`update ninefold.outbox set due_at = '2026-03-02T17:00:00Z' where record = ${held} and kind = 'call'`)
  expect(await pauses()).toMatchObject([{ call: 'C-2', waiting: '2' }])
  partner.received = []
  partner.answer = ({ key }) => accepted(key)
  later(11)
  await round()
  await round()
  expect(await states(tried)).toEqual(['delivered', 'delivered'])
  expect(await pauses()).toEqual([])
  expect(partner.received.map(({ key }) => key).toSorted()).toEqual((await Promise.all(tried.map(keyOf))).toSorted())
  expect(await call(held)).toMatchObject({ state: 'waiting', attempts: '0', due_at: '2026-03-02T17:00:00.000Z' })
  run.now = new Date('2026-03-02T17:00:00.000Z')
  await round()
  expect(await states([held])).toEqual(['delivered'])
})

test('a partner that is down for three days, over a change of the clocks, gets everything once and in order', async () => {
  // Friday noon to Monday noon; summer time begins on Sunday.
  const begin = new Date('2026-03-27T11:00:00.000Z')
  run.now = new Date(begin)
  partner.answer = () => ({ status: 503 })
  const caused: string[] = []
  for (let hour = 0; hour < 72; hour++) {
    if (hour % 9 === 0) caused.push(await takenBack())
    // Two processes, whose own clocks are some seconds apart.
    await Promise.all([round(), round({ worker: 'worker-2', now: () => new Date(run.now.getTime() + 4000) })])
    later(60)
  }
  const bad = await keyOf(caused[0]!)
  expect(await states(caused)).toEqual(caused.map(() => 'waiting'))
  // Once it was known to be down, nothing used up attempts.
  for (const id of caused.slice(1)) expect(Number((await call(id)).attempts)).toBeLessThanOrEqual(1)

  partner.received = []
  partner.answer = ({ key }) => (key === bad ? { status: 500 } : accepted(key))
  later(5)
  // Which of the two processes tried last decides how long the pause is.
  for (let nth = 0; nth < 60 && (await states(caused.slice(1))).includes('waiting'); nth++) {
    await work(run.runtime, context({ limit: 1 }))
    later(1)
  }
  expect(await states(caused)).toEqual(['waiting', ...caused.slice(1).map(() => 'delivered')])
  const went = partner.received.map(({ key }) => key).filter(key => key !== bad)
  const [probe, ...rest] = went
  const keys = await Promise.all(caused.slice(1).map(keyOf))
  expect(rest).toEqual(keys.filter(key => key !== probe))
  expect(new Set(went).size).toBe(went.length)
  // Four days after it was caused, and not before, the bad one is given up.
  const end = begin.getTime() + 96 * 3_600_000
  for (; run.now.getTime() < end - 60_000; later(30)) {
    await round()
    expect(await states([caused[0]!])).toEqual(['waiting'])
  }
  later(30)
  await round()
  expect(await states([caused[0]!])).toEqual(['failed'])
})
