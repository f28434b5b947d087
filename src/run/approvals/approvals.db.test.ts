/** Steps that wait for approvals: who counts, when, how often, and that the step happens once. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { readInbox } from '../read/inbox.ts'
import { read } from '../read/read.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { stepInside } from '../write/step.ts'
import { change, create, takeStep } from '../write/writes.ts'
import { deputiesOf, endDeputy, nameDeputy } from './deputies.ts'

let run: TestRun

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/approvals.md')))
})
afterAll(() => run?.drop())

/** By Ann; `keeper` and the like by name. */
const payment = (values: Record<string, Wire>, heads: readonly string[] = []) => {
  const people = Object.entries(values).map(([key, value]) => [key, run.people[value as string] ?? value])
  return made(
    run,
    'Ann',
    'payment',
    input(
      { what: 'Chairs', net: '10.00', ...Object.fromEntries(people) },
      {
        shares: heads.map((name, at) => ({ of: String(at), head: run.people[name] ?? null })),
      },
    ),
  )
}
const approve = async (who: string, id: string, reason: string | null = null) =>
  takeStep(run.runtime, await run.as(who), 'payment', id, 'approve', null, { ...input({}), reason })
const stateOf = async (id: string) => {
  const [row] = await run.runtime.store.query<{ state: string }>(sql`select state from payment where id = ${id}`)
  return row!.state
}
const decisions = async (id: string) =>
  run.runtime.store.query<{ person: string; represents: string | null; approval: string; reason: string | null }>(
    sql`select person, represents, approval, reason from ninefold.decision where record = ${id} order by id`,
  )
const standIn = async (person: string, deputy: string, from: string, until: string) =>
  nameDeputy(run.runtime, await run.as(person), { deputy: run.people[deputy] ?? 'x', from, until })
const noDeputies = () => run.runtime.store.query(sql`delete from ninefold.deputy`)
const verdict = async (who: string, id: string) => {
  const need = { kind: 'one', entity: 'payment', by: { field: 'id', value: id }, history: 20 } as const
  const one = await read(run.runtime, await run.as(who), need)
  return one!.row.may.steps.find(({ step }) => step === 'approve')!
}
const waitingFor = async (who: string) => {
  const need = {
    kind: 'inbox',
    steps: [{ entity: 'payment', step: 'approve' }],
    by: {},
    facts: {},
    limit: 100,
  } as const
  const { groups } = await readInbox(run.runtime, await run.as(who), need)
  return groups.flatMap(({ rows }) => rows.map(({ row }) => row.id))
}

test('where no approval applies, the step is taken as any other', async () => {
  const id = await payment({ net: '1000.00' })
  expect(await approve('Fay', id)).toMatchObject({ kind: 'done', version: 2 })
  expect(await decisions(id)).toEqual([])
})

test('at the band nobody of finance is needed, one cent above it two are', async () => {
  const at = await payment({ net: '1000.00', keeper: 'Kim' })
  expect(codes(await approve('Fay', at))).toEqual(['NF-STEP-DENIED'])
  expect(await approve('Kim', at)).toMatchObject({ kind: 'done', version: 2 })
  const above = await payment({ net: '1000.01', keeper: 'Kim' })
  expect(await approve('Kim', above, 'We need them')).toMatchObject({ kind: 'done', version: 1, waits: true })
  expect(await approve('Fay', above)).toMatchObject({ version: 1, waits: true })
  expect(await stateOf(above)).toBe('Asked')
  expect(await approve('Finn', above)).toEqual({ kind: 'done', id: above, version: 2 })
  expect(await stateOf(above)).toBe('Approved')
  expect(await decisions(above)).toMatchObject([
    { person: run.people.Kim, approval: 'keeper', reason: 'We need them' },
    { person: run.people.Fay, approval: 'finance', reason: null },
    { person: run.people.Finn, approval: 'finance' },
  ])
})

test('nobody counts twice, and who has enough takes no more', async () => {
  const id = await payment({ net: '2000.00' })
  done(await approve('Fay', id))
  expect(codes(await approve('Fay', id))).toEqual(['NF-STEP-DECIDED'])
  expect(await verdict('Fay', id)).toMatchObject({ open: false, reason: 'decided', offered: true })
  expect(await verdict('Finn', id)).toMatchObject({ open: true })
  expect(await verdict('Kim', id)).toMatchObject({ open: false, offered: false })
  expect(await verdict('Dora', id)).toMatchObject({ open: false, offered: false })
  expect(await stateOf(id)).toBe('Asked')
})

