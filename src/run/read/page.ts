/** One page of rows as SQL, with how many there are, and what comes back of it. */
import { identifier, raw, type Sql, sql } from '../../expression/sql.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { columnSql, fromSql } from '../names.ts'
import { amongAll } from './among-all.ts'
import { commas } from './filter.ts'
import { type Key, orderBy } from './order.ts'
import { type Part, type Selection, selectArray } from './select.ts'

/** A row as `selectArray` of the selection and the keys gives it. */
export type Cells = readonly (string | null)[]

/** One row for the whole page: the driver takes a dozen values apart in the time of one, however long that is. */
export interface Page {
  /** `Cells` as JSON, a line each, so that what is known already need not be taken apart; null: none. */
  readonly rows: string | null
  readonly n?: string
}

/** No entity can have these names, and so no table is hidden by them. */
export const pageName = identifier('the page')
const fewName = identifier('the few')

/** What is searched for is found first where it is found in so few records. */
const mostFew = 1000

const keyName = (index: number) => identifier(`k${index}`)

export const keyParts = (keys: readonly Key[]): readonly Part[] =>
  keys.map(({ type }, index) => ({ name: `k${index}`, sql: sql`${pageName}.${keyName(index)}`, type: type.kind }))

/**
 * The page is found first, by id and sort values alone; what is shown of its rows (labels, computed fields, what may be done
 * with them) is worked out for those rows only. With `counted` the count `n` stands beside them: one statement for both.
 *
 * With a search, PostgreSQL does not know how many records have a word, and would go through
 * all of them in order for a rare one; so those that have it are found by its index and then sorted, unless they are many.
 */
export function pageSql(
  entity: string,
  selection: Selection,
  keys: readonly Key[],
  { condition, edge, isSearched }: { condition: Condition; edge: Condition; isSearched: boolean },
  backwards: boolean,
  limit: number,
  counted: Sql | null,
): Sql {
  const rows = sql`(select string_agg(to_json(${selectArray([...selection.parts, ...keyParts(keys)])})::text, ${raw("E'\\n'")}
      order by ${orderBy(keys, index => sql`${pageName}.${keyName(index)}`, backwards)})
    from ${pageName} join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = ${pageName}.id${selection.joins}) as "rows"`
  const found = (which: Condition) =>
    amongAll(
      entity,
      which,
      from => sql`
    select ${columnSql('t', 'id')} as id, ${commas(keys.map((one, index) => sql`${one.sql} as ${keyName(index)}`))}
    from ${from} where ${conditionSql(which)}
    order by ${orderBy(keys, keyName, backwards)} limit ${raw(String(limit))}`,
    )
  const isFew = sql`(select count(*) <= ${raw(String(mostFew))} from ${fewName})`
  const amongFew = allOf([isFew, sql`${columnSql('t', 'id')} in (select id from ${fewName})`, edge])
  const all = allOf([condition, edge])
  const pages = !isSearched
    ? sql`with ${pageName} as materialized (${found(all)})`
    : sql`with ${fewName} as materialized (select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')} where ${conditionSql(condition)} limit ${raw(String(mostFew + 1))}),
        ${pageName} as materialized ((${found(amongFew)}) union all (${found(allOf([sql`not ${isFew}`, all]))}))`
  return sql`${pages} select ${rows} ${counted === null ? raw('') : sql`, counted.n from (${counted}) as counted`}`
}

export const countSql = (entity: string, condition: Condition, limit: number): Sql => {
  const rows = amongAll(
    entity,
    condition,
    from => sql`select from ${from} where ${conditionSql(condition)} limit ${raw(String(limit))}`,
  )
  return sql`select count(*) as n from (${rows}) as counted`
}
