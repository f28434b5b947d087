import { sql } from '../../../expression/sql.ts'
import { noArgument } from '../arguments.ts'
import { localMoment, parseMoment, readInstant } from '../dates.ts'
import type { FieldKind } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { jsonText } from '../texts.ts'

/** An instant, stored in UTC to the millisecond, shown and entered in the time zone of the application. */
export const dateAndTime: FieldKind = {
  name: 'date and time',
  written: 'date and time',
  meaning: 'A moment, entered and shown in the time zone of the application and stored in UTC.',
  read: argument => noArgument('date and time', argument),
  type: () => ({ kind: 'moment' }),
  column: () => 'timestamptz(3)',
  check: (_, column) => sql`${column} between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999+00'`,
  parse: (text, _, locale, zone) => parseMoment(text, locale, zone),
  fromJson: json =>
    jsonText(json, 'a date and time as a text', text => {
      const value = readInstant(text)
      return value === null ? invalidValue('NF-MOMENT', { example: '2026-03-28T09:30:00Z' }) : { value }
    }),
  toJson: wire => wire,
  schema: () => ({ type: 'string', format: 'date-time' }),
  input: (wire, _, _locale, zone) => {
    if (wire === null) return ''
    return zone === undefined ? String(wire) : localMoment(String(wire), zone)
  },
  sample: n => new Date(Date.UTC(2026, 0, n, 12)).toISOString(),
  filters: ['before', 'after', 'at least', 'at most', 'within', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'date and time',
      good: [
        { text: '0001-01-01T00:00:00Z', wire: '0001-01-01T00:00:00.000Z' },
        { text: '2026-03-28T09:30', wire: '2026-03-28T09:30:00.000Z' },
        { text: '2026-03-28T11:31:00+01:00', wire: '2026-03-28T10:31:00.000Z' },
        { text: '28 March 2026, 2:05 pm', wire: '2026-03-28T14:05:00.000Z' },
        { text: '2026-10-25T01:30:00.250Z', wire: '2026-10-25T01:30:00.250Z' },
        { text: '2026-11-22T10:00Z', wire: '2026-11-22T10:00:00.000Z' },
        { text: '2026-11-22T10:00-05', wire: '2026-11-22T15:00:00.000Z' },
        { text: '9999-12-31T23:59:59.999Z', wire: '9999-12-31T23:59:59.999Z' },
      ],
      bad: [
        '2026-03-28',
        '2026-03-28T24:00',
        '2026-03-28T10Z',
        '2026-02-30T10:00',
        '10:00',
        'infinity',
        '2026-03-28T09:30:00+25:00',
        '9999-12-31T23:59:59-05:00',
      ],
    },
  ],
}
