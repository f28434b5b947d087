/** What costs much is done so many at a time; the others wait, and where too many do, they are told so. */

/** Too many wait already. */
export class Busy extends Error {
  constructor() {
    super('Too many wait already.')
    this.name = 'Busy'
  }
}

/** Runs what it is given in turn. Throws `Busy`. */
type InTurn = <Value>(work: () => Promise<Value>) => Promise<Value>

export function turns(queue: { readonly atATime: number; readonly waiting: number }): InTurn {
  let running = 0
  const waiting: (() => void)[] = []
  return async work => {
    if (running >= queue.atATime) {
      if (waiting.length >= queue.waiting) throw new Busy()
      await new Promise<void>(resolve => waiting.push(resolve))
    }
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
