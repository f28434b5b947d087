/** Whoever may not write a record as it would be is told that alone: nothing else answers, and nothing is used up. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Input, Outcome } from '../outcome.ts'
import { codes, done, input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { create } from './writes.ts'

let run: TestRun
let roof: string

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/claims.md')))
  roof = await made(run, 'Ann', 'project', input({ name: 'Roof', budget: '600' }))
})
afterAll(() => run?.drop())

const rowsOf = <Row extends object>(text: string) => run.runtime.store.query<Row>(raw(text))
const told = (outcome: Outcome) =>
  outcome.kind === 'refused' ? outcome.problems.map(({ code, field, message }) => [code, field, message]) : outcome.kind
const claim = (values: Readonly<Record<string, Wire>>, parts: readonly Readonly<Record<string, Wire>>[] = []): Input =>
  input({ project: roof, amount: '10', ...values }, parts.length > 0 ? { parts } : {})
const creates = async (who: string, given: Input) => create(run.runtime, await run.as(who), 'claim', given)
const numbers = async () =>
  (await run.runtime.store.query<{ value: string }>(sql`select value from ninefold.counter where entity = 'claim'`))[0]
    ?.value

describe('creating', () => {
  test('a record that somebody may not create is refused alike, whatever is sent and whatever hidden fields say', async () => {
    const taken = await made(run, 'Bob', 'claim', claim({ ref: 'A-1' }))
    const before = await numbers()
    const denied = [['NF-CREATE-DENIED', null, 'You may not create Claim.']]
    const { Carl } = run.people
    // Below and above the budget, a value that is taken, a row that is nobody's, too much, a project that is not there.
    for (const one of [
      claim({ by: Carl!, amount: '599' }),
      claim({ by: Carl!, amount: '601' }),
      claim({ by: Carl!, ref: 'A-1' }),
      claim({ by: Carl! }, [{ author: Carl!, price: '1' }]),
      claim({ by: Carl!, amount: '901' }),
      claim({ by: Carl!, project: taken }),
      input({ by: Carl!, amount: '10' }),
    ])
      expect(told(await creates('Bob', one))).toEqual(denied)
    expect(await numbers()).toBe(before)
  })

  test('where it may be created, everything that is wrong with it is told at once', async () => {
    const wrong = claim({ amount: '901', ref: 'A-1' }, [{ author: run.people.Carl!, price: '1' }])
    expect(codes(await creates('Bob', wrong))).toEqual(['NF-CREATE-DENIED'])
    expect(codes(await creates('Bob', claim({ amount: '901', ref: 'A-1' })))).toEqual([
      'NF-UNIQUE',
      'NF-MAX',
      'E-BUDGET',
    ])
  })

  test('what cannot be read, and what always has to be there and decides, is told first', async () => {
    const { Carl } = run.people
    expect(codes(await creates('Bob', claim({ by: Carl!, amount: 'much' })))).toEqual(['NF-NUMBER'])
    expect(told(await creates('Bob', input({ project: roof })))).toEqual([
      ['NF-REQUIRED', 'amount', 'Amount is missing.'],
    ])
  })

  test('the condition sees what would be there: computed fields, rows, links, and the record among all others', async () => {
    expect(codes(await creates('Bob', claim({}, [{ price: '990' }])))).toEqual(['NF-CREATE-DENIED'])
    expect(codes(await creates('Bob', claim({}, [{ price: '989' }])))).toEqual([])
    const memo = async (readers: string) =>
      create(run.runtime, await run.as('Bob'), 'memo', input({ text: 'Lunch', readers }))
    const { Bob, Carl } = run.people
    expect(codes(await memo(Carl!))).toEqual(['NF-CREATE-DENIED'])
    done(await memo(`${Carl} ${Bob}`))
    const open = (await rowsOf<{ n: string }>(`select count(*)::text as n from claim where by = '${Bob}'`))[0]!.n
    for (let left = 3 - Number(open); left > 0; left--) done(await creates('Bob', claim({})))
    expect(codes(await creates('Bob', claim({})))).toEqual(['NF-CREATE-DENIED'])
  })
})
