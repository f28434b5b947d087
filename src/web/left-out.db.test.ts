/** What does not fit is said, and where it is to be had: on pages, in files, in mails and in what `apply` says. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { fileRows } from '../kinds/screens/report/screen.ts'
import { appOf } from '../kinds/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const app = appOf(`# Desk

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /things/{code} | Thing | everyone signed in | one Thing |
| /codes | Codes | everyone signed in | report of Thing by code |
| /start | Start | everyone signed in | dashboard |

### Start

#### Newest

- **Shows:** list of Thing
- **Columns:** code

## 3 Entities and their fields

### Thing

| Field | Type | Rules |
| --- | --- | --- |
| code | text 20 | required; unique; searchable |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

### Thing

| Role | See | Export |
| --- | --- | --- |
| Member | yes | yes |
`)

let web: TestWeb
let reader: TestBrowser

const things = (from: number, to: number) =>
  web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`insert into thing (id, code, created_at, changed_at)
      select gen_random_uuid(), 'T' || n, now(), now() from generate_series(${from}::int, ${to}::int) as n`),
  )

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app)
  reader = await web.signedIn(Object.values(web.run.people)[0]!)
})
afterAll(() => web?.stop())

test('a card of a dashboard and what is searched say that there is more, also where no list has all of it', async () => {
  await things(1, 6)
  for (const path of ['/start', '/-/search?q=T']) expect((await reader.get(path)).text).not.toContain('are shown.')
  await things(7, 8)
  expect((await reader.get('/start')).text).toContain('<span class="muted">The first 7 are shown.</span>')
  expect((await reader.get('/-/search?q=T')).text).toContain('<span class="muted">The first 6 are shown.</span>')
})

test('a report goes as a file with more groups than the page shows; beyond so many, its last row says so', async () => {
  const file = async () => (await reader.get('/codes?_export=csv')).text.trim().split(/\r?\n/)
  await things(9, 1001)
  expect((await reader.get('/codes')).text).toContain('The first 1,000 are shown. 1 more is left out.')
  expect(await file()).toHaveLength(1 + 1001)
  await things(1002, fileRows + 1)
  const rows = await file()
  expect([rows.length, rows.at(-1)]).toEqual([1 + fileRows + 1, '"The first 50,000 are shown."'])
})
