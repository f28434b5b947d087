import { addMonths, dateOf, dayNumber } from '../../expression/dates.ts'
import type { Unit } from '../../headings/2-screens/model.ts'

/** Units that follow each other without an end; weekdays and hours come round again. */
export const periods: readonly (Unit | null)[] = ['year', 'quarter', 'month', 'week', 'day']

/** The first day of the week that a day is in; `begins`: 0 for weeks from Monday. */
export const weekOf = (day: number, begins: number): number => day - ((day - begins + 7) % 7)

/** The first day of the period so many of them after (before, where it is negative) the one that begins on a day; null outside of the years 1 to 9999. */
export function periodAfter(unit: Unit, day: string, count = 1): string | null {
  const number = dayNumber(day)!
  const months = unit === 'year' ? 12 : unit === 'quarter' ? 3 : unit === 'month' ? 1 : 0
  const next = months > 0 ? addMonths(number, months * count) : number + (unit === 'week' ? 7 : 1) * count
  return next === null ? null : dateOf(next)
}

/** Periods that one drawing has room for. */
export const mostPeriods = 400
