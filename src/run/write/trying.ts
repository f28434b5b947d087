/** Writes that are judged and not done. */
import type { Runtime } from '../request.ts'
import { accompanied, type Companion } from './accompanied.ts'

const trial: Companion = {
  async around(tx, write) {
    const outcome = await write({ ...tx, aside: tx.run })
    // What the database has against it is part of the answer.
    await tx.arrived()
    return tx.abandon(outcome)
  },
}

/** Everything is done, judged and undone, numbers too: the same answer as in earnest, and nothing written, sent or told. */
export const trying = ({ app, store }: Runtime): Runtime => accompanied({ app, store }, trial)
