/** Child rows with rows for roles of their own under heading 6: what somebody does with the list of a record goes no further than those. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Outcome } from '../outcome.ts'
import { readForm } from '../read/form.ts'
import { done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, takeStep } from '../write/writes.ts'
import { policyFor } from './policy.ts'
import { readWhy } from './why.ts'

const notes = join(import.meta.dirname, '../fixtures/notes.md')
let run: TestRun
let ticket: string

type Row = Readonly<Record<string, Wire>>

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(notes))
})
afterAll(() => run?.drop())
beforeEach(async () => {
  ticket = await made(run, 'Ann', 'ticket', input({ name: 'Lamp' }))
  done(
    await put('Ann', [
      { text: 'a', price: '7' },
      { text: 'b', price: '1', open: true },
      { text: 'c', price: '2' },
    ]),
  )
})

const inputOf = (rows: readonly Row[]) => ({
  values: {},
  invalidValues: [],
  children: { notes: rows.map(({ id = null, ...values }) => ({ id: id as string | null, values })) },
})
const put = async (who: string, rows: readonly Row[]) =>
  change(run.runtime, await run.as(who), 'ticket', ticket, null, inputOf(rows))
const stored = async () =>
  (
    await run.runtime.store.query<{ text: string }>(
      sql`select n.text || ' of ' || p.name as text from note as n join person as p on p.id = n.author where ticket = ${ticket}::uuid order by n.position`,
    )
  ).map(({ text }) => text)
const seen = async (who: string) => {
  const form = await readForm(run.runtime, await run.as(who), 'ticket', { field: 'id', value: ticket })
  return form!.values.notes as readonly Row[]
}
const told = (outcome: Outcome) =>
  outcome.kind === 'refused' ? outcome.problems.map(({ code, field, message }) => [code, field, message]) : outcome.kind

test('rows that somebody does not see stay in their place, whatever is done with the list', async () => {
  const [b] = await seen('Bob')
  expect([b?.text, (await seen('Bob')).length]).toEqual(['b', 1])
  done(await put('Bob', [{ id: b!.id! }, { text: 'd' }]))
  expect(await stored()).toEqual(['a of Ann', 'b of Ann', 'c of Ann', 'd of Bob'])
  const [, d] = await seen('Bob')
  expect(told(await put('Bob', [{ id: b!.id!, text: 'mine' }, { id: d!.id! }]))).toEqual([
    ['NF-CHANGE-DENIED', 'notes.0', 'You may not change this Note now.'],
  ])
  expect(told(await put('Bob', [{ id: d!.id! }]))).toEqual([
    ['NF-DELETE-DENIED', 'notes', 'You may not delete this Note now.'],
  ])
  const a = (await seen('Ann'))[0]!
  expect(told(await put('Bob', [{ id: a.id! }, { id: b!.id! }, { id: d!.id! }]))).toEqual([
    ['NF-NO-RECORD', 'notes.0', expect.any(String)],
    ['NF-REQUIRED', 'notes.0.text', 'Text is missing.'],
  ])
  const form = await readForm(run.runtime, await run.as('Bob'), 'ticket', { field: 'id', value: ticket })
  expect([...form!.closedRows.change, ...form!.closedRows.delete]).toEqual([b!.id, b!.id])
  done(await put('Bob', [{ id: b!.id! }]))
  expect(await stored()).toEqual(['a of Ann', 'b of Ann', 'c of Ann'])
  done(await put('Eve', []))
  expect(await stored()).toEqual([])
})

test('what the row `never` closes stays closed in the list of a record', async () => {
  const stamps = async (kinds: readonly Row[]) => {
    const { children, ...rest } = inputOf(kinds)
    return change(run.runtime, await run.as('Eve'), 'ticket', ticket, null, {
      ...rest,
      children: { stamps: children.notes },
    })
  }
  done(await stamps([{ kind: 'Paid' }, { kind: 'Seen' }]))
  const form = await readForm(run.runtime, await run.as('Eve'), 'ticket', { field: 'id', value: ticket })
  const [paid] = form!.values.stamps as readonly Row[]
  expect(told(await stamps([]))).toEqual([['NF-DELETE-DENIED', 'stamps', 'You may not delete this Stamp now.']])
  done(await stamps([{ id: paid!.id! }]))
})

test('nobody makes a row that they may not make, with its record or later', async () => {
  const ann = (await run.as('Ann')).actor.id
  const [b] = await seen('Bob')
  expect(told(await put('Bob', [{ id: b!.id! }, { text: 'd', author: ann }]))).toEqual([
    ['NF-CREATE-DENIED', 'notes.1', 'You may not create Note.'],
  ])
  const named = { ...inputOf([{ text: 'd' }, { text: 'e', author: ann }]), values: { name: 'Desk' } }
  expect(told(await create(run.runtime, await run.as('Bob'), 'ticket', named))).toEqual([
    ['NF-CREATE-DENIED', 'notes.1', 'You may not create Note.'],
  ])
})

test('a field of a row is given and changed by whom its line names, where their row allows it', async () => {
  const ann = (await run.as('Ann')).actor.id
  const rows = (await seen('Eve')).map(({ id }) => ({ id: id! }))
  done(await put('Ann', [{ ...rows[0]!, price: '8' }, ...rows.slice(1)]))
  expect(told(await put('Eve', [{ ...rows[0]!, price: '9' }, ...rows.slice(1)]))).toEqual([
    ['NF-FIELD-DENIED', 'notes.0.price', 'You may not change Price here.'],
  ])
  done(await put('Eve', [...rows, { text: 'd', author: ann }, { text: 'e', price: '1' }]))
  expect(told(await put('Eve', [...rows, { text: 'd', author: ann, price: '1' }]))).toEqual([
    ['NF-FIELD-DENIED', 'notes.3.price', 'You may not change Price here.'],
  ])
})

test('rows are counted as whoever asks sees them, and nothing is told of others', async () => {
  const [b] = await seen('Bob')
  expect(told(await put('Bob', [{ id: b!.id! }, { text: 'd', price: '11' }]))).toEqual([
    ['NF-MAX', 'notes.1.price', expect.any(String)],
  ])
  done(await put('Bob', [{ id: b!.id! }, { text: 'd', price: '9' }]))
  expect(told(await takeStep(run.runtime, await run.as('Bob'), 'ticket', ticket, 'close', null))).toEqual([
    ['E-DEAR', 'notes', expect.not.stringMatching(/7|for a/)],
    ['E-DEAR', 'notes.1.price', '9 for d is too dear.'],
  ])
})

test('of somebody with several roles it is told which of their rows decide', async () => {
  const [a] = await seen('Ann')
  const changes = async (who: string) =>
    (await readWhy(run.runtime, await run.as(who), {
      entity: 'note',
      by: { field: 'id', value: String(a!.id) },
    }))!.verbs
      .find(({ verb }) => verb === 'change')!
      .rows.map(({ role }) => role)
  expect([await changes('Ann'), await changes('Eve')]).toEqual([['Clerk'], ['Boss']])

  const other = readSound(notes, text =>
    text
      .replace('| Boss | appointed', '| Mate | everyone signed in |\n| Boss | appointed')
      .replace('| Boss | yes | yes | yes | yes |\n\n| Field', '| Mate | yes | no | `open` | no |\n\n| Field'),
  )
  const { actor } = await run.as('Ann')
  const { cell, also } = policyFor(other, { ...actor, roles: ['Clerk', 'Mate'] }).because('note', 'change', false)
  expect([cell, ...(also ?? [])].map(({ text }) => text)).toEqual(['author = me', 'open'])
})
