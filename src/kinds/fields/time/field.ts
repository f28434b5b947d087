import { sql } from '../../../expression/sql.ts'
import { noArgument } from '../arguments.ts'
import { all } from '../checks.ts'
import { parseTime } from '../dates.ts'
import type { FieldKind } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { jsonText } from '../texts.ts'

/** A time of day, to the minute. */
export const time: FieldKind = {
  name: 'time',
  written: 'time',
  meaning: 'A time of day, to the minute: 09:30.',
  read: argument => noArgument('time', argument),
  type: () => ({ kind: 'time' }),
  column: () => 'time',
  check: (_, column) => all([sql`${column} < '24:00'`, sql`date_part('second', ${column}) = 0`]),
  parse: text => parseTime(text),
  fromJson: json =>
    jsonText(json, 'a time as a text', text =>
      /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? { value: text } : invalidValue('NF-TIME', { example: '09:30' }),
    ),
  toJson: wire => wire,
  schema: () => ({ type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: n => new Date((n % 1440) * 60_000).toISOString().slice(11, 16),
  filters: ['is', 'before', 'after', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'time',
      good: [
        { text: '12:00 am', wire: '00:00' },
        { text: '9:30', wire: '09:30' },
        { text: '14.05', wire: '14:05' },
        { text: '11:59 p.m.', wire: '23:59' },
      ],
      bad: ['24:00', '9', '9:60', '13:00 pm', '09:30:15', 'noon'],
    },
  ],
}
