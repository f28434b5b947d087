/** What is frozen by a step stays as it was then, until a step lets it go: for people, in what is worked out, and in rows. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { ChildInput } from '../outcome.ts'
import { readForm } from '../read/form.ts'
import { read } from '../read/read.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, remove, takeStep } from './writes.ts'

let run: TestRun
let tent: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/offers.md')))
  tent = await made(run, 'Cleo', 'product', input({ name: 'Tent', price: '10.00' }))
})
afterAll(() => run?.drop())

const price = (amount: string) => run.runtime.store.query(sql`update product set price = ${amount}::numeric`)
const newOffer = () =>
  made(run, 'Cleo', 'offer', input({ customer: 'Ada', product: tent }, { lines: [{ product: tent, pieces: '2' }] }))
const step = async (id: string, key: string, values: Record<string, Wire> = {}) =>
  takeStep(run.runtime, await run.as('Cleo'), 'offer', id, key, null, input(values))
const edit = async (id: string, values: Record<string, Wire>, lines?: readonly ChildInput[]) =>
  change(run.runtime, await run.as('Cleo'), 'offer', id, null, {
    ...input(values),
    children: lines === undefined ? {} : { lines },
  })
const shown = async (id: string) => {
  const by = { field: 'id', value: id } as const
  const found = await read(run.runtime, await run.as('Cleo'), { kind: 'one', entity: 'offer', by, history: 0 })
  const { row, children } = found!
  const { list_price, total, live_total } = row.values
  return [list_price, total, live_total, ...children.lines!.map(line => line.values.price)].map(Number)
}

test('what is worked out stays what it was, in the record and in its rows, until a step lets it go', async () => {
  const id = await newOffer()
  await price('20.00')
  expect(await shown(id)).toEqual([20, 40, 40, 20])
  // What the step does to rows is part of what it freezes.
  done(await step(id, 'send'))
  expect(await shown(id)).toEqual([20, 41, 41, 20])
  await price('30.00')
  expect(await shown(id)).toEqual([20, 41, 41, 20])
  done(await step(id, 'take_back'))
  expect(await shown(id)).toEqual([30, 61, 61, 30])
  done(await step(id, 'send'))
  await price('10.00')
  expect(await shown(id)).toEqual([30, 61, 61, 30])
})

test('people change nothing of it; steps that ask for it do, and other fields stay open', async () => {
  const id = await newOffer()
  done(await edit(id, { customer: 'Bea' }))
  done(await step(id, 'send'))
  const [line] = await run.runtime.store.query<{ id: string }>(sql`select id from offer_line where offer = ${id}`)
  expect(await edit(id, { customer: 'Cem', discount: '0.1' })).toMatchObject({
    kind: 'refused',
    problems: [
      { code: 'NF-FROZEN', field: 'customer', message: 'Customer stays as it was with send.' },
      { code: 'NF-FROZEN', field: 'discount' },
    ],
  })
  expect(codes(await edit(id, {}, []))).toEqual(['NF-FROZEN'])
  expect(codes(await edit(id, {}, [{ id: line!.id, values: { pieces: '3' } }]))).toEqual(['NF-FROZEN'])
  // What is sent as it stands changes nothing.
  done(await edit(id, { customer: 'Bea', note: 'seen' }))
  done(await step(id, 'correct', { customer: 'Cem' }))
  done(await step(id, 'take_back'))
  done(await edit(id, { customer: 'Dora' }, [{ id: line!.id, values: { pieces: '3' } }]))
  // Nothing lets the discount go.
  expect(codes(await edit(id, { discount: '0.1' }))).toEqual(['NF-FROZEN'])
})

test('a record that is frozen as a whole is neither changed nor deleted, but for what is left out', async () => {
  const id = await newOffer()
  for (const key of ['send', 'agree', 'close']) done(await step(id, key))
  expect(codes(await edit(id, { product: null }))).toEqual(['NF-FROZEN'])
  done(await edit(id, { note: 'filed' }))
  expect(codes(await remove(run.runtime, await run.as('Cleo'), 'offer', id, null))).toEqual(['NF-FROZEN-DELETE'])
})

test('forms show it as text, and its mark is seen by nobody', async () => {
  const id = await newOffer()
  done(await step(id, 'send'))
  const form = await readForm(run.runtime, await run.as('Cleo'), 'offer', { field: 'id', value: id })
  const open = form!.fields.flatMap(({ key, settable }) => (settable ? [key] : []))
  expect(open).toEqual(['product', 'note'])
  expect(form!.fields.filter(({ key }) => key.includes('frozen'))).toEqual([])
})

test('the history tells of the step, of what it does to rows, and of nothing unseen', async () => {
  const id = await newOffer()
  done(await step(id, 'send'))
  const by = { field: 'id', value: id } as const
  const found = await read(run.runtime, await run.as('Cleo'), { kind: 'one', entity: 'offer', by, history: 9 })
  const told = found!.history.map(({ what, changes }) => [what, ...changes.map(({ field }) => field)])
  expect(told.slice(0, -1)).toEqual([
    ['change', 'lines.extra'],
    ['step', 'state'],
  ])
})
