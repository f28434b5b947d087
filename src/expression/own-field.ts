import type { Checked } from './checked.ts'
import type { Type } from './type.ts'

/** A field of the record itself. */
export const ownField = (entity: string, field: string, type: Type, computed = false): Checked => ({
  op: 'field',
  path: { base: 'own', steps: [{ entity, field, to: null, parent: false, computed }] },
  type,
  optional: true,
})
