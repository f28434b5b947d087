/**
 * What belongs into the transaction of a write besides the write: the claim of an idempotency key, the end of a draft, of a link or of
 * a row of a job. `writing.ts` opens the transaction; whoever calls a write names here what goes with it, and both happen or neither.
 */
import type { Store, Tx } from '../../store/pool.ts'
import type { Outcome } from '../outcome.ts'
import type { Runtime } from '../request.ts'

export interface Companion {
  /** Runs the write, or gives its outcome without it. Whatever `tx.abandon` is called with is the outcome, and nothing was done. */
  readonly around: (tx: Tx, write: (tx: Tx) => Promise<Outcome>) => Promise<Outcome>
  /** Failures with which it may begin again because of this. */
  readonly beginsAgain?: (error: unknown) => boolean
}

/** For writes alone, whose transactions give outcomes. The first companion is the outermost; null is none. */
export function accompanied(runtime: Runtime, ...companions: readonly (Companion | null)[]): Runtime {
  const { store } = runtime
  const present = companions.filter(companion => companion !== null)
  const inTransaction = (work: (tx: Tx) => Promise<Outcome>, options: Parameters<Store['inTransaction']>[1] = {}) =>
    store.inTransaction(
      present.reduceRight(
        (write, { around }) =>
          tx =>
            around(tx, write),
        work,
      ),
      {
        ...options,
        beginsAgain: error =>
          present.some(({ beginsAgain }) => beginsAgain?.(error) === true) || options.beginsAgain?.(error) === true,
      },
    )
  return { ...runtime, store: { ...store, inTransaction: inTransaction as Store['inTransaction'] } }
}

/** Something that is done with a write that was done. */
export const alsoDone = (work: (tx: Tx, id: string) => Promise<unknown>): Companion => ({
  async around(tx, write) {
    const outcome = await write(tx)
    if (outcome.kind === 'done') await work(tx, outcome.id)
    return outcome
  },
})
