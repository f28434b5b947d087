import { sql } from '../../../expression/sql.ts'
import { all, matches } from '../checks.ts'
import { listed, readChoices } from '../choice/field.ts'
import type { FieldKind, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { namedIn } from '../several/links.ts'
import { asSeen, composed, jsonKind } from '../texts.ts'
import { chosen, joined } from './chosen.ts'

/** Any of a closed list. As a value: their names in the order of the list, parted by commas, which no name has in it. */
export const severalOf: FieldKind = {
  name: 'several of',
  written: 'several of: Name, Name, …',
  meaning: 'Any of the names listed: `several of: Bar, Pool, Sauna`.',
  read: readChoices,
  type: ({ choices = [] }, owner) => ({ kind: 'choices', of: owner, options: choices }),
  column: () => 'text',
  check: ({ choices = [] }, column) => {
    const each = choices.map(choice => `(, ${choice.replace(/[.*+?^${}()[\]\\]/g, '\\$&')})?`)
    return all([sql`${column} <> ''`, matches(sql`(', ' || ${column})`, `^${each.join('')}$`)])
  },
  gathered: (before, text) => joined([before ?? '', text]),
  parse: (text, { choices = [] }) =>
    read(
      namedIn(text).map(({ name }) => name),
      choices,
    ),
  fromJson(json, { choices = [] }) {
    if (typeof json === 'string') return read(chosen(json), choices)
    if (Array.isArray(json) && json.every(name => typeof name === 'string')) return read(json, choices)
    return invalidValue('NF-JSON', { expected: 'an array of names', found: jsonKind(json) })
  },
  toJson: wire => (wire === null ? null : chosen(wire)),
  schema: ({ choices = [] }) => ({
    type: 'array',
    items: { type: 'string', enum: [...choices] },
    uniqueItems: true,
  }),
  input: wire => (wire === null ? '' : String(wire)),
  sample: (n, { choices = [] }) => choices[(n - 1) % choices.length] ?? null,
  filters: ['contains', 'is empty'],
  sortable: false,
  entered: true,
  examples: [
    {
      type: 'several of: Bar, Pool (heated), Sauna',
      good: [
        { text: 'sauna, Bar', wire: 'Bar, Sauna' },
        { text: ' Pool (heated) ', wire: 'Pool (heated)' },
        { text: 'Sauna, Pool (heated), Bar, Sauna', wire: 'Bar, Pool (heated), Sauna' },
      ],
      bad: ['Gym', 'Bar; Sauna', 'Bar, Gym'],
    },
  ],
}

/** Those that are named, each once and in the order of the list. */
function read(names: readonly string[], choices: readonly string[]): Parsed {
  const folded = new Set(names.map(name => composed(asSeen(name)).toLowerCase()).filter(name => name !== ''))
  const found = choices.filter(choice => folded.has(choice.toLowerCase()))
  const isKnown = found.length > 0 && found.length === folded.size
  return isKnown ? { value: joined(found) } : invalidValue('NF-CHOICES', { choices: listed(choices) })
}
