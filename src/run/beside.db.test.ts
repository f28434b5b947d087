/** Tables of another application that keep their columns, types and keys: read, written and referred to as if they were ours. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw } from '../expression/sql.ts'
import type { RowsNeed } from '../kinds/screens/screen-kind.ts'
import { planMigration } from '../store/migrate.ts'
import { read } from './read/read.ts'
import { codes, done, input, readSound, startTestRun, type TestRun } from './testing.ts'
import { trying } from './write/trying.ts'
import { change, create, remove, takeStep } from './write/writes.ts'

const theirs = `
  create type size as enum ('small', 'very large');
  create table "Customers" (id int generated always as identity primary key, name varchar(40) not null unique, note text not null default 'none', created_at timestamp not null default '2020-01-02 03:04');
  create table orders (
    order_no smallint primary key, customer_id int references "Customers", kind text not null default 'web' check (kind in ('web', 'shop')),
    size size, freight real, placed timestamp, picture bytea, doubled real generated always as (freight * 2) stored);
  insert into "Customers" (name, note) values ('Ada ', E'one\\r\\ntwo'), ('Bob', ''), ('Secret', 'x');
  insert into orders (order_no, customer_id, kind, size, freight, placed, picture) values
    (1, 1, 'shop', 'very large', 0.1, '2026-01-02 10:00', '\\x00'), (2, 2, 'web', null, 'NaN', null, null), (3, 3, 'web', 'small', 5, null, null)`

let run: TestRun
let who = ''
beforeAll(async () => {
  const path = join(import.meta.dirname, 'fixtures/beside.md')
  run = await startTestRun(inject('databaseUrl'), readSound(path), theirs)
  who = Object.keys(run.people)[0]!
})
afterAll(() => run?.drop())

const rows = <Row extends object>(text: string) => run.runtime.store.query<Row & Record<string, unknown>>(raw(text))
const idOf = async (view: string, where: string) =>
  (await rows<{ id: string }>(`select id from ninefold_beside."${view}" where ${where}`))[0]!.id
const order = async (id: string) =>
  (
    await rows(`select order_no, customer_id, kind, size::text, freight, placed, doubled, picture is not null as pictured,
    ninefold_version as version, ninefold_state as state from orders where ninefold_id = '${id}'`)
  )[0]

const rowsOf = (entity: string, columns: readonly string[], sort: string, search: string | null = null): RowsNeed => ({
  kind: 'rows',
  entity,
  columns,
  where: null,
  filters: [],
  search,
  sort: [{ field: sort, descending: false }] as never,
  after: null,
  before: null,
  limit: 25,
  countTo: 1000,
})
const seen = async (need: RowsNeed) => (await read(run.runtime, await run.as(who), need))!

test('values are read as the document spells them, and rows by the rules of the document', async () => {
  const orders = await seen(
    rowsOf('order', ['order_no', 'customer_id', 'kind', 'size', 'freight', 'placed', 'doubled', 'state'], 'order_no'),
  )
  expect(orders.rows.map(({ values: { id: _, customer_id: of, ...values } }) => [typeof of, values])).toEqual([
    [
      'string',
      {
        order_no: '1',
        kind: 'Shop',
        size: 'Very large',
        freight: '0.1000',
        placed: '2026-01-02T10:00:00.000Z',
        doubled: '0.2000',
        state: 'Open',
      },
    ],
    ['string', { order_no: '2', kind: 'Web', size: null, freight: null, placed: null, doubled: null, state: 'Open' }],
  ])
  const found = await seen(rowsOf('customer', ['name', 'note', 'created_at'], 'name', 'ada'))
  expect(found.rows.map(({ values: { id: _, ...values } }) => values)).toEqual([
    { name: 'Ada', note: 'one\ntwo', created_at: '2020-01-02T03:04:00.000Z' },
  ])
})

test('what is written goes to the columns of the table, in its types and spellings, and nothing else is touched', async () => {
  const request = await run.as(who)
  const { runtime } = run
  const ada = await idOf('customer', "name = 'Ada'")
  const id = done(
    await create(
      runtime,
      request,
      'order',
      input({
        order_no: '4',
        customer_id: ada,
        size: 'Very large',
        freight: '2.5',
        placed: '2026-03-01T08:00:00.000Z',
        keeper: run.people[who]!,
      }),
    ),
  )
  const made = {
    order_no: '4',
    customer_id: '1',
    kind: 'web',
    size: 'very large',
    freight: '2.5',
    placed: '2026-03-01 08:00:00',
    doubled: '5',
    pictured: false,
    version: '1',
    state: 'Open',
  }
  expect(await order(id)).toEqual(made)
  expect((await change(runtime, request, 'order', id, 7, input({ freight: '3' }))).kind).toBe('stale')
  done(await change(runtime, request, 'order', id, 1, input({ freight: '3', kind: 'Shop' })))
  done(await takeStep(runtime, request, 'order', id, 'close', null))
  expect(await order(id)).toEqual({ ...made, freight: '3', doubled: '6', kind: 'shop', version: '3', state: 'Closed' })

  const first = await idOf('order', 'order_no = 1')
  done(await change(runtime, request, 'order', first, null, input({ size: 'Small' })))
  expect(await order(first)).toMatchObject({ size: 'small', freight: '0.1', pictured: true, kind: 'shop' })
  const bob = await idOf('customer', "name = 'Bob'")
  done(await change(runtime, request, 'customer', bob, null, input({ name: 'Bobby' })))
  expect(await rows(`select note from "Customers" where name = 'Bobby'`)).toEqual([{ note: '' }])

  done(await remove(runtime, request, 'order', id, null))
  expect(await order(id)).toBeUndefined()
})

test('its own constraints are told in the words of the document, whoever is faster', async () => {
  const request = await run.as(who)
  const { runtime } = run
  const make = () => create(runtime, request, 'customer', input({ name: 'Cy' }))
  const both = await Promise.all([make(), make(), make()])
  expect(both.flatMap(codes)).toEqual(['NF-UNIQUE', 'NF-UNIQUE'])
  expect(await rows(`select note from "Customers" where name = 'Cy'`)).toEqual([{ note: 'none' }])
  const ada = await idOf('customer', "name = 'Ada'")
  expect(codes(await remove(runtime, request, 'customer', ada, null))).toEqual(['NF-IN-USE'])
  const cy = await idOf('customer', "name = 'Cy'")
  done(await create(runtime, request, 'visit', input({ customer: cy, day: '2026-03-02' })))
  expect(codes(await remove(runtime, request, 'customer', cy, null))).toEqual(['NF-IN-USE'])

  // What is only tried meets them as well.
  await rows(`alter table "Customers" add constraint polite check (note <> 'rude')`)
  const rude = (as: typeof runtime) =>
    create(as, request, 'customer', input({ name: 'Di', note: 'rude' })).then(codes, ({ code }) => [code])
  const earnest = await rude(runtime)
  expect([earnest.length, await rude(trying(runtime))]).toEqual([1, earnest])
  await rows(`alter table "Customers" drop constraint polite`)
})

test('other programs go on as before, and what they make is there at once', async () => {
  await rows(`insert into public.orders (order_no, customer_id) values (9, 1)`)
  const { rows: all } = await seen(rowsOf('order', ['order_no', 'state'], 'order_no'))
  expect(all.at(-1)?.values).toMatchObject({ order_no: '9', state: 'Open' })
  expect(await planMigration(run.runtime.store, run.runtime.app)).toMatchObject({ steps: [], found: [] })
})

test('records that break a rule, which no constraint of the table holds, are counted by the plan', async () => {
  await rows('insert into public.orders (order_no, customer_id, freight) values (10, 1, 7), (11, 1, 8)')
  const plan = await planMigration(run.runtime.store, run.runtime.app, { records: true })
  expect(plan.found.map(({ code, message, help }) => [code, message, help?.split('Records: ')[1]])).toEqual([
    ['N0916', '2 of `Order` do not meet V-1 as it is now', expect.any(String)],
  ])
})

test('what only a table of ours could hold is refused by name before anything is changed', async () => {
  const path = join(import.meta.dirname, 'fixtures/beside.md')
  const edited = readSound(path, text =>
    text
      .replace('| placed | date and time | |', '| placed | date and time | unique |')
      .replace('| doubled | decimal 12.4 | |', '| doubled | decimal 12.4 | |\n| number | auto number O-{0000} | |'),
  )
  const { possible, found } = await planMigration(run.runtime.store, edited)
  expect([possible, found.map(({ code, message }) => `${code} ${message}`)]).toEqual([
    false,
    ['N0917 the records cannot stay in the table `orders` of another application: it does not hold `unique`'],
  ])
})

const lacking = '| doubled | decimal 12.4 | |'
const refusedFor = (rule: string) => [
  `N0917 the records cannot stay in the table \`orders\` of another application: it does not hold \`${rule}\``,
]
test.each([
  ['customer_id', 'unique', `(customer_id) where kind = 'web'`, false],
  ['customer_id', 'unique', '(customer_id) where picture is null', false],
  ['customer_id', 'unique', '(customer_id)', true],
  ['customer_id', 'unique while kind = Web', `(customer_id) where kind = 'web'`, true],
  ['customer_id', 'unique while kind = Web', `(customer_id) where kind = 'shop'`, false],
  ['customer_id', 'unique while kind = Web', '(customer_id) where picture is null', false],
  ['customer_id', 'unique while kind = Web', '(customer_id)', true],
  ['customer_id', 'unique within freight', '(freight, customer_id)', true],
  ['customer_id', 'unique within freight', '(freight, customer_id) where freight > 0', false],
  ['customer_id', 'unique within freight while freight > 0', '(freight, customer_id) where freight > 0', true],
])('%s, which is %s, is held by an index over %s: %s', async (field, rule, index, holds) => {
  const path = join(import.meta.dirname, 'fixtures/beside.md')
  const edited = readSound(path, text => text.replace(`| ${field} | Customer | |`, `| ${field} | Customer | ${rule} |`))
  await rows('delete from public.orders where order_no > 8')
  await rows(`create unique index theirs on public.orders ${index}`)
  try {
    const { found } = await planMigration(run.runtime.store, edited)
    expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual(holds ? [] : refusedFor(rule))
  } finally {
    await rows('drop index theirs')
  }
})

test('an index over texts as they stand does not keep apart what differs in case', async () => {
  const path = join(import.meta.dirname, 'fixtures/beside.md')
  const edited = readSound(path, text =>
    text.replace('| required; unique |\n| note', '| required; unique without case |\n| note'),
  )
  const found = async () => (await planMigration(run.runtime.store, edited)).found.map(({ message }) => message)
  expect(await found()).toEqual([expect.stringContaining('it does not hold `unique without case`')])
  await rows('create unique index theirs on "Customers" (lower(name))')
  expect(await found()).toEqual([])
  await rows('drop index theirs')
})

test('what is unique among fields that the table lacks is held by an index that is added with them', async () => {
  const path = join(import.meta.dirname, 'fixtures/beside.md')
  const edited = readSound(path, text =>
    text.replace(
      lacking,
      `${lacking}\n| tag | text 10 | unique without case |\n| shelf | text 10 | unique while state = Open |`,
    ),
  )
  const other = await startTestRun(inject('databaseUrl'), edited, theirs)
  try {
    const request = await other.as(Object.keys(other.people)[0]!)
    const make = async (order_no: string, values: Record<string, string>) =>
      codes(await create(other.runtime, request, 'order', input({ order_no, ...values })))
    expect(await make('11', { tag: 'a', shelf: 'x' })).toEqual([])
    expect(await make('12', { tag: 'A', shelf: 'y' })).toEqual(['NF-UNIQUE'])
    expect(await make('13', { tag: 'b', shelf: 'x' })).toEqual(['NF-UNIQUE'])
    const { rows: held } = {
      rows: await other.runtime.store.query<{ name: string }>(
        raw(
          `select indexname as name from pg_indexes where tablename = 'orders' and indexdef like '%UNIQUE%ninefold\\_%' order by 1`,
        ),
      ),
    }
    expect(held.map(({ name }) => name)).toEqual(['order_shelf_key', 'order_tag_key', 'orders_ninefold_id_key'])
    expect(await planMigration(other.runtime.store, edited)).toMatchObject({ steps: [], found: [] })
  } finally {
    await other.drop()
  }
})
