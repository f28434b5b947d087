/** Whether PostgreSQL keeps what a version before writes into a column of another type, as it is supposed to. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw } from '../../expression/sql.ts'
import { createTestDatabase, type TestDatabase } from '../testing.ts'
import { takesAll } from './types.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
})
afterAll(() => database?.drop())

async function isKept(from: string, to: string, value: string): Promise<boolean> {
  const { query } = database.store
  await query(raw('drop table if exists w'))
  await query(raw(`create table w (v ${to})`))
  try {
    await query(raw(`insert into w values ('${value}'::${from})`))
    const [row] = await query<{ same: boolean }>(raw(`select v = '${value}'::${from} as same from w`))
    return row!.same
  } catch {
    return false
  }
}

test.each([
  ['numeric(8,2)', 'numeric(10,4)', '3.25', true],
  ['bigint', 'numeric(21,2)', '9223372036854775807', true],
  ['bigint', 'numeric(8,2)', '99999999999', false],
  ['numeric(8,2)', 'numeric(8,4)', '123456.78', false],
  ['numeric(8,2)', 'bigint', '3.25', false],
  ['numeric(8,2)', 'numeric(8,1)', '3.25', false],
  ['bigint', 'text', '3', false],
  ['date', 'text', '2026-03-02', false],
  ['boolean', 'text', 'true', false],
  ['text', 'bigint', '3', false],
  ['text', 'numeric(8,2)', '3.25', false],
  ['text', 'date', '2026-03-02', false],
  ['text', 'boolean', 'true', false],
  ['boolean', 'bigint', 'true', false],
] as const)('what is written as %s into %s (%s): %s', async (from, to, value, kept) => {
  expect([takesAll(from, to), await isKept(from, to, value)]).toEqual([kept, kept])
})
