/** A field with several lines under heading 6: each opens it to its roles on its records, and what one of them opens is open. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { readForm } from '../read/form.ts'
import { read } from '../read/read.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { change, create, takeStep } from '../write/writes.ts'

let run: TestRun
let open: string
let mended: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/repairs.md')))
  open = await made(run, 'Tom', 'repair', input({ what: 'Tap' }))
  mended = await made(run, 'Tom', 'repair', input({ what: 'Door' }))
  for (const [id, cost] of [
    [open, '70'],
    [mended, '90'],
  ] as const)
    done(await put('Dee', id, cost))
  done(await takeStep(run.runtime, await run.as('Dee'), 'repair', mended, 'mend', null))
})
afterAll(() => run?.drop())

const put = async (who: string, id: string, cost: string) =>
  change(run.runtime, await run.as(who), 'repair', id, null, input({ cost }))
const rows = async (who: string, more: Partial<RowsNeed> = {}) => {
  const need: RowsNeed = {
    kind: 'rows',
    entity: 'repair',
    columns: ['what', 'cost'],
    where: null,
    filters: [],
    search: null,
    sort: [{ field: 'what', descending: false }],
    after: null,
    before: null,
    limit: 25,
    countTo: 100,
    ...more,
  }
  return (await read(run.runtime, await run.as(who), need))!.rows
}
const costs = async (who: string, more: Partial<RowsNeed> = {}) =>
  (await rows(who, more)).map(({ values }) => values.cost ?? null)

test('each sees it on the records of their line, and absent is absent', async () => {
  expect(await costs('Dee')).toEqual(['90', '70'])
  expect(await costs('Cara')).toEqual([null, '70'])
  expect(await costs('Tom')).toEqual([null, null])
  for (const { values } of await rows('Tom')) expect(values).not.toHaveProperty('cost')
  const above = { filters: [{ field: 'cost', comparison: 'at least', value: '1' } as const] }
  expect([await costs('Dee', above), await costs('Cara', above), await costs('Tom', above)]).toEqual([
    ['90', '70'],
    ['70'],
    [],
  ])
})

test('who has several roles has what one line or another opens', async () => {
  const { actor, ...rest } = await run.as('Cara')
  const both = { ...rest, actor: { ...actor, roles: [...actor.roles, 'Dispatcher'] } }
  const form = await readForm(run.runtime, both, 'repair', { field: 'id', value: mended })
  expect(form!.values.cost).toBe('90')
  done(await put('Dee', open, '7'))
  expect(await costs('Tom')).toEqual([null, '7'])
  done(await put('Dee', open, '70'))
})

test('each changes it where their line lets them, and nobody by another one’s', async () => {
  expect(codes(await put('Cara', mended, '1'))).toEqual(['NF-NO-FIELD'])
  expect(codes(await put('Tom', open, '1'))).toEqual(['NF-NO-FIELD'])
  done(await put('Cara', open, '80'))
  done(await put('Dee', mended, '95'))
  done(await put('Dee', open, '5'))
  expect(codes(await put('Tom', open, '1'))).toEqual(['NF-FIELD-DENIED'])
  done(await put('Dee', open, '80'))
  const given = await create(run.runtime, await run.as('Tom'), 'repair', input({ what: 'Lamp', cost: '1' }))
  expect(codes(given)).toEqual(['NF-FIELD-DENIED'])
  expect([await costs('Dee'), await costs('Cara')]).toEqual([
    ['95', '80'],
    [null, '80'],
  ])
})

test('a history tells what changed while the field was open, and nothing of before', async () => {
  const id = await made(run, 'Tom', 'repair', input({ what: 'Roof' }))
  for (const cost of ['70', '5', '6']) done(await put('Dee', id, cost))
  const told = async (who: string) => {
    const by = { field: 'id', value: id }
    const one = await read(run.runtime, await run.as(who), { kind: 'one', entity: 'repair', by, history: 20 })
    return one!.history.flatMap(({ changes }) =>
      changes.flatMap(({ field, before, after }) => (field === 'cost' ? [`${before} ${after}`] : [])),
    )
  }
  expect(await told('Dee')).toEqual(['5 6', '70 5', 'null 70'])
  // Tom sees it where it is below ten, Cara until the repair is mended.
  expect([await told('Tom'), await told('Cara')]).toEqual([['5 6'], ['5 6', '70 5', 'null 70']])
  // Whoever came first and had to wait wrote last.
  await run.runtime.store.query(
    sql`update ninefold.history set at = at - interval '1 hour' where record = ${id}::uuid and version = 4`,
  )
  expect(await told('Tom')).toEqual(['5 6'])
  done(await takeStep(run.runtime, await run.as('Dee'), 'repair', id, 'mend', null))
  done(await put('Dee', id, '7'))
  expect([await told('Tom'), await told('Cara')]).toEqual([['6 7', '5 6'], []])
})
