import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { changeConstant } from '../limits.ts'
import { read } from '../read/read.ts'
import { codes, done, input, itemWith, loanDesk, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { takeStep } from './writes.ts'

let run: TestRun
let camera: string
let laptop: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
  camera = await itemWith(run, 'CA-0001')
  laptop = await itemWith(run, 'LA-0007')
})
afterAll(() => run?.drop())

const newLoan = (who: string, values: Record<string, Wire> = {}, lines: Record<string, Wire>[] = [{ item: camera }]) =>
  made(run, who, 'loan', input({ out_on: '2026-03-02', due_back: '2026-03-09', ...values }, { lines }))
const step = async (who: string, id: string, key: string, version: number | null = null) =>
  takeStep(run.runtime, await run.as(who), 'loan', id, key, version)
const walk = async (id: string, ...steps: readonly (readonly [string, string])[]) => {
  for (const [who, key] of steps) done(await step(who, id, key))
}
const state = async (id: string) => {
  const [row] = await run.runtime.store.query<Record<string, Wire>>(sql`select * from loan where id = ${id}`)
  return row!
}
const sent = async (id: string) =>
  run.runtime.store.query<{ kind: string; name: string; payload: Record<string, unknown>; repeat_key: string }>(
    sql`select kind, name, payload, repeat_key from ninefold.outbox where record = ${id} order by id`,
  )

test('a loan goes its way, and each step leaves its mark', async () => {
  const id = await newLoan('Ben')
  await walk(id, ['Ben', 'submit'], ['Cleo', 'approve'], ['Dan', 'hand_out'], ['Dan', 'take_back'])
  expect(await state(id)).toMatchObject({
    state: 'Returned',
    approved_by: run.people.Cleo,
    handed_out_at: '2026-03-02T09:00:00.000Z',
    returned_at: '2026-03-02T09:00:00.000Z',
    version: '5',
  })
  const history = await run.runtime.store.query(
    sql`select kind, what, from_state, to_state, actor, version, document, request is not null as request
      from ninefold.history where record = ${id} order by id offset 1`,
  )
  const mark = (what: string, from: string, to: string, who: string, version: number) => ({
    kind: 'step',
    what,
    from_state: from,
    to_state: to,
    actor: run.people[who],
    version: String(version),
    document: run.runtime.app.version,
    request: true,
  })
  expect(history).toEqual([
    mark('submit', 'Draft', 'Requested', 'Ben', 2),
    mark('approve', 'Requested', 'Approved', 'Cleo', 3),
    mark('hand_out', 'Approved', 'Out', 'Dan', 4),
    mark('take_back', 'Out', 'Returned', 'Dan', 5),
  ])
})

test('mails and the call of a step wait in the outbox, with what they say frozen', async () => {
  const id = await newLoan('Ben', {}, [{ item: camera }, { item: laptop }])
  await walk(id, ['Ben', 'submit'])
  const [row] = await run.runtime.store.query<{ number: string }>(sql`select number from loan where id = ${id}`)
  const mails = await sent(id)
  // One to each clerk, and to nobody else.
  expect(
    mails.map(({ kind, name, payload }) => [kind, name, (payload.to as { address: string }).address]).sort(),
  ).toEqual([
    ['mail', 'new_request', 'cleo@example.com'],
    ['mail', 'new_request', 'dan@example.com'],
  ])
  expect(mails[0]!.payload).toMatchObject({ subject: 'Ben asks for 2 items', text: '' })
  await walk(id, ['Cleo', 'approve'], ['Dan', 'hand_out'], ['Dan', 'take_back'])
  const calls = (await sent(id)).filter(({ kind }) => kind === 'call')
  // Named by the step and triggered by it: it leaves once.
  expect(calls).toEqual([
    {
      kind: 'call',
      name: 'C-2',
      payload: {
        url: [{ setting: 'assets_url' }, '/returns'],
        body: { loan: row!.number, items: ['CA-0001', 'LA-0007'] },
      },
      repeat_key: row!.number,
    },
  ])
})

test('a clerk cannot approve her own loan, another one can', async () => {
  const id = await newLoan('Cleo')
  await walk(id, ['Cleo', 'submit'])
  const outcome = await step('Cleo', id, 'approve')
  expect(outcome).toMatchObject({
    kind: 'refused',
    problems: [
      {
        code: 'NF-STEP-WHEN',
        status: 403,
        message: 'approve is closed now, in state Requested: its condition does not hold for Cleo.',
        because: { text: 'borrower != me' },
      },
    ],
  })
  done(await step('Dan', id, 'approve'))
})

