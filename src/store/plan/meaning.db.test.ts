/** Numbers that stay where they are while the document says that they mean something else. */
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { raw } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { readApp } from '../../headings/index.ts'
import { applyMigration, planMigration } from '../migrate.ts'
import type { Store } from '../pool.ts'
import { createTestDatabase, type TestDatabase } from '../testing.ts'

const databases: TestDatabase[] = []
let store: Store

beforeEach(async () => {
  const database = await createTestDatabase(inject('databaseUrl'))
  databases.push(database)
  store = database.store
})
afterAll(async () => {
  for (const database of databases) await database.drop()
})

let version = 0
function appOf(field: string, entity = 'Sale'): App {
  const text = `# Shop\n\n## 3 Entities and their fields\n\n### ${entity}\n\n| Field | Type |\n| --- | --- |\n| ${field} |\n| note | text 20 |\n`
  const { app, found } = readApp('shop.md', path => (path === 'shop.md' ? text : null), {
    version: () => `v${++version}`,
  })
  expect(found.filter(one => one.severity === 'error').map(one => one.message)).toEqual([])
  return app!
}

const now = new Date('2026-03-02T10:00:00Z')
const apply = (app: App) => applyMigration(store, app, null, { now })
const told = async (app: App) =>
  (await planMigration(store, app)).found.map(({ code, message, help }) => [code, message, help?.split(/(?<=\.) /)[0]])

/** Sells with `rate` 19 (or what is said) under one document, and plans another. */
async function changed(from: string, to: string, rate = '19', entity?: string) {
  await apply(appOf(from))
  for (const value of [rate, 'null'])
    await store.query(
      raw(
        `insert into sale (id, created_at, changed_at, rate) values (gen_random_uuid(), '${now.toISOString()}', '${now.toISOString()}', ${value})`,
      ),
    )
  return appOf(to, entity)
}

test('a number that becomes a percentage, with the statement that keeps its meaning', async () => {
  const next = await changed('rate | integer', 'rate | percent')
  expect(await told(next)).toEqual([
    [
      'N0920',
      '1 of `Sale` keep their number in `rate`, but it means something else: 19 would be read as 1900 %',
      'If the numbers should mean what they meant, work them out anew: `update public."sale" set "rate" = "rate" / 100` right after it is applied.',
    ],
  ])
  expect((await apply(next)).kind).toBe('applied')
  await store.query(raw('update public."sale" set "rate" = "rate" / 100'))
  expect(await store.query(raw('select rate::text from sale where rate is not null'))).toEqual([
    { rate: expect.stringMatching(/^0\.190*$/) },
  ])
  // It is told once.
  expect(await told(next)).toEqual([])
})

test.each([
  ['rate | decimal', 'rate | percent 2', '7', '7 would be read as 700 %'],
  ['rate | percent', 'rate | decimal', '0.19', 'what was 19 % would be 0.19'],
  ['rate | money EUR', 'rate | money USD', '5', '`money EUR` becomes `money USD`, and 5.00 stays 5.00'],
  ['rate | money EUR', 'vat (was rate) | percent', '5', '5.00 would be read as 500 %'],
])('%s becomes %s', async (from, to, value, change) => {
  const next = await changed(from, to, value, to.startsWith('vat') ? 'Receipt (was Sale)' : undefined)
  expect((await told(next)).map(([code, message]) => [code, message])).toEqual([
    ['N0920', expect.stringContaining(change)],
  ])
})

test.each([
  ['rate | integer', 'rate | decimal'],
  ['rate | percent', 'rate | percent 2'],
  ['rate | money EUR', 'rate | decimal'],
])('%s may become %s: the numbers say the same', async (from, to) => {
  expect(await told(await changed(from, to, '1'))).toEqual([])
})

test('a field without values has no meaning to lose', async () => {
  expect(await told(await changed('rate | integer', 'rate | percent', 'null'))).toEqual([])
})
