/** Where what has hours lies on its day: by half hours, and beside each other what is at the same time. */

import type { Hours } from '../days/placed.ts'

export interface Slot<Of extends Hours> {
  readonly of: Of
  /** Half hours since the first that is shown, and how many; at least one. */
  readonly row: number
  readonly rows: number
  /** Of so many beside each other, from 0. */
  readonly lane: number
  readonly lanes: number
}

/** So many stand beside each other; what is beyond lies over the last of them. */
export const mostLanes = 4

const half = 30

/** Working hours, and what lies before or behind them. Whole hours. */
export function shownHours(all: readonly Hours[]): Hours {
  const from = Math.min(8 * 60, ...all.map(one => one.from))
  const until = Math.max(18 * 60, ...all.map(one => one.until))
  return { from: Math.floor(from / 60) * 60, until: Math.min(Math.ceil(until / 60) * 60, 24 * 60) }
}

/** Those of one day. */
export function dayOfSlots<Of extends Hours>(all: readonly Of[], begins: number): readonly Slot<Of>[] {
  const sorted = all.toSorted((a, b) => a.from - b.from || b.until - a.until)
  const slots: Slot<Of>[] = []
  let together: Of[] = []
  let end = 0
  const place = () => {
    const ends: number[] = []
    const lanes = together.map(one => {
      const free = ends.findIndex(until => until <= one.from)
      const lane = free < 0 ? Math.min(ends.length, mostLanes - 1) : free
      ends[lane] = Math.max(ends[lane] ?? 0, one.until)
      return lane
    })
    for (const [at, of] of together.entries()) {
      const row = Math.floor((of.from - begins) / half)
      const rows = Math.max(1, Math.ceil((of.until - begins) / half) - row)
      slots.push({ of, row, rows, lane: lanes[at]!, lanes: Math.min(ends.length, mostLanes) })
    }
    together = []
  }
  for (const one of sorted) {
    if (together.length > 0 && one.from >= end) place()
    together.push(one)
    end = Math.max(end, one.until)
  }
  place()
  return slots
}
