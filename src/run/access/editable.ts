/** Which fields somebody may change on many records at once. */
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import type { Actor } from '../request.ts'
import { policyFor } from './policy.ts'
import { notSettable } from './settable.ts'

/** Fields of which people set the value themselves, and that these roles may change on some record. */
export function editable(app: App, actor: Actor, entity: string): readonly Field[] {
  const policy = policyFor(app, actor)
  if (policy.rows(entity, 'change', 't') === false) return []
  return (app.entities.get(entity)?.fields ?? []).filter(
    field =>
      notSettable(field, 'change', actor) === null &&
      field.type.kind !== 'file' &&
      field.type.kind !== 'list' &&
      policy.field(entity, field.key, 't') !== false &&
      policy.sets(entity, field.key, 'change', 't') !== false,
  )
}

/** Those of them that may be the same in several: what no two records share would be refused for all but one. */
export const editableAtOnce = (app: App, actor: Actor, entity: string): readonly Field[] =>
  editable(app, actor, entity).filter(
    ({ unique }) => unique === null || unique.within.length > 0 || unique.while !== null,
  )
