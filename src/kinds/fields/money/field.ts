import { parseDecimal as decimalOf, formatDecimal } from '../../../expression/decimal.ts'
import { sql } from '../../../expression/sql.ts'
import type { FieldKind, FieldParameters } from '../field-kind.ts'
import { decimalFromJson, type NumberShape, parseDecimal, shownNumber } from '../numbers.ts'

const digits = 19
const shapeOf = ({ scale = 2 }: FieldParameters): NumberShape => ({ scale, whole: digits - scale, padded: true })

/** An amount of one currency, with as many decimals as the currency has (ISO 4217, from `Intl`). */
export const money: FieldKind = {
  name: 'money',
  written: 'money CUR',
  meaning:
    'An amount of one currency, named by its three-letter code: `money EUR`. It has as many decimals as the currency.',
  read: argument => {
    const known = Intl.supportedValuesOf('currency')
    if (argument === '')
      return { wrong: 'a currency is missing; write its three letters, like `money EUR`', suggestion: 'money EUR' }
    if (known.includes(argument)) return { currency: argument, scale: minorDigits(argument) }
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
  },
  type: ({ currency = 'EUR' }) => ({ kind: 'money', currency }),
  column: ({ scale = 2 }) => `numeric(${digits},${scale})`,
  check: (_, column) => sql`${column} <> 'NaN'`,
  parse: (text, parameters, locale) =>
    parseDecimal(withoutCurrency(text, parameters.currency ?? '', locale), locale, shapeOf(parameters)),
  fromJson: (json, parameters) => decimalFromJson(json, shapeOf(parameters)),
  // What is worked out may have fewer digits than what is stored.
  toJson: (wire, { scale = 2 }) => (wire === null ? null : formatDecimal(decimalOf(String(wire))!, scale)),
  schema: ({ scale = 2 }) => ({
    type: 'string',
    format: 'decimal',
    pattern: `^-?[0-9]{1,${digits - scale}}${scale > 0 ? `(\\.[0-9]{1,${scale}})?` : ''}$`,
  }),
  input: (wire, _, locale) => (wire === null ? '' : shownNumber(String(wire), locale)),
  filters: ['at least', 'at most', 'is', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'money EUR',
      good: [
        { text: '-12', wire: '-12.00' },
        { text: '0.5', wire: '0.50' },
        { text: '1,234.50', wire: '1234.50' },
        { text: '€ 2,400.00', wire: '2400.00' },
        { text: '5000 EUR', wire: '5000.00' },
        { text: '99999999999999999.99', wire: '99999999999999999.99' },
      ],
      bad: ['1.005', '100000000000000000', 'NaN', '5 USD', 'much'],
    },
    { type: 'money JPY', good: [{ text: '1,200', wire: '1200' }], bad: ['12.5'] },
    { type: 'money KWD', good: [{ text: '1.005', wire: '1.005' }], bad: ['1.0005'] },
  ],
}

function minorDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

const symbols = new Map<string, readonly string[]>()

/** This currency, before or after the amount, may be written and is dropped; any other stays and is no number. */
export function withoutCurrency(text: string, currency: string, locale: string): string {
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
  const plain = text.trim()
  for (const name of names) {
    if (plain.startsWith(name)) return plain.slice(name.length).trim()
    if (plain.endsWith(name)) return plain.slice(0, -name.length).trim()
  }
  return plain
}
