import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import type { Applied, Plan, Target } from './migrate.ts'
import type { Column, Constraint } from './physical.ts'
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

const codes = (applied: Applied | Plan) => ('plan' in applied ? applied.plan : applied).found.map(one => one.code)

describe('a new database', () => {
  test('gets all tables, in order, and then nothing is left to do', async () => {
    const item = table(
      'item',
      [column('owner', 'uuid', { notNull: true }), column('order', 'numeric(19,2)', { default: '1' })],
      {
        constraints: [reference('item', 'owner', 'loan'), unique('item', 'order')],
        indexes: [index('item', 'owner')],
      },
    )
    const wanted = target(
      item,
      loan({ constraints: [check('loan', 'number', `"number" ~ '^L'`, holds('pattern', 'number', 'L'))] }),
    )
    const plan = await planned(wanted)
    expect(plan.from).toBeNull()
    expect(plan.found).toEqual([])
    expect((await apply(wanted, [], plan)).kind).toBe('applied')
    await nothingLeft(wanted)
    await expect(insert('loan', { number: 'X' })).rejects.toMatchObject({
      code: '23514',
      constraint: 'loan_number_check',
    })
    await expect(insert('item', { owner: id() })).rejects.toMatchObject({ code: '23503' })
    expect(await all('select version, files, applied_at from ninefold.document')).toEqual([
      { version: wanted.version, files: [{ path: 'app.md', text: '# App' }], applied_at: '2026-03-02T10:00:00.000Z' },
    ])
  })

  test('is told in words, each step with its lock and the line that asks for it', async () => {
    const text = explainPlan(await planned(target(loan())))
    expect(text).toMatch(/^The database holds nothing of Ninefold yet; \d+ steps:\n\n {2}1\. /)
    expect(text).toMatch(/\d+\. Create the table loan for loan {2}\(app\.md:1\)\n {5}nobody waits; in one transaction/)
    expect(text).toContain('create table public."loan"')
  })

  test('with a table of somebody else’s by that name is refused, and left alone', async () => {
    await all('create table public.loan (mine text)')
    const applied = await apply(target(loan()))
    expect(applied.kind).toBe('refused')
    expect(codes(applied)).toEqual(['N0907'])
    expect(await all(`select to_regclass('ninefold.document') is null as untouched`)).toEqual([{ untouched: true }])
  })
})

describe('a rename', () => {
  test('of a table and a column keeps data, constraints, indexes, history and what refers to them', async () => {
    const line = (parent: string, was: string | null) =>
      table('line', [column(parent, 'uuid', { was })], {
        constraints: [{ ...reference('line', parent, parent), onDelete: 'cascade' } as Constraint],
        indexes: [index('line', parent)],
      })
    const booking = table('booking', [column('return_by', 'text', { notNull: true })], {
      constraints: [
        unique('booking', 'return_by'),
        check('booking', 'return_by', `char_length("return_by") > 1`, holds('min', 'return_by', '2')),
      ],
      indexes: [index('booking', 'return_by')],
    })
    await apply(target(booking, line('booking', null)))
    await insert('booking', { return_by: 'Friday' })
    const [{ id: record }] = (await all('select id from booking')) as [{ id: string }]
    await insert('line', { booking: record })
    await all(`insert into ninefold.history (id, at, entity, record, version, what, kind, changes, request, document)
      values ('${id()}', now(), 'booking', '${record}', 1, 'create', 'create', '{"return_by": [null, "Friday"]}', 'r', 'd')`)
    await all(
      `insert into ninefold.comment (id, entity, record, person, at, text) values ('${id()}', 'booking', '${record}', '${id()}', now(), 'x')`,
    )
    const renamed = table('loan', [column('due_back', 'text', { notNull: true, was: 'return_by' })], {
      was: 'booking',
      constraints: [
        unique('loan', 'due_back'),
        check('loan', 'due_back', `char_length("due_back") > 1`, holds('min', 'due_back', '2')),
      ],
      indexes: [index('loan', 'due_back')],
    })
    const wanted = target(renamed, line('loan', 'booking'))
    const plan = await planned(wanted)
    expect(plan.found).toEqual([])
    // What others wait for is a change of names, and columns that come beside those of before.
    expect([...new Set(plan.steps.map(({ lock }) => lock))].sort()).toEqual(['build', 'moment', 'rows', 'scan'])
    await apply(wanted, [], plan)
    await nothingLeft(wanted)
    expect(await all('select due_back from loan join line on line.loan = loan.id')).toEqual([{ due_back: 'Friday' }])
    expect(await all('select entity, changes from ninefold.history')).toEqual([
      { entity: 'loan', changes: { due_back: [null, 'Friday'] } },
    ])
    expect(await all('select entity from ninefold.comment')).toEqual([{ entity: 'loan' }])
  })

  test('to a name that exists already is said, and renames nothing', async () => {
    await apply(target(loan(), table('booking', [])))
    const both = await planned(target(loan({ was: 'booking' })))
    expect(codes(both).sort()).toEqual(['N0910', 'N0911'])
    expect(both.steps).toEqual([])
  })
})

