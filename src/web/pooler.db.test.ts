/** Behind PgBouncer in transaction mode, with PostgreSQL itself beside it: more clients than connections, and nobody notices. */
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import { loanDesk, readSound, startTestRun, type TestRun } from '../run/testing.ts'
import { applyMigration, planMigration } from '../store/migrate.ts'
import { openStore, type Store } from '../store/pool.ts'
import { refuseAnother, refusePooler } from '../store/pooler.ts'
import { type Bouncer, hasPgBouncer, startPgBouncer } from '../store/testing-pgbouncer.ts'
import { serveTestRun, type TestWeb } from './testing.ts'

const patient = { connectTimeout: 60_000, statementTimeout: 60_000, lockTimeout: 60_000 }
let run: TestRun
let bouncer: Bouncer
let directUrl: string
let store: Store
let web: TestWeb

beforeAll(async () => {
  if (!hasPgBouncer) return
  run = await startTestRun(inject('databaseUrl'))
  directUrl = run.runtime.store.url
  const name = new URL(directUrl).pathname.slice(1)
  // What each new connection of the pooler begins with.
  for (const setting of ["datestyle = 'German'", "timezone = 'Asia/Tokyo'", "search_path = 'nowhere'"])
    await run.runtime.store.query(raw(`alter database ${name} set ${setting}`))
  bouncer = await startPgBouncer(directUrl, 'transaction')
  store = openStore(bouncer.url, { ...patient, connections: 12, directUrl })
  web = await serveTestRun({ ...run, runtime: { ...run.runtime, store } })
})
afterAll(async () => {
  await web?.stop()
  await store?.close()
  await bouncer?.stop()
  await run?.drop()
})

const tried = test.runIf(hasPgBouncer)

tried('every statement and every transaction has its settings, and leaves none behind', async () => {
  const asked = sql`select date '2026-03-28' as day, interval '90 minutes' as long, current_setting('search_path') as path,
    current_setting('lock_timeout') as lock, extract(timezone from now())::text as zone`
  const path = 'ninefold_beside, public'
  const wanted = { day: '2026-03-28', long: 'PT5400S', path, lock: '1min', zone: '0' }
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, at) => (at % 2 ? store.query(asked) : store.inTransaction(tx => tx.query(asked)))),
  )
  expect(all).toEqual(all.map(() => [wanted]))
  const raws = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const client = new Client({ connectionString: bouncer.url })
      await client.connect()
      // Until all three have one.
      await client.query('begin')
      return client
    }),
  )
  for (const client of raws) {
    const { rows } = await client.query(
      "select current_setting('search_path') as path, array(select name from pg_prepared_statements)::text as prepared",
    )
    expect(rows[0].path).toBe('nowhere')
    expect(['{}', '{ninefold_named}']).toContain(rows[0].prepared)
    await client.end()
  }
})

tried('limits of time and locks hold, what is done aside is done, and a failure leaves nothing', async () => {
  const hasty = openStore(bouncer.url, { ...patient, statementTimeout: 50, directUrl })
  await expect(hasty.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
  await expect(hasty.inTransaction(tx => tx.query(sql`select pg_sleep(5)`))).rejects.toMatchObject({ code: '57014' })
  await hasty.close()
  const rename = sql`update public.item set name = 'Lost' where tag = 'CA-0001'`
  const failing = store.inTransaction(async tx => {
    await tx.write(rename)
    await tx.attempt(() => tx.query(sql`select 1 / 0`)).catch(() => {})
    await tx.query(sql`select 1 / 0`)
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await store.query(sql`select name from public.item where name = 'Lost'`)).toEqual([])
  const { value, statements } = await store.counted(() => store.query(sql`select 1 as one`))
  expect([value, statements.length]).toEqual([[{ one: '1' }], 2])
})

tried('many write at once through few connections, and whoever listens is told', async () => {
  const other = openStore(bouncer.url, { ...patient, directUrl })
  const told = new Set<string>()
  const end = other.listen(written => {
    for (const id of written?.get('loan')?.keys() ?? []) told.add(id)
  })
  const dan = await web.browser('Dan')
  const [item] = await store.query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  await expect
    .poll(async () => {
      await store.inTransaction(async tx => tx.tell('loan', 'here', null))
      return told.has('here')
    })
    .toBe(true)
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, at) => {
      const on = (day: number) => `2026-${String(4 + (at % 8)).padStart(2, '0')}-0${2 * Math.floor(at / 8) + day}`
      const loan = { out_on: on(1), due_back: on(2), lines: [{ item: item!.id }] }
      return dan.json('POST', '/api/v1/loan', loan, { 'idempotency-key': `key-${at}` })
    }),
  )
  expect(made.map(({ status, text }) => (status === 201 ? 201 : text))).toEqual(made.map(() => 201))
  const ids = made.map(({ text }) => (JSON.parse(text) as { id: string }).id)
  expect(new Set(ids).size).toBe(24)
  await expect.poll(() => ids.filter(id => told.has(id)).length).toBe(24)
  expect((await dan.get('/loans')).status).toBe(200)
  end()
  await other.close()
})

tried('a newer document is applied around it, and served through it', async () => {
  const name = '| name | text 80 | required; searchable | |\n'
  const newer = readSound(loanDesk, text => text.replace(name, `${name}| colour | text 20 | | |\n`))
  const plan = await planMigration(store, newer)
  expect([plan.possible, plan.steps.length > 0]).toEqual([true, true])
  await applyMigration(store, newer, null, { now: run.now })
  expect((await planMigration(store, newer)).steps).toEqual([])
  expect(await store.query(sql`select colour from public.item limit 1`)).toHaveLength(1)
  // The version before goes on, with what was prepared before the tables changed.
  const dan = await web.browser('Dan')
  expect((await dan.get('/loans')).status).toBe(200)
})

tried('alone it is refused, and so is a way around it that leads through it or elsewhere', async () => {
  const through = openStore(bouncer.url, patient)
  await expect(refusePooler(through)).rejects.toMatchObject({ hint: expect.stringContaining('DATABASE_DIRECT_URL') })
  await through.close()
  const twice = openStore(bouncer.url, { ...patient, directUrl: bouncer.url })
  await expect(refusePooler(twice, 'DATABASE_DIRECT_URL')).rejects.toThrow('DATABASE_DIRECT_URL names a pooler')
  await twice.close()
  const elsewhere = openStore(bouncer.url, { ...patient, directUrl: inject('databaseUrl') })
  await expect(refuseAnother(elsewhere)).rejects.toThrow('another database')
  await elsewhere.close()
  await refusePooler(store, 'DATABASE_DIRECT_URL')
  await refuseAnother(store)
})
