/** A field of another type, while the version before goes on by the type that it knows: over connections as `serve` opens them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { raw, type Sql, statement } from '../expression/sql.ts'
import { applyFor, type Target } from './migrate.ts'
import { explainPlan } from './plan/explain.ts'
import { openStore, type Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'
import { hasPgBouncer, startPgBouncer } from './testing-pgbouncer.ts'
import { column, id, index, loan, migrating, now, table, target, unique } from './testing-tables.ts'

let database: TestDatabase
let store: Store
const { planned, apply, nothingLeft, insert, all, catalogue, empty } = migrating(() => store)
const opened: Store[] = []

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  store = database.store
})
afterAll(() => database?.drop())
beforeEach(() => empty())
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** As the processes of a version have it, with statements that stay prepared. */
function serving({ version }: Target, url = database.url) {
  const own = openStore(url, { connections: 2, version, ...(url === database.url ? {} : { directUrl: database.url }) })
  opened.push(own)
  const run = (text: string, ...values: unknown[]) => {
    const query: Sql = { texts: text.split('?'), values }
    return own.inTransaction(async tx => tx.run(statement(query)))
  }
  return { run, read: (text: string) => own.run(statement(raw(text))) }
}

const of = (type: string, more: Parameters<typeof loan>[0] = {}) => target(loan(more, column('amount', type)))

interface Case {
  readonly from: string
  readonly to: string
  /** What the old version writes, and the new one reads of it. */
  readonly old: readonly [string, string]
  /** What the new version writes, and the old one reads of it. */
  readonly fresh: readonly [string, string | null]
  /** What the old one writes, and is refused. */
  readonly refused?: string
  /** What the new one writes, and the old one sees empty. */
  readonly unseen?: string
}

const cases: readonly Case[] = [
  { from: 'text', to: 'bigint', old: ['12', '12'], fresh: ['7', '7'], refused: '12 pieces' },
  { from: 'text', to: 'numeric(19,2)', old: ['7.5', '7.50'], fresh: ['3.00', '3.00'], refused: '7.555' },
  {
    from: 'text',
    to: 'date',
    old: ['2026-03-02', '2026-03-02'],
    fresh: ['2026-12-31', '2026-12-31'],
    refused: '2026-02-30',
  },
  { from: 'text', to: 'boolean', old: ['yes', 'true'], fresh: ['false', 'false'], refused: 'perhaps' },
  { from: 'numeric(8,2)', to: 'bigint', old: ['3.00', '3'], fresh: ['4', '4.00'], refused: '7.50', unseen: '12345678' },
  { from: 'numeric(8,2)', to: 'numeric(8,1)', old: ['3.20', '3.2'], fresh: ['4.1', '4.10'], refused: '7.55' },
  { from: 'bigint', to: 'numeric(6,2)', old: ['3', '3.00'], fresh: ['4.00', '4'], refused: '12345', unseen: '7.25' },
  { from: 'bigint', to: 'text', old: ['3', '3'], fresh: ['4', '4'], unseen: 'four' },
  { from: 'date', to: 'text', old: ['2026-03-02', '2026-03-02'], fresh: ['2026-12-31', '2026-12-31'], unseen: 'soon' },
  { from: 'time without time zone', to: 'text', old: ['08:30', '08:30'], fresh: ['17:05', '17:05:00'] },
  { from: 'boolean', to: 'date', old: ['x', 'x'], fresh: ['2026-12-31', null], refused: 'true' },
]

