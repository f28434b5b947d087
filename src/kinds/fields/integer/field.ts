import { noArgument } from '../arguments.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { decimalFromJson, type NumberShape, parseDecimal } from '../numbers.ts'

const shape: NumberShape = { scale: 0, whole: 19, padded: false }
const min = '-9223372036854775808'
const max = '9223372036854775807'

/** A whole number; the range is the one of PostgreSQL's `bigint`. */
export const integer: FieldKind = {
  name: 'integer',
  written: 'integer',
  meaning: 'A whole number.',
  read: argument => noArgument('integer', argument, '; a range is written as rules: `min 0; max 10`'),
  type: () => ({ kind: 'integer' }),
  column: () => 'bigint',
  check: () => null,
  parse: (text, _, locale) => inRange(parseDecimal(text, locale, shape)),
  fromJson: json => inRange(decimalFromJson(json, shape)),
  // A JSON number where every reader of JSON keeps it exact; a text beyond that.
  toJson: wire => (wire !== null && Number.isSafeInteger(Number(wire)) ? Number(wire) : wire),
  schema: () => ({
    anyOf: [
      { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^-?[0-9]{1,19}$' },
    ],
  }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: n => String(n),
  filters: ['is', 'at least', 'at most', 'is not', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'integer',
      good: [
        { text: min, wire: min },
        { text: '-5', wire: '-5' },
        { text: '-0', wire: '0' },
        { text: '007', wire: '7' },
        { text: '1,234', wire: '1234' },
        { text: max, wire: max },
      ],
      bad: ['9223372036854775808', '-9223372036854775809', '1.5', 'seven', '1e3', '0x10', '', '--1'],
    },
  ],
}

function inRange(parsed: Parsed): Parsed {
  if ('invalid' in parsed) return parsed.invalid.code === 'NF-RANGE' ? invalidValue('NF-RANGE', { min, max }) : parsed
  const number = BigInt(parsed.value as string)
  return number < BigInt(min) || number > BigInt(max) ? invalidValue('NF-RANGE', { min, max }) : parsed
}
