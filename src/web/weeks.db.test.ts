/** Weeks of an application for America begin on Sunday: on pages, in filters, in charts and in the API alike. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { appOf } from '../kinds/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const app = appOf(`# Desk

## 1 What the product does and for whom

- **Time zone:** America/New_York
- **Languages:** en-US

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /shifts | Shifts | everyone signed in | list of Shift |
| /per-week | Per week | everyone signed in | chart of Shift by week of at |
| /per-weekday | Per weekday | everyone signed in | chart of Shift by weekday of at |
| /month | Month | everyone signed in | calendar of Shift by at |

### Shifts

- **Columns:** name, at

## 3 Entities and their fields

### Shift

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | |
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
  // A Saturday in New York; 22 November was a Sunday.
  web.run.now = new Date('2026-11-28T15:00:00Z')
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`insert into public.shift (id, name, at, created_at, changed_at)
      select gen_random_uuid(), name, at, at, at from (values ('Saturday before', timestamptz '2026-11-22 04:59Z'),
        ('Sunday', '2026-11-22 05:00Z'), ('Saturday', '2026-11-29 04:59Z'), ('Sunday after', '2026-11-29 05:00Z')) as s(name, at)`),
  )
  reader = await web.signedIn(Object.values(web.run.people)[0]!)
})
afterAll(() => web?.stop())

const page = async (path: string) => (await reader.get(path)).text
const words = async (path: string) =>
  (await page(path))
    .replace(/^.*<main/s, '')
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('this week is that from Sunday, on a page and in the API', async () => {
  const data = JSON.parse(await page('/api/v1/shift?at.within=this-week&sort=at')) as { data: { name: string }[] }
  expect(data.data.map(({ name }) => name)).toEqual(['Sunday', 'Saturday'])
  const shown = await words('/shifts?at.within=this-week')
  expect(['Saturday before', 'Sunday after'].filter(name => shown.includes(name))).toEqual([])
})

test('a chart counts weeks from Sunday, and each leads to the records of that week', async () => {
  expect(await words('/per-week')).toContain(
    'Week from Nov 15, 2026 1 Week from Nov 22, 2026 2 Week from Nov 29, 2026 1',
  )
  const href = /<a href="(\/shifts\?[^"]*)"[^>]*><span class="tip"><b>Week from Nov 22/i.exec(await page('/per-week'))
  const shown = await words(href![1]!.replaceAll('&amp;', '&'))
  expect(['Saturday before', 'Sunday after'].filter(name => shown.includes(name))).toEqual([])
  expect(shown).toContain('Sunday')
})

test('days of the week stand in that order, too', async () => {
  expect(await words('/per-weekday')).toMatch(/Sunday 2 .*Saturday 2/)
  expect(await words('/month')).toMatch(/Sun(day)? .*Mon(day)? .*Sat(urday)? /)
})
