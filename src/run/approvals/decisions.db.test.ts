/** Decisions as expressions read them: who asks whom next, what may still be done, and what a step writes down of them. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { workContext } from '../later/testing.ts'
import { work } from '../later/work.ts'
import { read } from '../read/read.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, takeStep } from '../write/writes.ts'
import { nameDeputy } from './deputies.ts'

let run: TestRun

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/decisions.md')))
  const managers = { Ann: 'Kim', Kim: 'Lea', Lea: 'Max' }
  for (const [name, manager] of Object.entries(managers))
    await run.runtime.store.query(
      sql`update person set manager = ${run.people[manager]} where id = ${run.people[name]}`,
    )
  await run.runtime.store.query(sql`update person set department = 'Garden' where id = ${run.people.Hal}`)
})
afterAll(() => run?.drop())

const request = (values: Readonly<Record<string, Wire>>) =>
  made(run, 'Ann', 'request', input({ what: 'Chairs', net: '10.00', ...values }))
const take = async (who: string, id: string, step = 'approve', reason: string | null = null) =>
  takeStep(run.runtime, await run.as(who), 'request', id, step, null, { ...input({}), reason })
const valuesOf = async (who: string, id: string) => {
  const need = { kind: 'one', entity: 'request', by: { field: 'id', value: id }, history: 0 } as const
  return (await read(run.runtime, await run.as(who), need))!.row.values
}

test('the one who asked takes it back until somebody has decided', async () => {
  const id = await request({ net: '500.00' })
  expect(codes(await take('Kim', id, 'withdraw'))).toEqual(['NF-STEP-DENIED'])
  done(await take('Kim', id))
  expect(codes(await take('Ann', id, 'withdraw'))).toEqual(['E-LATE'])
  const other = await request({ net: '500.00' })
  done(await take('Ann', other, 'withdraw'))
})

test('the next level goes to the manager of whoever decided, also where a deputy did', async () => {
  const id = await request({ net: '500.00' })
  expect(codes(await take('Lea', id))).toEqual(['NF-STEP-DENIED'])
  done(await take('Kim', id))
  expect(codes(await take('Max', id))).toEqual(['NF-STEP-DENIED'])
  done(await take('Lea', id))
  const now = new Date(run.now)
  await nameDeputy(run.runtime, await run.as('Kim'), {
    deputy: run.people.Lea!,
    from: '2026-03-02',
    until: '2026-03-02',
  })
  const behind = await request({ net: '500.00' })
  done(await take('Lea', behind))
  expect(codes(await take('Kim', behind))).toEqual(['NF-STEP-DECIDED'])
  done(await take('Max', behind))
  run.now = now
  await run.runtime.store.query(sql`delete from ninefold.deputy`)
})

test('the step writes down all who decided, the last one too; they stay readable until it is decided anew', async () => {
  const id = await request({ net: '500.00' })
  done(await take('Kim', id))
  expect(await valuesOf('Ann', id)).toMatchObject({ state: 'Asked', agreed: '1', manager_was: run.people.Kim })
  run.now = new Date(run.now.getTime() + 60_000)
  done(await take('Lea', id))
  expect(await valuesOf('Ann', id)).toMatchObject({ state: 'Approved', agreed: '2', approvers: 'Kim, Lea' })
  await run.runtime.store.query(sql`update request set version = version + 1 where id = ${id}`)
  expect(await valuesOf('Ann', id)).toMatchObject({ agreed: '2' })
  done(await take('Ann', id, 'take_back'))
  expect(await valuesOf('Ann', id)).toMatchObject({ state: 'Asked', agreed: '0', manager_was: null })
  done(await take('Kim', id))
  expect(await valuesOf('Ann', id)).toMatchObject({ agreed: '1' })
  done(await take('Lea', id))
  expect(await valuesOf('Ann', id)).toMatchObject({ state: 'Approved', agreed: '2' })
})

test('people are chosen by a condition about them and the record; another department does not decide', async () => {
  const id = await made(run, 'Hal', 'request', input({ what: 'Desk', net: '1.00', sealed: true, department: 'Garden' }))
  await run.runtime.store.query(sql`update person set manager = ${run.people.Kim} where id = ${run.people.Hal}`)
  done(await take('Kim', id))
  expect(codes(await take('Hope', id))).toEqual(['NF-STEP-DENIED'])
  expect(codes(await take('Lea', id))).toEqual(['NF-STEP-DENIED'])
  done(await take('Max', id))
  expect(await valuesOf('Hope', id)).toMatchObject({ state: 'Approved', agreed: '2' })
})

test('a refusal names who decided to whoever is told of the approvals that are meant', async () => {
  const id = await made(run, 'Hal', 'request', input({ what: 'Lamp', net: '500.00' }))
  done(await take('Kim', id))
  const own = await request({ net: '500.00' })
  done(await take('Kim', own))
  const said = async (who: string, record: string, step: string) => {
    const outcome = await take(who, record, step)
    return outcome.kind === 'refused' ? outcome.problems.map(({ message }) => message) : outcome.kind
  }
  expect(await said('Hal', id, 'withdraw')).toEqual(['Kim has decided.'])
  // That the heads may be needed depends on what Ann may not see.
  expect(await said('Ann', own, 'withdraw')).toEqual([' has decided.'])
  expect(await said('Ann', own, 'annul')).toEqual(['Kim has decided.'])
})

test('timers count while it is the turn of an approval, and mails go to those who are waited for', async () => {
  const { store } = run.runtime
  const began = new Date(run.now)
  const id = await request({ net: '500.00' })
  const armed = async () => {
    const rows = await store.query<{
      timer: string
      due: string
    }>(sql`select timer, to_char(due_at at time zone 'UTC', 'MM-DD HH24:MI') as due
      from ninefold.timer where record = ${id} and fired_at is null order by timer`)
    return rows.map(({ timer, due }) => `${timer} ${due}`)
  }
  const mailed = async () => {
    const rows = await store.query<{ sent: string }>(
      sql`select mail || ' to ' || split_part(recipients[1], ' ', 1) as sent from ninefold.mailbox where record = ${id} order by sent`,
    )
    return rows.map(({ sent }) => sent)
  }
  const at = async (moment: string) => {
    run.now = new Date(moment)
    await work(run.runtime, workContext(run, {}))
  }
  // Two working days from Monday lead to Wednesday.
  expect(await armed()).toEqual(['escalate 03-06 09:01', 'remind 03-04 09:01'])
  const days = { deputy: run.people.Hope!, from: '2026-03-04', until: '2026-03-04' }
  await nameDeputy(run.runtime, await run.as('Kim'), days)
  await at('2026-03-04T09:02:00Z')
  expect(await mailed()).toEqual(['please to Hope', 'please to Kim'])
  await at('2026-03-06T09:02:00Z')
  expect(await mailed()).toEqual(['please to Hope', 'please to Kim', 'please to Kim', 'please to Max'])
  done(await take('Max', id))
  // Max's own manager is nobody: the next level waits for nobody, but it is its turn.
  expect(await armed()).toEqual(['remind_next 03-07 09:02'])
  // What is changed is asked for anew, from the first level.
  done(await change(run.runtime, await run.as('Ann'), 'request', id, null, input({ net: '20.00' })))
  expect(await armed()).toEqual(['escalate 03-12 09:02', 'remind 03-10 09:02'])
  done(await take('Kim', id))
  expect(await armed()).toEqual([])
  expect((await valuesOf('Ann', id)).state).toBe('Approved')
  run.now = began
  await store.query(sql`delete from ninefold.deputy`)
})

test('a deputy sees what waits for their decision, and what they decided; nothing else, and no field that is closed to them', async () => {
  const began = new Date(run.now)
  const secret = async (values: Readonly<Record<string, Wire>>) =>
    made(
      run,
      'Ann',
      'secret',
      input({ what: 'Roof', decider: run.people.Kim!, ...values }, { notes: [{ text: 'By hand' }] }),
    )
  const seen = async (who: string, id: string) => {
    const need = { kind: 'one', entity: 'secret', by: { field: 'id', value: id }, history: 0 } as const
    return (await read(run.runtime, await run.as(who), need))?.row ?? null
  }
  const step = async (who: string, id: string, key: string) =>
    codes(await takeStep(run.runtime, await run.as(who), 'secret', id, key, null))
  const [id, others, own] = [await secret({}), await secret({ decider: run.people.Lea! }), await secret({})]
  expect(await seen('Max', id)).toBeNull()
  const days = { deputy: run.people.Max!, from: '2026-03-01', until: '2026-12-31' }
  await nameDeputy(run.runtime, await run.as('Kim'), { ...days, from: run.now.toISOString().slice(0, 10) })
  const found = await seen('Max', id)
  expect(found!.values.what).toBe('Roof')
  expect(found!.values).not.toHaveProperty('price')
  expect(found!.may.steps.filter(({ open }) => open).map(({ step: key }) => key)).toEqual(['show'])
  expect([await seen('Max', others), await seen('Hope', id)]).toEqual([null, null])
  expect(codes(await change(run.runtime, await run.as('Max'), 'secret', id, null, input({ what: 'Wall' })))).toEqual([
    'NF-CHANGE-DENIED',
  ])
  // It waits no longer.
  expect(await step('Kim', own, 'show')).toEqual([])
  expect(await seen('Max', own)).toBeNull()
  expect(await step('Max', id, 'show')).toEqual([])
  expect((await seen('Max', id))!.values.state).toBe('Shown')
  await run.runtime.store.query(sql`delete from ninefold.deputy`)
  expect((await seen('Max', id))!.values.state).toBe('Shown')
  expect(await seen('Max', others)).toBeNull()
  run.now = began
})
