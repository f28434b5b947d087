/** Days and moments in the words of a language. Years have four digits: `26` would be one of today. */
import { offsetAt } from './zone.ts'

type Format = (at: number) => string

const formats = new Map<string, Format>()

/** Of milliseconds since 1970; `zone` is the one whose clocks are read, `UTC` for days. Made once. */
export function dayFormat(locale: string, options: Intl.DateTimeFormatOptions, zone: string): Format {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`
  let known = formats.get(key)
  if (known === undefined) {
    known = made(locale, options, zone)
    formats.set(key, known)
  }
  return known
}

/** The year 1000, a day later in every zone. */
const fourDigits = Date.UTC(1000, 0, 2)

function made(locale: string, options: Intl.DateTimeFormatOptions, zone: string): Format {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  const year = new Intl.NumberFormat(locale, { minimumIntegerDigits: 4, useGrouping: false })
  const isGregorian = format.resolvedOptions().calendar === 'gregory'
  const early: Format = at => {
    const written = year.format(new Date(at + offsetAt(at, zone)).getUTCFullYear())
    return format
      .formatToParts(at)
      .map(({ type, value }) => (type === 'year' ? written : value))
      .join('')
  }
  return at => (at < fourDigits && isGregorian ? early(at) : format.format(at))
}
