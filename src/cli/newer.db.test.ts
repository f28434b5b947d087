/** A database that a newer Ninefold has set up, and every command that opens one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { raw } from '../expression/sql.ts'
import { applyMigration, planMigration } from '../store/migrate.ts'
import { systemSteps } from '../store/system/steps.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing.ts'
import { loadApp } from './load.ts'
import { main } from './main.ts'

const shop = (fields: string) =>
  `# Shop\n\n- **Ninefold:** 1\n\n## 3 Entities and their fields\n\n### Thing\n\n| Field | Type | Rules |\n| --- | --- | --- |\n${fields}`
const name = '| name | text 40 | required |\n'

let folder: string
let file: string
let database: TestDatabase
const said: string[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold-'))
  file = join(folder, 'shop.md')
  database = await createTestDatabase(inject('databaseUrl'))
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('WEB_PROCESSES', '1')
  vi.stubEnv('PORT', '0')
  const keep = (text: unknown) => said.push(String(text)) > 0
  vi.spyOn(console, 'log').mockImplementation(keep)
  vi.spyOn(console, 'error').mockImplementation(keep)
  vi.spyOn(process.stdout, 'on').mockReturnThis()
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  writeFileSync(file, shop(name))
  expect(await main(['apply', file])).toBe(0)
  // What the older program would do, if it did anything.
  writeFileSync(file, shop(`${name}| note | text 80 | |\n`))
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const ask = (text: string) => database.store.query(raw(text))
const updated = (...steps: readonly number[]) =>
  ask(`insert into ninefold.system (number, applied_at) select unnest(array[${steps}]), '2027-02-03T04:05:06Z'`)
const columns = () => ask(`select column_name from information_schema.columns where table_schema = 'public' order by 1`)
const kept = async () => [
  await columns(),
  await ask('select version from ninefold.document'),
  await ask('select id from person'),
]

const last = systemSteps.at(-1)!.number
const refusal = `N0923: a newer Ninefold has set up this database: since 2027-02-03 it has system steps that this program does not know (${last + 1}, ${last + 2}; its last one is ${last}). Nothing was changed.`

test.each([
  ['plan', []],
  ['apply', []],
  ['serve', []],
  ['dev', []],
  ['person', ['--email', 'ada@example.org', '--name', 'Ada']],
  ['person', ['--email', 'ada@example.org', '--erase']],
  ['explain', ['--record', 'Thing 1', '--person', 'ada@example.org']],
])('%s %j is refused by an older program, and nothing is changed', async (command, options) => {
  const before = await kept()
  await updated(last + 1, last + 2)
  said.length = 0
  expect(await main([command, file, ...options])).toBe(1)
  expect(said.filter(text => text.startsWith('N0923'))).toEqual([expect.stringContaining(refusal)])
  expect(said.join('\n')).not.toMatch(/is served on|"serving"|does not match the document/)
  expect(await kept()).toEqual(before)
})

test('a program that found the database as it knows it is refused once a newer one was there', async () => {
  const { app } = loadApp(file)
  const plan = await planMigration(database.store, app!)
  const before = await kept()
  await updated(last + 1)
  await expect(applyMigration(database.store, app!, plan, { now: new Date() })).rejects.toMatchObject({ code: 'N0923' })
  expect(await kept()).toEqual(before)
})

test('a newer program tells the steps that are missing, and `serve` waits for `apply`', async () => {
  await ask(`delete from ninefold.system where number = ${last}`)
  writeFileSync(file, shop(name))
  said.length = 0
  expect(await main(['plan', file])).toBe(0)
  expect(said.join('\n')).toContain('For Ninefold itself')
  expect(await main(['serve', file])).toBe(1)
  expect(said.at(-1)).toContain('The database does not match the document')
})
