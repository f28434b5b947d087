/** For when the timers of a record are armed once a step was taken, held against what heading 4 says of the record as it is then. */
import type { RecordValue } from '../expression/type.ts'
import type { Timer } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { timersOf } from '../run/later/rearm-mark.ts'
import { aboutOf } from './judge.ts'
import type { Judged } from './judged.ts'
import { dueBy } from './oracle/due.ts'
import { NotJudged } from './oracle/values.ts'
import type { World } from './world.ts'

interface Stepped {
  readonly app: App
  readonly judged: Judged
  readonly world: World
  readonly entity: string
  readonly before: RecordValue
  readonly after: RecordValue
}

/** `armed`: by the key of a timer, when it is due. What is not as the document says; empty: nothing. */
export function otherTimers(stepped: Stepped, armed: ReadonlyMap<string, Date>): readonly string[] {
  const { app, judged, entity, before, after } = stepped
  return timersOf(app, entity).flatMap(timer => {
    // What waits for an approval is not told of one person alone, and what stood before not of two moments.
    if (timer.waits !== null || timer.stands !== null) return []
    const isIn = (record: RecordValue) => timer.while?.includes(String(record.state)) !== false
    const is = armed.get(timer.key)
    if (!isIn(after)) return is === undefined ? [] : [`the timer ${timer.name} is armed in ${String(after.state)}`]
    // What counts from entering goes on counting.
    if (timer.at.kind !== 'once' && isIn(before)) return []
    const says = dueAt(stepped, timer)
    if (says === undefined) return []
    judged.in(timer.cell, 'At', 'While')
    // Times of day are those of the clocks there.
    if (/\bat \d/.test(timer.at.cell.text)) judged.add(app.product.timeZone.cell)
    if (/\bworking\b/.test(timer.at.cell.text)) judged.add(app.workingTime?.cell)
    if (says?.getTime() === is?.getTime()) return []
    return [`the timer ${timer.name} is due ${saidAt(is)}, and not ${saidAt(says)}`]
  })
}

const saidAt = (moment: Date | null | undefined): string => moment?.toISOString() ?? 'never'

/** Null: never, because what it goes by is not known. Undefined: it cannot be told from here. */
function dueAt({ world, entity, after }: Stepped, { at }: Timer): Date | null | undefined {
  try {
    const due = dueBy(at.cell.text, aboutOf(world.environment(entity, after)))
    return due !== null && typeof due !== 'boolean' && due.is === 'moment' ? new Date(due.of) : null
  } catch (error) {
    if (error instanceof NotJudged) return undefined
    throw error
  }
}
