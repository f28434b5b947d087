/** Values inside a message: formatted by type, in the reader's language and time zone. */

import { codeIn, currencyPlaces, isFixed, withoutCode } from '../../expression/currency.ts'
import { parseDuration, writtenLength } from '../../expression/dates.ts'
import { dayFormat } from '../../expression/day-format.ts'
import { formatDecimal, parseDecimal, round } from '../../expression/decimal.ts'
import { isPercent } from '../../expression/fit.ts'
import { memoize } from '../../expression/memoize.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { lengthInWords } from '../../kinds/fields/duration/calendar.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { wordsIn } from './words.ts'

const formatters = new Map<string, Intl.NumberFormat>()

/** The locale that a bare language is formatted in: British forms for English. */
const regional = (locale: string): string => (locale === 'en' ? 'en-GB' : locale)

/** What a field computes has as many decimals as came out; people see those of its type, and where that says none, no needless ones. */
export function withDecimals(wire: string, type: Type, scale: number | undefined): string {
  if (type.kind !== 'decimal' && type.kind !== 'money') return wire
  if (codeIn(wire) !== null) return wire
  const value = parseDecimal(wire)
  if (value === null || scale === undefined) return value === null ? wire : formatDecimal(value)
  const places = isPercent(type) ? scale + 2 : scale
  return formatDecimal(round(value, places), places)
}

/** `format` is one of the few named ones of messages (`long`), or `words` for a length of time in the words of the language; empty text for an empty value. */
export function shownValue(wire: Wire, type: Type, locale: string, zone: string, format: string | null = null): string {
  if (wire === null) return ''
  if (typeof wire === 'boolean') return wordsIn(locale)[wire ? 'yes' : 'no']
  const language = regional(locale)
  const number = (options: Intl.NumberFormatOptions) =>
    memoize(
      formatters,
      `${language} ${JSON.stringify(options)}`,
      () => new Intl.NumberFormat(language, options),
    ).format((type.kind === 'money' ? withoutCode(wire) : wire) as `${number}`)
  const dateStyle = format === 'long' ? 'long' : 'medium'
  const date = (text: string, options: Intl.DateTimeFormatOptions, of: string) =>
    dayFormat(language, options, of)(Date.parse(text))
  switch (type.kind) {
    case 'integer':
      return number({ useGrouping: 'min2' })
    case 'decimal':
      return number({ ...(type.percent && { style: 'percent' }), maximumFractionDigits: 20 })
    case 'money': {
      const currency = isFixed(type) ? type.currency : codeIn(wire)
      const most = { maximumFractionDigits: 20 }
      if (currency === null) return number(most)
      return number({ style: 'currency', currency, minimumFractionDigits: currencyPlaces(currency), ...most })
    }
    case 'date':
      if (format === 'weekday') return date(`${wire}T00:00:00Z`, { weekday: 'long' }, 'UTC')
      return date(`${wire}T00:00:00Z`, { dateStyle }, 'UTC')
    case 'moment':
      if (format === 'weekday') return date(wire, { weekday: 'long' }, zone)
      return date(wire, { dateStyle, timeStyle: 'short' }, zone)
    case 'duration': {
      const length = parseDuration(wire)
      if (length === null) return wire
      return type.of === 'clock' && format !== 'words'
        ? writtenLength(length.milliseconds)
        : lengthInWords(length, language)
    }
    case 'file':
      return heldFile(wire)?.name ?? wire
    default:
      return wire
  }
}
