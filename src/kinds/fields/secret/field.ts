import { noArgument } from '../arguments.ts'
import { matches } from '../checks.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { cleanLine, jsonText } from '../texts.ts'

/** In characters; the same as a password of people. */
const [least, most] = [8, 256]

/** Written, and never read: what is stored is its hash (argon2id), which nothing gives back. */
export const secret: FieldKind = {
  name: 'secret',
  written: 'secret',
  meaning: `Text of ${least} to ${most} characters that is written and never read: only its hash is kept.`,
  read: argument => noArgument('secret', argument),
  type: () => ({ kind: 'secret' }),
  column: () => 'text',
  check: (_, column) =>
    matches(column, '^[$]argon2id[$]v=19[$]m=[0-9]+,t=[0-9]+,p=[0-9]+[$][A-Za-z0-9+/]+[$][A-Za-z0-9+/]+$'),
  parse: read,
  fromJson: json => jsonText(json, 'a text', read),
  toJson: () => null,
  schema: () => ({ type: 'string', minLength: least, maxLength: most, writeOnly: true }),
  input: () => '',
  sample: n => `secret ${n}`,
  filters: [],
  sortable: false,
  entered: true,
  sealed: true,
  examples: [
    {
      type: 'secret',
      good: [
        { text: ' correct horse ', wire: 'correct horse' },
        { text: '$argon2id$v=19', wire: '$argon2id$v=19' },
      ],
      bad: ['seven 7', 'x'.repeat(257), 'bell\u0007 and whistle', 'half of a pair \ud800'],
    },
  ],
}

function read(text: string): Parsed {
  const parsed = cleanLine(text, most)
  const length = 'value' in parsed && parsed.value !== null ? [...String(parsed.value)].length : least
  return length < least ? invalidValue('NF-SECRET', { min: least }) : parsed
}
