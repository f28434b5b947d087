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
const { apply, nothingLeft, all, empty } = migrating(() => database.store)

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
})
afterEach(async () => {
  await running?.close()
  running = null
})
afterAll(() => database.drop())

const over = (was: boolean, ...more: Column[]) =>
  target(
    table(
      'loan',
      [
        column('number', 'text', { notNull: true }),
        column('title', 'text', { notNull: true, was: was ? 'label' : null }),
        column('amount', 'bigint'),
        column('place', 'text', { notNull: true, fill: { sql: `'Hall'`, shown: 'Hall' } }),
        ...more,
      ],
      { was: was ? 'booking' : null },
    ),
  )
const first = target(
  table('booking', [
    column('number', 'text', { notNull: true }),
    column('label', 'text', { notNull: true }),
    column('amount', 'text'),
  ]),
)
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
  return await running.run(statement(raw('select number, label, amount from booking order by number')))
}

/** Of a new database, until before this step of the second document's migration; how many steps that has. */
async function halfWay(stop: number): Promise<number> {
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
    await running?.close()
    running = null
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
