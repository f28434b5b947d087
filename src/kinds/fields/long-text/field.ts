import { readLength } from '../arguments.ts'
import { textCheck } from '../checks.ts'
import type { FieldKind } from '../field-kind.ts'
import { cleanLines, jsonText, sampleText } from '../texts.ts'

const most = 100_000
const usual = 10_000

/** Text of several lines. */
export const longText: FieldKind = {
  name: 'long text',
  written: 'long text [length]',
  meaning: 'Text of several lines: at most 10,000 characters, or as many as the length says (up to 100,000).',
  read: argument => readLength(argument, usual, most, 'longer texts belong into a file'),
  type: () => ({ kind: 'text' }),
  column: () => 'text',
  check: ({ length = usual }, column) => textCheck(column, length, 'tab and new line'),
  parse: (text, { length = usual }) => cleanLines(text, length),
  fromJson: (json, { length = usual }) => jsonText(json, 'a text', text => cleanLines(text, length)),
  toJson: wire => wire,
  schema: ({ length = usual }) => ({ type: 'string', minLength: 1, maxLength: length }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: (n, { length = usual }) => sampleText(n, length),
  filters: ['contains', 'is empty'],
  sortable: false,
  entered: true,
  examples: [
    {
      type: 'long text 20',
      good: [
        { text: ' one\r\ntwo\rthree ', wire: 'one\ntwo\nthree' },
        { text: 'a\tb', wire: 'a\tb' },
      ],
      bad: ['x'.repeat(21), 'form\u000cfeed', 'nul\u0000', '\udc00'],
    },
  ],
}
