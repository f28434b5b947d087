import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { fireTimers } from '../later/fire.ts'
import { linksSql } from '../names.ts'
import { systemRequest } from '../people/people.ts'
import { read } from '../read/read.ts'
import { readFound } from '../read/search.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, remove, takeStep } from './writes.ts'

// Rosa is a reader, Dan is at the desk.
let run: TestRun
const library = join(import.meta.dirname, '../fixtures/library.md')
const lineOf = (row: string) =>
  `library.md:${
    readFileSync(library, 'utf8')
      .split('\n')
      .findIndex(line => line.startsWith(row)) + 1
  }`

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(library))
})
afterAll(() => run?.drop())

type Row = Readonly<Record<string, string | boolean | null>>
const query = (text: ReturnType<typeof sql>) => run.runtime.store.query<Row>(text)
const loan = async (id: string) => (await query(sql`select * from loan where id = ${id}`))[0]!
const copyRow = async (id: string) => (await query(sql`select * from copy where id = ${id}`))[0]!
const finesOf = (id: string) => query(sql`select * from fine where loan = ${id}`)
const step = async (who: string, id: string, key: string, given: Record<string, Wire> = {}) =>
  takeStep(run.runtime, await run.as(who), 'loan', id, key, null, input(given))
const mailsOf = async (id: string) =>
  (
    await run.runtime.store.query<{ payload: { subject: string } }>(
      sql`select payload from ninefold.outbox where record = ${id} and kind = 'mail' order by id`,
    )
  ).map(({ payload }) => payload.subject)
const historyOf = (entity: string, id: string) =>
  query(
    sql`select kind, what, actor, system, from_state, to_state, because from ninefold.history
      where entity = ${entity} and record = ${id} order by id`,
  )

let barcodes = 0
const newCopy = (value = '20.00') => made(run, 'Dan', 'copy', input({ value, barcode: `X-${++barcodes}` }))
const newLoan = (copy: string, who = 'Rosa', more: Record<string, Wire> = {}) =>
  made(run, who, 'loan', input({ copy, ...more }, { lines: [{ what: 'Case' }, { what: 'Cable' }] }))
const lent = async (more: Record<string, Wire> = {}, value = '20.00') => {
  const copy = await newCopy(value)
  const id = await newLoan(copy, 'Rosa', more)
  done(await step('Dan', id, 'hand_out'))
  return { copy, id }
}

test('a new record goes on at once where a condition says so, and its mail says what it is then', async () => {
  const id = await newLoan(await newCopy())
  expect(await loan(id)).toMatchObject({ state: 'Agreed', version: '2' })
  expect(await mailsOf(id)).toEqual([`L-001: X-1 is yours, it is Agreed`])
  expect(await query(sql`select payload->>'text' as text from ninefold.outbox where record = ${id}`)).toEqual([
    { text: expect.stringMatching(/^Dear Rosa,\n\nplease come and get\nX-1 \\\| L-001\.$/) },
  ])
  const dear = await newLoan(await newCopy('900.00'))
  expect(await loan(dear)).toMatchObject({ state: 'Asked', version: '1' })
  expect(await mailsOf(dear)).toEqual([])
})

test('the outcome tells the version after all effects, so that the next change is no conflict', async () => {
  const copy = await newCopy()
  const outcome = await create(run.runtime, await run.as('Rosa'), 'loan', input({ copy }))
  expect(outcome).toMatchObject({ kind: 'done', version: 2 })
  expect(
    await change(run.runtime, await run.as('Rosa'), 'loan', done(outcome), 2, input({ days_late: '1' })),
  ).toMatchObject({
    kind: 'done',
  })
})

test('a new record knows when it was created, and by whom, before anything follows from it', async () => {
  const copy = await newCopy()
  for (const who of ['Dan', 'Dan', 'Rosa', 'Dan']) await made(run, who, 'wish', input({ copy, pieces: '1' }))
  const wishes = await query(sql`select often from wish where copy = ${copy} order by id`)
  expect(wishes.map(({ often }) => often)).toEqual([false, false, false, true])
})

test('the history says who caused it, that the application did it, and by which line', async () => {
  const id = await newLoan(await newCopy())
  const [created, moved] = await historyOf('loan', id)
  expect(created).toMatchObject({ kind: 'create', actor: run.people.Rosa, system: null })
  expect(moved).toMatchObject({
    kind: 'change',
    actor: run.people.Rosa,
    system: 'effect',
    from_state: 'Asked',
    to_state: 'Agreed',
    because: lineOf('| created | Loan |'),
  })
})

