/** What triggers keep, as a migration makes them, goes past them and takes them away: records that are only added to, and trees. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import type { Applied, Plan } from './migrate.ts'
import type { Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'
import { column, holds, loan, migrating, reference, target } from './testing-tables.ts'

let database: TestDatabase
let store: Store
const { planned, apply, nothingLeft, insert, all, empty } = migrating(() => store)

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  store = database.store
})
afterAll(() => database.drop())
beforeEach(() => empty())

const _codes = (applied: Applied | Plan) => ('plan' in applied ? applied.plan : applied).found.map(one => one.code)

test('what is append only is kept by a trigger, which a migration goes past and takes off again', async () => {
  const only = { kind: 'append only', name: 'loan_append_only', holds: holds('append only', null, 'yes') } as const
  await apply(target(loan()))
  await insert('loan', { number: 'L1' })
  const wanted = target(loan({ constraints: [only] }))
  expect((await planned(wanted)).steps.map(step => step.what)).toEqual([
    'Refuse to change or delete what is in loan, whoever asks: the trigger loan_append_only',
  ])
  await apply(wanted)
  await nothingLeft(wanted)
  await expect(all(`update loan set number = 'L2'`)).rejects.toMatchObject({
    code: '23514',
    constraint: 'loan_append_only',
  })
  await expect(all('delete from loan')).rejects.toMatchObject({ code: '23514' })
  await all('update loan set number = number')
  const fill = { sql: `'new'`, shown: 'new' }
  await apply(target(loan({ constraints: [only] }, column('kind', 'text', { notNull: true, fill }))))
  expect(await all('select number, kind from loan')).toEqual([{ number: 'L1', kind: 'new' }])
  const open = target(loan({}, column('kind', 'text', { notNull: true, fill })))
  expect((await planned(open)).steps.map(step => step.what)).toEqual([
    'Let records of loan be changed and deleted again',
    'Leave the default of kind of loan to the application',
  ])
  await apply(open)
  await nothingLeft(open)
  await all('delete from loan')
})

describe('a tree', () => {
  const above = column('above', 'uuid')
  const tree = {
    kind: 'tree',
    name: 'loan_above_tree',
    column: 'above',
    holds: holds('circle', 'above', 'within'),
  } as const
  const flat = target(loan({ constraints: [reference('loan', 'above', 'loan')] }, above))
  const climbed = target(loan({ constraints: [reference('loan', 'above', 'loan'), tree] }, above))
  const circle = { code: '23514', constraint: 'loan_above_tree' }
  const put = (below: string, into: string | null) =>
    all(
      `update loan set above = ${into === null ? 'null' : `(select id from loan where number = '${into}')`} where number = '${below}'`,
    )

  test('is refused as long as records are above themselves, each of them named', async () => {
    await apply(flat)
    for (const number of ['L1', 'L2', 'L3', 'L4']) await insert('loan', { number })
    await put('L1', 'L2')
    await put('L2', 'L1')
    await put('L3', 'L1')
    await put('L4', 'L4')
    const { possible, found } = await planned(climbed)
    expect(possible).toBe(false)
    expect(found).toMatchObject([
      { code: 'N0921', message: '3 of `loan` are above themselves by `above`, which leads upwards' },
    ])
    expect((await apply(climbed)).kind).toBe('refused')
    await put('L2', null)
    await put('L4', null)
    expect((await planned(climbed)).steps.map(step => step.what)).toEqual([
      'Refuse records of loan that would be above themselves by above, whoever asks: the trigger loan_above_tree',
      'Look whether records of loan are above themselves already',
    ])
    await apply(climbed)
    await nothingLeft(climbed)
    await expect(put('L2', 'L3')).rejects.toMatchObject(circle)
    await expect(put('L2', 'L2')).rejects.toMatchObject(circle)
    await put('L2', 'L4')
  })

  test('is kept while records change places, is renamed with its column, switched on again, and goes with its expression', async () => {
    await apply(climbed)
    await insert('loan', { number: 'L1' })
    await insert('loan', { number: 'L2' })
    await put('L1', 'L2')
    // Looked at when the transaction ends, where it asks for that.
    await store.inTransaction(async tx => {
      await tx.write(sql`set constraints all deferred`)
      await tx.write(sql`update loan set above = (select id from loan where number = 'L1') where number = 'L2'`)
      await tx.write(sql`update loan set above = null where number = 'L1'`)
      await tx.write(sql`set constraints all immediate`)
    })
    await all('alter table loan disable trigger loan_above_tree')
    await put('L1', 'L1')
    expect((await planned(climbed)).found).toMatchObject([{ code: 'N0921' }])
    await put('L1', null)
    await apply(climbed)
    await nothingLeft(climbed)
    await expect(put('L1', 'L2')).rejects.toMatchObject(circle)
    const under = column('under', 'uuid', { was: 'above' })
    const renamed = target(
      loan(
        {
          constraints: [
            reference('loan', 'under', 'loan'),
            { ...tree, name: 'loan_under_tree', column: 'under', holds: holds('circle', 'under', 'within') },
          ],
        },
        under,
      ),
    )
    await apply(renamed)
    await nothingLeft(renamed)
    await expect(all('update loan set under = id')).rejects.toMatchObject({ constraint: 'loan_under_tree' })
    const without = target(loan({ constraints: [reference('loan', 'under', 'loan')] }, under))
    expect((await planned(without)).steps.map(step => step.what)).toEqual([
      'Drop the column above of loan: it is under, and nobody asks for above any more',
      'Remove the trigger loan_under_tree from loan: no circle of under',
    ])
    await apply(without)
    await nothingLeft(without)
    await all('update loan set under = id')
  })
})
