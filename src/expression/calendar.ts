/**
 * The clocks and days of the application, as functions of time need them. It stands in the checked expression, so that the browser,
 * the server and the database know the same, whatever their own settings are.
 */
import { dayNumber, LAST_DAY, LONGEST_CLOCK } from './dates.ts'
import { join, raw, type Sql, slot, sql } from './sql.ts'
import { quoted } from './sql-values.ts'
import type { Wording } from './wording.ts'
import { type Local, localOf, momentOn } from './zone.ts'

export interface Calendar {
  /** IANA name: `Europe/London`. */
  readonly zone: string
  /** The working time that heading 9 declares; absent: Monday to Friday, no hours. */
  readonly week?: Week
  /** Only of functions that write days. */
  readonly wording?: Wording
  /** Closed days may be those of one record: whose they are. Only in the scope, never of a function. */
  readonly closing?: Closing
}

/** Dates of records: days without work of the record that they refer to, or of everybody. */
export interface Closing {
  readonly entity: string
  readonly day: string
  /** The reference; where it is empty, it is everybody's day. */
  readonly of: string
}

export interface Week {
  /** Monday to Sunday. */
  readonly days: readonly boolean[]
  /** Monday to Sunday; null on days without work. Null: the document has no hours. */
  readonly hours: readonly (Hours | null)[] | null
  /** Some days are closed: they come with the request, or are looked up (`daysOf`). */
  readonly closed: boolean
  /** In SQL: where they stand, if not in the request. */
  readonly closedSql?: Sql
}

/** Minutes since midnight; the end is not part of it. */
export interface Hours {
  readonly from: number
  readonly to: number
}

/** Where the document declares none. */
export const mondayToFriday: Week = {
  days: [true, true, true, true, true, false, false],
  hours: null,
  closed: false,
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

/** Of dates in order, as an aggregate gives them: `{2026-05-01,2026-12-25}`. */
export const closedDaysIn = (text: string): ClosedDays =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map(date => dayNumber(date)!)

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
  const hours = week!.hours![clamped(day) % 7]
  return hours != null && isWorkingDay(clamped(day), week!, closed) && minute >= hours.from && minute < hours.to
}

/** Of each weekday, in minutes: when work begins, how long it is, and how much of it comes before in the week; and that of a whole week. */
function spansOf({ hours }: Week) {
  const from = hours!.map(span => span?.from ?? 0)
  const length = hours!.map(span => (span === null ? 0 : span.to - span.from))
  const before = length.map((_, index) => length.slice(0, index).reduce((sum, one) => sum + one, 0))
  return { from, length, before, total: before[6]! + length[6]! }
}

/** Milliseconds of working time from day 0 until a moment, as the clocks show them. */
export function workedUntil(moment: number, { zone, week }: Calendar, closed: ClosedDays): number {
  const { day, millisecond }: Local = localOf(moment, zone)
  const { from, length, before, total } = spansOf(week!)
  const today = clamped(day)
  const weekday = today % 7
  let whole = Math.floor(today / 7) * total + before[weekday]!
  for (const off of week!.closed ? closed : []) if (off < today) whole -= length[off % 7]!
  const begun = Math.min(Math.max(millisecond - from[weekday]! * MINUTE, 0), length[weekday]! * MINUTE)
  return whole * MINUTE + (isWorkingDay(today, week!, closed) ? begun : 0)
}

/** The day on which so many working days have been since day 0; null where the calendar has no such day. */
function nthWorkingDay(nth: number, week: Week, closed: ClosedDays): number | null {
  if (!(nth >= 1 && nth <= LAST_DAY)) return null
  const inWeek = workingWeekdays(week)
  const open = { ...week, closed: false }
  // Of the closed days, which are in order, those before which there are fewer open ones.
  const skipped = week.closed ? closed.filter((day, i) => workingDaysUpTo(day, open, []) - i - 1 < nth).length : 0
  const before = nth + skipped - 1
  const day = Math.floor(before / inWeek.length) * 7 + inWeek[before % inWeek.length]!
  return day > LAST_DAY ? null : day
}

/** Days of the week on which there is work, 0 for Monday. */
const workingWeekdays = ({ days }: Week): readonly number[] => days.flatMap((works, day) => (works ? [day] : []))