test('a history names who did something, or caused it elsewhere, to those who see that person', async () => {
  const { copy, id } = await lent()
  const told = async (who: string, entity: string, record: string) => {
    const need = { kind: 'one', entity, by: { field: 'id', value: record }, history: 1 } as const
    return (await read(run.runtime, await run.as(who), need))?.history[0]
  }
  expect(await told('Rosa', 'loan', id)).toMatchObject({ what: 'step', who: '' })
  expect(await told('Rosa', 'copy', copy)).toMatchObject({ what: 'change', who: '' })
  expect(await told('Dan', 'copy', copy)).toMatchObject({ what: 'change', who: 'Dan' })
})

test('a step writes into another record by a path, beyond what the person may do', async () => {
  const { copy, id } = await lent()
  expect(await copyRow(copy)).toMatchObject({ lent: '1' })
  expect((await historyOf('copy', copy)).at(-1)).toMatchObject({
    kind: 'change',
    actor: run.people.Dan,
    system: 'effect',
    because: lineOf('| hand out |'),
  })
  expect(await loan(id)).toMatchObject({ state: 'Out', due_at: '2026-03-03T09:00:00.000Z' })
})

test('a record that is created has another one take its step; its rules hold, and a refusal undoes all of it', async () => {
  const copy = await newCopy()
  const [{ barcode }] = [await copyRow(copy)]
  const scan = async (who: string) =>
    create(run.runtime, await run.as(who), 'scan', input({ barcode: String(barcode) }))
  expect(codes(await scan('Dan'))).toEqual(['E-NONE'])
  const own = await newLoan(copy, 'Dan')
  // Who is not asked of the application, but the rule on the step is.
  expect(await scan('Dan')).toMatchObject({ kind: 'refused', problems: [{ code: 'E-OWN', field: null, status: 403 }] })
  expect(await loan(own)).toMatchObject({ state: 'Agreed', version: '2' })
  expect(await query(sql`select id from scan where barcode = ${String(barcode)}`)).toEqual([])
  expect(await copyRow(copy)).toMatchObject({ lent: '0', version: '1' })
  done(await remove(run.runtime, await run.as('Dan'), 'loan', own, null))
  const id = await newLoan(copy)
  done(await scan('Dan'))
  expect(await loan(id)).toMatchObject({ state: 'Out' })
})

test('child rows are written with their parent, whose history tells it', async () => {
  const { id } = await lent()
  done(await step('Dan', id, 'take_back', { returned_condition: 'Good' }))
  const lines = await query(sql`select what, back from loan_line where loan = ${id} order by position`)
  expect(lines).toEqual([
    { what: 'Case', back: true },
    { what: 'Cable', back: true },
  ])
  expect(await loan(id)).toMatchObject({ state: 'Back', version: '5' })
})

test('a record is created only where the condition holds, with its number, its call and the values of that moment', async () => {
  const late = await lent({ days_late: '3' })
  done(await step('Dan', late.id, 'take_back', { returned_condition: 'Good' }))
  const [fine, ...more] = await finesOf(late.id)
  expect(more).toEqual([])
  expect(fine).toMatchObject({ amount: '3.00', kind: 'Late', state: 'Open', reader: run.people.Rosa })
  const calls = await query(sql`select name, kind, payload from ninefold.outbox where record = ${fine!.id as string}`)
  expect(calls).toMatchObject([{ name: 'C-1', kind: 'call', payload: { body: { amount: '3.00', left: '3.00' } } }])
  const good = await lent()
  done(await step('Dan', good.id, 'take_back', { returned_condition: 'Good' }))
  expect(await finesOf(good.id)).toEqual([])
})

test('a rule of the record that an effect creates refuses the step that caused it', async () => {
  const { copy, id } = await lent({ days_late: '501' })
  const outcome = await step('Dan', id, 'take_back', { returned_condition: 'Damaged' })
  expect(outcome).toMatchObject({ kind: 'refused', problems: [{ code: 'E-MUCH', field: null }] })
  expect(await loan(id)).toMatchObject({ state: 'Out', returned_condition: null })
  expect(await copyRow(copy)).toMatchObject({ condition: 'Good' })
  expect(await finesOf(id)).toEqual([])
})

