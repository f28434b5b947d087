/** What the database keeps of a record and its rows: the same as if it were worked out now, whoever changed what, and whoever else did so meanwhile. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import { appOf } from '../kinds/testing.ts'
import { applyMigration, planMigration } from './migrate.ts'
import { wronglyKept } from './plan/rules.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

const text = (edit: (text: string) => string = one => one) =>
  appOf(
    edit(`# Orders

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| / | Orders | everyone signed in | list of Order |
| /entries | Entries | everyone signed in | report of Entry by name |

### Orders

- **Columns:** name, total, dear, latest, long, to_pay, gifts, late
- **Sort:** total down

### Entries

- **Measure:** sum of sum

## 3 Entities and their fields

### Order

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| discount | decimal 6.2 | |
| lines | list of Line | |
| total | decimal 12.2 | = sum(lines.net) |
| dear | integer | = count(lines where net > this.least and not gift) |
| least | decimal 6.2 | |
| latest | date | = max(lines.day) |
| long | duration | = sum(lines.took) |
| to_pay | decimal 12.2 | = sum(lines.net) * (1 - discount / 100) |
| gifts | yes/no | = any(lines where gift) |
| late | yes/no | = max(lines.day) < today |

### Line (part of Order)

| Field | Type | Rules |
| --- | --- | --- |
| quantity | integer | |
| price | decimal 6.2 | |
| day | date | |
| took | duration | |
| gift | yes/no | required; default no |
| net | decimal 12.2 | = coalesce(price, 0) * coalesce(quantity, 1) |

### Entry

- **Append only:** yes

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| posts | list of Post | |
| sum | decimal 12.2 | = sum(posts.amount) |

### Post (part of Entry)

| Field | Type | Rules |
| --- | --- | --- |
| amount | decimal 8.2 | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | everyone signed in |

### Order

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | yes |

### Entry

| Role | See | Create |
| --- | --- | --- |
| Clerk | yes | yes |
`),
  )

const app = text()
const now = new Date('2026-03-02T09:00:00Z')
let database: TestDatabase
let last = 0
const id = () => `00000000-0000-7000-8000-${String(++last).padStart(12, '0')}`

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'), { connections: 12 })
  await applyMigration(database.store, app, null, { now })
})
afterAll(() => database.drop())

const all = (written: string) => database.store.query<Record<string, string | boolean | null>>(raw(written))
const wrong = async () => (await wronglyKept(database.store, app)).map(({ message }) => message)
const steps = async (of = app) => (await planMigration(database.store, of)).steps.map(({ what }) => what)
const stamps = 'version, created_at, changed_at'

async function orders(count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, id)
  for (const [index, one] of ids.entries())
    await all(
      `insert into "order" (id, ${stamps}, name, discount, least) values ('${one}', 1, now(), now(), 'O', ${index * 5}, 3)`,
    )
  return ids
}

const lineOf = (order: string, line: string, position: number, values: string) =>
  `insert into line (id, ${stamps}, "order", position, quantity, price, day, gift, took) values ('${line}', 1, now(), now(), '${order}', ${position}, ${values}, interval '${position % 50} minutes')`

/** Reproducible: a linear congruence. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

test('what is kept has its columns, functions and triggers, and nothing is left to do', async () => {
  expect(await steps()).toEqual([])
  const columns = await all(
    `select table_name || '.' || column_name as name from information_schema.columns where column_name like '\\_%' and table_schema = 'public' order by 1`,
  )
  expect(columns.map(({ name }) => name)).toEqual([
    'entry._sum',
    'order._dear',
    'order._gifts',
    'order._latest',
    'order._long',
    'order._to_pay',
    'order._total',
  ])
  const [order] = await orders(1)
  expect(await all(`select _total, _dear, _latest, _long, _to_pay, _gifts from "order" where id = '${order}'`)).toEqual(
    [
      {
        _total: '0',
        _dear: '0',
        _latest: null,
        _long: 'PT0S',
        _to_pay: expect.stringMatching(/^0(\.0+)?$/),
        _gifts: false,
      },
    ],
  )
})

test('after any series of changes it is what it would be if it were worked out now', async () => {
  const roll = dice(20_261_122)
  const ids = await orders(6)
  const one = () => ids[roll(ids.length)]!
  const value = () =>
    `${roll(4) === 0 ? 'null' : roll(9)}, ${roll(5) === 0 ? 'null' : `${roll(90)}.5`}, ${roll(4) === 0 ? 'null' : `date '2026-01-01' + ${roll(300)}`}, ${roll(3) === 0}`
  const changes: readonly (() => string)[] = [
    () => lineOf(one(), id(), ++last, value()),
    () => lineOf(one(), id(), ++last, value()),
    () =>
      `insert into line (id, ${stamps}, "order", position, quantity, price, day, gift) select gen_random_uuid(), 1, now(), now(), id, ${++last}, ${value()} from "order"`,
    () => `update line set (quantity, price, day, gift) = (${value()}) where mod(position, ${1 + roll(4)}) = 0`,
    () => `update line set "order" = '${one()}' where mod(position, ${2 + roll(5)}) = 0`,
    () => `update line set id = gen_random_uuid(), "order" = '${one()}' where "order" = '${one()}'`,
    () => `update line set position = position + 100000, version = version + 1 where "order" = '${one()}'`,
    () => `delete from line where mod(position, ${3 + roll(5)}) = 0`,
    () => `delete from line where "order" = '${one()}'`,
    () =>
      `update "order" set discount = ${roll(3) === 0 ? 'null' : roll(90)}, least = ${roll(200)} where id = '${one()}'`,
    () =>
      `with o as (insert into "order" (id, ${stamps}, name, discount) values ('${id()}', 1, now(), now(), 'W', 5) returning id) insert into line (id, ${stamps}, "order", position, quantity, price, day, gift) select gen_random_uuid(), 1, now(), now(), id, 1, 2, 3, null, true from o`,
    () => `delete from "order" where name = 'W' and id = (select min(id::text)::uuid from "order" where name = 'W')`,
    () => (roll(4) === 0 ? 'truncate line' : 'truncate line cascade'),
  ]
  for (let step = 0; step < 80; step++) {
    // A truncation leaves nothing to be wrong about.
    const change = changes[roll(changes.length - (step % 40 === 39 ? 0 : 1))]!()
    await all(change)
    expect([change, await wrong()]).toEqual([change, []])
  }
})

test('fifty who change the rows of the same records at once lose nothing of one another', async () => {
  const [one, other, third] = await orders(3)
  const amid = async (index: number) => {
    await all(lineOf(third!, id(), index, `1, ${index}, null, false`))
    await database.store.inTransaction(
      async tx => {
        const [line, further] = [id(), id()]
        const [first, second] = index % 2 === 0 ? [one!, other!] : [other!, one!]
        // Who changes several records locks them in order, as the write path does.
        if (index % 5 === 0 || index % 7 === 0)
          await tx.query(sql`select from "order" where id in (${one}, ${other}) order by id for no key update`)
        await tx.write(raw(lineOf(first, line, index, `2, ${index}, '2026-02-02', false`)))
        await tx.write(raw(lineOf(first, further, index + 100, '1, 1, null, true')))
        if (index % 5 === 0) await tx.write(sql`update line set "order" = ${second} where id = ${line}`)
        if (index % 3 === 0) await tx.write(sql`delete from line where id = ${further}`)
        if (index % 7 === 0) await tx.write(sql`update "order" set discount = ${index} where id = ${second}`)
      },
      { serializable: index % 8 === 0, attempts: 100 },
    )
  }
  await Promise.all(Array.from({ length: 50 }, (_, index) => amid(index)))
  expect(await wrong()).toEqual([])
  const sums = await all(
    `select sum(_total)::int::text as total, sum(_dear)::text as dear from "order" where id in ('${one}', '${other}', '${third}') group by id = '${third}' order by 1`,
  )
  expect(sums).toEqual([
    { total: '1225', dear: '46' },
    { total: String(2 * 1225 + 33), dear: '48' },
  ])
})

test('records that are only ever added take what is kept of them', async () => {
  const entry = id()
  await all(`insert into entry (id, ${stamps}, name) values ('${entry}', 1, now(), now(), 'E')`)
  await all(
    `insert into post (id, ${stamps}, entry, position, amount) select gen_random_uuid(), 1, now(), now(), '${entry}', n, n from generate_series(1, 4) n`,
  )
  expect(await all(`select _sum from entry`)).toEqual([{ _sum: '10.00' }])
  await expect(all(`update entry set name = 'X'`)).rejects.toThrow(/never changed/)
})

test('another expression, another name, triggers that were off and what is computed no more: each plan makes it right, and then there is nothing to do', async () => {
  const [order] = await orders(1)
  await all(lineOf(order!, id(), 1, "3, 2, '2026-01-01', false"))
  const kept = async (column = '_total') =>
    (await all(`select ${column} as value from "order" where id = '${order}'`))[0]!.value
  const become = async (of: typeof app) => {
    const applied = await applyMigration(database.store, of, null, { now })
    expect(applied.kind).toBe('applied')
    expect(await steps(of)).toEqual([])
    expect(await wronglyKept(database.store, of)).toEqual([])
  }
  const doubled = text(one => one.replace('= sum(lines.net) |', '= sum(lines.net) * 2 |'))
  expect(await steps(doubled)).toMatchInlineSnapshot(`
    [
      "Take away the function kept_by_line, with its triggers: what it kept changes",
      "Keep _total, _dear, _latest, _long, _to_pay, _gifts of order as it is computed, whenever a row of line changes",
      "Work out _total, _dear, _latest, _long, _to_pay, _gifts of the records of order that exist",
    ]
  `)
  await become(doubled)
  expect(Number(await kept())).toBe(12)
  // The same name, and another type: its index stays.
  const dated = text(one =>
    one.replace('| total | decimal 12.2 | = sum(lines.net) |', '| total | date | = max(lines.day) |'),
  )
  await become(dated)
  expect(await kept()).toBe('2026-01-01')
  const renamed = text(one =>
    one
      .replaceAll('price', 'cost')
      .replace('| cost | decimal', '| cost (was price) | decimal')
      .replace('| total |', '| amount |')
      .replace('name, total, dear', 'name, amount, dear')
      .replace('Sort:** total', 'Sort:** amount')
      .replace('### Line (part', '### Position (was Line) (part')
      .replace('list of Line', 'list of Position'),
  )
  await become(renamed)
  expect(Number(await kept('_amount'))).toBe(6)
  await all('alter table position disable trigger user')
  await all(`update position set quantity = 5 where "order" = '${order}'`)
  await all('alter table position enable trigger user')
  expect(
    (await planMigration(database.store, renamed, { records: true })).found.map(
      ({ code, message }) => `${code} ${message}`,
    ),
  ).toContain('N0919 what is kept of `sum(lines.net)` in 1 of `Order` is not what it is computed from')
  await all('drop function kept_by_position cascade')
  await become(renamed)
  expect(Number(await kept('_amount'))).toBe(10)
  const without = text(one =>
    one.replace(/\| (total|dear|latest|to_pay|gifts) \|.*\n/g, '').replace(/### Orders\n(.*\n){4}/, ''),
  )
  const plan = await planMigration(database.store, without)
  expect(plan.found.filter(({ message }) => message.includes('_'))).toEqual([])
  await become(
    text(one =>
      one
        .replace(/\| (total|dear|latest|to_pay|gifts) \|.*\n/g, '')
        .replace(/### Orders\n(.*\n){4}/, '')
        .replaceAll('Line', 'Position'),
    ),
  )
  expect(await all(`select proname from pg_proc where proname like 'kept%' order by 1`)).toEqual([
    { proname: 'kept_by_post' },
  ])
})
