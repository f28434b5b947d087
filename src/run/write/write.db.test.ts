import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { changeConstant, takeBackConstant } from '../limits.ts'
import type { Input, Outcome } from '../outcome.ts'
import { requestFor } from '../people/people.ts'
import { codes, done, input, itemWith, loanDesk, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { trying } from './trying.ts'
import { creating } from './write.ts'
import { change, create, remove, takeStep } from './writes.ts'

let run: TestRun
let camera: string
let laptop: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
  camera = await itemWith(run, 'CA-0001')
  laptop = await itemWith(run, 'LA-0007')
})
afterAll(() => run?.drop())

const loan = (
  values: Readonly<Record<string, Wire>> = {},
  lines: readonly Readonly<Record<string, Wire>>[] = [{ item: camera }],
) => input({ out_on: '2026-03-02', due_back: '2026-03-09', ...values }, { lines })
const newLoan = async (
  who: string,
  values?: Readonly<Record<string, Wire>>,
  lines?: readonly Readonly<Record<string, Wire>>[],
) => create(run.runtime, await run.as(who), 'loan', loan(values, lines))
const only = (values: Readonly<Record<string, Wire>>): Input => ({ values, children: {}, invalidValues: [] })
const stored = async (id: string) =>
  (await run.runtime.store.query<Record<string, Wire>>(sql`select * from loan where id = ${id}`))[0]!
const count = async (table: 'loan' | 'history' | 'outbox' | 'loan_line') => {
  const [row] = await run.runtime.store.query<{ n: string }>(
    table === 'loan' || table === 'loan_line'
      ? sql`select (select count(*) from loan) + (select count(*) from loan_line) as n`
      : table === 'history'
        ? sql`select count(*) as n from ninefold.history`
        : sql`select count(*) as n from ninefold.outbox`,
  )
  return Number(row!.n)
}
const problems = (outcome: Outcome) =>
  outcome.kind === 'refused' ? outcome.problems.map(({ code, field, message }) => [code, field, message]) : []

test('a new loan gets its number, its borrower, its state and the value of its items', async () => {
  const id = done(await newLoan('Ben', { purpose: 'A film' }, [{ item: camera }, { item: laptop, damaged: true }]))
  expect(await stored(id)).toMatchObject({
    number: 'LN-2026-00001',
    borrower: run.people.Ben,
    out_on: '2026-03-02',
    state: 'Draft',
    version: '1',
    created_by: run.people.Ben,
  })
  const lines = await run.runtime.store.query(
    sql`select item, value, damaged, position from loan_line where loan = ${id} order by position`,
  )
  expect(lines).toEqual([
    { item: camera, value: '2400.00', damaged: false, position: '1' },
    { item: laptop, value: '1800.00', damaged: true, position: '2' },
  ])
})

test.each([
  ['id', '018f2b6e-7c1a-7000-8000-000000000001', 'NF-FIXED'],
  ['version', '7', 'NF-NO-FIELD'],
  ['state', 'Approved', 'NF-FIXED'],
  ['created_by', '018f2b6e-7c1a-7000-8000-000000000001', 'NF-FIXED'],
  ['created_at', '2020-01-01T00:00:00.000Z', 'NF-FIXED'],
  ['changed_by', null, 'NF-FIXED'],
  ['number', 'LN-2026-99999', 'NF-FIXED'],
  ['approved_by', null, 'NF-FIXED'],
  ['handed_out_at', '2026-03-02T09:00:00.000Z', 'NF-FIXED'],
  ['days', '3', 'NF-FIXED'],
  ['register_ref', 'R-1', 'NF-NO-FIELD'],
  ['total_value', '1.00', 'NF-NO-FIELD'],
  ['no_such_field', 'x', 'NF-NO-FIELD'],
  ['__proto__', 'x', 'NF-NO-FIELD'],
  ['lines', 'x', 'NF-LIST'],
])('%s cannot be posted by a borrower, neither on create nor on change', async (field, value, code) => {
  const before = await count('loan')
  const posted = Object.fromEntries([[field, value]]) as Record<string, Wire>
  const outcome = await newLoan('Ben', posted)
  expect(outcome.kind === 'refused' && outcome.problems.map(one => [one.code, one.field])).toEqual([[code, field]])
  expect(await count('loan')).toBe(before)
  const id = done(await newLoan('Ben'))
  const changed = await change(run.runtime, await run.as('Ben'), 'loan', id, 1, only(posted))
  // What is posted as it is stored is no change, where it can be seen.
  if (value !== null || code === 'NF-NO-FIELD') expect(codes(changed)).toEqual([code])
  expect((await stored(id)).version).toBe('1')
})

