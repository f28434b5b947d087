import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing.ts'
import { castWire, fits } from './values.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  await database.store.query(raw('create table thing (number bigint unique)'))
})
afterAll(() => database?.drop())

test('a whole number is looked for by the index of its column', async () => {
  const plan = await database.store.inTransaction(async tx => {
    await tx.write(sql`set local enable_seqscan = off`)
    return tx.query(sql`explain select from thing where number = ${castWire({ kind: 'integer' }, sql`${'7'}`)}`)
  })
  expect(JSON.stringify(plan)).toContain('thing_number_key')
})

test.each([
  ['9223372036854775807', true],
  ['-9223372036854775808', true],
  ['9223372036854775808', false],
  ['1.5', false],
  ['1e3', false],
])('%s from outside is a whole number that the database can read: %s', (wire, is) =>
  expect(fits({ kind: 'integer' }, wire)).toBe(is),
)
