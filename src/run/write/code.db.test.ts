import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { RowsData } from '../../kinds/screens/read-data.ts'
import { applyMigration } from '../../store/migrate.ts'
import { readWhy } from '../access/why.ts'
import { fireTimers } from '../later/fire.ts'
import { armSweeps } from '../later/sweeps.ts'
import { startPartner, workContext } from '../later/testing.ts'
import { work } from '../later/work.ts'
import { systemRequest } from '../people/people.ts'
import { personalOf } from '../people/personal.ts'
import { read } from '../read/read.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { type CodeFailure, listenToCode } from './code.ts'
import { change, create, takeStep } from './writes.ts'

let run: TestRun
const failures: CodeFailure[] = []

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/coded.md')))
  listenToCode(run.runtime.app, failure => failures.push(failure))
})
beforeEach(() => void failures.splice(0))
afterAll(() => run?.drop())

const who = () => Object.keys(run.people)[0]!
const customer = (number: string | null) => made(run, who(), 'customer', input({ name: 'Anna', number }))
const order = async (of: string, ...lines: readonly Readonly<Record<string, string>>[]) =>
  create(run.runtime, await run.as(who()), 'order', input({ customer: of }, { lines }))
const stored = async (id: string) =>
  (await run.runtime.store.query<Record<string, string>>(sql`select * from "order" where id = ${id}`))[0]!

test('a rule that code decides refuses, in the words of the catalogue', async () => {
  const refused = await create(run.runtime, await run.as(who()), 'customer', input({ name: 'Anna', number: '12' }))
  expect(refused).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'E-NUMBER', message: '12 is not a customer number.' }],
  })
  await customer('19')
  await customer(null)
  expect(failures).toEqual([])
})

test('a value is set by code, from child rows and the record that a reference names, and again with every change', async () => {
  const id = done(
    await order(await customer('19'), { quantity: '2', price: '10.00' }, { quantity: '1', price: '5.50' }),
  )
  expect(await stored(id)).toMatchObject({ fee: '2.55', token: 'Since 2026' })
  const other = await customer('91')
  done(await change(run.runtime, await run.as(who()), 'order', id, null, input({ customer: other })))
  expect(await stored(id)).toMatchObject({ fee: '0.00' })
})

test('code says when an effect and a timer happen; where it does not know, they do not', async () => {
  const of = await customer('19')
  const large = done(await order(of, { quantity: '1', price: '40.00' }))
  const small = done(await order(of, { quantity: '1', price: '39.00' }))
  expect([await stored(large), await stored(small)]).toMatchObject([{ large: true }, { large: false }])
  const at = async (moment: string) => {
    run.now = new Date(moment)
    return systemRequest(run.runtime, 'timer', run.door())
  }
  await armSweeps(run.runtime, await at('2026-03-02T09:00:00.000Z'), 'order')
  const request = await at('2026-03-03T09:00:00.000Z')
  while ((await fireTimers(run.runtime, request, { worker: 'one', limit: 50 })) > 0);
  expect([await stored(large), await stored(small)]).toMatchObject([{ looked: true }, { looked: false }])
})

