/** How many records there are, as far as this person may see them: of each entity, and in each state. One statement. */
import { join, raw, sql } from '../../expression/sql.ts'
import { conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'

interface Census {
  readonly entity: string
  readonly n: number
  /** There are more than were counted. */
  readonly more: boolean
  /** By name; empty where there is no workflow, or its state is not for this person. */
  readonly states: ReadonlyMap<string, number>
}

/** Entities of which this person may see nothing are left out. */
export async function readCensus({ app, store }: Runtime, request: Request, upTo: number): Promise<readonly Census[]> {
  const policy = policyFor(app, request.actor)
  const seen = [...app.entities.keys()].filter(entity => policy.rows(entity, 'see', 't') !== false)
  if (seen.length === 0) return []
  const statement = cachedStatement(app, ['census', policy.key, upTo], () =>
    built(
      join(
        seen.map(entity => {
          const byState = app.workflows.has(entity) && policy.field(entity, 'state', 't') === true
          const state = byState ? columnSql('t', 'state') : raw('null::text')
          return sql`select ${entity}::text as entity, c.state, count(*) as n from (
            select ${state} as state from ${fromSql(entity, 't')} where ${conditionSql(policy.rows(entity, 'see', 't'))}
            limit ${raw(String(upTo + 1))}) as c group by c.state`
        }),
        ' union all ',
      ),
    ),
  )
  const rows = await store.run<{ entity: string; state: string | null; n: string }>(statement, bindingsOf(request))
  return seen.map(entity => {
    const own = rows.filter(row => row.entity === entity)
    const n = own.reduce((sum, row) => sum + Number(row.n), 0)
    const states = own.flatMap(row => (row.state === null ? [] : [[row.state, Number(row.n)] as const]))
    return { entity, n: Math.min(n, upTo), more: n > upTo, states: new Map(states) }
  })
}
