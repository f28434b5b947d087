import { addMonths, dateOf, dayNumber } from '../../expression/dates.ts'
import type { Unit } from '../../headings/2-screens/model.ts'

/** Units that follow each other without an end; weekdays and hours come round again. */
export const periods: readonly (Unit | null)[] = ['year', 'quarter', 'month', 'week', 'day']

/** The first day of the next one. */
export function periodAfter(unit: Unit, day: string): string | null {
  const number = dayNumber(day)!
  const months = unit === 'year' ? 12 : unit === 'quarter' ? 3 : unit === 'month' ? 1 : 0
  const next = months > 0 ? addMonths(number, months) : number + (unit === 'week' ? 7 : 1)
  return next === null ? null : dateOf(next)
}
