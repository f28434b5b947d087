import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { readApp } from '../../headings/index.ts'
import { mostClosedDays } from '../people/closed.ts'
import { read } from '../read/read.ts'
import { codes, done, input, made, startTestRun, type TestRun } from '../testing.ts'
import { change, create } from '../write/writes.ts'
import { workContext } from './testing.ts'
import { work } from './work.ts'

const text = `# Desk

## 1 What the product does and for whom

- **Time zone:** Europe/London

## 3 Entities and their fields

### Site

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required; unique |

### Hall

| Field | Type | Rules |
| --- | --- | --- |
| site | Site | required |

### Closing day

| Field | Type | Rules |
| --- | --- | --- |
| day | date | |
| site | Site | |

### Visit

| Field | Type | Rules |
| --- | --- | --- |
| at | date and time | required |
| until | date and time | required |
| local | time | |
| days | integer | = working_days(date(at), date(until)) |
| hours | decimal | = working_hours(at, until) |
| hall | Hall | |
| site_days | integer | = working_days(date(at), date(until), hall.site) |
| site_hours | decimal | = working_hours(at, until, hall.site) |
| site_open | yes/no | = is_open(at, hall.site) |
| answer_on | date | = working_days_after(date(at), 2, hall.site) |
| answer_at | date and time | = working_hours_after(at, 12, hall.site) |
| told | integer | default 0 |
| chased | integer | default 0 |

## 4 States and transitions

### Visit

| Timer | At | Then |
| --- | --- | --- |
| answer | 2 working days of hall.site after until at 12:00 | set told = told + 1 |
| chase | every working day of hall.site at limits.opens | set chased = chased + 1 |
| prepare | 2 working hours of \`hall.site\` before until | set told = told + 10 |

## 5 Validation rules

| Rule | Applies to | Must hold | Field | Error |
| --- | --- | --- | --- | --- |
| V-2 | Visit | \`hall is empty or is_open(until, hall.site)\` | until | E-OPEN-2 |
| V-1 | Visit on create | \`is_open(at) and time(at) between limits.opens and 16:30\` | at | E-OPEN-1 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Guest | everyone signed in |

### Visit

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Guest | \`is_open(at)\` | yes | yes | no |

### Site

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Guest | yes | yes | yes | yes |

### Hall

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Guest | yes | yes | yes | yes |

### Closing day

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Guest | yes | yes | yes | yes |

## 8 Error messages and error codes

| Code | Message |
| --- | --- |
| E-OPEN-1 | We are closed then. |
| E-OPEN-2 | The site is closed then. |

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
- **Closed on:** Closing day.day of site
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

const due = async (record: string) =>
  (
    await run.runtime.store.query<{ at: string }>(
      sql`select timer || ' ' || left(due_at::text, 16) as at from ninefold.timer where record = ${record}::uuid and timer <> 'chase' order by timer`,
    )
  ).map(one => one.at)
const round = () => work(run.runtime, workContext(run))

test('a closed day of one site counts there alone, one without a site everywhere: in rules, fields and timers', async () => {
  const site = async (name: string) => {
    const id = await made(run, someone(), 'site', input({ name }))
    return { id, hall: await made(run, someone(), 'hall', input({ site: id })) }
  }
  const [north, south] = [await site('North'), await site('South')]
  const visitIn = async (hall: string | null, until = '2026-04-09T15:00:00.000Z') =>
    create(
      run.runtime,
      await run.as(someone()),
      'visit',
      input({ at: '2026-04-07T08:00:00.000Z', until, hall, local: null }),
    )
  await made(run, someone(), 'closing_day', input({ day: '2026-04-08', site: north.id }))
  await made(run, someone(), 'closing_day', input({ day: '2026-04-10', site: null }))
  const [there, elsewhere, nowhere] = [
    done(await visitIn(north.hall)),
    done(await visitIn(south.hall)),
    done(await visitIn(null)),
  ]
  const open = { site_open: true, days: '2', hours: '23.0000000000' }
  expect(await shown(there)).toMatchObject({
    ...open,
    site_days: '1',
    site_hours: '15.0000000000',
    answer_on: '2026-04-13',
    answer_at: '2026-04-09T12:00:00.000Z',
  })
  expect(await shown(elsewhere)).toMatchObject({
    ...open,
    site_days: '2',
    site_hours: '23.0000000000',
    answer_on: '2026-04-09',
    answer_at: '2026-04-08T12:00:00.000Z',
  })
  expect(await shown(nowhere)).toMatchObject({ days: '2', site_days: null, site_open: null, answer_on: null })
  expect(codes(await visitIn(north.hall, '2026-04-08T09:00:00.000Z'))).toEqual(['E-OPEN-2'])
  expect(codes(await visitIn(south.hall, '2026-04-08T09:00:00.000Z'))).toEqual([])
  expect(codes(await visitIn(south.hall, '2026-04-10T09:00:00.000Z'))).toEqual(['E-OPEN-2'])
  expect(await due(there)).toEqual(['answer 2026-04-14 11:00', 'prepare 2026-04-09 13:00'])
  expect(await due(elsewhere)).toEqual(await due(there))
  expect(await due(nowhere)).toEqual([])
  // A day that comes, and a hall that is of another site by now.
  await made(run, someone(), 'closing_day', input({ day: '2026-04-13', site: south.id }))
  await made(run, someone(), 'closing_day', input({ day: '2026-04-09', site: south.id }))
  await round()
  expect(await due(elsewhere)).toEqual(['answer 2026-04-15 11:00', 'prepare 2026-04-08 14:00'])
  expect(await due(there)).toEqual(['answer 2026-04-14 11:00', 'prepare 2026-04-09 13:00'])
  done(await change(run.runtime, await run.as(someone()), 'hall', south.hall, null, input({ site: north.id })))
  await round()
  expect(await due(elsewhere)).toEqual(await due(there))
  run.now = new Date('2026-04-14T11:00:00.000Z')
  await round()
  expect(await shown(there)).toMatchObject({ told: '11' })
})

test('what comes back on the working days of a site skips its closed days, and follows the record to another site', async () => {
  run.now = new Date('2026-06-01T07:00:00.000Z')
  const site = async (name: string) => {
    const id = await made(run, someone(), 'site', input({ name }))
    return { id, hall: await made(run, someone(), 'hall', input({ site: id })) }
  }
  const [east, west] = [await site('East'), await site('West')]
  for (const day of ['2026-06-02', '2026-06-03'])
    await made(run, someone(), 'closing_day', input({ day, site: east.id }))
  const values = { at: '2026-06-01T08:00:00.000Z', until: '2026-06-25T08:00:00.000Z', hall: east.hall }
  const id = await made(run, someone(), 'visit', input(values))
  const next = async () => {
    await round()
    const [found] = await run.runtime.store.query(
      sql`select left(due_at::text, 16) as at, (select chased from visit where id = ${id}::uuid) as chased
        from ninefold.timer where record = ${id}::uuid and timer = 'chase'`,
    )
    return found
  }
  expect(await next()).toEqual({ at: '2026-06-01 08:00', chased: '0' })
  run.now = new Date('2026-06-01T08:00:00.000Z')
  expect(await next()).toEqual({ at: '2026-06-04 08:00', chased: '1' })
  done(await change(run.runtime, await run.as(someone()), 'visit', id, null, input({ hall: west.hall })))
  expect(await next()).toEqual({ at: '2026-06-02 08:00', chased: '1' })
  await made(run, someone(), 'closing_day', input({ day: '2026-06-02', site: west.id }))
  expect(await next()).toEqual({ at: '2026-06-03 08:00', chased: '1' })
  run.now = new Date('2026-06-03T08:00:00.000Z')
  expect(await next()).toEqual({ at: '2026-06-04 08:00', chased: '2' })
})