describe.each([true, false])('with records that are there: %s', filled => {
  test.each(cases)('$from becomes $to: both versions read and write, and nothing is rounded', async one => {
    const { from, to, old, fresh, refused, unseen } = one
    const [before, after] = [
      of(from, { indexes: [index('loan', 'amount')] }),
      of(to, { indexes: [index('loan', 'amount')] }),
    ]
    await apply(before)
    const [former, latter] = [serving(before), serving(after)]
    const create = (who: typeof former, number: string, type: string, value: string) =>
      who.run(`insert into "loan" (id, number, amount) values (?::uuid, ?, ?::${type})`, id(), number, value)
    const change = (who: typeof former, number: string, type: string, value: string) =>
      who.run(
        `update "loan" as t set amount = ?::${type}, purpose = 'changed' where t.number = ? and t.amount is distinct from ?::${type} returning t.id`,
        value,
        number,
        value,
      )
    const writes = from !== 'boolean'
    if (filled && writes) await create(former, 'L0', from, old[0])
    const reading = `select number, amount::text from "loan" where number like 'L%' order by number`
    await former.read(reading)
    expect((await apply(after)).kind).toBe('applied')
    await nothingLeft(after)

    if (writes) await create(former, 'L1', from, old[0])
    await create(latter, 'L2', to, fresh[0])
    await create(former, 'L3', from, refused ?? old[0]).then(
      () => expect(refused).toBeUndefined(),
      error => expect(error).toMatchObject({ code: '22023', table: 'loan', column: 'amount' }),
    )
    if (refused !== undefined && writes)
      await expect(change(former, 'L1', from, refused)).rejects.toMatchObject({ code: '22023', column: 'amount' })
    const first = filled && writes ? [['L0', old]] : []
    const third = refused === undefined ? [['L3', old]] : []
    const written = [...first, ...(writes ? [['L1', old]] : []), ['L2', fresh], ...third] as [
      string,
      readonly string[],
    ][]
    const seenBy = async (who: typeof former) => (await who.read(reading)).map(({ amount }) => amount)
    expect(await seenBy(latter)).toEqual(
      written.map(([number, [wrote, reads]]) => (number === 'L2' ? wrote : reads)).map(asNew(to)),
    )
    expect(await seenBy(former)).toEqual(
      written.map(([number, [wrote, reads]]) => (number === 'L2' ? reads : wrote)).map(asNew(from)),
    )

    if (!writes) return
    // What the other one wrote is found, compared with and changed.
    expect(await change(former, 'L2', from, old[0])).toHaveLength(1)
    expect(await seenBy(latter)).toContain(asNew(to)(old[1]))
    expect(await change(former, 'L2', from, old[0])).toHaveLength(0)
    expect(await change(latter, 'L1', to, fresh[0])).toHaveLength(1)
    expect(await former.run(`select number from "loan" where amount = ?::${from} order by number`, fresh[1])).toEqual([
      { number: 'L1' },
    ])
    if (unseen === undefined) return
    await create(latter, 'L9', to, unseen)
    expect((await seenBy(former)).at(-1)).toBeNull()
    // Who sees it empty and changes something else leaves it as it is.
    await former.run(`update "loan" set purpose = 'seen' where number = 'L9'`)
    expect((await seenBy(latter)).at(-1)).toBe(unseen)
  })
})

describe('the new column', () => {
  const amount = (type: string) =>
    target(
      loan(
        {
          constraints: [unique('loan', 'number', 'amount')],
          indexes: [index('loan', 'amount'), index('loan', 'number', 'amount')],
        },
        column('amount', type, { notNull: true }),
      ),
    )

  test('is made beside the column, with its indexes, and takes its place in a moment', async () => {
    await apply(amount('text'))
    await insert('loan', { number: 'L1', amount: '7.5' })
    const wanted = amount('numeric(19,2)')
    const plan = await planned(wanted)
    expect(plan.steps.map(({ lock, what }) => `${lock}: ${what}`)).toEqual([
      'moment: Make a column of the type numeric(19,2) beside amount of loan',
      'rows: Fill amount$new of loan where it is empty',
      'scan: Require the values of amount$new of loan',
      'build: Build loan_number_amount_key of loan anew, over values of another type',
      'build: Build loan_amount_idx of loan anew, over values of another type',
      'build: Build loan_number_amount_idx of loan anew, over values of another type',
      'moment: Change amount from text to numeric(19,2) in loan; what was there stays for the version that runs',
    ])
    await apply(wanted)
    await nothingLeft(wanted)
    // As drivers send it, a text becomes a number.
    await insert('loan', { number: 'L2', amount: '8' })
    expect(await all('select amount from loan order by number')).toEqual([{ amount: '7.50' }, { amount: '8.00' }])
    await expect(insert('loan', { number: 'L2', amount: '8' })).rejects.toMatchObject({
      code: '23505',
      constraint: 'loan_number_amount_key',
    })
  })

  test('is taken away again where another document comes before it is done', async () => {
    await apply(amount('text'))
    await insert('loan', { number: 'L1', amount: '7.5' })
    const wanted = amount('numeric(19,2)')
    const [first] = (await planned(wanted)).steps
    for (const statement of first!.statements) await store.inSession(session => session.execute(statement))
    const other = amount('numeric(19,4)')
    expect((await planned(other)).steps[0]!.what).toBe('Take away what was to become amount of loan')
    await apply(other)
    await nothingLeft(other)
    expect(await all('select amount from loan')).toEqual([{ amount: '7.5000' }])
  })
})

