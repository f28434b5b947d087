/** When something that comes back happens next, by the clocks of the application. */
import {
  closedDays,
  isWorkingDay,
  mondayToFriday,
  type Week,
  workedAfter,
  workingDayAfter,
} from '../../expression/calendar.ts'
import { addMonths, dateOf, dayNumber, LAST_DAY, LONGEST_CLOCK, parseDuration } from '../../expression/dates.ts'
import type { Wire } from '../../expression/type.ts'
import type { Clock, Dates, Rhythm, TimeOfDay, Timer } from '../../headings/4-states/model.ts'
import { clockTime } from '../../headings/4-states/timers.ts'
import type { App } from '../../headings/app.ts'
import { dateIn, momentAt, timeIn } from '../clock.ts'

/** Of a request and its application: where the clocks are, and on which days there is work. */
export interface Clockwork {
  readonly zone: string
  /** Monday to Sunday. */
  readonly days: readonly boolean[]
  readonly closed: readonly string[]
  /** Minutes since midnight from opening to closing; null: the document has none. */
  readonly hours: Week['hours']
}

export const clockworkOf = ({ product, workingTime }: App, closed: readonly string[]): Clockwork => ({
  zone: product.timeZone.name,
  days: workingTime?.days ?? mondayToFriday.days,
  hours: workingTime?.hours ?? null,
  closed,
})

/** Days that are looked at for the next occurrence: who is closed for longer than ten years has none. */
const longest = 3660

/**
 * The first occurrence after a moment; null where there is none. A time that the clocks skip on a day (the beginning of summer time)
 * and one that they show twice (its end) is one occurrence, at the moment that `momentAt` gives.
 */
export function nextOccurrence(rhythm: Rhythm, after: Date, clockwork: Clockwork): Date | null {
  const { zone } = clockwork
  const today = dayNumber(dateIn(after, zone))!
  if (rhythm.of === 'minutes') {
    const midnight = startOf(today, zone)
    const step = rhythm.minutes * 60_000
    const next = midnight.getTime() + (Math.floor((after.getTime() - midnight.getTime()) / step) + 1) * step
    const tomorrow = startOf(today + 1, zone)
    return next < tomorrow.getTime() ? new Date(next) : tomorrow
  }
  if (rhythm.of === 'dates') return nextDate(rhythm, after, today, clockwork)
  const happens =
    rhythm.days === null ? (day: number) => isWorking(day, clockwork) : (day: number) => rhythm.days![day % 7]!
  for (let day = today; day <= Math.min(today + longest, LAST_DAY); day++) {
    if (!happens(day)) continue
    const at = momentAt(dateOf(day)!, rhythm.time, zone)
    if (at.getTime() > after.getTime()) return at
  }
  return null
}

/** The first day of a month, a quarter or a year that comes, from the one that a day lies in. */
function nextDate(
  rhythm: Dates & { readonly time: TimeOfDay },
  after: Date,
  today: number,
  clockwork: Clockwork,
): Date | null {
  const length = rhythm.month !== null || rhythm.every === 'month' ? 1 : rhythm.every === 'quarter' ? 3 : 12
  const step = rhythm.every === 'month' ? 1 : rhythm.every === 'quarter' ? 3 : 12
  const [year, month] = dateOf(today)!.split('-').map(Number) as [number, number]
  const begun = rhythm.month !== null ? rhythm.month - 1 : Math.floor((month - 1) / length) * length
  for (let from = year * 12 + begun; from <= year * 12 + begun + longest / 30; from += step) {
    const day = dayAmong(rhythm, firstOf(from), firstOf(from + length) - 1, clockwork)
    if (day === null) continue
    if (day > LAST_DAY) return null
    const at = momentAt(dateOf(day)!, rhythm.time, clockwork.zone)
    if (at.getTime() > after.getTime()) return at
  }
  return null
}

/** Months are counted from the year 0 on. */
const firstOf = (month: number): number =>
  dayNumber(`${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`)!

/** The day that is meant from a first to a last one; null: there are not so many. */
function dayAmong({ nth, among }: Dates, first: number, last: number, clockwork: Clockwork): number | null {
  if (among === 'days') return nth > 0 ? Math.min(first + nth - 1, last) : Math.max(last + nth + 1, first)
  const counts = (day: number) => (among === 'working days' ? isWorking(day, clockwork) : day % 7 === among)
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(counts)
  return all.at(nth > 0 ? nth - 1 : nth) ?? null
}

