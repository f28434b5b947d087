/** Days, times of day and moments as people of a locale write them ↔ their canonical text. Only forms with one reading are taken. */
import { offsetAt } from '../../expression/zone.ts'
import type { Parsed } from './field-kind.ts'
import { invalidValue } from './invalid-value.ts'
import { asSeen, composed } from './texts.ts'

interface Names {
  /** Lower-case names and short names of the months → 1 to 12. */
  readonly months: ReadonlyMap<string, number>
  /** `day` or `month`, whichever is written first in numbers; null where people do not agree: in English of no region, or of one where the year is first. */
  readonly first: 'day' | 'month' | null
  /** A day as they write it in numbers; canonical where they do not agree. */
  readonly example: string
}

/** English of Great Britain. Without this, `en-GB` is English of no region, which is shown in British forms. */
export const greatBritain = 'en-GB-u-rg-gbzzzz'

const longest = 60
const known = new Map<string, Names>()

function namesOf(locale: string): Names {
  let names = known.get(locale)
  if (names === undefined) {
    const months = new Map<string, number>()
    for (let month = 1; month <= 12; month++) {
      const date = new Date(Date.UTC(2026, month - 1, 15))
      for (const style of ['long', 'short'] as const)
        for (const options of [{ month: style }, { month: style, day: 'numeric' }] as const) {
          const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' })
          const name = format.formatToParts(date).find(part => part.type === 'month')!.value
          if (!/^\d+$/.test(name)) months.set(folded(name), month)
        }
    }
    const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short', calendar: 'gregory' })
      .formatToParts(0)
      .map(({ type }) => type)
    const first = parts.find(type => type === 'day' || type === 'month') as 'day' | 'month'
    const { language, region } = new Intl.Locale(locale)
    const isOpen = language === 'en' && (region === undefined || locale === 'en-GB' || parts[0] === 'year')
    names = { months, first: isOpen ? null : first, example: isOpen ? '2026-03-28' : exampleIn(locale) }
    known.set(locale, names)
  }
  return names
}

/** A day as people of the locale write it in numbers; canonical where they do not agree. */
export const exampleDay = (locale: string): string => namesOf(locale).example

const exampleIn = (locale: string): string =>
  new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  }).format(Date.UTC(2026, 2, 28))

const folded = (name: string): string => composed(name).toLowerCase().replace(/\.$/, '')

/** In the years 1 to 9999. */
function dayExists(year: number, month: number, day: number): boolean {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1 && year <= 9999
}

/** `YYYY-MM-DD` of a day that exists; else null. */
const isoDate = (year: number, month: number, day: number): string | null =>
  dayExists(year, month, day)
    ? [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
    : null

/** The canonical form only. */
export function readIsoDate(text: string): string | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return parts !== null && dayExists(Number(parts[1]), Number(parts[2]), Number(parts[3])) ? text : null
}

/** A day as written in the locale or canonically. */
export function parseDate(text: string, locale: string): Parsed {
  const { example } = namesOf(locale)
  if (text.length > longest) return invalidValue('NF-DATE', { example })
  const plain = asSeen(text)
  const readings = readingsOf(plain, locale)
  const dates = [...new Set(readings.filter(date => date !== null))]
  if (dates.length > 1) return invalidValue('NF-AMBIGUOUS', { first: dates[0]!, second: dates[1]! })
  if (dates.length === 1) return { value: dates[0]! }
  return readings.length === 0
    ? invalidValue('NF-DATE', { example })
    : invalidValue('NF-NO-SUCH-DATE', { text: plain, example })
}

/** What a text can mean: nothing, where its form is not known; null is a day that does not exist. */
function readingsOf(plain: string, locale: string): readonly (string | null)[] {
  const canonical = readIsoDate(plain)
  if (canonical !== null) return [canonical]
  // As databases and names of files have it; in no other order, in which hardly any would be a day as well.
  const digits = /^([1-9]\d{3})(\d\d)(\d\d)$/.exec(plain)
  if (digits) return [isoDate(Number(digits[1]), Number(digits[2]), Number(digits[3])) ?? []].flat()
  const numbers = /^(\d{1,4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,4})$/.exec(plain)
  return numbers
    ? numericReadings(numbers[1]!, numbers[2]!, numbers[3]!, numbers[4]!, locale)
    : namedReadings(plain, locale)
}

