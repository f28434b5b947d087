import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { asSeen, jsonText } from '../texts.ts'

/** A record of another entity, held by its id. */
export const reference: FieldKind = {
  name: 'reference',
  written: 'Entity',
  meaning: 'A record of another entity, written as its name: `Person`, `Category`.',
  read: (argument, entities) => {
    const entity = entities.get(argument)
    return entity === undefined
      ? { wrong: `there is no entity named \`${argument}\``, at: [0, argument.length] }
      : { entity }
  },
  type: ({ entity = '' }) => ({ kind: 'reference', entity }),
  column: () => 'uuid',
  check: () => null,
  parse: text => read(text),
  fromJson: json => jsonText(json, 'the id of a record as a text', read),
  toJson: wire => wire,
  schema: () => ({ type: 'string', format: 'uuid' }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: () => null,
  filters: ['is', 'is not', 'any of', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'Category',
      good: [
        { text: '018f2b6e-7c1a-7000-8000-000000000001', wire: '018f2b6e-7c1a-7000-8000-000000000001' },
        { text: ' 018F2B6E-7C1A-7000-8000-00000000000A ', wire: '018f2b6e-7c1a-7000-8000-00000000000a' },
      ],
      bad: ['Cameras', '018f2b6e-7c1a-7000-8000', '018f2b6e-7c1a-7000-8000-00000000000g', '1'],
    },
  ],
}

function read(text: string): Parsed {
  const value = asSeen(text).toLowerCase()
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? { value } : invalidValue('NF-REFERENCE', {})
}
