/** Clocks of timers that stand while their record is in certain states: what passes meanwhile does not count. */
import { closedDays, workedUntil, workingDaysUpTo } from '../../expression/calendar.ts'
import { dayNumber } from '../../expression/dates.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Timer, TimerAt } from '../../headings/4-states/model.ts'
import { dateIn, timeIn } from '../clock.ts'
import { type Clockwork, weekOf, workingDaysLater, workingHoursLater } from './recurrence.ts'

/** When a clock stood, one after the other; `null`: it still does. */
export type Stood = readonly (readonly [from: string, to: string | null])[]

/** When a timer is due while its clock stands: behind all others. */
export const never = '9999-12-31T00:00:00.000Z'

export const stands = ({ stands: states }: Timer, { state }: RecordValue): boolean =>
  states?.includes(state as string) === true

/** When it stood, with what the state of its record makes of that now. */
export function stoodBy(before: Stood, isStanding: boolean, now: Date): Stood {
  const last = before.at(-1)
  const isOpen = last !== undefined && last[1] === null
  if (isOpen === isStanding) return before
  const moment = now.toISOString()
  return isOpen ? [...before.slice(0, -1), [last[0], moment]] : [...before, [moment, null]]
}

/**
 * When something is due that would have been so at a moment, had its clock never stood: each time, what was left then is left when it goes
 * on. Working hours and days are left as such, and a time of day stays.
 */
export function dueStanding(due: Date, stood: Stood, at: TimerAt, clockwork: Clockwork): Date | null {
  const worked = workedIn(at)
  let moved: Date | null = due
  for (const [begun, ended] of stood) {
    if (moved === null || ended === null) return moved
    const [from, to] = [new Date(begun), new Date(ended)]
    if (from >= moved) continue
    if (worked === 'hours') moved = workingHoursLater(to, hoursLeft(from, moved, clockwork), clockwork)
    else if (worked === 'days')
      moved = workingDaysLater(to, daysLeft(from, moved, clockwork), timeIn(moved, clockwork.zone), clockwork)
    else moved = new Date(moved.getTime() + to.getTime() - from.getTime())
  }
  return moved
}

function workedIn(at: TimerAt): 'days' | 'hours' | null {
  if (at.kind === 'once') return at.working?.of ?? null
  return at.kind === 'after entering' && 'of' in at.length ? at.length.of : null
}

function hoursLeft(from: Date, due: Date, clockwork: Clockwork): number {
  const calendar = { zone: clockwork.zone, week: weekOf(clockwork) }
  const until = (moment: Date) => workedUntil(moment.getTime(), calendar, closedDays(clockwork.closed))
  return (until(due) - until(from)) / 3_600_000
}

function daysLeft(from: Date, due: Date, clockwork: Clockwork): number {
  const upTo = (moment: Date) =>
    workingDaysUpTo(dayNumber(dateIn(moment, clockwork.zone))!, weekOf(clockwork), closedDays(clockwork.closed))
  return upTo(due) - upTo(from)
}
