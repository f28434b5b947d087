import { noArgument } from '../arguments.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { asSeen, composed, jsonKind } from '../texts.ts'

const yes = new Set(['yes', 'true', 'on', '1', 'ja', 'oui', 'sí', 'sì'])
const no = new Set(['no', 'false', 'off', '0', 'nein', 'non', 'nee'])

/** True or false; empty where it is not required and has no default. */
export const yesNo: FieldKind = {
  name: 'yes/no',
  written: 'yes/no',
  meaning: 'Yes or no. With `default no` it is never empty.',
  read: argument => noArgument('yes/no', argument),
  type: () => ({ kind: 'yes/no' }),
  column: () => 'boolean',
  check: () => null,
  parse: text => read(text),
  fromJson: json =>
    typeof json === 'boolean'
      ? { value: json }
      : invalidValue('NF-JSON', { expected: 'true or false', found: jsonKind(json) }),
  toJson: wire => wire,
  schema: () => ({ type: 'boolean' }),
  input: wire => (wire === null ? '' : wire === true ? 'yes' : 'no'),
  sample: n => n % 2 === 1,
  filters: ['is', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'yes/no',
      good: [
        { text: 'No', wire: false },
        { text: 'yes', wire: true },
      ],
      bad: ['maybe', '2', 'yesno'],
    },
    {
      type: 'yes/no',
      good: [
        { text: 'nein', wire: false },
        { text: 'on', wire: true },
      ],
      bad: [''],
    },
  ],
}

function read(text: string): Parsed {
  const word = composed(asSeen(text)).toLowerCase()
  if (yes.has(word)) return { value: true }
  return no.has(word) ? { value: false } : invalidValue('NF-YES-NO', {})
}
