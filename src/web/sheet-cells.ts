/** What a cell of a workbook holds and how its sheet shows it: the value, its format, and the errors that are no values. */
import { type Cell, type CellValue, formatValue } from 'hucre'
import type { FileCell } from '../document/file-cells.ts'
import { formatDecimal, parseDecimal, round } from '../expression/decimal.ts'
import { numberText } from '../kinds/fields/json/exact.ts'
import { shownNumber } from '../kinds/fields/numbers.ts'
import { firstCell } from './sheets.ts'

/** As spreadsheets write them, also into CSV files, in the languages in which they have others. */
const errors: ReadonlySet<string> = new Set(
  [
    '#N/A #REF! #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC! #GETTING_DATA #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! #BUSY!',
    '#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #VALEUR! #NOMBRE! #NOM? #NUL! #PROPAGATION! #CALCUL!',
    '#¡REF! #¡VALOR! #¡DIV/0! #¿NOMBRE? #¡NUM! #¡NULO! #N/D #RIF! #VALORE! #NOME? #NULLO! #VERW! #WAARDE! #DEEL/0! #NAAM? #GETAL! #LEEG!',
  ].flatMap(line => line.split(' ')),
)

/** Also of what a spreadsheet could not show, and the errors of LibreOffice. */
const isSheetError = (text: string): boolean => errors.has(text) || /^(?:#{4,}|Err:\d{3})$/.test(text)

/** A text, or the error that it is. */
export const textCell = (text: string): FileCell =>
  isSheetError(text.trim()) ? { v: text.trim(), wrong: 'error' } : text

interface Sheet {
  /** In which texts that a format makes of a number are written. */
  readonly locale: string
  /** Its workbook counts days from 1904, not from 1900. */
  readonly from1904: boolean
}

export function sheetCell(value: CellValue, cell: Cell | undefined, { locale, from1904 }: Sheet): FileCell {
  if (cell?.type === 'error') return { v: String(value), wrong: 'error' }
  if (value === null) return cell?.type === 'formula' ? { v: `=${cell.formula ?? ''}`, wrong: 'uncounted' } : ''
  const format = cell?.style?.numFmt ?? 'General'
  if (value instanceof Date) return dateCell(value, format, from1904)
  switch (typeof value) {
    case 'number':
      return numberCell(value, format, locale)
    case 'boolean':
      return { v: value ? 'yes' : 'no', shown: String(value).toUpperCase() }
    default:
      return textCell(value)
  }
}

/** A format without what it writes as it stands, and without colours, languages and widths; `[h]` stays. */
const bare = (format: string): string => format.replace(/"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')

/** The day as which a time without one is stored. */
const noDay = Date.UTC(1899, 11, 31)
const noDayFrom1904 = Date.UTC(1904, 0, 1)
const dayLength = 86_400_000

function dateCell(date: Date, format: string, from1904: boolean): FileCell {
  const at = Math.round(date.getTime() / 1000) * 1000
  const since = at - (from1904 ? noDayFrom1904 : noDay)
  // Spreadsheets have no days before, and show this for them.
  if (since < 0) return { v: '########', wrong: 'error' }
  const plain = bare(format)
  const hasDay = /[yd]/i.test(plain) || (/m/i.test(plain) && !/[hs]/i.test(plain)) || format === 'General'
  const hasTime = /[hs]/i.test(plain)
  const [day, clock] = [new Date(at).toISOString().slice(0, 10), new Date(at).toISOString().slice(11, 19)]
  const time = clock.endsWith(':00') ? clock.slice(0, 5) : clock
  const shownTime = /s/i.test(plain) ? time : clock.slice(0, 5)
  if (/\[(?:h+|m+|s+)\]/i.test(plain)) {
    // The 29th of February 1900, which never was, is one of the days that spreadsheets count.
    const v = elapsed(since + (!from1904 && at >= firstCell ? dayLength : 0))
    return { v, ...shownAs(formatValue(date, format, { is1904: from1904 }), v) }
  }
  if (since < dayLength && !hasDay)
    return { v: time, ...lessThan(time, shownTime), ...dateShown(at, format, shownTime) }
  // With a day, it shows one that never was.
  if (since < dayLength && !from1904) return { v: `1900-01-00T${clock}` }
  const v = clock === '00:00:00' && hasDay ? day : `${day}T${clock}`
  const less = !hasDay ? shownTime : hasTime ? v : day
  return { v, ...lessThan(v, less), ...dateShown(at, format, less) }
}

/** Hours and minutes, with seconds where there are any. */
function elapsed(milliseconds: number): string {
  const seconds = milliseconds / 1000
  const part = (of: number) => String(Math.floor(of) % 60).padStart(2, '0')
  const [hours, minutes] = [String(Math.floor(seconds / 3600)).padStart(2, '0'), part(seconds / 60)]
  return seconds % 60 === 0 ? `${hours}:${minutes}` : `${hours}:${minutes}:${part(seconds)}`
}

/** Nothing where the format leaves it to the language of whoever looks at the sheet: its order, or the names of months and days. */
const dateShown = (at: number, format: string, otherwise: string) =>
  /^(?:General|m\/d\/yy(?:yy)?(?: h:mm)?)$|mmm|ddd/i.test(bare(format))
    ? {}
    : shownAs(formatValue(new Date(at), format), otherwise)

const shownAs = (shown: string, otherwise: string) => (shown === otherwise || shown === '' ? {} : { shown })

const lessThan = (v: string, less: string) => (less === v ? {} : { less })

/** Digits that spreadsheets have; what a sum has beyond them, nobody wrote. */
const digits = 15

function numberCell(value: number, format: string, locale: string): FileCell {
  const v = numberText(String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(digits))))
  if (v === null) return { v: String(value), wrong: 'error' }
  const own = sectionOf(bare(format), value)
  const percent = own.includes('%')
  const places = placesOf(own)
  const less = places === null ? v : rounded(v, places + (percent ? 2 : 0))
  const shown = /^General$/i.test(format)
    ? shownNumber(v, locale)
    : formatValue(Number(less), format, { locale: regionOf(locale) }).trim()
  return { v, ...lessThan(v, less), ...shownAs(shown, less), ...(percent && { percent }) }
}

/** The part of a format that is for such a number. */
function sectionOf(format: string, value: number): string {
  const [first = '', negative, zero] = format.split(';')
  return (value < 0 ? negative : value === 0 ? zero : first) ?? first
}

/** Decimals that a format shows; null where it rounds to none: General, with an exponent, as a fraction, in thousands. */
function placesOf(section: string): number | null {
  if (!/[0#?]/.test(section) || /[e/]|,(?![0#?,])/i.test(section)) return null
  return (/\.([0#?]+)/.exec(section)?.[1] ?? '').length
}

const rounded = (text: string, places: number): string => formatDecimal(round(parseDecimal(text)!, places))

/** The languages in which the library writes thousands and decimals otherwise than in English. */
const regionOf = (locale: string): string =>
  ({ de: 'de-DE', fr: 'fr-FR', tr: 'tr-TR' })[new Intl.Locale(locale).language] ?? 'en-US'
