/** Where the things of the document stand in the database, as SQL. The one place in `run` that knows physical names. */
import type { Checked } from '../expression/checked.ts'
import { tableSql } from '../expression/emitting.ts'
import type { Expression } from '../expression/expression.ts'
import { keptColumn, keptOf } from '../expression/kept-columns.ts'
import type { Without } from '../expression/letters.ts'
import { identifier, type Sql, sql } from '../expression/sql.ts'
import { toSql } from '../expression/to-sql.ts'
import type { RecordValue, Type } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { collation } from '../store/system.ts'
import { sqlType } from './values.ts'

/** The table of an entity, or the view by which one stands for it that another application made: the session looks for that first. */
export { tableSql }

/** `loan as t`. */
export const fromSql = (entity: string, alias: string): Sql => sql`${tableSql(entity)} as ${identifier(alias)}`

export const columnSql = (alias: string, column: string): Sql => identifier(alias, column)

/** A text to sort by, in the one order for people. */
export const collated = (text: Sql): Sql => sql`${text} collate ${identifier(...collation.split('.'))}`

/** A record as it was once, or as it would be: a row that is put together, and no table's. What the database keeps of rows it has not of this one. */
export const thenAlias = 'was'

const isPutTogether = (alias: string): boolean => alias === thenAlias || alias.startsWith(`${thenAlias}_`)

/** An expression as a value over the row that `alias` names; three-valued where it is a condition. */
export const valueSql = (expression: Expression, alias: string): Sql =>
  toSql(expression, { alias, rollups: true, kept: !isPutTogether(alias) })

/** An expression where unknown means no, written so that indexes serve it. */
export const whereSql = (expression: Expression, alias: string): Sql =>
  toSql(expression, { alias, as: 'condition', rollups: true, kept: !isPutTogether(alias) })

/** A field, a path or a list names the person who asks; unknown means no. */
export const isMeSql = (people: Expression, alias: string): Sql => {
  const { root } = people
  const type = { kind: 'yes/no' } as const
  const isMe = (left: Checked): Checked => {
    const right: Checked = { op: 'me', type: left.type, optional: false }
    return { op: 'compare', sign: '=', left, right, type, optional: true }
  }
  if (root.op !== 'values') return whereSql({ ...people, root: isMe(root) }, alias)
  const any = { op: 'aggregate', name: 'any', source: root.source, where: isMe(root.value), value: null } as const
  return whereSql({ ...people, root: { ...any, type, optional: false } }, alias)
}

/** Whether a field is the state that heading 4 declares: an entity without states may have a field of that name. */
export const isState = (app: App, entity: string, field: string): boolean =>
  field === 'state' && app.workflows.has(entity)

/** The state that a record is in; null: it has none, or its reader does not see it. */
export const stateIn = (app: App, entity: string, { state }: RecordValue): string | null =>
  app.workflows.has(entity) && typeof state === 'string' ? state : null

/** Whether a field is written and never read. */
export const isSealed = (app: App, entity: string, field: string): boolean => {
  const of = declared(app, entity, field)
  return of !== undefined && fieldKind(of.kind).sealed === true
}

/** Whether a record has a field that is written and never read; rows of records have none. */
export const hasSealed = (app: App, entity: string): boolean =>
  (app.entities.get(entity)?.fields ?? []).some(({ key }) => isSealed(app, entity, key))

/** Whether a field names records in a table of links. */
export const isLinks = (app: App, entity: string, field: string): boolean => {
  const of = declared(app, entity, field)
  return of !== undefined && of.computed === null && fieldKind(of.kind).links === true
}

/** The table of links of a field, with the columns `owner` and `member`. */
export const linksSql = (entity: string, field: string): Sql => identifier(`${entity}_${field}`)

/** The records that a field of the row names, as one value; `seen` (over the alias `m`) leaves some out. */
export function linkedSql(app: App, entity: string, field: string, alias: string, seen: Sql | null = null): Sql {
  const target = (typeOf(app, entity, field) as Extract<Type, { kind: 'list' }>).entity
  const named = sql`${linksSql(entity, field)} as links`
  const from = seen === null ? named : sql`${named} join ${fromSql(target, 'm')} on m.id = links.member and ${seen}`
  return sql`(select string_agg(links.member::text, ' ' order by links.member) from ${from} where links.owner = ${columnSql(alias, 'id')})`
}

/** What a field is, read from the row of its table that `alias` names: its column, or the expression that computes it. */
export function fieldSql(app: App, entity: string, field: string, alias: string): Sql {
  if (keptOf(app.schema, entity, field) !== null) return columnSql(alias, keptColumn(field))
  const computed = declared(app, entity, field)?.computed ?? null
  if (isLinks(app, entity, field)) return linkedSql(app, entity, field, alias)
  return computed === null ? storedSql(app, entity, field, alias) : valueSql(computed, alias)
}

/** What a value may differ in from that of a record and still find it: what is `unique without case` is the same in capitals. */
export const comparedWithout = (app: App, entity: string, field: string): Without | null =>
  declared(app, entity, field)?.unique?.without ?? null

/** The column of a field, as its value is held. */
export function storedSql(app: App, entity: string, field: string, alias: string): Sql {
  const column = columnSql(alias, field)
  return typeOf(app, entity, field)?.kind === 'json' ? sql`(${column})::text` : column
}

/** A value of a record that is not stored yet, as a parameter. */
export const draftSql = (app: App, entity: string, record: RecordValue, key: string): Sql =>
  sql`${record[key] ?? null}::${sqlType(key === 'id' ? { kind: 'reference', entity } : typeOf(app, entity, key)!)}`

/** A number that a step gives: before, the record is addressed by its id. */
export const isGivenLater = (app: App, entity: string, field: string): boolean =>
  (declared(app, entity, field)?.givenOn ?? null) !== null

/** What names a record in addresses, as a text. */
export const addressSql = (app: App, entity: string, by: string, alias: string): Sql =>
  isGivenLater(app, entity, by)
    ? sql`coalesce(${columnSql(alias, by)}, ${columnSql(alias, 'id')}::text)`
    : sql`(${fieldSql(app, entity, by, alias)})::text`

/** A field as the document declares it; undefined for the built-in ones (`id`, `state`, the parent of a child row). */
export const declared = (app: App, entity: string, field: string): Field | undefined =>
  app.entities.get(entity)?.fields.find(({ key }) => key === field)

export const typeOf = (app: App, entity: string, field: string): Type | undefined =>
  app.schema.get(entity)?.fields.get(field)?.type

/** "Due back"; the key where the field is built in. */
export const labelOf = (app: App, entity: string, field: string): string => declared(app, entity, field)?.label ?? field

/** Fields that name people. */
export const personFields = (app: App, entity: string): readonly string[] =>
  app.entities.get(entity)!.fields.flatMap(({ key, hidden }) => {
    const type = typeOf(app, entity, key)
    const names = type?.kind === 'reference' || (type?.kind === 'list' && isLinks(app, entity, key))
    return names && type.entity === 'person' && hidden === null ? [key] : []
  })
