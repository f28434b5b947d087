/** Timers of heading 4: when they fire, while which states, and under which condition. */
import { after, codeless, slice, splitAt, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Cell } from '../../document/source.ts'
import { meaningCodes } from '../../expression/codes.ts'
import type { Expression } from '../../expression/expression.ts'
import { codeOf } from '../../expression/names.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { readDays } from '../9-limits/working-time.ts'
import { type Context, cellOrNull, readAt, readSpecified, saysNothing } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { bothPlaces, evened } from '../names.ts'
import type { Specified } from '../specified.ts'
import { readActs } from './acts.ts'
import { stateCodes } from './codes.ts'
import { isOwnRhythm, readDates } from './dates.ts'
import { findApproval, findStates, type TimerRow } from './declare.ts'
import { readMissed } from './missed.ts'
import type { Clock, Rhythm, TimeOfDay, Timer, TimerAt, Working } from './model.ts'
import { readStands } from './standing.ts'

const section = 4
const yesNo: Type = { kind: 'yes/no' }

/** The timers of records and of rows, of the whole document; those with `for each` are sweeps. */
export const readTimers = (context: Context): readonly Timer[] =>
  distinct(
    context,
    context.timerRows.flatMap(({ entity, row }) => readTimer(context, entity, row) ?? []),
  )

type Named = Pick<Timer, 'entity' | 'key' | 'cell' | 'name'>

/** Those that are the first timer of their entity with their name; the others are reported. */
export function distinct<T extends Named>(context: Context, found: readonly T[], before: readonly Named[] = []): T[] {
  const { report } = reporter(stateCodes, section, context.found)
  const called = ({ entity, key }: Named) => `${entity} ${key}`
  const known = new Map(before.map(timer => [called(timer), timer.cell]))
  return found.filter(timer => {
    const { entity, cell, name } = timer
    const first = known.get(called(timer))
    known.set(called(timer), first ?? cell)
    const of = context.entityByKey.get(entity)!.name
    if (first !== undefined) report('N1418', cell, { entity: of, name }, bothPlaces(cell, first))
    return first === undefined
  })
}

/** Null where the timer can never fire: an end is left open, or wrong and reported. */
function readTimer(context: Context, entity: string, row: TimerRow): Timer | null {
  const cell = row.cell('Timer')!
  const name = evened(cell.text)
  if (name === '') return null
  const timer = { timer: name }
  const asked = (column: 'While' | 'At') => row.cell(column) ?? { ...cell, text: '' }
  const { during, stands } = readStands(context, entity, asked('While'), asked('At'), name)
  const awaited = after(during, 'waiting for')
  const waits = awaited === null ? null : findApproval(context, entity, awaited)
  if (awaited !== null && waits === null) return null
  const states = waits?.states ?? readWhile(context, entity, during, saysNothing(asked('While')), timer)
  const { at: said, missed } = readMissed(context, asked('At'))
  const at = readSpecified(context, said, open(section, 'timerAt', timer), written =>
    readTimerAt(context, entity, written, name),
  )
  const when = readTimerWhen(context, entity, row.cell('When'), name)
  const then = readActs(context, { entity, about: null, old: false, of: 'timer', name }, row.cell('Then'))
  const isOpen = (states !== null && 'unspecified' in states) || 'unspecified' in at
  if (isOpen || stands === 'wrong' || missed === false) return null
  const meaning = cellOrNull(row.cell('Meaning'))
  const armed = { while: states, stands, waits: waits?.key ?? null, at: { ...at, cell: asked('At') }, missed }
  return { key: codeOf(name), name, cell, entity, ...armed, when, then, meaning }
}

/** Null: in any state. */
function readWhile(
  context: Context,
  entity: string,
  during: Cell,
  isEmpty: boolean,
  timer: { readonly timer: string },
): Specified<readonly string[]> | null {
  if (isEmpty && !hasStates(context, entity)) return null
  return readSpecified(context, during, open(section, 'timerWhile', timer), written =>
    findStates(context, entity, written),
  )
}

const hasStates = ({ workflows }: Context, entity: string): boolean => (workflows.get(entity)?.states.all.size ?? 0) > 0

/** What is asked when a timer fires. */
export function readTimerWhen(context: Context, entity: string | null, cell: Cell | null, name: string): Timer['when'] {
  if (cell === null || saysNothing(cell)) return null
  return readSpecified(context, cell, open(section, 'timerWhen', { timer: name }), written =>
    readAt(context, written, { section, entity, code: true }, yesNo, use('timerWhen', { timer: name })),
  )
}

