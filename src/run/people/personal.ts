/** What is personal, whose it is, and how long it is kept: as the rule `personal` and the key `Keep` of heading 3 say. */
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import { columnSql, declared, fieldSql, fromSql, isLinks, linksSql } from '../names.ts'
import { cachedStatement } from '../statements.ts'

/** Of people, these are personal whatever the document says. */
const always = ['name', 'email']

interface Personal {
  /** Fields that are erased. */
  readonly fields: readonly string[]
  /** Fields of type `Person` that say whose record it is. They stay: the person that they name is called otherwise then. */
  readonly owners: readonly string[]
}

export const personalOf = (app: App, entity: string): Personal =>
  cachedStatement(app, ['personal', entity], () => {
    const marked = app.entities.get(entity)!.fields.filter(({ personal }) => personal !== null)
    const isOwner = (key: string) => {
      const { type } = declared(app, entity, key)!
      return (type.kind === 'reference' || type.kind === 'list') && type.entity === 'person'
    }
    const keys = [...new Set([...(entity === 'person' ? always : []), ...marked.map(({ key }) => key)])]
    const own = keys.filter(key => always.includes(key) || !isOwner(key))
    // What code worked out of something personal goes with it.
    const isRead = (path: string) => {
      const [first = '', inner] = path.split('.')
      const type = declared(app, entity, first)?.type
      const rows = type?.kind === 'list' && !isLinks(app, entity, first) ? personalOf(app, type.entity).fields : []
      return own.includes(first) || (inner === undefined ? rows.length > 0 : rows.includes(inner))
    }
    const renewed = app.entities
      .get(entity)!
      .fields.filter(({ renewed: is, copiedFrom }) => is && copiedFrom?.reads.some(isRead))
    return {
      fields: [...new Set([...own, ...renewed.map(({ key }) => key)])],
      owners: keys.filter(key => !always.includes(key) && isOwner(key)),
    }
  })

/** The row is about the person in the slot `person`: it is them, names them as its owner, or is part of what is about them. */
export function isAbout(app: App, entity: string, alias: string): Condition {
  if (entity === 'person') return sql`${columnSql(alias, 'id')} = ${slot('person')}::uuid`
  const { partOf } = app.entities.get(entity)!
  const above = `${alias}_up`
  const parent = partOf === null ? false : isAbout(app, partOf, above)
  return anyOf([
    ownedBy(app, entity, alias),
    ...(partOf === null || parent === false
      ? []
      : [
          sql`exists (select from ${fromSql(partOf, above)} where ${columnSql(above, 'id')} = ${columnSql(alias, app.schema.get(entity)!.parent!)} and ${conditionSql(parent)})`,
        ]),
  ])
}

/** Its own fields say so. */
export const ownedBy = (app: App, entity: string, alias: string): Condition =>
  anyOf(
    personalOf(app, entity).owners.map(key =>
      isLinks(app, entity, key)
        ? sql`exists (select from ${linksSql(entity, key)} as links where links.owner = ${columnSql(alias, 'id')} and links.member = ${slot('person')}::uuid)`
        : sql`${columnSql(alias, key)} = ${slot('person')}::uuid`,
    ),
  )

/** Until when the row is kept; null: nobody can tell yet, or forever. Rows are kept as long as what they are part of. */
export function keptUntil(app: App, entity: string, alias: string): Sql {
  const keep = app.entities.get(entity)!.keep
  if (keep === null || keep.kind === 'forever') return raw('null::timestamptz')
  const time = sql`${`${keep.amount} ${keep.unit}`}::interval`
  if ('field' in keep.after) return sql`(${fieldSql(app, entity, keep.after.field, alias)} + ${time})::timestamptz`
  return sql`(case when ${isIn(alias, keep.after.states)} then ${columnSql(alias, 'state_since')} + ${time} end)`
}

/** The document says how long the row is kept, and that time is over. */
export function isOver(app: App, entity: string, alias: string): Condition {
  const keep = app.entities.get(entity)!.keep
  if (keep === null || keep.kind === 'forever') return false
  const time = sql`${`${keep.amount} ${keep.unit}`}::interval`
  const isDate = 'field' in keep.after && declared(app, entity, keep.after.field)?.type.kind === 'date'
  const since = 'field' in keep.after ? fieldSql(app, entity, keep.after.field, alias) : columnSql(alias, 'state_since')
  if (isDate) return sql`(${since} + ${time})::date <= ${slot('today')}::date`
  const due = sql`${since} + ${time} <= ${slot('now')}::timestamptz`
  return 'states' in keep.after ? allOf([isIn(alias, keep.after.states), due]) : due
}

const isIn = (alias: string, states: readonly string[]): Sql =>
  sql`${columnSql(alias, 'state')} in (${join(
    states.map(state => sql`${state}`),
    ', ',
  )})`
