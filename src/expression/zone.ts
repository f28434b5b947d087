/**
 * Local days and times of a time zone. The zone always comes from the document, never from the machine. What its clocks show, the
 * database decides (`store/zones.ts`); where nothing else was learnt, that is what the platform's own table (`Intl`) has.
 */
import { FIRST_MOMENT, LAST_MOMENT } from './dates.ts'

export interface Local {
  /** Day number; below 0 and above the last day outside of the years 1 to 9999. */
  readonly day: number
  /** Minutes since midnight, cut to the minute. */
  readonly minute: number
  /** Milliseconds since midnight. */
  readonly millisecond: number
}

const DAY = 86_400_000

/** What the zone's clocks show at an instant. */
export function localOf(at: number, zone: string): Local {
  const wall = at + offsetAt(at, zone) - FIRST_MOMENT
  const day = Math.floor(wall / DAY)
  const millisecond = wall - day * DAY
  return { day, minute: Math.floor(millisecond / 60_000), millisecond }
}

/** What the clocks of a zone are set to in a stretch of time, up to, not including, its end. */
export interface ZoneTable {
  readonly from: number
  readonly until: number
  /** Moments at which they are set anew, in order. */
  readonly changes: readonly number[]
  /** Milliseconds ahead of UTC: before the first change, and from each on. */
  readonly offsets: readonly number[]
  /** It holds outside of that stretch, too: before it as at its beginning, behind it as in the years that it ends with. */
  readonly endless: boolean
}

const learnt = new Map<string, ZoneTable>()

/** From now on these are the zone's clocks, in the place of the platform's. Null: the platform's again. */
export function learnZone(zone: string, table: ZoneTable | null): void {
  if (table === null) learnt.delete(zone)
  else learnt.set(zone, table)
}

export const learntOf = (zone: string): ZoneTable | undefined => learnt.get(zone)

/** Milliseconds that the zone's clocks are ahead of UTC. */
export function offsetAt(at: number, zone: string): number {
  const table = learnt.get(zone)
  if (table === undefined) return platformOffset(at, zone)
  const near = table.endless ? within(at, table) : at
  return near >= table.from && near < table.until ? offsetIn(table, near) : platformOffset(at, zone)
}

/** Whether the zone's clocks show at a moment what the platform would not show. */
export const differsAt = (at: number, zone: string): boolean =>
  learnt.has(zone) && offsetAt(at, zone) !== platformOffset(at, zone)

function offsetIn({ changes, offsets }: ZoneTable, at: number): number {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle]! <= at) low = middle + 1
    else high = middle
  }
  return offsets[low]!
}

/** The years 2101 to 2128 begin on each day of the week, as leap years and as others: an endless table ends with them. */
const lastYears = Array.from({ length: 28 }, (_, index) => 2101 + index)

/** When an endless table ends. */
export const TABLE_ENDS = Date.UTC(2129, 0, 1)

function within(at: number, { from, until }: ZoneTable): number {
  if (at < until) return Math.max(at, from)
  const year = new Date(at).getUTCFullYear()
  const begins = (one: number) => new Date(Date.UTC(one, 0, 1))
  const days = (one: number) => (begins(one + 1).getTime() - begins(one).getTime()) / DAY
  const alike = lastYears.find(one => begins(one).getUTCDay() === begins(year).getUTCDay() && days(one) === days(year))!
  return at - begins(year).getTime() + begins(alike).getTime()
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The same by the platform's own table. */
export function platformOffset(at: number, zone: string): number {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    const numeric = 'numeric' as const
    const fields = {
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
      era: 'short',
    } as const
    clock = new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone: zone, calendar: 'gregory' })
    clocks.set(zone, clock)
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of clock.formatToParts(at)) parts[type] = value
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts[type])
  const wall = new Date(0)
  wall.setUTCFullYear(parts.era === 'BC' ? 1 - number('year') : number('year'), number('month') - 1, number('day'))
  wall.setUTCHours(number('hour'), number('minute'), number('second'), ((at % 1000) + 1000) % 1000)
  return wall.getTime() - at
}

/**
 * The instant at which the zone's clocks show so many milliseconds since the midnight of a day. Where they show it twice (the end of summer
 * time) the earlier one; where they never do (its beginning), the earlier of what it would be. Null outside of the years 1 to 9999.
 */
export function momentOn(day: number, millisecond: number, zone: string): number | null {
  const wall = FIRST_MOMENT + day * DAY + millisecond
  const around = [wall - DAY, wall + DAY].map(at => offsetAt(at, zone))
  const shown = around.filter(offset => offsetAt(wall - offset, zone) === offset)
  const at = wall - Math.max(...(shown.length > 0 ? shown : around))
  return at < FIRST_MOMENT || at > LAST_MOMENT ? null : at
}

/** Minutes since midnight of `HH:MM`. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** `HH:MM` of minutes since midnight. */
export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