test('a field that code works out is stored with every write, listed, sorted and asked by a step; nobody else writes it', async () => {
  const of = await customer('19')
  const one = { quantity: '1', price: '1.00' }
  const large = done(await order(of, { ...one, quantity: '12' }))
  const as = await run.as(who())
  const lines = () =>
    run.runtime.store.query(sql`select quantity, bulky from line where "order" = ${large} order by position`)
  expect(await stored(large)).toMatchObject({ points: '3' })
  expect(await lines()).toEqual([{ quantity: '12', bulky: true }])
  expect(codes(await takeStep(run.runtime, as, 'order', large, 'send', null))).toEqual(['NF-STEP-WHEN'])
  done(await change(run.runtime, as, 'order', large, null, input({}, { lines: [one, one, one] })))
  expect(await stored(large)).toMatchObject({ points: '6' })
  expect(await lines()).toEqual([1, 2, 3].map(() => ({ quantity: '1', bulky: false })))
  const by = { field: 'points', comparison: 'at least', value: '4' } as never
  const list = { kind: 'rows', entity: 'order', columns: ['points'], where: null, filters: [by], search: null } as const
  const sort = [{ field: 'points', descending: true }] as const
  const rows = await read(run.runtime, as, { ...list, sort, after: null, before: null, limit: 9, countTo: 0 } as never)
  expect((rows as RowsData).rows.map(row => row.values.points)).toEqual(['6', '4'])
  expect(codes(await change(run.runtime, as, 'order', large, null, input({ points: '99' })))).toEqual(['NF-FIXED'])
  done(await takeStep(run.runtime, as, 'order', large, 'send', null))
  const { history } = (await read(run.runtime, as, {
    kind: 'one',
    entity: 'order',
    by: { field: 'id', value: large },
    history: 9,
  }))!
  expect(history.flatMap(({ changes }) => changes)).toContainEqual({ field: 'points', before: '3', after: '6' })
})

const step = async (name: string, id: string, key: string) =>
  takeStep(run.runtime, await run.as(name), 'order', id, key, null)
const pageOf = async (name: string, id: string) =>
  (await read(run.runtime, await run.as(name), {
    kind: 'one',
    entity: 'order',
    by: { field: 'id', value: id },
    history: 1,
  }))!
const offers = async (name: string, id: string) => {
  const { row } = await pageOf(name, id)
  return row.may.steps.filter(({ open }) => open).map(one => `${one.step} ${one.to}`)
}

test('code guards a step, with what the database knows beside it: asked when it is taken and on its page, in lists not before', async () => {
  const who = 'Cleo'
  const [known, unknown] = [await customer('19'), await customer(null)]
  const at = (price: string, of = known) => order(of, { quantity: '1', price }).then(done)
  const [light, medium, heavy, strange] = [
    await at('5.00'),
    await at('30.00'),
    await at('60.00'),
    await at('5.00', unknown),
  ]
  expect(codes(await step(who, medium, 'pack'))).toEqual(['NF-STEP-WHEN'])
  expect(codes(await step(who, strange, 'pack'))).toEqual(['NF-STEP-WHEN'])
  expect(await Promise.all([medium, strange, light, heavy].map(id => offers(who, id)))).toEqual([
    ['check Open'],
    ['check Open'],
    ['pack Packed', 'check Open'],
    ['pack Heavy', 'check Open'],
  ])
  const need = { kind: 'rows', entity: 'order', columns: [], where: null, filters: [], search: null, sort: [] } as const
  const rows = await read(run.runtime, await run.as(who), {
    ...need,
    after: null,
    before: null,
    limit: 99,
    countTo: 0,
  } as never)
  const listed = (id: string) =>
    (rows as RowsData).rows.find(row => row.id === id)!.may.steps.find(one => one.step === 'pack')!
  expect([medium, strange].map(id => listed(id).open)).toEqual([true, true])
  const why = async (name: string, id: string) =>
    (await readWhy(
      run.runtime,
      await run.as('Cleo'),
      { entity: 'order', by: { field: 'id', value: id } },
      await run.as(name),
    ))!.steps.find(one => one.step === 'pack')!
  expect([await why(who, medium), await why(who, heavy)]).toMatchObject([
    { open: false, reason: 'when' },
    { open: true },
  ])
  expect(await why('Anna', medium)).toMatchObject({ open: false })
  const second = await at('5.00')
  expect(await offers(who, second)).toEqual(['pack Packed', 'check Open'])
  for (const id of [light, heavy]) done(await step(who, id, 'pack'))
  expect([await stored(light), await stored(heavy)]).toMatchObject([{ state: 'Packed' }, { state: 'Heavy' }])
  // What looks at all records stands beside the code, and the database decides it.
  expect(await offers(who, second)).toEqual(['check Open'])
  expect(codes(await step(who, second, 'pack'))).toEqual(['NF-STEP-WHEN'])
  done(
    await change(
      run.runtime,
      await run.as(who),
      'order',
      medium,
      null,
      input({}, { lines: [{ quantity: '1', price: '60.00' }] }),
    ),
  )
  done(await step(who, medium, 'pack'))
})

