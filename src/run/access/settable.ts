/** Which fields people may set at all, whoever they are: the part of the answer that the document gives without a role. */
import type { Cell } from '../../document/source.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Actor } from '../request.ts'

/** Null: it may be set. Else the cell that says it may not. */
export function notSettable(field: Field, verb: 'create' | 'change', actor: Pick<Actor, 'system'>): Cell | null {
  if (field.computed !== null) return field.computed.cell
  if (!fieldKind(field.kind).entered) return field.typeCell
  if (field.assignedFrom !== null && actor.system !== 'seed') return field.assignedFrom.cell
  if (actor.system !== null) return null
  if (field.setBy !== null) return field.setBy.cell
  if (field.hidden !== null) return field.hidden
  if (field.copiedFrom !== null) return field.copiedFrom.cell
  if (field.readOnly !== null && (field.readOnly.after === 'always' || verb === 'change')) return field.readOnly.cell
  return null
}
