/** Rules of fields that search the records of others: decided where they are written, whoever writes at the same moment. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Outcome } from '../outcome.ts'
import { done, input, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, takeStep } from './writes.ts'

let run: TestRun
let item: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/searched.md')))
  item = (await run.runtime.store.query<{ id: string }>(sql`select id from item`))[0]!.id
})
beforeEach(() => run.runtime.store.query(raw('truncate booking, warning, "order" cascade')))
afterAll(() => run?.drop())

type Values = Readonly<Record<string, Wire>>
const name = () => Object.keys(run.people)[0]!
const me = () => run.people[name()]!
const request = () => run.as(name())
const make = async (entity: string, values: Values, children = {}) =>
  create(run.runtime, await request(), entity, { ...input(values), children })
const book = (values: Values) => make('booking', { item, ...values })
const edit = async (id: string, values: Values) =>
  change(run.runtime, await request(), 'booking', id, null, input(values))
const warn = async (times = 1, level = '1') => {
  for (let time = 0; time < times; time++) done(await make('warning', { person: me(), level }))
}
const told = (outcome: Outcome) =>
  outcome.kind === 'refused' ? outcome.problems.map(({ code, field, message }) => [code, field, message]) : outcome.kind

test('a bound goes by what others have, and by what the record would have itself', async () => {
  expect(told(await book({ pieces: '11' }))).toEqual([['E-STOCK', 'pieces', 'Only 10 are left.']])
  const first = done(await book({ pieces: '6' }))
  expect(told(await book({ pieces: '5' }))).toEqual([['E-STOCK', 'pieces', 'Only 4 are left.']])
  const second = done(await book({ pieces: '4' }))
  expect(told(await edit(first, { pieces: '7' }))).toHaveLength(1)
  done(await edit(first, { pieces: '5' }))
  expect(
    told(await takeStep(run.runtime, await request(), 'booking', second, 'give', null, input({ pieces: '6' }))),
  ).toHaveLength(1)
  done(await takeStep(run.runtime, await request(), 'booking', second, 'give', null, input({ pieces: '5' })))
  // What the document puts together is held as if it was typed.
  const [given] = await run.runtime.store.query(sql`select mark, hush from booking where id = ${second}`)
  expect(given).toEqual({ mark: 'Tent', hush: null })
})

test('it is counted once, when the record is made', async () => {
  const turns = []
  for (const pieces of ['1', '2']) {
    const id = done(await book({ pieces }))
    turns.push((await run.runtime.store.query(sql`select turn from booking where id = ${id}`))[0]!.turn)
  }
  expect(turns.map(Number)).toEqual([1, 2])
})

test('whatever many fields are copied from is found at once, and what follows from that, wherever it stands', async () => {
  await warn(3, '2')
  const { value, statements } = await run.runtime.store.counted(() => make('sheet', {}))
  const [sheet] = await run.runtime.store.query(sql`select * from sheet where id = ${done(value)}`)
  expect(sheet).toMatchObject({
    w2: '5',
    w9: '9',
    total: '10',
    last: '3',
    next: '4',
    name: 'Tent',
    shout: 'Tent!',
    open: 'Tent:',
    blank: null,
  })
  expect(statements.filter(text => text.includes('warning'))).toHaveLength(2)
})

test('required, absent and locked go by the records of others, also where a computed field counts them', async () => {
  const before = done(await book({ pieces: '1', colour: 'red' }))
  expect(told(await book({ pieces: '1', pledge: 'mine' }))).toEqual([
    ['E-PLEDGE', 'pledge', 'Only who was warned pledges.'],
  ])
  await warn(2)
  expect(told(await book({ pieces: '1' }))).toEqual([['E-REASON', 'reason', 'Say why.']])
  expect(told(await book({ pieces: '1', reason: 'x', colour: 'red' }))).toEqual([
    ['E-COLOUR', 'colour', 'You do not choose.'],
  ])
  const id = done(await book({ pieces: '1', reason: 'x', pledge: 'mine' }))
  expect(told(await edit(before, { reason: 'late', colour: 'blue' }))).toEqual([
    ['E-COLOUR', 'colour', 'You do not choose.'],
  ])
  await run.runtime.store.query(sql`delete from warning`)
  done(await edit(id, { pieces: '2' }))
  const [row] = await run.runtime.store.query(sql`select pledge from booking where id = ${id}`)
  expect(row).toEqual({ pledge: null })
})

test('rows go by the record that they are part of before it is stored', async () => {
  const rows = (...levels: string[]) => ({ lines: levels.map(level => ({ id: null, values: { level } })) })
  await warn(1, '2')
  done(await make('order', {}, rows('1', '3')))
  expect(told(await make('order', {}, rows('1', '2')))).toEqual([['E-NOTE', 'lines.1.note', 'Say what for.']])
  expect(told(await make('order', {}, rows('1', '1', '1', '1')))).toEqual([
    ['NF-MANY', 'lines', expect.stringContaining('3')],
  ])
})

test('two hundred at once take no more than there is', async () => {
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => book({ pieces: '1' })))
  expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(10)
  expect(new Set(outcomes.map(told).map(one => (one === 'done' ? one : one[0]![0])))).toEqual(
    new Set(['done', 'E-STOCK']),
  )
})