test('a guard whose code fails is closed, and nobody is let past it by a branch that the database decides alone', async () => {
  const of = await customer('19')
  const id = done(await order(of, { quantity: '1', price: '5.00' }))
  done(await change(run.runtime, await run.as(who()), 'order', id, null, input({ token: 'boom' })))
  expect(codes(await step(who(), id, 'check'))).toEqual(['NF-CODE', 'NF-STEP-WHEN'])
  expect(failures[0]).toMatchObject({ of: { name: 'breaks' }, at: 'code/fees.ts:18:30' })
  expect(await offers(who(), id)).toEqual(['pack Packed'])
})

test('code says whether a step waits for an approval; where it does, only that makes it happen', async () => {
  const of = await customer('19')
  const packed = async (price: string) => {
    const id = done(await order(of, { quantity: '1', price }))
    done(await step('Cleo', id, 'pack'))
    return id
  }
  const [light, heavy] = [await packed('5.00'), await packed('60.00')]
  expect([await pageOf('Cleo', light), await pageOf('Cleo', heavy)]).toMatchObject([
    { approvals: [] },
    { approvals: [{ key: 'weight', missing: 1 }] },
  ])
  expect([await offers('Cleo', light), await offers('Cleo', heavy)]).toEqual([['release Sent'], []])
  expect(codes(await step('Cleo', heavy, 'release'))).toEqual(['NF-STEP-DENIED'])
  done(await step('Cleo', light, 'release'))
  done(await step('Anna', heavy, 'release'))
  expect(await stored(heavy)).toMatchObject({ state: 'Sent' })
})

test('with other code the stored values are worked out anew, and no version changes by that', async () => {
  const id = done(await order(await customer('19'), { quantity: '1', price: '1.00' }))
  const before = await stored(id)
  const changed = readSound(join(import.meta.dirname, '../fixtures/coded.md'), text =>
    text.replace('? 3 : 2', '? 3 : 7'),
  )
  await applyMigration(run.runtime.store, changed, null, { now: run.now })
  const runtime = { ...run.runtime, app: changed }
  const request = await systemRequest(runtime, 'timer', run.door())
  while ((await fireTimers(runtime, request, { worker: 'one', limit: 50 })) > 0);
  expect([before.points, await stored(id)]).toMatchObject(['2', { points: '7', version: before.version }])
})

test('what code works out of something personal goes with it', () => {
  const app = readSound(join(import.meta.dirname, '../fixtures/coded.md'), text =>
    text
      .replace('| number | text 12 | |', '| number | text 12 | personal |\n| valid | yes/no | = is_number(number) |')
      .replace('| quantity | integer | required |', '| quantity | integer | personal |'),
  )
  const erased = ['customer', 'line', 'order'].map(entity => personalOf(app, entity).fields)
  expect(erased).toEqual([['number', 'valid'], ['quantity', 'bulky'], ['points']])
})

test('a call sends what code gives', async () => {
  const id = done(await order(await customer('19'), { quantity: '1', price: '30.00' }))
  const [sent] = await run.runtime.store.query<{ payload: { body: unknown } }>(
    sql`select payload from ninefold.outbox where record = ${id}`,
  )
  expect(sent!.payload.body).toEqual({ fee: '3.00', number: '19' })
})

test('a refusal whose words need the database is told in them', async () => {
  const of = await customer('19')
  const refused = await order(of, { quantity: '1000', price: '50.00' })
  expect(refused).toMatchObject({ problems: [{ code: 'E-FEE', message: 'That is too much for 1 orders.' }] })
})

