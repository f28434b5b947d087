/**
 * The days that a page of figures is about, and those that it compares them with. All of it stands in the address: `period=quarter`
 * (`on`: a day in it), or `from` and `to`; `against=year`.
 */
import { addMonths, dateOf, dayNumber, partsOf } from '../../../expression/dates.ts'
import type { PeriodName, Unit } from '../../../headings/2-screens/model.ts'
import type { Member } from '../members.ts'
import { mostPeriods, periodAfter, weekOf } from '../periods.ts'
import type { Address } from '../screen-kind.ts'

/** From one day up to, not including, another. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** What figures are compared with: the period before, the same one a year before, or nothing. */
export const comparisons = ['before', 'year', 'none'] as const

export interface Period {
  readonly name: PeriodName | 'dates'
  readonly against: (typeof comparisons)[number]
  /** Null: whenever. */
  readonly days: {
    /** As far as they have come. */
    readonly now: Days
    /** To their end. */
    readonly whole: Days
    /** It is not over yet. */
    readonly running: boolean
    /** As many days of the one that it is compared with, and all of that; null: it is compared with none. */
    readonly before: { readonly now: Days; readonly whole: Days } | null
  } | null
}

export const periodNames: readonly PeriodName[] = ['week', 'month', 'quarter', 'year', 'all']

/** Its parameters in an address. */
export const inAddress = ['period', 'on', 'from', 'to', 'against'] as const

export const periodKey = {
  name: 'Period',
  meaning: 'What its reader sees first: `week`, `month`, `quarter`, `year` or `all`. Absent: all.',
}

export const period: Member<PeriodName | null> = { read: reader => reader.period('Period') }

/** What it says is taken out of `query`; what is not understood stays there. */
export function readPeriod(
  query: URLSearchParams,
  { today }: Pick<Address, 'today'>,
  preset: PeriodName | null,
  weekBegins: number,
): Period {
  const read = <V>(name: string, meant: (text: string) => V | null): V | null => {
    const text = query.get(name)
    return text === null ? null : meant(text)
  }
  const take = <V>(name: string, meant: (text: string) => V | null): V | null => {
    const value = read(name, meant)
    if (value !== null) query.delete(name)
    return value
  }
  const against = take('against', text => comparisons.find(one => one === text) ?? null) ?? 'before'
  const [from, to] = [read('from', dayNumber), read('to', dayNumber)]
  const now = dayNumber(today)!
  if (from !== null && to !== null && from <= to && inYears(from) && inYears(to)) {
    query.delete('from')
    query.delete('to')
    const whole = { from, to: to + 1 }
    return { name: 'dates', against, days: daysOf(whole, whole.from - (whole.to - whole.from), against, now) }
  }
  const name = take('period', text => periodNames.find(one => one === text) ?? null) ?? preset ?? 'all'
  if (name === 'all') return { name, against, days: null }
  const asked = take('on', dayNumber)
  const start = beginning(name, asked !== null && inYears(asked) ? asked : now, weekBegins)
  const after = (count: number) => dayNumber(periodAfter(name, dateOf(start)!, count)!)!
  return { name, against, days: daysOf({ from: start, to: after(1) }, after(-1), against, now) }
}

/** Far enough from the ends of the calendar that there is a year before and after. */
const inYears = (day: number): boolean => day >= dayNumber('0003-01-01')! && day <= dayNumber('9997-12-31')!

interface Numbers {
  readonly from: number
  readonly to: number
}

const written = ({ from, to }: Numbers): Days => ({ from: dateOf(from)!, to: dateOf(to)! })

/** `earlier`: when the period before begins, up to where this one does. */
function daysOf(whole: Numbers, earlier: number, against: Period['against'], today: number): Period['days'] {
  const running = whole.from <= today && today < whole.to - 1
  const now = running ? { ...whole, to: today + 1 } : whole
  const shifted = ({ from, to }: Numbers): Numbers => ({ from: addMonths(from, -12)!, to: addMonths(to, -12)! })
  const same: Numbers | null =
    against === 'none' ? null : against === 'year' ? shifted(whole) : { from: earlier, to: whole.from }
  return {
    now: written(now),
    whole: written(whole),
    running,
    before: same && {
      whole: written(same),
      now: written(running ? { from: same.from, to: Math.min(same.to, same.from + (now.to - now.from)) } : same),
    },
  }
}

/** The first day of the period around a day. */
function beginning(name: Exclude<PeriodName, 'all'>, day: number, weekBegins: number): number {
  if (name === 'week') return weekOf(day, weekBegins)
  const [, month, dayOfMonth] = partsOf(day)
  const first = day - dayOfMonth + 1
  const back = name === 'month' ? 0 : name === 'quarter' ? (month - 1) % 3 : month - 1
  return addMonths(first, -back)!
}

/** Units from the widest to the narrowest. */
const units: readonly Unit[] = ['year', 'quarter', 'month', 'week', 'day']

/** What such a number of days is drawn by: the narrower of what is written and what gives it enough points. */
export function unitWithin({ from, to }: Days, unit: Unit): Unit {
  const days = dayNumber(to)! - dayNumber(from)!
  const fitting: Unit = days <= 45 ? 'day' : days <= 200 ? 'week' : days <= 1200 ? 'month' : 'quarter'
  return units.indexOf(unit) > units.indexOf(fitting) && units.includes(unit) ? unit : fitting
}

/** The beginnings of the periods of these days, the newest that a drawing has room for: the first may begin before them. */
export function periodsIn({ from, to }: Days, unit: Unit, weekBegins: number): readonly string[] {
  const found: string[] = []
  const beginningOf = (day: number) =>
    dateOf(unit === 'day' ? day : beginning(unit as Exclude<PeriodName, 'all'>, day, weekBegins))!
  const oldest = periodAfter(unit, beginningOf(dayNumber(to)! - 1), 1 - mostPeriods) ?? ''
  const first = beginningOf(dayNumber(from)!)
  for (let day: string | null = first > oldest ? first : oldest; day !== null && day < to; day = periodAfter(unit, day))
    found.push(day)
  return found
}

/** How many periods before the one that is running a small line shows. */
const finished: Readonly<Record<Exclude<PeriodName, 'all'>, number>> = { week: 12, month: 12, quarter: 8, year: 8 }

/** The days of a small line: the period itself, and so many before it. Null: it is none that follow each other. */
export function daysBefore({ name, days }: Period): Days | null {
  if (days === null || name === 'dates' || name === 'all') return null
  return { from: periodAfter(name, days.now.from, -finished[name])!, to: days.now.to }
}
