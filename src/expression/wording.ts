/**
 * How the application writes days, moments, numbers and lists in texts: as in its first language, whoever reads. It stands in the checked
 * expression, so that the browser, the server and the database write the same, whatever they know of languages.
 */
import { catalogueOf } from './catalogue.ts'

export interface Wording {
  /** Monday to Sunday. */
  readonly weekdays: readonly string[]
  /** As they stand inside of a date. */
  readonly months: readonly string[]
  readonly date: readonly Piece[]
  readonly moment: readonly Piece[]
  /** `and {} more` */
  readonly more: string
  readonly yes: string
  readonly no: string
  readonly figures: Figures
}

interface Figures {
  /** Tag of the language. */
  readonly language: string
  /** Between groups of three digits, and before the decimals. */
  readonly group: string
  readonly point: string
  /** Digits that stand before the first group, at least. */
  readonly least: number
  readonly percent: Affixes
  /** Of the amounts of one currency. */
  readonly amount?: Affixes
}

/** What stands around a number, sign and all else left out; `{}` is the code of a currency that a record says. */
export interface Affixes {
  readonly before: string
  readonly behind: string
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
    ...wordsOf(language),
    figures: figuresOf(language),
  }
}

export const englishTexts = { more: 'and {} more', yes: 'yes', no: 'no' }

const wordsOf = (language: string): typeof englishTexts =>
  /^de\b/.test(language)
    ? { more: 'und {} weitere', yes: 'ja', no: 'nein' }
    : { ...englishTexts, ...catalogueOf(language)?.texts }

const numberFormat = (language: string, options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(`${language === 'en' ? 'en-GB' : language}-u-nu-latn`, options)

function figuresOf(language: string): Figures {
  const partIn = (number: number, wanted: string) =>
    numberFormat(language, {})
      .formatToParts(number)
      .find(({ type }) => type === wanted)?.value
  return {
    language,
    group: partIn(1_000_000, 'group') ?? '',
    point: partIn(0.5, 'decimal')!,
    least: partIn(1000, 'group') === undefined ? 2 : 1,
    percent: affixesOf(language, { style: 'percent' }),
  }
}

/** The same, for amounts of this currency; null: of one that a record says, by its code. */
export const withAmounts = ({ figures, ...wording }: Wording, currency: string | null): Wording => ({
  ...wording,
  figures: {
    ...figures,
    amount:
      currency === null ? codesOf(figures.language) : affixesOf(figures.language, { style: 'currency', currency }),
  },
})

function codesOf(language: string): Affixes {
  const { before, behind } = affixesOf(language, { style: 'currency', currency: 'EUR', currencyDisplay: 'code' })
  return { before: before.replace('EUR', '{}'), behind: behind.replace('EUR', '{}') }
}

function affixesOf(language: string, options: Intl.NumberFormatOptions): Affixes {
  const parts = numberFormat(language, { ...options, maximumFractionDigits: 0 }).formatToParts(1)
  const at = parts.findIndex(({ type }) => type === 'integer')
  const textOf = (some: typeof parts) => some.map(({ value }) => value).join('')
  return { before: textOf(parts.slice(0, at)), behind: textOf(parts.slice(at + 1)) }
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
