/**
 * The clocks and days of the application, as functions of time need them. It stands in the checked expression, so that the browser,
 * the server and the database know the same, whatever their own settings are.
 */
import { dayNumber, LAST_DAY } from './dates.ts'
import { join, raw, type Sql, slot, sql } from './sql.ts'
import { quoted } from './sql-values.ts'
import { type Local, localOf } from './zone.ts'

export interface Calendar {
  /** IANA name: `Europe/London`. */
  readonly zone: string
  /** The working time that heading 9 declares; absent: Monday to Friday, no hours. */
  readonly week?: Week
}

export interface Week {
  /** Monday to Sunday. */
  readonly days: readonly boolean[]
  /** Minutes since midnight; the end is not part of it. */
  readonly hours: { readonly from: number; readonly to: number } | null
  /** Some days are closed: they come with the request. */
  readonly closed: boolean
}

export const UTC: Calendar = { zone: 'UTC' }

const MINUTE = 60_000

/** The local day; at the very ends of the years 1 to 9999 the last one that there is. */
export const localDay = (moment: number, { zone }: Calendar): number => clamped(localOf(moment, zone).day)

const clamped = (day: number): number => Math.min(Math.max(day, 0), LAST_DAY)

/** Day numbers of closed days, in order; only days on which there would be work. */
export type ClosedDays = readonly number[]

const numbers = new WeakMap<readonly string[], ClosedDays>()

/** Of dates in order. */
export function closedDays(dates: readonly string[]): ClosedDays {
  let known = numbers.get(dates)
  if (known === undefined) {
    known = dates.map(date => dayNumber(date)!)
    numbers.set(dates, known)
  }
  return known
}

/** How many closed days there are up to and including a day. */
function closedUpTo(closed: ClosedDays, day: number): number {
  let [low, high] = [0, closed.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (closed[middle]! <= day) low = middle + 1
    else high = middle
  }
  return low
}

/** How many working days of each week there are up to and including its first, second… day. */
const upToWeekday = ({ days }: Week): readonly number[] =>
  days.map((_, index) => days.slice(0, index + 1).filter(Boolean).length)

/** Working days from day 0 up to and including a day. */
export function workingDaysUpTo(day: number, week: Week, closed: ClosedDays): number {
  const before = upToWeekday(week)
  return Math.floor(day / 7) * before[6]! + before[day % 7]! - (week.closed ? closedUpTo(closed, day) : 0)
}

export const isWorkingDay = (day: number, week: Week, closed: ClosedDays): boolean =>
  week.days[day % 7]! && !(week.closed && closedUpTo(closed, day) !== closedUpTo(closed, day - 1))

/** Whether it is working time: from the opening until before the closing of a working day. */
export function isOpen(moment: number, { zone, week }: Calendar, closed: ClosedDays): boolean {
  const { day, minute } = localOf(moment, zone)
  const { from, to } = week!.hours!
  return isWorkingDay(clamped(day), week!, closed) && minute >= from && minute < to
}

/** Milliseconds of working time from day 0 until a moment, as the clocks show them. */
export function workedUntil(moment: number, { zone, week }: Calendar, closed: ClosedDays): number {
  const { day, millisecond }: Local = localOf(moment, zone)
  const { from, to } = week!.hours!
  const today = clamped(day)
  const isWorking = isWorkingDay(today, week!, closed)
  const whole = workingDaysUpTo(today, week!, closed) - (isWorking ? 1 : 0)
  const begun = Math.min(Math.max(millisecond - from * MINUTE, 0), (to - from) * MINUTE)
  return whole * (to - from) * MINUTE + (isWorking ? begun : 0)
}

export const localSql = (moment: Sql, { zone }: Calendar): Sql => sql`(${moment} at time zone ${quoted(zone)})`

/**
 * What is said of several values (`w.a`, `w.b`) that are each written once; empty where one of them is. For expressions that no
 * CHECK holds.
 */
const over = (values: readonly Sql[], said: Sql): Sql => {
  const names = ['a', 'b'].slice(0, values.length).map(raw)
  const from = values.map((value, index) => sql`${value} as ${names[index]!}`)
  const where = names.map(name => sql`w.${name} is not null`)
  return sql`(select ${said} from (select ${join(from, ', ')}) as w where ${join(where, ' and ')})`
}

const closedSql = sql`${slot('closed')}::date[]`

const listed = (values: readonly (number | boolean)[]): Sql => raw(`(array[${values.join(',')}])`)

function daysUpToSql(date: Sql, week: Week): Sql {
  const day = sql`(${date} - date '0001-01-01')`
  const before = upToWeekday(week)
  const all = sql`${day} / 7 * ${raw(String(before[6]))} + ${listed(before)}[${day} % 7 + 1]`
  return week.closed ? sql`(${all} - width_bucket(${date}, ${closedSql}))` : sql`(${all})`
}

function isWorkingSql(date: Sql, week: Week): Sql {
  const weekday = sql`${listed(week.days)}[(${date} - date '0001-01-01') % 7 + 1]`
  return week.closed ? sql`(${weekday} and ${date} <> all(${closedSql}))` : weekday
}

export const workingDaysSql = (from: Sql, to: Sql, week: Week): Sql =>
  over([from, to], sql`(${daysUpToSql(raw('w.b'), week)} - ${daysUpToSql(raw('w.a'), week)})`)

const clampedSql = (local: Sql): Sql => sql`least(greatest(${local}::date, date '0001-01-01'), date '9999-12-31')`

export function isOpenSql(moment: Sql, calendar: Calendar): Sql {
  const { from, to } = calendar.week!.hours!
  const local = raw('w.a')
  const minute = sql`extract(hour from ${local}) * 60 + extract(minute from ${local})`
  const open = sql`${minute} >= ${raw(String(from))} and ${minute} < ${raw(String(to))}`
  return over([localSql(moment, calendar)], sql`(${isWorkingSql(clampedSql(local), calendar.week!)} and ${open})`)
}

/** Seconds of working time between two moments. */
export const workedSql = (from: Sql, to: Sql, calendar: Calendar): Sql =>
  over(
    [localSql(from, calendar), localSql(to, calendar)],
    sql`(${workedUntilSql(raw('w.b'), calendar.week!)} - ${workedUntilSql(raw('w.a'), calendar.week!)})`,
  )

function workedUntilSql(local: Sql, week: Week): Sql {
  const { from, to } = week.hours!
  const day = clampedSql(local)
  // Seconds from the year 1 on are more than an integer holds.
  const length = raw(`${(to - from) * 60}::numeric`)
  const begun = sql`least(greatest(extract(epoch from ${local}::time) - ${raw(String(from * 60))}, 0), ${length})`
  return sql`(${daysUpToSql(day, week)} * ${length} - case when ${isWorkingSql(day, week)} then ${length} - ${begun} else 0 end)`
}
