/** When a timer is due, by what stands under At: `due_back - 2 days at 09:00`, `3 working days after entering`, `every Monday at 08:00`. */
import { pieces } from './cells.ts'
import { momentAt, nextDay, shown, weekday, workingDays, workingDaysAfter } from './clock.ts'
import type { About } from './names.ts'
import { daysIn } from './told.ts'
import { inside, isA, NotJudged, one, type Value, wireDay } from './values.ts'

/** Null: never, because what it goes by is not known. `about.now`: when its record came into its states. */
export function dueBy(written: string, about: About): Value {
  const text = written
    .replaceAll('`', '')
    .replace(/,\s*(?:skip if missed\b.*|each missed)\s*$/i, '')
    .trim()
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
  const { told, closed, now } = about
  const [, count, unit] = /^(\d+)\s+(minute|hour)s?$/i.exec(every) ?? []
  if (count !== undefined) return everySoOften(about, Number(count) * (unit!.toLowerCase() === 'hour' ? 60 : 1))
  if (time === null) throw new NotJudged(text)
  const isDated = /^(month|quarter|year)\b/i.test(every)
  if (isDated) return nextDate(about, every, time)
  const isOn = /^working day$/i.test(every)
    ? null
    : new Set(/^day$/i.test(every) ? [1, 2, 3, 4, 5, 6, 7] : daysIn(every))
  return nextDay(told, closed, isOn, now, time)
}

/** Counted from midnight. */
function everySoOften({ told, now }: About, minutes: number): Value {
  const today = shown(told.zone, now).day
  for (const day of [today, today + 1])
    for (let at = 0; at < minutesOfDay; at += minutes) {
      const moment = momentAt(told.zone, day, at)
      if (moment !== null && inside(moment, 'moment') > now) return moment
    }
  return null
}

const minutesOfDay = 1440
const furthest = 800
const numbers = ['first', 'second', 'third', 'fourth']
const months = 'january february march april may june july august september october november december'.split(' ')

/** `month on the last working day`, `quarter on the 1st`, `year on 31 December`: the next day of these at that time. */
function nextDate(about: About, every: string, time: number): Value {
  const [, period, on] = /^(month|quarter|year)\s+on\s+(?:the\s+)?(.+)$/.exec(every.toLowerCase()) ?? []
  if (on === undefined) throw new NotJudged(every)
  const { day: today } = shown(about.told.zone, about.now)
  const [, number, month] = /^(\d+)\s+([a-z]+)$/.exec(on) ?? []
  const isOn = (day: number): boolean =>
    month === undefined ? isNth(about, day, period!, on) : isOnDate(day, Number(number), months.indexOf(month) + 1)
  for (let day = today; day <= today + furthest; day++) {
    if (!isOn(day)) continue
    const at = momentAt(about.told.zone, day, time)
    if (at === null || inside(at, 'moment') > about.now) return at
  }
  throw new NotJudged(every)
}

const isOnDate = (day: number, number: number, month: number): boolean => {
  if (month === 0) throw new NotJudged('a month')
  return wireDay(day).endsWith(`-${String(month).padStart(2, '0')}-${String(number).padStart(2, '0')}`)
}

/** `1st`, `last day`, `second last friday`, `first working day` of the month, quarter or year in which the day is. */
function isNth({ told, closed }: About, day: number, period: string, on: string): boolean {
  const [, word, isLast, kind = 'day'] =
    /^(first|second|third|fourth|\d+(?:st|nd|rd|th)?)?\s*(last)?\s*([a-z ]*day)?$/.exec(on) ?? []
  if (word === undefined && isLast === undefined) throw new NotJudged(on)
  const nth = word === undefined ? 1 : numbers.includes(word) ? numbers.indexOf(word) + 1 : Number.parseInt(word, 10)
  const partOf = (at: number): string => {
    const [year, month] = wireDay(at).split('-')
    return period === 'year' ? year! : `${year} ${period === 'month' ? month : Math.ceil(Number(month) / 3)}`
  }
  const isKind = (at: number): boolean =>
    kind === 'day' ||
    (kind === 'working day' ? workingDays(told, closed, at - 1, at) === 1 : daysIn(kind).includes(weekday(at)))
  if (!isKind(day)) return false
  const step = isLast === undefined ? -1 : 1
  let [count, at] = [0, day]
  for (; partOf(at) === partOf(day); at += step) if (isKind(at)) count++
  // A month without a 31st is meant with its last day.
  if (step === -1 && count < nth && kind === 'day' && partOf(day + 1) !== partOf(day)) return true
  return count === nth
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
