/** `month on the last working day`, `quarter on the 1st`, `year on 31 December`: what stands between `every` and the time of day. */
import { weekdays } from '../9-limits/working-time.ts'
import type { Dates } from './model.ts'

const months = 'January February March April May June July August September October November December'.split(' ')
const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: -1 }

/** Null: no month, quarter or year is meant; undefined: one is, but on no day that there is. */
export function readDates(text: string): Dates | null | undefined {
  const [, period, on] = /^(month|quarter|year)(?:\s+on\s+(.+))?$/i.exec(text) ?? []
  if (period === undefined) return null
  const every = period.toLowerCase() as Dates['every']
  const named = every === 'year' ? inMonth(on ?? '') : null
  return named ?? among(every, on ?? '')
}

/** `2 weeks`, `(rhythm) months`, `other month`: no misspelt day is meant. */
export const isOwnRhythm = (text: string): boolean =>
  /(?:^\d+|\)|^other|^second)\s+(?:day|week|month|quarter|year)s?$/i.test(text)

/** `31 December`, `December 31`. */
function inMonth(on: string): Dates | null {
  const [, before, name, behind] =
    /^(?:the\s+)?(?:(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?([a-z]+)(?:\s+(\d{1,2}))?$/i.exec(on) ?? []
  const month = months.findIndex(one => one.toLowerCase() === name?.toLowerCase()) + 1
  const nth = Number(before ?? behind)
  return month > 0 && nth >= 1 && nth <= 31 ? { every: 'year', month, nth, among: 'days' } : null
}

/** `the 15th`, `the last day`, `the first working day`, `the last Friday`. */
function among(every: Dates['every'], on: string): Dates | undefined {
  const [, word, digits, last, kind = 'day'] =
    /^the\s+(?:(first|second|third|fourth|last)|(\d{1,2})(?:st|nd|rd|th)?)(\s+last)?(?:\s+(day|working day|[a-z]+day))?$/i.exec(
      on,
    ) ?? []
  const count = word === undefined ? Number(digits) : ordinals[word.toLowerCase()]!
  const nth = last === undefined ? count : -count
  const weekday = weekdays.findIndex(day => day.toLowerCase() === kind.toLowerCase())
  const of = /^day$/i.test(kind) ? 'days' : /^working day$/i.test(kind) ? 'working days' : weekday
  const most = of === 'days' ? 31 : of === 'working days' ? 23 : 5
  const isThere = count === -1 ? last === undefined : count >= 1 && count <= most
  return isThere && of !== -1 ? { every, month: null, nth, among: of } : undefined
}
