/** A version of the application that runs while the tables become those of the next one: it reads and writes by the names that it knows. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { explainPlan } from './plan/explain.ts'
import type { Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'
import { check, column, holds, id, index, loan, migrating, reference, table, target, unique } from './testing-tables.ts'

let database: TestDatabase
let store: Store
const { planned, apply, nothingLeft, insert, all, empty } = migrating(() => store)

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  store = database.store
})
afterAll(() => database.drop())
beforeEach(() => empty())

const entry = (entity: string, record: string, changes: unknown) =>
  all(`insert into ninefold.history (id, at, entity, record, version, what, kind, changes, request, document)
    values ('${id()}', now(), '${entity}', '${record}', 1, 'change', 'change', '${JSON.stringify(changes)}', 'r', 'd')`)

const entries = () => all('select entity, changes from ninefold.history order by id')

describe('a renamed column', () => {
  const over = (name: string, was: string | null) =>
    loan(
      {
        constraints: [
          unique('loan', name),
          check('loan', name, `char_length("${name}") < 40`, holds('max', name, '40')),
        ],
        indexes: [index('loan', name)],
      },
      column(name, 'text', { notNull: true, was }),
    )
  const old = target(over('label', null))
  const fresh = target(over('title', 'label'))

  beforeEach(async () => {
    await apply(old)
    await insert('loan', { number: 'L1', label: 'one' })
    await entry('loan', id(), { label: [null, 'one'] })
    await apply(fresh)
  })

  test('is read and written by both names, and what happens is told by the new one', async () => {
    await insert('loan', { number: 'L2', label: 'two' })
    await insert('loan', { number: 'L3', title: 'three' })
    await all(`update loan set label = 'uno' where number = 'L1'`)
    await all(`update loan set title = 'tre' where number = 'L3'`)
    expect(await all('select number, label, title from loan order by number')).toEqual([
      { number: 'L1', label: 'uno', title: 'uno' },
      { number: 'L2', label: 'two', title: 'two' },
      { number: 'L3', label: 'tre', title: 'tre' },
    ])
    await expect(insert('loan', { number: 'L4', label: 'uno' })).rejects.toMatchObject({ code: '23505' })
    await expect(insert('loan', { number: 'L4' })).rejects.toMatchObject({ code: '23502' })
    await expect(insert('loan', { number: 'L4', label: 'x'.repeat(40) })).rejects.toMatchObject({ code: '23514' })
    await entry('loan', id(), { label: ['one', 'uno'] })
    expect(await entries()).toEqual([
      { entity: 'loan', changes: { title: [null, 'one'] } },
      { entity: 'loan', changes: { title: ['one', 'uno'] } },
    ])
  })

  test('has one counter for both names', async () => {
    const next = (field: string) =>
      all(`insert into ninefold.counter as c (entity, field, period, value) values ('loan', '${field}', '', 1)
        on conflict (entity, field, period) do update set value = c.value + excluded.value returning value`)
    expect(await next('label')).toEqual([{ value: '1' }])
    expect(await next('title')).toEqual([{ value: '2' }])
    expect(await next('label')).toEqual([{ value: '3' }])
  })

  test('leaves a process of the version before to start again, and nothing of it is dropped or loosened', async () => {
    await nothingLeft(fresh)
    const again = await planned(old)
    expect(again.found).toEqual([])
    expect(again.steps.map(({ what }) => what)).toEqual([
      'Go back to label of loan; title stays for the version that runs',
      'Let the history of loan speak of label instead of title',
    ])
  })

  test('comes back with the document of before, with all that was written meanwhile', async () => {
    await insert('loan', { number: 'L2', title: 'two' })
    expect((await apply(old)).kind).toBe('applied')
    await nothingLeft(old)
    expect(await all('select number, label from loan order by number')).toEqual([
      { number: 'L1', label: 'one' },
      { number: 'L2', label: 'two' },
    ])
    expect(await entries()).toEqual([{ entity: 'loan', changes: { label: [null, 'one'] } }])
    await insert('loan', { number: 'L3', title: 'three' })
    expect(await all(`select label from loan where number = 'L3'`)).toEqual([{ label: 'three' }])
    // And forth again.
    await apply(fresh)
    await nothingLeft(fresh)
    expect(await all('select title from loan order by number')).toEqual([
      { title: 'one' },
      { title: 'two' },
      { title: 'three' },
    ])
  })

  test('loses its old name with the next document', async () => {
    const next = target({
      ...over('title', 'label'),
      columns: [...over('title', 'label').columns, column('note', 'text')],
    })
    await apply(next)
    await nothingLeft(next)
    await expect(all('select label from loan')).rejects.toMatchObject({ code: '42703' })
    expect(
      await all(
        `select tgname from pg_trigger where not tgisinternal and tgrelid in ('ninefold.history'::regclass, 'loan'::regclass)`,
      ),
    ).toEqual([])
    expect(await all('select title from loan')).toEqual([{ title: 'one' }])
  })

  test('makes room for another one of its old name', async () => {
    const fields = [...over('title', 'label').columns, column('label', 'bigint')]
    const next = target({ ...over('title', null), columns: fields })
    expect((await apply(next)).kind).toBe('applied')
    await nothingLeft(next)
    expect(await all('select title, label from loan')).toEqual([{ title: 'one', label: null }])
  })
})

describe('a renamed entity', () => {
  const lines = (parent: string, was: string | null) =>
    table('line', [column(parent, 'uuid', { notNull: true, was })], {
      constraints: [reference('line', parent, parent)],
    })
  const old = target(table('booking', [column('number', 'text', { notNull: true })]), lines('booking', null))
  const fresh = target(
    table('loan', [column('number', 'text', { notNull: true })], { was: 'booking' }),
    lines('loan', 'booking'),
  )

  beforeEach(async () => {
    await apply(old)
    await insert('booking', { number: 'B1' })
    const [{ id: booking }] = (await all('select id from booking')) as [{ id: string }]
    await insert('line', { booking })
    await entry('booking', booking, { number: [null, 'B1'] })
    await all(
      `insert into ninefold.timer (entity, record, timer, due_at) values ('booking', '${booking}', 'remind', now())`,
    )
    await apply(fresh)
  })

  test('is read and written by both names', async () => {
    await insert('booking', { number: 'B2' })
    await all(`update booking set number = 'B3' where number = 'B1'`)
    await store.inTransaction(async tx => {
      const [row] = await tx.query<{ id: string }>(
        sql`select t.id from public."booking" as t where t.number = 'B2' for no key update of t`,
      )
      await tx.write(
        sql`insert into public."booking" as t (id, number) values (${row!.id}::uuid, 'B4') on conflict (id) do update set number = excluded.number`,
      )
    })
    expect(await all('select number from loan order by number')).toEqual([{ number: 'B3' }, { number: 'B4' }])
    const [{ id: booking }] = (await all(`select id from booking where number = 'B4'`)) as [{ id: string }]
    await insert('line', { booking })
    expect(await all('select number from line join loan on loan.id = line.loan order by number')).toEqual([
      { number: 'B3' },
      { number: 'B4' },
    ])
    await entry('booking', booking, { number: ['B2', 'B4'] })
    await all(
      `insert into ninefold.timer (entity, record, timer, due_at) values ('booking', '${booking}', 'remind', now())`,
    )
    expect(await all('select distinct entity from ninefold.history')).toEqual([{ entity: 'loan' }])
    expect(await all('select entity, count(*) as count from ninefold.timer group by 1')).toEqual([
      { entity: 'loan', count: '2' },
    ])
  })

  test('comes back with the document of before', async () => {
    await insert('loan', { number: 'B2' })
    expect((await apply(old)).kind).toBe('applied')
    await nothingLeft(old)
    expect(await all('select number from booking order by number')).toEqual([{ number: 'B1' }, { number: 'B2' }])
    expect(await all('select distinct entity from ninefold.history')).toEqual([{ entity: 'booking' }])
    expect(await all('select count(*) as count from line join loan on loan.id = line.loan')).toEqual([{ count: '1' }])
  })

  test('loses its old name with the next document', async () => {
    const next = target(
      table('loan', [column('number', 'text', { notNull: true }), column('note', 'text')]),
      lines('loan', null),
    )
    await apply(next)
    await nothingLeft(next)
    await expect(all('select * from booking')).rejects.toMatchObject({ code: '42P01' })
    expect(await all(`select tgname from pg_trigger where tgname like 'renamed%'`)).toEqual([])
  })
})

test('renamed states are allowed by both names until all records have moved', async () => {
  const states = (names: readonly string[], renamed: { from: string; to: string }[] = []) =>
    target(
      loan(
        {
          constraints: [
            check(
              'loan',
              'state',
              `"state" in (${names.map(one => `'${one}'`).join(', ')})`,
              holds('state', 'state', 'Loan'),
            ),
          ],
        },
        column('state', 'text', { notNull: true, renamed }),
      ),
    )
  await apply(states(['Open', 'Shut']))
  await insert('loan', { number: 'L1', state: 'Shut' })
  const wanted = states(['Open', 'Closed'], [{ from: 'Shut', to: 'Closed' }])
  const plan = await planned(wanted)
  expect(plan.steps.map(({ lock }) => lock)).toEqual(['moment', 'rows', 'moment', 'rows', 'scan'])
  const [both] = plan.steps
  for (const statement of both!.statements) await store.inSession(session => session.execute(statement))
  await insert('loan', { number: 'L2', state: 'Shut' })
  await insert('loan', { number: 'L3', state: 'Closed' })
  await apply(wanted)
  await nothingLeft(wanted)
  expect(await all('select distinct state from loan')).toEqual([{ state: 'Closed' }])
  await expect(insert('loan', { number: 'L4', state: 'Shut' })).rejects.toMatchObject({ code: '23514' })
})

test('a plan says what the version that runs cannot do any more, and for how long each lock is held', async () => {
  await apply(target(loan({}, column('days', 'bigint'))))
  for (let number = 0; number < 3; number++) await insert('loan', { number: `L${number}` })
  await all('analyze loan')
  const text = explainPlan(
    await planned(target(loan({}, column('days', 'text'), column('due', 'text', { was: 'purpose' })))),
  )
  expect(text).toContain('(ROW EXCLUSIVE) for about 1 second, by 15,000 rows a second; outside transactions')
  expect(text).toMatch(
    /The version that runs goes on until it is ended, but it\n\n {3}- sees days of loan empty where the new one writes what it does not hold as bigint\n$/,
  )
  const nothing = explainPlan(await planned(target(loan({}, column('days', 'bigint'), column('note', 'text')))))
  expect(nothing).toMatch(/The version that runs goes on reading and writing until it is ended.\n$/)
})

test('nobody is refused and nothing is lost while a version before writes through the whole of it', async () => {
  const of = (name: string, was: string | null, type: string) =>
    target(
      loan(
        { constraints: [unique('loan', name)], indexes: [index('loan', 'amount')] },
        column(name, 'text', { notNull: true, was }),
        column('amount', type),
      ),
    )
  await apply(of('label', null, 'text'))
  await all(
    `insert into loan (id, number, label, amount) select gen_random_uuid(), 'L' || n, 'label ' || n, n::text from generate_series(1, 5000) n`,
  )
  let over = false
  let written = 5000
  const old = async () => {
    while (!over) {
      const label = `label ${++written}`
      await all(`insert into loan (id, number, label, amount) values ('${id()}', 'L', '${label}', '7')`)
      await all(`update loan set label = label || ' again', amount = '8' where label = '${label}'`)
      await entry('loan', id(), { label: [label, `${label} again`] })
    }
  }
  const wanted = of('title', 'label', 'numeric(19,2)')
  const plan = await planned(wanted)
  expect(explainPlan(plan)).toMatch(
    /but it\n\n {3}- is refused what amount of loan does not hold as numeric\(19,2\)\n$/,
  )
  const writing = old()
  expect((await apply(wanted)).kind).toBe('applied')
  over = true
  await writing
  await nothingLeft(wanted)
  expect(await all('select count(*) as count from loan where title = label and amount is not null')).toEqual([
    { count: String(written) },
  ])
  expect(await all(`select count(*) as count from loan where title like '% again' and amount = 8`)).toEqual([
    { count: String(written - 5000) },
  ])
  expect(await all(`select count(*) as count from ninefold.history where changes ? 'title'`)).toEqual([
    { count: String(written - 5000) },
  ])
})

test('a history that its operator has put into partitions is written, told anew and let go by parts', async () => {
  const of = (name: string, was: string | null) => target(loan({}, column(name, 'text', { was })))
  await apply(of('label', null))
  await insert('loan', { number: 'L1', label: 'one' })
  await entry('loan', id(), { label: [null, 'one'] })
  const next = id()
  await store.inSession(session =>
    session.execute(`begin;
      alter table ninefold.history rename to history_before;
      create table ninefold.history (like ninefold.history_before including all) partition by range (id);
      alter table ninefold.history attach partition ninefold.history_before for values from (minvalue) to ('${next}');
      create table ninefold.history_next partition of ninefold.history for values from ('${next}') to (maxvalue);
      commit`),
  )
  await entry('loan', id(), { label: ['one', 'two'] })
  const renamed = of('title', 'label')
  await apply(renamed)
  await nothingLeft(renamed)
  // By the version before.
  await entry('loan', id(), { label: ['two', 'three'] })
  expect(await all('select tableoid::regclass::text as part, changes from ninefold.history order by id')).toEqual([
    { part: 'ninefold.history_before', changes: { title: [null, 'one'] } },
    { part: 'ninefold.history_next', changes: { title: ['one', 'two'] } },
    { part: 'ninefold.history_next', changes: { title: ['two', 'three'] } },
  ])
  await all('alter table ninefold.history detach partition ninefold.history_before')
  expect(await entries()).toHaveLength(2)
})
