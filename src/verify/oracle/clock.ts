/** Days and times of day in the time zone of the application, and its working days. */
import type { Told } from './told.ts'
import { date, inside, moment, NotJudged, type Value } from './values.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
const clocks = new Map<string, Intl.DateTimeFormat>()

/** Milliseconds that the clocks of a zone are ahead of UTC at a moment. */
function ahead(zone: string, at: number): number {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    const each = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    clock = new Intl.DateTimeFormat('en-US', { ...each, timeZone: zone, hourCycle: 'h23', era: 'short' })
    clocks.set(zone, clock)
  }
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
  const [year, month, day, hour, minute] = [part.year, part.month, part.day, part.hour, part.minute].map(Number)
  const local = new Date(0).setUTCFullYear(year!, month! - 1, day) + (hour! * 60 + minute!) * minuteMs
  return local - Math.floor(at / minuteMs) * minuteMs
}

/** What the clocks show: the day, and minutes of it. */
export function shown(zone: string, at: number): { readonly day: number; readonly minutes: number } {
  const local = at + ahead(zone, at)
  const day = Math.min(Math.floor(local / dayMs), 2_932_896)
  return { day, minutes: Math.floor((local - Math.floor(local / dayMs) * dayMs) / minuteMs) }
}

/** The first moment at which they show it; what is skipped is as long before. */
export function momentAt(zone: string, day: number, minutes: number): Value {
  const local = day * dayMs + minutes * minuteMs
  const both = [local - ahead(zone, local - dayMs), local - ahead(zone, local + dayMs)]
  const right = both.filter(at => at + ahead(zone, at) === local)
  return moment(Math.min(...(right.length > 0 ? right : both)))
}

/** Monday is 1. */
export const weekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

const isWorked = ({ week }: Told, closed: ReadonlySet<number>, day: number): boolean =>
  week.days.has(weekday(day)) && !closed.has(day)

const furthest = 40_000

/** After the first up to and including the second. */
export function workingDays(told: Told, closed: ReadonlySet<number>, from: number, to: number): number {
  if (Math.abs(to - from) > furthest) throw new NotJudged('days so far apart')
  let days = 0
  for (let day = Math.min(from, to) + 1; day <= Math.max(from, to); day++) if (isWorked(told, closed, day)) days++
  return from <= to ? days : -days
}

export function workingDaysAfter(told: Told, closed: ReadonlySet<number>, from: number, by: number): Value {
  let [day, left] = [from, Math.abs(by)]
  for (let tried = 0; left > 0; tried++) {
    if (tried > furthest) return null
    day += Math.sign(by)
    if (isWorked(told, closed, day)) left--
  }
  return date(day)
}

/** The next time of day after a moment on one of these days of the week; null: on a working day. */
export function nextDay(
  told: Told,
  closed: ReadonlySet<number>,
  days: ReadonlySet<number> | null,
  after: number,
  minutes: number,
): Value {
  const { day: today } = shown(told.zone, after)
  for (let day = today; day <= today + furthest; day++) {
    if (days === null ? !isWorked(told, closed, day) : !days.has(weekday(day))) continue
    const at = momentAt(told.zone, day, minutes)
    if (at === null || inside(at, 'moment') > after) return at
  }
  return null
}

export function isOpen(told: Told, closed: ReadonlySet<number>, at: number): boolean {
  const { day, minutes } = shown(told.zone, at)
  const hours = told.week.hours.get(weekday(day))
  return hours !== undefined && isWorked(told, closed, day) && minutes >= hours[0] && minutes < hours[1]
}

/** Milliseconds of working time from one moment to another; negative where that is earlier. */
export function worked(told: Told, closed: ReadonlySet<number>, from: number, to: number): number {
  if (from > to) return -worked(told, closed, to, from)
  const [first, last] = [shown(told.zone, from).day, shown(told.zone, to).day]
  if (last - first > furthest) throw new NotJudged('days so far apart')
  let sum = 0
  for (let day = first; day <= last; day++) {
    const hours = isWorked(told, closed, day) ? told.week.hours.get(weekday(day)) : undefined
    if (hours === undefined) continue
    const [opens, closes] = hours.map(minutes => inside(momentAt(told.zone, day, minutes), 'moment'))
    sum += Math.max(0, Math.min(to, closes!) - Math.max(from, opens!))
  }
  return sum
}