test('a borrower writes own drafts only', async () => {
  const mine = done(await newLoan('Ben'))
  const hers = done(await newLoan('Cleo'))
  const ben = await run.as('Ben')
  expect((await change(run.runtime, ben, 'loan', hers, 1, only({ purpose: 'x' }))).kind).toBe('not found')
  expect((await remove(run.runtime, ben, 'loan', hers, null)).kind).toBe('not found')
  done(await change(run.runtime, ben, 'loan', mine, 1, only({ purpose: 'x' })))
  await run.runtime.store.query(sql`update loan set state = 'Requested' where id = ${mine}`)
  const refused = await change(run.runtime, ben, 'loan', mine, null, only({ purpose: 'y' }))
  expect(refused).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'NF-CHANGE-DENIED', status: 403, because: { text: 'borrower = me and state = Draft' } }],
  })
  expect(codes(await remove(run.runtime, ben, 'loan', mine, null))).toEqual(['NF-DELETE-DENIED'])
  expect((await stored(mine)).purpose).toBe('x')
})

test('a clerk changes what the row allows, but not the purpose', async () => {
  const id = done(await newLoan('Ben'))
  await run.runtime.store.query(sql`update loan set state = 'Requested' where id = ${id}`)
  const dan = await run.as('Dan')
  expect(codes(await change(run.runtime, dan, 'loan', id, 1, only({ purpose: 'mine' })))).toEqual(['NF-FIELD-DENIED'])
  expect(codes(await change(run.runtime, dan, 'loan', id, 1, only({ borrower: run.people.Dan! })))).toEqual([
    'NF-FIXED',
  ])
  done(await change(run.runtime, dan, 'loan', id, 1, only({ due_back: '2026-03-10' })))
  expect(await stored(id)).toMatchObject({ due_back: '2026-03-10', version: '2', changed_by: run.people.Dan })
})

test('visitors and roles without a word write nothing', async () => {
  const visitor = await newLoan('nobody')
  expect(codes(visitor)).toEqual(['NF-CREATE-DENIED'])
  const item = input({ tag: 'CA-0002', name: 'X', value: '1.00' })
  for (const who of ['Ben', 'Dan', 'Mia'])
    expect(codes(await create(run.runtime, await run.as(who), 'item', item))).toEqual(['NF-CREATE-DENIED'])
  const line = input({ item: camera })
  expect(codes(await create(run.runtime, await run.as('Mia'), 'loan_line', line))).toEqual(['NF-CREATE-DENIED'])
  expect((await create(run.runtime, await run.as('Mia'), 'no_such_entity', line)).kind).toBe('not found')
})

test('V-1 to V-3 refuse in the words of the document, all at once, in the order of the form', async () => {
  await run.runtime.store.query(sql`update item set retired_on = '2026-01-15' where id = ${laptop}`)
  const outcome = await newLoan('Ben', { due_back: '2026-02-28', purpose: 'x'.repeat(501) }, [
    { item: camera },
    { item: laptop },
  ])
  expect(problems(outcome)).toEqual([
    ['E-DUE-1', 'due_back', 'The return date must be after the day you take the items.'],
    ['NF-TOO-LONG', 'purpose', 'Purpose must have at most 500 characters; this has 501.'],
    ['E-ITEM-1', 'lines.1.item', 'ThinkPad X1 was retired on 15 Jan 2026.'],
  ])
  expect(outcome.kind === 'refused' && outcome.problems[0]).toMatchObject({
    whatToDo: 'Choose a later return date.',
    status: 422,
    because: { text: 'due_back > out_on' },
  })
  await run.runtime.store.query(sql`update item set retired_on = null where id = ${laptop}`)
  expect(problems(await newLoan('Ben', { due_back: '2026-03-17' }))).toEqual([
    ['E-DUE-2', 'due_back', 'You can borrow for at most 14 days.'],
  ])
  done(await newLoan('Ben', { due_back: '2026-03-16' }))
})

test('a retired item may stay in a loan that has it already', async () => {
  const id = done(await newLoan('Ben', {}, [{ item: laptop }]))
  await run.runtime.store.query(sql`update item set retired_on = '2026-01-15' where id = ${laptop}`)
  done(await change(run.runtime, await run.as('Ben'), 'loan', id, 1, only({ due_back: '2026-03-08' })))
  await run.runtime.store.query(sql`update item set retired_on = null where id = ${laptop}`)
})

