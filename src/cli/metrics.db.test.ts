import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Partner, startPartner } from '../run/later/testing.ts'
import { loansAtWork } from '../run/later/testing-loans.ts'
import { itemWith, startTestRun, type TestRun } from '../run/testing.ts'
import { oneAtATime } from '../store/locks.ts'
import { openStore } from '../store/pool.ts'
import { type Metrics, measure, measureFront } from './metrics.ts'

let run: TestRun
let metrics: Metrics
let partner: Partner
let camera: string

beforeAll(async () => {
  const begun = await startTestRun(inject('databaseUrl'))
  metrics = measure(begun.runtime.store, () => begun.now, '1')
  run = Object.assign(begun, { runtime: { ...begun.runtime, observe: metrics.observed } })
  camera = await itemWith(run, 'CA-0001')
  partner = await startPartner()
})
afterAll(async () => {
  partner?.stop()
  await run?.drop()
})

const { round, takenBack, later } = loansAtWork(
  () => run,
  () => partner,
  () => camera,
)
const lines = async () => (await metrics.registry.metrics()).split('\n')
const front = measureFront(() => ({ waiting: 3, refused: 17, serving: 2 }))

test('what waits, since when, what pauses, what was written and what was tried are told by their names in the document', async () => {
  partner.answer = () => ({ status: 503, body: {} })
  await takenBack()
  later(2)
  const waiting = await lines()
  expect(waiting).toContain('ninefold_outbox_waiting{kind="call",name="C-2"} 1')
  expect(waiting).toContain('ninefold_outbox_oldest_seconds{kind="call",name="C-2"} 120')
  expect(waiting).toContain('ninefold_writes_total{entity="loan",what="take_back",outcome="done"} 1')
  for (let attempt = 0; attempt < 5; attempt++) {
    await round()
    later(60)
  }
  const failing = await lines()
  expect(failing).toContain('ninefold_delivery_attempts_total{kind="call",name="C-2",state="waiting"} 5')
  expect(failing).toContain('ninefold_call_paused{name="C-2"} 1')
  expect(failing.filter(line => line.startsWith('ninefold_timers_late_seconds '))).toHaveLength(1)
  partner.answer = () => ({ status: 200, body: { id: 'R-1' } })
  await round()
  const settled = await lines()
  expect(settled.filter(line => /^ninefold_(outbox_waiting|call_paused).*C-2/.test(line))).toEqual([])
})

test('requests are counted by what they may be, never by who or which', async () => {
  metrics.answered({ method: 'GET', route: '/loans/:id', status: 200, seconds: 0.02 })
  const about = (await lines()).filter(line => line.includes('/loans/:id'))
  expect(about).toContain(
    'ninefold_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/loans/:id",status="200"} 1',
  )
  const people = Object.values(run.people)
  expect((await lines()).filter(line => people.some(id => line.includes(id)))).toEqual([])
})

test('a database that does not answer is a figure, and the rest is told all the same', async () => {
  const away = openStore('postgres://nobody:x@127.0.0.1:1/none', { connectTimeout: 100 })
  const said = await measure(away, () => new Date(), '1').registry.metrics()
  await away.close()
  expect(said).toContain('ninefold_database_up 0\n')
  expect(said).toContain('nodejs_eventloop_lag_seconds')
  expect(said).not.toContain('ninefold_outbox_waiting{')
})

test('tables that change, statements that are kept, and who waits at the front are told', async () => {
  const now = async (name: string) => (await lines()).find(line => line.startsWith(`${name} `))
  expect(await now('ninefold_tables_changing')).toBe('ninefold_tables_changing 0')
  expect(await now('ninefold_document_applied_timestamp_seconds')).toMatch(/ 17\d{8}$/)
  await run.runtime.store.inSession(async session => {
    await oneAtATime(session)
    expect(await now('ninefold_tables_changing')).toBe('ninefold_tables_changing 1')
  })
  expect(await now('ninefold_statements_built_total')).toMatch(/ [1-9]\d*$/)
  expect(await now('ninefold_statements_reused_total')).toMatch(/ [1-9]\d*$/)
  const told = await front.metrics()
  expect(told).toContain('ninefold_admission_waiting 3\n')
  expect(await front.metrics()).toContain('ninefold_admission_refused_total 17\n')
  expect(told).toContain('ninefold_processes_serving 2\n')
})

test('a standby that is not read any more is a figure, and none where there is no standby', async () => {
  expect((await lines()).filter(line => line.includes('standby'))).toEqual([])
  metrics.observed({ kind: 'standby', error: null })
  expect(await lines()).toContain('ninefold_standby_read 1')
  metrics.observed({ kind: 'standby', error: 'it is away' })
  expect(await lines()).toContain('ninefold_standby_read 0')
})

test('what is no counter is not called like one', async () => {
  const all = [...(await lines()), ...(await front.metrics()).split('\n')]
  expect(all.filter(line => /^# TYPE \w+_total (?!counter)/.test(line))).toEqual([])
})

test('alert rules and the dashboard ask for nothing that is not told', async () => {
  const told = new Set(
    [...(await lines()), ...(await front.metrics()).split('\n')].flatMap(line => /^# TYPE (\w+)/.exec(line)?.[1] ?? []),
  )
  const folder = join(import.meta.dirname, '../../docs/prometheus')
  for (const file of readdirSync(folder)) {
    const asked = readFileSync(join(folder, file), 'utf8').match(/\b(?:ninefold|nodejs|process)_\w+/g) ?? []
    expect([file, asked.length > 0]).toEqual([file, true])
    for (const name of asked) expect([...told], file).toContain(name.replace(/_(?:bucket|count|sum)$/, ''))
  }
})
