import { noArgument } from '../arguments.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { jsonOf, jsonText } from './text.ts'

/** What another system said, kept as it is. As a value: its text, as PostgreSQL writes a `jsonb`, so that the same content is the same value. */
export const json: FieldKind = {
  name: 'json',
  written: 'json',
  meaning: 'What another system said, kept as it is. Only answers of calls and received messages write it.',
  read: argument => noArgument('json', argument),
  type: () => ({ kind: 'json' }),
  column: () => 'jsonb',
  check: () => null,
  parse(text) {
    try {
      return kept(jsonOf(text))
    } catch {
      return invalidValue('NF-JSON', { expected: 'JSON', found: 'another text' })
    }
  },
  fromJson: kept,
  toJson: wire => (typeof wire === 'string' ? jsonOf(wire) : null),
  schema: () => ({ description: 'Any JSON.' }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: n => String(n),
  filters: ['is empty'],
  sortable: false,
  entered: true,
  received: true,
  examples: [
    {
      type: 'json',
      good: [
        { text: '{"bb":[1.50, 1e-7,-0],"a":{}, "é":null}', wire: '{"a": {}, "bb": [1.5, 0.0000001, 0], "é": null}' },
        { text: ' [ ] ', wire: '[]' },
        { text: '1e22', wire: '10000000000000000000000' },
        {
          text: '[9007199254740993, 0.12345678901234567890, 1e309]',
          wire: `[9007199254740993, 0.1234567890123456789, 1${'0'.repeat(309)}]`,
        },
        { text: '"tab\\t \\u0000\\ud800 \\u007f"', wire: `"tab\\t \ufffd \u007f"` },
        { text: 'true', wire: 'true' },
      ],
      bad: ['{', "{'a': 1}", 'NaN', '', '{"a": 1,}', 'undefined', '01'],
    },
  ],
}

function kept(value: unknown): Parsed {
  const text = jsonText(value)
  return text === null ? invalidValue('NF-JSON', { expected: 'JSON', found: 'nothing' }) : { value: text }
}
