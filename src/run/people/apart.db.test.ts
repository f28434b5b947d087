/** Roles that nobody may hold both: whoever appoints is refused, in either order and at once. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { codes, loanDesk, readSound, startTestRun, type TestRun } from '../testing.ts'
import { appoint, withdraw } from './appointments.ts'

let run: TestRun

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace(
        '| Role | Who | Meaning |\n| --- | --- | --- |',
        '| Role | Who | Never with | Meaning |\n| --- | --- | --- | --- |',
      )
      .replace('| Borrower | everyone signed in |', '| Borrower | everyone signed in | |')
      .replace('| Auditor | TBD |', '| Auditor | TBD | |')
      .replace(/\| Clerk \| (appointed[^|]*) \|/, '| Clerk | $1 | |')
      .replace(/\| Manager \| (appointed[^|]*) \|/, '| Manager | $1 | Clerk |'),
  )
  run = await startTestRun(inject('databaseUrl'), app)
})
afterAll(() => run?.drop())

const holds = async (person: string) => {
  const rows = await run.runtime.store.query<{ role: string }>(
    sql`select role from ninefold.appointment where person = ${person}::uuid order by role`,
  )
  return rows.map(({ role }) => role)
}
const manager = async () => {
  const request = await run.as('Mia')
  return { ...request, actor: { ...request.actor, roles: ['Manager'] } }
}

test('whichever of the two comes second is refused, and can be given once the other one is taken', async () => {
  const ben = run.people.Ben!
  const asMia = await manager()
  expect(codes(await appoint(run.runtime, asMia, ben, 'Clerk'))).toEqual([])
  const refused = await appoint(run.runtime, asMia, ben, 'Manager')
  expect(refused).toMatchObject({ kind: 'refused', problems: [{ code: 'NF-ROLES-APART', status: 409 }] })
  expect(await holds(ben)).toEqual(['Clerk'])
  expect(codes(await withdraw(run.runtime, asMia, ben, 'Clerk'))).toEqual([])
  expect(codes(await appoint(run.runtime, asMia, ben, 'Manager'))).toEqual([])
  expect(codes(await appoint(run.runtime, asMia, ben, 'Clerk'))).toEqual(['NF-ROLES-APART'])
  expect(codes(await withdraw(run.runtime, asMia, ben, 'Manager'))).toEqual([])
})

test('two who appoint at once do not give both', async () => {
  const ben = run.people.Ben!
  const asMia = await manager()
  for (let round = 0; round < 5; round++) {
    const both = await Promise.all(['Clerk', 'Manager'].map(role => appoint(run.runtime, asMia, ben, role)))
    expect(both.flatMap(codes)).toEqual(['NF-ROLES-APART'])
    for (const role of await holds(ben)) await withdraw(run.runtime, asMia, ben, role)
    expect(await holds(ben)).toEqual([])
  }
})