test('a changed constant counts at once', async () => {
  const mia = await run.as('Mia')
  expect(codes(await changeConstant(run.runtime, await run.as('Dan'), 'max_loan_days', '21'))).toEqual([
    'NF-LIMIT-DENIED',
  ])
  expect(codes(await changeConstant(run.runtime, mia, 'max_value', '9'))).toEqual(['NF-LIMIT-FIXED'])
  expect(codes(await changeConstant(run.runtime, mia, 'max_loan_days', '61'))).toEqual(['NF-LIMIT-RANGE'])
  expect(codes(await changeConstant(run.runtime, mia, 'max_loan_days', 'x'))).toEqual(['NF-NUMBER'])
  done(await changeConstant(run.runtime, mia, 'max_loan_days', '21'))
  done(await newLoan('Ben', { due_back: '2026-03-20' }))
  done(await changeConstant(run.runtime, mia, 'max_loan_days', '7'))
  expect(problems(await newLoan('Ben', { due_back: '2026-03-12' }))[0]![2]).toBe('You can borrow for at most 7 days.')
  done(await changeConstant(run.runtime, mia, 'max_loan_days', '14'))
  const [entry] = await run.runtime.store.query(
    sql`select what, changes, actor from ninefold.history where kind = 'constant' order by id limit 1`,
  )
  expect(entry).toEqual({ what: 'max_loan_days', changes: { max_loan_days: ['14', '21'] }, actor: run.people.Mia })
})

test('a constant changes on a day that is to come, and a rule reads it as it is on a day of the record', async () => {
  const before = { runtime: run.runtime, now: run.now, as: run.as }
  const app = readSound(loanDesk, text =>
    text.replace('days <= limits.max_loan_days`', 'days <= limits.max_loan_days on out_on`'),
  )
  const mia = await run.as('Mia')
  try {
    const runtime = { ...run.runtime, app }
    Object.assign(run, { runtime, as: (name: string) => requestFor(runtime, run.people[name]!, run.door()) })
    for (const day of ['2026-03-02', '2025-01-01', '2026-02-30'])
      expect(codes(await changeConstant(run.runtime, mia, 'max_loan_days', '5', day))).toEqual(['NF-LIMIT-DAY'])
    done(await changeConstant(run.runtime, mia, 'max_loan_days', '5', '2026-04-01'))
    done(await changeConstant(run.runtime, mia, 'max_loan_days', '60', '2026-05-01'))
    expect((await run.as('Mia')).limits.max_loan_days).toBe('14')
    done(await newLoan('Ben', { out_on: '2026-03-31', due_back: '2026-04-10' }))
    const april = { out_on: '2026-04-01', due_back: '2026-04-10' }
    expect(codes(await newLoan('Ben', april))).toEqual(['E-DUE-2'])
    expect(codes(await takeBackConstant(run.runtime, await run.as('Dan'), 'max_loan_days', '2026-04-01'))).toEqual([
      'NF-LIMIT-DENIED',
    ])
    done(await takeBackConstant(run.runtime, mia, 'max_loan_days', '2026-04-01'))
    done(await newLoan('Ben', april))
    run.now = new Date('2026-05-01T09:00:00.000Z')
    expect((await run.as('Mia')).limits.max_loan_days).toBe('60')
    expect(codes(await takeBackConstant(run.runtime, await run.as('Mia'), 'max_loan_days', '2026-05-01'))).toEqual([
      'NF-LIMIT-DAY',
    ])
  } finally {
    Object.assign(run, before)
    await run.runtime.store.query(sql`delete from ninefold.constant`)
  }
})

