/** What pages of figures say of themselves, in the languages. */
import { dateOf, dayNumber } from '../../../expression/dates.ts'
import { dayFormat } from '../../../expression/day-format.ts'
import type { Reader } from '../../../ui/reader.tsx'
import { spoken } from '../../../ui/speak.ts'
import { startOfDay } from '../../fields/dates.ts'
import type { Days } from './period.ts'

export const sentences = spoken(
  'cards',
  {
    period: 'Period',
    week: 'Week',
    month: 'Month',
    quarter: 'Quarter',
    year: 'Year',
    all: 'All time',
    dates: 'Dates…',
    from: 'From',
    to: 'To',
    show: 'Show',
    soFar: '{days}, so far',
    daysTo: '{from} to {to}',
    previous: 'The period before',
    next: 'The period after',
    before: 'Against the period before',
    yearBefore: 'Against the year before',
    none: 'Against nothing',
  },
  {
    period: 'Zeitraum',
    week: 'Woche',
    month: 'Monat',
    quarter: 'Quartal',
    year: 'Jahr',
    all: 'Gesamt',
    dates: 'Tage …',
    from: 'Von',
    to: 'Bis',
    show: 'Anzeigen',
    soFar: '{days}, bisher',
    daysTo: '{from} bis {to}',
    previous: 'Der Zeitraum davor',
    next: 'Der Zeitraum danach',
    before: 'Gegenüber dem Zeitraum davor',
    yearBefore: 'Gegenüber dem Jahr davor',
    none: 'Ohne Vergleich',
  },
)

/** "1 Jul to 20 Aug 2026". */
export function daysText({ locale, format }: Reader, { from, to }: Days): string {
  const last = dateOf(dayNumber(to)! - 1)!
  const end = format.date(last)
  if (from === last) return end
  const isOneYear = from.slice(0, 4) === last.slice(0, 4)
  const begin = dayFormat(locale, { day: 'numeric', month: 'short', ...(isOneYear ? {} : { year: 'numeric' }) }, 'UTC')
  return sentences.in(locale)('daysTo', { from: begin(startOfDay(from)), to: end })
}