/** As PostgreSQL writes it. */
const asNew = (type: string) => (value: string | null | undefined) =>
  value != null && type.startsWith('time ') && /^\d\d:\d\d$/.test(value) ? `${value}:00` : (value ?? null)

test('what the version before writes that does not fit is refused from the first step on, and lost nowhere', async () => {
  const [before, after] = [of('text'), of('numeric(19,2)')]
  await apply(before)
  const former = serving(before)
  const create = (value: string) =>
    former.run(`insert into "loan" (id, number, amount) values (?::uuid, 'L', ?)`, id(), value)
  await create('1')
  const [making] = (await planned(after)).steps
  // Between the count and the trigger, and after it.
  await create('many')
  for (const text of making!.statements) await store.inSession(session => session.execute(text))
  await expect(create('few')).rejects.toMatchObject({ code: '22023', column: 'amount' })
  const refused = await apply(after)
  expect(refused).toMatchObject({ kind: 'refused', plan: { found: [{ code: 'N0905' }] } })
  expect(await former.read('select amount from "loan" order by amount')).toEqual([{ amount: '1' }, { amount: 'many' }])
  await former.run(`update "loan" set amount = '2' where amount = 'many'`)
  expect((await apply(after)).kind).toBe('applied')
  expect(await all('select amount from loan order by amount')).toEqual([{ amount: '1.00' }, { amount: '2.00' }])
})

test('the document of before takes the values back as they were, while both versions go on', async () => {
  const [before, after] = [of('text', { constraints: [unique('loan', 'amount')] }), of('numeric(19,2)')]
  await apply(before)
  const [former, latter] = [serving(before), serving(after)]
  const create = (who: typeof former, type: string, value: string) =>
    who.run(`insert into "loan" (id, number, amount) values (?::uuid, 'L', ?::${type})`, id(), value)
  await create(former, 'text', '7.5')
  await apply(after)
  await create(former, 'text', '8.5')
  await create(latter, 'numeric', '9.5')
  const plan = await planned(before)
  expect(plan.steps.filter(({ lock }) => lock === 'rows')).toEqual([])
  expect((await apply(before)).kind).toBe('applied')
  await nothingLeft(before)
  await create(former, 'text', 'ten')
  await create(latter, 'numeric', '10.5')
  expect(await former.read('select amount from "loan" order by number, amount')).toEqual(
    ['10.50', '7.5', '8.5', '9.50', 'ten'].map(amount => ({ amount })),
  )
  expect(await latter.read('select amount from "loan" order by amount')).toEqual(
    ['7.50', '8.50', '9.50', '10.50', null].map(amount => ({ amount })),
  )
  await expect(create(latter, 'numeric', '7.5').then(() => create(former, 'text', 'ten'))).rejects.toMatchObject({
    code: '23505',
  })
  // And forth again, where the value that has no way stands in it.
  expect(await apply(after)).toMatchObject({ kind: 'refused' })
})

