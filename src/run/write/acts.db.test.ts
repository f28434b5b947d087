import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { takeStep } from './writes.ts'

let run: TestRun

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/stock.md')))
})
afterAll(() => run?.drop())

type Row = Readonly<Record<string, string | boolean | null>>
const query = (text: ReturnType<typeof sql>) => run.runtime.store.query<Row>(text)
const one = async (text: ReturnType<typeof sql>) => (await query(text))[0]!
const step = async (id: string, key: string) =>
  takeStep(run.runtime, await run.as('Cleo'), 'sale', id, key, null, input({}))
const binWith = (rest: string) => made(run, 'Cleo', 'bin', input({ name: 'A', rest }))
const saleOf = (values: Record<string, Wire>, lines: readonly Record<string, Wire>[] = []) =>
  made(run, 'Cleo', 'sale', input(values, { lines }))
const changesOf = async (id: string) =>
  Number((await one(sql`select count(*) from ninefold.history where record = ${id} and kind <> 'create'`)).count)

test('several fields of a record, of another and of each row are one change of it', async () => {
  const bin = await binWith('10')
  const sale = await saleOf({ bin, wanted: '4' }, [{ what: 'Tent', pieces: '3' }])
  done(await step(sale, 'reserve'))
  expect(await one(sql`select * from sale where id = ${sale}`)).toMatchObject({ given: '4', missing: '0' })
  expect(await one(sql`select * from bin where id = ${bin}`)).toMatchObject({
    rest: '6',
    reserved: '4',
    counted_on: '2026-03-02',
  })
  expect(await changesOf(bin)).toBe(1)
  done(await step(sale, 'price'))
  expect(await one(sql`select * from sale_line where sale = ${sale}`)).toMatchObject({
    price: '6',
    on: '2026-03-02',
    bin,
  })
})

test('of what is refused nothing is written', async () => {
  const bin = await binWith('3')
  const sale = await saleOf({ bin, wanted: '4' })
  expect(codes(await step(sale, 'reserve'))).toHaveLength(1)
  expect(await one(sql`select * from bin where id = ${bin}`)).toMatchObject({ rest: '3', reserved: '0' })
  expect(await one(sql`select * from sale where id = ${sale}`)).toMatchObject({ given: '0', state: 'New' })
})