/**
 * The same where a constant may say the time of day; null: it says none. `last`: when it happened last, and not again on that day, though
 * its time was moved meanwhile.
 */
export function nextBy(
  rhythm: Rhythm<Clock>,
  after: Date,
  clockwork: Clockwork,
  limits: Readonly<Record<string, Wire>>,
  last: Date | null = null,
): Date | null {
  // One that is further ahead comes from a clock that was wrong.
  const isKnown = last !== null && last.getTime() < after.getTime() + 86_400_000
  const from = (begins: number) => (isKnown ? new Date(Math.max(after.getTime(), begins)) : after)
  if (rhythm.of === 'minutes') return nextOccurrence(rhythm, from(last?.getTime() ?? 0), clockwork)
  const time = clockTime(rhythm.time, limits)
  if (time === null) return null
  const begins = last === null ? 0 : tomorrow(last, clockwork).getTime() - 1
  return nextOccurrence({ ...rhythm, time }, from(begins), clockwork)
}

/** The last day on which it has happened, as a moment of it: today's time is over, where the next one is on another day. */
export const lastOf = (due: Date, next: Date, now: Date, clockwork: Clockwork): Date =>
  next.getTime() < tomorrow(now, clockwork).getTime() ? due : now

/** Whether it is too late for what was due then, and nothing is to be done any more. */
export const isSkipped = ({ missed }: Pick<Timer, 'missed'>, due: Date, now: Date): boolean =>
  missed?.kind === 'skip' && now.getTime() - due.getTime() >= missed.minutes * 60_000

const tomorrow = (at: Date, { zone }: Clockwork): Date => startOf(dayNumber(dateIn(at, zone))! + 1, zone)

/** The moment so many working days after another, at a time of day, or at the time of the other one. Null where there is none. */
export function workingDaysLater(from: Date, count: number, time: TimeOfDay | null, clockwork: Clockwork): Date | null {
  const { zone } = clockwork
  const date = workingDaysFrom(dateIn(from, zone), count, clockwork)
  return date === null ? null : momentAt(date, time ?? timeIn(from, zone), zone)
}

/** The date so many working days after another; before it, where the count is negative. Null where there is none. */
export function workingDaysFrom(date: string, count: number, clockwork: Clockwork): string | null {
  const day = workingDayAfter(dayNumber(date)!, count, weekOf(clockwork), closedDays(clockwork.closed))
  return day === null ? null : dateOf(day)
}

/** The moment at which so many hours of working time have passed since another, as `working_hours_after` gives it. */
export function workingHoursLater(from: Date, count: number, clockwork: Clockwork): Date | null {
  const { zone, hours, closed } = clockwork
  if (hours === null) return count === 0 ? from : null
  const milliseconds = Math.round(Math.abs(count) * 3_600_000) * Math.sign(count)
  if (Math.abs(milliseconds) > LONGEST_CLOCK) return null
  const at = workedAfter(from.getTime(), milliseconds, { zone, week: weekOf(clockwork) }, closedDays(closed))
  return at === null ? null : new Date(at)
}

export const weekOf = ({ days, hours }: Clockwork): Week => ({ days, hours, closed: true })

/** The moment so long after another, days and months by the local clock. Null where there is none. */
export function later(from: Date, length: string, time: TimeOfDay | null, { zone }: Clockwork): Date | null {
  const parts = parseDuration(length)
  if (parts === null) return null
  const { months, days, milliseconds } = parts
  if (months === 0 && days === 0) return new Date(from.getTime() + milliseconds)
  const day = addMonths(dayNumber(dateIn(from, zone))!, months)
  const date = day === null ? null : dateOf(day + days)
  return date === null ? null : momentAt(date, time ?? timeIn(from, zone), zone)
}

const isWorking = (day: number, clockwork: Clockwork): boolean =>
  isWorkingDay(day, weekOf(clockwork), closedDays(clockwork.closed))

const startOf = (day: number, zone: string): Date => momentAt(dateOf(day)!, { hour: 0, minute: 0 }, zone)
