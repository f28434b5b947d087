/** One page of rows as SQL, with how many there are and what they add up to, and what comes back of it. */
import { identifier, join, raw, type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { RowsData } from '../../kinds/screens/read-data.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { columnSql, fieldSql, fromSql, typeOf } from '../names.ts'
import { amongAll } from './among-all.ts'
import { commas } from './filter.ts'
import { type Key, orderBy } from './order.ts'
import { type Part, type Selection, selectArray } from './select.ts'

/** A field of which nobody's value is there, or may be seen, has no sum. */
export const sumsOf = (totals: readonly Total[], page: Page): RowsData['totals'] =>
  Object.fromEntries(
    totals.flatMap(({ field, isLength }, index) => {
      const sum = page[`total ${index}`]
      return typeof sum === 'string' ? [[field, isLength ? `PT${sum}S` : sum]] : []
    }),
  )

/** A row as `selectArray` of the selection and the keys gives it. */
export type Cells = readonly (string | null)[]

/** One row for the whole page: the driver takes a dozen values apart in the time of one, however long that is. */
export interface Page {
  /** `Cells` as JSON, a line each, so that what is known already need not be taken apart; null: none. */
  readonly rows: string | null
  readonly n?: string
  readonly [total: `total ${number}`]: string | null
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
  { counted, totals }: { readonly counted: Sql | null; readonly totals: number },
): Sql {
  const sums = join(
    Array.from({ length: totals }, (_, index) => sql`, counted.${identifier(`total ${index}`)}`),
    '',
  )
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
  return sql`${pages} select ${rows} ${counted === null ? raw('') : sql`, counted.n${sums} from (${counted}) as counted`}`
}

export interface Total {
  readonly field: string
  /** What of the row is added up: nothing where the value may not be seen. */
  readonly sql: Sql
  /** A length of time, which is added up in seconds. */
  readonly isLength: boolean
}

/** Those of these fields that this person sees, on some records at least. */
export function totalsOf(app: App, policy: Policy, entity: string, fields: readonly string[] = []): readonly Total[] {
  return fields.flatMap(field => {
    const seen = policy.field(entity, field, 't')
    if (seen === false) return []
    const isLength = typeOf(app, entity, field)?.kind === 'duration'
    const stored = fieldSql(app, entity, field, 't')
    const value = isLength ? sql`trim_scale(extract(epoch from ${stored}))` : stored
    return [{ field, isLength, sql: seen === true ? value : sql`case when ${seen} then ${value} end` }]
  })
}

export const countSql = (entity: string, condition: Condition, limit: number, totals: readonly Total[] = []): Sql => {
  const name = (index: number) => identifier(`total ${index}`)
  const values = totals.map((total, index) => sql`${total.sql} as ${name(index)}`)
  const sums = totals.map((_, index) => sql`, sum(${name(index)})::text as ${name(index)}`)
  const rows = amongAll(
    entity,
    condition,
    from => sql`select ${commas(values)} from ${from} where ${conditionSql(condition)} limit ${raw(String(limit))}`,
  )
  return sql`select count(*) as n${join(sums, '')} from (${rows}) as counted`
}