test('for each of many: set and mail, about each of them', async () => {
  const { copy, id } = await lent()
  const next = await newLoan(copy)
  const after = await newLoan(copy)
  const other = await newLoan(await newCopy())
  const { value, statements } = await run.runtime.store.counted(() =>
    step('Dan', id, 'take_back', { returned_condition: 'Damaged' }),
  )
  done(value)
  expect(await copyRow(copy)).toMatchObject({ condition: 'In repair' })
  for (const one of [next, after]) expect(await loan(one)).toMatchObject({ attention: true })
  // However many there are: the entry of the step, and one statement for those of all that follows.
  expect(statements.filter(text => text.includes('insert into ninefold.history'))).toHaveLength(2)
  expect((await historyOf('loan', after)).at(-1)).toMatchObject({ kind: 'change', system: 'effect' })
  expect(await loan(other)).toMatchObject({ attention: false })
  const { number } = await loan(next)
  expect(await mailsOf(next)).toContain(`${number}: your copy is not available`)
})

test('a change is told by what is different, and only once', async () => {
  const id = await newLoan(await newCopy())
  done(await change(run.runtime, await run.as('Rosa'), 'loan', id, null, input({ days_late: '1' })))
  expect(await loan(id)).toMatchObject({ attention: false })
  done(await change(run.runtime, await run.as('Rosa'), 'loan', id, null, input({ copy: null })))
  expect(await loan(id)).toMatchObject({ attention: true })
  done(await change(run.runtime, await run.as('Rosa'), 'loan', id, null, input({ days_late: '2' })))
  expect((await mailsOf(id)).filter(text => text.endsWith('not available'))).toHaveLength(1)
})

test('a record changes with its rows, where a condition reads them', async () => {
  const box = await made(run, 'Dan', 'box', input({ label: 'D' }, { parts: [{ what: 'Lid' }, { what: 'Hinge' }] }))
  const [lid, hinge] = await query(sql`select id from box_part where box = ${box} order by position`)
  const looks = async () => (await query(sql`select looks from box where id = ${box}`))[0]!.looks
  const changed = async (label: string, worn: boolean, ids: readonly unknown[]) => {
    const parts = ids.map(id => ({ id: id as string, values: id === lid!.id ? { worn } : {} }))
    done(
      await change(run.runtime, await run.as('Dan'), 'box', box, null, {
        values: { label },
        children: { parts },
        invalidValues: [],
      }),
    )
    return looks()
  }
  expect(await changed('D', true, [lid!.id, hinge!.id])).toBe('1')
  expect(await changed('E', true, [lid!.id, hinge!.id])).toBe('1')
  expect(await changed('E', true, [hinge!.id, lid!.id])).toBe('2')
  expect(await changed('E', false, [hinge!.id, lid!.id])).toBe('2')
})

test('a record is created together with its rows, and rows go to the end of one that is there', async () => {
  const parts = [
    { what: 'Screw', pieces: '8' },
    { what: 'Nail', pieces: '2' },
    { what: 'None', pieces: '0' },
  ]
  const pattern = await made(run, 'Dan', 'pattern', input({ title: 'Shelf' }, { parts }))
  const patternStep = async (id: string, key: string) =>
    takeStep(run.runtime, await run.as('Dan'), 'pattern', id, key, null)
  const kits = () => query(sql`select id, version, cut from kit where pattern = ${pattern} order by id`)
  const rowsOf = (kit: unknown) =>
    query(sql`select number, what, pieces, "left", position from kit_part where kit = ${kit} order by position`)
  done(await patternStep(pattern, 'order'))
  const [kit] = await kits()
  expect(await rowsOf(kit!.id)).toEqual([
    { number: 'K-001', what: 'Nail', pieces: '2', left: '3', position: '1' },
    { number: 'K-002', what: 'Screw', pieces: '8', left: '3', position: '2' },
  ])
  expect((await historyOf('kit', kit!.id as string)).map(({ kind, system }) => [kind, system])).toEqual([
    ['create', 'effect'],
  ])
  // One more row, then what all rows say is set, row by row; the parent's own effect follows from both.
  done(await patternStep(pattern, 'extend'))
  expect(await rowsOf(kit!.id)).toEqual([
    { number: 'K-001', what: 'Nail', pieces: '2', left: '2', position: '1' },
    { number: 'K-002', what: 'Screw', pieces: '8', left: '8', position: '2' },
    { number: 'K-003', what: 'Spare', pieces: '2', left: '2', position: '3' },
  ])
  expect(await kits()).toMatchObject([{ cut: true }])
  // The second one is a row that is there already, and undoes the first with it; rules of the parent and of its list count.
  done(await patternStep(pattern, 'order'))
  await query(sql`update kit set cut = false`)
  expect(codes(await patternStep(pattern, 'extend'))).toEqual(['NF-TWICE'])
  expect(await query(sql`select from kit_part where what = 'Spare'`)).toHaveLength(1)
  const heavy = await made(
    run,
    'Dan',
    'pattern',
    input({ title: 'Wall' }, { parts: [{ what: 'Brick', pieces: '21' }] }),
  )
  expect(codes(await patternStep(heavy, 'order'))).toEqual(['E-HEAVY'])
  const empty = await made(run, 'Dan', 'pattern', input({ title: 'Air' }))
  expect(codes(await patternStep(empty, 'order'))).toEqual(['NF-FEW'])
})

