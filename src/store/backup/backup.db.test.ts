/** A backup holds one moment, whatever happens meanwhile, and comes back as it was; what is not whole is not restored. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { main } from '../../cli/main.ts'
import { raw } from '../../expression/sql.ts'
import { tidyFiles } from '../../run/read/files.ts'
import { loanDesk, startTestRun, type TestRun, testId } from '../../run/testing.ts'
import { folderFiles, stageFile } from '../files.ts'
import { planMigration } from '../migrate.ts'
import type { Store } from '../pool.ts'
import { createTestDatabase, type TestDatabase } from '../testing.ts'
import { catalogueOf } from '../testing-tables.ts'
import { backUp, restore } from './backup.ts'

let run: TestRun
let fresh: TestDatabase
let folder: string
const quiet = { say: () => {} }
const content = Buffer.from('what somebody sent \u2028 with a separator')
const digest = createHash('sha256').update(content).digest('hex')
const files = () => folderFiles(join(folder, 'files'))

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
  const person = Object.values(run.people)[0]!
  await all(`insert into ninefold.outbox (id, kind, name, entity, record, payload, repeat_key, due_at, created_at, request, document)
    values ('${testId()}', 'call', 'c', 'loan', null, 'null', 'k', now(), now(), 'r', 'd'),
      ('${testId()}', 'call', 'c', 'loan', null, '{"odd": "line\u2028end, \\\\ tab\\t, quote\\" and 1.10", "n": 12345678901234567890.10}', 'l', now(), now(), 'r', 'd')`)
  await all(
    `insert into ninefold.file (digest, size, type, name, person, at) values ('${digest}', ${content.length}, 'text/plain', 'a.txt', '${person}', now() - interval '3 days')`,
  )
  await all('alter table public.item drop column if exists gone')
  await all('alter table public.item add column gone bytea')
  await all(`update public.item set gone = '\\x00ff'`)
  await all('alter table public.item disable trigger all')
  // As `apply` leaves it to the version before.
  await all('create schema if not exists ninefold_before')
  await all('create or replace view ninefold_before.item as select id, tag from public.item')
  await all(`comment on view ninefold_before.item is '["item", "v"]'`)
})
afterAll(() => run?.drop())
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold-backup-'))
  const staged = await stageFile(files().staging, [content] as never, 1000)
  await files().put(digest, staged!)
  fresh = await createTestDatabase(inject('databaseUrl'))
  return async () => {
    await fresh.drop()
    rmSync(folder, { recursive: true })
  }
})

const all = (query: string) => run.runtime.store.query(raw(query))

/** Every row of every table that lasts, as text, in an order. */
async function rowsIn(store: Store): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = await store.query<{ name: string }>(
    raw(`select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname in ('public', 'ninefold') and relkind = 'r' and relpersistence = 'p' order by 1`),
  )
  const found: Record<string, readonly string[]> = {}
  for (const { name } of tables) {
    const rows = await store.query<{ row: string }>(raw(`select to_jsonb(t)::text as row from ${name} as t order by 1`))
    found[name] = rows.map(({ row }) => row)
  }
  return found
}

test('what is restored is what there was: tables, rows, files, and the numbers that go on', async () => {
  const { store, app } = run.runtime
  const to = join(folder, 'backup')
  const before = await rowsIn(store)
  const kept = await backUp(store, files(), to, quiet)
  expect(kept).toMatchObject({ document: app.version, files: [digest] })
  const elsewhere = folderFiles(join(folder, 'elsewhere'))
  await restore(fresh.store, () => elsewhere, to, quiet)
  // Read again, `(a and b) and c` is `a and b and c` to PostgreSQL.
  const plain = async (of: Store) => (await catalogueOf(of)).replaceAll(/[()]/g, '')
  expect(await plain(fresh.store)).toBe(await plain(store))
  expect(await rowsIn(fresh.store)).toEqual(before)
  expect(Object.keys(before).length).toBeGreaterThan(40)
  expect(await text((await elsewhere.open(digest))!)).toBe(content.toString())
  expect((await planMigration(fresh.store, app)).steps).toEqual((await planMigration(store, app)).steps)
  const next = `insert into ninefold.document (version, files, applied_at) values ('v', '[]', now()) returning number`
  expect(await fresh.store.query(raw(next))).toEqual([{ number: String(before['ninefold.document']!.length + 1) }])
})

