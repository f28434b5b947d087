/** A migration that ended half-way, and the document of another one instead, while the version before all of them runs. */
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { raw, type Sql, statement } from '../expression/sql.ts'
import { applyFor } from './migrate.ts'
import type { Column } from './physical.ts'
import { openStore, type Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'
import { column, id, migrating, now, table, target } from './testing-tables.ts'

let database: TestDatabase
let running: Store | null = null
const { apply, planned, nothingLeft, all, empty } = migrating(() => database.store)

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
})
afterEach(async () => {
  await running?.close()
  running = null
})
afterAll(() => database.drop())

const number = column('number', 'text', { notNull: true })
const weight = column('weight', 'numeric(8,2)')
const amount = column('amount', 'bigint')
const place = column('place', 'text', { notNull: true, fill: { sql: `'Hall'`, shown: 'Hall' } })
const title = (name: string, was: string | null, type = 'text') => column(name, type, { notNull: true, was })
const loans = (...columns: Column[]) => target(table('loan', [number, ...columns], { was: 'booking' }))
const over = (was: boolean, ...more: Column[]) =>
  target(
    table('loan', [number, title('title', was ? 'label' : null), amount, weight, place, ...more], {
      was: was ? 'booking' : null,
    }),
  )
const first = target(table('booking', [number, title('label', null), column('amount', 'text'), weight]))
const second = over(true)
const third = over(true, column('note', 'text'))
const fourth = over(false, column('note', 'text'), column('more', 'text'))

/** What the first version's process does: a record by the names and types that it knows, and what it reads of all. */
async function worksOn(number: string): Promise<readonly unknown[]> {
  running ??= openStore(database.url, { connections: 1, version: first.version })
  const insert: Sql = {
    texts: ['insert into booking (id, number, label, amount) values (', ', ', `, 'told', '7')`],
    values: [id(), number],
  }
  await running.inTransaction(tx => tx.run(statement(insert)))
  return await reads()
}
const reads = () => running!.run(statement(raw('select number, label, amount from booking order by number')))

/** Of a new database, until before this step of the second document's migration; how many steps that has. */
async function halfWay(stop: number): Promise<number> {
  await running?.close()
  running = null
  await empty()
  await apply(first)
  await worksOn('1')
  let steps = 0
  const onStep = (_: unknown, at: number, of: number) => {
    steps = of
    if (at === stop) throw new Error('killed')
  }
  await applyFor(database.store, second, null, { now, onStep }).catch(({ message }) => expect(message).toBe('killed'))
  return steps
}

test('what was kept for the version that runs is kept by the document that comes instead, and goes with the next', async () => {
  const steps = await halfWay(0)
  expect(steps).toBeGreaterThan(8)
  const told = ['1', '2', '3'].map(number => ({ number, label: 'told', amount: '7' }))
  for (let stop = 1; stop <= steps; stop++) {
    await halfWay(stop)
    expect(await worksOn('2')).toHaveLength(2)
    expect((await apply(third)).kind).toBe('applied')
    await nothingLeft(third)
    expect({ stop, rows: await worksOn('3') }).toEqual({ stop, rows: told })
    expect(await all('select number, title, amount, place from loan order by number')).toEqual(
      told.map(({ number }) => ({ number, title: 'told', amount: '7', place: 'Hall' })),
    )
    await apply(fourth)
    await nothingLeft(fourth)
    await expect(worksOn('4')).rejects.toMatchObject({ code: '42P01' })
  }
})