test('what served the version before goes with the document after', async () => {
  const [before, after] = [
    of('text', { indexes: [index('loan', 'amount')] }),
    of('bigint', { indexes: [index('loan', 'amount')] }),
  ]
  await apply(before)
  await all(`insert into loan (id, number, amount) values ('${id()}', 'L1', '7')`)
  await apply(after)
  expect(await catalogue()).toContain('$was')
  const next = target(loan({ indexes: [index('loan', 'amount')] }, column('amount', 'bigint'), column('note', 'text')))
  await apply(next)
  await nothingLeft(next)
  const left = await catalogue()
  expect(left.split('\n').filter(line => /\$was|_was|becomes_|ninefold_v/.test(line))).toEqual([])
  expect(await all('select amount from loan')).toEqual([{ amount: '7' }])
})

test('an entity that gets another name, with fields that get other types and go, is seen as it was', async () => {
  const fields = [column('amount', 'text'), column('size', 'numeric(8,2)'), column('gone', 'text')]
  const before = target(loan({ indexes: [index('loan', 'amount', 'size')] }, ...fields))
  const after = target(
    table(
      'visit',
      [
        column('number', 'text', { notNull: true }),
        column('purpose', 'text'),
        column('amount', 'bigint'),
        column('size', 'numeric(10,2)'),
      ],
      { was: 'loan', indexes: [index('visit', 'amount', 'size')] },
    ),
  )
  await apply(before)
  const [former, latter] = [serving(before), serving(after)]
  await former.run(`insert into "loan" (id, number, amount, size, gone) values (?::uuid, 'L1', '7', 1.5, 'x')`, id())
  expect((await apply(after, ['visit.gone'])).kind).toBe('applied')
  await nothingLeft(after)
  await former.run(`insert into "loan" (id, number, amount, size) values (?::uuid, 'L2', '8', 2.5)`, id())
  await latter.run(`insert into "visit" (id, number, amount, size) values (?::uuid, 'L3', 9, 3.5)`, id())
  const seen = `select number, amount, size from`
  expect(await former.read(`${seen} "loan" order by number`)).toEqual([
    { number: 'L1', amount: '7', size: '1.50' },
    { number: 'L2', amount: '8', size: '2.50' },
    { number: 'L3', amount: '9', size: '3.50' },
  ])
  expect(await latter.read(`${seen} "visit" order by number`)).toEqual(
    await former.read(`${seen} "loan" order by number`),
  )
  expect((await apply(before)).kind).toBe('applied')
  await nothingLeft(before)
  expect(await all(`select number, amount, size from loan order by number`)).toHaveLength(3)
})

test('two fields of one index get other types at once', async () => {
  const both = (type: string) =>
    target(
      loan(
        { constraints: [unique('loan', 'amount', 'size')], indexes: [index('loan', 'size', 'amount')] },
        column('amount', type),
        column('size', type),
      ),
    )
  await apply(both('text'))
  await all(`insert into loan (id, number, amount, size) values ('${id()}', 'L1', '7', '8')`)
  const after = both('bigint')
  expect((await apply(after)).kind).toBe('applied')
  await nothingLeft(after)
  await expect(all(`insert into loan (id, number, amount, size) values ('${id()}', 'L2', 7, 8)`)).rejects.toMatchObject(
    { code: '23505', constraint: 'loan_amount_size_key' },
  )
})

test('a field that gets another name and another type refuses what it does not hold', async () => {
  const before = target(loan({}, column('amount', 'text', { notNull: true })))
  const after = target(loan({}, column('price', 'bigint', { was: 'amount' })))
  await apply(before)
  const [former, latter] = [serving(before), serving(after)]
  await former.run(`insert into "loan" (id, number, amount) values (?::uuid, 'L1', '7')`, id())
  const plan = await planned(after)
  expect(explainPlan(plan)).toContain('- is refused what price of loan does not hold as bigint\n')
  await apply(after)
  await expect(
    former.run(`insert into "loan" (id, number, amount) values (?::uuid, 'L2', 'many')`, id()),
  ).rejects.toMatchObject({ code: '22023', column: 'amount' })
  await latter.run(`insert into "loan" (id, number) values (?::uuid, 'L3')`, id())
  expect(await former.read('select number, amount from "loan" order by number')).toEqual([
    { number: 'L1', amount: '7' },
    { number: 'L3', amount: null },
  ])
})

