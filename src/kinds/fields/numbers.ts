/** Numbers as people of a locale write them ↔ canonical decimal text (`-1234.5`). Never floating point. */
import { parseDecimal as decimalOf, formatDecimal, round } from '../../expression/decimal.ts'
import type { Parsed } from './field-kind.ts'
import { invalidValue } from './invalid-value.ts'
import { numberText, roundedNumber } from './json/exact.ts'
import { asSeen, jsonKind } from './texts.ts'

interface Signs {
  /** The locale's own digits, 0 to 9. */
  readonly digits: readonly string[]
  readonly group: string
  readonly decimal: string
  readonly minus: string
  /** Digits in a group beyond the last three: 2 in India. */
  readonly inner: number
}

/** Longer than any number that fits a column. */
const longest = 80
const known = new Map<string, Signs>()

function signsOf(locale: string): Signs {
  let signs = known.get(locale)
  if (signs === undefined) {
    const format = new Intl.NumberFormat(locale, { useGrouping: true, maximumFractionDigits: 1 })
    const parts = format.formatToParts(-123_456_789.5)
    const sign = (type: string, otherwise: string) =>
      plainSpaces(parts.find(part => part.type === type)?.value ?? otherwise)
    signs = {
      digits: Array.from({ length: 10 }, (_, digit) => format.format(digit)),
      group: sign('group', ','),
      decimal: sign('decimal', '.'),
      minus: sign('minusSign', '-'),
      inner: parts.filter(part => part.type === 'integer').at(-2)?.value.length ?? 3,
    }
    known.set(locale, signs)
  }
  return signs
}

const plainSpaces = (text: string): string =>
  text
    .replace(/[\s\u00a0\u202f]/g, ' ')
    .replaceAll('’', "'")
    .replace(/[\u200e\u200f\u061c]/g, '')

/** A text as a piece of a regular expression. */
const escaped = (text: string): string => text.replace(/[^\w\s]/g, sign => `[${sign === '^' ? '\\^' : sign}]`)

/** Sign, digits before the point (no needless zeros) and after it (no trailing zeros). */
export interface Decimal {
  readonly negative: boolean
  readonly whole: string
  readonly fraction: string
}

type ReadNumber = { readonly number: Decimal } | { readonly readings: readonly [string, string] } | null

/**
 * Reads a number; null for what is none. Where the locale's reading and the canonical one differ (`1.234` in German) and both
 * have at most `scale` decimals, neither is taken.
 */
export function readNumber(text: string, locale: string, scale: number): ReadNumber {
  if (text.length > longest) return null
  const signs = signsOf(locale)
  let plain = plainSpaces(asSeen(text))
  for (const [digit, sign] of signs.digits.entries())
    if (sign !== String(digit)) plain = plain.replaceAll(sign, String(digit))
  const { negative, digits } = signed(plain.startsWith(signs.minus) ? `-${plain.slice(signs.minus.length)}` : plain)
  const group = escaped(signs.group)
  const decimal = escaped(signs.decimal)
  const grouped = new RegExp(
    `^([1-9]\\d{0,2}(?:${group}\\d{${signs.inner}})*${group}\\d{3}|\\d+)(?:${decimal}(\\d+))?$|^${decimal}(\\d+)$`,
    'u',
  ).exec(digits)
  const canonical = /^(\d+)(?:\.(\d+))?$|^\.(\d+)$/u.exec(digits)
  const local =
    grouped && made(negative, (grouped[1] ?? '0').replaceAll(signs.group, ''), grouped[2] ?? grouped[3] ?? '')
  const standard = canonical && made(negative, canonical[1] ?? '0', canonical[2] ?? canonical[3] ?? '')
  if (local && standard && plainText(local) !== plainText(standard) && standard.fraction.length <= scale)
    return { readings: [plainText(local), plainText(standard)] }
  const number = local ?? standard
  return number ? { number } : null
}

/** A number is negative by a sign before or behind it, or in brackets, as bookkeeping writes it. */
function signed(text: string): { readonly negative: boolean; readonly digits: string } {
  const negative = /^[-\u2212] ?(.*)$|^([^-+\u2212]*?) ?[-\u2212]$|^\( ?([^-+\u2212()]*?) ?\)$/u.exec(text)
  const digits = negative === null ? text.replace(/^\+ ?/, '') : (negative[1] ?? negative[2] ?? negative[3])!
  return { negative: negative !== null, digits: withoutGaps(digits) }
}

