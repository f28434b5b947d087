import { sql } from '../../../expression/sql.ts'
import { noArgument } from '../arguments.ts'
import { all, matches } from '../checks.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { asSeen, jsonText } from '../texts.ts'

const most = 40
const shape = '^[+]?[0-9(][0-9 ()/.-]*[0-9)]$'
const regexp = new RegExp(shape, 'u')

/** A phone number as people write it; only spaces and hyphens are made uniform. */
export const phone: FieldKind = {
  name: 'phone',
  written: 'phone',
  meaning: 'A phone number of 3 to 15 digits: +49 30 1234-56.',
  read: argument => noArgument('phone', argument),
  type: () => ({ kind: 'text' }),
  column: () => 'text',
  check: (_, column) =>
    all([
      sql`char_length(${column}) <= 40`,
      matches(column, shape),
      sql`${column} collate "C" !~ '[ ]{2}'`,
      sql`char_length(translate(${column}, '+ ()/.-', '')) between 3 and 15`,
    ]),
  parse: text => read(text),
  fromJson: json => jsonText(json, 'a phone number as a text', read),
  toJson: wire => wire,
  schema: () => ({ type: 'string', maxLength: most, pattern: shape }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: n => `+44 20 7946 ${String(n).padStart(4, '0')}`,
  filters: ['contains', 'starts with', 'is', 'is empty'],
  sortable: false,
  entered: true,
  examples: [
    {
      type: 'phone',
      good: [
        { text: '+49  30 1234\u201156', wire: '+49 30 1234-56' },
        { text: '(030) 123.456', wire: '(030) 123.456' },
        { text: '\u202a+49 170 1234567\u202c', wire: '+49 170 1234567' },
        { text: '110', wire: '110' },
      ],
      bad: ['12', '+', 'call me', '1234567890123456', '++49 30', '030\u0000123', '12-'],
    },
  ],
}

function read(text: string): Parsed {
  const value = asSeen(text)
    .replace(/[ \u00a0\u2007\u2009\u202f]+/g, ' ')
    .replace(/[\u2010-\u2013]/g, '-')
  const digits = value.replace(/[^0-9]/g, '').length
  const fits = value.length <= most && regexp.test(value) && digits >= 3 && digits <= 15
  return fits ? { value } : invalidValue('NF-PHONE', { example: '+49 30 1234-56' })
}
