/** When a timer is due, by what stands under At: `due_back - 2 days at 09:00`, `3 working days after entering`, `every Monday at 08:00`. */
import { pieces } from './cells.ts'
import { momentAt, nextDay, shown, workingDaysAfter } from './clock.ts'
import type { About } from './names.ts'
import { daysIn } from './told.ts'
import { inside, isA, NotJudged, one, type Value } from './values.ts'

/** Null: never, because what it goes by is not known. `about.now`: when its record came into its states. */
export function dueBy(written: string, about: About): Value {
  const text = written.replaceAll('`', '').trim()
  const [, body = text, clock = null] = /^(.*?)\s+at\s+(\d{1,2}:\d\d|limits\.\w+)$/.exec(text) ?? []
  const said = clock === null ? null : about.read(clock)(about)
  if (clock !== null && said === null) return null
  const due: Due = { text, about, time: clock === null ? null : inside(said, 'time') }
  const every = /^every\s+(.*)$/i.exec(body)?.[1]
  if (every !== undefined) return nextOf(due, every)
  const [, length, far, from] = /^(.*?)\s+(after|before)\s+(.*)$/i.exec(body) ?? []
  if (length === undefined) {
    const at = about.read(body)(about)
    return isA(at, 'moment') ? at : onDay(due, at)
  }
  const [, count] = /^(.*?)\s+working days?$/i.exec(length) ?? []
  const isEntering = /^entering$/i.test(from!)
  if (count !== undefined) return workingDaysFrom(due, count, far === 'before' ? -1 : 1, isEntering ? null : from!)
  if (!isEntering) throw new NotJudged(text)
  return afterEntering(due, length)
}

interface Due {
  /** As it is written. */
  readonly text: string
  readonly about: About
  /** Minutes of the day that stand behind `at`. */
  readonly time: number | null
}

/** Without a time: at that of the moment when the record came into its states. */
function onDay({ about, time }: Due, day: Value): Value {
  const { zone } = about.told
  return isA(day, 'date') ? momentAt(zone, day.of, time ?? shown(zone, about.now).minutes) : null
}

function nextOf({ text, about, time }: Due, every: string): Value {
  if (time === null) throw new NotJudged(text)
  const isOn = /^working day$/i.test(every)
    ? null
    : new Set(/^day$/i.test(every) ? [1, 2, 3, 4, 5, 6, 7] : daysIn(every))
  return nextDay(about.told, about.closed, isOn, about.now, time)
}

/** `from`: null, when the record came into its states. */
function workingDaysFrom(due: Due, count: string, direction: 1 | -1, from: string | null): Value {
  const { text, about, time } = due
  const { zone } = about.told
  const by = about.read(count)(about)
  const start = from === null ? shown(zone, about.now).day : dayIn(about.read(from)(about), zone)
  if (by === null || start === null) return null
  if (!isA(by, 'number') || (time === null && from !== null)) throw new NotJudged(text)
  return onDay(due, workingDaysAfter(about.told, about.closed, start, Number(by.of / one) * direction))
}

function afterEntering(due: Due, length: string): Value {
  const { text, about, time } = due
  if (/\bworking\b/.test(length) || pieces(length, ',').length > 1) throw new NotJudged(text)
  const long = about.read(length)(about)
  if (long === null) return null
  if (isA(long, 'span')) return onDay(due, about.read(`today + (${length})`)(about))
  if (time !== null) throw new NotJudged(text)
  return about.read(`now + (${length})`)(about)
}

const dayIn = (value: Value, zone: string): number | null =>
  value === null ? null : isA(value, 'date') ? value.of : shown(zone, inside(value, 'moment')).day