function numericReadings(a: string, sign: string, b: string, c: string, locale: string): readonly (string | null)[] {
  if (a.length === 4 && c.length <= 2) return [isoDate(Number(a), Number(b), Number(c))]
  if (a.length > 2 || c.length !== 4) return []
  const dayFirst = isoDate(Number(c), Number(b), Number(a))
  const monthFirst = isoDate(Number(c), Number(a), Number(b))
  const first = sign === '.' ? 'day' : namesOf(locale).first
  if (first === null) return [dayFirst, monthFirst]
  return [first === 'day' ? dayFirst : monthFirst]
}

/** `28 March 2026`, `March 28, 2026`, `28. März 2026`, and `28-Mar-2026`, as spreadsheets write it by themselves. */
function namedReadings(text: string, locale: string): readonly (string | null)[] {
  const { months } = namesOf(locale)
  let year: number | null = null
  let month: number | null = null
  let day: number | null = null
  for (const word of text.split(/[\s,/-]+/).filter(word => word !== '')) {
    const number = /^(\d{1,4})(?:\.|st|nd|rd|th)?$/i.exec(word)?.[1]
    const named = months.get(folded(word))
    if (number?.length === 4 && year === null) year = Number(number)
    else if (number !== undefined && number.length <= 2 && day === null) day = Number(number)
    else if (named !== undefined && month === null) month = named
    else if (!/^(?:de|of|den)$/i.test(word)) return []
  }
  return year === null || month === null || day === null ? [] : [isoDate(year, month, day)]
}

const timePattern = '(\\d{1,2})(?:[:.h](\\d{2}))(?:[:.](\\d{2})(?:\\.(\\d{1,3}))?)?\\s?([ap]\\.?m\\.?)?'
const wholeTime = new RegExp(`^${timePattern}$`, 'i')
const dayAndTime = new RegExp(`^(.+?)(?:\\s*,\\s*|\\s+|T)(?:at\\s+|um\\s+|à\\s+)?(${timePattern})(?:\\s*Uhr)?$`, 'i')

/** Milliseconds since midnight; null for what is no time of day. */
function readTime(text: string): number | null {
  const parts = wholeTime.exec(text)
  if (!parts) return null
  let hour = Number(parts[1])
  if (parts[5] !== undefined) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (parts[5].toLowerCase().startsWith('p') ? 12 : 0)
  }
  const [minute, second] = [Number(parts[2]), Number(parts[3] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) return null
  return ((hour * 60 + minute) * 60 + second) * 1000 + Number((parts[4] ?? '').padEnd(3, '0'))
}

/** A time of day → `HH:MM`; seconds only where they are zero. */
export function parseTime(text: string): Parsed {
  const time = text.length > longest ? null : readTime(asSeen(text))
  if (time === null || time % 60_000 !== 0) return invalidValue('NF-TIME', { example: '09:30' })
  return { value: new Date(time).toISOString().slice(11, 16) }
}

const instantPattern =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::(\d\d))?)$/

/**
 * An instant with its distance from UTC (RFC 3339, seconds or not) → in UTC with milliseconds, which is as far as it is kept; null for anything
 * else. Programs write six digits, and some nine.
 */
