import type { FieldKind } from '../field-kind.ts'
import { listOf } from '../list-of/field.ts'

/** Any number of records of another entity, each of which may be named by many. */
export const several: FieldKind = {
  ...listOf,
  name: 'several',
  written: 'several Entity',
  meaning: 'Any number of records of another entity: `several Category`.',
  read: (argument, entities) =>
    argument === ''
      ? { wrong: 'an entity is missing; write it like `several Category`' }
      : listOf.read(argument, entities),
  schema: () => ({ type: 'array', items: { type: 'string', format: 'uuid' } }),
  planned: 'until then, make the link an entity of its own, `(part of …)` this one',
  examples: [{ type: 'several Category', good: [], bad: ['anything'] }],
}