describe('what vanishes from the document', () => {
  test('is kept, does not stand in the way, and is reported', async () => {
    await apply(
      target(
        loan({ constraints: [unique('loan', 'number'), reference('loan', 'by', 'person')] }, column('by', 'uuid')),
      ),
    )
    await insert('loan', { number: 'L1' })
    const wanted = target(table('loan', [column('purpose', 'text')]))
    const applied = await apply(wanted)
    expect(applied.kind).toBe('applied')
    expect(applied.plan.found.map(one => one.message)).toEqual([
      '`loan.number` is no longer in the document; its data is kept (1 value)',
      '`loan.by` is no longer in the document; its data is kept (0 values)',
    ])
    await insert('loan', { purpose: 'without a number' })
    expect(await all('select number from loan order by number')).toEqual([{ number: 'L1' }, { number: null }])
    await nothingLeft(wanted)
  })

  test('is dropped only when it is named, and never when it is still there', async () => {
    await apply(
      target(loan(), table('fine', [column('loan', 'uuid')], { constraints: [reference('fine', 'loan', 'loan')] })),
    )
    await insert('loan', { number: 'L1', purpose: 'film' })
    expect(codes(await apply(target(loan()), ['loan.purpose']))).toContain('N0908')
    expect(codes(await apply(target(loan()), ['loan.colour']))).toContain('N0908')
    const wanted = target(table('loan', [column('number', 'text', { notNull: true })]))
    const plan = await planned(wanted, ['loan.purpose', 'fine'])
    expect(plan.steps.filter(step => step.drops).map(({ what, rows }) => ({ what, rows }))).toEqual([
      { what: 'Drop the column loan.purpose with its data', rows: 'values are lost: 1' },
      { what: 'Drop the table fine with its data', rows: 'records are lost: 0' },
    ])
    await apply(wanted, ['loan.purpose', 'fine'], plan)
    expect((await planned(wanted)).found).toEqual([])
    expect(await all(`select to_regclass('fine') is null as gone`)).toEqual([{ gone: true }])
  })
})

