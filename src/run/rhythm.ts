/** When something that comes back happens next, by the clocks of the application. */
import { closedDays, isWorkingDay, type Week } from '../expression/calendar.ts'
import { addMonths, dateOf, dayNumber, LAST_DAY, parseDuration } from '../expression/dates.ts'
import { localOf } from '../expression/zone.ts'
import type { Rhythm, TimeOfDay } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { dateIn, momentAt, timeIn } from './clock.ts'

/** Of a request and its application: where the clocks are, and on which days there is work. */
export interface Clockwork {
  readonly zone: string
  /** Monday to Sunday. */
  readonly days: readonly boolean[]
  readonly closed: readonly string[]
  /** Minutes since midnight from opening to closing; null: the document has none. */
  readonly hours: Week['hours']
}

const mondayToFriday = [true, true, true, true, true, false, false]

export const clockworkOf = ({ product, workingTime }: App, closed: readonly string[]): Clockwork => ({
  zone: product.timeZone.name,
  days: workingTime?.days ?? mondayToFriday,
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
  const happens =
    rhythm.days === null ? (day: number) => isWorking(day, clockwork) : (day: number) => rhythm.days![day % 7]!
  for (let day = today; day <= Math.min(today + longest, LAST_DAY); day++) {
    if (!happens(day)) continue
    const at = momentAt(dateOf(day)!, rhythm.time, zone)
    if (at.getTime() > after.getTime()) return at
  }
  return null
}

/** The moment so many working days after another, at a time of day, or at the time of the other one. Null where there is none. */
export function workingDaysLater(from: Date, count: number, time: TimeOfDay | null, clockwork: Clockwork): Date | null {
  const { zone } = clockwork
  const date = workingDaysFrom(dateIn(from, zone), count, clockwork)
  return date === null ? null : momentAt(date, time ?? timeIn(from, zone), zone)
}

/** The date so many working days after another; before it, where the count is negative. Null where there is none. */
export function workingDaysFrom(date: string, count: number, clockwork: Clockwork): string | null {
  const first = dayNumber(date)!
  let day = first
  for (let left = Math.abs(count); left > 0; ) {
    day += Math.sign(count)
    if (isBeyond(day, first, Math.abs(count))) return null
    if (isWorking(day, clockwork)) left--
  }
  return dateOf(day)
}

/**
 * The moment at which so many hours of working time have passed since another; where the number is negative, the last one with so
 * many until the other. Hours are those that the clocks show, as `working_hours` counts them: 8 hours after an opening at 09:00 it is
 * 17:00, whether or not the clocks are put forward. Null where there is none.
 */
export function workingHoursLater(from: Date, count: number, clockwork: Clockwork): Date | null {
  const { zone, hours } = clockwork
  if (hours === null || count === 0) return count === 0 ? from : null
  const [opening, closing] = [hours.from * minute, hours.to * minute]
  const sign = Math.sign(count)
  const { day: first, millisecond } = localOf(from.getTime(), zone)
  let left = Math.abs(Math.round(count * 60 * minute))
  const days = left / (closing - opening)
  for (let day = first; !isBeyond(day, first, days); day += sign) {
    if (!isWorking(day, clockwork)) continue
    const begin = day !== first ? (sign > 0 ? opening : closing) : Math.min(Math.max(millisecond, opening), closing)
    const room = sign > 0 ? closing - begin : begin - opening
    if (left <= room) {
      const moment = wallAt(day, begin + sign * left, zone)
      // A time that the clocks show twice is the earlier one, which may have been before.
      return sign > 0 && moment < from ? from : moment
    }
    left -= room
  }
  return null
}

const minute = 60_000

/** The moment at which the clocks show so many milliseconds since midnight. */
function wallAt(day: number, milliseconds: number, zone: string): Date {
  const minutes = Math.floor(milliseconds / minute)
  const [of, within] = minutes < 24 * 60 ? [day, minutes] : [day + 1, minutes - 24 * 60]
  const at = momentAt(dateOf(of)!, { hour: Math.floor(within / 60), minute: within % 60 }, zone)
  return new Date(at.getTime() + (milliseconds - minutes * minute))
}

/** Whether so many working days cannot be as far away as a day. */
const isBeyond = (day: number, first: number, count: number): boolean =>
  day < 1 || day >= LAST_DAY || Math.abs(day - first) > longest + count * 7

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

function isWorking(day: number, { days, closed }: Clockwork): boolean {
  return isWorkingDay(day, { days, hours: null, closed: true }, closedDays(closed))
}

const startOf = (day: number, zone: string): Date => momentAt(dateOf(day)!, { hour: 0, minute: 0 }, zone)
