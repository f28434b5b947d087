/** For tests: the loan desk over HTTP, and people in it. */
import { expect } from 'vitest'
import { sql } from '../expression/sql.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

export interface Loan {
  readonly id: string
  readonly number: string
  readonly version: number
  readonly [field: string]: unknown
}

export interface TestDesk {
  readonly web: TestWeb
  /** Lotte, a borrower (everyone signed in is one) without any other role. */
  readonly anna: TestBrowser
  /** Moritz, another one. */
  readonly ben: TestBrowser
  readonly clerk: TestBrowser
  readonly manager: TestBrowser
  /** Ids of items, by tag. */
  readonly items: Readonly<Record<string, string>>
  readonly rows: <Row extends object>(query: ReturnType<typeof sql>) => Promise<readonly Row[]>
  /** What the API takes for a loan. */
  readonly draft: (more?: Record<string, unknown>) => Record<string, unknown>
  readonly lend: (browser: TestBrowser, more?: Record<string, unknown>) => Promise<Loan>
}

export async function startDesk(databaseUrl: string): Promise<TestDesk> {
  const web = await startTestWeb(databaseUrl)
  const rows: TestDesk['rows'] = query => web.run.runtime.store.query(query)
  const items = Object.fromEntries(
    (await rows<{ tag: string; id: string }>(sql`select tag, id from public.item`)).map(({ tag, id }) => [tag, id]),
  )
  const draft: TestDesk['draft'] = (more = {}) => ({
    out_on: '2026-03-02',
    due_back: '2026-03-05',
    lines: [{ item: items['CA-0001'] }],
    ...more,
  })
  return {
    web,
    anna: await web.newcomer('Lotte'),
    ben: await web.newcomer('Moritz'),
    clerk: await web.browser('Dan'),
    manager: await web.browser('Mia'),
    items,
    rows,
    draft,
    async lend(browser, more) {
      const page = await browser.json('POST', '/api/v1/loan', draft(more))
      expect([page.status, page.text]).toEqual([201, expect.any(String)])
      return JSON.parse(page.text) as Loan
    },
  }
}
