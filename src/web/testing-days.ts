/** For tests: the loan desk over HTTP with other screens, and loans on these days. */
import { afterAll, beforeAll, inject } from 'vitest'
import { sql } from '../expression/sql.ts'
import { input, loanDesk, made, readSound } from '../run/testing.ts'
import { startTestWeb, type TestWeb } from './testing.ts'

/** Begins with the tests of a file, and ends with them. `numbers`: of the loans, by who has them and from which day on. */
export function loansOnDays(screens: string, loans: readonly (readonly [who: string, out: string, due: string])[]) {
  let web: TestWeb
  const numbers: Record<string, string> = {}
  beforeAll(async () => {
    const app = readSound(loanDesk, text => text.replace('| /reports |', `${screens}\n| /reports |`))
    web = await startTestWeb(inject('databaseUrl'), app)
    const { run } = web
    const store = run.runtime.store
    const [item] = await store.query<{ id: string }>(sql`select id from item order by tag`)
    for (const [who, out, due] of loans) {
      run.now = new Date(`${out}T09:00:00Z`)
      const id = await made(run, who, 'loan', input({ out_on: out, due_back: due }, { lines: [{ item: item!.id }] }))
      const [loan] = await store.query<{ number: string }>(sql`select number from loan where id = ${id}`)
      numbers[`${who} ${out}`] = loan!.number
    }
    run.now = new Date('2026-03-04T09:00:00Z')
  })
  afterAll(() => web?.stop())
  return { web: () => web, numbers }
}
