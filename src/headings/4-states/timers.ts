/** Timers of heading 4: when they fire, while which states, and under which condition. */
import { after, codeless, slice, splitAt, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Cell } from '../../document/source.ts'
import { keyOf } from '../../expression/names.ts'
import type { Type } from '../../expression/type.ts'
import { readDays } from '../9-limits/working-time.ts'
import { type Context, cellOrNull, readAt, readSaid, saysNothing } from '../context.ts'
import { bothPlaces, evened, names } from '../names.ts'
import { readActs } from './acts.ts'
import { stateCodes } from './codes.ts'
import type { TimerRow, WorkflowDraft } from './declare.ts'
import type { Rhythm, TimeOfDay, Timer, TimerAt } from './model.ts'

const section = 4
const yesNo: Type = { kind: 'yes/no' }

type ReadStates = (draft: WorkflowDraft, cell: Cell) => readonly string[] | null

export function readTimers(context: Context, draft: WorkflowDraft, readStates: ReadStates): readonly Timer[] {
  const { report } = reporter(stateCodes, section, context.found)
  const known = names<Timer>(context.found, {
    twice: (cell, first) =>
      report('N1418', cell, { entity: draft.entityName, name: cell.text }, bothPlaces(cell, first)),
    unknown: () => undefined,
  })
  for (const row of draft.timerRows) {
    const timer = readTimer(context, draft, row, readStates)
    if (timer !== null) known.declare(timer.cell, timer.name, timer)
  }
  return [...known.all.values()]
}

/** Null where the timer can never fire: an end is left open, or wrong and reported. */
function readTimer(context: Context, draft: WorkflowDraft, row: TimerRow, readStates: ReadStates): Timer | null {
  const cell = row.cell('Timer')!
  const name = evened(cell.text)
  if (name === '') return null
  const open = (what: string) => ({ section, what: `${what} of timer ${name}`, consequence: 'it never fires' })
  const asked = (column: 'While' | 'At') => row.cell(column) ?? { ...cell, text: '' }
  const states = readSaid(context, asked('While'), open('the states'), written => readStates(draft, written))
  const at = readSaid(context, asked('At'), open('the time'), written => readTimerAt(context, draft, written, name))
  const when = readTimerWhen(context, draft.entity, row.cell('When'), name)
  const then = readActs(context, { entity: draft.entity, about: null, old: false, of: 'timer', name }, row.cell('Then'))
  if ('unspecified' in states || 'unspecified' in at) return null
  return { key: keyOf(name), name, cell, while: states, at, when, then, meaning: cellOrNull(row.cell('Meaning')) }
}

/** What is asked when a timer fires. */
export function readTimerWhen(context: Context, entity: string, cell: Cell | null, name: string): Timer['when'] {
  if (cell === null || saysNothing(cell)) return null
  const open = { section, what: `the condition of timer ${name}`, consequence: 'it never fires' }
  return readSaid(context, cell, open, written =>
    readAt(context, written, { section, entity, code: true }, yesNo, `timer ${name} does nothing where it decides`),
  )
}

function readTimerAt(context: Context, draft: WorkflowDraft, cell: Cell, name: string): TimerAt | null {
  const again = after(cell, 'every')
  if (again !== null) {
    const rhythm = readRhythm(context, cell, again)
    return rhythm === null ? null : { kind: 'every', cell, rhythm }
  }
  const parts = splitAt(cell, 'at')
  const time = parts === null ? null : readClock(context, parts.after)
  if (time === 'wrong') return null
  const when = codeless(parts?.before ?? cell)
  const entering = /(\s+working days?)?\s+after\s+entering$/i.exec(when.text)
  if (entering === null) return readOnce(context, draft, cell, when, time, name)
  const written = codeless(trimmed(slice(when, 0, entering.index)))
  const about = `timer ${name} is not armed where it decides`
  const place = { section, entity: draft.entity }
  const working = entering[1] !== undefined
  const length = readAt(context, written, place, working ? { kind: 'integer' } : null, about)
  if (length === null || length.type.kind === 'error') return null
  const { type } = length
  const wrong = working
    ? null
    : type.kind !== 'duration'
      ? `${describe(type)} and not a length of time`
      : type.of === 'clock' && time !== null
        ? 'a moment with a second time'
        : null
  if (wrong === null) return { kind: 'after entering', cell, length, time }
  reporter(stateCodes, section, context.found).report('N1414', when, { found: wrong })
  return null
}

