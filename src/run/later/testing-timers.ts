/** For tests: the document of timers, run by workers at moments that a test gives. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { systemRequest } from '../people/people.ts'
import { input, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { rearm } from './rearm.ts'
import { workContext } from './testing.ts'
import { work } from './work.ts'

export const document = join(import.meta.dirname, '../fixtures/timers.md')

/** Begins with the tests of a file and ends with them; each finds its tables empty. */
export function timersAtWork() {
  let run: TestRun
  let boss: string
  beforeAll(async () => {
    run = await startTestRun(inject('databaseUrl'), readSound(document))
    boss = Object.keys(run.people)[0]!
    await run.runtime.store.query(
      sql`insert into ninefold.appointment (person, role, at) values (${run.people[boss]}::uuid, 'Boss', ${run.now.toISOString()}) on conflict do nothing`,
    )
  })
  afterAll(() => run?.drop())
  beforeEach(() =>
    run.runtime.store.query(
      sql`truncate ninefold.timer, ninefold.constant, loan, closing_day, contract, crate, piece, delivery, ledger, ticket, watch cascade`,
    ),
  )
  const round = (worker = 'one') => work(run.runtime, workContext(run, { worker }))
  return {
    run: () => run,
    boss: () => boss,
    round,
    async at(moment: string): Promise<void> {
      run.now = new Date(moment)
      while ((await round()).timers > 0);
    },
    loanFrom(moment: string, returnAt: string) {
      run.now = new Date(moment)
      return made(run, boss, 'loan', input({ return_at: returnAt }))
    },
    loan: async (id: string) =>
      (await run.runtime.store.query<Record<string, unknown>>(sql`select * from loan where id = ${id}`))[0]!,
    /** As when a document is applied, at a moment. */
    async armedAt(moment: string, ...entities: readonly string[]): Promise<void> {
      run.now = new Date(moment)
      const request = await systemRequest(run.runtime, 'timer', run.door())
      for (const entity of entities) await rearm(run.runtime, request, entity, 'one')
    },
  }
}
