/** For when the timers of a record are armed once a step was taken, held against what heading 4 says of the record as it is then. */
import type { Expression } from '../expression/expression.ts'
import type { RecordValue } from '../expression/type.ts'
import type { TimeOfDay, Timer, Working } from '../headings/4-states/model.ts'
import { clockTime, whoseDays } from '../headings/4-states/timers.ts'
import type { App } from '../headings/app.ts'
import { momentAt } from '../run/clock.ts'
import { timersOf } from '../run/later/rearm-mark.ts'
import { type Clockwork, clockworkOf, later, nextBy, workingDaysLater, workingHoursLater } from '../run/later/rhythm.ts'
import { worth } from './judge.ts'
import type { World } from './world.ts'

interface Stepped {
  readonly app: App
  readonly world: World
  readonly entity: string
  readonly before: RecordValue
  readonly after: RecordValue
  /** When the step was taken. */
  readonly now: Date
}

/** `armed`: by the key of a timer, when it is due. What is not as the document says; empty: nothing. */
export function otherTimers(stepped: Stepped, armed: ReadonlyMap<string, Date>): readonly string[] {
  const { app, entity, before, after } = stepped
  return timersOf(app, entity).flatMap(timer => {
    const isIn = (record: RecordValue) => timer.while?.includes(String(record.state)) !== false
    const is = armed.get(timer.key)
    // For whom it waits is for the database to say.
    if (timer.waits !== null) return []
    if (!isIn(after)) return is === undefined ? [] : [`the timer ${timer.name} is armed in ${String(after.state)}`]
    // What counts from entering goes on counting.
    if (timer.at.kind !== 'once' && isIn(before)) return []
    const says = dueBy(stepped, timer)
    if (says === undefined || says?.getTime() === is?.getTime()) return []
    return [`the timer ${timer.name} is due ${saidAt(is)}, and not ${saidAt(says)}`]
  })
}

const saidAt = (moment: Date | null | undefined): string => moment?.toISOString() ?? 'never'

/** Null: never, because what it goes by is not known. Undefined: it cannot be told from here. */
function dueBy({ app, world, entity, after, now }: Stepped, { at }: Timer): Date | null | undefined {
  if (whoseDays(at) !== null || app.product.tenant !== null) return undefined
  const environment = world.environment(entity, after)
  const { closed = [], limits } = environment
  const clockwork = clockworkOf(app, closed)
  if (at.kind === 'every') return nextBy(at.rhythm, now, clockwork, limits)
  const ask = (expression: Expression): string | null | undefined => {
    const value = worth(expression, environment)
    return value === null || typeof value === 'string' ? value : undefined
  }
  const time = at.time === null ? null : clockTime(at.time, limits)
  if (time === null && at.time !== null) return null
  const worked = (from: Date, length: Working, sign: 1 | -1) =>
    workedFrom(from, length.of, ask(length.count), { sign, time, clockwork })
  if (at.kind === 'after entering') {
    if ('of' in at.length) return worked(now, at.length, 1)
    const length = ask(at.length)
    return typeof length === 'string' ? later(now, length, time, clockwork) : length
  }
  const day = ask(at.at)
  if (typeof day !== 'string') return day
  const moment = at.at.type.kind === 'moment' ? new Date(day) : momentAt(day, time!, clockwork.zone)
  return at.working === null ? moment : worked(moment, at.working, at.working.before ? -1 : 1)
}

interface Way {
  readonly sign: 1 | -1
  readonly time: TimeOfDay | null
  readonly clockwork: Clockwork
}

function workedFrom(from: Date, of: Working['of'], count: string | null | undefined, { sign, time, clockwork }: Way) {
  if (typeof count !== 'string') return count
  const by = Number(count) * sign
  return of === 'days' ? workingDaysLater(from, by, time, clockwork) : workingHoursLater(from, by, clockwork)
}