function readTimerAt(context: Context, entity: string, cell: Cell, name: string): TimerAt | null {
  const read = reading(context, entity, name)
  const again = after(cell, 'every')
  if (again !== null) return readAgain(context, cell, again, read)
  const split = splitAt(cell, 'at')
  // `at(opens_on, 06:00)` is the function, and a moment by itself.
  const parts = split?.after.text.startsWith('(') ? null : split
  const time = parts === null ? null : readClock(context, parts.after)
  if (time === 'wrong') return null
  const when = codeless(parts?.before ?? cell)
  if (/\s+after\s+entering$/i.test(when.text) && !hasStates(context, entity)) {
    const of = context.entityByKey.get(entity)!.name
    reporter(stateCodes, section, context.found).report('N1464', when, { name, entity: of })
    return null
  }
  const worked = /\s+working (day|hour)s?(?:(\s+of\s+)(\S+))?\s+(after|before)\s+/i.exec(when.text)
  if (worked !== null) return readWorked(context, cell, when, time, worked, read)
  const entering = /\s+after\s+entering$/i.exec(when.text)
  if (entering === null) return readOnce(context, cell, when, time, null, read)
  const length = read(slice(when, 0, entering.index), null)
  if (length === null || length.type.kind === 'error') return null
  const { type } = length
  if (type.kind !== 'duration') return wrongMoment(context, when, `${describe(type)} and not a length of time`)
  if (type.of === 'clock' && time !== null) return wrongMoment(context, when, 'a moment with a second time')
  return { kind: 'after entering', cell, length, time }
}

type Read = (written: Cell, expected: Type | null) => Expression | null

/** `2 working days of site after entering`, `4 working hours before due at 09:00`. */
function readWorked(
  context: Context,
  cell: Cell,
  when: Cell,
  time: Clock | null,
  worked: RegExpExecArray,
  read: Read,
): TimerAt | null {
  const [all, unit, of, named, side] = worked
  const begin = of === undefined ? -1 : worked.index + all.indexOf(of) + of.length
  const whose = begin < 0 ? null : slice(when, begin, begin + named!.length)
  const working = readWorking(context, when, slice(when, 0, worked.index), unit!, whose, read)
  if (working === null) return null
  const from = slice(when, worked.index + all.length)
  const before = side!.toLowerCase() === 'before'
  if (before || !/^entering$/i.test(from.text)) return readOnce(context, cell, from, time, { ...working, before }, read)
  if (time === null || working.of !== 'hours') return { kind: 'after entering', cell, length: working, time }
  return wrongMoment(context, when, 'a moment with a second time')
}

function wrongMoment(context: Context, when: Cell, found: string): null {
  reporter(stateCodes, section, context.found).report('N1414', when, { found })
  return null
}

/** Reads what a timer goes by, which may not change by itself. */
const reading =
  (context: Context, entity: string, name: string): Read =>
  (written, expected) => {
    const found = readAt(
      context,
      codeless(trimmed(written)),
      { section, entity },
      expected,
      use('timerAt', { timer: name }),
    )
    const fleeting = found?.reads.find(one => /^(now|today|me|my\..*)$/.test(one))
    if (fleeting === undefined) return found
    reporter(stateCodes, section, context.found).report('N1458', found!.cell, { name, read: fleeting })
    return null
  }

/** `day at 06:00`, `working day of site at 09:00`. */
function readAgain(context: Context, cell: Cell, again: Cell, read: Read): TimerAt | null {
  const parts = splitAt(again, 'at')
  const ofOne = /^working\s+day\s+of\s+/i.exec(parts?.before.text ?? '')
  if (parts === null || ofOne === null) {
    const rhythm = readRhythm(context, cell, again)
    return rhythm === null ? null : { kind: 'every', cell, rhythm, whose: null }
  }
  const time = readClock(context, parts.after)
  const whose = readWhose(context, slice(parts.before, ofOne[0].length), cell, read)
  if (time === 'wrong' || whose === null) return null
  return { kind: 'every', cell, rhythm: { of: 'days', days: null, time }, whose }
}

/** Whose closed days count; null after a report. */
function readWhose(context: Context, whose: Cell, when: Cell, read: Read): Expression | null {
  const { closing } = context.calendar
  const of = closing === undefined ? undefined : context.schema.get(closing.entity)?.fields.get(closing.of)
  if (of === undefined) {
    reporter(meaningCodes, section, context.found).report('N0252', whose, { name: when.text })
    return null
  }
  const record = read(whose, of.type)
  return record === null || record.type.kind === 'error' ? null : record
}

/** `2` working days, `limits.answer` working hours of `site`; null after a report. */
function readWorking(
  context: Context,
  when: Cell,
  written: Cell,
  unit: string,
  whose: Cell | null,
  read: Read,
): Working | null {
  const of = unit.toLowerCase() === 'day' ? 'days' : 'hours'
  if (of === 'hours' && (context.calendar.week?.hours ?? null) === null) {
    reporter(meaningCodes, section, context.found).report('N0231', when, { name: when.text })
    return null
  }
  const count = read(written, of === 'days' ? { kind: 'integer' } : { kind: 'decimal' })
  if (count === null || count.type.kind === 'error') return null
  if (whose === null) return { of, count, whose: null }
  const record = readWhose(context, whose, when, read)
  return record === null ? null : { of, count, whose: record }
}