test('field rules say what is missing, how many rows there may be, and which stands there twice', async () => {
  expect(problems(await newLoan('Ben', { due_back: null }, []))).toEqual([
    ['NF-REQUIRED', 'due_back', 'Due back is missing.'],
    ['NF-FEW', 'lines', 'Lines needs at least 1; this has 0.'],
  ])
  expect(problems(await newLoan('Ben', {}, [{ item: camera }, { item: camera }, { item: null }]))).toEqual([
    ['NF-TWICE', 'lines.1.item', 'Item appears in more than one row.'],
    ['NF-REQUIRED', 'lines.2.item', 'Item is missing.'],
  ])
  const many = Array.from({ length: 7 }, () => ({ item: camera }))
  expect(codes(await newLoan('Ben', {}, many))).toContain('NF-MANY')
  expect(problems(await newLoan('Ben', { due_back: 'soon' }))[0]!.slice(0, 2)).toEqual(['NF-DATE', 'due_back'])
  const ghost = '018f2b6e-7c1a-7000-8000-000000000001'
  expect(codes(await newLoan('Ben', {}, [{ item: ghost }]))).toEqual(['NF-NO-RECORD'])
  expect(codes(await newLoan('Ben', { borrower: ghost }))).toEqual(['NF-NO-RECORD'])
  expect(codes(await newLoan('Ben', {}, [{ item: camera, value: '1.00' }]))).toEqual(['NF-FIXED'])
})

test('what could not be read comes back beside the other problems', async () => {
  const invalid = {
    code: 'NF-DATE',
    message: 'No date.',
    whatToDo: null,
    status: 422,
    field: 'due_back',
    because: null,
  }
  const outcome = await create(run.runtime, await run.as('Ben'), 'loan', {
    ...loan({}, []),
    values: { out_on: null },
    invalidValues: [invalid],
  })
  expect(problems(outcome).map(([code, field]) => [code, field])).toEqual([
    ['NF-REQUIRED', 'out_on'],
    ['NF-DATE', 'due_back'],
    ['NF-FEW', 'lines'],
  ])
})

test('the second of two who change the same version sees both and loses nothing', async () => {
  const id = done(await newLoan('Ben', { purpose: 'first' }))
  const ben = await run.as('Ben')
  done(await change(run.runtime, ben, 'loan', id, 1, only({ purpose: 'theirs' })))
  const late = await change(run.runtime, ben, 'loan', id, 1, only({ purpose: 'mine' }))
  expect(late).toMatchObject({ kind: 'stale', version: 2, by: 'Ben', problem: { code: 'NF-STALE', status: 409 } })
  if (late.kind !== 'stale') return
  expect(late.theirs).toMatchObject({ purpose: 'theirs', lines: [{ item: camera }] })
  expect(late.theirs).not.toHaveProperty('total_value')
  expect(late.labels).toMatchObject({ borrower: 'Ben', 'lines.0.item': 'Sony A7 · CA-0001' })
  expect((await stored(id)).purpose).toBe('theirs')
})

test('24 who change the same version at once: one does', async () => {
  const ben = await run.as('Ben')
  for (let round = 0; round < 5; round++) {
    const id = done(await newLoan('Ben'))
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, index) => change(run.runtime, ben, 'loan', id, 1, only({ purpose: `P${index}` }))),
    )
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['done', ...Array.from({ length: 23 }, () => 'stale')])
    expect((await stored(id)).version).toBe('2')
  }
})

test('child rows come, change and go with their parent, in the order they were sent', async () => {
  const id = done(await newLoan('Ben', {}, [{ item: camera }]))
  const lines = () =>
    run.runtime.store.query<{ id: string; item: string; damaged: boolean; version: string }>(
      sql`select id, item, damaged, version from loan_line where loan = ${id} order by position`,
    )
  const [first] = await lines()
  const ben = await run.as('Ben')
  const rows = (children: readonly { id: string | null; values: Record<string, Wire> }[]): Input => ({
    values: {},
    children: { lines: children },
    invalidValues: [],
  })
  done(
    await change(
      run.runtime,
      ben,
      'loan',
      id,
      1,
      rows([
        { id: null, values: { item: laptop } },
        { id: first!.id, values: { damaged: true } },
      ]),
    ),
  )
  const two = await lines()
  expect(two.map(({ item, damaged, version }) => [item, damaged, version])).toEqual([
    [laptop, false, '1'],
    [camera, true, '2'],
  ])
  done(await change(run.runtime, ben, 'loan', id, 2, rows([{ id: two[0]!.id, values: {} }])))
  expect((await lines()).map(({ item }) => item)).toEqual([laptop])
  // A row of somebody else's loan, and one that is gone.
  const hers = done(await newLoan('Cleo', {}, [{ item: camera }]))
  const [foreign] = await run.runtime.store.query<{ id: string }>(sql`select id from loan_line where loan = ${hers}`)
  for (const stranger of [foreign!.id, first!.id])
    expect(
      codes(await change(run.runtime, ben, 'loan', id, 3, rows([{ id: stranger, values: { item: camera } }]))),
    ).toContain('NF-NO-RECORD')
  expect(codes(await change(run.runtime, ben, 'loan', id, 3, rows([])))).toEqual(['NF-FEW'])
  const history = await run.runtime.store.query<{ changes: { lines: unknown } }>(
    sql`select changes from ninefold.history where record = ${id} order by id desc limit 1`,
  )
  expect(history[0]!.changes.lines).toMatchObject({ removed: [{ item: camera }], added: [], changed: [] })
})

