/** One question about records, asked for many people: a statement for each set of roles that they have, and for each set of constants, however many they are. */
import { identifier, type Sql, slot, sql, withColumns } from '../../expression/sql.ts'
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
  const isIt = sql`any(${slot('records')}::uuid[])`
  const each = people.map(request => ({ request, record: null }))
  const of = { entity, question: `among ${question}`, isIt, condition }
  return (await holding(reader, app, each, of, { ...more, records: [record].flat() })).map(({ request }) => request)
}

/** Those of these pairs of somebody and a record for which the condition holds, in their order. */
export const amongPairs = <Pair extends Asking<string>>(
  reader: Reader,
  app: App,
  pairs: readonly Pair[],
  of: Omit<Question, 'isIt'>,
): Promise<readonly Pair[]> => {
  const own = { ...of, question: `pairs ${of.question}`, isIt: sql`${asked}.record` }
  return holding(reader, app, pairs, own, {})
}

interface Asking<Id extends string | null> {
  readonly request: Request
  readonly record: Id
}

interface Question {
  readonly entity: string
  /** Names the condition. */
  readonly question: string
  /** The id of the record that is asked about, or of several. */
  readonly isIt: Sql
  readonly condition: (policy: Policy) => Condition
}

/** Those who are asked with one statement and one set of values: of the same roles, where the same constants hold. */
export const askedTogether = <Each>(
  app: App,
  all: readonly Each[],
  requestOf: (one: Each) => Request,
): readonly (readonly Each[])[] => [
  ...Map.groupBy(all, one => {
    const { actor, limits } = requestOf(one)
    return `${policyFor(app, actor).key} ${JSON.stringify(limits)}`
  }).values(),
]

async function holding<Pair extends Asking<string | null>>(
  reader: Reader,
  app: App,
  pairs: readonly Pair[],
  { entity, question, isIt, condition }: Question,
  more: Readonly<Record<string, unknown>>,
): Promise<readonly Pair[]> {
  const held = new Set<Pair>()
  for (const group of askedTogether(app, pairs, one => one.request)) {
    const { request } = group[0]!
    const policy = policyFor(app, request.actor)
    const query = cachedStatement(app, [question, policy.key, entity], () => {
      const wanted = condition(policy)
      if (wanted === false) return null
      const holds = withColumns(conditionSql(allOf([sql`${columnSql('t', 'id')} = ${isIt}`, wanted])), {
        me: sql`${asked}.me`,
        tenant: sql`${asked}.tenant`,
      })
      const given = sql`unnest(${slot('people')}::uuid[], ${slot('tenants')}::uuid[], ${slot('each')}::uuid[], ${slot('places')}::integer[])`
      return built(sql`select ${asked}.place from ${given} as ${asked} (me, tenant, record, place)
        where exists (select from ${fromSql(entity, 't')} where ${holds})`)
    })
    if (query === null) continue
    const bindings = {
      ...more,
      people: group.map(({ request: { actor } }) => actor.id),
      tenants: group.map(({ request: { actor } }) => actor.tenant ?? null),
      each: group.map(({ record }) => record),
      places: group.map((_, place) => place),
    }
    const rows = await reader.run<{ place: string }>(query, bindingsOf(request, bindings))
    for (const { place } of rows) held.add(group[Number(place)]!)
  }
  return pairs.filter(one => held.has(one))
}
