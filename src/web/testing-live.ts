/** For tests: what a browser hears over its connection. */
import { expect } from 'vitest'
import { sql } from '../expression/sql.ts'
import type { Store } from '../store/pool.ts'
import { livePath } from './paths.ts'
import type { TestBrowser } from './testing.ts'

export interface Hearing {
  readonly response: Response
  /** What came of this event, as lines. */
  readonly of: (event: string) => readonly string[]
  /** Waits for one more of it. */
  readonly until: (event: string) => Promise<void>
  readonly end: () => void
}

/** From then on. `pages`: addresses, each with those of the records that stand on it. */
export async function hear(
  browser: TestBrowser,
  pages: readonly (readonly [at: string, ...of: string[]])[],
  store: Store,
): Promise<Hearing> {
  const query = new URLSearchParams(
    pages.flatMap(([at, ...of]) => [['at', at], ...of.map(link => ['of', link])] as string[][]),
  )
  const ending = new AbortController()
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${browser.url}${livePath}?${query}`, { headers: { cookie }, signal: ending.signal })
  const heard: { readonly event: string; readonly data: string }[] = []
  const waiting = new Set<(event: string) => void>()
  void (async () => {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read())
      for (const [, event, data] of part.value.matchAll(/event: (\w+)\ndata: (.*)/g)) {
        heard.push({ event: event!, data: data! })
        for (const done of waiting) done(event!)
      }
  })().catch(() => {})
  const until = (wanted: string) =>
    new Promise<void>(resolve => {
      const done = (event: string) => {
        if (event !== wanted) return
        waiting.delete(done)
        resolve()
      }
      waiting.add(done)
    })
  await expect
    .poll(() =>
      store.query(sql`select from pg_stat_activity where datname = current_database() and query like 'listen%'`),
    )
    .not.toEqual([])
  const of = (wanted: string) => heard.flatMap(({ event, data }) => (event === wanted ? [data] : []))
  return { response, of, until, end: () => ending.abort() }
}