test('20 loans at once get 20 numbers', async () => {
  const ben = await run.as('Ben')
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => create(run.runtime, ben, 'loan', loan())))
  const numbers = await Promise.all(outcomes.map(async outcome => (await stored(done(outcome))).number))
  expect(new Set(numbers).size).toBe(20)
  for (const number of numbers) expect(number).toMatch(/^LN-2026-\d{5}$/)
})

test('the year of a number is that of the desk, not of Greenwich', async () => {
  const now = run.now
  run.now = new Date('2026-12-31T23:30:00.000Z')
  const id = done(await newLoan('Ben', { out_on: '2027-01-04', due_back: '2027-01-08' }))
  expect((await stored(id)).number).toBe('LN-2027-00001')
  run.now = now
})

test('who loses a race for a unique value is told in the same words', async () => {
  const seedActor = { ...(await run.as('Mia')), actor: { id: null, name: null, roles: [], system: 'seed' as const } }
  const [category] = await run.runtime.store.query<{ id: string }>(sql`select id from category limit 1`)
  const item = input({ tag: 'CA-0500', name: 'X', category: category!.id, value: '1.00' })
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => create(run.runtime, seedActor, 'item', item)))
  expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1)
  for (const outcome of outcomes.filter(({ kind }) => kind !== 'done'))
    expect(problems(outcome)).toEqual([['NF-UNIQUE', 'tag', 'Tag is taken: there is another Item with this Tag.']])
})

test('a refused write leaves nothing behind', async () => {
  const before = [await count('loan'), await count('history'), await count('outbox')]
  await newLoan('Ben', { due_back: '2026-02-28' })
  await newLoan('Ben', { state: 'Out' })
  expect([await count('loan'), await count('history'), await count('outbox')]).toEqual(before)
})

test('what others refer to cannot be deleted, and the refusal says who', async () => {
  const seedActor = { ...(await run.as('Mia')), actor: { id: null, name: null, roles: [], system: 'seed' as const } }
  done(await newLoan('Ben'))
  const outcome = await remove(run.runtime, seedActor, 'item', camera, null)
  expect(problems(outcome)).toEqual([
    ['NF-IN-USE', null, 'This Item cannot be deleted: Loan line (Item) refers to it.'],
  ])
  const mine = await made(run, 'Ben', 'loan', loan())
  done(await remove(run.runtime, await run.as('Ben'), 'loan', mine, 1))
  expect(await run.runtime.store.query(sql`select from loan_line where loan = ${mine}`)).toEqual([])
  const [last] = await run.runtime.store.query(
    sql`select what, kind, changes from ninefold.history where record = ${mine} order by id desc limit 1`,
  )
  expect(last).toMatchObject({ kind: 'delete', changes: { borrower: [run.people.Ben, null] } })
})

test('a write costs the same few statements, however many rows it has', async () => {
  const ben = await run.as('Ben')
  const cost = async (lines: readonly Readonly<Record<string, Wire>>[]) =>
    (await run.runtime.store.counted(() => create(run.runtime, ben, 'loan', loan({}, lines)))).statements
  const one = await cost([{ item: camera }])
  const two = await cost([{ item: camera }, { item: laptop }])
  expect(two.length).toBe(one.length)
  // begin, the items, the number, the loan with its rows and what happened, commit.
  expect(one.length).toBe(5)
})

test('a number keeps nobody waiting, and is lost with a record that is not saved', async () => {
  const ben = await run.as('Ben')
  const work = creating(run.runtime, ben, 'loan', loan())
  if (typeof work !== 'function') throw new Error('refused')
  const ids: string[] = []
  await run.runtime.store.inTransaction(async tx => {
    await work(tx)
    // Another one, whole, while the first transaction is still open: it would wait for a lock until it is refused.
    ids.push(done(await newLoan('Ben')))
    return tx.abandon(null)
  })
  ids.push(done(await newLoan('Ben')))
  const numbers = await Promise.all(ids.map(async id => Number(String((await stored(id)).number).slice(-5))))
  expect(numbers[1]! - numbers[0]!, 'the first one had the number before').toBe(1)
  const [row] = await run.runtime.store.query<{ n: string }>(
    sql`select count(*) as n from loan where number like ${`LN-2026-${String(numbers[0]! - 1).padStart(5, '0')}`}`,
  )
  expect(row!.n).toBe('0')
})

