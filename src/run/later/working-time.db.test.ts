import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { readApp } from '../../headings/index.ts'
import { mostClosedDays } from '../people/closed.ts'
import { read } from '../read/read.ts'
import { codes, input, made, startTestRun, type TestRun } from '../testing.ts'
import { create } from '../write/writes.ts'

const text = `# Desk

## 1 What the product does and for whom

- **Time zone:** Europe/London

## 3 Entities and their fields

### Closing day

| Field | Type | Rules |
| --- | --- | --- |
| day | date | |

### Visit

| Field | Type | Rules |
| --- | --- | --- |
| at | date and time | required |
| until | date and time | required |
| local | time | |
| days | integer | = working_days(date(at), date(until)) |
| hours | decimal | = working_hours(at, until) |

## 5 Validation rules

| Rule | Applies to | Must hold | Field | Error |
| --- | --- | --- | --- | --- |
| V-1 | Visit on create | \`is_open(at) and time(at) between limits.opens and 16:30\` | at | E-OPEN-1 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Guest | everyone signed in |

### Visit

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Guest | \`is_open(at)\` | yes | yes | no |

### Closing day

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Guest | yes | yes | yes | yes |

## 8 Error messages and error codes

| Code | Message |
| --- | --- |
| E-OPEN-1 | We are closed then. |

## 9 Business constants and limits

| Name | Value | Unit | Since |
| --- | --- | --- | --- |
| opens | 09:00 | | |
| fee | 1.00 | EUR | |
| fee | 2.00 | | 2027-01-01 |
| fee | 1.50 | EUR | 2026-07-01 |

### Working time

- **Days:** Monday to Friday
- **Hours:** 09:00 to 17:00
- **Closed on:** Closing day.day
`

let run: TestRun
beforeAll(async () => {
  const { app, found } = readApp('desk.md', path => (path === 'desk.md' ? text : null), { version: () => '1' })
  expect(found.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  run = await startTestRun(inject('databaseUrl'), app!)
})
afterAll(() => run?.drop())

const visit = async (at: string, until = '2026-04-08T08:00:00.000Z') =>
  create(run.runtime, await run.as(Object.keys(run.people)[0]!), 'visit', input({ at, until }))

const someone = () => Object.keys(run.people)[0]!

async function shown(id: string): Promise<Readonly<Record<string, Wire>>> {
  const found = await read(run.runtime, await run.as(someone()), {
    kind: 'one',
    entity: 'visit',
    by: { field: 'id', value: id },
    history: 0,
  })
  return (found?.row.values ?? {}) as Readonly<Record<string, Wire>>
}

test('opening hours are those of the clocks in London, before and after the change', async () => {
  for (const [at, open] of [
    ['2026-03-27T08:59:00.000Z', false],
    ['2026-03-27T09:00:00.000Z', true],
    ['2026-03-30T08:00:00.000Z', true],
    ['2026-03-30T07:59:00.000Z', false],
    ['2026-03-29T10:00:00.000Z', false],
    ['2026-10-26T08:30:00.000Z', false],
    ['2026-10-26T16:30:00.000Z', true],
    ['2026-10-26T16:31:00.000Z', false],
  ] as const)
    expect([at, codes(await visit(at))]).toEqual([at, open ? [] : ['E-OPEN-1']])
})

test('a closed day counts from the next request on: in rules, in computed fields and in what is seen', async () => {
  const at = '2026-04-07T08:00:00.000Z'
  const outcome = await visit(at)
  expect(outcome.kind).toBe('done')
  const id = outcome.kind === 'done' ? outcome.id : ''
  expect(await shown(id)).toMatchObject({ days: '1', hours: '8.0000000000' })
  const day = await made(run, someone(), 'closing_day', input({ day: '2026-04-08' }))
  expect(await shown(id)).toMatchObject({ days: '0', hours: '8.0000000000' })
  await made(run, someone(), 'closing_day', input({ day: '2026-04-07' }))
  expect(codes(await visit(at))).toEqual(['E-OPEN-1'])
  // Nobody sees a visit on a closed day.
  expect(await shown(id)).toEqual({})
  await run.runtime.store.query(sql`delete from closing_day`)
  expect(day).not.toBe('')
  expect(await shown(id)).toMatchObject({ days: '1' })
})

test('a constant has the value of the day, where the application is', async () => {
  for (const [now, fee] of [
    ['2026-06-30T22:59:59.000Z', '1.00'],
    ['2026-06-30T23:00:00.000Z', '1.50'],
    ['2026-12-31T23:59:59.000Z', '1.50'],
    ['2027-01-01T00:00:00.000Z', '2.00'],
  ] as const) {
    run.now = new Date(now)
    expect([now, (await run.as(someone())).limits.fee]).toEqual([now, fee])
  }
  run.now = new Date('2026-03-02T09:00:00.000Z')
})

test('only working days are closed days, each once, and no more of them than are agreed', async () => {
  await run.runtime.store.query(sql`insert into closing_day (id, version, day, created_at, changed_at)
    select gen_random_uuid(), 1, date '2000-01-01' + n, ${run.now.toISOString()}::timestamptz, ${run.now.toISOString()}::timestamptz from generate_series(0, 9000) as n, generate_series(1, 2)`)
  const { closed } = await run.as(someone())
  expect(closed).toHaveLength(mostClosedDays)
  expect(closed).toEqual([...new Set(closed)].sort())
  expect(closed.some(date => [0, 6].includes(new Date(date).getUTCDay()))).toBe(false)
  expect(closed.at(-1)).toBe('2024-08-22')
  await run.runtime.store.query(sql`delete from closing_day`)
})