test('who may not take a step, or not from this state, is told so with the line that decides', async () => {
  const id = await newLoan('Ben')
  expect(codes(await step('Ben', id, 'approve'))).toEqual(['NF-STEP-DENIED'])
  expect(await step('Dan', id, 'hand_out')).toMatchObject({
    problems: [
      {
        code: 'NF-STEP-STATE',
        status: 409,
        message: '“hand out” is not possible from Draft; it starts from Approved.',
      },
    ],
  })
  await walk(id, ['Ben', 'submit'])
  expect(await step('Ben', id, 'approve')).toMatchObject({
    problems: [
      { code: 'NF-STEP-DENIED', status: 403, message: 'Ben may not approve this Loan.', because: { text: 'Clerk' } },
    ],
  })
  expect(codes(await step('Ben', id, 'no_such_step'))).toEqual(['NF-NO-STEP'])
  // What one may not see is not there, whatever one asks of it.
  const hers = await newLoan('Cleo')
  expect((await step('Ben', hers, 'submit')).kind).toBe('not found')
  expect((await step('Ben', hers, 'no_such_step')).kind).toBe('not found')
  expect((await step('nobody', id, 'submit')).kind).toBe('not found')
  expect((await step('Ben', 'x', 'submit')).kind).toBe('not found')
  expect((await state(id)).state).toBe('Requested')
})

test('V-4 is asked when the loan is submitted, and only then', async () => {
  await run.runtime.store.query(sql`update item set value = 5000.01 where id = ${laptop}`)
  const id = await newLoan('Ben', {}, [{ item: laptop }])
  expect(await step('Ben', id, 'submit')).toMatchObject({
    kind: 'refused',
    problems: [
      {
        code: 'E-VAL-1',
        field: 'purpose',
        message: 'Loans above €5,000.00 need a purpose.',
        whatToDo: 'Say what you need the items for.',
      },
    ],
  })
  expect(await state(id)).toMatchObject({ state: 'Draft', version: '1' })
  // Undone means undone: no mail, no history.
  expect(await sent(id)).toEqual([])
  expect(await run.runtime.store.query(sql`select from ninefold.history where record = ${id}`)).toHaveLength(1)
  await run.runtime.store.query(sql`update item set value = 5000.00 where id = ${laptop}`)
  const cheaper = await newLoan('Ben', {}, [{ item: laptop }])
  done(await step('Ben', cheaper, 'submit'))
})

test('a lowered limit does not keep anybody from bringing things back', async () => {
  const id = await newLoan('Ben', { due_back: '2026-03-14' })
  await walk(id, ['Ben', 'submit'], ['Cleo', 'approve'], ['Dan', 'hand_out'])
  done(await changeConstant(run.runtime, await run.as('Mia'), 'max_loan_days', '3'))
  done(await step('Dan', id, 'take_back'))
  done(await changeConstant(run.runtime, await run.as('Mia'), 'max_loan_days', '14'))
})

test('damage closes taking back while the limit is unspecified, and says which field is empty', async () => {
  const id = await newLoan('Ben', {}, [{ item: camera, damaged: true }])
  await walk(id, ['Ben', 'submit'], ['Cleo', 'approve'], ['Dan', 'hand_out'])
  expect(await step('Dan', id, 'take_back')).toMatchObject({
    problems: [
      { code: 'NF-STEP-UNKNOWN', message: expect.stringContaining('limits.clerk_damage_limit is empty') as string },
    ],
  })
  const verdict = async () => {
    const data = await read(run.runtime, await run.as('Dan'), {
      kind: 'one',
      entity: 'loan',
      by: { field: 'id', value: id },
      history: 0,
    })
    return data!.row.may.steps.find(one => one.step === 'take_back')!
  }
  expect(await verdict()).toMatchObject({ open: false, reason: 'when', missing: 'limits.clerk_damage_limit' })
  done(await changeConstant(run.runtime, await run.as('Mia'), 'clerk_damage_limit', '2399.99'))
  expect(await verdict()).toMatchObject({ open: false, missing: null })
  expect(codes(await step('Dan', id, 'take_back'))).toEqual(['NF-STEP-WHEN'])
  done(await changeConstant(run.runtime, await run.as('Mia'), 'clerk_damage_limit', '2400'))
  expect(await verdict()).toMatchObject({ open: true })
  done(await step('Dan', id, 'take_back'))
})

test('a step with an old version is not taken', async () => {
  const id = await newLoan('Ben')
  expect(await step('Ben', id, 'submit', 7)).toMatchObject({ kind: 'stale', version: 1 })
  done(await step('Ben', id, 'submit', 1))
})

test('24 clerks take the same step at once: exactly one does, with one mark and one version', async () => {
  const dan = await run.as('Dan')
  for (let round = 0; round < 5; round++) {
    const id = await newLoan('Ben')
    await walk(id, ['Ben', 'submit'])
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, index) => takeStep(run.runtime, dan, 'loan', id, 'approve', index % 2 ? 2 : null)),
    )
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1)
    for (const outcome of outcomes) if (outcome.kind !== 'done') expect(codes(outcome)).toEqual(['NF-STEP-STATE'])
    expect(await state(id)).toMatchObject({ state: 'Approved', version: '3' })
    expect(
      await run.runtime.store.query(sql`select from ninefold.history where record = ${id} and what = 'approve'`),
    ).toHaveLength(1)
  }
})

