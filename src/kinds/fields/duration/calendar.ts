/** Lengths of time that calendars count: `3 days`, `2 weeks`, `1 month`. No field holds one, but a constant may. */
import { type Duration, parseDuration } from '../../../expression/dates.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'

const counted = ['day', 'week', 'month', 'year'] as const

const sayingOf = (locale: string, unit: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })

/** In the largest unit that says it whole: "2 days", "90 minutes". */
export function lengthInWords({ months, days, milliseconds }: Duration, locale: string): string {
  const units = [
    [months / 12, 'year'],
    [months, 'month'],
    [days, 'day'],
    [milliseconds / 3_600_000, 'hour'],
    [milliseconds / 60_000, 'minute'],
    [milliseconds / 1000, 'second'],
  ] as const
  const [count, unit] = units.find(([amount]) => amount !== 0 && Number.isInteger(amount)) ?? [
    milliseconds / 1000,
    'second',
  ]
  return sayingOf(locale, unit).format(count)
}

/** As a constant is typed: the words of the locale are understood, and English ones. */
export const calendarLength: Pick<FieldKind, 'input' | 'parse'> = {
  input: (wire, _, locale = 'en') => {
    const length = wire === null ? null : parseDuration(String(wire))
    return length === null ? '' : lengthInWords(length, locale)
  },
  parse: (text, _, locale) => read(text, locale),
}

function read(text: string, locale: string): Parsed {
  const [, count = '', word = ''] = /^(\d{1,6})\s*(\p{L}+)$/u.exec(text.trim()) ?? []
  const unit = counted.find(one => [locale, 'en'].some(of => names(word, one, of)))
  const amount = Number(count) * (unit === 'week' ? 7 : unit === 'year' ? 12 : 1)
  const wire = unit === 'day' || unit === 'week' ? `P0M${amount}D` : `P${amount}M0D`
  return unit === undefined || parseDuration(wire) === null
    ? invalidValue('NF-DAYS', { example: sayingOf(locale, 'day').format(3) })
    : { value: wire }
}

/** Whether it is what a locale calls one or several of a unit. */
const names = (word: string, unit: string, locale: string): boolean =>
  [1, 2].some(count =>
    sayingOf(locale, unit)
      .formatToParts(count)
      .some(({ type, value }) => type === 'unit' && value.toLowerCase() === word.toLowerCase()),
  )