export function readInstant(text: string): string | null {
  const parts = instantPattern.exec(text)
  const date = parts && readIsoDate(parts[1]!)
  if (!parts || date === null) return null
  const [hour, minute, second] = [Number(parts[2]), Number(parts[3]), Number(parts[4] ?? 0)]
  const [ahead, hours, minutes] = [parts[6] === '-' ? -1 : 1, Number(parts[7] ?? 0), Number(parts[8] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59 || hours > 23 || minutes > 59) return null
  const local =
    startOfDay(date!) +
    ((hour * 60 + minute) * 60 + second) * 1000 +
    Number((parts[5] ?? '').padEnd(3, '0').slice(0, 3))
  return instantText(local - ahead * (hours * 60 + minutes) * 60_000)
}

/** A moment as written in the locale, meant in the zone unless it says its own. */
export function parseMoment(text: string, locale: string, zone: string): Parsed {
  const refused = () => invalidValue('NF-MOMENT', { example: `${namesOf(locale).example} 09:30` })
  if (text.length > longest) return refused()
  const plain = asSeen(text).replaceAll('\u202f', ' ')
  const instant = readInstant(plain)
  if (instant !== null) return { value: instant }
  const parts = dayAndTime.exec(plain)
  const time = parts && readTime(parts[2]!)
  if (!parts || time === null) return refused()
  const day = parseDate(parts[1]!, locale)
  if ('invalid' in day) return day.invalid.code === 'NF-DATE' ? refused() : day
  const date = String(day.value)
  const at = instantIn(startOfDay(date) + time!, zone)
  if (at === null) return invalidValue('NF-NO-SUCH-TIME', { date, time: new Date(time!).toISOString().slice(11, 16) })
  const value = instantText(at)
  return value === null ? refused() : { value }
}

/** A moment as a control for date and time holds it: local to the zone where that reads back as the same moment, else with its `Z`. */
export function localMoment(iso: string, zone: string): string {
  const at = Date.parse(iso)
  const local = new Date(at + offsetAt(at, zone)).toISOString().slice(0, -1)
  const readable = readIsoDate(local.slice(0, 10)) !== null && instantIn(Date.parse(`${local}Z`), zone) === at
  return readable ? local.replace(/(?<=:\d\d):00\.000$|\.000$/, '') : iso
}

/** Letters of an instant in UTC, whole or as far as that. */
const [toTheMinute, toTheSecond, inFull] = [16, 19, 24]

/** A moment as a cell of a spreadsheet's file holds it: to the second, local to the zone where that reads back as the same one, else with its `Z`. */
export function cellMoment(iso: string, zone: string): string {
  const second = iso.slice(0, toTheSecond)
  const local = localMoment(`${second}.000Z`, zone)
  return local.endsWith('Z') ? `${second}Z` : `${local.replace('T', ' ')}${local.length === 16 ? ':00' : ''}`
}

/** Whether a text that was read as `value` says nothing else than what stands there: the same to the minute, second or less that is written. */
export function saysMoment(text: string, value: string, stored: string): boolean {
  const plain = asSeen(text)
  const time = wholeTime.exec(dayAndTime.exec(plain)?.[2] ?? '')
  const [second, fraction] = instantPattern.exec(plain)?.slice(4) ?? time?.slice(3) ?? []
  const places = fraction !== undefined ? inFull : second !== undefined ? toTheSecond : toTheMinute
  return value.slice(0, places) === stored.slice(0, places)
}

/** The day of a moment in a zone. */
export function dayIn(iso: string, zone: string): string {
  const at = Date.parse(iso)
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 10)
}

/** The time of day of a moment in a zone, `HH:MM`. */
export function timeIn(iso: string, zone: string): string {
  const at = Date.parse(iso)
  return new Date(at + offsetAt(at, zone)).toISOString().slice(11, 16)
}

/** The moment at which a day begins in a zone; where its midnight is skipped, the moment at which it would have been. */
export function beginningOf(date: string, zone: string): string {
  const wall = startOfDay(date)
  return new Date(instantIn(wall, zone) ?? wall - offsetAt(wall - 86_400_000, zone)).toISOString()
}

/** Milliseconds of the day in UTC; not a number where there is no such day. */
export function startOfDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}

/** Null outside the years 1 to 9999. */
function instantText(at: number): string | null {
  const text = new Date(at).toISOString()
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text : null
}

/** The instant at which clocks of the zone show this; the earlier one where they show it twice, null where they never do. */
function instantIn(wall: number, zone: string): number | null {
  const day = 86_400_000
  const candidates = [wall - day, wall + day].map(near => wall - offsetAt(near, zone))
  const real = candidates.filter(at => at + offsetAt(at, zone) === wall)
  return real.length === 0 ? null : Math.min(...real)
}
