import { sql } from '../../../expression/sql.ts'
import { noArgument } from '../arguments.ts'
import { parseDate, readIsoDate } from '../dates.ts'
import type { FieldKind } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { jsonText } from '../texts.ts'

const example = '2026-03-28'

/** A day of the calendar, without a time zone. */
export const date: FieldKind = {
  name: 'date',
  written: 'date',
  meaning: 'A day: 2026-03-28. People may also write it as in their language, where that has one reading only.',
  read: argument => noArgument('date', argument, '; for a moment, write `date and time`'),
  type: () => ({ kind: 'date' }),
  column: () => 'date',
  // PostgreSQL's dates also hold infinity and years before Christ.
  check: (_, column) => sql`${column} between '0001-01-01' and '9999-12-31'`,
  parse: (text, _, locale) => parseDate(text, locale),
  fromJson: json =>
    jsonText(json, 'a date as a text', text => {
      const value = readIsoDate(text)
      if (value !== null) return { value }
      const isForm = /^\d{4}-\d\d-\d\d$/.test(text)
      return isForm ? invalidValue('NF-NO-SUCH-DATE', { text, example }) : invalidValue('NF-DATE', { example })
    }),
  toJson: wire => wire,
  schema: () => ({ type: 'string', format: 'date' }),
  // The browser's own control for dates knows only the canonical form, whatever the language.
  input: wire => (wire === null ? '' : String(wire)),
  sample: n => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10),
  filters: ['is', 'before', 'after', 'at least', 'at most', 'within', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'date',
      good: [
        { text: '0001-01-01', wire: '0001-01-01' },
        { text: '2024-02-29', wire: '2024-02-29' },
        { text: '28.3.2026', wire: '2026-03-28' },
        { text: '29 March 2026', wire: '2026-03-29' },
        { text: '30/03/2026', wire: '2026-03-30' },
        { text: '31-Mar-2026', wire: '2026-03-31' },
        { text: '20260401', wire: '2026-04-01' },
        { text: '9999-12-31', wire: '9999-12-31' },
      ],
      bad: [
        '2026-02-29',
        '2026-13-01',
        '2026-00-10',
        '03/04/2026',
        '28.3.26',
        '28-Mar-26',
        '20260230',
        '01022026',
        'infinity',
        '0000-01-01',
        '10000-01-01',
        'tomorrow',
        '2026-03-28T00:00:00Z',
      ],
    },
  ],
}
