/** A record as the application should hold it, by what was sent for it. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import { startOf } from '../headings/4-states/ways.ts'
import type { Site } from './client.ts'
import type { Values } from './drafts.ts'
import { worth } from './judge.ts'
import { rowOf } from './stage.ts'
import type { World } from './world.ts'

/** What was sent as the application would hold it: with its defaults, in its first state, by this person. */
export const rowAs = (site: Site, world: World, entity: Entity, values: Values): RecordValue =>
  filledIn(site, world, entity, rowOf(site, entity, values))

export function filledIn(site: Site, world: World, entity: Entity, sent: RecordValue): RecordValue {
  const { actor } = world
  const row: Record<string, RecordValue[string]> = { id: 'new', created_by: actor.id, changed_by: actor.id, ...sent }
  const workflow = site.app.workflows.get(entity.key)
  if (workflow !== undefined) row.state = startOf(workflow)
  // It belongs to whom whoever makes it belongs to.
  const { tenant } = world.told
  if (tenant !== null && entity.fields.some(({ key }) => key === tenant)) row[tenant] = actor.tenant
  for (const field of entity.fields) {
    // No rows were sent: it has none.
    if (field.type.kind === 'list') row[field.key] ??= []
    if (field.key in row || field.computed !== null) continue
    const given = field.default === null ? null : worth(field.default, world.environment(entity.key, { ...row }))
    if (given === null || given === NOT_LOADED || typeof given !== 'object')
      row[field.key] = given === NOT_LOADED ? null : given
  }
  const begun = workflow?.starts.find(
    ({ when }) => when !== null && worth(when, world.environment(entity.key, row)) === true,
  )
  if (begun !== undefined) row.state = begun.state
  return row
}
