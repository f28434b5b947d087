import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { listOf } from '../list-of/field.ts'
import { jsonKind } from '../texts.ts'
import { gathered, linked } from './links.ts'

/** Any number of records of another entity, each of which may be named by many. As a value: their ids in order, parted by spaces. */
export const several: FieldKind = {
  name: 'several',
  written: 'several Entity',
  meaning: 'Any number of records of another entity: `several Category`.',
  read: (argument, entities) =>
    argument === ''
      ? { wrong: 'an entity is missing; write it like `several Category`' }
      : listOf.read(argument, entities),
  type: ({ entity = '' }) => ({ kind: 'list', entity }),
  column: () => null,
  check: () => null,
  links: true,
  gathered,
  parse: text => read(text),
  fromJson(json) {
    if (typeof json === 'string') return read(json)
    if (Array.isArray(json) && json.length > 0 && json.every(id => typeof id === 'string')) return read(json.join(' '))
    return invalidValue('NF-JSON', { expected: 'an array of ids', found: jsonKind(json) })
  },
  toJson: wire => (wire === null ? null : linked(wire)),
  schema: () => ({ type: 'array', items: { type: 'string', format: 'uuid' }, uniqueItems: true }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: () => null,
  filters: ['contains', 'is empty'],
  sortable: false,
  entered: true,
  examples: [
    {
      type: 'several Category',
      good: [
        { text: '018f2b6e-7c1a-7000-8000-000000000001', wire: '018f2b6e-7c1a-7000-8000-000000000001' },
        {
          text: ' 018F2B6E-7C1A-7000-8000-000000000002  018f2b6e-7c1a-7000-8000-000000000001',
          wire: '018f2b6e-7c1a-7000-8000-000000000001 018f2b6e-7c1a-7000-8000-000000000002',
        },
      ],
      bad: ['Cameras', '018f2b6e-7c1a-7000-8000', '018f2b6e-7c1a-7000-8000-000000000001,x'],
    },
  ],
}

function read(text: string): Parsed {
  const ids = linked(gathered(undefined, text))
  const sound = ids.length > 0 && ids.every(id => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  return sound ? { value: ids.join(' ') } : invalidValue('NF-REFERENCE', {})
}
