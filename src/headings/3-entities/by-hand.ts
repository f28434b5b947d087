/** `- **Order:** by hand`: people say where its records stand among each other. */
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { SortKey } from '../2-screens/model.ts'
import type { Context } from '../context.ts'
import { entityCodes } from './codes.ts'
import type { EntityDraft } from './declare.ts'
import type { Entity } from './model.ts'
import type { TypedEntity } from './shape.ts'

/** Where a record stands; of a row its place in its list, from 1; empty: it was not moved yet, and stands behind those that were, the newest last. */
export const placeField = 'position'

const says = (order: Cell | null): order is Cell => order !== null && /^by hand$/i.test(order.text)

/** Its records have a place. Rows have theirs in their record. */
export const isByHand = ({ order, partOf }: Pick<EntityDraft, 'order' | 'partOf'>): boolean =>
  says(order) && partOf === null

/** Null: its order is not by hand. */
export function readByHand(context: Context, { draft }: Pick<TypedEntity, 'draft'>): readonly SortKey[] | null {
  const { order } = draft
  if (!says(order)) return null
  const why =
    draft.table !== null
      ? 'its records lie in the table of another application, which has no column for it'
      : draft.appendOnly !== null
        ? 'its records stay as they were added'
        : null
  if (why === null) return [{ field: placeField, descending: false, cell: order }]
  reporter(entityCodes, 3, context.found).report('N1361', order, { why })
  return []
}

/** The same of what was read: its table has a column for the place. */
export const hasPlace = ({ fields, shape, partOf }: Pick<Entity, 'fields' | 'shape' | 'partOf'>): boolean =>
  partOf === null && shape.fields.has(placeField) && fields.every(({ key }) => key !== placeField)