test('where code fails nothing is written: it is told with its function, the log is told why, and what else is wrong is told too', async () => {
  const of = await customer('19')
  expect(codes(await order(of, { quantity: '1', price: '1.00', code: 'bad' }))).toEqual(['E-CODE'])
  expect(await order(of, { quantity: '1', price: '1.00', code: 'boom' })).toMatchObject({
    kind: 'refused',
    problems: [
      { code: 'NF-CODE', message: 'Order could not be worked out: breaks in code/fees.ts failed.', field: null },
    ],
  })
  expect(failures[0]).toMatchObject({ of: { name: 'breaks' }, why: 'no such code', at: 'code/fees.ts:18:30' })
  expect(codes(await order(of, { quantity: '1', price: '', code: 'boom' }))).toEqual(['NF-CODE', 'NF-REQUIRED'])
  done(await order(of, { quantity: '1', price: '1.00', code: 'good' }))
})

/** The desk, with functions that fail as a constant says. */
const failing = (edit: (text: string) => string) =>
  startTestRun(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, '../fixtures/coded.md'), text =>
      edit(text)
        .replace(
          'return (cents / 1000)',
          "if (cents > 0 && cents % 66600 === 0) throw new Error('no such fee')\n  return (cents / 1000)",
        )
        .replace('=> quantity > 9\n', '=> quantity === 666 ? endless() : quantity > 9\n')
        .replace('export const greeting', 'const endless = (): boolean => { for (;;); }\n$&'),
    ),
  )

