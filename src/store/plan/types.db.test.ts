/** What becomes of what a version before writes into a column of another type, said by the plan and done by PostgreSQL. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw } from '../../expression/sql.ts'
import { createTestDatabase, type TestDatabase } from '../testing.ts'
import { type Written, written } from './types.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
})
afterAll(() => database?.drop())

const codes: Readonly<Record<string, Written>> = { 42804: 'refused', 22003: 'too large', 42883: 'text' }

async function done(from: string, to: string, value: string): Promise<Written | undefined> {
  const { query } = database.store
  await query(raw('drop table if exists w'))
  await query(raw(`create table w (v ${to})`))
  try {
    await query(raw(`insert into w values ('${value}'::${from})`))
    const [row] = await query<{ same: boolean }>(raw(`select v = '${value}'::${from} as same from w`))
    return row!.same ? 'kept' : 'rounded'
  } catch (error) {
    return codes[(error as { code: string }).code]
  }
}

test.each([
  ['numeric(8,2)', 'numeric(10,4)', '3.25', 'kept'],
  ['bigint', 'numeric(21,2)', '9223372036854775807', 'kept'],
  ['bigint', 'numeric(8,2)', '99999999999', 'too large'],
  ['numeric(8,2)', 'numeric(8,4)', '123456.78', 'too large'],
  ['numeric(8,2)', 'bigint', '3.25', 'rounded'],
  ['numeric(8,2)', 'numeric(8,1)', '3.25', 'rounded'],
  ['bigint', 'text', '3', 'text'],
  ['date', 'text', '2026-03-02', 'text'],
  ['boolean', 'text', 'true', 'text'],
  ['text', 'bigint', '3', 'refused'],
  ['text', 'numeric(8,2)', '3.25', 'refused'],
  ['text', 'date', '2026-03-02', 'refused'],
  ['text', 'boolean', 'true', 'refused'],
  ['boolean', 'bigint', 'true', 'refused'],
] as const)('what is written as %s into %s (%s): %s', async (from, to, value, becomes) => {
  expect([written(from, to), await done(from, to, value)]).toEqual([becomes, becomes])
})
