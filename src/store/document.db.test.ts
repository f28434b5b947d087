import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { raw } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'
import { applyMigration, planMigration } from './migrate.ts'
import { explainPlan } from './plan/explain.ts'
import type { Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

const loanDesk = readFileSync(join(import.meta.dirname, '../../examples/loan-desk/loan-desk.md'), 'utf8')
const now = new Date('2026-03-02T10:00:00Z')
const databases: TestDatabase[] = []
let store: Store

beforeEach(async () => {
  const database = await createTestDatabase(inject('databaseUrl'))
  databases.push(database)
  store = database.store
})
afterAll(async () => {
  for (const database of databases) await database.drop()
})

let version = 0
function appOf(text: string): App {
  const { app, found } = readApp('loan-desk.md', path => (path === 'loan-desk.md' ? text : null), {
    version: () => `v${++version}`,
  })
  expect(found.filter(one => one.severity === 'error').map(one => one.message)).toEqual([])
  return app!
}

/** The loan desk with some text replaced; each text must be there. */
function edited(...edits: readonly (readonly [string, string])[]): App {
  let text = loanDesk
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replaceAll(from, to)
  }
  return appOf(text)
}

const apply = (app: App, drop: string[] = []) => applyMigration(store, app, null, { now, drop })
const left = async (app: App) => (await planMigration(store, app)).steps.map(step => step.what)
const run = (text: string) => store.query(raw(text))
const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const made = `'${now.toISOString()}', '${now.toISOString()}'`

async function fill(): Promise<void> {
  await run(
    `insert into person (id, created_at, changed_at, name, email) values ('${id(1)}', ${made}, 'Bo', 'bo@example.org')`,
  )
  await run(`insert into category (id, created_at, changed_at, name) values ('${id(2)}', ${made}, 'Cameras')`)
  await run(`insert into item (id, created_at, changed_at, tag, name, category, value)
    values ('${id(3)}', ${made}, 'CA-0001', 'Sony A7 with the long lens', '${id(2)}', 2400)`)
  await run(`insert into loan (id, created_at, changed_at, state, state_since, number, borrower, out_on, due_back, purpose)
    values ('${id(4)}', ${made}, 'Draft', '${now.toISOString()}', 'LN-2026-00001', '${id(1)}', '2026-03-02', '2026-03-05', 'Film')`)
  await run(`insert into loan_line (id, created_at, changed_at, loan, position, item, damaged)
    values ('${id(5)}', ${made}, '${id(4)}', 1, '${id(3)}', false)`)
}

test('the loan desk is planned in words, applied, and then nothing is left', async () => {
  const app = appOf(loanDesk)
  const plan = await planMigration(store, app)
  expect(plan.found).toEqual([])
  const text = explainPlan(plan)
  const line = loanDesk.slice(0, loanDesk.indexOf('### Loan (was Booking)')).split('\n').length
  expect(text).toContain(`Create the table loan for Loan  (loan-desk.md:${line})`)
  expect((await applyMigration(store, app, plan, { now })).kind).toBe('applied')
  expect(await left(app)).toEqual([])
  await fill()
  expect(await left(appOf(loanDesk))).toEqual([])
})

test('the database holds what one record decides, whoever writes', async () => {
  await apply(appOf(loanDesk))
  await fill()
  const refused = async (text: string, constraint: string) =>
    await expect(run(text)).rejects.toMatchObject({ constraint })
  await refused(`update loan set due_back = out_on`, 'loan_rule_v_1')
  await refused(`update loan set state = 'Parked'`, 'loan_state_check')
  await refused(`update loan set purpose = repeat('x', 501)`, 'loan_purpose_type_check')
  await refused(`update item set tag = 'X'`, 'item_tag_pattern_check')
  await refused(`update item set value = -1`, 'item_value_min_check')
  await refused(`delete from person`, 'loan_borrower_fkey')
  await refused(`delete from item`, 'loan_line_item_fkey')
  await run('delete from loan')
  expect(await run('select count(*) as lines from loan_line')).toEqual([{ lines: '0' }])
})

test('rows of one list may swap what is unique among them', async () => {
  await apply(appOf(loanDesk))
  await fill()
  await run(`insert into item (id, created_at, changed_at, tag, name, category, value)
    values ('${id(6)}', ${made}, 'CA-0002', 'Sony A8', '${id(2)}', 2400)`)
  await run(`insert into loan_line (id, created_at, changed_at, loan, position, item, damaged)
    values ('${id(7)}', ${made}, '${id(4)}', 2, '${id(6)}', false)`)
  await store.inTransaction(async tx => {
    await tx.write(raw('set constraints all deferred'))
    await tx.write(raw(`update loan_line set item = '${id(6)}' where id = '${id(5)}'`))
    await tx.write(raw(`update loan_line set item = '${id(3)}' where id = '${id(7)}'`))
    await tx.write(raw('set constraints all immediate'))
  })
  await expect(run(`update loan_line set item = '${id(3)}'`)).rejects.toMatchObject({
    constraint: 'loan_line_loan_item_key',
  })
})