test('approve and decline at once: one of them', async () => {
  const [cleo, dan] = [await run.as('Cleo'), await run.as('Dan')]
  for (let round = 0; round < 10; round++) {
    const id = await newLoan('Ben')
    await walk(id, ['Ben', 'submit'])
    const outcomes = await Promise.all([
      takeStep(run.runtime, cleo, 'loan', id, 'approve', null),
      takeStep(run.runtime, dan, 'loan', id, 'decline', null),
    ])
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1)
    const declined = (await sent(id)).filter(({ name }) => name === 'declined')
    expect(declined).toHaveLength((await state(id)).state === 'Declined' ? 1 : 0)
  }
})

test('branches with the same name are tried in order; a line left open closes them; who does not see the state is not told of it', async () => {
  const other = await startTestRun(
    inject('databaseUrl'),
    readSound(loanDesk, text =>
      text
        .replace(
          '| decline | Requested | Declined | Clerk, Manager | | send mail declined |',
          '| decline | Requested | Draft | Clerk, Manager | `purpose is empty` | |\n| decline | Requested | Declined | Clerk, Manager | | send mail declined |\n| hand out | Requested | Out | Clerk | TBD | |',
        )
        .replace('| total_value | Clerk, Manager, Auditor |', '| state | Clerk, Manager, Auditor | none |\n$&')
        .replace('| approved_by | Person |', '| odds | decimal 4.2 | default 1; set by steps only | |\n$&')
        .replace(
          '| submit | Draft |',
          '| puff | Draft | Draft | Borrower | | set odds = odds * 1000 |\n| shrink | Draft | Draft | Borrower | | set odds = odds / 3; for each lines: set item.value = item.value / 7 |\n$&',
        )
        .replace(
          '`borrower = me and state = Draft` | submit |',
          '`borrower = me and state = Draft` | submit, puff, shrink |',
        ),
    ),
  )
  try {
    const [item] = await other.runtime.store.query<{ id: string }>(sql`select id from item limit 1`)
    const go = async (purpose: string | null) => {
      const id = await made(
        other,
        'Ben',
        'loan',
        input({ due_back: '2026-03-09', purpose }, { lines: [{ item: item!.id }] }),
      )
      // What a step works out and its field cannot hold is told as if somebody had typed it.
      expect(codes(await takeStep(other.runtime, await other.as('Ben'), 'loan', id, 'puff', null))).toEqual([
        'NF-RANGE',
      ])
      // Decimals that a field has no room for are rounded, here and in other records.
      const worth = async (over: number) => {
        const [found] = await other.runtime.store.query<{ value: string }>(
          sql`select round(value / ${over}::integer, 2)::text as value from item where id = ${item!.id}::uuid`,
        )
        return found!.value
      }
      const share = await worth(7)
      done(await takeStep(other.runtime, await other.as('Ben'), 'loan', id, 'shrink', null))
      expect(await worth(1)).toBe(share)
      done(await takeStep(other.runtime, await other.as('Ben'), 'loan', id, 'submit', null))
      const again = await takeStep(other.runtime, await other.as('Ben'), 'loan', id, 'submit', null)
      expect(codes(again)).toEqual(['NF-STEP-DENIED'])
      expect(codes(await takeStep(other.runtime, await other.as('Dan'), 'loan', id, 'hand_out', null))).toEqual([
        'NF-STEP-UNSPECIFIED',
      ])
      done(await takeStep(other.runtime, await other.as('Dan'), 'loan', id, 'decline', null))
      const [row] = await other.runtime.store.query<{ state: string }>(sql`select state from loan where id = ${id}`)
      return row!.state
    }
    expect(await go(null)).toBe('Draft')
    expect(await go('A film')).toBe('Declined')
  } finally {
    await other.drop()
  }
})

test('where a branch begins in the state, whoever may not take it is told that, and not of a state or of what the record lacks', async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace(
        '| decline | Requested | Declined | Clerk, Manager | | send mail declined |',
        '| drop | Draft, Requested | Declined | borrower | | |\n| drop | Approved | Declined | Clerk | | |\n$&',
      )
      .replace('no | approve, decline', 'no | drop, approve, decline')
      .replaceAll('| submit |\n', '| submit, drop |\n'),
  )
  const other = await startTestRun(inject('databaseUrl'), app)
  try {
    const [item] = await other.runtime.store.query<{ id: string }>(sql`select id from item limit 1`)
    const id = await made(other, 'Ben', 'loan', input({ due_back: '2026-03-09' }, { lines: [{ item: item!.id }] }))
    const take = async (who: string, key: string) => takeStep(other.runtime, await other.as(who), 'loan', id, key, null)
    done(await take('Ben', 'submit'))
    done(await take('Dan', 'approve'))
    expect(await take('Ben', 'drop')).toMatchObject({
      problems: [{ code: 'NF-STEP-DENIED', message: 'Ben may not drop this Loan.', status: 403 }],
    })
    done(await take('Dan', 'drop'))
  } finally {
    await other.drop()
  }
})
