/** Records that are archived: where that is written, and which expressions speak of it. */
import type { Path } from './checked.ts'
import type { Schema } from './type.ts'

/** When a record was archived; empty while it is not. */
export const archivedAt = 'archived_at'

/** From a record to where it is written that it is archived: with rows, in what they are part of. Null: it never is. */
export function archivedPath(schema: Schema, entity: string): Path | null {
  const shape = schema.get(entity)!
  const step = { entity, computed: false } as const
  if (shape.archives) return { base: 'own', steps: [{ ...step, field: archivedAt, to: null, parent: false }] }
  const above = shape.parent === undefined ? null : archivedPath(schema, shape.parent)
  if (above === null) return null
  const up = { ...step, field: shape.parent!, to: shape.parent!, parent: true }
  return { base: 'own', steps: [up, ...above.steps] }
}

/** Whether a path of the record itself is that one: whoever names it wants archived records too. */
export const isArchivedOf = (path: Path, archived: Path): boolean =>
  path.base === 'own' &&
  path.steps.length === archived.steps.length &&
  path.steps.every(
    ({ entity, field }, at) => entity === archived.steps[at]!.entity && field === archived.steps[at]!.field,
  )
