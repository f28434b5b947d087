/** What has happened goes when the constants of the document say so, and nothing goes that somebody still needs. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw } from '../expression/sql.ts'
import { forgetPast } from './retention.ts'
import { loanDesk, readSound, startTestRun, type TestRun, testId } from './testing.ts'

const first = '| max_loan_days | 14 | days | 1 to 60 | Manager | |\n'
const days = { sent_days: 10, history_days: 30, job_days: 5 }
const withLimits = (text: string) =>
  text.replace(
    first,
    first +
      Object.entries(days)
        .map(([name, count]) => `| ${name} | ${count} | days | | | |\n`)
        .join(''),
  )

let run: TestRun
let person: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(loanDesk, withLimits))
  person = Object.values(run.people)[0]!
})
afterAll(() => run?.drop())
beforeEach(async () => {
  for (const table of ['history', 'outbox', 'job', 'comment', 'decision']) await all(`delete from ninefold.${table}`)
})

const all = (text: string) => run.runtime.store.query(raw(text))
const ago = (days: number) => new Date(run.now.getTime() - days * 86_400_000).toISOString()
const forget = () => forgetPast(run.runtime, run.door())
const record = testId()

const happened = async (days: number, changes: unknown = {}, actor: string | null = null) => {
  const id = testId()
  await all(`insert into ninefold.history (id, at, entity, record, version, what, kind, changes, actor, request, document)
    values ('${id}', '${ago(days)}', 'loan', '${record}', 1, 'change', 'change', '${JSON.stringify(changes)}', ${actor === null ? 'null' : `'${actor}'`}, 'r', 'd')`)
  return id
}
const sent = (days: number, state: string) =>
  all(`insert into ninefold.outbox (id, kind, name, entity, record, payload, repeat_key, state, due_at, created_at, request, document)
    values ('${testId()}', 'mail', 'm', 'loan', '${record}', '{}', '${testId()}', '${state}', '${ago(days)}', '${ago(days)}', 'r', 'd')`)

test('the history goes when it is older than `history_days`, in as many portions as it takes', async () => {
  await all(`insert into ninefold.history (id, at, entity, record, version, what, kind, request, document)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${ago(31)}', 'loan', '${record}', n, 'change', 'change', 'r', 'd' from generate_series(1, 2500) n`)
  const newer = await happened(29)
  expect(await forget()).toBe(2500)
  expect(await all('select id from ninefold.history')).toEqual([{ id: newer }])
  expect(await forget()).toBe(0)
})

test('what keeps a name from being told stays as long as that person is named by anything newer', async () => {
  const named = await happened(40, { reviewer: [null, person] })
  await happened(39, { reviewer: [null, testId()] })
  const byThem = await happened(20, {}, person)
  expect(await forget()).toBe(1)
  expect(await all('select id from ninefold.history order by id')).toEqual([{ id: named }, { id: byThem }])
  await all('delete from ninefold.history where actor is not null')
  await all(
    `insert into ninefold.comment (id, entity, record, person, at, text) values ('${testId()}', 'loan', '${record}', '${person}', now(), 'x')`,
  )
  expect(await forget()).toBe(0)
  await all('delete from ninefold.comment')
  expect(await forget()).toBe(1)
})

test('what left goes after `sent_days`; what did not leave waits for somebody', async () => {
  for (const state of ['delivered', 'unaddressed', 'withdrawn', 'waiting', 'failed']) await sent(11, state)
  await sent(9, 'delivered')
  expect(await forget()).toBe(3)
  expect(await all('select state from ninefold.outbox order by state')).toEqual([
    { state: 'delivered' },
    { state: 'failed' },
    { state: 'waiting' },
  ])
})

test('work on many records goes after `job_days` with its rows, unless it is under way', async () => {
  for (const state of ['done', 'applying', 'draft']) {
    const id = testId()
    await all(`insert into ninefold.job (id, kind, entity, person, what, state, locale, made_at)
      values ('${id}', 'import', 'loan', '${person}', '{}', '${state}', 'en', '${ago(6)}')`)
    await all(`insert into ninefold.job_row (job, number, state) values ('${id}', 1, 'done')`)
  }
  expect(await forget()).toBe(2)
  expect(await all('select j.state from ninefold.job_row join ninefold.job as j on j.id = job')).toEqual([
    { state: 'applying' },
  ])
})
