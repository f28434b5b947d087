/**
 * Local days and times of a time zone. The zone always comes from the document, never from the machine, and is asked of the platform's
 * own table (`Intl`), so that the browser can do it, too.
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

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Milliseconds that the zone's clocks are ahead of UTC. */
export function offsetAt(at: number, zone: string): number {
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
  const parts = new Map(clock.formatToParts(at).map(part => [part.type, part.value]))
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const wall = new Date(0)
  wall.setUTCFullYear(
    parts.get('era') === 'BC' ? 1 - number('year') : number('year'),
    number('month') - 1,
    number('day'),
  )
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
