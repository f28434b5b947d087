/** The version of a record that a person is given: it changes with what they may see, and with nothing else. */
import { archivedAt } from '../../expression/archived.ts'
import { join, raw, type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { columnSql, fromSql, isLinks, typeOf } from '../names.ts'
import { archives } from './archived.ts'
import { conditionSql } from './condition.ts'
import type { Policy } from './policy.ts'
import { seenFieldSql } from './seen-reference.ts'

/**
 * The number of the record's changes, for whoever may see all of it. For others a number made from what they may see, 48 bits of it so
 * that JSON keeps it: a change of what is closed to them is none, and somebody was faster where what they saw is different.
 */
export function seenVersionSql(app: App, policy: Policy, entity: string, alias: string): Sql {
  if (policy.whole(entity)) return columnSql(alias, 'version')
  return sql`(hashtextextended(${seenText(app, policy, entity, alias)}, 0) & 281474976710655)`
}

function seenText(app: App, policy: Policy, entity: string, alias: string): Sql {
  const { fields } = app.entities.get(entity)!
  const stored = fields.filter(({ computed, renewed }) => computed === null || renewed).map(({ key }) => key)
  const values = [...stored, ...(app.workflows.has(entity) ? ['state'] : [])].flatMap(key => {
    const seen = policy.field(entity, key, alias)
    const value = seen === false ? null : storedText(app, policy, entity, key, alias)
    return value === null ? [] : [seen === true ? value : sql`case when ${conditionSql(seen)} then ${value} end`]
  })
  const all = archives(app, entity) ? [...values, columnSql(alias, archivedAt)] : values
  return all.length === 0 ? raw("''") : sql`row(${join(all, ', ')})::text`
}

/** Of records that a field names, and of rows, those that may be seen. Null: it holds nothing itself. */
function storedText(app: App, policy: Policy, entity: string, key: string, alias: string): Sql | null {
  const type = typeOf(app, entity, key)
  if (type?.kind !== 'list' || isLinks(app, entity, key)) return seenFieldSql(app, policy, entity, key, alias)
  if (app.entities.get(type.entity)?.partOf !== entity) return null
  const row = `${alias}_${key}`
  const parent = columnSql(row, app.schema.get(type.entity)!.parent!)
  const text = sql`${columnSql(row, 'id')}::text || ${seenText(app, policy, type.entity, row)}`
  return sql`(select string_agg(${text}, '' order by ${columnSql(row, 'position')}, ${columnSql(row, 'id')})
    from ${fromSql(type.entity, row)} where ${parent} = ${columnSql(alias, 'id')} and ${conditionSql(policy.rows(type.entity, 'see', row))})`
}
