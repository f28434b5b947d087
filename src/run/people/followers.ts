/** Who follows records now, as the records themselves and people's own choices say it, and sees them. */
import { join, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import { allOf, type Condition } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { columnSql, fieldSql, fromSql, isLinks, linksSql, personFields } from '../names.ts'
import type { Request } from '../request.ts'
import { built, cachedStatement } from '../statements.ts'
import { amongPairs } from './among.ts'
import { followsSql } from './comments.ts'
import { requestsOf } from './people.ts'

export interface Follower {
  readonly request: Request
  readonly record: string
}

/** `sees`: what of the record they must see besides. */
export async function followersOf(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  records: readonly string[],
  sees: { readonly name: string; readonly condition: (policy: Policy) => Condition } | null = null,
): Promise<readonly Follower[]> {
  const found = await tx.run<{ record: string; id: string }>(candidates(app, entity), { records })
  const people = await requestsOf(tx, app, [...new Set(found.map(({ id }) => id))], request)
  const byId = new Map(people.map(one => [one.actor.id!, one]))
  const pairs = found.flatMap(({ record, id }) => {
    const own = byId.get(id)
    return own === undefined ? [] : [{ request: own, record }]
  })
  return amongPairs(tx, app, pairs, {
    entity,
    question: `follows ${sees?.name ?? ''}`,
    condition: policy =>
      allOf([
        policy.rows(entity, 'see', 't'),
        followsSql(app, policy, entity, 't'),
        sees === null || sees.condition(policy),
      ]),
  })
}

/** People whom the records, or a choice of their own, could make followers. */
const candidates = (app: App, entity: string) =>
  cachedStatement(app, ['candidates', entity], () => {
    const t = fromSql(entity, 't')
    const record = columnSql('t', 'id')
    const isIt = sql`${record} = any(${slot('records')}::uuid[])`
    const named = personFields(app, entity).map(key =>
      isLinks(app, entity, key)
        ? sql`select ${record} as record, links.member as id from ${t} join ${linksSql(entity, key)} as links on links.owner = ${record} where ${isIt}`
        : sql`select ${record}, ${fieldSql(app, entity, key, 't')} from ${t} where ${isIt}`,
    )
    const made = sql`select ${record} as record, ${columnSql('t', 'created_by')} as id from ${t} where ${isIt}`
    const chosen = sql`select f.record, f.person from ninefold.follower as f
      where f.entity = ${entity} and f.record = any(${slot('records')}::uuid[]) and f.follows`
    return built(sql`select c.record, c.id from (${join([made, ...named, chosen], ' union ')}) as c
      where c.id is not null order by c.record, c.id`)
  })