test('nobody is refused while it comes and goes, and both have the same values in the end', async () => {
  const [before, after] = [
    of('text', { indexes: [index('loan', 'amount')] }),
    of('numeric(19,2)', { indexes: [index('loan', 'amount')] }),
  ]
  await apply(before)
  await all(
    `insert into loan (id, number, amount) select gen_random_uuid(), 'L' || n, n::text from generate_series(1, 3000) n`,
  )
  const former = serving(before)
  let [over, written] = [false, 3000]
  const busy = async () => {
    while (!over) {
      const number = `L${++written}`
      await former.run(`insert into "loan" (id, number, amount) values (?::uuid, ?, ?)`, id(), number, String(written))
      await former.run(
        `update "loan" set amount = ? where number = ? and amount = ?`,
        `${written}.5`,
        number,
        String(written),
      )
    }
  }
  const writing = busy()
  for (const one of [after, before, after]) expect((await applyFor(store, one, null, { now })).kind).toBe('applied')
  over = true
  await writing
  expect(written).toBeGreaterThan(3000)
  expect(
    await all(`select count(*), count(*) filter (where amount = "amount$was"::numeric) as same,
      count(*) filter (where amount = substr(number, 2)::numeric + case when substr(number, 2)::int > 3000 then 0.5 else 0 end) as right from loan`),
  ).toEqual([{ count: String(written), same: String(written), right: String(written) }])
})

test.runIf(hasPgBouncer)(
  'behind a pooler, both versions share connections, and each goes on by its own type',
  async () => {
    const [before, after] = [of('text'), of('bigint')]
    await apply(before)
    const bouncer = await startPgBouncer(database.url, 'transaction')
    try {
      const [former, latter] = [serving(before, bouncer.url), serving(after, bouncer.url)]
      const insert = `insert into "loan" (id, number, amount) values (?::uuid, ?, ?)`
      await former.run(insert, id(), 'L0', '100')
      expect((await apply(after)).kind).toBe('applied')
      const reading = `select pg_typeof(amount)::text as type, count(*)::text as count from "loan" group by 1`
      const seen = await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          const [who, type] = at % 2 === 0 ? [former, 'text'] : [latter, 'bigint']
          await who.run(insert, id(), `L${at + 1}`, String(at))
          return (await who.read(reading)).map(row => [row.type, type])
        }),
      )
      for (const [type, own] of seen.flat()) expect(type).toBe(own)
      const numbers = (amount: string) => `select count(*)::text as right from "loan" where ${amount}`
      expect(
        await former.read(
          numbers(`amount = case number when 'L0' then '100' else (substr(number, 2)::int - 1)::text end`),
        ),
      ).toEqual([{ right: '41' }])
      expect(
        await latter.read(numbers(`amount = case number when 'L0' then 100 else substr(number, 2)::int - 1 end`)),
      ).toEqual([{ right: '41' }])
      await expect(former.run(insert, id(), 'L99', 'twelve')).rejects.toMatchObject({ code: '22023', column: 'amount' })
    } finally {
      for (const one of opened.splice(0)) await one.close()
      await bouncer.stop()
    }
  },
)

test('a name of as many letters as there may be gets another type like any other', async () => {
  const names = ['a', 'b'].map(last => 'x'.repeat(62) + last)
  const both = (type: string) => target(loan({}, ...names.map(name => column(name, type))))
  const [before, after] = [both('text'), both('bigint')]
  await apply(before)
  await insert('loan', { number: 'L1', [names[0]!]: '1', [names[1]!]: '2' })
  expect((await apply(after)).kind).toBe('applied')
  await nothingLeft(after)
  const [one, other] = names
  const { read, run } = serving(before)
  await run(`update loan set "${one}" = ?`, '7')
  expect(await read(`select "${one}" as one, "${other}" as other from loan`)).toEqual([{ one: '7', other: '2' }])
  expect((await apply(before)).kind).toBe('applied')
  await nothingLeft(before)
  expect(await all(`select "${one}" as one, "${other}" as other from loan`)).toEqual([{ one: '7', other: '2' }])
})