test('fields and entities that are renamed keep their records and their child rows', async () => {
  const booking = loanDesk
    .replace('### Loan (was Booking)', '### Loan')
    .replaceAll('Loan', 'Booking')
    .replace('| lines | list of Booking line |', '| lines | list of Booking line |')
  await apply(appOf(booking))
  await run(
    `insert into person (id, created_at, changed_at, name, email) values ('${id(1)}', ${made}, 'Bo', 'bo@example.org')`,
  )
  await run(`insert into booking (id, created_at, changed_at, state, state_since, number, borrower, out_on, due_back)
    values ('${id(4)}', ${made}, 'Draft', '${now.toISOString()}', 'LN-2026-00001', '${id(1)}', '2026-03-02', '2026-03-05')`)
  const renamed = edited(
    ['### Loan line (part of Loan)', '### Loan line (part of Loan) (was Booking line)'],
    ['| purpose | long text 500 | | |', '| purpose (was reason) | long text 500 | | |'],
  )
  const applied = await apply(renamed)
  expect(applied.plan.found).toEqual([])
  expect(applied.plan.steps.filter(({ lock }) => lock === 'constrain' || lock === 'rewrite')).toEqual([])
  expect(await run('select number from loan')).toEqual([{ number: 'LN-2026-00001' }])
  // By the version before, which still runs.
  expect(await run('select number from booking')).toEqual([{ number: 'LN-2026-00001' }])
  expect(await left(renamed)).toEqual([])
})

test('tightening, loosening and vanishing go through documents as people edit them', async () => {
  await apply(appOf(loanDesk))
  await fill()
  const required = edited(['| purpose | long text 500 | | |', '| purpose | long text 500 | required | |'])
  expect((await apply(required)).kind).toBe('applied')
  const shorter = edited(['| name | text 80 | required; searchable | |', '| name | text 20 | required; searchable | |'])
  const refused = await apply(shorter)
  expect(refused.kind).toBe('refused')
  expect(refused.plan.found.find(one => one.severity === 'error')?.message).toBe(
    '1 of `Item` would break this: `name`: text 20',
  )
  const without = edited(
    ['| retired_on | date | | Empty while the item can be lent |\n', ''],
    ['| V-3 | Loan line on create | `item.retired_on is empty` | item | E-ITEM-1 |\n', ''],
    ['| E-ITEM-1 | {item.name} was retired on {item.retired_on}. | Choose another item. | 422 |\n', ''],
  )
  const orphaned = await apply(without)
  expect(orphaned.kind).toBe('applied')
  expect(orphaned.plan.found.map(one => [one.code, one.severity])).toEqual([['N0910', 'warning']])
  expect((await apply(without, ['item.retired_on'])).plan.steps.map(step => step.rows)).toEqual(['values are lost: 0'])
  expect((await planMigration(store, without)).found).toEqual([])
})

test('a state that is removed with records in it is refused; renamed, it takes them along', async () => {
  await apply(appOf(loanDesk))
  await fill()
  await run(`update loan set state = 'Overdue'`)
  const renamed = edited(
    ['| Overdue | | |', '| Late (was Overdue) | | |'],
    ['Out, Overdue', 'Out, Late'],
    ['state = Overdue', 'state = Late'],
    ['go to Overdue', 'go to Late'],
  )
  const bare = edited(
    ['| Overdue | | |', '| Late | | |'],
    ['Out, Overdue', 'Out, Late'],
    ['state = Overdue', 'state = Late'],
    ['go to Overdue', 'go to Late'],
  )
  const refused = await apply(bare)
  expect(refused.plan.found.filter(one => one.severity === 'error').map(one => one.message)).toEqual([
    '1 of `Loan` are in a state or have a choice that was removed: Overdue',
  ])
  // Records are named as people know them.
  expect(refused.plan.found.map(({ help }) => help).join()).toContain('Records: LN-2026-00001.')
  expect((await apply(renamed)).kind).toBe('applied')
  expect(await run('select state from loan')).toEqual([{ state: 'Late' }])
  // And back, by the document of before.
  expect((await apply(appOf(loanDesk))).kind).toBe('applied')
  expect(await run('select state from loan')).toEqual([{ state: 'Overdue' }])
  expect((await apply(renamed)).kind).toBe('applied')
  expect(await run('select state from loan')).toEqual([{ state: 'Late' }])
})