/** The working day so many of them after a day; before it, where the count is negative. Null outside of the years 1 to 9999. */
export function workingDayAfter(day: number, count: number, week: Week, closed: ClosedDays): number | null {
  if (count === 0) return day
  const upTo = workingDaysUpTo(day, week, closed)
  const nth = count > 0 ? upTo + count : upTo - (isWorkingDay(day, week, closed) ? 1 : 0) + count + 1
  return nthWorkingDay(nth, week, closed)
}

/**
 * The moment at which so much working time has passed since another: the closing of a day rather than the next opening. Where it is
 * negative, the last one with so much until the other. Null outside of the years 1 to 9999.
 */
export function workedAfter(
  moment: number,
  milliseconds: number,
  calendar: Calendar,
  closed: ClosedDays,
): number | null {
  const week = calendar.week!
  const { from, length, before, total } = spansOf(week)
  const until = workedUntil(moment, calendar, closed) + milliseconds
  if (milliseconds === 0 || until < 0) return until < 0 ? null : moment
  // As if no day were closed: with the hours of those closed days that begin before so much has been worked.
  let skipped = 0
  for (const off of week.closed ? closed : []) {
    const worked = (Math.floor(off / 7) * total + before[off % 7]!) * MINUTE - skipped
    if (milliseconds > 0 ? worked < until : worked <= until) skipped += length[off % 7]! * MINUTE
  }
  const open = until + skipped
  const last = milliseconds > 0 ? open - 1 : open
  const weeks = Math.floor(last / (total * MINUTE))
  const rest = last - weeks * total * MINUTE
  const weekday = length.filter((_, index) => (before[index]! + length[index]!) * MINUTE <= rest).length
  const day = weeks * 7 + weekday
  const begun = open - (weeks * total + before[weekday]!) * MINUTE
  const at = day > LAST_DAY ? null : momentOn(day, from[weekday]! * MINUTE + begun, calendar.zone)
  // A time that the clocks show twice is the earlier one, which may have been before.
  return at !== null && milliseconds > 0 ? Math.max(at, moment) : at
}

export const localSql = (moment: Sql, { zone }: Calendar): Sql => sql`(${moment} at time zone ${quoted(zone)})`

/**
 * What is said of several values (`w.a`, `w.b`) that are each written once; empty where one of them is. For expressions that no
 * CHECK holds.
 */
export const over = (values: readonly Sql[], said: Sql): Sql => {
  const names = ['a', 'b'].slice(0, values.length).map(raw)
  const from = values.map((value, index) => sql`${value} as ${names[index]!}`)
  const where = names.map(name => sql`w.${name} is not null`)
  return sql`(select ${said} from (select ${join(from, ', ')}) as w where ${join(where, ' and ')})`
}

/**
 * The same; `steps` are worked out one after the other from what is there, each under its name, and once: `offset 0` keeps the planner from
 * writing out what they stand for wherever they stand, and one inside of the other from trying in which order to join them.
 */
const through = ([a, b]: readonly [Sql, Sql], steps: Readonly<Record<string, Sql>>, said: Sql): Sql => {
  const values = sql`(select ${a} as a, ${b} as b offset 0) as w where w.a is not null and w.b is not null`
  const from = Object.entries(steps).reduce(
    (before, [name, step]) => sql`(select w.*, ${step} as ${raw(name)} from ${before} offset 0) as w`,
    values,
  )
  return sql`(select ${said} from ${from})`
}

const closedIn = ({ closedSql }: Week): Sql => closedSql ?? sql`${slot('closed')}::date[]`

const listed = (values: readonly (number | boolean)[]): Sql => raw(`(array[${values.join(',')}])`)

function daysUpToSql(date: Sql, week: Week): Sql {
  const day = sql`(${date} - date '0001-01-01')`
  const before = upToWeekday(week)
  const all = sql`${day} / 7 * ${raw(String(before[6]))} + ${listed(before)}[${day} % 7 + 1]`
  return week.closed ? sql`(${all} - width_bucket(${date}, ${closedIn(week)}))` : sql`(${all})`
}

