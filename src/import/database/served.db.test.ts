/** What is served beside the tables that it was imported from: what they hold can be changed, and what they do not take is told beside its field. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw } from '../../expression/sql.ts'
import { demoPeople } from '../../headings/demo-people.ts'
import { done, input, startTestRun, type TestRun } from '../../run/testing.ts'
import { change, create, remove } from '../../run/write/writes.ts'
import { applyMigration, planMigration } from '../../store/migrate.ts'
import { createTestDatabase } from '../../store/testing.ts'
import { readImported } from '../testing.ts'
import { importDatabase } from './import.ts'

const theirs = `
  create domain zip as text check (value ~ '^[0-9]{5}$');
  create table place (country text not null, city text not null, primary key (country, city));
  insert into place values ('NL', 'Delft');
  create table film (
    film_id serial primary key, title text not null, district text not null, features text[], rating numeric(3,1), length smallint, cost real, note text,
    token uuid not null default gen_random_uuid(), zip zip, code varchar(9), "reelNo" text, country text, city text, constraint place foreign key (country, city) references place, constraint high check (sqrt(rating) < 3));
  create unique index film_code on film (lower(code)); create unique index film_reel on film (lower("reelNo"), length);
  insert into film (title, district, note) values ('Academy', '', E'one\\ntwo'), ('Ace', 'North', null), ('Adaptation', '', null);
  create table payment (payment_id serial primary key, amount numeric(6,2) not null, day date not null);
  create table payment_2026 () inherits (payment);
  create rule divert as on insert to payment where new.day >= '2026-01-01' do instead insert into payment_2026 (payment_id, amount, day) values (new.payment_id, new.amount, new.day);
  insert into payment (amount, day) values (5, '2026-01-02'), (6, '2025-01-02')`

let run: TestRun
let document = ''
beforeAll(async () => {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  await store.inSession(session => session.execute(theirs))
  const imported = await importDatabase(store, ['public'])
  await drop()
  if ('mistake' in imported) throw new Error(imported.mistake)
  document = imported.files[0]!.text
  const { app, wrong } = readImported(document)
  expect(wrong).toEqual([])
  run = await startTestRun(inject('databaseUrl'), app, theirs)
})
afterAll(() => run?.drop())

const rows = <Row extends object>(text: string) => run.runtime.store.query<Row & Record<string, unknown>>(raw(text))
const film = async (title: string) =>
  (await rows<{ id: string }>(`select id from ninefold_beside.film where title = '${title}'`))[0]!.id
const administrator = () => run.as(demoPeople(run.runtime.app)[0]!.name)

async function changed(title: string, values: Record<string, string>) {
  const outcome = await change(run.runtime, await administrator(), 'film', await film(title), null, input(values))
  return outcome.kind === 'refused' ? outcome.problems.map(({ code, field }) => [code, field]) : outcome.kind
}

test('texts without a limit are lines where those that are there are, and required where none is empty', () => {
  const lines = document.split('### Film\n')[1]!.split('\n###')[0]!
  for (const line of ['| title | text 500 | required |', '| district | text 500 | |', '| note | long text 100000 | |'])
    expect(lines).toContain(line)
  expect(document).toContain('`film.district`: holds a text with nothing in it in 2 of the records')
  expect(document).not.toContain('### Payment 2026')
})

test('a record in which an empty text stands can be changed, and keeps it', async () => {
  expect(await changed('Academy', { rating: '4.5' })).toBe('done')
  done(await create(run.runtime, await administrator(), 'film', input({ title: 'New' })))
  expect(
    await rows(`select title, district, rating::text from public.film where district = '' order by title`),
  ).toEqual([
    { title: 'Academy', district: '', rating: '4.5' },
    { title: 'Adaptation', district: '', rating: null },
    { title: 'New', district: '', rating: null },
  ])
})

test('what a column does not take is refused beside its field', async () => {
  expect(await changed('Ace', { features: 'abc' })).toEqual([['NF-NOT-KEPT', 'features']])
  expect(await changed('Ace', { features: '{abc,d}' })).toBe('done')
  expect(await changed('Ace', { length: '40000' })).toEqual([['NF-NOT-KEPT', 'length']])
  expect(await changed('Ace', { cost: '12345678.91' })).toEqual([['NF-NOT-KEPT', 'cost']])
  expect(await changed('Ace', { cost: '12345.5' })).toBe('done')
  expect(await changed('Ace', { country: 'NL', city: 'Gouda' })).toEqual([['NF-CHECK', 'country']])
  expect(await changed('Ace', { zip: 'abc' })).toEqual([['NF-CHECK', 'zip']])
  expect(await changed('Ace', { zip: '12345' })).toBe('done')
  expect(await changed('Ace', { rating: '9.5' })).toEqual([['NF-CHECK', 'rating']])
  expect(await rows(`select features::text, length, cost::text, country from public.film where title = 'Ace'`)).toEqual(
    [{ features: '{abc,d}', length: null, cost: '12345.5', country: null }],
  )
})

test('what an index over small letters keeps apart is unique without case', async () => {
  expect(document).toContain('| code | text 9 | unique without case |')
  expect(await changed('Ace', { code: 'ab' })).toBe('done')
  expect(await changed('Academy', { code: 'AB' })).toEqual([['NF-UNIQUE', 'code']])
})

test('what the table gives by itself is asked of nobody', async () => {
  expect(document).toContain('| token | text 36 | pattern')
  done(await create(run.runtime, await administrator(), 'film', input({ title: 'Given' })))
  expect(await rows("select length(token::text) from public.film where title = 'Given'")).toEqual([{ length: '36' }])
})

test('tables in parts are read as one, and what they put elsewhere is not said to be there', async () => {
  expect(await rows('select amount::text from ninefold_beside.payment order by amount')).toEqual([
    { amount: '5.00' },
    { amount: '6.00' },
  ])
  const make = async (day: string) =>
    await create(run.runtime, await administrator(), 'payment', input({ amount: '7', day }))
  expect(await make('2026-02-02')).toMatchObject({ kind: 'refused', problems: [{ code: 'NF-NOT-KEPT' }] })
  done(await make('2025-02-02'))
})

test('keys are in the order of making, so that the newest comes first', async () => {
  const ids = async () =>
    (await rows<{ id: string }>('select ninefold_id as id from public.film where film_id < 4 order by film_id')).map(
      ({ id }) => id,
    )
  expect(await ids()).toEqual([...(await ids())].sort())
})

const inSchemas = `
  create schema sales; create schema crm;
  create type sales."Kind" as enum ('web', 'shop');
  create table crm.customer (customer_id serial primary key, email text not null unique);
  create table sales.customer (no integer primary key, name text not null);
  create table sales.orders (order_id serial primary key, kind sales."Kind" not null default 'web', customer_id integer references crm.customer, amount numeric(6,2) check (amount > 0));
  insert into crm.customer (email) values ('ada@example.org'), ('ben@example.org');
  insert into sales.orders (kind, customer_id, amount) values ('shop', 1, 5)`

test('tables of other schemas stay where they are, and refer to each other across them', async () => {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  await store.inSession(session => session.execute(inSchemas))
  const some = await importDatabase(store, ['sales'])
  const imported = await importDatabase(store, ['crm', 'sales'])
  await drop()
  if ('mistake' in imported || 'mistake' in some) throw new Error('It was not imported.')
  expect(some.files[0]!.text).toContain('`schema crm`: was not read: `--schema`, once for each')
  const { app, wrong } = readImported(imported.files[0]!.text)
  expect(wrong).toEqual([])
  expect(imported.files[0]!.text).toContain('| kind | choice: Web, Shop | required; default "Web" |')
  expect([...app.entities.values()].flatMap(({ name, table }) => (table === null ? [] : [[name, table.text]]))).toEqual(
    [
      ['Crm customer', 'crm.customer'],
      ['Sales customer', 'sales.customer'],
      ['Order', 'sales.orders'],
    ],
  )
  const served = await startTestRun(inject('databaseUrl'), app, inSchemas)
  try {
    const { runtime } = served
    const tables = await runtime.store.query<{ name: string }>(
      raw(`select table_name::text as name from information_schema.tables where table_schema = 'public' order by 1`),
    )
    expect(tables.map(({ name }) => name)).toEqual(['person'])
    expect((await planMigration(runtime.store, app)).steps).toEqual([])
    expect((await planMigration(runtime.store, app, { adopt: ['all'] })).found.map(({ code }) => code)).toContain(
      'N0915',
    )
    const ada = await served.as(demoPeople(app)[0]!.name)
    const [order] = await runtime.store.query<{ id: string; customer_id: string }>(
      raw('select id, customer_id from ninefold_beside."order"'),
    )
    const [first, second] = await runtime.store.query<{ id: string }>(
      raw('select id from ninefold_beside.crm_customer order by email'),
    )
    expect(order!.customer_id).toBe(first!.id)
    const changed = (values: Record<string, string>) => change(runtime, ada, 'order', order!.id, null, input(values))
    done(await changed({ kind: 'Web', customer_id: second!.id }))
    expect(await runtime.store.query(raw('select kind::text, customer_id from sales.orders'))).toEqual([
      { kind: 'web', customer_id: '2' },
    ])
    expect(await changed({ amount: '0' })).toMatchObject({ kind: 'refused', problems: [{ field: 'amount' }] })
    expect(await create(runtime, ada, 'crm_customer', input({ email: 'ada@example.org' }))).toMatchObject({
      kind: 'refused',
      problems: [{ code: 'NF-UNIQUE', field: 'email' }],
    })
    expect(await remove(runtime, ada, 'crm_customer', second!.id, null)).toMatchObject({
      kind: 'refused',
      problems: [{ code: 'NF-IN-USE' }],
    })
  } finally {
    await served.drop()
  }
})

test('a table of people that is not ours, and a part of a table, are told with what to do', async () => {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    await store.inSession(session => session.execute(`${theirs}; create table person (name text)`))
    const { app } = readImported(
      '# A\n\n## 3 Entities and their fields\n\n### Payment\n\n- **Table:** payment_2026\n\n| Field | Type |\n| --- | --- |\n| amount | decimal 6.2 |\n',
    )
    const { found } = await planMigration(store, app)
    expect(found.map(({ code }) => code).sort()).toEqual(['N0917', 'N0924'])
  } finally {
    await drop()
  }
})

test('names that new tables would have are told where somebody else has them, as the key of a renamed table does', async () => {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    await store.inSession(session =>
      session.execute(`create table person (id integer primary key); alter table person rename to staff;
        create view note as select 1; create type memo as enum ('a'); create sequence memo_pkey`),
    )
    const { app } = readImported(
      '# A\n\n## 3 Entities and their fields\n\n### Note\n\n| Field | Type |\n| --- | --- |\n| text | text |\n\n### Memo\n\n| Field | Type |\n| --- | --- |\n| text | text |\n',
    )
    const told = async () => (await planMigration(store, app)).found.map(({ code, message }) => `${code} ${message}`)
    expect((await told()).sort()).toEqual(
      [
        ['person', 'an index of staff', 'person_pkey'],
        ['note', 'a view', 'note'],
        ['memo', 'a type', 'memo'],
        ['memo', 'a sequence', 'memo_pkey'],
      ]
        .map(
          ([table, what, name]) =>
            `N0925 the table \`${table}\` cannot be made: the database has ${what} that is called \`${name}\``,
        )
        .sort(),
    )
    await store.inSession(session =>
      session.execute(
        `alter index person_pkey rename to staff_pkey; drop view note; drop type memo; drop sequence memo_pkey`,
      ),
    )
    expect(await told()).toEqual([])
    expect((await applyMigration(store, app, null, { now: new Date() })).kind).toBe('applied')
    expect((await planMigration(store, app)).steps).toEqual([])
  } finally {
    await drop()
  }
})