test('the keeper who is of finance too counts for the first row that is still open', async () => {
  const id = await payment({ net: '2000.00', keeper: 'Fay' })
  done(await approve('Fay', id))
  expect(codes(await approve('Fay', id))).toEqual(['NF-STEP-DECIDED'])
  done(await approve('Finn', id))
  expect(await stateOf(id)).toBe('Asked')
  done(await approve('Fred', id))
  expect(await stateOf(id)).toBe('Approved')
})

test('who asks for it never counts, whatever else they are', async () => {
  const own = await payment({ net: '10.00', keeper: 'Ann' })
  expect(codes(await approve('Ann', own))).toEqual(['NF-STEP-DENIED'])
  expect(await verdict('Ann', own)).toMatchObject({ open: false, offered: false })
  const fays = await made(run, 'Fay', 'payment', input({ what: 'Desk', net: '2000.00' }))
  expect(codes(await approve('Fay', fays))).toEqual(['NF-STEP-DENIED'])
})

test('all of them means each of them, and not none of them', async () => {
  const id = await payment({}, ['Kim', 'Sam', 'Kim'])
  done(await approve('Kim', id))
  expect(await stateOf(id)).toBe('Asked')
  expect(codes(await approve('Fay', id))).toEqual(['NF-STEP-DENIED'])
  done(await approve('Sam', id))
  expect(await stateOf(id)).toBe('Approved')
  const nobody = await payment({}, ['', ''])
  expect(codes(await approve('Kim', nobody))).toEqual(['NF-STEP-DENIED'])
  // Who asks for it is one of the heads: the other one is enough.
  const asking = await payment({}, ['Ann', 'Sam'])
  done(await approve('Sam', asking))
  expect(await stateOf(asking)).toBe('Approved')
})

test('who is waited for is counted, though a reader who may not see them is told no name', async () => {
  const path = join(import.meta.dirname, '../fixtures/approvals.md')
  const people = '### Payment\n\n| Role | See | Create | Change'
  const apart = await startTestRun(
    inject('databaseUrl'),
    readSound(path, text =>
      text.replace(people, `### Person\n\n| Role | See |\n| --- | --- |\n| Employee | \`id = me\` |\n\n${people}`),
    ),
  )
  try {
    const heads = ['Kim', 'Sam'].map((name, at) => ({ of: String(at), head: apart.people[name] ?? null }))
    const as = (name: string) => apart.as(name)
    const system = { ...(await as('Ann')), actor: { ...(await as('Ann')).actor, system: 'effect' as const } }
    const id = done(
      await create(apart.runtime, system, 'payment', input({ what: 'Chairs', net: '10.00' }, { shares: heads })),
    )
    done(await takeStep(apart.runtime, await as('Kim'), 'payment', id, 'approve', null, input({})))
    const need = { kind: 'one', entity: 'payment', by: { field: 'id', value: id }, history: 0 } as const
    const one = await read(apart.runtime, await as('Ann'), need)
    expect(one!.approvals.filter(({ key }) => key === 'heads')).toMatchObject([{ missing: 1, waiting: [] }])
  } finally {
    await apart.drop()
  }
})

test('a deputy decides for somebody from the first day to the last', async () => {
  const id = await payment({ net: '10.00', keeper: 'Kim' })
  await standIn('Kim', 'Sam', '2026-03-03', '2026-03-04')
  const on = async (moment: string) => {
    run.now = new Date(moment)
    return codes(await approve('Sam', id))
  }
  expect(await on('2026-03-02T22:59:59Z')).toEqual(['NF-STEP-DENIED'])
  // Midnight in Berlin is an hour earlier.
  expect(await on('2026-03-04T23:00:00Z')).toEqual(['NF-STEP-DENIED'])
  expect(await waitingFor('Sam')).not.toContain(id)
  run.now = new Date('2026-03-04T22:59:59Z')
  expect(await waitingFor('Sam')).toContain(id)
  done(await approve('Sam', id))
  expect(await decisions(id)).toMatchObject([{ person: run.people.Sam, represents: run.people.Kim }])
  expect(await stateOf(id)).toBe('Approved')
  run.now = new Date('2026-03-02T23:00:00Z')
  const first = await payment({ net: '10.00', keeper: 'Kim' })
  done(await approve('Sam', first))
  run.now = new Date('2026-03-02T09:00:00Z')
  await noDeputies()
})

