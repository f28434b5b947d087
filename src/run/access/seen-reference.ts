/** References as a reader is given them: the id of a record that they may not see is nobody's. */
import { raw, type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { columnSql, fieldSql, fromSql, isLinks, linksSql, typeOf } from '../names.ts'
import { conditionSql } from './condition.ts'
import type { Policy } from './policy.ts'

const nobody = raw(`'${unseen}'::uuid`)

/** `named`: the row of the record, joined as far as it may be seen. */
export const seenIn = (reference: Sql, named: string): Sql =>
  sql`coalesce(${columnSql(named, 'id')}, case when ${reference} is not null then ${nobody} end)`

/** A reference to a record of `entity`, where no row of it is at hand. */
export function seenReference(policy: Policy, entity: string, reference: Sql): Sql {
  const seen = policy.names(entity, 'seen')
  if (seen === true) return reference
  const isSeen = sql`exists (select from ${fromSql(entity, 'seen')} where ${columnSql('seen', 'id')} = ${reference} and ${conditionSql(seen)})`
  return sql`case when ${reference} is null or ${isSeen} then ${reference} else ${nobody} end`
}

/** A field that names several records of `target`: those that may be seen, and nobody once where there are others. */
function seenLinks(policy: Policy, target: string, entity: string, field: string, alias: string): Sql {
  const member = sql`coalesce(m.id, ${nobody})::text collate "C"`
  return sql`(select string_agg(distinct ${member}, ' ' order by ${member}) from ${linksSql(entity, field)} as links
    left join ${fromSql(target, 'm')} on m.id = links.member and ${conditionSql(policy.names(target, 'm'))}
    where links.owner = ${columnSql(alias, 'id')})`
}

/** A field, as it is given. */
export function seenFieldSql(app: App, policy: Policy, entity: string, field: string, alias: string): Sql {
  const type = typeOf(app, entity, field)
  const value = fieldSql(app, entity, field, alias)
  if (type?.kind === 'list' && isLinks(app, entity, field) && policy.names(type.entity, 'm') !== true)
    return seenLinks(policy, type.entity, entity, field, alias)
  return type?.kind === 'reference' ? seenReference(policy, type.entity, value) : value
}