describe('a rule that gets tighter', () => {
  test('is refused while records break it, with the rule, the count and examples', async () => {
    await apply(target(loan({}, column('days', 'bigint'), column('by', 'uuid'))))
    await insert('loan', { number: 'L1', days: '-1', by: id() })
    await insert('loan', { number: 'L1', purpose: '', days: null })
    const wanted = target(
      table(
        'loan',
        [
          column('number', 'text', { notNull: true }),
          column('purpose', 'text', { notNull: true }),
          column('days', 'bigint'),
          column('by', 'uuid'),
        ],
        {
          constraints: [
            check('loan', 'days', '"days" >= 0', holds('rule', 'days', 'days >= 0', 'V-1')),
            unique('loan', 'number'),
            reference('loan', 'by', 'person'),
          ],
        },
      ),
    )
    const before = await planned(wanted)
    expect(before.possible).toBe(false)
    expect(before.found.map(one => one.message)).toEqual([
      '1 of `loan` have no value for `purpose`, which is required',
      '1 of `loan` would break this: V-1, `days >= 0`',
      '2 of `loan` have the same `number` as another one, but must be unique',
      '1 of `loan` name no person in `by`',
    ])
    expect(before.found[1]!.help).toMatch(/Records: 00000000-0000-7000-8000-\d{12}\./)
    expect((await apply(wanted)).kind).toBe('refused')
    expect(
      await all(
        `select attnotnull as required from pg_attribute where attrelid = 'loan'::regclass and attname = 'purpose'`,
      ),
    ).toEqual([{ required: false }])
  })

  test('is applied without making anybody wait for a scan, and holds', async () => {
    await apply(target(loan({}, column('days', 'bigint'))))
    await insert('loan', { number: 'L1', purpose: 'film', days: '3' })
    const tight = (): Target =>
      target(
        table(
          'loan',
          [
            column('number', 'text', { notNull: true }),
            column('purpose', 'text', { notNull: true }),
            column('days', 'bigint'),
          ],
          {
            constraints: [check('loan', 'days', '"days" >= 0', holds('min', 'days', '0')), unique('loan', 'number')],
            indexes: [index('loan', 'days')],
          },
        ),
      )
    const wanted = tight()
    const statements = (await planned(wanted)).steps.flatMap(step => step.statements).join('\n')
    for (const online of [
      'not valid',
      'validate constraint',
      'create unique index concurrently',
      'create index concurrently',
    ])
      expect(statements).toContain(online)
    await apply(wanted)
    await nothingLeft(tight())
    await expect(insert('loan', { number: 'L1', purpose: 'x' })).rejects.toMatchObject({
      constraint: 'loan_number_key',
    })
    await expect(insert('loan', { number: 'L2', purpose: null })).rejects.toMatchObject({ code: '23502' })
    await expect(insert('loan', { number: 'L2', purpose: 'x', days: '-1' })).rejects.toMatchObject({
      constraint: 'loan_days_check',
    })
  })

  test('a required column needs a default where there are records', async () => {
    await apply(target(loan()))
    await insert('loan', { number: 'L1' })
    expect(
      (await planned(target(loan({}, column('days', 'bigint', { notNull: true }))))).found.map(one => one.code),
    ).toEqual(['N0902'])
    for (const number of ['L2', 'L3', 'L4', 'L5', 'L6', 'L7', 'L8']) await insert('loan', { number })
    const { found } = await planned(target(loan({}, column('days', 'bigint', { notNull: true }))))
    expect(found[0]!.help).toMatch(/and 3 more\.$/)
    await database.store.inSession(session => session.execute("delete from public.loan where number <> 'L1'"))
    const columns = [
      column('days', 'bigint', { notNull: true, fill: { sql: '14', shown: 'their default, `14`' } }),
      column('other', 'text', { notNull: true, fill: { sql: '"number"', shown: 'their number' } }),
    ]
    const wanted = target(loan({}, ...columns))
    const plan = await planned(wanted)
    expect(plan.steps.map(step => step.rows)).toContain('records that get their default, `14`: 1')
    await apply(wanted, [], plan)
    expect(await all('select days, other from loan')).toEqual([{ days: '14', other: 'L1' }])
    await nothingLeft(wanted)
    // A version before this one goes on making records, until the next change.
    await insert('loan', { number: 'L2', other: '' })
    expect(await all(`select days from loan where number = 'L2'`)).toEqual([{ days: '14' }])
    const later = target(loan({}, ...columns, column('note', 'text')))
    await apply(later)
    await nothingLeft(later)
    await expect(insert('loan', { number: 'L3', other: '' })).rejects.toMatchObject({ code: '23502' })
  })
})

