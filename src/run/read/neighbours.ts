/** The records before and after one in a list: by its keys, with the filters and the order of the list, in one statement. */
import { join, raw, type Sql, sql } from '../../expression/sql.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { addressSql, columnSql, fromSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { filterOf, searchOf } from './filter.ts'
import { beyond, type CursorValues, keysOfList, orderBy, orderKey } from './order.ts'
import { askedBy } from './read.ts'
import { isSingle, labelSql } from './select.ts'
import { shownRows, whereKey } from './shown.ts'

export interface Neighbour {
  readonly id: string
  /** Null: they may not see what names it. */
  readonly title: string | null
  /** What names it in addresses; null where they may not see that. */
  readonly address: string | null
}

export interface Neighbours {
  readonly previous: Neighbour | null
  readonly next: Neighbour | null
}

/** `place`: where the record stands in that order; it need not be in the list any more. `by`: the field that addresses name. */
export async function readNeighbours(
  { app, store }: Runtime,
  request: Request,
  need: RowsNeed,
  by: string,
  place: CursorValues,
): Promise<Neighbours> {
  const { entity } = need
  const policy = policyFor(app, askedBy(app, request, need).actor)
  const filter = filterOf(app, policy, entity, 't', need.filters)
  const search = searchOf(app, policy, entity, 't', need.search, { through: need.searched, similar: need.similar })
  const sorted = orderKey(need)
  const base = [policy.key, entity, whereKey(need.where), whereKey(need.view ?? null), sorted, need.archived ?? false]
  const keys = cachedStatement(app, ['keys', ...base], () => keysOfList(app, policy, entity, need))
  const edges = [beyond(keys, place, true), beyond(keys, place, false)] as const
  const shape = [filter.shape, search.shape, ...edges.map(edge => edge.shape)]
  const query = cachedStatement(app, ['beside', ...base, by, ...shape], () => {
    const isNamed = by === 'id' || (isSingle(app, entity, by) && policy.field(entity, by, 't') === true)
    const title = labelSql(app, policy, entity, 't') ?? raw('null::text')
    const address = isNamed ? addressSql(app, entity, by, 't') : raw('null::text')
    const beside = (condition: () => Sql, backwards: boolean): Sql => {
      const shown = allOf([
        shownRows(policy, entity, need.where, need),
        filter.condition(),
        search.condition(),
        condition(),
      ])
      const order = orderBy(keys, index => keys[index]!.sql, backwards)
      const found = sql`select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')}
        where ${conditionSql(shown)} order by ${order} limit 1`
      return sql`select ${raw(backwards ? 'true' : 'false')} as before, ${columnSql('t', 'id')} as id, ${title} as title,
        ${address} as address from (${found}) as page join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = page.id`
    }
    return built(
      join(
        edges.map((edge, index) => beside(edge.condition, index === 0)),
        ' union all ',
      ),
    )
  })
  const bindings = { zone: app.product.timeZone.name, ...filter.bindings, ...search.bindings, ...edges[0].bindings }
  const rows = await store.run<Neighbour & { readonly before: boolean }>(query, bindingsOf(request, bindings))
  return {
    previous: rows.find(({ before }) => before) ?? null,
    next: rows.find(({ before }) => !before) ?? null,
  }
}
