/** The order in which calls begin that are due in one round. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { itemWith, startTestRun, type TestRun } from '../testing.ts'
import { type Partner, startPartner } from './testing.ts'
import { loansAtWork } from './testing-loans.ts'

let run: TestRun
let camera: string
let partner: Partner

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
  run.now = new Date('2026-03-02T09:00:00.000Z')
  await run.runtime.store.query(sql`delete from ninefold.outbox`)
})

const { round, takenBack } = loansAtWork(
  () => run,
  () => partner,
  () => camera,
)

test('calls of one round begin in the order in which they were due, and then caused', async () => {
  const query = run.runtime.store.query
  for (let nth = 0; nth < 12; nth++) await takenBack()
  await query(sql`delete from ninefold.outbox where kind <> 'call'`)
  // As if several processes had caused them, whose clocks differ, and the last of all were due first.
  await query(sql`update ninefold.outbox set id = md5(turn::text)::uuid`)
  await query(sql`update ninefold.outbox set due_at = due_at - interval '1 minute'
    where turn = (select max(turn) from ninefold.outbox)`)
  const caused = await query<{ id: string }>(sql`select id from ninefold.outbox order by due_at, turn`)
  const begun: string[] = []
  await round({
    variable: () => undefined,
    standIn: 'http://127.0.0.1:9',
    redirect: url => {
      begun.push(url.split('/').at(-1)!)
      return null
    },
  })
  expect(begun).toEqual(caused.map(({ id }) => id))
})
