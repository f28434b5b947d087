/** One question about a record, asked for many people: a statement for each set of roles that they have, however many they are. */
import { identifier, slot, sql, withColumns } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Reader } from '../../store/pool.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Request } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'

/** No name of a document has a space in the database. */
const asked = identifier('asked of')

export interface About {
  readonly entity: string
  readonly record: string
}

/** Several records: that it holds of one of them is enough. */
interface AboutSome {
  readonly entity: string
  readonly record: string | readonly string[]
}

/**
 * Those of these people for whom the condition holds of the record (alias `t`), in their order. `question` names the condition, which may
 * have slots of its own, bound by `more`.
 */
export async function among(
  reader: Reader,
  app: App,
  people: readonly Request[],
  { entity, record }: AboutSome,
  question: string,
  condition: (policy: Policy) => Condition,
  more: Readonly<Record<string, unknown>> = {},
): Promise<readonly Request[]> {
  const held = new Set<Request>()
  for (const group of Map.groupBy(people, ({ actor }) => policyFor(app, actor).key).values()) {
    const [first] = group
    const policy = policyFor(app, first!.actor)
    const query = cachedStatement(app, ['among', question, policy.key, entity], () => {
      const wanted = condition(policy)
      if (wanted === false) return null
      const isIt = sql`${columnSql('t', 'id')} = any(${slot('records')}::uuid[])`
      const holds = withColumns(conditionSql(allOf([isIt, wanted])), {
        me: sql`${asked}.me`,
        tenant: sql`${asked}.tenant`,
      })
      return built(sql`select ${asked}.me::text as id from unnest(${slot('people')}::uuid[], ${slot('tenants')}::uuid[]) as ${asked} (me, tenant)
        where exists (select from ${fromSql(entity, 't')} where ${holds})`)
    })
    if (query === null) continue
    const bindings = {
      ...more,
      records: [record].flat(),
      people: group.map(({ actor }) => actor.id),
      tenants: group.map(({ actor }) => actor.tenant ?? null),
    }
    const rows = await reader.run<{ id: string }>(query, bindingsOf(first!, bindings))
    const ids = new Set(rows.map(({ id }) => id))
    for (const one of group) if (ids.has(one.actor.id!)) held.add(one)
  }
  return people.filter(one => held.has(one))
}