test('the record in the middle has a name: its rows, a field of it, and what it computes, also of other records', async () => {
  const rows = { parts: ['Nail', 'Screw'].map(what => ({ what, pieces: what === 'Nail' ? '2' : '8' })) }
  const pattern = await made(run, 'Dan', 'pattern', input({ title: 'Box' }, rows))
  const step = async (key: string) =>
    done(await takeStep(run.runtime, await run.as('Dan'), 'pattern', pattern, key, null))
  await step('order')
  await query(sql`update kit set created_by = ${run.people.Rosa}`)
  await query(sql`update kit_part set created_by = ${run.people.Rosa}`)
  await query(sql`delete from ninefold.outbox`)
  await step('compare')
  const mails = await query(sql`
    select payload ->> 'subject' as subject, payload -> 'to' ->> 'name' as to from ninefold.outbox where name = 'counted' order by id`)
  expect(mails.map(({ subject, to }) => `${subject}: ${to}`)).toEqual([
    '2 of Nail: Rosa',
    '2 of Nail: Dan',
    '8 of Screw: Rosa',
    '8 of Screw: Dan',
  ])
  const batches = await query(sql`select title, round from batch order by id`)
  expect(batches).toEqual([
    { title: expect.stringMatching(/^K-\d+: Nail$/), round: '210' },
    { title: expect.stringMatching(/^K-\d+: Screw$/), round: '810' },
  ])
  const copied = await query(sql`
    select p.what, p.pieces, p."left" from kit_part as p join kit as k on k.id = p.kit
    where k.pattern = ${pattern} and p.what like '%!' order by p.position`)
  expect(copied).toEqual([
    { what: 'Nail!', pieces: '2', left: '10' },
    { what: 'Screw!', pieces: '8', left: '10' },
  ])
  await query(sql`delete from batch`)
})

test('a field of several records is given those of another one', async () => {
  const copies = [await newCopy(), await newCopy()].sort()
  const rows = { parts: [{ what: 'Screw', pieces: '8' }] }
  const given = async (field: string) =>
    (await query(sql`select member from ${linksSql('kit', field)} order by owner, member`)).map(({ member }) => member)
  for (const models of [copies.join(' '), null]) {
    const pattern = await made(run, 'Dan', 'pattern', input({ title: 'Box', models }, rows))
    done(await takeStep(run.runtime, await run.as('Dan'), 'pattern', pattern, 'order', null))
    expect([await given('models'), await given('also')]).toEqual([copies, copies])
    const spare = await query(sql`select member from ${linksSql('pattern', 'spare')} order by member`)
    expect(spare.map(({ member }) => member)).toEqual(copies)
  }
})

test('a rule reads what the record was, beside what only the database knows of others', async () => {
  const { copy } = await lent()
  const worth = async (value: string, of = copy) =>
    codes(await change(run.runtime, await run.as('Dan'), 'copy', of, null, input({ value })))
  expect(await worth('19.99')).toEqual(['E-WORTH'])
  expect(await worth('20.01')).toEqual([])
  expect(await worth('20.00')).toEqual(['E-WORTH'])
  expect(await worth('5.00', await newCopy())).toEqual([])
})

