/** Days and moments in the words of a language. Years have four digits: `26` would be one of today. */
import { differsAt, offsetAt } from './zone.ts'

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
  const shown = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  const isGregorian = format.resolvedOptions().calendar === 'gregory'
  const inParts = (at: number): string => {
    const ahead = offsetAt(at, zone)
    const early = at < fourDigits && isGregorian ? year.format(new Date(at + ahead).getUTCFullYear()) : null
    return shown
      .formatToParts(at + ahead)
      .map(({ type, value }) => (type === 'year' ? (early ?? value) : type === 'timeZoneName' ? named(ahead) : value))
      .join('')
  }
  return at => ((at < fourDigits && isGregorian) || differsAt(at, zone) ? inParts(at) : format.format(at))
}

/** `UTC-06:00` */
function named(ahead: number): string {
  const minutes = Math.abs(Math.trunc(ahead / 60_000))
  const two = (part: number) => String(part).padStart(2, '0')
  return `UTC${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