test('for somebody counts once: not by them and their deputy, and not for the one who asks', async () => {
  await standIn('Fay', 'Sam', '2026-03-01', '2026-03-31')
  await standIn('Finn', 'Ann', '2026-03-01', '2026-03-31')
  const id = await payment({ net: '2000.00' })
  done(await approve('Sam', id))
  expect(codes(await approve('Fay', id))).toEqual(['NF-STEP-DECIDED'])
  expect(codes(await approve('Sam', id))).toEqual(['NF-STEP-DECIDED'])
  // Ann asked for it: she does not decide for Finn.
  expect(codes(await approve('Ann', id))).toEqual(['NF-STEP-DENIED'])
  done(await approve('Finn', id))
  expect(await stateOf(id)).toBe('Approved')
  // A deputy of the one who asks decides nothing for them.
  const fays = await made(run, 'Fay', 'payment', input({ what: 'Desk', net: '2000.00' }))
  expect(codes(await approve('Sam', fays))).toEqual(['NF-STEP-DENIED'])
  await noDeputies()
})

test('a deputy who is asked themselves decides as themselves, whichever row comes first', async () => {
  await standIn('Kim', 'Fay', '2026-03-01', '2026-03-31')
  const id = await payment({ net: '2000.00', keeper: 'Kim' })
  done(await approve('Fay', id))
  done(await approve('Finn', id))
  expect(await decisions(id)).toMatchObject([
    { person: run.people.Fay, represents: null, approval: 'finance' },
    { person: run.people.Finn, approval: 'finance' },
  ])
  done(await approve('Kim', id))
  expect(await stateOf(id)).toBe('Approved')
  await noDeputies()
})

test('people name a deputy for days to come, and take it back themselves', async () => {
  expect(await standIn('Kim', 'Kim', '2026-03-03', '2026-03-04')).toBe('nobody')
  expect(await standIn('Kim', 'Nobody', '2026-03-03', '2026-03-04')).toBe('nobody')
  expect(await standIn('Kim', 'Sam', '2026-03-04', '2026-03-03')).toBe('days')
  expect(await standIn('Kim', 'Sam', '2026-02-01', '2026-03-01')).toBe('days')
  // Two clicks at once name once.
  const both = [standIn('Kim', 'Sam', '2026-03-02', '2026-03-02'), standIn('Kim', 'Sam', '2026-03-02', '2026-03-02')]
  expect((await Promise.all(both)).toSorted()).toEqual([null, 'twice'])
  const [one] = await deputiesOf(run.runtime, await run.as('Kim'))
  expect(one).toMatchObject({ name: 'Sam', from: '2026-03-02', until: '2026-03-02' })
  expect(await endDeputy(run.runtime, await run.as('Sam'), one!.id)).toBe('nobody')
  expect(await endDeputy(run.runtime, await run.as('Kim'), one!.id)).toBe(null)
  expect(await deputiesOf(run.runtime, await run.as('Kim'))).toEqual([])
})

test('a field may name the deputy', async () => {
  const id = await payment({ keeper: 'Kim', assistant: 'Sam' })
  done(await approve('Sam', id))
  expect(await decisions(id)).toMatchObject([{ person: run.people.Sam, represents: run.people.Kim }])
})

test('what changes the record leaves decisions behind, and so does a state that it leaves', async () => {
  const id = await payment({ net: '2000.00' })
  done(await approve('Fay', id))
  done(await change(run.runtime, await run.as('Ann'), 'payment', id, null, input({ net: '3000.00' })))
  done(await approve('Finn', id))
  expect(await stateOf(id)).toBe('Asked')
  done(await approve('Fay', id))
  expect(await stateOf(id)).toBe('Approved')
  done(await takeStep(run.runtime, await run.as('Ann'), 'payment', id, 'take_back', null))
  done(await approve('Fay', id))
  expect(await stateOf(id)).toBe('Asked')
  const rows = await payment({}, ['Kim', 'Sam'])
  done(await approve('Kim', rows))
  const shares = {
    shares: ['Kim', 'Sam'].map((name, at) => ({ id: null, values: { of: `n${at}`, head: run.people[name]! } })),
  }
  done(
    await change(run.runtime, await run.as('Ann'), 'payment', rows, null, {
      values: {},
      children: shares,
      invalidValues: [],
    }),
  )
  done(await approve('Sam', rows))
  expect(await stateOf(rows)).toBe('Asked')
})

