/** Whoever may not be seen, or stands in a closed field, is named nowhere else: not by the timeline, the approvals, a comment, a notice or a mail. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { addComment, mentionable } from '../people/commenting.ts'
import { readComments } from '../people/comments.ts'
import { readNotices } from '../people/notices.ts'
import { readOptions } from '../read/options.ts'
import { read } from '../read/read.ts'
import { done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, takeStep } from '../write/writes.ts'

let run: TestRun
let paper: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/blind.md')))
  paper = await made(run, 'Ada', 'paper', input({ title: 'Tides' }, { others: [{ name: 'Zed' }] }))
  const reviewers = [run.people.Rita, run.people.Rob].join(' ')
  done(await change(run.runtime, await run.as('Cho'), 'paper', paper, null, input({ reviewers })))
  done(await takeStep(run.runtime, await run.as('Rita'), 'paper', paper, 'rate', null))
})
afterAll(() => run?.drop())

const seenBy = async (who: string) => {
  const need = { kind: 'one', entity: 'paper', by: { field: 'id', value: paper }, history: 20 } as const
  return (await read(run.runtime, await run.as(who), need))!
}
const timeline = async (who: string) =>
  (await seenBy(who)).history.map(entry => [entry.what, entry.who]).sort() as [string, string | null][]

test('the timeline names who is not kept from its reader, and everybody to themselves', async () => {
  expect(await timeline('Ada')).toEqual([
    ['create', 'Ada'],
    ['step', ''],
  ])
  expect(await timeline('Rita')).toEqual([
    ['create', ''],
    ['step', 'Rita'],
  ])
  expect(await timeline('Rob')).toEqual([
    ['create', ''],
    ['step', ''],
  ])
  expect(await timeline('Cho')).toEqual([
    ['change', 'Cho'],
    ['create', ''],
    ['step', 'Rita'],
  ])
})

test('a column of who created it is empty where its author is closed', async () => {
  const need: RowsNeed = {
    kind: 'rows',
    entity: 'paper',
    columns: ['title', 'created_by'],
    where: null,
    filters: [],
    search: null,
    sort: [],
    after: null,
    before: null,
    limit: 25,
    countTo: 1000,
  }
  const created = async (who: string) =>
    (await read(run.runtime, await run.as(who), need))!.rows.map(({ values, labels }) => [
      values.created_by,
      labels.created_by,
    ])
  expect(await created('Ada')).toEqual([[run.people.Ada, 'Ada']])
  expect(await created('Rob')).toEqual([[undefined, undefined]])
})

test('who decided, and who has not, is told to those who see whom the record names', async () => {
  done(await takeStep(run.runtime, await run.as('Rob'), 'paper', paper, 'accept', null))
  const told = async (who: string) =>
    (await seenBy(who)).approvals.map(({ decisions, waiting }) => [decisions[0]!.who, waiting])
  expect(await told('Cho')).toEqual([['Rob', ['Rita']]])
  expect(await told('Ada')).toEqual([['', []]])
  expect((await timeline('Ada')).filter(([what]) => what === 'decision')).toEqual([['decision', '']])
})

test('a comment, its notice and its mail do not tell either; nobody is offered to be mentioned', async () => {
  const { store } = run.runtime
  done(await addComment(run.runtime, await run.as('Rita'), 'paper', paper, { text: 'Figure 2 is missing.' }))
  const [said] = (await readComments(run.runtime, await run.as('Ada'), 'paper', paper, null))!.comments
  expect([said!.text, said!.who]).toEqual(['Figure 2 is missing.', null])
  const [notice] = (await readNotices(run.runtime, await run.as('Ada'), { by: {} })).notices
  expect([notice!.text, notice!.who]).toEqual(['Figure 2 is missing.', null])
  const mails = await store.query<{ payload: { to: { name: string }; subject: string } }>(
    sql`select payload from ninefold.outbox where kind = 'mail'`,
  )
  const subjectTo = (who: string) => mails.find(({ payload }) => payload.to.name === who)?.payload.subject
  expect(subjectTo('Ada')).toMatch(/Reviews/)
  expect(subjectTo('Ada')).not.toContain('Rita')
  const offered = async (who: string) =>
    mentionable(run.runtime, await run.as(who), { entity: 'paper', record: paper, search: 'r' })
  expect(await offered('Ada')).toEqual([])
  expect(await offered('Cho')).toEqual(['Rita', 'Rob'])
})

test('whoever heading 6 does not show is named by nothing that they do, and offered nowhere', async () => {
  done(await change(run.runtime, await run.as('Cho'), 'paper', paper, null, input({ title: 'Tides II' })))
  done(await addComment(run.runtime, await run.as('Cho'), 'paper', paper, { text: 'Renamed.' }))
  const about = { entity: 'paper', record: paper }
  const told = async (who: string) => {
    const [said] = (await readComments(run.runtime, await run.as(who), 'paper', paper, null))!.comments
    const changed = (await timeline(who)).flatMap(([what, by]) => (what === 'change' ? [by] : []))
    const mentioned = await mentionable(run.runtime, await run.as(who), { ...about, search: 'ch' })
    return [said!.who, [...new Set(changed)], mentioned]
  }
  expect(await told('Ada')).toEqual([null, [''], []])
  expect(await told('Cho')).toEqual(['Cho', ['Cho'], []])
  expect((await readNotices(run.runtime, await run.as('Ada'), { by: {} })).notices[0]!.who).toBe(null)
  const offered = async (who: string) => {
    const need = { entity: 'paper', field: 'author', search: null, limit: 10, fixed: {} } as const
    return (await readOptions(run.runtime, await run.as(who), need)).options.map(({ label }) => label)
  }
  expect(await offered('Ada')).not.toContain('Cho')
  expect(await offered('Cho')).toContain('Cho')
})

test('a list that is closed on a record is not there, rather than empty', async () => {
  expect((await seenBy('Rita')).children).toEqual({})
  expect((await seenBy('Ada')).children.others).toHaveLength(1)
})
