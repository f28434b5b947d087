/**
 * How values are shown to a person: cached `Intl` formatters for a locale and a time zone.
 * Values come as they travel (decimal text, `2026-03-28`, ISO moments) and are never turned into floating point:
 * `Intl.NumberFormat` reads decimal text exactly. What is not a value of its kind is shown as it is, never as an exception.
 */
import { languageOf } from '../expression/catalogue.ts'
import { dayFormat } from '../expression/day-format.ts'
import { dayIn, greatBritain, startOfDay } from '../kinds/fields/dates.ts'

export interface Formats {
  /** BCP 47 tag: `en-GB`. */
  readonly locale: string
  /** IANA name of the time zone that moments are shown in. */
  readonly zone: string
  /** `2027`, `12,000`: four digits stand together, so that a year is one. */
  readonly integer: (text: string) => string
  /** How many there are: `1,000`. */
  readonly count: (many: number) => string
  /** How long to wait, in whole seconds, minutes or hours: `45 seconds`, `60 minutes`. */
  readonly wait: (seconds: number) => string
  /** Keeps as many digits after the point as the text has. */
  readonly decimal: (text: string) => string
  /** `€`, for `EUR`. */
  readonly currencySign: (currency: string) => string
  /** `currency` is ISO 4217; at least the currency's own digits after the point. */
  readonly money: (text: string, currency: string) => string
  /** `100000` → `€100K`: for the marks of a scale. */
  readonly shortMoney: (text: string, currency: string) => string
  /** `1234.50` → `€1,235`. */
  readonly wholeMoney: (text: string, currency: string) => string
  /** `120000` → `120K`. */
  readonly shortNumber: (text: string) => string
  /** `0.25` → `25%`. */
  readonly percent: (text: string) => string
  /** `2026-11-23` → `23 Nov 2026`. */
  readonly date: (text: string) => string
  /** `2026-11-23` → `23 November 2026`. */
  readonly longDate: (text: string) => string
  /** An ISO moment → `23 Nov 2026, 09:12` in the zone. */
  readonly moment: (iso: string) => string
  /** An ISO moment → `Monday, 23 November 2026 at 09:12:44 CET`: for the title of a shorter text. */
  readonly fullMoment: (iso: string) => string
  /** An ISO moment → `09:12`. */
  readonly time: (iso: string) => string
  /** `2 hours ago`, `yesterday`; from a week on the date. */
  readonly relative: (iso: string, now: Date) => string
  /** `today`, `tomorrow`, `in 3 days`. */
  readonly days: (count: number) => string
  /** `Approved, Out or Overdue`. */
  readonly anyOf: (texts: readonly string[]) => string
  readonly allOf: (texts: readonly string[]) => string
  /** `412 kB`. */
  readonly bytes: (count: number) => string
}

const decimalText = /^-?\d+(?:\.(\d+))?$/
const day = 86_400_000
const cache = new Map<string, Formats>()

/** The locale that a language of the document is shown in: British forms for English, not American ones. */
export function localeOf(language: string): string {
  const known: Readonly<Record<string, string>> = {
    english: 'en-GB',
    en: 'en-GB',
    'en-gb': greatBritain,
    german: 'de-DE',
    deutsch: 'de-DE',
    de: 'de-DE',
  }
  return known[language.trim().toLowerCase()] ?? language
}

