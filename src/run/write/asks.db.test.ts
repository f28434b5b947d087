/** What steps ask for, what states lock, and who is named in fields. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Input } from '../outcome.ts'
import { readForm } from '../read/form.ts'
import { read } from '../read/read.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, remove, takeStep } from './writes.ts'

let run: TestRun

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/requests.md')))
})
afterAll(() => run?.drop())

// Sven is Staff, Cleo is a Clerk, Anna is the Chief.
const newRequest = (who = 'Sven', values: Record<string, Wire> = {}) =>
  made(
    run,
    who,
    'request',
    input({ title: 'Chairs', amount: '200.00', approver: run.people.Cleo!, ...values }, { lines: [{ what: 'Chair' }] }),
  )
const step = async (who: string, id: string, key: string, given?: Input) =>
  takeStep(run.runtime, await run.as(who), 'request', id, key, null, given)
const asked = async (values: Record<string, Wire> = {}) => {
  const id = await newRequest('Sven', values)
  done(await step('Sven', id, 'submit'))
  return id
}
const approved = async (values: Record<string, Wire> = {}) => {
  const id = await asked(values)
  done(await step('Cleo', id, 'approve'))
  return id
}
const row = async (id: string) => {
  const [found] = await run.runtime.store.query<Record<string, Wire>>(sql`select * from request where id = ${id}`)
  return found!
}
const put = async (who: string, id: string, given: Input) =>
  change(run.runtime, await run.as(who), 'request', id, null, given)

test('a required reason must be given with the step, by whoever may take it, and stands in the history', async () => {
  const id = await asked()
  for (const given of [undefined, input({}), input({ reason: null }), input({ reason: '' }), input({ urgent: true })])
    expect(await step('Cleo', id, 'refuse', given)).toMatchObject({
      kind: 'refused',
      problems: [{ code: 'NF-REQUIRED', field: 'reason', status: 422, because: { text: 'reason required' } }],
    })
  expect(await row(id)).toMatchObject({ state: 'Asked', reason: null, version: '2' })
  // `set by steps only`: not by a change, but by the step that asks for it.
  expect(codes(await put('Cleo', id, input({ reason: 'No' })))).toEqual(['NF-FIXED'])
  done(await step('Cleo', id, 'refuse', input({ reason: 'Too dear', urgent: true })))
  expect(await row(id)).toMatchObject({ state: 'Refused', reason: 'Too dear', urgent: true })
  const [entry] = await run.runtime.store.query<{ changes: unknown }>(
    sql`select changes from ninefold.history where record = ${id} and what = 'refuse'`,
  )
  expect(JSON.stringify(entry!.changes)).toContain('Too dear')
  // The reason of the last time is not a reason for this time.
  done(await step('Sven', id, 'reopen', input({ remarks: 'Cheaper ones' })))
  done(await step('Sven', id, 'submit'))
  expect(codes(await step('Cleo', id, 'refuse'))).toEqual(['NF-REQUIRED'])
})

test('only what a step asks for is accepted with it', async () => {
  const id = await asked()
  const refuse = (values: Record<string, Wire>) => step('Cleo', id, 'refuse', input({ reason: 'No', ...values }))
  expect(codes(await refuse({ remarks: 'x' }))).toEqual(['NF-NOT-ASKED'])
  expect(codes(await refuse({ title: 'Tables' }))).toEqual(['NF-NOT-ASKED'])
  expect(codes(await refuse({ state: 'Paid' }))).toEqual(['NF-NOT-ASKED'])
  expect(codes(await refuse({ requested_by: run.people.Cleo! }))).toEqual(['NF-NOT-ASKED'])
  expect(codes(await step('Cleo', id, 'refuse', input({ reason: 'No' }, { lines: [] })))).toEqual(['NF-NOT-ASKED'])
  expect(codes(await step('Cleo', id, 'approve', input({ amount: '1.00' })))).toEqual(['NF-NOT-ASKED'])
  expect(codes(await refuse({ reason: 'x'.repeat(201) }))).toEqual(['NF-TOO-LONG'])
  expect(await row(id)).toMatchObject({ state: 'Asked', remarks: null, title: 'Chairs' })
  done(await refuse({}))
})

test('who may not take the step is told that, not what is wrong with the values', async () => {
  const id = await asked()
  expect(codes(await step('Sven', id, 'refuse', input({ reason: '' })))).toEqual(['NF-STEP-DENIED'])
  expect(codes(await step('Anna', id, 'pay', input({ paid_on: 'never' })))).toEqual(['NF-STEP-STATE'])
  // What nobody asks for tells nothing of what stands in it.
  const approval = (amount: string) => step('Cleo', id, 'approve', input({ amount }))
  expect([await approval('200.00'), await approval('1.00')].map(codes)).toEqual([['NF-NOT-ASKED'], ['NF-NOT-ASKED']])
})

test('branches ask for different things, and the rules of the step see what was given', async () => {
  const dear = await approved({ amount: '1000.01' })
  expect(codes(await step('Anna', dear, 'pay', input({ paid_on: '2026-03-02' })))).toEqual(['NF-REQUIRED'])
  expect(await step('Anna', dear, 'pay', input({ reason: 'Needed', paid_on: '2026-03-01' }))).toMatchObject({
    problems: [{ code: 'E-1', field: 'paid_on' }],
  })
  done(await step('Anna', dear, 'pay', input({ reason: 'Needed', paid_on: '2026-03-02' })))
  expect(await row(dear)).toMatchObject({ state: 'Paid', remarks: 'Needed', paid_on: '2026-03-02' })

  const cheap = await approved({ amount: '1000.00' })
  expect(codes(await step('Anna', cheap, 'pay', input({ reason: 'Needed' })))).toEqual(['NF-NOT-ASKED'])
  done(await step('Anna', cheap, 'pay', input({ reason: null })))
  expect(await row(cheap)).toMatchObject({ state: 'Paid', paid_on: null, reason: null })
})

test('the same step twenty times at once: one reason, one entry', async () => {
  const id = await asked()
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => step('Cleo', id, 'refuse', input({ reason: `Reason ${n}` }))),
  )
  const winner = outcomes.findIndex(({ kind }) => kind === 'done')
  expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1)
  expect(await row(id)).toMatchObject({ reason: `Reason ${winner}`, version: '3' })
})

test('what a state locks cannot be changed in it, and says the state and the line', async () => {
  const id = await asked()
  expect(await put('Anna', id, input({ title: 'Tables' }))).toMatchObject({
    kind: 'refused',
    problems: [
      {
        code: 'NF-LOCKED',
        field: 'title',
        status: 409,
        message: 'Title cannot be changed in state Asked.',
        because: { text: 'title, lines' },
      },
    ],
  })
  expect(codes(await put('Anna', id, input({}, { lines: [{ what: 'Table' }] })))).toEqual(['NF-LOCKED'])
  done(await put('Anna', id, input({ remarks: 'Soon', title: 'Chairs' })))
  done(await step('Cleo', id, 'approve'))
  expect(codes(await put('Anna', id, input({ amount: '1.00', urgent: true })))).toEqual(['NF-LOCKED', 'NF-LOCKED'])
  done(await put('Anna', id, input({ remarks: 'Now' })))
  expect(await remove(run.runtime, await run.as('Anna'), 'request', id, null)).toMatchObject({
    problems: [{ code: 'NF-LOCKED-DELETE', because: { text: 'all except remarks' } }],
  })
  // A step still sets what it sets and asks for, and leads out of the lock.
  done(await step('Anna', id, 'pay', input({ paid_on: '2026-03-02' })))
  expect(codes(await put('Anna', id, input({ remarks: 'Late' })))).toEqual(['NF-LOCKED'])
  expect(codes(await remove(run.runtime, await run.as('Anna'), 'request', id, null))).toEqual(['NF-LOCKED-DELETE'])
  const open = await asked()
  done(await remove(run.runtime, await run.as('Anna'), 'request', open, null))
})

test('who does not see the state is not told of it by what it locks', async () => {
  const blind = readSound(join(import.meta.dirname, '../fixtures/requests.md'), text =>
    text.replace('| paid_on | Chief | none |', '$&\n| state | Clerk | none |'),
  )
  const other = await startTestRun(inject('databaseUrl'), blind)
  try {
    const id = await made(
      other,
      'Sven',
      'request',
      input({ title: 'Chairs', amount: '200.00', approver: other.people.Cleo! }),
    )
    done(await takeStep(other.runtime, await other.as('Sven'), 'request', id, 'submit', null))
    const anna = await other.as('Anna')
    const access = other.runtime.app.access.get('request')!.cell
    expect(await change(other.runtime, anna, 'request', id, null, input({ title: 'Tables' }))).toMatchObject({
      problems: [{ code: 'NF-FIELD-DENIED', because: access }],
    })
    done(await takeStep(other.runtime, await other.as('Cleo'), 'request', id, 'approve', null))
    expect(codes(await remove(other.runtime, anna, 'request', id, null))).toEqual(['NF-DELETE-DENIED'])
  } finally {
    await other.drop()
  }
})

test('a change that races with the step into the lock is either before it or refused', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await newRequest()
    const [changed, stepped] = await Promise.all([
      put('Anna', id, input({ title: 'Tables' })),
      step('Sven', id, 'submit'),
    ])
    done(stepped)
    expect([['NF-LOCKED'], []]).toContainEqual(codes(changed))
    expect((await row(id)).title).toBe(changed.kind === 'done' ? 'Tables' : 'Chairs')
  }
})

test('forms show what is locked as text, and where all is locked there is none', async () => {
  const settable = async (id: string) => {
    const form = await readForm(run.runtime, await run.as('Anna'), 'request', { field: 'id', value: id })
    return { open: form!.verdict.open, fields: form!.fields.filter(one => one.settable).map(({ key }) => key) }
  }
  expect(await settable(await asked())).toEqual({ open: true, fields: ['amount', 'approver', 'remarks', 'urgent'] })
  const id = await approved()
  expect(await settable(id)).toEqual({ open: true, fields: ['remarks'] })
  done(await step('Anna', id, 'pay'))
  expect(await settable(id)).toEqual({ open: false, fields: [] })
  const data = await read(run.runtime, await run.as('Anna'), {
    kind: 'one',
    entity: 'request',
    by: { field: 'id', value: id },
    history: 0,
  })
  const locked = { open: false, reason: 'locked', because: { text: 'all' } }
  expect(data!.row.may).toMatchObject({ change: locked, delete: locked })
})

test('a step for the person that a field names is for nobody else', async () => {
  const id = await asked()
  expect(await step('Sven', id, 'refuse', input({ reason: 'No' }))).toMatchObject({
    problems: [{ code: 'NF-STEP-DENIED', because: { text: 'approver' } }],
  })
  expect(codes(await step('Anna', id, 'refuse', input({ reason: 'No' })))).toEqual(['NF-STEP-DENIED'])
  done(await step('Cleo', id, 'refuse', input({ reason: 'No' })))
  // Nobody is named: nobody may, except by role.
  const open = await asked({ approver: null })
  expect(codes(await step('Cleo', open, 'approve'))).toEqual(['NF-STEP-DENIED'])
  done(await step('Anna', open, 'approve'))
})

test('not the one who asked, whatever else they are; an empty field leaves nobody out', async () => {
  const own = await newRequest('Anna')
  done(await step('Sven', own, 'submit'))
  expect(await step('Anna', own, 'approve')).toMatchObject({
    problems: [{ code: 'NF-STEP-DENIED', because: { text: 'approver, Chief except requested_by' } }],
  })
  done(await step('Cleo', own, 'approve'))
  const both = await newRequest('Cleo')
  expect(codes(await step('Cleo', both, 'submit'))).toEqual(['NF-STEP-DENIED'])
  done(await step('Sven', both, 'submit'))
  expect(codes(await step('Cleo', both, 'approve'))).toEqual(['NF-STEP-DENIED'])
  done(await step('Anna', both, 'approve'))
  const nobody = await newRequest('Sven', { requested_by: null })
  done(await step('Sven', nobody, 'submit'))
  done(await step('Anna', nobody, 'approve'))
})

test('what a step asks for names only records that may be seen, also in a field that nobody sets otherwise', async () => {
  const other = await startTestRun(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, '../fixtures/requests.md'), text =>
      text
        .replace('| remarks | text 200 | |', '| remarks | text 200 | |\n| twin | Request | set by steps only |')
        .replace('| everyone signed in | | remarks | |', '| everyone signed in | | remarks, twin | |')
        .replace('| Staff | yes | yes | yes | yes | all |', '| Staff | `requested_by = me` | yes | yes | yes | all |'),
    ),
  )
  try {
    const request = (who: string) =>
      made(other, who, 'request', input({ title: 'Desk', approver: other.people.Cleo! }, { lines: [] }))
    const [mine, own, theirs] = [await request('Sven'), await request('Sven'), await request('Anna')]
    await other.runtime.store.query(sql`update request set state = 'Refused' where id = ${mine}`)
    const reopen = async (twin: string) =>
      takeStep(other.runtime, await other.as('Sven'), 'request', mine, 'reopen', null, input({ twin }))
    expect(codes(await reopen(theirs))).toEqual(['NF-NO-RECORD'])
    done(await reopen(own))
  } finally {
    await other.drop()
  }
})