test('what is only tried takes no number', async () => {
  const numberOf = async (id: string) => Number(String((await stored(id)).number).slice(-5))
  const before = await numberOf(done(await newLoan('Ben')))
  expect((await create(trying(run.runtime), await run.as('Ben'), 'loan', loan())).kind).toBe('done')
  expect(await numberOf(done(await newLoan('Ben')))).toBe(before + 1)
})

test('a rule over all records holds, also when many write at once', async () => {
  const limit =
    '| V-9 | Loan on submit | `count(Loan where borrower = this.borrower and state = Requested) <= 2` | borrower | E-VAL-9 |'
  const catalogue = '| E-VAL-9 | You have enough requests. | | 422 |'
  const other = await startTestRun(
    inject('databaseUrl'),
    readSound(loanDesk, text =>
      text
        .replace('| V-2 | Loan |', `${limit}\n| V-2 | Loan |`)
        .replace('| E-DUE-2 | You', `${catalogue}\n| E-DUE-2 | You`),
    ),
  )
  try {
    const [item] = await other.runtime.store.query<{ id: string }>(sql`select id from item limit 1`)
    const draft = () => made(other, 'Ben', 'loan', input({ due_back: '2026-03-09' }, { lines: [{ item: item!.id }] }))
    const drafts = await Promise.all(Array.from({ length: 12 }, draft))
    const ben = await other.as('Ben')
    const outcomes = await Promise.all(drafts.map(id => takeStep(other.runtime, ben, 'loan', id, 'submit', null)))
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(2)
    for (const outcome of outcomes) if (outcome.kind !== 'done') expect(codes(outcome)).toEqual(['E-VAL-9'])
    expect(await other.runtime.store.query(sql`select from loan where state = 'Requested'`)).toHaveLength(2)
  } finally {
    await other.drop()
  }
})

test('what a refusal tells may be what only the database knows', async () => {
  const rule = '| V-9 | Loan on create | `count(other Loan where borrower = this.borrower) < 1` | borrower | E-VAL-9 |'
  const simple = '| V-8 | Loan on create | `days <= 5` | due_back | E-VAL-9 |'
  const catalogue =
    '| E-VAL-9 | {borrower.name} has {count(other Loan where borrower = this.borrower)} loans, the last until {max(other Loan.due_back where borrower = this.borrower)}{first(other Loan where borrower = this.borrower order by due_back down).number}: {list(other Loan.number where borrower = this.borrower)}, {list(lines.item.tag)}, due on {due_back:weekday}, {weekday_name(due_back)} {text(due_back)}. | | 422 |'
  const other = await startTestRun(
    inject('databaseUrl'),
    readSound(loanDesk, text =>
      text
        .replace('| V-2 | Loan |', `${rule}\n${simple}\n| V-2 | Loan |`)
        .replace('| E-DUE-2 | You', `${catalogue}\n| E-DUE-2 | You`),
    ),
  )
  try {
    const [item] = await other.runtime.store.query<{ id: string }>(sql`select id from item limit 1`)
    const draft = (due_back: string) => input({ due_back }, { lines: [{ item: item!.id }] })
    await made(other, 'Ben', 'loan', draft('2026-03-06'))
    const messages = async (due_back: string) => {
      const outcome = await create(other.runtime, await other.as('Ben'), 'loan', draft(due_back))
      return outcome.kind === 'refused' ? outcome.problems.map(({ message }) => message) : []
    }
    // The latest is one of them: its number is for those who see it.
    const told = (day: string, date: string) =>
      `Ben has 1 loans, the last until 6 Mar 2026LN-2026-00001: LN-2026-00001, CA-0001, due on ${day}, ${day} ${date}.`
    expect(await messages('2026-03-06')).toEqual([told('Friday', '6 Mar 2026')])
    // Also where the rule itself could be judged without it.
    expect(await messages('2026-03-09')).toEqual([told('Monday', '9 Mar 2026'), told('Monday', '9 Mar 2026')])
    expect(await other.runtime.store.query(sql`select from loan`)).toHaveLength(1)
  } finally {
    await other.drop()
  }
})
