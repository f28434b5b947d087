/** The clocks of a zone in a stretch of time, as a table. */
import { offsetAt, type ZoneTable } from './zone.ts'

const WEEK = 7 * 86_400_000

/** As they are known here: for whoever has a table of another age. No zone sets its clocks twice within a week. */
export function zoneTable(zone: string, from: number, until: number): ZoneTable {
  const changes: number[] = []
  const offsets = [offsetAt(from, zone)]
  for (let begin = from; begin < until; begin += WEEK) {
    let [low, high] = [begin, Math.min(begin + WEEK, until) - 1]
    const [before, after] = [offsetAt(low, zone), offsetAt(high, zone)]
    if (before === after && before === offsets.at(-1)) continue
    if (before === offsets.at(-1)) {
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        if (offsetAt(middle, zone) === before) low = middle
        else high = middle
      }
    } else high = begin
    changes.push(high)
    offsets.push(after)
  }
  return { from, until, changes, offsets, endless: false }
}

const known = new Map<string, ZoneTable>()

/** Around a year, from three years before until three years after: as far as people write moments in forms. */
export function zoneAround(zone: string, year: number): ZoneTable {
  const key = `${zone} ${year}`
  const table = known.get(key) ?? zoneTable(zone, Date.UTC(year - 3, 0, 1), Date.UTC(year + 4, 0, 1))
  known.set(key, table)
  return table
}