describe('states', () => {
  const states = (names: readonly string[], renamed: Column['renamed'] = []) => {
    const list = names.map(name => `'${name}'`).join(', ')
    return target(
      loan(
        { constraints: [check('loan', 'state', `"state" in (${list})`, holds('state', 'state', 'Loan'))] },
        column('state', 'text', {
          notNull: true,
          renamed,
          fill: { sql: `'${names[0]}'`, shown: `the state ${names[0]}` },
        }),
      ),
    )
  }

  test('come to records that exist as the first one', async () => {
    await apply(target(loan()))
    await insert('loan', { number: 'L1' })
    await apply(states(['Open', 'Closed']))
    expect(await all('select state from loan')).toEqual([{ state: 'Open' }])
  })

  test('that are removed with records in them are refused with their names and counts', async () => {
    await apply(states(['Open', 'Parked', 'Closed']))
    await insert('loan', { number: 'L1', state: 'Parked' })
    const applied = await apply(states(['Open', 'Closed']))
    expect(applied.kind).toBe('refused')
    expect(applied.plan.found.map(one => one.message)).toEqual([
      '1 of `loan` are in a state or have a choice that was removed: Parked',
    ])
  })

  test('that are removed are named, and of many how many more there are', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `S${String(at).padStart(2, '0')}`)
    await apply(states(['Open', ...many]))
    for (const state of many) await insert('loan', { number: state, state })
    const { found } = (await apply(states(['Open']))).plan
    expect(found.map(({ message }) => message)).toEqual([
      `12 of \`loan\` are in a state or have a choice that was removed: ${many.slice(0, 9).join(', ')} and 3 more`,
    ])
    expect(found[0]!.help).toContain('`Closed (was S00)`')
  })

  test('that are renamed take their records along', async () => {
    await apply(states(['Open', 'Parked']))
    await insert('loan', { number: 'L1', state: 'Parked' })
    const renamed = states(['Open', 'Waiting'], [{ from: 'Parked', to: 'Waiting' }])
    expect((await apply(renamed)).kind).toBe('applied')
    expect(await all('select state from loan')).toEqual([{ state: 'Waiting' }])
    await nothingLeft(renamed)
  })

  test('that are removed bring their records to one that is there, counted by the plan beforehand', async () => {
    await apply(states(['Open', 'Parked', 'Lost', 'Closed']))
    for (const state of ['Parked', 'Lost', 'Closed', 'Open']) await insert('loan', { number: state, state })
    const mapped = states(
      ['Open', 'Closed'],
      ['Parked', 'Lost'].map(from => ({ from, to: 'Closed' })),
    )
    expect((await planned(mapped)).steps.flatMap(({ rows }) => rows ?? [])).toContain('2 records move to another state')
    expect((await apply(mapped)).kind).toBe('applied')
    expect(await all('select number, state from loan order by number')).toEqual([
      { number: 'Closed', state: 'Closed' },
      { number: 'Lost', state: 'Closed' },
      { number: 'Open', state: 'Open' },
      { number: 'Parked', state: 'Closed' },
    ])
    await nothingLeft(mapped)
  })
})

