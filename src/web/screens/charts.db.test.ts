/** Charts over more time than one drawing has room for. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { appOf } from '../../kinds/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

const app = appOf(`# Desk

## 1 What the product does and for whom

- **Time zone:** Europe/Berlin

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /per-day | Per day | everyone signed in | chart of Shift by day of at |
| /names | Names | everyone signed in | chart of Shift by name |
| /kinds | Kinds | everyone signed in | chart of Shift by month of at, kind |

## 3 Entities and their fields

### Shift

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | |
| kind | text 40 | |
| at | date and time | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

### Shift

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |
`)

let web: TestWeb
let reader: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app)
  web.run.now = new Date('2026-11-28T09:00:00Z')
  reader = await web.signedIn(Object.values(web.run.people)[0]!)
})
afterAll(() => web?.stop())

/** Records with these moments, in the place of all others. */
async function only(moments: string) {
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from public.shift`)
    await tx.write(sql`insert into public.shift (id, name, at, created_at, changed_at)
      select gen_random_uuid(), 'N' || row_number() over (), at, at, at from (${{ texts: [moments], values: [] }}) as s(at)`)
  })
}

const text = async (path: string) =>
  (await reader.get(path)).text
    .replace(/^.*<main/s, '')
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('the newest days are drawn, what is left out is said, and the highest number is that of all', async () => {
  await only(`values (timestamptz '2024-01-01 09:00Z'), ('2025-06-02 09:00Z'), ('2025-06-02 10:00Z'), ('2025-06-03 09:00Z'),
    ('2026-11-27 23:30Z'), ('2026-11-27 10:00Z')`)
  const page = await text('/per-day')
  expect(page).toContain('Last, 28 Nov 2026: 1. Highest, 2 Jun 2025: 2.')
  expect(page.match(/Only the last 400 are drawn, from 25 Oct 2025 on\. Earlier ones with records: 3\./g)).toHaveLength(
    2,
  )
  expect(page).toContain('27 Nov 2026 1 28 Nov 2026 1')
  expect(page).not.toContain('Jun 2025 0')
})

test('more days with records than are read do not change what is highest, and are counted', async () => {
  await only(`select timestamptz '2025-01-01 09:00Z' + n * interval '1 day' from generate_series(0, 499) as n
    union all select timestamptz '2025-01-03 10:00Z'`)
  const page = await text('/per-day')
  expect(page).toContain('Highest, 3 Jan 2025: 2.')
  expect(page).toContain('Earlier ones with records: 100.')
})

test('all days drawn: nothing is said to be missing', async () => {
  await only(`select timestamptz '2026-01-01 09:00Z' + n * interval '1 day' from generate_series(0, 99) as n`)
  expect(await text('/per-day')).not.toContain('Only the last')
})

test('of groups without an order in time the first are drawn, and the others counted', async () => {
  await only(`select timestamptz '2026-01-01 09:00Z' from generate_series(1, 75)`)
  expect(await text('/names')).toContain('The first 60 are shown. 15 more are left out.')
})

test('a year of the first century is written with four digits', async () => {
  await only(`values (timestamptz '0026-11-27 09:00Z')`)
  expect(await text('/per-day')).toContain('Last, 27 Nov 0026: 1.')
})

test('the series of what is empty has its own number, and not that of all', async () => {
  await only(`values (timestamptz '2026-11-20 09:00Z'), ('2026-11-21 09:00Z'), ('2026-11-22 09:00Z')`)
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`update public.shift set kind = 'Early' where name = 'N1'`)
  })
  expect(await text('/kinds')).toMatch(/none Early Together .*November 2026[^\d]* 2 1 3 /)
})
