/** For tests: loans of the loan desk on their way until there is something to send, and what a worker makes of them. */
import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { done, input, made, type TestRun } from '../testing.ts'
import { takeStep } from '../write/writes.ts'
import { type Partner, workContext } from './testing.ts'
import { type WorkContext, work } from './work.ts'

/** All are asked for when they are needed: tests begin them later. `camera`: the item that is lent. */
export function loansAtWork(run: () => TestRun, partner: () => Partner, camera: () => string) {
  const context = (more: Partial<WorkContext> = {}): WorkContext =>
    workContext(run(), {
      variable: name => ({ ASSETS_URL: `${partner().url}/`, ASSETS_KEY: 'secret' })[name],
      from: 'Loan desk <desk@example.com>',
      limit: 50,
      ...more,
    })
  const round = (more?: Partial<WorkContext>) => work(run().runtime, context(more))
  const later = (minutes: number) => {
    run().now = new Date(run().now.getTime() + minutes * 60_000)
  }
  const newLoan = (values: Record<string, Wire> = {}) =>
    made(
      run(),
      'Ben',
      'loan',
      input({ out_on: '2026-03-02', due_back: '2026-03-09', ...values }, { lines: [{ item: camera() }] }),
    )
  const step = async (who: string, id: string, key: string) =>
    done(await takeStep(run().runtime, await run().as(who), 'loan', id, key, null))
  const handedOut = async (values?: Record<string, Wire>) => {
    const id = await newLoan(values)
    await step('Ben', id, 'submit')
    await step('Cleo', id, 'approve')
    await step('Dan', id, 'hand_out')
    return id
  }
  const takenBack = async () => {
    const id = await handedOut()
    await step('Dan', id, 'take_back')
    return id
  }
  const loan = async (id: string) =>
    (await run().runtime.store.query<Record<string, Wire>>(sql`select * from loan where id = ${id}`))[0]!
  const call = async (id: string) =>
    (
      await run().runtime.store.query<Record<string, Wire>>(
        sql`select * from ninefold.outbox where record = ${id} and kind = 'call'`,
      )
    )[0]!
  const kept = async (id: string) =>
    run().runtime.store.query<{ subject: string; recipients: string[] }>(
      sql`select mail, subject, recipients from ninefold.mailbox where record = ${id} order by at, id`,
    )
  return { context, round, later, newLoan, step, handedOut, takenBack, loan, call, kept }
}
