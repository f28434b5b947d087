/** Statements that travel as one: each comes back as it would alone. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { slot, sql, statement } from '../expression/sql.ts'
import { atOnce } from './at-once.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase
const sent: string[] = []

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'), { onStatement: text => void sent.push(text) })
})
afterAll(() => database.drop())

const asked = [
  sql`select n::bigint as n, 'a' || n as label, n = 2 as two, null::uuid as none, to_json(array[n]) as list
    from generate_series(1, ${3}::int) as n order by n desc`,
  sql`with "the page" as materialized (select ${'$1 "x"'}::text as text) select text from "the page"`,
  sql`select where false`,
  sql`select ${slot('me')}::uuid as me`,
].map(statement)
const me = '01a20690-2e89-713d-a48d-9b0bf3c84378'

test('what is asked at the same moment is one statement, and gives what each gives alone', async () => {
  const { store } = database
  const alone = []
  for (const one of asked) alone.push(await store.run(one, { me }))
  sent.length = 0
  const together = atOnce(store)
  expect(await Promise.all(asked.map(one => together.run(one, { me })))).toEqual(alone)
  expect(sent).toHaveLength(1)
  // Later, alone; twice the same, at the same moment and after it.
  const random = () => together.query(sql`select random()::text as one`)
  const [one, two] = await Promise.all([random(), random()])
  expect([two, await random()]).toEqual([one, one])
  expect(sent).toHaveLength(2)
})

test('where one of them fails, all do', async () => {
  const together = atOnce(database.store)
  const found = await Promise.allSettled([
    together.query(sql`select 1 as one`),
    together.query(sql`select 1 / 0 as nothing`),
  ])
  expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
