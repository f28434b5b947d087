/** What is counted for somebody, up to a hundred: for one who asks, or for many at once in a statement for each set of roles and of constants. */
import { identifier, type Sql, slot, sql, withColumns } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Reader } from '../../store/pool.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import type { Actor, Request } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { askedTogether } from './among.ts'

export interface Counted {
  /** Names it, with all that it depends on. */
  readonly name: string
  /** Rows, each of which is one, of no columns. Empty: for whoever has these roles there is never any. */
  readonly rows: (app: App, actor: Actor, policy: Policy) => readonly Sql[]
}

const numberOf = (rows: readonly Sql[]): Sql =>
  sql`(select count(*) from (select from (${rows.reduce((all, one) => sql`${all} union all ${one}`)}) as rows limit 100) as counted)`

/** Null: there is never any. */
export async function countFor(reader: Reader, app: App, request: Request, of: Counted): Promise<number | null> {
  const policy = policyFor(app, request.actor)
  const statement = cachedStatement(app, ['counted', of.name, policy.key], () => {
    const rows = of.rows(app, request.actor, policy)
    return rows.length === 0 ? null : built(sql`select ${numberOf(rows)} as n`)
  })
  if (statement === null) return null
  const [found] = await reader.run<{ n: string }>(statement, bindingsOf(request))
  return Number(found!.n)
}

/** No name of a document has a space in the database. */
const counting = identifier('counted for')

/** The same for many people, by what they asked with. */
export async function countForEach(
  reader: Reader,
  app: App,
  people: readonly Request[],
  of: Counted,
): Promise<ReadonlyMap<Request, number>> {
  const found = new Map<Request, number>()
  for (const group of askedTogether(app, people, one => one)) {
    const request = group[0]!
    const policy = policyFor(app, request.actor)
    const statement = cachedStatement(app, ['counted for each', of.name, policy.key], () => {
      const rows = of.rows(app, request.actor, policy)
      if (rows.length === 0) return null
      const number = withColumns(numberOf(rows), { me: sql`${counting}.me`, tenant: sql`${counting}.tenant` })
      const given = sql`unnest(${slot('people')}::uuid[], ${slot('tenants')}::uuid[], ${slot('places')}::integer[])`
      return built(sql`select ${counting}.place, ${number} as n from ${given} as ${counting} (me, tenant, place)`)
    })
    if (statement === null) continue
    const bindings = {
      people: group.map(({ actor }) => actor.id),
      tenants: group.map(({ actor }) => actor.tenant ?? null),
      places: group.map((_, place) => place),
    }
    const rows = await reader.run<{ place: string; n: string }>(statement, bindingsOf(request, bindings))
    for (const { place, n } of rows) found.set(group[Number(place)]!, Number(n))
  }
  return found
}
