import { sql } from '../../../expression/sql.ts'
import { all, matches } from '../checks.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { asSeen, jsonText } from '../texts.ts'
import { picturePattern, readPicture } from './picture.ts'

const most = 60

/** A number that the application gives when a record is created, and never again. */
export const autoNumber: FieldKind = {
  name: 'auto number',
  written: 'auto number PICTURE',
  meaning: 'A number that every new record gets: `auto number LN-{yyyy}-{00000}` gives LN-2026-00001.',
  read: argument => {
    if (argument === '') return { wrong: 'a picture is missing; write one like `auto number LN-{yyyy}-{00000}`' }
    if (argument.length > most) return { wrong: `a picture has at most ${most} characters`, at: [0, argument.length] }
    const parts = readPicture(argument)
    return 'wrong' in parts ? parts : { picture: argument }
  },
  type: () => ({ kind: 'text' }),
  column: () => 'text',
  check: ({ picture = '{0}' }, column) =>
    all([sql`char_length(${column}) <= 80`, matches(column, picturePattern(picture))]),
  parse: (text, { picture = '{0}' }) => read(text, picture),
  fromJson: (json, { picture = '{0}' }) => jsonText(json, 'a number as a text', text => read(text, picture)),
  toJson: wire => wire,
  schema: ({ picture = '{0}' }) => ({ type: 'string', pattern: picturePattern(picture), readOnly: true }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: () => null,
  filters: ['is', 'starts with', 'contains', 'any of'],
  sortable: true,
  entered: false,
  examples: [
    {
      type: 'auto number LN-{yyyy}-{00000}',
      good: [
        { text: 'LN-2026-00001', wire: 'LN-2026-00001' },
        { text: ' LN-2026-123456 ', wire: 'LN-2026-123456' },
      ],
      bad: ['LN-26-00001', 'LN-2026-0001', 'XX-2026-00001', 'LN_2026_00001'],
    },
    { type: 'auto number {000}', good: [{ text: '001', wire: '001' }], bad: ['01', 'a01'] },
  ],
}

function read(text: string, picture: string): Parsed {
  const value = asSeen(text)
  const fits = value.length <= 80 && new RegExp(picturePattern(picture), 'u').test(value)
  return fits ? { value } : invalidValue('NF-NUMBER', { example: picture.replace(/[{}]/g, '') })
}
