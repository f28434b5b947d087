import { formatDecimal } from '../../../expression/decimal.ts'
import { raw, sql } from '../../../expression/sql.ts'
import { all } from '../checks.ts'
import type { FieldKind, FieldParameters } from '../field-kind.ts'
import { decimalFromJson, type NumberShape, parseDecimal, roundedTo, shownNumber } from '../numbers.ts'

/** As many decimals as a division gives, see the laws of expressions. */
const usualScale = 10
const usualWhole = 18
const most = 38

function shapeOf({ precision, scale }: FieldParameters): NumberShape {
  if (precision === undefined || scale === undefined) return { scale: usualScale, whole: usualWhole, padded: false }
  return { scale, whole: precision - scale, padded: true }
}

/** An exact decimal number. */
export const decimal: FieldKind = {
  name: 'decimal',
  written: 'decimal [digits.decimals]',
  meaning:
    'An exact decimal number. `decimal 8.2` has at most 8 digits, 2 of them after the point; without that at most 18 before and 10 after it.',
  read: argument => {
    if (argument === '') return {}
    const parts = /^(\d{1,3})\s*[.,]\s*(\d{1,3})$/.exec(argument)
    const [precision, scale] = [Number(parts?.[1]), Number(parts?.[2])]
    if (!parts)
      return { wrong: 'write digits in all and digits after the point, like `decimal 8.2`', at: [0, argument.length] }
    if (precision < 1 || precision > most || scale >= precision)
      return {
        wrong: `a decimal has 1 to ${most} digits, and fewer after the point than in all`,
        at: [0, argument.length],
      }
    return { precision, scale }
  },
  type: () => ({ kind: 'decimal' }),
  column: ({ precision, scale }) => (precision === undefined ? 'numeric' : `numeric(${precision},${scale})`),
  // PostgreSQL's numeric also holds NaN, and without a scale infinity.
  check: ({ precision }, column) =>
    precision === undefined
      ? all([
          sql`scale(trim_scale(${column})) <= ${raw(String(usualScale))}`,
          sql`abs(${column}) < ${raw(`1${'0'.repeat(usualWhole)}`)}`,
        ])
      : sql`${column} <> 'NaN'`,
  parse: (text, parameters, locale) => parseDecimal(text, locale, shapeOf(parameters)),
  rounded: (wire, parameters) => roundedTo(wire, shapeOf(parameters)),
  fromJson: (json, parameters) => decimalFromJson(json, shapeOf(parameters)),
  toJson: wire => wire,
  schema: parameters => {
    const { scale, whole } = shapeOf(parameters)
    return {
      type: 'string',
      format: 'decimal',
      pattern: `^-?[0-9]{1,${whole}}${scale > 0 ? `(\\.[0-9]{1,${scale}})?` : ''}$`,
    }
  },
  input: (wire, _, locale) => (wire === null ? '' : shownNumber(String(wire), locale)),
  sample: (n, { precision, scale = 0 }) =>
    precision === undefined ? String(n) : formatDecimal({ units: BigInt(n) % 10n ** BigInt(precision), scale }, scale),
  filters: ['is', 'at least', 'at most', 'is not', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'decimal 8.3',
      good: [
        { text: '-99999.999', wire: '-99999.999' },
        { text: '-.5', wire: '-0.500' },
        { text: '0', wire: '0.000' },
        { text: '1.234', wire: '1.234' },
        { text: '1,234.5', wire: '1234.500' },
      ],
      bad: ['100000', '1.2345', 'NaN', 'Infinity', '1e2', '1,23', '12.', ''],
    },
    {
      type: 'decimal',
      good: [
        { text: '0.3333333333', wire: '0.3333333333' },
        { text: '1.50', wire: '1.5' },
        { text: '999999999999999999', wire: '999999999999999999' },
      ],
      bad: ['1000000000000000000', '0.12345678901', 'NaN', '-Infinity'],
    },
  ],
}
