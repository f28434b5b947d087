/** Writes that are judged and not done. */
import type { Runtime } from '../request.ts'

/** Everything is done, judged and undone, numbers too: the same answer as in earnest, and nothing written, sent or told. */
export function trying(runtime: Runtime): Runtime {
  const { store } = runtime
  const inTransaction: typeof store.inTransaction = (work, options) =>
    store.inTransaction(async tx => {
      const value = await work({ ...tx, aside: tx.run })
      // What the database has against it is part of the answer.
      await tx.arrived()
      return tx.abandon(value)
    }, options)
  return { app: runtime.app, store: { ...store, inTransaction } }
}
