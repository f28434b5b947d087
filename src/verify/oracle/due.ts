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
  const { zone } = about.told
  const said = clock === null ? null : about.read(clock)(about)
  if (clock !== null && said === null) return null
  const time = clock === null ? null : inside(said, 'time')
  const now = shown(zone, about.now)
  const on = (day: Value): Value => (isA(day, 'date') ? momentAt(zone, day.of, time ?? now.minutes) : null)
  const every = /^every\s+(.*)$/i.exec(body)?.[1]
  if (every !== undefined) {
    if (time === null) throw new NotJudged(text)
    const isOn = /^working day$/i.test(every)
      ? null
      : new Set(/^day$/i.test(every) ? [1, 2, 3, 4, 5, 6, 7] : daysIn(every))
    return nextDay(about.told, about.closed, isOn, about.now, time)
  }
  const [, length, far, from] = /^(.*?)\s+(after|before)\s+(.*)$/i.exec(body) ?? []
  if (length === undefined) {
    const at = about.read(body)(about)
    return isA(at, 'moment') ? at : on(at)
  }
  const isEntering = /^entering$/i.test(from!)
  const [, count] = /^(.*?)\s+working days?$/i.exec(length) ?? []
  if (count !== undefined) {
    const by = about.read(count)(about)
    const start = isEntering ? now.day : dayIn(about.read(from!)(about), zone)
    if (by === null || start === null) return null
    if (!isA(by, 'number') || (time === null && !isEntering)) throw new NotJudged(text)
    return on(workingDaysAfter(about.told, about.closed, start, Number(by.of / one) * (far === 'before' ? -1 : 1)))
  }
  if (!isEntering || /\bworking\b/.test(length) || pieces(length, ',').length > 1) throw new NotJudged(text)
  const long = about.read(length)(about)
  if (long === null) return null
  const isSpan = isA(long, 'span')
  if (!isSpan && time !== null) throw new NotJudged(text)
  return isSpan ? on(about.read(`today + (${length})`)(about)) : about.read(`now + (${length})`)(about)
}

const dayIn = (value: Value, zone: string): number | null =>
  value === null ? null : isA(value, 'date') ? value.of : shown(zone, inside(value, 'moment')).day
