/** Days without work, which are records: as a request has them, and for what is asked before there is one. */
import { raw, type Sql, slot, sql, withColumns } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Reader } from '../../store/pool.ts'
import { columnSql, fromSql } from '../names.ts'
import { built, cachedStatement } from '../statements.ts'

/** At most so many closed days count, the latest; a hundred years have no more. */
export const mostClosedDays = 3000

/** The closed days of the working week that are everybody's, and of one record, in order; null where the document names none. */
export function closedOf({ workingTime }: App, whose: Sql | null = null): Sql {
  if (workingTime?.closed == null) return raw('null')
  const { closed, days } = workingTime
  const date = columnSql('d', closed.field)
  const of = closed.of === null ? null : columnSql('d', closed.of)
  const its = whose === null ? raw('') : sql`${of!} = ${whose} or `
  const counted = of === null ? raw('') : sql` and (${its}${of} is null)`
  const working = raw(days.flatMap((works, index) => (works ? [index + 1] : [])).join(', '))
  return sql`(select array_agg(c.day::text order by c.day) from (select distinct ${date} as day from ${fromSql(closed.entity, 'd')}
    where extract(isodow from ${date}) in (${working})${counted} order by 1 desc limit ${raw(String(mostClosedDays))}) as c)`
}

/** The days that are closed for one record. */
export async function closedFor(reader: Reader, app: App, whose: string): Promise<readonly string[]> {
  const query = cachedStatement(app, ['closed for'], () =>
    built(sql`select ${closedOf(app, sql`${slot('whose')}::uuid`)} as days`),
  )
  const [row] = await reader.run<{ days: readonly string[] | null }>(query, { whose })
  return row?.days ?? []
}

/** A condition that reads them itself, so that it needs no slot `closed`: of who somebody is, which is asked before a request knows the days. */
export const readingClosed = (app: App, condition: Sql): Sql =>
  withColumns(condition, { closed: sql`coalesce(${closedOf(app)}, '{}')` })
