/** Days that move with the calendar: `this-week`, `last-30-days`. */
import { addMonths, dateOf, dayNumber, partsOf } from '../../expression/dates.ts'
import { weekOf } from './periods.ts'

export const relativeDays = [
  'today',
  'yesterday',
  'tomorrow',
  'this-week',
  'last-week',
  'next-week',
  'this-month',
  'last-month',
  'next-month',
  'this-year',
  'last-year',
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'next-7-days',
  'next-30-days',
] as const

export type RelativeDays = (typeof relativeDays)[number]

export const isRelative = (text: string): text is RelativeDays => (relativeDays as readonly string[]).includes(text)

/** From the first day up to, not including, the last. `last-7-days` end with today, `next-7-days` begin with it. `weekBegins`: 0 for Monday. */
export function daysOf(relative: RelativeDays, today: string, weekBegins: number): readonly [from: string, to: string] {
  const day = dayNumber(today)!
  const [, month, dayOfMonth] = partsOf(day)
  const range = (from: number, to: number) => [dateOf(from) ?? today, dateOf(to) ?? today] as const
  const months = (begin: number, from: number, to: number) => range(addMonths(begin, from)!, addMonths(begin, to)!)
  const week = weekOf(day, weekBegins)
  const first = day - dayOfMonth + 1
  const newYear = addMonths(first, 1 - month)!
  switch (relative) {
    case 'today':
      return range(day, day + 1)
    case 'yesterday':
      return range(day - 1, day)
    case 'tomorrow':
      return range(day + 1, day + 2)
    case 'this-week':
      return range(week, week + 7)
    case 'last-week':
      return range(week - 7, week)
    case 'next-week':
      return range(week + 7, week + 14)
    case 'this-month':
      return months(first, 0, 1)
    case 'last-month':
      return months(first, -1, 0)
    case 'next-month':
      return months(first, 1, 2)
    case 'this-year':
      return months(newYear, 0, 12)
    case 'last-year':
      return months(newYear, -12, 0)
    default: {
      const [, way, count] = /^(last|next)-(\d+)-days$/.exec(relative)!
      return way === 'last' ? range(day - Number(count) + 1, day + 1) : range(day, day + Number(count))
    }
  }
}