test('a step that nobody takes is taken by the application, from the sum that it looks at', async () => {
  const { id } = await lent({ days_late: '6' })
  done(await step('Dan', id, 'take_back', { returned_condition: 'Good' }))
  const [fine] = await finesOf(id)
  const open = async () => (await finesOf(id))[0]!.state
  const settle = await takeStep(run.runtime, await run.as('Dan'), 'fine', fine!.id as string, 'settle', null)
  expect(codes(settle)).toEqual(['NF-STEP-DENIED'])
  const pay = (amount: string) => made(run, 'Dan', 'payment', input({ fine: fine!.id as string, amount }))
  await pay('4.00')
  expect(await open()).toBe('Open')
  const more = await create(
    run.runtime,
    await run.as('Dan'),
    'payment',
    input({ fine: fine!.id as string, amount: '2.50' }),
  )
  expect(more).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'E-PAY', field: 'amount', message: 'With it, -€0.50 would be left of €6.00.' }],
  })
  const last = await pay('2.00')
  expect(await open()).toBe('Settled')
  const need = { kind: 'one', entity: 'payment', by: { field: 'id', value: last }, history: 0 } as const
  // What says `display` names the fine, though it is worked out.
  const { number } = await loan(id)
  const { labels } = (await read(run.runtime, await run.as('Dan'), need))!.row
  expect(labels.fine).toBe(`${(fine as Row).number} of ${number}`)
  const wanted = {
    search: String(number),
    among: [{ entity: 'fine', by: 'number' }],
    shown: () => ['called'],
    limit: 5,
    similar: false,
  }
  const [found] = await readFound(run.runtime, await run.as('Dan'), wanted)
  expect(found?.rows).toMatchObject([{ row: { values: { called: labels.fine } } }])
})

test('many payments at the same moment settle it exactly once', async () => {
  const { id } = await lent({ days_late: '10' })
  done(await step('Dan', id, 'take_back', { returned_condition: 'Good' }))
  const [fine] = await finesOf(id)
  const request = await run.as('Dan')
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () =>
      create(run.runtime, request, 'payment', input({ fine: fine!.id as string, amount: '1.00' })),
    ),
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(10).fill('done'))
  expect((await finesOf(id))[0]).toMatchObject({ state: 'Settled', version: '2' })
})

test('what is deleted still says what followed from it', async () => {
  const { copy, id } = await lent()
  done(await remove(run.runtime, await run.as('Rosa'), 'loan', id, null))
  expect(await copyRow(copy)).toMatchObject({ lent: '0' })
})

test('a timer goes on, writes elsewhere and creates, all at once', async () => {
  const { copy, id } = await lent()
  const system = await systemRequest(run.runtime, 'timer', { ...run.door(), now: new Date('2026-03-04T09:00:00.000Z') })
  await fireTimers(run.runtime, system, { worker: 'w', limit: 50 })
  expect(await loan(id)).toMatchObject({ state: 'Lost' })
  const [fine] = await finesOf(id)
  expect(fine).toMatchObject({ kind: 'Lost', amount: '20.00', created_by: null })
  expect(copy).not.toBeNull()
})

test('all conditions of one happening are asked before anything follows from it, and what follows sees what was done', async () => {
  await made(run, 'Dan', 'bill', input({ number: 'B-1', gross: '90.00' }))
  const paid = async (bill_number: string, amount: string) => {
    const id = await made(run, 'Dan', 'transfer', input({ bill_number, amount }))
    return (await query(sql`select state, looks, version from transfer where id = ${id}`))[0]
  }
  // Once it is booked 30.00 are open: then none of the bills would be open enough.
  expect(await paid('B-1', '60.00')).toEqual({ state: 'Booked', looks: '2', version: '3' })
  expect(await paid('B-1', '60.00')).toEqual({ state: 'In doubt', looks: '1', version: '3' })
})

test('the effects of a step are asked once what the step itself creates is among the rows', async () => {
  const id = await made(run, 'Dan', 'box', input({ label: 'B' }, { parts: [] }))
  const fitted = async () => {
    done(await takeStep(run.runtime, await run.as('Dan'), 'box', id, 'fit', null))
    return (await query(sql`select state, tags from box where id = ${id}`))[0]
  }
  expect(await fitted()).toEqual({ state: 'Open', tags: '0' })
  expect(await fitted()).toEqual({ state: 'Sealed', tags: '2' })
})