test('what is written while it is made is not in it, and no file that it names is cleared away', async () => {
  const { store } = run.runtime
  const before = await rowsIn(store)
  let written: Promise<unknown> | null = null
  let cleared: Promise<number> | null = null
  const say = () => {
    written ??= all(`insert into ninefold.document (version, files, applied_at) values ('later', '[]', now())`)
    cleared ??= tidyFiles(run.runtime, files(), new Date(run.now.getTime() + 400 * 86_400_000))
  }
  const open = async (digest: string) => {
    expect(await cleared).toBe(0)
    return files().open(digest)
  }
  await backUp(store, { ...files(), open }, join(folder, 'backup'), { say })
  await written
  expect(await rowsIn(store)).not.toEqual(before)
  await restore(fresh.store, files, join(folder, 'backup'), quiet)
  expect(await rowsIn(fresh.store)).toEqual(before)
  await all(`delete from ninefold.document where version = 'later'`)
})

test('what is not whole, or would meet something that is there, is not restored, and nothing is changed', async () => {
  const to = join(folder, 'backup')
  await backUp(run.runtime.store, files(), to, quiet)
  const put = () => restore(fresh.store, files, to, quiet)
  const table = join(to, 'tables', readdirSync(join(to, 'tables')).find(name => name.startsWith('public.item'))!)
  const whole = readFileSync(table)
  writeFileSync(table, whole.subarray(0, -9))
  await expect(put()).rejects.toThrow(`${table} is not as it was written`)
  writeFileSync(table, whole)
  const file = join(to, 'files', digest)
  rmSync(file)
  await expect(put()).rejects.toThrow(`${file} is missing`)
  writeFileSync(file, content)
  const manifest = readFileSync(join(to, 'backup.json'), 'utf8')
  // It fails at its end, when all rows are there.
  writeFileSync(join(to, 'backup.json'), manifest.replace('"last": [', '"last": [\n  "select 1 / 0",'))
  await expect(put()).rejects.toThrow('division by zero')
  writeFileSync(join(to, 'backup.json'), manifest.replace(/"systemStep": \d+/, '"systemStep": 9999'))
  await expect(put()).rejects.toThrow('A newer Ninefold made this backup')
  rmSync(join(to, 'backup.json'))
  await expect(put()).rejects.toThrow('There is no whole backup in')
  expect(await rowsIn(fresh.store)).toEqual({})
  writeFileSync(join(to, 'backup.json'), manifest)
  await fresh.store.query(raw('create table public.mine (a text)'))
  await expect(put()).rejects.toThrow('The database is not empty: it has public.mine')
  await expect(backUp(run.runtime.store, files(), to, quiet)).rejects.toThrow('is not empty')
})

test('of a database to which no document was applied there is nothing to back up', async () => {
  const attempt = backUp(fresh.store, files(), join(folder, 'backup'), quiet)
  await expect(attempt).rejects.toThrow('No document was applied here')
})

test('what it could not make anew is said, with what can', async () => {
  await all('create materialized view public.totals as select count(*) from loan')
  const attempt = backUp(run.runtime.store, files(), join(folder, 'backup'), quiet)
  await expect(attempt).rejects.toThrow(
    'The database holds what Ninefold did not make: the materialized view public.totals',
  )
  await all('drop materialized view public.totals')
})

test('both are commands', async () => {
  const told: string[] = []
  vi.spyOn(console, 'log').mockImplementation(line => void told.push(String(line)))
  vi.spyOn(console, 'error').mockImplementation(line => void told.push(String(line)))
  vi.stubEnv('FILES_URL', `file://${join(folder, 'files')}`)
  vi.stubEnv('DATABASE_URL', run.runtime.store.url)
  const to = join(folder, 'backup')
  try {
    expect(await main(['backup', loanDesk])).toBe(2)
    expect(told.at(-1)).toContain('needs --to and a folder')
    expect(await main(['backup', loanDesk, '--to', to, '--json'])).toBe(0)
    vi.stubEnv('DATABASE_URL', fresh.url)
    const kept = JSON.parse(told.at(-1)!)
    expect(await main(['restore', loanDesk, '--from', to, '--json'])).toBe(0)
    const back = JSON.parse(told.at(-1)!)
    const schema = JSON.parse(readFileSync('docs/schemas/restore.json', 'utf8')) as { required: string[] }
    expect(Object.keys(back)).toEqual(schema.required)
    expect(back).toEqual(kept)
  } finally {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
})
