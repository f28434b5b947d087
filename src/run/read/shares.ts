/** With whom a record is shared, for whoever sees it. */
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import { sharedBy, shareRoles } from '../../headings/6-permissions/shares.ts'
import type { App } from '../../headings/app.ts'
import type { Share } from '../../kinds/screens/read-data.ts'
import type { Reader } from '../../store/pool.ts'
import { allOf, anyOf, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { notEnded, reaches } from '../access/shared.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Actor, Request } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'
import { labelSql } from './select.ts'

/** Roles in which whoever asks shares records of the entity. */
export const rolesToShare = (app: App, { id, roles }: Actor, entity: string): readonly string[] =>
  id === null ? [] : shareRoles(app, entity).filter(role => sharedBy(app, role)!.by.some(by => roles.includes(by)))

/**
 * With whom the record of the alias is shared today, as JSON: all shares in the roles in which whoever asks shares it themselves, and those
 * that reach them. Null: it never is, for them.
 */
export function sharesSql(app: App, actor: Actor, entity: string, alias: string): Sql | null {
  const roles = shareRoles(app, entity)
  if (actor.id === null || roles.length === 0) return null
  const own = rolesToShare(app, actor, entity)
  const told = roles.map(role =>
    allOf([sql`s.role = ${role}`, own.includes(role) || reaches(app, sharedBy(app, role)!, sql`${slot('me')}::uuid`)]),
  )
  return sql`(select jsonb_agg(jsonb_build_object('id', s.id, 'role', s.role, 'with', s.with_record, 'name', ${nameOf(app, policyFor(app, actor), roles)}, 'until', s.until_on) order by s.at, s.id)
    from ninefold.share as s where s.entity = ${entity} and s.record = ${columnSql(alias, 'id')} and ${notEnded} and ${conditionSql(anyOf(told))})`
}

/** The same of a record that whoever asks sees; null: they see none such. */
export async function sharesOf(
  reader: Reader,
  app: App,
  request: Request,
  entity: string,
  record: string,
): Promise<readonly Share[] | null> {
  const policy = policyFor(app, request.actor)
  const query = cachedStatement(app, ['shares', policy.key, entity], () => {
    const isIt = allOf([sql`${columnSql('t', 'id')} = ${slot('record')}::uuid`, policy.rows(entity, 'see', 't')])
    return built(
      sql`select ${sharesSql(app, request.actor, entity, 't') ?? raw('null::jsonb')} as shares from ${fromSql(entity, 't')} where ${conditionSql(isIt)}`,
    )
  })
  const [found] = isId(record)
    ? await reader.run<{ shares: readonly Share[] | null }>(query, bindingsOf(request, { record }))
    : []
  return found === undefined ? null : (found.shares ?? [])
}

/** What names whom the share `s` is with, as far as these roles may know it. */
function nameOf(app: App, policy: Policy, roles: readonly string[]): Sql {
  const entities = new Set(roles.flatMap(role => sharedBy(app, role)!.with.map(({ entity }) => entity)))
  const names = [...entities].map(entity => {
    const label = labelSql(app, policy, entity, 'w') ?? raw('null::text')
    const isIt = allOf([sql`${columnSql('w', 'id')} = s.with_record`, policy.names(entity, 'w')])
    return sql`(select ${label} from ${fromSql(entity, 'w')} where ${conditionSql(isIt)})`
  })
  return sql`coalesce(${join(names, ', ')})`
}