describe('a changed type', () => {
  test.each([
    ['bigint', 'numeric(19,2)', '7', '7.00'],
    ['numeric(19,2)', 'bigint', '7.00', '7'],
    ['numeric(5,2)', 'numeric(19,2)', '7.25', '7.25'],
    ['numeric(19,4)', 'numeric(19,2)', '7.2500', '7.25'],
    ['text', 'bigint', '42', '42'],
    ['text', 'numeric(19,2)', '42.5', '42.50'],
    ['text', 'date', '2026-12-31', '2026-12-31'],
    ['text', 'date', '2028-02-29', '2028-02-29'],
    ['date', 'text', '2026-02-28', '2026-02-28'],
    ['boolean', 'text', 'true', 'true'],
  ])('%s → %s keeps the values', async (from, to, before, after) => {
    await apply(target(loan({ constraints: [unique('loan', 'amount')] }, column('amount', from))))
    await insert('loan', { number: 'L1', amount: before })
    await insert('loan', { number: 'L2', amount: null })
    const wanted = target(loan({ constraints: [unique('loan', 'amount')] }, column('amount', to)))
    expect((await apply(wanted)).plan.found).toEqual([])
    expect(await all('select amount::text as amount from loan order by number')).toEqual([
      { amount: after },
      { amount: null },
    ])
    await nothingLeft(wanted)
  })

  test.each([
    ['text', 'bigint', 'seven'],
    ['text', 'bigint', '04109'],
    ['text', 'bigint', '+49170'],
    ['text', 'numeric(19,2)', '007.50'],
    ['text', 'numeric(5,2)', '1000'],
    ['numeric(19,2)', 'bigint', '7.50'],
    ['numeric(19,4)', 'numeric(19,2)', '7.2525'],
    ['text', 'date', 'Friday'],
    ['text', 'date', '2026-02-29'],
    ['text', 'date', '2026-04-31'],
    ['text', 'date', '0000-01-01'],
    ['date', 'timestamp(3) with time zone', '2026-02-28'],
    ['uuid', 'bigint', '00000000-0000-7000-8000-000000000001'],
  ])('%s → %s is refused where %s stands', async (from, to, value) => {
    await apply(target(loan({}, column('amount', from))))
    await insert('loan', { number: 'L1', amount: value })
    const applied = await apply(target(loan({}, column('amount', to))))
    expect(codes(applied)).toEqual(['N0905'])
    expect(applied.kind).toBe('refused')
  })

  test('takes checks over the column along', async () => {
    const at = (type: string) =>
      target(
        loan(
          { constraints: [check('loan', 'amount', '"amount" >= 0', holds('min', 'amount', '0'))] },
          column('amount', type),
        ),
      )
    await apply(at('bigint'))
    await insert('loan', { number: 'L1', amount: '1' })
    await apply(at('numeric(19,2)'))
    await nothingLeft(at('numeric(19,2)'))
    await expect(insert('loan', { number: 'L2', amount: '-1' })).rejects.toMatchObject({ code: '23514' })
  })
})

test('an index in another order of texts is built anew beside the running application', async () => {
  const sorted = index('loan', 'number')
  const wanted = target(loan({ indexes: [{ ...sorted, columns: [{ ...sorted.columns[0]!, forPeople: true }] }] }))
  await apply(wanted)
  await insert('loan', { number: 'L13' })
  await insert('loan', { number: 'L3' })
  await all('drop index loan_number_idx')
  await all('create index loan_number_idx on loan (number collate ninefold.words)')
  await all(`comment on index loan_number_idx is 'ninefold: ("number" collate ninefold.words)'`)
  const plan = await planned(wanted)
  expect(plan.steps.map(({ what, mode }) => [what, mode])).toEqual([
    ['Rebuild the index loan_number_idx of loan, for a list', 'outside'],
  ])
  await apply(wanted, [], plan)
  await nothingLeft(wanted)
  await store.inSession(async session => {
    await session.execute('set enable_seqscan = off; set enable_bitmapscan = off')
    const sort = 'select number from loan order by number collate ninefold.counting'
    expect(JSON.stringify(await session.query(raw(`explain ${sort}`)))).toMatch(
      /Index (Only )?Scan using loan_number_idx/,
    )
    expect(await session.query(raw(sort))).toEqual([{ number: 'L3' }, { number: 'L13' }])
  })
})

test('a plan that was shown is not carried out when more would happen than it said', async () => {
  await apply(target(loan()))
  const wanted = target(loan({}, column('days', 'bigint')))
  const shown = await planned(wanted)
  await all('alter table loan drop constraint loan_pkey')
  expect((await apply(wanted, [], shown)).kind).toBe('outdated')
})

test('a reader of the table does not make others wait behind the change', async () => {
  await apply(target(loan()))
  await insert('loan', { number: 'L1' })
  const wanted = target(loan({}, column('days', 'bigint')))
  const events: string[] = []
  let done: Promise<unknown> | null = null
  await store.inTransaction(async tx => {
    await tx.query(sql`select * from loan`)
    done = apply(wanted).then(({ kind }) => events.push(kind))
    for (let turn = 0; turn < 2; turn++) {
      const waits = () =>
        store.query(sql`select from pg_locks where relation = 'public.loan'::regclass and not granted`)
      while ((await waits()).length === 0);
      events.push('waits')
      // In the queue behind the change, which has to leave it for that.
      await store.query(sql`select count(*) from loan`)
      events.push('read')
    }
    events.push('let go')
  })
  await done
  expect(events).toEqual(['waits', 'read', 'waits', 'read', 'let go', 'applied'])
})