test('the inbox has what waits for somebody who has not decided yet', async () => {
  const id = await payment({ net: '2000.00', keeper: 'Kim' })
  for (const who of ['Kim', 'Fay', 'Finn', 'Fred']) expect(await waitingFor(who)).toContain(id)
  for (const who of ['Ann', 'Sam', 'Dora']) expect(await waitingFor(who)).not.toContain(id)
  done(await approve('Fay', id))
  expect(await waitingFor('Fay')).not.toContain(id)
  done(await approve('Finn', id))
  // Enough of finance: Fred is not needed any more, Kim is.
  expect(await waitingFor('Fred')).not.toContain(id)
  expect(await waitingFor('Kim')).toContain(id)
})

test('a rule on the step is asked at each decision, so that nobody approves in vain; who refuses is not held up', async () => {
  const wrong = await payment({ net: '2000.00', order: 'X-1' })
  expect(await approve('Fay', wrong)).toMatchObject({ kind: 'refused', problems: [{ code: 'E-ORDER', status: 422 }] })
  expect(await decisions(wrong)).toEqual([])
  expect(codes(await approve('Sam', wrong))).toEqual(['NF-STEP-DENIED'])
  done(await takeStep(run.runtime, await run.as('Fay'), 'payment', wrong, 'refuse', null))
  // What looks at all payments is asked as if the step were taken, which it is not.
  const [one, other] = [
    await payment({ net: '2000.00', order: 'PO-1' }),
    await payment({ net: '2000.00', order: 'PO-1' }),
  ]
  done(await approve('Fay', one))
  done(await approve('Fay', other))
  done(await approve('Finn', one))
  expect(await stateOf(one)).toBe('Approved')
  for (const who of ['Finn', 'Fred']) expect(codes(await approve(who, other))).toEqual(['E-TWICE'])
  expect([await stateOf(other), (await decisions(other)).length]).toEqual(['Asked', 1])
  // A warning asks whoever decides, and the history keeps who confirmed it.
  const much = await payment({ net: '9000.00' })
  expect(await approve('Fay', much)).toMatchObject({ kind: 'refused', problems: [{ code: 'E-MUCH', warning: true }] })
  const sure = { ...(await run.as('Fay')), confirmed: new Set(['E-MUCH']) }
  expect(await takeStep(run.runtime, sure, 'payment', much, 'approve', null)).toMatchObject({ waits: true })
  expect(
    await run.runtime.store.query(
      sql`select kind, confirmed from ninefold.history where record = ${much} order by id desc limit 1`,
    ),
  ).toEqual([{ kind: 'decision', confirmed: ['E-MUCH'] }])
})

test('a reason that is too long is refused, and nothing is decided', async () => {
  const id = await payment({ net: '2000.00' })
  expect(codes(await approve('Fay', id, 'x'.repeat(1001)))).toEqual(['NF-LONG'])
  expect(await decisions(id)).toEqual([])
  done(await approve('Fay', id, 'x'.repeat(1000)))
})

test('twenty decide at once: each once, and the step happens once', async () => {
  const people = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const values = { name: `Member ${at}`, email: `member${at}@example.com` }
      const seeded = { ...(await run.as('Dora')), actor: { id: null, name: null, roles: [], system: 'seed' as const } }
      return done(await create(run.runtime, seeded, 'person', input(values)))
    }),
  )
  expect(people).toHaveLength(20)
  const members = await run.runtime.store.query<{ id: string; name: string }>(
    sql`select id, name from person where name like 'Member %'`,
  )
  const id = await made(run, 'Ann', 'committee', input({ what: 'Budget' }))
  const asking = await run.as('Ann')
  const requests = members.map(({ id: person, name }) => ({
    ...asking,
    id: `r-${name}`,
    actor: { id: person, name, roles: ['Employee'], system: null },
  }))
  // Each presses twice.
  const outcomes = await Promise.all(
    [...requests, ...requests].map(request => takeStep(run.runtime, request, 'committee', id, 'close', null)),
  )
  const waits = outcomes.filter(outcome => outcome.kind === 'done' && outcome.waits)
  const taken = outcomes.filter(outcome => outcome.kind === 'done' && !outcome.waits)
  expect([waits.length, taken.length]).toEqual([9, 1])
  const [count] = await run.runtime.store.query<Record<string, string>>(sql`select
    (select count(*) from ninefold.decision where record = ${id}) as decisions,
    (select count(distinct person) from ninefold.decision where record = ${id}) as people,
    (select count(*) from ninefold.history where record = ${id} and kind = 'step') as steps,
    (select count(*) from ninefold.history where record = ${id} and kind = 'decision') as told`)
  expect(count).toEqual({ decisions: '10', people: '10', steps: '1', told: '10' })
})