/** `due_back - 2 days` at 09:00, or a moment. */
function readOnce(
  context: Context,
  draft: WorkflowDraft,
  cell: Cell,
  when: Cell,
  time: TimeOfDay | null,
  name: string,
): TimerAt | null {
  const { report } = reporter(stateCodes, section, context.found)
  const place = { section, entity: draft.entity }
  const at = readAt(context, when, place, null, `timer ${name} is not armed where it decides`)
  if (at === null) return null
  const wanted = time === null ? 'moment' : 'date'
  if (at.type.kind === wanted || at.type.kind === 'error') return { kind: 'once', cell, at, time }
  const found =
    at.type.kind === 'date'
      ? 'a date without a time'
      : at.type.kind === 'moment'
        ? 'a moment with a second time'
        : describe(at.type)
  const fixes =
    at.type.kind === 'date'
      ? [
          {
            title: 'write `at 09:00` after it',
            edits: [{ span: { file: cell.file, start: endOf(cell), end: endOf(cell) }, text: ' at 09:00' }],
          },
        ]
      : []
  report('N1414', when, { found }, { fixes })
  return null
}

/** What stands behind `every`. */
export function readRhythm(context: Context, cell: Cell, again: Cell): Rhythm | null {
  const wrong = (why: string) => {
    reporter(stateCodes, section, context.found).report('N1433', cell, { rhythm: cell.text, why })
    return null
  }
  const often = /^(?:(\d+)\s+)?(minute|hour)s?$/i.exec(again.text)
  if (often !== null) {
    const minutes = Number(often[1] ?? '1') * (often[2]!.toLowerCase() === 'hour' ? 60 : 1)
    return minutes >= 1 && minutes <= 24 * 60 ? { of: 'minutes', minutes } : wrong('from 1 minute to 24 hours')
  }
  const parts = splitAt(again, 'at')
  if (parts === null) return wrong('it says no time of day, as in `at 09:00`')
  const time = readClock(context, parts.after)
  if (time === 'wrong') return null
  if (/^working day$/i.test(parts.before.text)) return { of: 'days', days: null, time }
  if (/^weekday$/i.test(parts.before.text))
    return { of: 'days', days: [true, true, true, true, true, false, false], time }
  if (/^day$/i.test(parts.before.text)) return { of: 'days', days: Array(7).fill(true), time }
  const days = readDays(context, parts.before)
  return days === null ? null : { of: 'days', days, time }
}

/** Where text can be put behind a cell: after the backtick of a code span that covers it. */
const endOf = (cell: Cell): number => cell.end + (/^`+/.exec(cell.file.text.slice(cell.end))?.[0].length ?? 0)

const describe = (type: Type): string => `a value of type ${type.kind}`

function readClock(context: Context, cell: Cell): TimeOfDay | 'wrong' {
  const parts = /^(\d{1,2}):(\d\d)$/.exec(cell.text)
  const time = { hour: Number(parts?.[1]), minute: Number(parts?.[2]) }
  if (parts !== null && time.hour < 24 && time.minute < 60) return time
  const hour = /^([01]?\d|2[0-3])(?:\s*h)?$/.exec(cell.text)?.[1]
  const fixes = hour === undefined ? [] : [writeInstead(cell, `${hour.padStart(2, '0')}:00`)]
  reporter(stateCodes, section, context.found).report('N1415', cell, { time: cell.text }, { fixes })
  return 'wrong'
}