/** `due_back - 2 days` at 09:00, or a moment; `working`: what stands before it. */
function readOnce(
  context: Context,
  cell: Cell,
  when: Cell,
  time: Clock | null,
  working: Extract<TimerAt, { kind: 'once' }>['working'],
  read: Read,
): TimerAt | null {
  const { report } = reporter(stateCodes, section, context.found)
  const at = read(when, null)
  if (at === null) return null
  const { kind } = at.type
  // So many working days after a moment may be at a time of their own.
  const isWanted = kind === (time === null ? 'moment' : 'date') || (kind === 'moment' && working?.of === 'days')
  if (isWanted || kind === 'error') return { kind: 'once', cell, at, time, working }
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
export function readRhythm(context: Context, cell: Cell, again: Cell): Rhythm<Clock> | null {
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
  const dates = readDates(parts.before.text)
  if (dates === undefined)
    return wrong(
      'it names no day, as in `every month on the last working day at 18:00`, `every year on 31 December at 18:00`',
    )
  if (dates !== null) return { of: 'dates', ...dates, time }
  if (/^working day$/i.test(parts.before.text)) return { of: 'days', days: null, time }
  if (/^working day of\b/i.test(parts.before.text)) return wrong('with `for each` the days are those of everybody')
  if (/^weekday$/i.test(parts.before.text))
    return { of: 'days', days: [true, true, true, true, true, false, false], time }
  if (/^day$/i.test(parts.before.text)) return { of: 'days', days: Array(7).fill(true), time }
  if (isOwnRhythm(parts.before.text))
    return wrong(
      'days come by the calendar; a rhythm of its own is a date of the record that the timer moves on: `set next_due = next_due + 2 weeks`',
    )
  const days = readDays(context, parts.before)
  return days === null ? null : { of: 'days', days, time }
}

/** The record whose closed days a timer goes by; null: only everybody's. */
export function whoseDays(at: TimerAt): Expression | null {
  if (at.kind === 'every') return at.whose
  if (at.kind === 'once') return at.working?.whose ?? null
  return 'of' in at.length ? at.length.whose : null
}

/** The expressions that say when a timer fires. */
export function momentsOf(at: TimerAt): readonly Expression[] {
  const time = at.kind !== 'every' ? at.time : at.rhythm.of === 'minutes' ? null : at.rhythm.time
  const clock = time !== null && 'root' in time ? [time] : []
  const counted = ({ count, whose }: Working) => (whose === null ? [count] : [count, whose])
  if (at.kind === 'every') return at.whose === null ? clock : [at.whose, ...clock]
  if (at.kind === 'after entering') return [...('of' in at.length ? counted(at.length) : [at.length]), ...clock]
  return [at.at, ...(at.working === null ? [] : counted(at.working)), ...clock]
}

/** A time of day as it is written, or as a constant says. */
export function clockTime(time: Clock, limits: Readonly<Record<string, Wire>>): TimeOfDay | null {
  if (!('root' in time)) return time
  const said = time.root.op === 'limit' ? limits[time.root.name] : null
  if (typeof said !== 'string') return null
  return { hour: Number(said.slice(0, 2)), minute: Number(said.slice(3, 5)) }
}

/** Where text can be put behind a cell: after the backtick of a code span that covers it. */
const endOf = (cell: Cell): number => cell.end + (/^`+/.exec(cell.file.text.slice(cell.end))?.[0].length ?? 0)

const describe = (type: Type): string => `a value of type ${type.kind}`

/** `09:00`, `limits.cut_off`. */
function readClock(context: Context, cell: Cell): Clock | 'wrong' {
  const said = codeless(cell)
  if (/^limits\.\w+$/.test(said.text)) {
    const read = readAt(context, said, { section, entity: null }, { kind: 'time' }, use('aTimerAt'))
    return read === null || read.type.kind === 'error' ? 'wrong' : read
  }
  const parts = /^(\d{1,2}):(\d\d)$/.exec(cell.text)
  const time = { hour: Number(parts?.[1]), minute: Number(parts?.[2]) }
  if (parts !== null && time.hour < 24 && time.minute < 60) return time
  const [, written, minutes = '00', half] =
    /^([01]?\d|2[0-3])(?:[.:h]([0-5]\d))?\s*(?:(am|pm)|h|uhr|o'clock)?$/i.exec(cell.text) ?? []
  const hour = half === undefined ? Number(written) : (Number(written) % 12) + (/pm/i.test(half) ? 12 : 0)
  const fixes = written === undefined ? [] : [writeInstead(cell, `${String(hour).padStart(2, '0')}:${minutes}`)]
  reporter(stateCodes, section, context.found).report('N1415', cell, { time: cell.text }, { fixes })
  return 'wrong'
}
