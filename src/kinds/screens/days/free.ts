/** Days on which nobody works, as calendars, timelines and inboxes count them. */
import { closedDays, isWorkingDay, mondayToFriday, type Week, workingDayAfter } from '../../../expression/calendar.ts'
import { dayNumber } from '../../../expression/dates.ts'
import type { App } from '../../../headings/app.ts'
import type { Address } from '../screen-kind.ts'

interface Where {
  readonly app: Pick<App, 'workingTime'>
  readonly address: Pick<Address, 'today' | 'closed'>
}

const weekOf = ({ app: { workingTime } }: Where): Week =>
  workingTime === null ? mondayToFriday : { ...workingTime, closed: workingTime.closed !== null }

/** No day of the working week, or one on which the application is closed. */
export const isFreeDay = (where: Where, day: string): boolean =>
  !isWorkingDay(dayNumber(day)!, weekOf(where), closedDays(where.address.closed))

/** The next working day, as a number of days. */
export const nextWorkingDay = (where: Where): number => {
  const today = dayNumber(where.address.today)!
  return workingDayAfter(today, 1, weekOf(where), closedDays(where.address.closed)) ?? today + 1
}
