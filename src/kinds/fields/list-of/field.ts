import { nearest } from '../../../document/nearest.ts'
import type { FieldKind } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'

/** Child rows: records of an entity that is `(part of …)` this one. They stand in the child's own table. */
export const listOf: FieldKind = {
  name: 'list of',
  written: 'list of Entity',
  meaning:
    'Rows that belong to the record and are saved with it: `list of Loan line`, where `### Loan line (part of Loan)` says its fields.',
  read: (argument, entities) => {
    if (argument === '') return { wrong: 'an entity is missing; write it like `list of Loan line`' }
    const entity = entities.get(argument)
    if (entity !== undefined) return { entity }
    const suggestion = nearest(argument, entities.keys())
    const wrong = `there is no entity named \`${argument}\``
    return { wrong, at: [0, argument.length], ...(suggestion === null ? {} : { suggestion }) }
  },
  type: ({ entity = '' }) => ({ kind: 'list', entity }),
  column: () => null,
  check: () => null,
  // Rows travel as records of their own, never as one value.
  parse: () => invalidValue('NF-LIST', {}),
  fromJson: () => invalidValue('NF-LIST', {}),
  toJson: wire => wire,
  schema: () => ({ type: 'array', items: { type: 'object' } }),
  input: () => '',
  sample: () => null,
  filters: [],
  sortable: false,
  entered: true,
  examples: [{ type: 'list of Category', good: [], bad: ['anything'] }],
}
