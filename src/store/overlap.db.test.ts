import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import { readApp } from '../headings/index.ts'
import { applyMigration, planMigration } from './migrate.ts'
import { overlapConstraint } from './overlap.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
})
afterEach(() => database.drop())

const now = new Date('2026-03-02T09:00:00Z')

const staysWith = (rule: string) => `# Stays

## 3 Entities and their fields

### Room

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |

### Stay

| Field | Type | Rules |
| --- | --- | --- |
| begins | date and time | |
| ends | date and time | |
| held | yes/no | default yes |
| room | Room | ${rule} |
`
const read = (rule: string, kind = 'date and time') => {
  const document = staysWith(rule).replaceAll('date and time', kind)
  const { app, found } = readApp('stays.md', () => document, { version: () => rule })
  expect(found.filter(({ code, severity }) => /^N13/.test(code) && severity !== 'hint')).toEqual([])
  return app!
}
const apply = (rule: string) => applyMigration(database.store, read(rule), null, { now })

async function stays(...all: readonly (readonly [string, string, boolean])[]) {
  const [room] = await database.store.query<{ id: string }>(
    sql`insert into room (id, name, created_at, changed_at) values (gen_random_uuid(), 'Red', now(), now()) returning id`,
  )
  for (const [begins, ends, held] of all)
    await database.store.query(
      sql`insert into stay (id, begins, ends, held, room, created_at, changed_at)
        values (gen_random_uuid(), ${begins}::timestamptz, ${ends}::timestamptz, ${held}::boolean, ${room!.id}::uuid, now(), now())`,
    )
}

const rule = 'no overlap of begins to ends with 30 minutes between while held'

test('a new database gets the extension, and a plan of nothing afterwards', async () => {
  const plan = await planMigration(database.store, read(rule))
  expect(plan.steps.filter(({ statements }) => statements[0]!.includes('btree_gist')).map(({ what }) => what)).toEqual([
    `Enable the PostgreSQL extension btree_gist, for rules such as \`${rule}\``,
  ])
  expect((await apply(rule)).kind).toBe('applied')
  expect((await planMigration(database.store, read(rule))).steps).toEqual([])
})

test('the rule comes to a table with records, in words, and goes again', async () => {
  await apply('')
  await stays(['2026-03-02T09:00Z', '2026-03-02T10:00Z', true], ['2026-03-02T10:30Z', '2026-03-02T11:00Z', true])
  const plan = await planMigration(database.store, read(rule))
  expect(plan.possible).toBe(true)
  expect(plan.steps.map(({ what, lock, rows }) => [what, lock, rows]).at(-1)).toEqual([
    `Enforce \`${rule}\` for room of stay`,
    'constrain',
    'records are compared, none is changed',
  ])
  await apply(rule)
  expect((await planMigration(database.store, read(rule))).steps).toEqual([])
  const other = 'no overlap of begins to ends'
  expect((await apply(other)).kind).toBe('applied')
  expect((await planMigration(database.store, read(other))).steps).toEqual([])
  await apply('')
  const left = await database.store.query(raw("select conname from pg_constraint where contype = 'x'"))
  expect(left).toEqual([])
})

test('records that overlap already are counted, and nothing is done', async () => {
  await apply('')
  await stays(
    ['2026-03-02T09:00Z', '2026-03-02T10:00Z', true],
    ['2026-03-02T10:29Z', '2026-03-02T11:00Z', true],
    ['2026-03-02T09:00Z', '2026-03-02T12:00Z', false],
  )
  const refused = await apply(rule)
  expect(refused.kind).toBe('refused')
  expect(refused.plan.found.map(({ code, message }) => [code, message])).toEqual([
    ['N0912', `2 of \`Stay\` overlap with another one: \`room\`: ${rule}`],
  ])
})

test.each([
  ['to ends', ['02', '02', '03', '04']],
  ['to ends with 1 day between', ['02', '03', '04', '05']],
  ['to ends with 3 days between', ['04', '05', '06', '07']],
  ['through ends', ['02', '03', '04', '05']],
  ['through ends with 1 day between', ['03', '04', '05', '06']],
] as const)('dates of `%s` are free again alike after one day and after several', async (ends, free) => {
  const stay = read(`no overlap of begins ${ends}`, 'date').entities.get('stay')!
  const [constraint] = stay.fields.flatMap(field => overlapConstraint(stay, field))
  const stretch = constraint!.kind === 'exclude' ? constraint!.stretch : ''
  const rows = await database.store.query<{ free: string }>(
    raw(`select to_char(upper(${stretch}), 'DD') as free
      from (select date '2026-03-01' as begins, date '2026-03-01' + days as ends from generate_series(0, 3) as days) as stay`),
  )
  expect(rows.map(({ free }) => free)).toEqual(free)
})
