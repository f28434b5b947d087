/** Databases of others as documents, on a real server. */
import { readFileSync } from 'node:fs'
import { afterEach, expect, inject, test } from 'vitest'
import { beside } from '../../../scripts/beside.ts'
import { readApp } from '../../headings/index.ts'
import { applyMigration, planMigration } from '../../store/migrate.ts'
import type { Store } from '../../store/pool.ts'
import { schemaOf } from '../../store/schema.ts'
import { createTestDatabase, type TestDatabase } from '../../store/testing.ts'
import { readImported } from '../testing.ts'
import { importDatabase } from './import.ts'

const open: TestDatabase[] = []
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop()
})

async function database(statements = ''): Promise<TestDatabase> {
  const made = await createTestDatabase(inject('databaseUrl'))
  open.push(made)
  if (statements !== '') await made.store.inSession(session => session.execute(`${statements}; reset all`))
  return made
}

async function imported(statements: string) {
  const { store } = await database(statements)
  const result = await importDatabase(store, ['public'])
  if ('mistake' in result) throw new Error(result.mistake)
  const document = result.files[0]!.text
  const { app, wrong } = readImported(document)
  expect(wrong).toEqual([])
  return { document, notes: result.notes, app, store }
}

const rowsOf = (document: string, entity: string) =>
  (document.split(`### ${entity}\n`)[1] ?? '')
    .split(/\n##/)[0]!
    .split('\n')
    .filter(line => /^\| [a-z]/.test(line))

test('a schema that is not there, or has no tables, is no document', async () => {
  const { store } = await database('create schema empty')
  expect(await importDatabase(store, ['public', 'shop'])).toEqual({
    mistake: "There is no schema 'shop' in this database.",
  })
  expect(await importDatabase(store, ['empty'])).toMatchObject({ mistake: expect.stringContaining("'empty'") })
})

test('what the language cannot hold is left out and noted, and never makes an error', async () => {
  const { document, notes } = await imported(`
    create domain positive as numeric(8,2) check (value > 0);
    create table item (
      id serial primary key, code varchar(12), price positive, tags text[], said jsonb not null default '{}', up text generated always as (upper(code)) stored,
      token uuid default gen_random_uuid(), "where" int, version int, maybe boolean default true,
      constraint upper_code check (upper(code) = code), constraint halves check (version / 2 > 1),
      constraint early check (code < 'M'), day date default ('now'::text)::date, soon date check (soon > day + 1), plus int check (plus > 2 and plus < version), exclude using btree (code with =)
    );
    create unique index lower_code on item (lower(code));
    create unique index lower_place on item (lower(code), day);
    create table part (item int references item on delete cascade, place int, primary key (item, place), a int, b int,
      constraint pair foreign key (a, b) references part);
    create table account (id serial primary key, password_hash varchar(60));
    create view cheap as select code from item;
    create table "no" (x int)`)
  expect(rowsOf(document, 'Item')).toEqual([
    '| code | text 12 | unique without case |',
    '| price | decimal 8.2 | |',
    '| tags | long text 100000 | |',
    '| said | json | |',
    '| up | text 500 | |',
    '| token | text 36 | pattern `[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}` |',
    '| own_where | integer | |',
    '| own_version | integer | |',
    '| maybe | yes/no | |',
    '| day | date | default today |',
    '| soon | date | |',
    '| plus | integer | min 3 |',
  ])
  expect(document.match(/^\| V-.*$/gm)).toEqual([
    '| V-1 | Item | `soon > day + 1` | | E-1 |',
    '| V-2 | Item | `plus < own_version` | | E-2 |',
  ])
  expect(document).toContain('### No record\n')
  const all = notes.join('\n')
  for (const said of [
    'account.password_hash: holds passwords, or what was made of them: say under heading 6 who sees it',
    'item.id: is replaced by the key that every record has',
    'item.price: is of the domain positive there',
    'item.tags: is of the type text[] there',
    'item.said: may be empty here, and only answers of calls',
    "item.said: what it begins with is not carried over: '{}'::jsonb",
    'item.up: is computed there, and entered here: upper((code)::text)',
    'item.token: what it begins with is not carried over: gen_random_uuid()',
    'item.where: is named `own_where` here',
    'item.maybe: what it begins with is not carried over',
    'item.upper_code: the check is not carried over: (upper((code)::text) = (code)::text)',
    "item.early: the check is not carried over: ((code)::text < 'M'::text)",
    'item.halves: the check is not carried over: ((version / 2) > 1)',
    'the check is not carried over: EXCLUDE USING btree',
    'item.lower_place: is not carried over: CREATE UNIQUE INDEX lower_place',
    'part.item: on delete cascade is not carried over',
    'part.a: the key of several columns pair is not carried over',
    'view cheap: has no place in a document',
    'no: the entity is named No record here',
  ])
    expect(all).toContain(said)
})

test('checks become bounds, patterns, choices and rules that mean the same', async () => {
  const { document } = await imported(`
    create type size as enum ('small', 'large');
    create table customer (id int primary key, name text not null unique);
    comment on table customer is 'Somebody | who buys.';
    comment on column customer.name is 'As on the | bill';
    create table "order" (
      customer_id int not null references customer, number bigint generated always as identity primary key,
      code varchar(12) check (code ~ '^[A-Z]{2}[0-9]+$'), size size not null default 'small',
      kind text not null default 'web' check (kind in ('web', 'shop')),
      placed date not null default current_date, due date, paid_at timestamptz default now(),
      qty int not null default 1 check (qty > 0 and qty < 100), again int, rate numeric(3,2) check (rate > 0),
      total numeric(12,2) not null, gross numeric(12,2) generated always as (total * 2) stored,
      constraint late check (due > placed), constraint differ check (qty <> again),
      constraint web check (kind <> 'web' or due is not null), unique (customer_id, code)
    );
    comment on constraint late on "order" is 'Due after it was placed.';
    create unique index one_open on "order" (customer_id) where kind = 'web' and due is null`)
  expect(rowsOf(document, 'Customer')).toEqual([
    '| own_id | integer | required; unique | |',
    '| name | text 500 | required; unique | As on the \\| bill |',
  ])
  expect(rowsOf(document, 'Order')).toEqual([
    '| customer_id | Customer | required; unique while kind = "Web" and due is empty | Customer |',
    '| code | text 12 | unique within customer_id; pattern `[A-Z]{2}[0-9]+` | |',
    '| size | choice: Small, Large | required; default "Small" | |',
    '| kind | choice: Web, Shop | required; default "Web" | |',
    '| placed | date | required; default today | |',
    '| due | date | | |',
    '| paid_at | date and time | default now | |',
    '| qty | integer | required; min 1; max 99; default 1 | |',
    '| again | integer | | |',
    '| rate | decimal 3.2 | | |',
    '| total | decimal 12.2 | required | |',
    '| gross | decimal 12.2 | = total * 2 | |',
  ])
  expect(document.match(/^\| V-.*$/gm)).toEqual([
    '| V-1 | Order | `again is empty or qty != again` | | E-1 |',
    '| V-2 | Order | `due > placed` | | E-2 |',
    '| V-3 | Order | `rate > 0` | rate | E-3 |',
    '| V-4 | Order | `kind != "Web" or due is not empty` | | E-4 |',
  ])
  expect(document).toContain('| E-2 | Due after it was placed. |')
})

test('a database that Ninefold made gives its document back, whose plan against it is empty', async () => {
  const { store } = await database()
  const files = new Map([
    ['app.md', '# Shop\n\n- **Ninefold:** 1\n- **Part:** [Items](parts/items.md)\n'],
    [
      'parts/items.md',
      '## 3 Entities and their fields\n\n### Item\n\n| Field | Type |\n| --- | --- |\n| name | text 80 |\n',
    ],
  ])
  const read = (get: (path: string) => string | undefined) =>
    readApp('app.md', path => get(path) ?? null, { version: () => 'first' }).app!
  expect(
    (
      await applyMigration(
        store,
        read(path => files.get(path)),
        null,
        { now: new Date() },
      )
    ).kind,
  ).toBe('applied')

  const result = await importDatabase(store, ['public'])
  if ('mistake' in result) throw new Error(result.mistake)
  expect(result.files).toEqual([...files].map(([path, text]) => ({ path, text })))
  const again = read(path => result.files.find(file => file.path === path)?.text)
  expect(await planMigration(store, again)).toMatchObject({ possible: true, steps: [], found: [] })
})

/** Databases that another application made: our own small one, and Northwind where it stands beside the repository. */
interface Foreign {
  readonly name: string
  readonly sql: string
  readonly tables: number
  readonly foreignKeys: number
  readonly uniques: number
  readonly records: number
  /** Orders of one customer, the first two by their number, and how many there are. */
  readonly orders: readonly { company_name: string; version: string; freight: string | null; n: string }[]
  readonly customer: string
  /** Columns with the contents of files, and how many of them are filled. */
  readonly contents: readonly (readonly [column: string, values: number])[]
}

const bikes: Foreign = {
  name: 'a shop for bicycles',
  sql: readFileSync(new URL('fixtures/bikes.sql', import.meta.url), 'utf8'),
  tables: 7,
  foreignKeys: 8,
  uniques: 8,
  records: 25,
  customer: 'BAHN',
  orders: [
    { company_name: 'Bahnhof Räder', version: '1', freight: null, n: '3' },
    { company_name: 'Bahnhof Räder', version: '1', freight: '12.5', n: '3' },
  ],
  contents: [
    ['category.before_picture', 2],
    ['employee.before_photo', 2],
  ],
}
const northwind = beside('northwind.sql')
const foreign: readonly Foreign[] =
  northwind === null
    ? [bikes]
    : [
        bikes,
        {
          name: 'Northwind',
          sql: northwind,
          tables: 14,
          foreignKeys: 13,
          uniques: 14,
          records: 3362,
          customer: 'ALFKI',
          orders: [
            { company_name: 'Alfreds Futterkiste', version: '1', freight: null, n: '7' },
            { company_name: 'Alfreds Futterkiste', version: '1', freight: '29.46', n: '7' },
          ],
          contents: [
            ['category.before_picture', 8],
            ['employee.before_photo', 9],
          ],
        },
      ]

test.each(foreign)(
  '$name plans to tables of the same columns, keys and references',
  async ({ sql, foreignKeys, uniques }) => {
    const { app, store, document } = await imported(sql)
    expect(rowsOf(document, 'Order detail').slice(0, 2)).toEqual([
      '| order_id | Order | required | Order |',
      '| product_id | Product | required; unique within order_id | Product |',
    ])
    const physical = schemaOf(app)
    const own = new Set(['id', 'version', 'created_at', 'created_by', 'changed_at', 'changed_by'])
    const columns = await store.query<{ name: string; required: boolean }>({
      texts: [
        `select c.relname || '.' || a.attname as name, a.attnotnull as required from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 order by 1`,
      ],
      values: [],
    })
    const planned = [...physical.tables.values()].flatMap(table =>
      table.name === 'person'
        ? []
        : table.columns
            .filter(({ name }) => !own.has(name))
            .map(({ name, notNull }) => ({ name: `${table.beside!.table}.${name}`, required: notNull })),
    )
    expect(planned.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      [...columns].sort((a, b) => (a.name < b.name ? -1 : 1)),
    )
    const constraints = [...physical.tables.values()]
      .filter(({ name }) => name !== 'person')
      .flatMap(table => table.constraints)
    expect(constraints.filter(({ kind }) => kind === 'foreign')).toHaveLength(foreignKeys)
    expect(constraints.filter(({ kind }) => kind === 'unique')).toHaveLength(uniques)

    const fresh = await database()
    expect((await applyMigration(fresh.store, app, null, { now: new Date() })).kind).toBe('applied')
    expect((await planMigration(fresh.store, app)).steps).toEqual([])
  },
)

/** What a database says of its own: without what begins with `ninefold_`. */
const theirs = (store: Store) =>
  store.query<{ what: string }>({
    texts: [
      `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull as what
         from pg_attribute a join pg_class c on c.oid = a.attrelid
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.attname !~ '^ninefold_' and c.relname <> 'person'
       union all select c.relname || ' ' || k.conname || ' ' || replace(pg_get_constraintdef(k.oid), 'public.', '')
         from pg_constraint k join pg_class c on c.oid = k.conrelid
         where k.connamespace = 'public'::regnamespace and k.conname !~ 'ninefold_' and c.relname <> 'person'
       order by 1`,
    ],
    values: [],
  })

test.each(foreign)(
  'beside $name the plan is one step that leaves every column, type, key and check as it is, and then empty',
  async ({ sql, tables, records, customer, orders }) => {
    const { app, store, document } = await imported(sql)
    expect(document).toContain('### Order detail\n\n- **Table:** order_details\n')
    const before = await theirs(store)
    const plan = await planMigration(store, app)
    expect(plan.found).toEqual([])
    const about = plan.steps.filter(({ what }) => !/Ninefold itself needs|person|Person|extension/.test(what))
    expect(about.map(({ what, rows }) => [what.replace(/(?<=: categor).*/, ''), rows])).toEqual([
      [
        `Stand beside ${tables} tables that another application made: categor`,
        `every record and every value stays as it is: ${records} records`,
      ],
    ])
    const now = new Date('2026-03-02T10:00:00Z')
    expect((await applyMigration(store, app, plan, { now })).kind).toBe('applied')
    expect(await theirs(store)).toEqual(before)
    expect(await planMigration(store, app)).toMatchObject({ possible: true, steps: [], found: [] })
    // Other programs go on as before.
    await store.inSession(session =>
      session.execute(
        `set search_path = public; insert into orders (order_id, customer_id) values (1, '${customer}'); set search_path = ninefold_beside, public`,
      ),
    )
    const rows = await store.query({
      texts: [
        `select c.company_name, o.version, o.freight, count(*) over () as n from "order" o join customer c on c.id = o.customer_id where c.customer_id = '${customer}' order by o.order_id limit 2`,
      ],
      values: [],
    })
    expect(rows).toEqual(orders)
  },
)

test.each(foreign)(
  '$name is taken over where it lies: every record, every reference, and then nothing is left to plan',
  async ({ sql, tables, records, contents }) => {
    const { app, store } = await imported(sql)
    const count = async (text: string) =>
      Number((await store.query<{ n: string }>({ texts: [`select count(*) as n from ${text}`], values: [] }))[0]!.n)
    const before = {
      orders: await count('orders'),
      sold: await count("orders o join customers c using (customer_id) where country = 'Germany'"),
      details: await count('order_details d join orders o using (order_id) join products p using (product_id)'),
    }
    const torn = await planMigration(store, app, { adopt: ['orders'] })
    expect(torn.found.map(({ code, message }) => `${code} ${message}`)).toContain(
      'N0915 the table `orders` cannot be taken over: `customer_id` is no foreign key to the key of a table that is taken over too',
    )

    const applied = await applyMigration(store, app, null, { now: new Date('2026-03-02T10:00:00Z'), adopt: ['all'] })
    expect([
      applied.kind,
      ...applied.plan.found.map(({ code, message, help }) => `${code} ${message} ${help}`),
    ]).toEqual(['applied'])
    expect(applied.plan.steps.filter(({ what }) => what.startsWith(`Take over ${tables} tables`))).toMatchObject([
      { rows: `every record and every value is kept: ${records} records` },
    ])
    const after = await planMigration(store, app)
    expect(after.steps).toEqual([])
    // What is in no table of ours, the contents of files, is kept where it is.
    expect(after.found.map(({ code, message }) => `${code} ${message}`)).toEqual(
      contents.map(
        ([column, values]) => `N0910 \`${column}\` is no longer in the document; its data is kept (${values} values)`,
      ),
    )
    expect(await planMigration(store, app, { adopt: ['all'] })).toMatchObject({ possible: true, steps: [] })
    expect({
      orders: await count('"order"'),
      sold: await count('"order" o join customer c on c.id = o.customer_id where c.country = \'Germany\''),
      details: await count('order_detail d join "order" o on o.id = d.order_id join product p on p.id = d.product_id'),
    }).toEqual(before)
  },
)

test('what others spell, name and number in their way is taken over in the way of the document', async () => {
  const { app, store } = await imported(`
    create type size as enum ('small', 'very large');
    create table "Customers" (id int primary key, version int, "fullName" varchar(40) not null, note char(8), story text);
    create table "order" (
      id bigint generated always as identity primary key, "Customer" int not null references "Customers",
      size size not null default 'small', kind text not null default 'web' check (kind in ('web', 'shop')),
      paid boolean not null default false, total real not null default 0, at timestamptz not null default now());
    insert into "Customers" values (7, 3, 'Ada ', '', E'One\\r\\nTwo\\r\\n\\t'), (8, null, 'Bob', 'x', E' \\n');
    insert into "order" ("Customer", size, kind, total) values (7, 'very large', 'web', 0.1), (8, 'small', 'shop', 2.5)`)
  const applied = await applyMigration(store, app, null, { now: new Date('2026-03-02T10:00:00Z'), adopt: ['all'] })
  expect(applied.kind).toBe('applied')
  const rows = await store.query({
    texts: [
      'select c.own_id, c.own_version, c.full_name, c.note, c.story, o.size, o.kind, o.total, o.version, o.before_id from "order" o join customer c on c.id = o.customer order by 1',
    ],
    values: [],
  })
  expect(rows).toEqual([
    {
      own_id: '7',
      own_version: '3',
      full_name: 'Ada',
      note: null,
      story: 'One\nTwo',
      size: 'Very large',
      kind: 'Web',
      total: '0.1',
      version: '1',
      before_id: '1',
    },
    {
      own_id: '8',
      own_version: null,
      full_name: 'Bob',
      note: 'x',
      story: null,
      size: 'Small',
      kind: 'Shop',
      total: '2.5',
      version: '1',
      before_id: '2',
    },
  ])
  const after = await planMigration(store, app)
  expect(after.steps).toEqual([])
  // Their keys are kept until they are dropped by name.
  expect(after.found.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'N0910 `order.before_id` is no longer in the document; its data is kept (2 values)',
  ])
})