/** Formatters for a locale and zone, made once. `zone` must be known to `Intl`; a document's zone is checked by heading 1. */
export function formatsFor(locale: string, zone: string): Formats {
  const key = `${locale} ${zone}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const made = makeFormats(locale, zone)
  cache.set(key, made)
  return made
}

/** `Intl` has only "now", which is the future of a minute, too. */
const justNow: Readonly<Record<string, string>> = { en: 'just now', de: 'gerade eben' }

function makeFormats(locale: string, zone: string): Formats {
  const numbers = new Map<string, Intl.NumberFormat>()
  const number = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = JSON.stringify(options)
    const known = numbers.get(key)
    if (known !== undefined) return known
    const made = new Intl.NumberFormat(locale, options)
    numbers.set(key, made)
    return made
  }
  const shown = (text: string, options: (scale: number) => Intl.NumberFormatOptions): string => {
    const match = decimalText.exec(text)
    if (match === null) return text
    return number(options(match[1]?.length ?? 0)).format(text as `${number}`)
  }
  const digits = (scale: number) => ({
    minimumFractionDigits: Math.min(scale, 100),
    maximumFractionDigits: Math.min(scale, 100),
  })
  const dates = (options: Intl.DateTimeFormatOptions) => dayFormat(locale, options, 'UTC')
  const moments = (options: Intl.DateTimeFormatOptions) => dayFormat(locale, options, zone)
  const shortDate = dates({ dateStyle: 'medium' })
  const longDate = dates({ dateStyle: 'long' })
  const moment = moments({ dateStyle: 'medium', timeStyle: 'short' })
  const fullMoment = moments({ dateStyle: 'full', timeStyle: 'long' })
  const time = moments({ timeStyle: 'short' })
  const dayOf = (at: number) => startOfDay(dayIn(new Date(at).toISOString(), zone))
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const anyOf = new Intl.ListFormat(locale, { type: 'disjunction' })
  const allOf = new Intl.ListFormat(locale, { type: 'conjunction' })
  const instant = (format: (at: number) => string) => (iso: string) => {
    const at = Date.parse(iso)
    return Number.isNaN(at) ? iso : format(at)
  }
  const calendar = (format: (at: number) => string) => (text: string) => {
    const at = startOfDay(text)
    return Number.isNaN(at) ? text : format(at)
  }
  return {
    locale,
    zone,
    integer: text => shown(text, () => ({ ...digits(0), useGrouping: 'min2' })),
    count: many => number({}).format(many),
    wait: seconds => {
      const [size, unit] = seconds <= 90 ? [1, 'second'] : seconds <= 5400 ? [60, 'minute'] : [3600, 'hour']
      return number({ style: 'unit', unit: unit as string, unitDisplay: 'long' }).format(
        Math.ceil(seconds / (size as number)),
      )
    },
    decimal: text => shown(text, digits),
    currencySign: currency =>
      number({ style: 'currency', currency })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')?.value ?? currency,
    money: (text, currency) =>
      shown(text, scale => {
        const own = number({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
        return { style: 'currency', currency, ...digits(Math.max(own, scale)), minimumFractionDigits: own }
      }),
    shortMoney: (text, currency) =>
      shown(text, () => ({ style: 'currency', currency, notation: 'compact', maximumFractionDigits: 2 })),
    wholeMoney: (text, currency) => shown(text, () => ({ style: 'currency', currency, ...digits(0) })),
    shortNumber: text => shown(text, () => ({ notation: 'compact', maximumFractionDigits: 1 })),
    percent: text => shown(text, scale => ({ style: 'percent', ...digits(Math.max(0, scale - 2)) })),
    date: calendar(shortDate),
    longDate: calendar(longDate),
    moment: instant(moment),
    fullMoment: instant(fullMoment),
    time: instant(time),
    days: count => relative.format(count, 'day'),
    relative: (iso, now) => {
      const at = new Date(iso)
      if (Number.isNaN(at.getTime())) return iso
      const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
      const size = Math.abs(seconds)
      if (size < 60) return justNow[languageOf(locale)] ?? relative.format(0, 'second')
      if (size < 3600) return relative.format(Math.trunc(seconds / 60), 'minute')
      const today = dayOf(at.getTime())
      const days = (today - dayOf(now.getTime())) / day
      if (days === 0) return relative.format(Math.trunc(seconds / 3600), 'hour')
      if (Math.abs(days) < 7) return relative.format(days, 'day')
      return shortDate(today)
    },
    anyOf: texts => anyOf.format(texts),
    allOf: texts => allOf.format(texts),
    bytes: count => {
      const [divisor, unit] =
        count < 1000
          ? [1, 'byte']
          : count < 1e6
            ? [1e3, 'kilobyte']
            : count < 1e9
              ? [1e6, 'megabyte']
              : [1e9, 'gigabyte']
      const unitDisplay = unit === 'byte' ? 'long' : 'short'
      return number({ style: 'unit', unit: unit as string, unitDisplay, maximumFractionDigits: 1 }).format(
        count / (divisor as number),
      )
    },
  }
}