test('who decides in two windows at once, in transactions that stand for one after another, is told so by the second', async () => {
  const id = await made(run, 'Ann', 'committee', input({ what: 'Twice' }))
  const fay = await run.as('Fay')
  const closing = { entity: 'committee', id, step: 'close', version: null }
  const press = () =>
    run.runtime.store.inTransaction(tx => stepInside(tx, run.runtime, fay, closing), {
      serializable: true,
    })
  const outcomes = await Promise.all([press(), press()])
  expect(outcomes.map(outcome => (outcome.kind === 'done' ? 'done' : codes(outcome).join()))).toEqual(
    expect.arrayContaining(['done', 'NF-STEP-DECIDED']),
  )
})

test('the people of a list of another record decide, nobody else', async () => {
  const people = ['Fay', 'Finn', 'Kim'].map(name => run.people[name]!)
  const board = await made(run, 'Ann', 'board', input({ name: 'Garden', people: people.join(' ') }))
  const motion = await made(run, 'Ann', 'motion', input({ what: 'A pond', board }))
  const orphan = await made(run, 'Ann', 'motion', input({ what: 'A gate' }))
  const pass = async (who: string, id: string) => takeStep(run.runtime, await run.as(who), 'motion', id, 'pass', null)
  expect(codes(await pass('Sam', motion))).toEqual(['NF-STEP-DENIED'])
  expect(codes(await pass('Fay', orphan))).toEqual(['NF-STEP-DENIED'])
  const need = { kind: 'one', entity: 'motion', by: { field: 'id', value: motion }, history: 0 } as const
  done(await pass('Fay', motion))
  expect((await read(run.runtime, await run.as('Sam'), need))!.approvals).toMatchObject([
    { missing: 1, decisions: [{ who: 'Fay' }], waiting: ['Finn', 'Kim'] },
  ])
  done(await pass('Kim', motion))
  expect((await read(run.runtime, await run.as('Sam'), need))!.row.values.state).toBe('Passed')
})

test('levels are asked one after the other: nobody decides before those that come first, and what is not needed holds up nothing', async () => {
  const trip = async (net: string, others: Record<string, string> = {}) => {
    const people = Object.fromEntries(Object.entries(others).map(([key, name]) => [key, run.people[name]!]))
    return made(run, 'Ann', 'trip', input({ where_to: 'Rome', net, head: run.people.Kim!, ...people }))
  }
  const approve = async (who: string, id: string) =>
    takeStep(run.runtime, await run.as(who), 'trip', id, 'approve', null)
  const seen = async (id: string) => {
    const need = { kind: 'one', entity: 'trip', by: { field: 'id', value: id }, history: 0 } as const
    const one = await read(run.runtime, await run.as('Ann'), need)
    return [
      one!.row.values.state,
      ...one!.approvals.map(({ key, due, missing, waiting }) => [key, due, missing, waiting.join()].join(' ')),
    ]
  }
  const waits = async (who: string, id: string) => {
    const steps = [{ entity: 'trip', step: 'approve' }]
    const { groups } = await readInbox(run.runtime, await run.as(who), {
      ...{ kind: 'inbox', steps, by: {}, facts: {}, limit: 100 },
    })
    return groups.some(({ rows }) => rows.some(({ row }) => row.id === id))
  }
  const id = await trip('9000.00', { second: 'Sam' })
  expect(await seen(id)).toEqual([
    'Asked',
    'head true 1 Kim',
    'second true 1 Sam',
    'finance false 1 ',
    'director false 1 ',
    'again false 1 ',
  ])
  for (const who of ['Fay', 'Dora']) {
    expect(codes(await approve(who, id))).toEqual(['NF-STEP-DENIED'])
    expect(await waits(who, id)).toBe(false)
  }
  // Somebody's deputy comes no earlier than they would.
  await standIn('Fay', 'Fred', '2026-03-01', '2026-03-31')
  done(await approve('Kim', id))
  for (const who of ['Fay', 'Fred']) expect(codes(await approve(who, id))).toEqual(['NF-STEP-DENIED'])
  done(await approve('Sam', id))
  expect(await waits('Fay', id)).toBe(true)
  expect(codes(await approve('Dora', id))).toEqual(['NF-STEP-DENIED'])
  done(await approve('Fay', id))
  await noDeputies()
  expect(await seen(id)).toEqual([
    'Asked',
    'head true 0 ',
    'second true 0 ',
    'finance true 0 ',
    'director true 1 ',
    'again false 1 ',
  ])
  expect(await waits('Finn', id)).toBe(false)
  done(await approve('Dora', id))
  // Whoever decided at one level does not decide at another.
  expect(codes(await approve('Fay', id))).toEqual(['NF-STEP-DECIDED'])
  done(await approve('Finn', id))
  expect(await seen(id)).toEqual(['Approved'])
  // Finance is not needed: what comes after it still comes after the head.
  const small = await trip('200.00')
  expect(codes(await approve('Dora', small))).toEqual(['NF-STEP-DENIED'])
  done(await approve('Kim', small))
  done(await approve('Dora', small))
  expect(await seen(small)).toEqual(['Approved'])
})