function isWorkingSql(date: Sql, week: Week): Sql {
  const weekday = sql`${listed(week.days)}[(${date} - date '0001-01-01') % 7 + 1]`
  return week.closed ? sql`(${weekday} and ${date} <> all(${closedIn(week)}))` : weekday
}

export const workingDaysSql = (from: Sql, to: Sql, week: Week): Sql =>
  over([from, to], sql`(${daysUpToSql(raw('w.b'), week)} - ${daysUpToSql(raw('w.a'), week)})`)

export const clampedSql = (local: Sql): Sql =>
  sql`least(greatest(${local}::date, date '0001-01-01'), date '9999-12-31')`

/** Whether a moment is within working hours, as SQL. The calendar must have hours (the checker sees to it). */
export function isOpenSql(moment: Sql, calendar: Calendar): Sql {
  const week = calendar.week!
  const { from, length } = spansOf(week)
  const local = raw('w.a')
  const day = clampedSql(local)
  const minute = sql`(extract(hour from ${local}) * 60 + extract(minute from ${local}) - ${ofWeekday(from, day)})`
  const open = sql`${minute} >= 0 and ${minute} < ${ofWeekday(length, day)}`
  return over([localSql(moment, calendar)], sql`(${isWorkingSql(day, week)} and ${open})`)
}

/** Seconds of working time between two moments. */
export const workedSql = (from: Sql, to: Sql, calendar: Calendar): Sql =>
  over(
    [localSql(from, calendar), localSql(to, calendar)],
    sql`(${workedUntilSql(raw('w.b'), calendar.week!)} - ${workedUntilSql(raw('w.a'), calendar.week!)})`,
  )

/** Of a value for each weekday that of the day. */
const ofWeekday = (values: readonly number[], day: Sql): Sql =>
  sql`(array[${raw(values.join(','))}]::numeric[])[(${day} - date '0001-01-01') % 7 + 1]`

const inSeconds = (minutes: readonly number[]): readonly number[] => minutes.map(one => one * 60)

/** Seconds of working time before a day, were no day closed: more than an integer holds. */
function openBeforeSql(day: Sql, week: Week): Sql {
  const { before, total } = spansOf(week)
  return sql`((${day} - date '0001-01-01') / 7 * ${raw(`${total * 60}::numeric`)} + ${ofWeekday(inSeconds(before), day)})`
}

function workedUntilSql(local: Sql, week: Week): Sql {
  const { from, length } = spansOf(week)
  const day = clampedSql(local)
  const seconds = ofWeekday(inSeconds(length), day)
  const begun = sql`least(greatest(extract(epoch from ${local}::time) - ${ofWeekday(inSeconds(from), day)}, 0), ${seconds})`
  const off = raw('c.day')
  const closed = week.closed
    ? sql` - (select coalesce(sum(${ofWeekday(inSeconds(length), off)}), 0) from unnest(${closedIn(week)}) as c(day) where ${off} < ${day})`
    : raw('')
  return sql`(${openBeforeSql(day, week)}${closed} + case when ${isWorkingSql(day, week)} then ${begun} else 0 end)`
}

/** The date of a working day (`w.n`, whole) counted from day 0; empty where the calendar has no such day. */
function nthWorkingDaySql(week: Week): Readonly<Record<string, Sql>> {
  const inWeek = workingWeekdays(week)
  const count = raw(String(inWeek.length))
  const closed = raw('c.day')
  const before = sql`(select count(*)::integer from unnest(${closedIn(week)}) with ordinality as c(day, place)
    where ${daysUpToSql(closed, { ...week, closed: false })} - c.place < w.n)`
  return {
    k: sql`w.n - 1${week.closed ? sql` + ${before}` : raw('')}`,
    d: sql`date '0001-01-01' + (w.k / ${count} * 7 + ${listed(inWeek)}[w.k % ${count} + 1])`,
    y: sql`case when w.d <= date '9999-12-31' then w.d end`,
  }
}

/** A number of working days as one that the calendar may have. */
const nthSql = (number: Sql): Sql =>
  sql`case when ${number} between 1 and ${raw(String(LAST_DAY))} then (${number})::integer end`

