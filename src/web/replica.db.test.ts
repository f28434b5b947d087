/** Reading from a standby, with one of PostgreSQL's own: nobody misses what they wrote, whoever reads where. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { openStore, type Store } from '../store/pool.ts'
import { followReplica, type Replica } from '../store/replica.ts'
import { startTestPair, type TestServer } from '../store/testing.ts'
import { serveTestRun, startTestWeb, type TestWeb } from './testing.ts'

const patient = { connectTimeout: 60_000, statementTimeout: 60_000 }
let pair: { readonly primary: TestServer; readonly standby: TestServer }
let first: TestWeb
let web: TestWeb
let standby: Store
let standbyUrl: string
let replica: Replica

beforeAll(async () => {
  pair = await startTestPair()
  first = await startTestWeb(pair.primary.url)
  const url = new URL(pair.standby.url)
  url.pathname = new URL(first.run.runtime.store.url).pathname
  standbyUrl = url.href
  standby = openStore(standbyUrl, patient)
  replica = followReplica(first.run.runtime.store, standbyUrl, {
    ...patient,
    onChange: () => {},
    mostBehind: 600_000,
    lookEvery: 600_000,
  })
  web = await serveTestRun(first.run, { replica })
}, 120_000)
afterAll(async () => {
  await web?.stop()
  await replica?.close()
  await standby?.close()
  await first?.stop()
  await pair?.standby.stop()
  await pair?.primary.stop()
})

const replay = (what: 'pause' | 'resume') =>
  standby.query(what === 'pause' ? sql`select pg_wal_replay_pause()::text` : sql`select pg_wal_replay_resume()::text`)

/** Until the standby has all that is written by now. */
async function caughtUp(): Promise<void> {
  const [{ place }] = (await first.run.runtime.store.query<{ place: string }>(
    sql`select pg_current_wal_insert_lsn()::text as place`,
  )) as [{ place: string }]
  await expect
    .poll(
      async () => {
        await replica.look()
        return replica.readerFor(place) !== null
      },
      { timeout: 60_000 },
    )
    .toBe(true)
}

test('whoever wrote reads what they wrote, and others read from the standby meanwhile', async () => {
  const [cleo, dan] = [await web.browser('Cleo'), await web.browser('Dan')]
  await caughtUp()
  await replay('pause')
  const items = async (browser: typeof cleo) => {
    const { text } = await browser.json('GET', '/api/v1/item?count=yes')
    return (JSON.parse(text) as { count: number }).count
  }
  const before = await items(dan)
  await first.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update public.item set name = 'Sony A7 renamed' where tag = 'CA-0001'`),
  )
  // It is read there: this is not there yet.
  const named = (browser: typeof cleo) => browser.get('/loans/new').then(({ text }) => text.includes('renamed'))
  expect([await named(cleo), await named(dan)]).toEqual([false, false])
  expect(await items(cleo)).toBe(before)
  const [item] = await first.run.runtime.store.query<{ id: string }>(
    sql`select id from public.item where tag = 'CA-0001'`,
  )
  const made = await cleo.json('POST', '/api/v1/loan', {
    out_on: '2026-03-02',
    due_back: '2026-03-05',
    lines: [{ item: item!.id }],
  })
  expect(made.status).toBe(201)
  const { id } = JSON.parse(made.text) as { id: string }
  expect((await cleo.json('GET', `/api/v1/loan/${id}`)).status).toBe(200)
  expect(await named(cleo)).toBe(true)
  // What looks for news is told of what is new, whoever asks.
  expect((await dan.json('GET', `/api/v1/loan/${id}`)).status).toBe(404)
  expect(await named(dan)).toBe(false)
  await replay('resume')
  await caughtUp()
  expect((await dan.json('GET', `/api/v1/loan/${id}`)).status).toBe(200)
})

test('a standby far behind, of other records or gone is not read, and all is answered', async () => {
  const { store } = first.run.runtime
  const another = (url: string, mostBehind: number, connectTimeout = 60_000) => {
    const why: (string | null)[] = []
    const onChange = (one: string | null) => why.push(one)
    return {
      why,
      replica: followReplica(store, url, { ...patient, connectTimeout, onChange, mostBehind, lookEvery: 600_000 }),
    }
  }
  const elsewhere = new URL(standbyUrl)
  elsewhere.pathname = '/postgres'
  await replay('pause')
  await store.inTransaction(tx => tx.write(sql`update public.item set name = 'Sony A7' where tag = 'CA-0001'`))
  const all = [another(standbyUrl, 0), another(elsewhere.href, 600_000), another(store.url, 600_000)]
  for (const { replica: one } of all) {
    await one.look()
    expect(one.readerFor(null)).toBe(null)
  }
  expect(all.map(({ why }) => why.at(-1))).toEqual([
    'it is more than 0 seconds behind',
    'it is no standby of the database that DATABASE_URL names',
    'it is no standby',
  ])
  for (const { replica: one } of all) await one.close()
  await replay('resume')
  await caughtUp()
  const brief = another(standbyUrl, 600_000, 5000)
  const beside = await serveTestRun(first.run, { replica: brief.replica })
  const dan = await beside.browser('Dan')
  await brief.replica.look()
  expect(brief.why).toEqual([null])
  await pair.standby.stop()
  expect((await dan.get('/loans/new')).status).toBe(200)
  expect(brief.why.at(-1)).toEqual(expect.any(String))
  expect(brief.replica.readerFor(null)).toBe(null)
  await beside.stop()
  await brief.replica.close()
})
