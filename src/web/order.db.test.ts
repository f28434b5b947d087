/** Where records without a value stand in an order: last, in both directions, on pages and in the API, with an index that serves it. */

import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import type { SortKey } from '../headings/2-screens/model.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { appOf } from '../kinds/testing.ts'
import { policyFor } from '../run/access/policy.ts'
import { keysOf, orderBy } from '../run/read/order.ts'
import { planMigration } from '../store/migrate.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const app = appOf(`# Desk

## 1 What the product does and for whom

- **Languages:** en

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /cases | Cases | everyone signed in | list of Case |
| /urgent | Urgent | everyone signed in | list of Case |

### Cases

- **Columns:** name, closed_on
- **Sort:** closed_on down

### Urgent

- **Columns:** name, urgency
- **Sort:** urgency, closed_on down

## 3 Entities and their fields

### Case

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| closed_on | date | |
| urgency | integer | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

### Case

| Role | See |
| --- | --- |
| Member | yes |

## 9 Limits and constants

| Name | Value | Unit |
| --- | --- | --- |
| page_size | 5 | records |
`)

let web: TestWeb
let reader: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app)
  // Twelve with three days in turn, each without one after two that have one; ids in the order of their numbers.
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`insert into public."case" (id, name, closed_on, urgency, created_at, changed_at)
      select ('01940000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Case ' || lpad(n::text, 2, '0'),
        case when n % 3 > 0 then date '2026-03-01' + n % 2 end, case when n % 4 > 0 then n % 4 end, now(), now()
      from generate_series(1, 12) as n`),
  )
  reader = await web.signedIn(Object.values(web.run.people)[0]!)
})
afterAll(() => web?.stop())

const named = (...numbers: readonly string[]) => numbers.map(number => `Case ${number}`)
const empty = named('03', '06', '09', '12')
const even = named('02', '04', '08', '10')
const odd = named('01', '05', '07', '11')
const up = [...even, ...odd, ...empty]
const down = [...odd.toReversed(), ...even.toReversed(), ...empty.toReversed()]

test('a list shows what has no value last, whichever way it is sorted, and leafs through it both ways', async () => {
  const names = (page: string) => [...new Set(page.match(/Case \d\d/g))]
  const linked = (page: string, rel: string) =>
    new RegExp(`<a(?=[^>]*rel="${rel}")[^>]*href="([^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? null
  for (const [path, order] of [
    ['/cases', down],
    ['/cases?sort=-closed_on', down],
    ['/cases?sort=closed_on', up],
  ] as const) {
    const pages: string[][] = []
    let last: string = path
    for (let next: string | null = path; next !== null; ) {
      last = next
      const { text } = await reader.get(next)
      pages.push(names(text))
      next = linked(text, 'next')
    }
    expect(pages).toEqual([order.slice(0, 5), order.slice(5, 10), order.slice(10)])
    const back: string[][] = []
    for (let at: string | null = last; at !== null; ) {
      const { text } = await reader.get(at)
      back.unshift(names(text))
      at = linked(text, 'prev')
    }
    expect(back).toEqual(pages)
  }
})

test('so does the API', async () => {
  for (const [sort, order] of [
    ['-closed_on', down],
    ['closed_on', up],
  ] as const)
    for (const way of ['after', 'before'] as const) {
      const seen: string[] = []
      const ask = async (place: string) =>
        JSON.parse((await reader.get(`/api/v1/case?sort=${sort}&limit=2${place}`)).text) as {
          readonly data: readonly { readonly name: string }[]
          readonly next: string | null
          readonly previous: string | null
        }
      let page = await ask('')
      while (page.next !== null && way === 'before') page = await ask(`&after=${page.next}`)
      for (;;) {
        const told = page.data.map(({ name }) => name)
        seen.splice(way === 'after' ? seen.length : 0, 0, ...told)
        const place = way === 'after' ? page.next : page.previous
        if (place === null) break
        page = await ask(`&${way}=${place}`)
      }
      expect([sort, way, ...seen]).toEqual([sort, way, ...order])
    }
})

test('an index gives the order that the document says, from both ends; another one is replaced by steps of the plan', async () => {
  const { store } = web.run.runtime
  const policy = policyFor(app, { id: 'x', roles: ['Member'], system: null })
  const served = ['case_closed_on_down_id_down_idx', 'case_urgency_closed_on_down_id_down_idx']
  const plan = (sort: readonly SortKey[], backwards: boolean) =>
    store.inTransaction(async tx => {
      await tx.write(sql`set local enable_seqscan = off`)
      const keys = keysOf(app, policy, 'case', 't', sort)
      const order = orderBy(keys, index => keys[index]!.sql, backwards)
      return JSON.stringify(await tx.query(sql`explain select from public."case" as t order by ${order} limit 5`))
    })
  for (const [place, screen] of app.screens.entries())
    for (const backwards of [false, true]) {
      const { sort } = usesOf(screen)
      expect(await plan(sort, backwards)).toContain(`using ${served[place]}`)
      expect(await plan(sort, backwards)).not.toContain('Sort')
    }
  await store.inSession(session =>
    session.execute(`drop index ${served[0]}; create index case_closed_on_id_idx on "case" (closed_on, id);
      comment on index case_closed_on_id_idx is 'ninefold: ("closed_on", "id")'`),
  )
  const { steps } = await planMigration(store, app)
  expect(steps.map(({ what, mode }) => [what, mode])).toEqual([
    [`Build the index ${served[0]} of case, for the screen Cases`, 'outside'],
    ['Drop the index case_closed_on_id_idx, which nothing needs any more', 'outside'],
  ])
})
