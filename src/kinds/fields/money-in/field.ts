import { codeIn, currencyPlaces, mostPlaces, withoutCode } from '../../../expression/currency.ts'
import { parseDecimal as decimalOf, formatDecimal } from '../../../expression/decimal.ts'
import { sql } from '../../../expression/sql.ts'
import type { Wire } from '../../../expression/type.ts'
import type { FieldKind } from '../field-kind.ts'
import { decimalFromJson, type NumberShape, parseDecimal, roundedTo, shownNumber } from '../numbers.ts'

const digits = 19
const shape: NumberShape = { scale: mostPlaces, whole: digits - mostPlaces, padded: true }

/** With the decimals of the currency behind it, as far as one is there. */
function written(wire: Wire): string {
  const code = codeIn(wire)
  return formatDecimal(decimalOf(withoutCode(String(wire)))!, code === null ? 0 : currencyPlaces(code))
}

/** An amount in the currency that another field says, which decides how many decimals it has. */
export const moneyIn: FieldKind = {
  name: 'money in',
  written: 'money in field',
  meaning:
    'An amount in the currency that another field says, a choice of currencies: `money in currency`, or `money in order.currency` in a row.',
  read: argument =>
    /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,2}$/.test(argument)
      ? { currency: argument }
      : {
          wrong:
            'write the field that says the currency, like `money in currency`, or the currency itself, like `money EUR`',
          at: [0, argument.length],
        },
  type: ({ currency = '' }) => ({ kind: 'money', currency: { of: currency } }),
  column: () => `numeric(${digits},${mostPlaces})`,
  check: (_, column) => sql`${column} <> 'NaN'`,
  parse: (text, _, locale) => parseDecimal(text, locale, shape),
  rounded: wire => roundedTo(wire, shape),
  fromJson: json => decimalFromJson(json, shape),
  toJson: wire => (wire === null ? null : written(wire)),
  schema: () => ({
    type: 'string',
    format: 'decimal',
    pattern: `^-?[0-9]{1,${digits - mostPlaces}}(\\.[0-9]{1,${mostPlaces}})?$`,
  }),
  input: (wire, _, locale) => (wire === null ? '' : shownNumber(written(wire), locale)),
  sample: n => formatDecimal({ units: BigInt(n), scale: 0 }, mostPlaces),
  // Amounts in several currencies have no order among each other.
  filters: ['is empty'],
  sortable: false,
  entered: true,
  examples: [
    {
      type: 'money in currency',
      good: [
        { text: '-12.5', wire: '-12.5000' },
        { text: '0.0125', wire: '0.0125' },
        { text: '1,234.50', wire: '1234.5000' },
        { text: '999999999999999', wire: '999999999999999.0000' },
      ],
      bad: ['1.00005', '1000000000000000', 'NaN', '5 USD', 'much'],
    },
    { type: 'money in order.currency', good: [{ text: '0.50', wire: '0.5000' }], bad: [] },
  ],
}
