/**
 * How long a change of tables keeps others waiting, in rows and not in time: whatever has a table to itself goes through none of its
 * rows, and takes as long however many there are.
 */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import { readApp } from '../headings/index.ts'
import { applyMigration, planMigration } from './migrate.ts'
import type { Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

const text = `# Shop

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| / | Orders | everyone signed in | list of Order |

## 3 Entities and their fields

### Customer

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |

### Order

| Field | Type | Rules |
| --- | --- | --- |
| number | text 20 | |
| customer | Customer | |
| remark | text 200 | |
| amount | text 20 | |
| days | integer | |
| code | text 20 | |
| gone | text 20 | |
| above | Order | |
| begins | date | |
| ends | date | |
| lines | list of Line | |

### Line (part of Order)

| Field | Type | Rules |
| --- | --- | --- |
| net | decimal 12.2 | |

## 4 States and transitions

### Order

| State | Kind |
| --- | --- |
| Open | start |
| Shut | |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| shut | Open | Shut | everyone signed in |
`

/** Every kind of change, to the table with most rows. */
const changes: readonly (readonly [from: string, to: string])[] = [
  ['| number | text 20 | |', '| number | text 20 | required; unique; searchable |'],
  ['| customer | Customer | |', '| buyer (was customer) | Customer | required |'],
  ['| remark | text 200 | |', '| remark | text 100 | default `"none"` |'],
  ['| amount | text 20 | |', '| amount | decimal 12.2 | min 0; max 9000 |'],
  ['| days | integer | |', '| days | decimal 8.2 | min 1 |'],
  ['| code | text 20 | |', '| code | text 20 | unique |\n| size | integer | required; default 1 |'],
  ['| gone | text 20 | |\n', '| code_in_short | text 20 | = code |\n'],
  ['| above | Order | |', '| above | Purchase | |\n| tags | several of: Red, Blue | |'],
  ['| lines | list of Line | |', '| lines | list of Line | |\n| total | decimal 12.2 | = sum(lines.net) |'],
  ['(part of Order)', '(part of Purchase)'],
  ['list of Order |\n', 'list of Purchase |\n\n### Orders\n\n- **Columns:** number, total\n'],
  ['### Order\n\n| Field', '### Purchase (was Order)\n\n| Field'],
  ['### Order\n\n| State', '### Purchase\n\n| State'],
  ['| Shut | |', '| Closed (was Shut) | |\n| Waiting | |'],
  ['| Open | Shut |', '| Open | Closed |'],
]
const wanted = changes.reduce((all, [from, to]) => {
  expect(all).toContain(from)
  return all.replace(from, to)
}, text)

const read = (document: string) => {
  const { app, found } = readApp('shop.md', () => document, { version: () => String(document.length) })
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  return app!
}

const many = 3000
/** A table that nobody has filled, and the rows of the catalogue beside. */
const few = 50
const now = new Date('2026-03-02T09:00:00Z')

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  await applyMigration(database.store, read(text), null, { now })
  await database.store.query(
    raw(`
    with c as (insert into customer (id, version, created_at, changed_at, name) values (gen_random_uuid(), 1, now(), now(), 'Ada') returning id),
    o as (insert into "order" (id, version, created_at, changed_at, state, state_since, number, customer, remark, amount, days, code, gone, begins, ends)
      select gen_random_uuid(), 1, now(), now(), case when n % 2 = 0 then 'Open' else 'Shut' end, now(), 'O' || n, c.id, 'none', n::text, n, 'C' || n, 'x',
        current_date + n, current_date + n from generate_series(1, ${many}) n, c returning id)
    insert into line (id, version, created_at, changed_at, "order", position, net) select gen_random_uuid(), 1, now(), now(), id, 1, 7 from o`),
  )
  await database.store.query(raw('analyze'))
})
afterEach(() => database.drop())

interface Kept {
  readonly statement: string
  readonly table: string
  readonly rows: number
}

/** What this connection went through of each table, and which it has to itself. */
const looked = sql`
  select relid::text as id, relname as table, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del as rows,
    exists (select from pg_locks where pid = pg_backend_pid() and granted and mode = 'AccessExclusiveLock' and relation = relid) as alone
  from pg_stat_xact_user_tables`

interface Looked {
  readonly id: string
  readonly table: string
  readonly rows: string
  readonly alone: boolean
}

/** The store, which looks when each transaction begins, and before it commits. */
function watched(kept: Kept[]): Store {
  const { store } = database
  return {
    ...store,
    inSession: work =>
      store.inSession(session => {
        let before = new Map<string, number>()
        let last = ''
        return work({
          ...session,
          async execute(statement) {
            if (statement === 'commit')
              for (const { id, table, rows, alone } of await session.query<Looked>(looked))
                if (alone) kept.push({ statement: last, table, rows: Number(rows) - (before.get(id) ?? 0) })
            last = statement
            const done = await session.execute(statement)
            if (statement.startsWith('begin'))
              before = new Map((await session.query<Looked>(looked)).map(({ id, rows }) => [id, Number(rows)]))
            return done
          },
        })
      }),
  }
}

test('a change of every kind, there and back again, goes through no row of what it keeps to itself', async () => {
  const kept: Kept[] = []
  const app = read(wanted)
  const plan = await planMigration(database.store, app, { drop: ['purchase.gone'] })
  expect(plan.found.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(plan.steps.filter(({ lock }) => lock === 'rewrite' || lock === 'constrain').map(({ what }) => what)).toEqual(
    [],
  )
  expect((await applyMigration(watched(kept), app, plan, { now, drop: ['purchase.gone'] })).kind).toBe('applied')
  expect((await planMigration(database.store, app)).steps.map(({ what }) => what)).toEqual([])
  const [there] = await database.store.query(
    raw(
      `select count(*), sum(amount) as amount, sum(_total) as total, count(*) filter (where state = 'Closed') as closed from purchase`,
    ),
  )
  expect(there).toEqual({
    count: String(many),
    amount: `${(many * (many + 1)) / 2}.00`,
    total: `${7 * many}.00`,
    closed: String(many / 2),
  })
  expect(kept.length).toBeGreaterThan(30)
  expect(kept.filter(({ rows }) => rows > few)).toEqual([])
  const back: Kept[] = []
  const before = read(text.replace('| Shut | |', '| Shut (was Closed) | |'))
  expect((await applyMigration(watched(back), before, null, { now })).kind).toBe('applied')
  expect(
    await database.store.query(
      raw(
        `select count(*), count(customer) as customers, sum(amount::numeric) as amount, count(*) filter (where state = 'Shut') as shut from "order"`,
      ),
    ),
  ).toEqual([
    { count: String(many), customers: String(many), amount: `${(many * (many + 1)) / 2}`, shut: String(many / 2) },
  ])
  expect(back.length).toBeGreaterThan(10)
  expect(back.filter(({ rows }) => rows > few)).toEqual([])
})

test('what does is the one exception, which the plan shows', async () => {
  const kept: Kept[] = []
  const app = read(text.replace('| number | text 20 | |', '| number | text 20 | no overlap of begins to ends |'))
  const plan = await planMigration(database.store, app)
  expect(plan.steps.filter(({ lock }) => lock === 'constrain')).toHaveLength(1)
  await applyMigration(watched(kept), app, plan, { now })
  expect(kept.filter(({ rows }) => rows > few)).toEqual([
    { statement: expect.stringContaining('comment on constraint'), table: 'order', rows: expect.any(Number) },
  ])
})
