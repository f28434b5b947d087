/** Numbers over many rows: what they are, for whom, and that no forbidden row or field is in them. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FigureRow, FiguresData } from '../../kinds/screens/read-data.ts'
import { type ReportNeed, reportNeed } from '../../kinds/screens/report/screen.ts'
import type { Across, FiguresNeed, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { addressOf } from '../../kinds/screens/testing.ts'
import { appOf } from '../../kinds/testing.ts'
import { codes, input, made, startTestRun, type TestRun } from '../testing.ts'
import { create } from '../write/writes.ts'
import { read } from './read.ts'

const app = appOf(`# Desk

## 1 What the product does and for whom

- **Time zone:** Europe/Berlin

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /kinds | Kinds | everyone signed in | report of Loan by kind |
| /people | People | everyone signed in | report of Loan by borrower |
| /months | Months | everyone signed in | report of Loan by month of out_at, kind |
| /remarks | Remarks | everyone signed in | report of Loan by remark |
| /asked | Asked | everyone signed in | report of Loan by kind |
| /open | Open | everyone signed in | report of Loan by kind |
| /things | Things | everyone signed in | report of Thing by name |
| /weights | Weights | everyone signed in | list of Thing |

### Weights

- **Columns:** name, weight, is_heavy

### Kinds

- **Measure:** count
- **Measure:** sum of fee as Fees
- **Measure:** average of fee
- **Measure:** smallest of fee
- **Measure:** latest of out_at
- **Measure:** share of count
- **Measure:** share of count where late out of count as Late
- **Measure:** sum of duty as Duty
- **Measure:** sum of length
- **Measure:** count where duty is not empty as With duty

### Asked

- **Asks:** least: decimal 8.2 default 5
- **Asks:** on: date
- **Where:** \`fee >= asked.least\`
- **Measure:** share of sum of fee out of asked.least * 10 as Of it

### Open

- **Asks:** from: date and time
- **Asks:** up_to: date and time
- **Where:** \`out_at < asked.up_to and back_at > asked.from\`
- **Measure:** share of sum of working_hours(max(out_at, asked.from), min(back_at, asked.up_to)) out of working_hours(asked.from, asked.up_to) as On loan

### Things

- **Measure:** sum of count(Loan where thing = this.id) as Loans
- **Measure:** sum of length(name)

## 3 Entities and their fields

### Thing

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| parts | list of Part | |
| weight | integer | = sum(parts.grams) |
| is_heavy | yes/no | = weight > 100 and today > 2000-01-01 |

### Part (part of Thing)

| Field | Type | Rules |
| --- | --- | --- |
| grams | integer | required |

### Loan

| Field | Type | Rules |
| --- | --- | --- |
| borrower | Person | required; default me |
| thing | Thing | |
| kind | choice: Camera, Light | |
| fee | decimal 8.2 | |
| duty | decimal 8.2 | |
| late | yes/no | required; default no |
| out_at | date and time | |
| back_at | date and time | |
| length | duration | |
| owed | duration | = -1 * length |
| away | duration | copied from back_at - out_at on create |
| square | decimal 8.2 | copied from fee * fee on create |
| remark | text 40 | |
| alike | integer | = count(Loan where kind = this.kind) |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |
| Chief | appointed by Chief |

### Loan

| Role | See | Create |
| --- | --- | --- |
| Member | \`borrower = me\` | yes |
| Chief | yes | yes |

| Field | See |
| --- | --- |
| duty | Chief |
| remark | Chief |

### Thing

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |
| Chief | yes | yes |

### Part

| Role | See | Create |
| --- | --- | --- |
| Member | \`grams < 60\` | yes |
| Chief | yes | yes |

## 9 Business constants and limits

### Working time

- **Days:** Monday to Friday
- **Hours:** 09:00 to 17:00
`)

let run: TestRun
let [member, chief] = ['', '']

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), app)
  const names = Object.keys(run.people)
  for (const name of names) {
    const { actor } = await run.as(name)
    if (actor.roles.includes('Chief')) chief = name
    else member = name
  }
  const thing = await made(run, chief, 'thing', input({ name: 'Tripod' }))
  const lend = (who: string, values: Record<string, string | boolean>) =>
    made(run, who, 'loan', input({ late: false, ...values, thing }))
  // Half past midnight on the first of February in Berlin.
  await lend(member, {
    kind: 'Camera',
    fee: '10.00',
    out_at: '2026-01-31T23:30:00.000Z',
    late: true,
    length: 'PT5400S',
  })
  await lend(member, { kind: 'Camera', fee: '5.50', out_at: '2026-01-31T22:30:00.000Z', length: 'PT1800S' })
  await lend(member, { kind: 'Light', out_at: '2026-02-03T09:00:00.000Z', back_at: '2026-02-03T13:00:00.000Z' })
  await lend(chief, { fee: '100.00', duty: '7.00', kind: 'Light', remark: 'x', out_at: '2026-02-04T09:00:00.000Z' })
  await lend(chief, { fee: '0.01' })
})
afterAll(() => run?.drop())

function needOf(key: string, query = ''): ReportNeed {
  const screen = app.screens.find(one => one.key === key)!
  const address = addressOf(query, { zone: 'Europe/Berlin' })
  return reportNeed(screen, app, address)!
}

async function figures(who: string, key: string, query = ''): Promise<FiguresData> {
  return (await read(run.runtime, await run.as(who), needOf(key, query).figures))!
}

const table = ({ rows, total }: FiguresData) =>
  [...rows, total].map(({ keys, values }) => [...keys.map(({ label, value }) => label ?? value), '|', ...values])

test('counts, sums, averages, extremes and shares, for each group and all together', async () => {
  expect(table(await figures(member, 'kinds'))).toEqual([
    ['Camera', '|', '2', '15.5', '7.75', '5.5', '2026-01-31T23:30:00.000Z', '0.6667', '0.5000', null, 'PT7200S', null],
    ['Light', '|', '1', '0', null, null, '2026-02-03T09:00:00.000Z', '0.3333', '0.0000', null, 'PT0S', null],
    ['|', '3', '15.5', '7.75', '5.5', '2026-02-03T09:00:00.000Z', '1.0000', '0.3333', null, 'PT7200S', null],
  ])
})

test('only rows that one may see count, and a measure of a forbidden field has no number at all', async () => {
  const mine = await figures(member, 'kinds')
  expect(mine.seen).toEqual([true, true, true, true, true, true, true, false, true, false])
  const all = await figures(chief, 'kinds')
  expect(all.seen).toEqual(all.seen.map(() => true))
  expect(all.total.values.slice(0, 2)).toEqual(['5', '115.51'])
  expect(all.total.values.slice(7)).toEqual(['7', 'PT7200S', '1'])
  // Records without a kind are a group of their own, the last one.
  expect(table(all).at(-2)!.slice(0, 3)).toEqual([null, '|', '1'])
})

test('a report by a forbidden field is not there; references are shown by name', async () => {
  expect(await read(run.runtime, await run.as(member), needOf('remarks').figures)).toBeNull()
  expect(table(await figures(chief, 'remarks'))).toEqual([
    ['x', '|', '1'],
    [null, '|', '4'],
    ['|', '5'],
  ])
  expect(table(await figures(member, 'people'))).toEqual([
    [member, '|', '3'],
    ['|', '3'],
  ])
})

test('months are those of the application’s clocks, with a subtotal behind what lies in them', async () => {
  expect(table(await figures(member, 'months'))).toEqual([
    ['2026-01-01', 'Camera', '|', '1'],
    ['2026-01-01', '|', '1'],
    ['2026-02-01', 'Camera', '|', '1'],
    ['2026-02-01', 'Light', '|', '1'],
    ['2026-02-01', '|', '2'],
    ['|', '3'],
  ])
})

test('what the reader is asked decides what counts; without an answer it is as preset', async () => {
  expect(table(await figures(chief, 'asked'))).toEqual([
    ['Camera', '|', '0.3100'],
    ['Light', '|', '2.0000'],
    ['|', '2.3100'],
  ])
  expect(table(await figures(chief, 'asked', 'least=50'))).toEqual([
    ['Light', '|', '0.2000'],
    ['|', '0.2000'],
  ])
  expect(table(await figures(chief, 'asked', 'least=many'))).toHaveLength(3)
})

test('the share of the opening hours of a month that something was lent', async () => {
  // Four of the hundred and sixty hours of February; two of the five of one afternoon.
  const month = 'from=2026-02-01T00:00&up_to=2026-03-01T00:00'
  expect(table(await figures(member, 'open', month))).toEqual([
    ['Light', '|', '0.0250'],
    ['|', '0.0250'],
  ])
  const part = 'from=2026-02-03T12:00&up_to=2026-02-03T17:00'
  expect(table(await figures(member, 'open', part))).toEqual([
    ['Light', '|', '0.4000'],
    ['|', '0.4000'],
  ])
})

test('the rows of a group are the ones that its figures count', async () => {
  const rows = async (who: string, key: string, query: string) =>
    (await read(run.runtime, await run.as(who), needOf(key, query).rows!))!.rows.length
  expect(await rows(member, 'months', 'group.0=2026-02-01&group.1=Light')).toBe(1)
  expect(await rows(chief, 'months', 'group.0=2026-02-01&group.1=Light')).toBe(2)
  expect(await rows(chief, 'kinds', 'group.0=')).toBe(1)
  expect(await rows(chief, 'asked', 'group.0=Light&least=500')).toBe(0)
  expect(await rows(member, 'remarks', 'group.0=x')).toBe(0)
  expect(await rows(chief, 'months', 'group.0=never&group.1=Light')).toBe(0)
})

test('a number over other records is only for those who may see all of them', async () => {
  expect(table(await figures(chief, 'things'))).toEqual([
    ['Tripod', '|', '5', '6'],
    ['|', '5', '6'],
  ])
  expect((await figures(member, 'things')).seen).toEqual([false, true])
})

test('a list sorted or filtered by a number over other records goes through them once; a page of it asks for each row', async () => {
  const list = async (who: string, more: Partial<RowsNeed>) => {
    const asked = { ...needOf('kinds', 'group.0=Light').rows!, columns: ['alike'], among: [], ...more }
    const request = await run.as(who)
    const { value, statements } = await run.runtime.store.counted(() => read(run.runtime, request, asked))
    return [value!.rows.map(row => row.values.alike), statements.join().match(/left join \(select/g)?.length ?? 0]
  }
  const sort = [{ field: 'alike', descending: true }]
  const filters = [{ field: 'alike', comparison: 'at least', value: '1' }] as const
  expect(await list(chief, { sort })).toEqual([['2', '2', '2', '2', '0'], 1])
  expect(await list(chief, { filters, countTo: 0 })).toEqual([['2', '2', '2', '2'], 1])
  expect(await list(member, { sort })).toEqual([['2', '2', '2'], 1])
  expect((await list(chief, { sort: [] }))[1]).toBe(0)
})

test('a list is filtered by lengths of time, and read on page by page in their order, negative ones too', async () => {
  const request = await run.as(chief)
  const page = async (more: Partial<RowsNeed>) =>
    (await read(run.runtime, request, {
      ...needOf('kinds', 'group.0=Camera').rows!,
      columns: ['length', 'owed'],
      among: [],
      ...more,
    }))!
  const half = [{ field: 'length', comparison: 'at most', value: 'PT1800S' }] as const
  expect((await page({ filters: half })).rows.map(({ values }) => values.length)).toEqual(['PT1800S'])
  for (const field of ['length', 'owed']) {
    const sort = [{ field, descending: false }]
    const first = await page({ sort, limit: 1 })
    const second = await page({ sort, limit: 1, after: first.next })
    const shown = [first, second].flatMap(({ rows }) => rows.map(({ values }) => values[field]))
    expect(shown).toEqual(field === 'length' ? ['PT1800S', 'PT5400S'] : ['-PT5400S', '-PT1800S'])
  }
  // A field holds none that is negative, and no number that has more digits.
  const backwards = { out_at: '2026-02-03T09:00:00.000Z', back_at: '2026-02-03T08:00:00.000Z' }
  for (const values of [backwards, { fee: '9999.00' }])
    expect(codes(await create(run.runtime, request, 'loan', input({ late: false, ...values })))).toEqual(['NF-CHECK'])
})

test('a list by what its records count of their own rows reads what the database keeps, and all rows are in it, whoever asks', async () => {
  const parts = (...grams: readonly string[]) => ({ parts: grams.map(one => ({ grams: one })) })
  await made(run, chief, 'thing', input({ name: 'Crane' }, parts('70', '50')))
  await made(run, chief, 'thing', input({ name: 'Dolly' }, parts('30')))
  const need = {
    ...needOf('kinds', 'group.0=Light').rows!,
    entity: 'thing',
    among: [],
    columns: ['name', 'weight', 'is_heavy'],
  }
  for (const who of [member, chief]) {
    const request = await run.as(who)
    const list = async (more: Partial<RowsNeed>) => {
      const got = await run.runtime.store.counted(() => read(run.runtime, request, { ...need, ...more }))
      expect(got.statements.join()).not.toContain('sum(')
      return got.value!.rows.map(({ values }) => Object.values(values).slice(1).join(' '))
    }
    expect(await list({ sort: [{ field: 'weight', descending: true }], limit: 2 })).toEqual([
      'Crane 120 true',
      'Dolly 30 false',
    ])
    expect(await list({ filters: [{ field: 'is_heavy', comparison: 'is', value: true }] })).toEqual(['Crane 120 true'])
  }
})

test('more groups than are wanted are cut, and the total stays whole', async () => {
  const need = { ...needOf('months').figures, limit: 2 }
  const data = (await read(run.runtime, await run.as(member), need))!
  expect([data.rows.length, data.left, data.total.values]).toEqual([2, 3, ['3']])
})

test('a group that lies across: each pair, each alone and all, averages and shares worked out anew for each', async () => {
  const { figures: kinds } = needOf('kinds')
  const [month] = needOf('months').figures.by
  const need = { ...kinds, measures: [kinds.measures[0]!, kinds.measures[2]!, kinds.measures[6]!] }
  const grid = async (who: string, across: Across, more: Partial<FiguresNeed> = {}) => {
    const data = (await read(run.runtime, await run.as(who), { ...need, across, ...more }))!
    const line = ({ keys, across: of, values }: FigureRow) =>
      [...keys.map(({ value }) => value ?? '–'), '|', of === null ? '' : (of.value ?? '–'), ...values].join(' ')
    return [...data.rows, data.total].map(line).concat(`${data.left} ${data.leftAcross}`)
  }
  const whole = { by: month!, limit: 10 }
  const mine = [
    '| 2026-01-01 1 5.50 0.0000',
    '| 2026-02-01 2 10.00 0.5000',
    'Camera |  2 7.75 0.5000',
    'Camera | 2026-01-01 1 5.50 0.0000',
    'Camera | 2026-02-01 1 10.00 1.0000',
    'Light |  1  0.0000',
    'Light | 2026-02-01 1  0.0000',
    '|  3 7.75 0.3333',
    '0 0',
  ]
  expect(await grid(member, whole)).toEqual(mine)
  // No row of its own: the columns alone; and of too many columns the first, or those with most.
  expect(await grid(member, whole, { by: [] })).toEqual([...mine.slice(0, 2), mine[7], '0 0'])
  expect(await grid(member, { by: month!, limit: 1 }, { limit: 1 })).toEqual([
    mine[0],
    ...mine.slice(2, 4),
    mine[7],
    '1 1',
  ])
  const largest = await grid(member, { by: month!, limit: 1, largest: true }, { last: true })
  expect(largest).toEqual([...[2, 4, 5, 6, 1, 7].map(at => mine[at]), '0 1'])
  const all = await grid(chief, whole)
  expect(all.length).toBeGreaterThan(mine.length)
})

test('of some days only what lies in them counts, for whoever sees when that is', async () => {
  const { figures: kinds } = needOf('kinds')
  const [month] = needOf('months').figures.by
  const count = async (from: string, to: string) => {
    const need = { ...kinds, by: [], measures: kinds.measures.slice(0, 1), span: { value: month!.value, from, to } }
    return (await read(run.runtime, await run.as(member), need))!.total.values[0]
  }
  // Half past midnight on the first of February in Berlin.
  expect(await count('2026-01-01T00:00:00Z', '2026-01-31T23:30:00Z')).toBe('1')
  expect(await count('2026-01-31T23:00:00Z', '2026-02-28T23:00:00Z')).toBe('2')
  expect(await count('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z')).toBe('0')
})

test('what somebody never sees puts no rows in groups, folds none, and puts none in order', async () => {
  const { id } = (await run.as(member)).actor
  for (const remark of ['m', 'z', 'a', 'm'])
    await made(run, chief, 'loan', input({ borrower: id!, remark, late: false }))
  const by = needOf('remarks').figures.by[0]!
  const plain: RowsNeed = { ...needOf('kinds', 'group.0=').rows!, among: [], sort: [] }
  const ids = async (who: string, more: Partial<RowsNeed>) => {
    const data = (await read(run.runtime, await run.as(who), { ...plain, ...more }))!
    return { ids: data.rows.map(row => row.id), groups: [...new Set(data.groups)] }
  }
  const group = { by, descending: false, folded: ['m'] }
  const { ids: all } = await ids(member, {})
  expect(all.length).toBeGreaterThan(4)
  for (const descending of [false, true])
    expect(await ids(member, { group: { ...group, descending } })).toEqual({ ids: all, groups: [null] })
  expect((await ids(chief, { group })).groups).toEqual(['a', 'x', 'z', null])
})
