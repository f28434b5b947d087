/** The clocks of a zone in a stretch of time, as a table, and how it is sent. */
import { learntOf, offsetAt, TABLE_ENDS, type ZoneTable } from './zone.ts'

const WEEK = 7 * 86_400_000

/** As they are known here: for whoever has a table of another age. No zone sets its clocks twice within a week. */
export function zoneTable(zone: string, from: number, until: number): ZoneTable {
  const changes: number[] = []
  const offsets = [offsetAt(from, zone)]
  for (let begin = from; begin < until - 1; begin += WEEK) {
    let [low, high] = [begin, Math.min(begin + WEEK, until - 1)]
    const [before, after] = [offsets.at(-1)!, offsetAt(high, zone)]
    if (before === after) continue
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle, zone) === before) low = middle
      else high = middle
    }
    changes.push(high)
    offsets.push(after)
  }
  return { from, until, changes, offsets, endless: false }
}

/** A table of all years for the way to a browser: a few hundred changes, whose distances and offsets are nearly always the same few. */
export interface PackedZone {
  readonly from: number
  readonly until: number
  /** Seconds from each change to the next, the first from the beginning, to the base of 36. */
  readonly steps: string
  /** Seconds ahead of UTC, each once. */
  readonly offsets: readonly number[]
  /** Which of them holds before the first change, and from each on: a digit to the base of 36. */
  readonly order: string
}

const base = 36
/** Nobody measured time by zones before. */
const begins = Date.UTC(1800, 0, 1)

const packed = new Map<string, PackedZone>()

/** All that is known here of a zone's clocks: what was learnt of them, else what the platform has. Worked out once. */
export function packedZone(zone: string): PackedZone {
  const learnt = learntOf(zone)
  if (learnt?.endless === true) return pack(learnt)
  const known = packed.get(zone) ?? pack(zoneTable(zone, begins, TABLE_ENDS))
  packed.set(zone, known)
  return known
}

function pack({ from, until, changes, offsets: ahead }: ZoneTable): PackedZone {
  const offsets = [...new Set(ahead)]
  const steps = changes.map((at, index) => Math.round((at - (changes[index - 1] ?? from)) / 1000).toString(base))
  const order = ahead.map(one => offsets.indexOf(one).toString(base)).join('')
  return { from, until, steps: steps.join(' '), offsets: offsets.map(one => one / 1000), order }
}

export function unpackedZone({ from, until, steps, offsets, order }: PackedZone): ZoneTable {
  let at = from
  const changes = steps === '' ? [] : steps.split(' ').map(step => (at += Number.parseInt(step, base) * 1000))
  return {
    from,
    until,
    changes,
    offsets: [...order].map(digit => offsets[Number.parseInt(digit, base)]! * 1000),
    endless: true,
  }
}