const named = title('title', 'label')
const note = column('note', 'text')
/** What a third document may want otherwise: before which steps of the second one's migration it is not refused, and what it is told of. */
const ways = {
  'another type': [loans(named, column('amount', 'numeric(12,2)'), weight, place), 5, 'loan.amount', 'amount'],
  'the type of before': [loans(named, column('amount', 'text'), weight, place, note), 5, 'loan.amount', 'amount'],
  'no such field': [loans(named, weight, place), 5, 'loan.amount', 'loan'],
  'another name for what got a type': [
    loans(named, column('sum', 'text', { was: 'amount' }), weight, place),
    5,
    'loan.amount',
    'sum',
  ],
  'another type of another field': [
    loans(named, amount, column('weight', 'numeric(9,2)'), place),
    5,
    'loan.weight',
    'weight',
  ],
  'another name': [loans(title('heading', 'label'), amount, weight, place), 6, 'loan.title', 'heading'],
  'the name of before': [loans(title('label', null), amount, weight, place, note), 6, 'loan.title', 'label'],
  'that name with another type': [
    loans(title('title', 'label', 'date'), amount, weight, place),
    6,
    'loan.title',
    'title',
  ],
  'another name of the entity': [
    target(table('lease', [number, named, amount, weight, place], { was: 'booking' })),
    1,
    'loan',
    'lease',
  ],
  'the name of the entity before': [
    target(table('booking', [number, named, amount, weight, note])),
    1,
    'loan',
    'booking',
  ],
  'both entities': [target(table('loan', [number]), table('booking', [number])), 1, 'loan', 'loan'],
  'no such entity': [target(), 1, 'loan', 'person'],
} as const

test('a document that wants something else of what another one began to change is refused before anything is changed', async () => {
  const steps = await halfWay(0)
  for (let stop = 1; stop <= steps; stop++) {
    await halfWay(stop)
    for (const [way, [wanted, fine, name, place]] of Object.entries(ways)) {
      const plan = await planned(wanted)
      const told = plan.found
        .filter(({ code }) => code === 'N0926')
        .map(({ params, span }) => [params.name, span.file.text.slice(span.start, span.end)])
      expect({ way, stop, told: told.some(([one, at]) => one === name && at === place) }).toEqual({
        way,
        stop,
        told: stop > fine,
      })
      if (stop > fine) expect([plan.possible, plan.steps, plan.takenOver]).toEqual([false, [], []])
    }
  }
})

test.each([
  ['the other one is ended', second],
  ['one goes back', first],
])('the version that runs keeps its field where a third type is asked for, until %s', async (_, between) => {
  const [third] = ways['another type']
  const steps = await halfWay(0)
  const told = (...numbers: string[]) => numbers.map(number => ({ number, label: 'told', amount: '7' }))
  const kinds: string[] = []
  for (let stop = 1; stop <= steps; stop++) {
    await halfWay(stop)
    const { kind, plan } = await apply(third)
    kinds.push(kind)
    expect({ stop, rows: await worksOn('2') }).toEqual({ stop, rows: told('1', '2') })
    if (kind === 'refused') {
      expect(plan.found).toMatchObject([
        { code: 'N0926', severity: 'error', params: { begun: second.version, running: first.version } },
      ])
      expect((await apply(between)).kind).toBe('applied')
      expect({ stop, rows: await worksOn('3') }).toEqual({ stop, rows: told('1', '2', '3') })
      expect((await apply(third)).kind).toBe('applied')
    }
    await nothingLeft(third)
    if (kind === 'applied' || between === first) await worksOn('4')
    const values = new Set((await all('select title, amount::text from loan')).map(row => JSON.stringify(row)))
    expect([...values]).toEqual([JSON.stringify({ title: 'told', amount: '7.00' })])
  }
  expect(new Set(kinds)).toEqual(new Set(['applied', 'refused']))
})

test('going back may end half-way too: nobody loses what is kept, and the document that was begun is applied after all', async () => {
  const [third] = ways['another type']
  const steps = await halfWay(0)
  const rows = ['1', '2'].map(number => ({ number, label: 'told', amount: '7' }))
  for (let back = 1, of = back; back <= of; back++) {
    await halfWay(steps)
    const onStep = (_: unknown, at: number, all: number) => {
      of = all
      if (at === back) throw new Error('killed')
    }
    await applyFor(database.store, first, null, { now, onStep }).catch(({ message }) => expect(message).toBe('killed'))
    const isThere = (await all(`select from pg_attribute where attname = 'amount$was' and not attisdropped`)).length > 0
    expect({ back, refused: (await planned(third)).found.some(({ code }) => code === 'N0926') }).toEqual({
      back,
      refused: isThere,
    })
    expect({ back, rows: await worksOn('2') }).toEqual({ back, rows })
    expect({ back, kind: (await apply(second)).kind }).toEqual({ back, kind: 'applied' })
    expect({ back, rows: await reads() }).toEqual({ back, rows })
    await nothingLeft(second)
  }
})
