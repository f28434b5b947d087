import { currencyPlaces } from '../../../expression/currency.ts'
import { parseDecimal as decimalOf, formatDecimal } from '../../../expression/decimal.ts'
import { sql } from '../../../expression/sql.ts'
import type { FieldKind, FieldParameters, WrongType } from '../field-kind.ts'
import { decimalFromJson, type NumberShape, parseDecimal, roundedTo, shownNumber } from '../numbers.ts'

const digits = 19
const mostPlaces = 8
const shapeOf = ({ scale = 2 }: FieldParameters): NumberShape => ({ scale, whole: digits - scale, padded: true })

/** An amount of one currency, with as many decimals as the currency has, or with more: a price per unit. */
export const money: FieldKind = {
  name: 'money',
  written: 'money CUR [decimals]',
  meaning:
    'An amount of one currency, named by its three-letter code: `money EUR`. It has as many decimals as the currency; `money EUR 4`, for prices per unit, takes up to four.',
  read: argument => {
    const [currency = '', places] = argument.split(/\s+(?=\S+$)/)
    const read = readCurrency(currency)
    if (places === undefined || 'wrong' in read) return read
    const { scale } = read
    if (/^\d+$/.test(places) && Number(places) > scale && Number(places) <= mostPlaces)
      return { currency, scale: Number(places) }
    const wrong = `an amount in ${currency} has ${scale === 0 ? 'no' : scale} decimals; more are written behind it, ${scale + 1} to ${mostPlaces}, like \`money ${currency} ${Math.max(scale + 1, 4)}\``
    return { wrong, at: [0, argument.length], ...(places === String(scale) && { suggestion: currency }) }
  },
  type: ({ currency = 'EUR', scale = 0 }) => ({
    kind: 'money',
    currency,
    ...(scale > currencyPlaces(currency) && { places: scale }),
  }),
  column: ({ scale = 2 }) => `numeric(${digits},${scale})`,
  check: (_, column) => sql`${column} <> 'NaN'`,
  parse: (text, parameters, locale) =>
    parseDecimal(withoutCurrency(text, parameters.currency ?? '', locale), locale, shapeOf(parameters)),
  rounded: (wire, parameters) => roundedTo(wire, shapeOf(parameters)),
  fromJson: (json, parameters) => decimalFromJson(json, shapeOf(parameters)),
  // What is worked out may have fewer digits than what is stored.
  toJson: (wire, { scale = 2 }) => (wire === null ? null : formatDecimal(decimalOf(String(wire))!, scale)),
  schema: ({ scale = 2 }) => ({
    type: 'string',
    format: 'decimal',
    pattern: `^-?[0-9]{1,${digits - scale}}${scale > 0 ? `(\\.[0-9]{1,${scale}})?` : ''}$`,
  }),
  input: (wire, { currency = 'EUR' }, locale) =>
    wire === null ? '' : shownNumber(formatDecimal(decimalOf(String(wire))!, currencyPlaces(currency)), locale),
  sample: (n, { scale = 2 }) => formatDecimal({ units: BigInt(n), scale: 0 }, scale),
  filters: ['at least', 'at most', 'is', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'money EUR',
      good: [
        { text: '(€1,012.50)', wire: '-1012.50' },
        { text: '13.50- €', wire: '-13.50' },
        { text: '-€12', wire: '-12.00' },
        { text: '0.5', wire: '0.50' },
        { text: '1,234.50', wire: '1234.50' },
        { text: '€ 2,400.00', wire: '2400.00' },
        { text: '5000 EUR', wire: '5000.00' },
        { text: '7’000.50', wire: '7000.50' },
        { text: '8 000.50', wire: '8000.50' },
        { text: '99999999999999999.99', wire: '99999999999999999.99' },
      ],
      bad: ['1.005', '100000000000000000', 'NaN', '5 USD', 'much'],
    },
    {
      type: 'money EUR 4',
      good: [
        { text: '0.0125', wire: '0.0125' },
        { text: '€ 1,234.5', wire: '1234.5000' },
      ],
      bad: ['1.00005', '1000000000000000'],
    },
    { type: 'money JPY', good: [{ text: '1,200', wire: '1200' }], bad: ['12.5'] },
    { type: 'money KWD', good: [{ text: '1.005', wire: '1.005' }], bad: ['1.0005'] },
  ],
}

function readCurrency(argument: string): { readonly currency: string; readonly scale: number } | WrongType {
  const known = Intl.supportedValuesOf('currency')
  if (argument === '')
    return { wrong: 'a currency is missing; write its three letters, like `money EUR`', suggestion: 'money EUR' }
  if (known.includes(argument)) return { currency: argument, scale: currencyPlaces(argument) }
  const upper = argument.toUpperCase()
  const signs: Readonly<Record<string, string>> = {
    '€': 'EUR',
    $: 'USD',
    '£': 'GBP',
    '¥': 'JPY',
    EURO: 'EUR',
    EUROS: 'EUR',
    DOLLAR: 'USD',
  }
  const suggestion = known.includes(upper) ? upper : signs[upper]
  const wrong = `\`${argument}\` is not a currency; write its three letters (ISO 4217)`
  return { wrong, at: [0, argument.length], ...(suggestion === undefined ? {} : { suggestion }) }
}

const symbols = new Map<string, readonly string[]>()

/** This currency, before or after the amount, may be written and is dropped; any other stays and is no number. A sign may stand around both. */
export function withoutCurrency(text: string, currency: string, locale: string): string {
  const [, before, amount, after] = /^\s*([-+\u2212(]?)\s*(.*?)\s*([-\u2212)]?)\s*$/su.exec(text)!
  return `${before}${amountOf(amount!, currency, locale)}${after}`
}

function amountOf(plain: string, currency: string, locale: string): string {
  const key = `${currency} ${locale}`
  let names = symbols.get(key)
  if (names === undefined) {
    const shown = (['symbol', 'narrowSymbol'] as const).map(
      currencyDisplay =>
        new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
          .formatToParts(1)
          .find(part => part.type === 'currency')!.value,
    )
    names = [currency, ...shown]
    symbols.set(key, names)
  }
  for (const name of names) {
    if (plain.startsWith(name)) return plain.slice(name.length).trim()
    if (plain.endsWith(name)) return plain.slice(0, -name.length).trim()
  }
  return plain
}
