import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { type CodeFailure, listenToCode } from './code.ts'
import { fireTimers } from './fire.ts'
import { systemRequest } from './people.ts'
import { armSweeps } from './sweeps.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from './testing.ts'
import { change, create } from './writes.ts'

let run: TestRun
const failures: CodeFailure[] = []

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/coded.md')))
  listenToCode(run.runtime.app, failure => failures.push(failure))
})
beforeEach(() => void failures.splice(0))
afterAll(() => run?.drop())

const who = () => Object.keys(run.people)[0]!
const customer = (number: string | null) => made(run, who(), 'customer', input({ name: 'Anna', number }))
const order = async (of: string, ...lines: readonly Readonly<Record<string, string>>[]) =>
  create(run.runtime, await run.as(who()), 'order', input({ customer: of }, { lines }))
const stored = async (id: string) =>
  (await run.runtime.store.query<Record<string, string>>(sql`select * from "order" where id = ${id}`))[0]!

test('a rule that code decides refuses, in the words of the catalogue', async () => {
  const refused = await create(run.runtime, await run.as(who()), 'customer', input({ name: 'Anna', number: '12' }))
  expect(refused).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'E-NUMBER', message: '12 is not a customer number.' }],
  })
  await customer('19')
  await customer(null)
  expect(failures).toEqual([])
})

test('a value is set by code, from child rows and the record that a reference names, and again with every change', async () => {
  const id = done(
    await order(await customer('19'), { quantity: '2', price: '10.00' }, { quantity: '1', price: '5.50' }),
  )
  expect(await stored(id)).toMatchObject({ fee: '2.55', token: 'Since 2026' })
  const other = await customer('91')
  done(await change(run.runtime, await run.as(who()), 'order', id, null, input({ customer: other })))
  expect(await stored(id)).toMatchObject({ fee: '0.00' })
})

test('code says when an effect and a timer happen; where it does not know, they do not', async () => {
  const of = await customer('19')
  const large = done(await order(of, { quantity: '1', price: '40.00' }))
  const small = done(await order(of, { quantity: '1', price: '39.00' }))
  expect([await stored(large), await stored(small)]).toMatchObject([{ large: true }, { large: false }])
  const at = async (moment: string) => {
    run.now = new Date(moment)
    return systemRequest(run.runtime, 'timer', run.door())
  }
  await armSweeps(run.runtime, await at('2026-03-02T09:00:00.000Z'), 'order')
  const request = await at('2026-03-03T09:00:00.000Z')
  while ((await fireTimers(run.runtime, request, { worker: 'one', limit: 50 })) > 0);
  expect([await stored(large), await stored(small)]).toMatchObject([{ looked: true }, { looked: false }])
})

test('a call sends what code gives', async () => {
  const id = done(await order(await customer('19'), { quantity: '1', price: '30.00' }))
  const [sent] = await run.runtime.store.query<{ payload: { body: unknown } }>(
    sql`select payload from ninefold.outbox where record = ${id}`,
  )
  expect(sent!.payload.body).toEqual({ fee: '3.00', number: '19' })
})

test('a refusal whose words need the database is told in them', async () => {
  const of = await customer('19')
  const refused = await order(of, { quantity: '1000', price: '50.00' })
  expect(refused).toMatchObject({ problems: [{ code: 'E-FEE', message: 'That is too much for 1 orders.' }] })
})

test('code that fails is unknown: the rule is not applied, nothing breaks, and it is told with its function', async () => {
  const of = await customer('19')
  expect(codes(await order(of, { quantity: '1', price: '1.00', code: 'bad' }))).toEqual(['E-CODE'])
  done(await order(of, { quantity: '1', price: '1.00', code: 'boom' }))
  expect(failures[0]).toMatchObject({ of: { name: 'breaks' }, why: 'no such code' })
})