test('decisions survive what their approval names: a question, one more who is asked, a step back to one level; nothing else', async () => {
  const as = async (who: string, id: string, step: string, values = {}) =>
    takeStep(run.runtime, await run.as(who), 'trip', id, step, null, input(values))
  const alter = async (id: string, values: Record<string, string>) =>
    done(await change(run.runtime, await run.as('Ann'), 'trip', id, null, input(values)))
  const trip = { where_to: 'Rome', net: '2000.00', head: run.people.Kim! }
  const counts = async (id: string) => {
    const rows = await run.runtime.store.query<{ approval: string }>(sql`select d.approval from ninefold.decision as d
      join trip as t on t.id = d.record and t.version = d.version where t.id = ${id} order by d.id`)
    return rows.map(({ approval }) => approval).join(' ')
  }
  const id = await made(run, 'Ann', 'trip', input(trip))
  done(await as('Kim', id, 'approve'))
  done(await as('Fay', id, 'approve'))
  expect(await counts(id)).toBe('head finance')
  // What the step asks for comes with it.
  done(await as('Dora', id, 'ask', { question: 'Why by air?' }))
  expect(await counts(id)).toBe('head finance')
  done(await as('Ann', id, 'answer'))
  await alter(id, { second: run.people.Sam! })
  expect(await counts(id)).toBe('head finance')
  expect(codes(await as('Dora', id, 'approve'))).toEqual(['NF-STEP-DENIED'])
  done(await as('Sam', id, 'approve'))
  done(await as('Dora', id, 'send_back'))
  expect(await counts(id)).toBe('head')
  done(await as('Sam', id, 'approve'))
  expect(codes(await as('Kim', id, 'approve'))).toEqual(['NF-STEP-DECIDED'])
  await alter(id, { remarks: 'By train' })
  expect(await counts(id)).toBe('second')
  await alter(id, { remarks: 'By night train', where_to: 'Naples' })
  expect(await counts(id)).toBe('')
  // A step that is not named, and the step itself, end them.
  const other = await made(run, 'Ann', 'trip', input({ ...trip, net: '10.00' }))
  done(await as('Kim', other, 'approve'))
  expect(await counts(other)).toBe('')
  const turnedDown = await made(run, 'Ann', 'trip', input(trip))
  done(await as('Kim', turnedDown, 'approve'))
  done(await as('Kim', turnedDown, 'refuse'))
  expect(await counts(turnedDown)).toBe('')
})

test('an approval whose condition reads what is closed to somebody is told to nobody but those who decide it', async () => {
  const offer = (together: string) => made(run, 'Dora', 'offer', input({ what: 'Roof', together }))
  const take = async (who: string, id: string) =>
    done(await takeStep(run.runtime, await run.as(who), 'offer', id, 'take', null))
  const told = async (who: string, id: string) => {
    const need = { kind: 'one', entity: 'offer', by: { field: 'id', value: id }, history: 20 } as const
    const { approvals, history } = (await read(run.runtime, await run.as(who), need))!
    return [approvals.map(({ key }) => key), history.filter(({ what }) => what === 'decision').map(({ who: by }) => by)]
  }
  const small = await offer('10.00')
  const large = await offer('1000.01')
  for (const who of ['Ann', 'Fay']) expect(await told(who, large)).toEqual(await told(who, small))
  expect(await told('Dora', small)).toEqual([['finance'], []])
  expect(await told('Dora', large)).toEqual([['director', 'finance'], []])
  await take('Dora', large)
  expect(await told('Ann', large)).toEqual([['finance'], []])
  expect(await told('Dora', large)).toEqual([['director', 'finance'], ['Dora']])
  await take('Fay', large)
  expect(await told('Ann', large)).toEqual([[], ['Fay']])
  expect(await told('Dora', large)).toEqual([[], ['Fay', 'Dora']])
})
