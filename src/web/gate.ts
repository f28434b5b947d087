/** How many requests are worked on at a time: a process that takes up more does each of them later, and none of them sooner. */
import type { ServerResponse } from 'node:http'
import { overdue } from '../store/overdue.ts'
import { type Asking, fairLine } from './line.ts'

export interface Gate {
  /** Resolves with what ends it, when it is its turn; null: too many wait, it has waited too long, or whoever asked has gone. */
  readonly enter: (asking: Asking, response: ServerResponse) => Promise<(() => void) | null>
  readonly somebodyWaits: () => boolean
  /** Resolves when nobody waits. */
  readonly room: () => Promise<void>
}

interface GateBounds {
  /** As it is now. */
  readonly atOnce: () => number
  readonly waiting: number
  readonly milliseconds: number
}

interface Waiting {
  readonly goOn: (may: boolean) => void
}

export function gate({ atOnce, waiting, milliseconds }: GateBounds): Gate {
  const line = fairLine<Waiting>(() => waiting)
  const late = overdue(milliseconds)
  let begun = 0
  let told: (() => void)[] = []
  const end = () => {
    begun--
    while (begun < atOnce()) {
      const next = line.next()
      if (next === null) return
      begun++
      next.goOn(true)
    }
  }
  const tellOfRoom = () => {
    if (line.size() > 0) return
    for (const tell of told) tell()
    told = []
  }
  const turn = (asking: Asking, response: ServerResponse) =>
    new Promise<boolean>(resolve => {
      const gone = () => refuse(one)
      const waited = late.begin(gone)
      const one: Waiting = {
        goOn(may) {
          late.end(waited)
          response.off('close', gone)
          resolve(may)
          tellOfRoom()
        },
      }
      response.once('close', gone)
      for (const last of line.enter(one, asking)) last.goOn(false)
    })
  const refuse = (one: Waiting) => {
    line.leave(one)
    one.goOn(false)
  }
  return {
    async enter(asking, response) {
      if (begun < atOnce()) begun++
      else if (!(await turn(asking, response))) return null
      let isOpen = true
      return () => {
        if (isOpen) end()
        isOpen = false
      }
    },
    somebodyWaits: () => line.size() > 0,
    room: () => (line.size() === 0 ? Promise.resolve() : new Promise(tell => void told.push(tell))),
  }
}
