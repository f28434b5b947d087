/** For when the timers of a record are armed once a step was taken, held against what heading 4 says of the record as it is then. */
import type { RecordValue } from '../expression/type.ts'
import type { Timer } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { timersOf } from '../run/later/rearm-mark.ts'
import { aboutOf } from './judge.ts'
import type { Judged } from './judged.ts'
import { dueBy } from './oracle/due.ts'
import * as oracle from './oracle/rights.ts'
import { NotJudged } from './oracle/values.ts'
import type { World } from './world.ts'

interface Armed {
  readonly app: App
  readonly judged: Judged
  readonly world: World
  readonly entity: string
  readonly after: RecordValue
}

interface Stepped extends Armed {
  readonly before: oracle.Case
}

/** `armed`: by the key of a timer, when it is due. What is not as the document says; empty: nothing. */
export function otherTimers(stepped: Stepped, armed: ReadonlyMap<string, Date>): readonly string[] {
  const { app, world, entity, before, after } = stepped
  return timersOf(app, entity).flatMap(timer => {
    // What stood before is not told of two moments.
    if (timer.stands !== null) return []
    const [was, waits] = [before, { world, entity, record: after }].map(one => isWaiting(one, timer))
    const is = armed.get(timer.key)
    if (waits === null || was === null) return []
    if (!waits) return is === undefined ? [] : [`the timer ${timer.name} is armed in ${String(after.state)}`]
    // What counts from entering goes on counting.
    if (was && (timer.at.kind !== 'once' || timer.waits !== null)) return []
    return otherDue(stepped, timer, is)
  })
}

/** For when a timer is armed that counts from now, or from a day or a moment of its record. */
export function otherDue(
  armed: Armed,
  timer: Pick<Timer, 'name' | 'cell'> & { readonly at: Pick<Timer['at'], 'cell'> },
  is: Date | undefined,
): readonly string[] {
  const { app, judged } = armed
  const { text } = timer.at.cell
  const says = dueAt(armed, text)
  if (says === undefined) return []
  judged.in(timer.cell, 'At', 'While')
  // Times of day are those of the clocks there, and what is not worked on is not counted.
  if (/\bat \d/.test(text)) judged.add(app.product.timeZone.cell)
  if (/\bworking\b/.test(text) && app.workingTime !== null) judged.in(app.workingTime.cell, 'Days', 'Closed on')
  if (/\bworking hours?\b/.test(text) && app.workingTime !== null) judged.in(app.workingTime.cell, 'Hours')
  if (says?.getTime() === is?.getTime()) return []
  return [`the timer ${timer.name} is due ${saidAt(is)}, and not ${saidAt(says)}`]
}

/** A record is in a state of a timer, or waits for its approval. Null: it cannot be told. */
const isWaiting = (one: oracle.Case, timer: Timer): boolean | null =>
  timer.waits === null ? timer.while?.includes(String(one.record.state)) !== false : oracle.waitsFor(one, timer.waits)

const saidAt = (moment: Date | null | undefined): string => moment?.toISOString() ?? 'never'

/** Null: never, because what it goes by is not known. Undefined: it cannot be told from here. */
function dueAt({ world, entity, after }: Armed, text: string): Date | null | undefined {
  try {
    const due = dueBy(text, aboutOf(world.environment(entity, after)))
    return due !== null && typeof due !== 'boolean' && due.is === 'moment' ? new Date(due.of) : null
  } catch (error) {
    if (error instanceof NotJudged) return undefined
    throw error
  }
}
