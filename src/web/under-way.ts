/** Requests whose answer is not made yet, or not gone. Who has gone away meanwhile is answered all the same: their handler runs to its end. */
import type { ServerResponse } from 'node:http'

export interface UnderWay {
  /** Gives what is called when the answer is made. */
  readonly begin: (response: ServerResponse) => () => void
  /** Resolves when there is none. */
  readonly none: () => Promise<void>
}

export function underWay(): UnderWay {
  let count = 0
  let told: (() => void)[] = []
  return {
    begin(response) {
      count++
      const open = { made: true, gone: true }
      const end = (what: 'made' | 'gone') => () => {
        if (!open[what]) return
        open[what] = false
        if (open.made || open.gone) return
        count--
        if (count > 0) return
        for (const tell of told) tell()
        told = []
      }
      response.once('close', end('gone'))
      return end('made')
    },
    none: () => (count === 0 ? Promise.resolve() : new Promise(tell => void told.push(tell))),
  }
}
