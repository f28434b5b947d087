import { readLength } from '../arguments.ts'
import { textCheck } from '../checks.ts'
import type { FieldKind } from '../field-kind.ts'
import { cleanLine, jsonText, sampleText } from '../texts.ts'

/** An index entry of PostgreSQL holds about 2,700 bytes, and a character up to four. */
const most = 500
const usual = 200

/** One line of text. */
export const text: FieldKind = {
  name: 'text',
  written: 'text [length]',
  meaning: `One line of text: at most ${usual} characters, or as many as the length says (up to ${most}).`,
  read: argument => readLength(argument, usual, most, 'for more, write `long text`'),
  type: () => ({ kind: 'text' }),
  column: () => 'text',
  check: ({ length = usual }, column) => textCheck(column, length),
  parse: (text, { length = usual }) => cleanLine(text, length),
  fromJson: (json, { length = usual }) => jsonText(json, 'a text', text => cleanLine(text, length)),
  toJson: wire => wire,
  schema: ({ length = usual }) => ({ type: 'string', minLength: 1, maxLength: length }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: (n, { length = usual }) => sampleText(n, length),
  filters: ['contains', 'starts with', 'is', 'is not', 'any of', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'text 12',
      good: [
        { text: '42', wire: '42' },
        { text: 'Ac\u00admé\u200b', wire: 'Acmé' },
        { text: '  camera ', wire: 'camera' },
        { text: 'E\u0301clair', wire: '\u00c9clair' },
        { text: 'Sony "A7" \\', wire: 'Sony "A7" \\' },
        { text: 'zebra 😀😀😀😀😀😀', wire: 'zebra 😀😀😀😀😀😀' },
      ],
      bad: ['thirteen long', 'tab\there', 'two\nlines', 'bell\u0007', '\ud800', 'nul\u0000'],
    },
    { type: 'text', good: [{ text: 'A', wire: 'A' }], bad: ['x'.repeat(201)] },
  ],
}