test('a rule on change is asked of what the application sets, and not where it only goes on', async () => {
  const given = input({ bill_number: 'none', amount: '13.00' })
  expect(codes(await create(run.runtime, await run.as('Dan'), 'transfer', given))).toEqual(['E-LOOKS'])
  const id = await made(run, 'Dan', 'transfer', input({ bill_number: 'none', amount: '1.00' }))
  const go = async (key: string) => takeStep(run.runtime, await run.as('Dan'), 'transfer', id, key, null)
  expect(codes(await go('look'))).toEqual(['E-LOOKS'])
  await query(sql`update transfer set looks = 50 where id = ${id}`)
  done(await go('give_up'))
  const more = await change(run.runtime, await run.as('Dan'), 'transfer', id, null, input({ amount: '2.00' }))
  expect(codes(more)).toEqual(['E-LOOKS', 'E-GIVEN-UP'])
})

test('a refusal of what follows tells whoever caused it no more than they see', async () => {
  const copy = await newCopy()
  const { barcode } = await copyRow(copy)
  const said = async (who: string, entity: string, pieces: string) => {
    const outcome = await create(run.runtime, await run.as(who), entity, input({ copy, pieces }))
    return outcome.kind === 'refused' ? outcome.problems.map(({ code, message }) => `${code} ${message}`) : []
  }
  const blind = [`E-MOST Only  of ${barcode}, not 100.`]
  expect(await said('Rosa', 'taking', '100')).toEqual(blind)
  expect(await said('Rosa', 'wish', '100')).toEqual(blind)
  expect(await said('Dan', 'wish', '100')).toEqual([`E-MOST Only 7 of ${barcode}, not 100.`])
  // Such a record she would not see at all.
  expect(await said('Rosa', 'wish', '98')).toEqual(['E-MOST Only  of , not .'])
  expect(await said('Rosa', 'wish', '200')).toEqual(['E-PIECES Nobody gets .'])
  expect(await said('Dan', 'wish', '200')).toEqual(['E-PIECES Nobody gets 200.'])
  const box = await made(run, 'Dan', 'box', input({ label: 'Wished' }))
  expect((await said('Rosa', 'wish', '300'))[0]).toMatch(/^NF-STEP-DENIED Box: (?!.*Open)/)
  expect(await said('Dan', 'wish', '300')).toEqual([
    'NF-STEP-STATE Box Wished: “throw away” is not possible from Open; it starts from Sealed.',
  ])
  const wished = async (who: string) => create(run.runtime, await run.as(who), 'wish', input({ copy, pieces: '300' }))
  expect(await wished('Dan')).toMatchObject({
    problems: [{ field: null, of: { entity: 'box', id: box, title: 'Wished' } }],
  })
  expect(await wished('Rosa')).toMatchObject({ problems: [{ field: null, of: { entity: 'box', id: null } }] })
  await made(run, 'Dan', 'box', input({ label: 'Wished too' }))
  expect((await said('Dan', 'wish', '300')).map(text => text.split(':')[0])).toEqual([
    'NF-STEP-STATE Box Wished',
    'NF-STEP-STATE Box Wished too',
  ])
})

test('what would never end is refused as a whole, and nothing of it stays', async () => {
  const outcome = await create(run.runtime, await run.as('Dan'), 'batch', input({ title: 'One' }))
  expect(codes(outcome)).toEqual(['NF-EFFECTS'])
  expect(await query(sql`select id from batch`)).toEqual([])
  expect(await create(run.runtime, await run.as('Dan'), 'batch', input({ title: 'Two', round: '38' }))).toMatchObject({
    kind: 'done',
  })
  expect(await query(sql`select id from batch`)).toHaveLength(7)
})

test('the catalogue words the refusal of a step by Who', async () => {
  const id = await newLoan(await newCopy(), 'Dan')
  expect(await step('Dan', id, 'hand_out')).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'E-OWN', message: 'Ask a colleague to handle your own loan.', status: 403 }],
  })
})

test('the catalogue words the refusal of a step in a state that it does not lead from', async () => {
  const { id } = await lent()
  done(await step('Dan', id, 'take_back', { returned_condition: 'Good' }))
  const again = await step('Dan', id, 'take_back', { returned_condition: 'Good' })
  expect(again).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'E-BACK', message: 'This copy is back already.', status: 409 }],
  })
  const waiting = await newLoan(await newCopy())
  expect(await step('Dan', waiting, 'take_back')).toMatchObject({
    problems: [{ code: 'E-EARLY', message: 'Nobody has this copy yet: the loan is Agreed.' }],
  })
  // Without such a code the words are the built-in ones; who never takes the step is told that, whatever its state.
  expect(codes(await step('Dan', id, 'hand_out'))).toEqual(['NF-STEP-STATE'])
  expect(codes(await step('Rosa', id, 'take_back'))).toEqual(['E-OWN'])
})