/** The working day so many after a date, before it where the count is negative, the date itself where it is 0; as SQL. */
export function workingDayAfterSql(date: Sql, count: Sql, week: Week): Sql {
  const [from, by] = [raw('w.a'), raw('w.b')]
  const upTo = daysUpToSql(from, week)
  const back = sql`${upTo} - case when ${isWorkingSql(from, week)} then 1 else 0 end + ${by} + 1`
  const steps = {
    n: nthSql(sql`(case when ${by} > 0 then ${upTo} + ${by} else ${back} end)`),
    ...nthWorkingDaySql(week),
  }
  return through([date, count], steps, sql`case when ${by} = 0 then ${from} else w.y end`)
}

/**
 * The moment at which the clocks show a local time (`w.t`): PostgreSQL takes the later one of two, and of what a skipped time would be.
 */
function momentSteps(calendar: Calendar): Readonly<Record<string, Sql>> {
  const shown = (moment: Sql) => localSql(moment, calendar)
  const at = raw('w.m')
  const gained = sql`(${shown(sql`(${at} - interval '24 hours')`)} + interval '24 hours' - ${shown(at)})`
  return {
    m: shown(raw('w.t')),
    g: gained,
    e: sql`case when ${shown(at)} <> w.t then ${at} - (${shown(at)} - w.t) when ${shown(sql`(${at} - w.g)`)} = w.t then ${at} - w.g else ${at} end`,
    z: sql`case when w.e between ${raw(FIRST)} and ${raw(LAST)} then w.e end`,
  }
}

const [FIRST, LAST] = ["timestamptz '0001-01-01 00:00:00Z'", "timestamptz '9999-12-31 23:59:59.999Z'"]

/** The moment of a date and a time of day. */
export const momentOnSql = (date: Sql, time: Sql, calendar: Calendar): Sql =>
  through([date, time], { t: sql`w.a + w.b`, ...momentSteps(calendar) }, raw('w.z'))

/** `hours` are `numeric`. */
export function workedAfterSql(moment: Sql, hours: Sql, calendar: Calendar): Sql {
  const week = calendar.week!
  const { from, length, before, total } = spansOf(week)
  const whole = raw(`${total * 60}::numeric`)
  const ends = before.map((one, index) => one + length[index]!)
  const ofDay = (values: readonly number[]) => sql`(array[${raw(inSeconds(values).join(','))}]::numeric[])[w.i + 1]`
  const off = raw('c.day')
  const skipped = sql`(select coalesce(sum(k.length), 0) from (
    select j.length, j.worked - (sum(j.length) over (order by j.day) - j.length) as worked from (
      select ${off}, ${ofWeekday(inSeconds(length), off)} as length, ${openBeforeSql(off, week)} as worked from unnest(${closedIn(week)}) as c(day)
    ) as j) as k where case when w.s > 0 then k.worked < w.u else k.worked <= w.u end)`
  const steps = {
    l: localSql(raw('w.a'), calendar),
    s: sql`case when abs(w.b) <= ${raw(String(LONGEST_CLOCK / 3_600_000))} then round(w.b * 3600, 3) end`,
    u: sql`${workedUntilSql(raw('w.l'), week)} + w.s`,
    // As if no day were closed: with the hours of those closed days that begin before so much has been worked.
    x: week.closed ? sql`w.u + ${skipped}` : sql`w.u`,
    v: sql`case when w.s > 0 then w.x - 0.001 when w.u >= 0 then w.x end`,
    k: sql`case when div(w.v, ${whole}) <= ${raw(String(LAST_DAY / 7 + 1))} then div(w.v, ${whole})::integer end`,
    i: sql`width_bucket(w.v - w.k * ${whole}, array[${raw(inSeconds(ends).join(','))}]::numeric[])`,
    d: sql`date '0001-01-01' + (w.k * 7 + w.i)`,
    y: sql`case when w.d <= date '9999-12-31' then w.d end`,
    t: sql`w.y + (${ofDay(from)} + w.x - w.k * ${whole} - ${ofDay(before)}) * interval '1 second'`,
    ...momentSteps(calendar),
  }
  const reached = sql`case when w.s > 0 and w.z < w.a then w.a else w.z end`
  return through([moment, hours], steps, sql`case when w.s = 0 then w.a else ${reached} end`)
}
