/** Roles of the database other than the owner of the tables, with what docs/serving.md says to grant them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { applyMigration, planMigration } from './migrate.ts'
import { openStore, type Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'
import type { Unavailable } from './unavailable.ts'

const document = (fields: string) =>
  readApp('desk.md', () => `# Desk\n\n## 3 Entities and their fields\n\n### Thing\n|Field|Type|\n|-|-|\n${fields}`).app!
const [before, after] = [document('|name|text 40|\n'), document('|name|text 40|\n|note|text 40|\n')]

const suffix = randomUUID().replaceAll('-', '')
const [owner, served] = [`owner_${suffix}`, `served_${suffix}`]
let database: TestDatabase
const stores: Store[] = []

const as = (role: string): Store => {
  const url = new URL(database.url)
  url.username = role
  url.password = 'x'
  const store = openStore(url.href)
  stores.push(store)
  return store
}
const execute = (store: Store, text: string) => store.inSession(session => session.execute(text))
const apply = (store: Store, app = before) => applyMigration(store, app, null, { now: new Date() })

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  const name = new URL(database.url).pathname.slice(1)
  for (const role of [owner, served]) await execute(database.store, `create role ${role} login password 'x'`)
  await execute(
    database.store,
    `grant create on database "${name}" to ${owner}; grant create on schema public to ${owner}`,
  )
})
afterAll(async () => {
  await Promise.all(stores.map(store => store.close()))
  await execute(database.store, `drop owned by ${owner}, ${served} cascade; drop role ${owner}, ${served}`)
  await database.drop()
})

test('who serves may plan and is told who applies, until they are a member of that role', async () => {
  const mine = as(owner)
  expect(await apply(mine)).toMatchObject({ kind: 'applied' })
  await execute(
    mine,
    `grant usage on schema public, ninefold to ${served};
     grant select, insert, update, delete on all tables in schema public, ninefold to ${served};
     grant usage on all sequences in schema public, ninefold to ${served}`,
  )
  const theirs = as(served)
  expect((await planMigration(theirs, after)).steps.length).toBeGreaterThan(0)
  for (const app of [before, after]) {
    const refused: Unavailable = await apply(theirs, app).then(
      () => expect.unreachable(),
      (error: Unavailable) => error,
    )
    expect(refused.message).toBe(`The tables belong to ${owner}, and no grant lets ${served} change them`)
    expect(refused.hint).toContain(`grant ${owner} to ${served}`)
  }
  await execute(database.store, `grant ${owner} to ${served}`)
  expect(await apply(as(served), after)).toMatchObject({ kind: 'applied' })
})
