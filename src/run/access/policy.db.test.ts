/** Permissions that depend on the row, on a loan desk with stricter lines than the example. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql, statement } from '../../expression/sql.ts'
import type { Filter, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { readForm } from '../read/form.ts'
import { readOptions } from '../read/options.ts'
import { read } from '../read/read.ts'
import type { Actor } from '../request.ts'
import { codes, done, input, itemWith, loanDesk, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, takeStep } from '../write/writes.ts'
import { conditionSql } from './condition.ts'
import { policyFor } from './policy.ts'
import { readWhy } from './why.ts'

let run: TestRun
let camera: string
let bens: string
let dans: string

const strict = (text: string) =>
  text
    .replace(
      '| submit | Draft | Requested | Borrower | `borrower = me` |',
      '| submit | Draft | Requested | Borrower | |',
    )
    .replace('| purpose | long text 500 | | |', '| purpose | long text 500 | searchable | |')
    .replace(
      '| purpose | Borrower, Clerk, Manager | Borrower |',
      '| purpose | Borrower | Borrower |\n| approved_by | TBD | |',
    )
    .replace(
      '| Borrower | `borrower = me` | yes |',
      '| Borrower | `borrower = me` | `borrower = me and out_on >= today` |',
    )
    .replace(
      '## 7 The calls it makes',
      '### Item\n\n| Role | See |\n| --- | --- |\n| Borrower | `retired_on is empty` |\n| Auditor | yes |\n\n## 7 The calls it makes',
    )
    .replace('| Manager | yes | yes | yes | no | all |', '| Manager | TBD | yes | yes | no | all |')
    .replace(
      '| Borrower | `borrower = me` | `borrower = me and out_on >= today` |',
      '| never | | `purpose is "nobody"` | `purpose is "held"` | `purpose is "held"` | `purpose is "held"` |\n| never Clerk | | | `purpose is "own"` | | submit when purpose is "own"; decline |\n| Borrower | `borrower = me` | `borrower = me and out_on >= today` |',
    )
    .replace(
      '| Clerk | yes | yes | `state in (Requested, Approved)` | no |',
      '| Clerk | yes | no | `state in (Requested, Approved) and borrower != me` | TBD |',
    )

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(loanDesk, strict))
  camera = await itemWith(run, 'CA-0001')
  const lend = (who: string, purpose: string | null) =>
    made(run, who, 'loan', input({ due_back: '2026-03-09', purpose }, { lines: [{ item: camera }] }))
  bens = await lend('Ben', 'secret film')
  dans = await lend('Dan', 'open film')
  await lend('Cleo', null)
  for (const [who, id] of [
    ['Ben', bens],
    ['Dan', dans],
  ] as const)
    done(await takeStep(run.runtime, await run.as(who), 'loan', id, 'submit', null))
})
afterAll(() => run?.drop())

const rows = (more: Partial<RowsNeed> = {}): RowsNeed => ({
  kind: 'rows',
  entity: 'loan',
  columns: ['number', 'purpose', 'approved_by'],
  where: null,
  filters: [],
  search: null,
  sort: [],
  after: null,
  before: null,
  limit: 25,
  countTo: 100,
  ...more,
})
const dan = async (need: RowsNeed) => (await read(run.runtime, await run.as('Dan'), need))!
const filtered = async (filter: Partial<Filter>) =>
  (await dan(rows({ filters: [{ field: 'purpose', comparison: 'contains', value: 'film', ...filter }] }))).rows.map(
    ({ id }) => id,
  )

test('a field that a role sees only on some rows is there on those and absent on the others', async () => {
  const data = await dan(rows())
  expect(data.rows).toHaveLength(3)
  expect(data.columns).toEqual(['number', 'purpose'])
  const values = (id: string) => data.rows.find(row => row.id === id)!.values
  expect(values(dans)).toMatchObject({ purpose: 'open film' })
  expect(values(bens)).not.toHaveProperty('purpose')
  const record = (await read(run.runtime, await run.as('Dan'), {
    kind: 'one',
    entity: 'loan',
    by: { field: 'id', value: bens },
    history: 9,
  }))!
  expect(record.row.values).not.toHaveProperty('purpose')
  expect(JSON.stringify(record.history)).not.toContain('secret')
  const form = (await readForm(run.runtime, await run.as('Dan'), 'loan', { field: 'id', value: bens }))!
  expect(form.values).not.toHaveProperty('purpose')
  expect(form.fields.map(({ key }) => key)).not.toContain('purpose')
  expect(
    (await readForm(run.runtime, await run.as('Dan'), 'loan', { field: 'id', value: dans }))!.values,
  ).toHaveProperty('purpose')
})

test('neither filter nor search nor order tell anything of such a field where it may not be seen', async () => {
  expect(await filtered({})).toEqual([dans])
  expect(await filtered({ comparison: 'is', value: 'secret film' })).toEqual([])
  expect(await filtered({ comparison: 'is not', value: 'x' })).toEqual([dans])
  expect(await filtered({ comparison: 'is empty', value: null })).toEqual([])
  expect(await filtered({ comparison: 'any of', value: ['secret film'] })).toEqual([])
  expect((await dan(rows({ search: 'film' }))).rows.map(({ id }) => id)).toEqual([dans])
  expect((await dan(rows({ search: 'film' }))).count).toEqual({ n: 1, more: false })
  // Where it may not be seen it is as good as empty: the others keep their order whatever stands in them.
  const order = async () =>
    (await dan(rows({ sort: [{ field: 'purpose', descending: false }] }))).rows.map(({ id }) => id)
  const before = await order()
  await run.runtime.store.query(sql`update loan set purpose = 'aaa' where id = ${bens}`)
  expect(await order()).toEqual(before)
  const page = await dan(rows({ limit: 1, sort: [{ field: 'purpose', descending: true }] }))
  expect(Buffer.from(page.next!, 'base64url').toString()).not.toMatch(/aaa/)
  await run.runtime.store.query(sql`update loan set purpose = 'secret film' where id = ${bens}`)
})

test('posting such a field where it may not be seen answers as if there were none, right or wrong', async () => {
  const request = await run.as('Dan')
  const post = (purpose: string) =>
    change(run.runtime, request, 'loan', bens, null, { values: { purpose }, children: {}, invalidValues: [] })
  const [right, wrong] = [await post('secret film'), await post('guess')]
  expect(codes(right)).toEqual(['NF-NO-FIELD'])
  expect(JSON.stringify(right)).toBe(JSON.stringify(wrong))
})

test('unspecified means nobody: a see cell, a field, a deletion', async () => {
  // Mia is a manager, whose See is open; what she sees she sees as a borrower.
  const mia = await run.as('Mia')
  expect((await read(run.runtime, mia, rows()))!.rows).toEqual([])
  expect(
    await read(run.runtime, mia, { kind: 'one', entity: 'loan', by: { field: 'id', value: bens }, history: 0 }),
  ).toBeNull()
  expect((await takeStep(run.runtime, mia, 'loan', bens, 'decline', null)).kind).toBe('not found')
  expect((await dan(rows())).columns).not.toContain('approved_by')
  const may = (await dan(rows())).rows.find(({ id }) => id === bens)!.may
  expect(may.delete).toMatchObject({ open: false })
})

test('a condition over a new record is asked of the record itself; what it refuses is not there', async () => {
  const before = await run.runtime.store.query(sql`select count(*) as n from loan`)
  const ben = await run.as('Ben')
  const post = (values: Record<string, string>) =>
    create(run.runtime, ben, 'loan', input({ due_back: '2026-03-09', ...values }, { lines: [{ item: camera }] }))
  expect(codes(await post({ borrower: run.people.Cleo! }))).toEqual(['NF-CREATE-DENIED'])
  expect(codes(await post({ out_on: '2026-03-01' }))).toEqual(['NF-CREATE-DENIED'])
  expect(await run.runtime.store.query(sql`select count(*) as n from loan`)).toEqual(before)
  done(await post({ out_on: '2026-03-02' }))
})

test('the text of a statement depends on the roles alone; who asks goes in as a value', async () => {
  const { app } = run.runtime
  const textFor = (actor: Actor) =>
    statement(sql`select 1 where ${conditionSql(policyFor(app, actor).rows('loan', 'see', 't'))}`).text
  const text = async (name: string) => textFor((await run.as(name)).actor)
  const { actor: ben } = await run.as('Ben')
  expect(textFor({ ...ben, id: run.people.Mia! })).toBe(textFor(ben))
  expect(await text('Cleo')).toBe(await text('Dan'))
  expect(await text('Ben')).not.toContain(run.people.Ben)
  expect(await text('Ben')).toMatch(/"t"\."borrower" = \$1::uuid/)
  expect(await text('Dan')).toMatch(/true$/)
  expect(await text('nobody')).toMatch(/false$/)
})

test('the title of a record that may not be seen is nowhere: no label, no option, no history, no reference to it', async () => {
  const ben = await run.as('Ben')
  const id = await made(run, 'Ben', 'loan', input({ due_back: '2026-03-09' }, { lines: [{ item: camera }] }))
  const seen = async () =>
    JSON.stringify(
      [
        await read(run.runtime, ben, { kind: 'one', entity: 'loan', by: { field: 'id', value: id }, history: 9 }),
        await readForm(run.runtime, ben, 'loan', { field: 'id', value: id }),
        await readOptions(run.runtime, ben, { entity: 'loan_line', field: 'item', search: null, limit: 9 }),
        await read(run.runtime, ben, { ...rows(), entity: 'item', columns: ['name'], search: 'sony' }),
      ],
      (key, value) => (['because', 'also', 'branch'].includes(key) ? null : value),
    )
  expect(await seen()).toContain('Sony')
  await run.runtime.store.query(sql`update item set retired_on = '2026-01-01' where id = ${camera}`)
  expect(await seen()).not.toMatch(/Sony|CA-0001/)
  const outcome = await create(
    run.runtime,
    ben,
    'loan',
    input({ due_back: '2026-03-09' }, { lines: [{ item: camera }] }),
  )
  expect(codes(outcome)).toEqual(['NF-NO-RECORD'])
  await run.runtime.store.query(sql`update item set retired_on = null where id = ${camera}`)
})

test('what nobody may, no role opens, and the refusal names the cell', async () => {
  const ben = await run.as('Ben')
  const lines = { lines: [{ item: camera }] }
  const count = () => run.runtime.store.query(sql`select count(*) as n from loan`)
  const before = await count()
  const nobodys = await create(run.runtime, ben, 'loan', input({ due_back: '2026-03-09', purpose: 'nobody' }, lines))
  expect(await count()).toEqual(before)
  const id = await made(run, 'Ben', 'loan', input({ due_back: '2026-03-09', purpose: 'held' }, lines))
  const changed = await change(run.runtime, ben, 'loan', id, null, input({ purpose: 'free' }))
  const taken = await takeStep(run.runtime, ben, 'loan', id, 'submit', null)
  const refusals = [nobodys, changed, taken].map(outcome =>
    'problems' in outcome ? outcome.problems.map(({ code, because }) => [code, because?.text]) : outcome,
  )
  expect(refusals).toEqual([
    [['NF-CREATE-DENIED', 'purpose is "nobody"']],
    [['NF-CHANGE-DENIED', 'purpose is "held"']],
    [['NF-STEP-DENIED', 'purpose is "held"']],
  ])
  const by = { field: 'id', value: id } as const
  const found = await read(run.runtime, ben, { kind: 'one', entity: 'loan', by, history: 0 })
  const { change: may, steps } = found!.row.may
  expect([may.reason, steps.find(({ step }) => step === 'submit')?.reason]).toEqual(['never', 'never'])
  expect((await readForm(run.runtime, ben, 'loan', by))!.verdict.reason).toBe('never')
  const why = await readWhy(run.runtime, ben, { entity: 'loan', by })
  expect(why!.verbs.flatMap(({ verb, verdict }) => (verdict.reason === 'never' ? [verb] : []))).toEqual([
    'change',
    'delete',
  ])
})

test('what a role never may, its holders may by no other role, and others go on; single steps go by themselves', async () => {
  const lines = { lines: [{ item: camera }] }
  const of = async (who: string, purpose: string) => {
    const id = await made(run, who, 'loan', input({ due_back: '2026-03-09', purpose }, lines))
    const person = await run.as(who)
    const changed = await change(run.runtime, person, 'loan', id, null, input({ purpose: 'other' }))
    const found = await read(run.runtime, person, {
      kind: 'one',
      entity: 'loan',
      by: { field: 'id', value: id },
      history: 0,
    })
    const submit = found!.row.may.steps.find(({ step }) => step === 'submit')
    const taken = await takeStep(run.runtime, person, 'loan', id, 'submit', null)
    return { id, changed, taken, submit: [submit?.open, submit?.reason, submit?.because.text] }
  }
  const because = (outcome: unknown) =>
    (outcome as { problems?: { code: string; because?: { text: string } }[] }).problems?.map(one => [
      one.code,
      one.because?.text,
    ])
  const dans = await of('Dan', 'own')
  expect(because(dans.changed)).toEqual([['NF-CHANGE-DENIED', 'purpose is "own"']])
  expect(because(dans.taken)).toEqual([['NF-STEP-DENIED', 'purpose is "own"']])
  expect(dans.submit).toEqual([false, 'never', 'purpose is "own"'])
  const bens = await of('Ben', 'own')
  expect(because(bens.changed)).toBeUndefined()
  expect(because(bens.taken)).toBeUndefined()
  // Another step is closed to clerks on every record, and open to the manager.
  const decline = async (who: string) =>
    because(await takeStep(run.runtime, await run.as(who), 'loan', bens.id, 'decline', null))
  expect(await decline('Dan')).toEqual([['NF-STEP-DENIED', 'decline']])
})

test('a role takes its steps on the rows that it sees itself, whatever other roles of the person see', async () => {
  const hers = await made(run, 'Cleo', 'loan', input({ due_back: '2026-03-09' }, { lines: [{ item: camera }] }))
  // As a clerk Dan sees it, as a borrower he could submit: but borrowers see their own loans only.
  const outcome = await takeStep(run.runtime, await run.as('Dan'), 'loan', hers, 'submit', null)
  expect(codes(outcome)).toEqual(['NF-STEP-DENIED'])
  const verdict = (await dan(rows())).rows
    .find(({ id }) => id === hers)!
    .may.steps.find(({ step }) => step === 'submit')
  expect(verdict).toMatchObject({ open: false, reason: 'row' })
  done(await takeStep(run.runtime, await run.as('Cleo'), 'loan', hers, 'submit', null))
})
