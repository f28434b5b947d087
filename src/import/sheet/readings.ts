/** What a column holds: the type that fits its cells, each of them in the canonical form, and those that do not fit. */
import { type FileCell, shownOf } from '../../document/file-cells.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { isKnown, readAs, writtenIn } from './sheet.ts'

/** A type cell, and how a cell of the column is read by it: null where it does not fit. */
export interface Reading {
  readonly type: string
  readonly read: (cell: FileCell) => string | null
  /** What an empty cell means; absent: nothing. */
  readonly whenEmpty?: string
}

/** Digits that are no number: people read them one by one, and a zero at the front counts. */
const notCounted =
  /phone|telephone|telefon|\btel\b|fax|mobile|handy|\bzip\b|postal|postcode|\bplz\b|iban|konto|account|\bcard\b/i
const phoneHeading = /phone|telefon|\btel\b|\bfax|mobile|handy/i

const whole = /^[-+(]?\s*\d[\d\s.,'’]*\)?-?$/

/** The types that hold one value, as which the cells of a column could be read: the first that fits wins. */
export function readingsOf(
  heading: string,
  cells: readonly FileCell[],
  locale: string,
  hasGaps: boolean,
): readonly Reading[] {
  return [
    yesNo(),
    ...(hasGaps ? [marked()] : []),
    ...(notCounted.test(heading) || cells.some(isCode) ? [] : numbers(heading, cells, locale)),
    plain('date', locale),
    plain('time', locale),
    moment(locale),
    plain('duration', locale),
    ...['e-mail', 'link', ...(phoneHeading.test(heading) ? ['phone'] : [])].map(kind => plain(kind, locale)),
  ]
}

/** Of the readings, the first that fits nearly all cells. Null: texts. */
export const fittingOf = (readings: readonly Reading[], cells: readonly FileCell[]): Reading | null =>
  readings.find(reading => fitsNearlyAll(cells, reading)) ?? null

/** Of readings that do not fit, the one that would with the fewest corrections, where it fits two of three cells at least. */
export function nearestOf(readings: readonly Reading[], cells: readonly FileCell[]): Reading | null {
  const misfits = readings.map(reading => misfitsOf(cells, reading).length)
  const least = Math.min(...misfits)
  return least * 3 <= cells.length ? (readings[misfits.indexOf(least)] ?? null) : null
}

/** The cells that do not fit, without those which only say that there is nothing. */
export const misfitsOf = (cells: readonly FileCell[], { read }: Reading): readonly FileCell[] =>
  cells.filter(cell => read(cell) === null && !placeholder.test(writtenIn(cell)))

/** Words that stand where somebody has nothing to say. */
const placeholder = /^(?:[-–—?.]+|n\/?a|n\.a\.|none|null|tbd|tba|unknown|k\.?\s?a\.?|unbekannt|offen|keine?)$/i

/** One in ten may be a mistake; what only says that there is nothing counts for no type. */
function fitsNearlyAll(cells: readonly FileCell[], reading: Reading): boolean {
  const empty = cells.filter(cell => reading.read(cell) === null)
  return empty.length < cells.length / 2 && misfitsOf(cells, reading).length * 10 <= cells.length
}

const plain = (kind: string, locale: string): Reading => ({
  type: kind,
  read: cell => readAs(kind, writtenIn(cell), isKnown(cell) ? 'en-GB' : locale),
})

/** A day without a time among moments is the beginning of that day. */
const moment = (locale: string): Reading => ({
  type: 'date and time',
  read: cell => {
    const day = plain('date', locale).read(cell)
    return day === null ? plain('date and time', locale).read(cell) : `${day}T00:00`
  },
})

/** Words, since 1 and 0 are numbers. */
const yesNo = (): Reading => ({
  type: 'yes/no',
  read: cell => (/\d/.test(writtenIn(cell)) ? null : readAs('yes/no', writtenIn(cell), 'en-GB')),
})

/** A column in which some rows have a cross, and others nothing. */
const marked = (): Reading => ({
  type: 'yes/no',
  read: cell => (/^[x✓✔]$/i.test(writtenIn(cell)) ? 'yes' : null),
  whenEmpty: 'no',
})

function numbers(heading: string, cells: readonly FileCell[], locale: string): readonly Reading[] {
  const number = (scale: number) => (cell: FileCell) =>
    isDigits(cell)
      ? readAs('decimal', writtenIn(cell), isKnown(cell) ? 'en-GB' : locale, { precision: 18 + scale, scale })
      : null
  const isPercent = (cell: FileCell) => (typeof cell === 'string' ? /%\s*$/.test(cell) : cell.percent === true)
  const percent: Reading = {
    type: 'percent',
    read: cell =>
      isPercent(cell) ? (isKnown(cell) ? fraction(cell) : readAs('percent', writtenIn(cell), locale)) : null,
  }
  const currency = currencyOf(heading, cells)
  const amounts =
    currency === null
      ? []
      : [
          exact(
            [2, 4].map(scale => amount(currency, scale, locale)),
            cells,
          ),
        ]
  const decimals = [2, 4, 10].map(scale => ({
    type: `decimal ${sizeOf(cells, number(scale), scale)}`,
    read: number(scale),
  }))
  return [percent, ...amounts, exact([{ type: 'integer', read: number(0) }, ...decimals], cells)]
}

/** Of readings with more and more decimals, the first that leaves out no figure which the last takes. */
function exact(readings: readonly Reading[], cells: readonly FileCell[]): Reading {
  const taken = readings.map(({ read }) => cells.filter(cell => read(cell) !== null).length)
  return readings[taken.indexOf(taken.at(-1)!)]!
}

/** Digits with a zero at their front are a key, also where a format of the sheet writes the zeros: as a number it would lose them. */
const isCode = (cell: FileCell): boolean => {
  const text = shownOf(cell).trim()
  return typeof cell === 'string' ? whole.test(text) && /^0\d/.test(text) : /^0\d+$/.test(text)
}

const isDigits = (cell: FileCell): boolean =>
  typeof cell === 'string' ? whole.test(writtenIn(cell)) : cell.percent !== true

/** Room for the longest, in the sizes that people write. */
function sizeOf(cells: readonly FileCell[], read: Reading['read'], scale: number): string {
  const longest = Math.max(0, ...cells.map(cell => (read(cell) ?? '').replace(/^-|\..*$/g, '').length))
  return `${Math.max(longest, 10) + scale}.${scale}`
}

/** A workbook has the fraction of what it shows as a percentage. */
function fraction(cell: FileCell): string | null {
  const { fromJson, input } = fieldKind('percent')
  const parsed = fromJson(writtenIn(cell), {})
  return 'value' in parsed ? input(parsed.value, {}) : null
}

const amount = (currency: string, scale: number, locale: string): Reading => ({
  type: `money ${currency}${scale === 2 ? '' : ` ${scale}`}`,
  read: cell => readAs('money', writtenIn(cell), isKnown(cell) ? 'en-GB' : locale, { currency, scale }),
})

const signs: readonly (readonly [RegExp, string])[] = [
  [/€|\beuros?\b/i, 'EUR'],
  [/US\$|\$/, 'USD'],
  [/£/, 'GBP'],
  [/₹/, 'INR'],
]
const codes = /\b(EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|CAD|AUD|NZD|INR|BRL|MXN|ZAR|SGD|HKD|TRY|ILS)\b/

/** The currency that the heading names, or one in ten cells: others are plain figures. */
function currencyOf(heading: string, cells: readonly FileCell[]): string | null {
  const named = (text: string) => codes.exec(text)?.[1] ?? signs.find(([sign]) => sign.test(text))?.[1] ?? null
  const shown = cells.flatMap(cell => named(typeof cell === 'string' ? cell : (cell.shown ?? '')) ?? [])
  const [most] = [...Map.groupBy(shown, code => code)].sort(([, left], [, right]) => right.length - left.length)
  return named(heading) ?? (most !== undefined && most[1].length * 10 >= cells.length ? most[0] : null)
}
