/**
 * The field by which a record is put under another one of its kind: a trigger refuses what would be above itself. It climbs under a lock, so that of two who move records at the same moment the second sees what the first one did.
 */
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { quoted, shortName } from './names.ts'
import type { Constraint } from './physical.ts'

/** What whoever moves a record of the tree locks, as a text. */
export const treeKey = (entity: string, field: string): string => JSON.stringify([entity, field])

export function treeConstraint(app: App, { key }: Entity, field: Field): readonly Constraint[] {
  const tree = app.trees.get(key)
  if (tree?.field !== field.key) return []
  const holds = { rule: 'circle', entity: key, field: field.key, name: null, cell: tree.cell } as const
  return [{ kind: 'tree', name: shortName(key, field.key, 'tree'), column: field.key, holds }]
}

/** The records that are above themselves, as something to select from. */
export const circlesSql = (records: string, column: string): string =>
  `(with recursive one as (select id, ${quoted(column)} as above from ${records} where ${quoted(column)} is not null),
    climb as (select id, above from one union select climb.id, one.above from climb join one on one.id = climb.above)
    select id from climb where above = id) as circle`
