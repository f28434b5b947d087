/**
 * Who made a record, took a step, decided or commented is told by name to those who may see that person. Whoever the record names in a
 * field that is closed to its reader is named nowhere else about it either: otherwise a history would tell what the field keeps.
 */
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { columnSql, fieldSql, fromSql, isLinks, linksSql, personFields } from '../names.ts'
import { allOf, anyOf, type Condition, conditionSql } from './condition.ts'
import type { Policy } from './policy.ts'

/** Records that somebody may name who does not find them named already: those that they may see; of people, those of whom they are told, and themselves. */
export const nameable = (policy: Pick<Policy, 'names' | 'tells'>, entity: string, alias: string): Condition =>
  entity === 'person'
    ? allOf([
        policy.names(entity, alias),
        anyOf([policy.tells(alias), sql`${columnSql(alias, 'id')} = ${slot('me')}::uuid`]),
      ])
    : policy.names(entity, alias)

/** Whether `person` is somebody whom the reader may not see. Nobody is kept from themselves. */
export function isUnseen(policy: Pick<Policy, 'tells'>, person: Sql): Condition {
  const seen = policy.tells('told')
  if (seen === true) return false
  return sql`(${person} is distinct from ${slot('me')}::uuid
    and exists (select from ${fromSql('person', 'told')} where ${columnSql('told', 'id')} = ${person} and (${conditionSql(seen)}) is not true))`
}

/** The same, or whom the record of the alias names, or named before, in a field that is closed there. */
export function isUnnamed(
  app: App,
  policy: Pick<Policy, 'field' | 'tells'>,
  entity: string,
  alias: string,
  person: Sql,
): Condition {
  const named = personFields(app, entity).map((key): Condition => {
    const seen = policy.field(entity, key, alias)
    if (seen === true) return false
    const isClosed = seen === false || sql`(${seen}) is not true`
    const now = isLinks(app, entity, key)
      ? sql`exists (select from ${linksSql(entity, key)} as named where named.owner = ${columnSql(alias, 'id')} and named.member = ${person})`
      : sql`${fieldSql(app, entity, key, alias)} is not distinct from ${person}`
    const before = sql`exists (select from ninefold.history as was where was.entity = ${entity} and was.record = ${columnSql(alias, 'id')}
      and position((${person})::text in (was.changes -> ${key})::text) > 0)`
    return allOf([isClosed, anyOf([now, before])])
  })
  const one = anyOf(named)
  const closed = one === false ? false : allOf([sql`${person} is distinct from ${slot('me')}::uuid`, one])
  return anyOf([isUnseen(policy, person), closed])
}

/** A name for the reader: empty where it is not to be told. */
export function nameSql(app: App, policy: Policy, entity: string, alias: string, person: Sql): Sql {
  const unnamed = isUnnamed(app, policy, entity, alias, person)
  const name = sql`(select p.name from ${fromSql('person', 'p')} where p.id = ${person})`
  return unnamed === false ? name : sql`(case when ${conditionSql(unnamed)} then '' else ${name} end)`
}
