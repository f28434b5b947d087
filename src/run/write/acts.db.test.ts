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

const pricesOf = async (id: string) =>
  (await query(sql`select price from sale_line where sale = ${id} order by position`)).map(({ price }) => price)

test('rows are set together: however many there are, their record is written once', async () => {
  const bin = await binWith('10')
  const statementsFor = async (count: number) => {
    const lines = Array.from({ length: count }, (_, at) => ({ what: `${at}`, pieces: `${at}` }))
    const sale = await saleOf({ bin, wanted: '1' }, lines)
    const { value, statements } = await run.runtime.store.counted(() => step(sale, 'price'))
    done(value)
    expect(await pricesOf(sale)).toEqual(lines.map((_, at) => `${2 * at}`))
    // Of the step, and of all rows.
    expect(await changesOf(sale)).toBe(2)
    return statements.length
  }
  expect(await statementsFor(40)).toBe(await statementsFor(4))
})

test('where a row reads what was set in the one before it, they are set one after another', async () => {
  const sale = await saleOf({ bin: await binWith('1'), wanted: '1' }, Array(3).fill({ what: 'Tent', pieces: '1' }))
  done(await step(sale, 'number'))
  expect(await pricesOf(sale)).toEqual(['1', '2', '4'])
})

test('rows of several records are set, each record once', async () => {
  const bin = await binWith('1')
  const sales = [
    await saleOf({ bin, wanted: '7' }, [
      { what: 'Tent', pieces: '7' },
      { what: 'Stove', pieces: '2' },
      { what: 'Lamp', pieces: '7' },
    ]),
    await saleOf({ bin, wanted: '1' }, [{ what: 'Rope', pieces: '7' }]),
  ]
  for (const sale of sales) done(await step(sale, 'price'))
  done(await step(sales[0]!, 'clear'))
  expect(await pricesOf(sales[0]!)).toEqual(['0', '4', '0'])
  expect(await pricesOf(sales[1]!)).toEqual(['0'])
  expect(await changesOf(sales[1]!)).toBe(3)
})

test('a refusal names the row that it is about', async () => {
  const sale = await saleOf({ bin: await binWith('1'), wanted: '1' }, [
    { what: 'Tent', pieces: '1' },
    { what: 'Stove', pieces: '600' },
  ])
  expect(await step(sale, 'price')).toMatchObject({
    kind: 'refused',
    problems: [{ message: expect.stringMatching(/^Sale line Stove: /), field: null }],
  })
  expect(await pricesOf(sale)).toEqual(['0', '0'])
})

const notesOf = async (bin: string | null) =>
  (await query(sql`select text from note where bin is not distinct from ${bin} order by id`)).map(({ text }) => text)

test('the condition that selects records knows each of them by its name, inside of its searches too', async () => {
  const [few, free, taken] = [await binWith('1'), await binWith('5'), await binWith('5')]
  await saleOf({ bin: taken, wanted: '1' }, [{ what: 'Tent', pieces: '6', bin: taken }])
  const sale = await saleOf({ bin: free, wanted: '1' }, [{ what: 'Tent', pieces: '9', bin: free }])
  done(await step(sale, 'count'))
  const counted = await query(sql`select bin from note where text = 'count' and bin in (${few}, ${free}, ${taken})`)
  expect(counted.map(({ bin }) => bin)).toEqual([free])
})

test('a name keeps its value, whatever is written behind it', async () => {
  const bin = await binWith('3')
  const sale = await saleOf({ bin, wanted: '5' }, [
    { what: 'Tent', pieces: '2', price: '7' },
    { what: 'Stove', pieces: '1', price: '9' },
  ])
  done(await step(sale, 'take'))
  expect(await one(sql`select * from sale where id = ${sale}`)).toMatchObject({ given: '3', missing: '2' })
  expect(await one(sql`select * from bin where id = ${bin}`)).toMatchObject({ rest: '0' })
  expect(await pricesOf(sale)).toEqual(['6', '3'])
  expect(await query(sql`select what, "on" from sale_line where sale = ${sale} and "on" is not null`)).toEqual([
    { what: 'Stove', on: '2026-03-02' },
  ])
  expect(await notesOf(bin)).toEqual(['Took 3, 2 missing'])
})

test('acts on other records see the fields of the record as they were when it was their turn', async () => {
  const bin = await binWith('3')
  const sale = await saleOf({ bin, wanted: '5', given: '7' })
  done(await step(sale, 'hand_over'))
  expect(await notesOf(bin)).toEqual(['before: 7', '7 and 8'])
  expect(await notesOf(null)).toEqual(['9'])
  expect(await one(sql`select * from sale where id = ${sale}`)).toMatchObject({ given: '9', bin: null, state: 'Gone' })
  expect(await changesOf(sale)).toBe(1)
})

test('a name for a record that is not there stands for nothing', async () => {
  const bin = await binWith('3')
  const sale = await saleOf({ bin, wanted: '5' })
  done(await step(sale, 'send_on'))
  expect(await one(sql`select * from bin where id = ${bin}`)).toMatchObject({ rest: '3' })
  expect(await one(sql`select * from sale where id = ${sale}`)).toMatchObject({ bin: null })
})

test('names inside of for each and in effects are those of their own acts', async () => {
  const bin = await binWith('9')
  const sale = await saleOf({ bin, wanted: '1' }, [
    { what: 'Tent', pieces: '2' },
    { what: 'Stove', pieces: '3' },
  ])
  done(await step(sale, 'note'))
  expect(await notesOf(bin)).toEqual(['4', '6'])
  expect(await pricesOf(sale)).toEqual(['5', '7'])
  done(await step(await saleOf({ bin, wanted: '6' }), 'reserve'))
  expect(await notesOf(bin)).toEqual(['4', '6', '0 → 6'])
})

test('of what is refused nothing is written', async () => {
  const bin = await binWith('3')
  const sale = await saleOf({ bin, wanted: '4' })
  expect(codes(await step(sale, 'reserve'))).toHaveLength(1)
  expect(await one(sql`select * from bin where id = ${bin}`)).toMatchObject({ rest: '3', reserved: '0' })
  expect(await one(sql`select * from sale where id = ${sale}`)).toMatchObject({ given: '0', state: 'New' })
})
