/** What is compared with what, and how each is started and ended. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Store } from '../../src/store/pool.ts'
import type { BenchDesk } from '../desk.ts'
import type { Job } from '../load.ts'

/** Rows of a list. */
export const page = 25

/** One of those that are compared, as it runs. */
export interface Peer {
  readonly name: string
  /** Processes that serve. */
  readonly pid: number
  readonly list: Job
  readonly one: (loan: Loan) => Job
  readonly end: () => Promise<void>
}

export interface Loan {
  readonly id: string
  readonly number: string
  readonly due: string
}

/** Starts it over the tables of the desk; a text: why it cannot be on this machine. */
export type Start = (desk: BenchDesk, store: Store) => Promise<Peer | string>

export async function ended(served: ChildProcess): Promise<void> {
  const gone = once(served, 'exit')
  served.kill('SIGTERM')
  await gone
}