test.each([
  ['a computed field of rows that takes too long', '666', '0.10', (text: string) => text],
  [
    'what is sent',
    '1',
    '666.00',
    (text: string) => text.replace(/\| created(, changed)? \| Order.*\n/g, '').replace(/\| V-3.*\n/, ''),
  ],
  [
    'an effect',
    '1',
    '666.00',
    (text: string) => text.replace(/\| fee \| `fee\(lines.*\n/, '').replace(/\| V-3.*\n/, ''),
  ],
  [
    'the condition of an effect',
    '1',
    '666.00',
    (text: string) =>
      text
        .replace(/\| fee \| `fee\(lines.*\n/, '')
        .replace(/\| V-3.*\n/, '')
        .replace(/\| created, changed.*\n/, ''),
  ],
  [
    'a rule',
    '1',
    '666.00',
    (text: string) => text.replace(/\| fee \| `fee\(lines.*\n/, '').replace(/\| created(, changed)? \| Order.*\n/g, ''),
  ],
])('code that fails in %s: nothing is written, nothing leaves', async (_, quantity, price, edit) => {
  const one = await failing(edit)
  try {
    const clerk = Object.keys(one.people)[0]!
    const of = await made(one, clerk, 'customer', input({ name: 'Anna', number: '19' }))
    const ordered = async (...lines: readonly Readonly<Record<string, string>>[]) =>
      create(one.runtime, await one.as(clerk), 'order', input({ customer: of }, { lines }))
    let asked = 0
    listenToCode(one.runtime.app, () => asked++)
    const line = { quantity, price }
    expect(codes(await ordered(line, line, line))).toEqual(['NF-CODE'])
    expect(asked).toBe(1)
    const [left] = await one.runtime.store.query<{ count: string }>(
      sql`select (select count(*) from "order") + (select count(*) from ninefold.outbox) as count`,
    )
    expect(left).toEqual({ count: '0' })
    done(await ordered({ quantity: '1', price: '1.00' }))
  } finally {
    await one.drop()
  }
})

test('a timer whose code fails is kept, to be tried again, with what failed beside it', async () => {
  const one = await failing(text =>
    text
      .replace(/\| fee \| `fee\(lines.*\n/, '')
      .replace(/\| created(, changed)? \| Order.*\n/g, '')
      .replace(/\| V-3.*\n/, ''),
  )
  try {
    const clerk = Object.keys(one.people)[0]!
    const of = await made(one, clerk, 'customer', input({ name: 'Anna', number: '19' }))
    await made(one, clerk, 'order', input({ customer: of }, { lines: [{ quantity: '1', price: '666.00' }] }))
    const at = async (moment: string) => {
      one.now = new Date(moment)
      return systemRequest(one.runtime, 'timer', one.door())
    }
    await armSweeps(one.runtime, await at('2026-03-02T09:00:00.000Z'), 'order')
    const request = await at('2026-03-03T09:00:00.000Z')
    while ((await fireTimers(one.runtime, request, { worker: 'one', limit: 50 })) > 0);
    expect(
      await one.runtime.store.query(
        sql`select fired_at, attempts, last_error from ninefold.timer where timer = 'look' and last_error is not null`,
      ),
    ).toEqual([
      { fired_at: null, attempts: '1', last_error: 'Order could not be worked out: fee in code/fees.ts failed.' },
    ])
  } finally {
    await one.drop()
  }
})

test('where other code fails at a stored value, it stays as it was', async () => {
  const id = done(await order(await customer('19'), { quantity: '12', price: '1.00' }))
  const changed = readSound(join(import.meta.dirname, '../fixtures/coded.md'), text =>
    text.replace('quantity > 9 ? 3 : 2', "JSON.parse('{')"),
  )
  await applyMigration(run.runtime.store, changed, null, { now: run.now })
  const runtime = { ...run.runtime, app: changed }
  const request = await systemRequest(runtime, 'timer', run.door())
  while ((await fireTimers(runtime, request, { worker: 'one', limit: 50 })) > 0);
  expect(await stored(id)).toMatchObject({ points: '3' })
})

test('code that fails in the answer of a call fails the answer: nothing is set, and the call is listed with the function', async () => {
  const answering = readSound(join(import.meta.dirname, '../fixtures/coded.md'), text =>
    text
      .replace('| looked |', '| good | yes/no | set by calls only |\n| sum | text 20 | set by calls only |\n$&')
      .replace('https://shop.example', '{settings.shop_url}')
      .replace(
        '| number | `customer.number` |',
        '$&\n\n| Answer | Then |\n| --- | --- |\n| 200 | set sum = answer.sum; set good = breaks(answer.code) |',
      ),
  )
  const [partner, asked] = await Promise.all([startPartner(), startTestRun(inject('databaseUrl'), answering)])
  try {
    const context = workContext(asked, { variable: name => (name === 'SHOP_URL' ? partner.url : undefined) })
    const clerk = Object.keys(asked.people)[0]!
    const after = async (body: unknown) => {
      partner.answer = () => ({ status: 200, body })
      const customer = await made(asked, clerk, 'customer', input({ name: 'Anna', number: '19' }))
      const id = await made(asked, clerk, 'order', input({ customer }, { lines: [{ quantity: '1', price: '1.00' }] }))
      await work(asked.runtime, context)
      const [row] = await asked.runtime.store.query(
        sql`select good, sum, o.state as call, last_error as error from "order" r join ninefold.outbox o on o.record = r.id where r.id = ${id}::uuid`,
      )
      return row
    }
    expect(await after({ sum: '3', code: 'fine' })).toEqual({ good: true, sum: '3', call: 'delivered', error: null })
    expect(await after({ sum: '3' })).toEqual({ good: null, sum: '3', call: 'delivered', error: null })
    expect(await after({ sum: '3', code: 'boom' })).toEqual({
      good: null,
      sum: null,
      call: 'failed',
      error: 'Good could not be worked out: breaks in code/fees.ts failed. no such code',
    })
    expect(await after({ sum: '3', code: 'loud' })).toMatchObject({
      call: 'failed',
      error: `Good could not be worked out: breaks in code/fees.ts failed. ${'loud'.repeat(75).slice(0, -1)}`,
    })
  } finally {
    partner.stop()
    await asked.drop()
  }
})
