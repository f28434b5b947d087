/** A record as the application should hold it, by what was sent for it; and its rows, at whatever depth. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { startOf } from '../headings/4-states/ways.ts'
import type { App } from '../headings/app.ts'
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

/** The first row of a list of a record, or of a row. */
export interface FirstRow<Row> {
  /** The list of the record itself that it lies in. */
  readonly outermost: Field
  readonly list: Field
  readonly entity: Entity
  /** `tasks` in the first of `parts`: `parts`, `0`, `tasks`, `0`. */
  readonly path: readonly string[]
  readonly row: Row
  /** The record with another row in its place; `apart`: with these instead of the others beside it, and beside those that it lies in. */
  readonly put: (row: Row, apart?: (row: Row) => Row) => Row
  /** The record with another row right behind it. */
  readonly behind: (row: Row) => Row
}

/** The first row of each list, and in it those of its own. */
export function firstRows<Row extends Readonly<Record<string, unknown>>>(
  app: App,
  entity: Entity,
  record: Row,
): readonly FirstRow<Row>[] {
  return entity.fields.flatMap((list): readonly FirstRow<Row>[] => {
    const rows = record[list.key]
    const child = list.type.kind === 'list' ? app.entities.get(list.type.entity) : undefined
    if (child?.partOf !== entity.key || !Array.isArray(rows) || rows.length === 0) return []
    const [row, ...others] = rows as readonly Row[]
    const put = (is: Row, apart: (row: Row) => Row = same): Row => ({
      ...apart(record),
      [list.key]: [is, ...others.map(apart)],
    })
    const behind = (is: Row): Row => ({ ...record, [list.key]: [row!, is, ...others] })
    const own = { outermost: list, list, entity: child, path: [list.key, '0'], row: row!, put, behind }
    const inner = firstRows(app, child, row!).map(one => ({
      ...one,
      outermost: list,
      path: [...own.path, ...one.path],
      put: (is: Row, apart: (row: Row) => Row = same) => put(one.put(is, apart), apart),
      behind: (is: Row) => put(one.behind(is)),
    }))
    return [own, ...inner]
  })
}

const same = <Row>(row: Row): Row => row
