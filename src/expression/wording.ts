/**
 * How the application writes days, moments and lists in texts: as in its first language, whoever reads. It stands in the checked
 * expression, so that the browser, the server and the database write the same, whatever they know of languages.
 */

export interface Wording {
  /** Monday to Sunday. */
  readonly weekdays: readonly string[]
  /** As they stand inside of a date. */
  readonly months: readonly string[]
  readonly date: readonly Piece[]
  readonly moment: readonly Piece[]
  /** `and {} more` */
  readonly more: string
}

/** What stands there as it is, or a part of the day; `dd` has two digits. */
export type Piece = { readonly text: string } | { readonly part: Part }
export type Part = 'd' | 'dd' | 'month' | 'year' | 'time'

const DAY = 86_400_000
/** 5 January 1970 was a Monday, and its day has one digit. */
const MONDAY = 4 * DAY

/** `language` is a tag: `de`, `en-IE`. */
export function wordingOf(language: string): Wording {
  const locale = `${language === 'en' ? 'en-GB' : language}-u-ca-gregory-nu-latn`
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  const date = formatOf({ dateStyle: 'medium' })
  const weekday = formatOf({ weekday: 'long' })
  const monthOf = (month: number) =>
    date.formatToParts(Date.UTC(1970, month, 5)).find(({ type }) => type === 'month')!.value
  return {
    weekdays: Array.from({ length: 7 }, (_, day) => weekday.format(MONDAY + day * DAY)),
    months: Array.from({ length: 12 }, (_, month) => monthOf(month)),
    date: piecesOf(date),
    moment: piecesOf(formatOf({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })),
    more: /^de\b/.test(language) ? 'und {} weitere' : 'and {} more',
  }
}

function piecesOf(format: Intl.DateTimeFormat): readonly Piece[] {
  const parts = format.formatToParts(MONDAY)
  const [from, to] = [parts.findIndex(({ type }) => type === 'hour'), parts.findIndex(({ type }) => type === 'minute')]
  return parts.flatMap(({ type, value }, index): readonly Piece[] => {
    if (type === 'hour') return [{ part: 'time' }]
    if (index > from && index <= to) return []
    if (type === 'day') return [{ part: value.length === 2 ? 'dd' : 'd' }]
    if (type === 'month' || type === 'year') return [{ part: type }]
    return type === 'literal' ? [{ text: value }] : []
  })
}
