/** A write with everything that follows from it, inside of a transaction that somebody else ends. */
import { isBusy } from '../../store/failures.ts'
import type { Store, Tx } from '../../store/pool.ts'
import type { Runtime } from '../request.ts'

/** Of a part that is to begin again: so does whatever it is inside of. */
class BeginsAgain extends Error {
  /** PostgreSQL's code for it. */
  readonly code = '40001'
  constructor(cause: unknown) {
    super('What this transaction began with has changed meanwhile.', { cause })
  }
}

/**
 * Whatever the write reads and writes is in `tx`. Where its outcome is not `done`, `tx` must be abandoned: what was begun is not undone
 * here. That the database was busy is thrown, so that whoever began `tx` may begin it again.
 */
export async function inside<Value>(
  runtime: Runtime,
  tx: Tx,
  write: (within: Runtime) => Promise<Value>,
): Promise<Value> {
  const met: { busy?: unknown } = {}
  const inTransaction: Store['inTransaction'] = async (work, { beginsAgain = () => false } = {}) => {
    const left: { value?: unknown } = {}
    const abandon = (value: unknown): never => {
      left.value = value
      throw left
    }
    try {
      // What is remembered by transaction is remembered of this write alone.
      const value = await work({ ...tx, abandon })
      await tx.arrived()
      return value
    } catch (error) {
      if (error === left) return left.value as never
      if (isBusy(error)) met.busy = error
      else if (beginsAgain(error)) met.busy = new BeginsAgain(error)
      throw error
    }
  }
  const { run, query } = tx
  const observe = runtime.observe
  const value = await write({
    ...runtime,
    store: { ...runtime.store, run, query, inTransaction },
    ...(observe === undefined ? {} : { observe: seen => tx.afterCommit(() => observe(seen)) }),
  })
  if (met.busy !== undefined) throw met.busy
  return value
}