test('records of states that became one are not parted by the document of before', async () => {
  const jobs = (states: string) =>
    appOf(
      `# Jobs\n\n- **Ninefold:** 1\n\n## 3 Entities and their fields\n\n### Job\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| name | text 40 | required |\n\n## 4 States and transitions\n\n### Job\n\n| State | Kind |\n| --- | --- |\n${states}\n`,
    )
  const before = jobs('| New | start |\n| Held | |\n| Stopped | |')
  await apply(before)
  await run(`insert into job (id, created_at, changed_at, state, state_since, name)
    values ('${id(1)}', ${made}, 'Held', '${now.toISOString()}', 'a'), ('${id(2)}', ${made}, 'Stopped', '${now.toISOString()}', 'b')`)
  await apply(jobs('| New | start |\n| Waiting (was Held, Stopped) | |'))
  const back = await apply(before)
  expect([back.kind, back.plan.found.map(({ message }) => message)]).toEqual([
    'refused',
    ['2 of `Job` are in a state or have a choice that was removed: Waiting'],
  ])
})

test('back and forth between documents, with records: every plan that is applied leaves nothing', async () => {
  const documents = [
    appOf(loanDesk),
    edited(['| value | money EUR | required; min 0 |', '| value | money EUR | min 0 |']),
    edited(['| tag | text 12 | required; unique; pattern AA-9999 |', '| tag | text 40 | required; pattern AA-9999 |']),
    edited(['- **Sort:** due_back, then number\n', '']),
    edited(['| required; unique within Loan |', '| required |']),
  ]
  await apply(documents[0]!)
  await fill()
  for (const app of [...documents, ...documents.toReversed()]) {
    expect((await apply(app)).kind).toBe('applied')
    expect(await left(app)).toEqual([])
  }
  expect(await run('select count(*) as loans from loan')).toEqual([{ loans: '1' }])
})

test('a constant that is tightened: the plan counts the records that do not fulfil its rule any more', async () => {
  const text = (most: number, on = '') => `# Tasks

## 3 Entities and their fields

### Task

| Field | Type | Rules |
| --- | --- | --- |
| title | text 40 | required |
| hours | integer | |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Task${on} | \`hours <= limits.most\` | E-1 |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-1 | Too many hours. |

## 9 Business constants and limits

| Name | Value | Unit |
| --- | --- | --- |
| most | ${most} | hours |
`
  await apply(appOf(text(40)))
  await store.query(
    raw(`insert into public.task (id, title, hours, created_at, changed_at)
      select gen_random_uuid(), 'Task', hours, now(), now() from unnest(array[10, 30, 35, null]) as hours`),
  )
  const found = async (app: App, records = true) =>
    (await planMigration(store, app, { records })).found.map(({ code, message }) => `${code} ${message}`)
  expect(await found(appOf(text(40)))).toEqual([])
  expect(await found(appOf(text(20)))).toEqual(['N0916 2 of `Task` do not meet V-1 as it is now'])
  const [broken] = (await planMigration(store, appOf(text(20)), { records: true })).found
  expect(broken!.help).toContain('Records: Task, Task.')
  expect(await found(appOf(text(20)), false)).toEqual([])
  expect(await found(appOf(text(20, ' on create')))).toEqual([])
  await store.query(raw(`insert into ninefold.constant (key, value, changed_at) values ('most', '50', now())`))
  expect(await found(appOf(text(20)))).toEqual([])
})

test('a time zone that the server does not know is said before anything else, and nothing is changed', async () => {
  const desk = appOf(loanDesk)
  const away = { ...desk.product.timeZone, name: 'Europe/Atlantis' }
  const app = { ...desk, product: { ...desk.product, timeZone: away } }
  const said = [['N0922', 'this database server does not know the time zone `Europe/Atlantis`', away.cell!.start]]
  const told = ({ found }: Awaited<ReturnType<typeof planMigration>>) =>
    found.map(({ code, message, span }) => [code, message, span.start])
  for (const records of [false, true]) {
    const plan = await planMigration(store, app, { records })
    expect([plan.possible, plan.steps, told(plan)]).toEqual([false, [], said])
  }
  const applied = await apply(app)
  expect([applied.kind, told(applied.plan)]).toEqual(['refused', said])
  expect(await run(`select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  expect((await apply(desk)).kind).toBe('applied')
  expect(told(await planMigration(store, app, { records: true }))).toEqual(said)
})
