/** Archived records: which rows they are, and whether somebody asks for them. */
import { archivedAt, archivedPath, isArchivedOf } from '../../expression/archived.ts'
import { pathsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import { sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Actor } from '../request.ts'
import type { Condition } from './condition.ts'

/** What the history says was done, where that is no verb of heading 6. */
export const archiving = ' archive'
export const bringingBack = ' restore'

/** Whether what is deleted of an entity is archived; its rows are, with it. */
export const archives = (app: App, entity: string): boolean => app.entities.get(entity)!.archives !== null

export const isArchived = (record: RecordValue): boolean => (record[archivedAt] ?? null) !== null

/** The rows of `alias` that are archived themselves. */
export const archivedSql = (alias: string) => sql`${columnSql(alias, archivedAt)} is not null`

/** The rows of `alias` that are not archived, with rows what they are part of. */
export function live(app: App, entity: string, alias: string): Condition {
  if (archives(app, entity)) return sql`${columnSql(alias, archivedAt)} is null`
  const parent = app.entities.get(entity)!.partOf
  if (parent === null) return true
  const above = `${alias}_above`
  const inner = live(app, parent, above)
  if (typeof inner === 'boolean') return inner
  const isParent = sql`${columnSql(above, 'id')} = ${columnSql(alias, app.schema.get(entity)!.parent!)}`
  return sql`exists (select from ${fromSql(parent, above)} where ${isParent} and ${inner})`
}

/** The same, unless a condition over the rows speaks of archived ones itself. */
export const liveUnless = (app: App, entity: string, where: Expression | null | undefined, alias: string): Condition =>
  asksForArchived(app, entity, where) || live(app, entity, alias)

/** Whether a condition names `archived_at` of this entity, and so sees archived records too. */
export function asksForArchived(app: App, entity: string, where: Expression | null | undefined): boolean {
  const archived = where == null ? null : archivedPath(app.schema, entity)
  return archived !== null && pathsOf(where!.root).some(path => isArchivedOf(path, archived))
}

/** Whoever asks, where archived records of an entity are asked for too. */
export const wantingArchived = (app: App, actor: Actor, entity: string): Actor =>
  archivedPath(app.schema, entity) === null ? actor : { ...actor, archived: archivedWith(app, entity) }

/** What the records of an entity are archived with: itself, or what they are part of. */
export function archivedWith(app: App, entity: string): string {
  const parent = app.entities.get(entity)!.partOf
  return parent === null ? entity : archivedWith(app, parent)
}