/** Blanks and apostrophes between thousands have one meaning, in whatever language; no thousands begin with a zero. */
const withoutGaps = (digits: string): string =>
  digits.replace(/^[1-9]\d{0,2}([ '])\d{3}(?:\1\d{3})*(?![\d '])/, whole => whole.replaceAll(/[ ']/g, ''))

function made(negative: boolean, whole: string, fraction: string): Decimal {
  const short = { whole: whole.replace(/^0+(?=\d)/, ''), fraction: fraction.replace(/0+$/, '') }
  return { negative: negative && (short.whole !== '0' || short.fraction !== ''), ...short }
}

/** Canonical text, with at least `scale` digits after the point. */
export function plainText({ negative, whole, fraction }: Decimal, scale = 0): string {
  const digits = fraction.padEnd(scale, '0')
  return `${negative ? '-' : ''}${whole}${digits === '' ? '' : `.${digits}`}`
}

export interface NumberShape {
  /** Digits after the point, at most. */
  readonly scale: number
  /** Digits before the point, at most. */
  readonly whole: number
  /** Digits after the point are always written. */
  readonly padded: boolean
}

/** A decimal within its shape → wire. */
export function parseDecimal(text: string, locale: string, shape: NumberShape): Parsed {
  const read = readNumber(text, locale, shape.scale)
  if (read === null)
    return invalidValue('NF-NUMBER', { example: shownNumber(shape.scale === 0 ? '1234' : '1234.5', locale) })
  if ('readings' in read) return invalidValue('NF-AMBIGUOUS', { first: read.readings[0], second: read.readings[1] })
  return fitted(read.number, shape)
}

function fitted(number: Decimal, { scale, whole, padded }: NumberShape): Parsed {
  if (number.fraction.length > scale)
    return scale === 0
      ? invalidValue('NF-WHOLE', {})
      : invalidValue('NF-DECIMALS', { scale, found: number.fraction.length })
  if (number.whole.length > whole) {
    const max = `${'9'.repeat(whole)}${padded && scale > 0 ? `.${'9'.repeat(scale)}` : ''}`
    return invalidValue('NF-RANGE', { min: `-${max}`, max })
  }
  return { value: plainText(number, padded ? scale : 0) }
}

/**
 * JSON → wire: decimal text, or a JSON number that lost nothing on its way (at most 15 digits, or kept by its text).
 * No locale here: an API has one way to write.
 */
export function decimalFromJson(json: unknown, shape: NumberShape): Parsed {
  const written = typeof json === 'number' && Number.isFinite(json) ? String(json) : roundedNumber(json)
  const text = written === null ? json : (numberText(written) ?? '')
  if (typeof text !== 'string')
    return invalidValue('NF-JSON', { expected: 'a decimal number as a text', found: jsonKind(json) })
  const canonical = text.length <= longest || written !== null ? /^(-)?(\d+)(?:\.(\d+))?$/.exec(text) : null
  if (!canonical) return invalidValue('NF-NUMBER', { example: shape.scale === 0 ? '1234' : '1234.5' })
  const read = fitted(made(canonical[1] === '-', canonical[2]!, canonical[3] ?? ''), shape)
  const isExact = typeof json !== 'number' || text.replace(/\D/g, '').replace(/^0+|0+$/g, '').length <= 15
  return 'invalid' in read || isExact ? read : invalidValue('NF-JSON-NUMBER', { found: text })
}

/** What an expression works out, with the digits after the point that the shape has room for: as it is stored, so that the same is the same. */
export function roundedTo(wire: string, { scale, padded }: NumberShape): string {
  const value = decimalOf(wire)
  return value === null ? wire : formatDecimal(round(value, scale), padded ? scale : 0)
}

/** Canonical text with the locale's own sign between whole and fraction and no grouping: what a form control holds. */
export function shownNumber(canonical: string, locale: string | undefined): string {
  return locale === undefined ? canonical : canonical.replace('.', signsOf(locale).decimal)
}
