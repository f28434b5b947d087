/** A value of any type that has a usual spelling, as a text, in both back ends. */
import { type Calendar, clampedSql, localDay, localSql, over } from './calendar.ts'
import { writtenLength } from './dates.ts'
import type { Decimal } from './decimal.ts'
import { writtenFigure, writtenFigureSql } from './figures.ts'
import { raw, type Sql, sql } from './sql.ts'
import { quoted } from './sql-values.ts'
import type { Type } from './type.ts'
import type { Value } from './values.ts'
import { writtenDay, writtenDaySql } from './written.ts'
import { clockText, localOf } from './zone.ts'

/** What has a usual spelling that both back ends write. */
export const isShown = (type: Type): boolean =>
  type.kind === 'duration'
    ? type.of === 'clock'
    : ['date', 'moment', 'time', 'integer', 'decimal', 'money', 'yes/no', 'choice', 'text'].includes(type.kind)

/** `currency`: that of an amount, where its type names none. */
export function writtenValue(value: Value, type: Type, calendar: Calendar, currency: string | null = null): Value {
  const wording = calendar.wording!
  switch (type.kind) {
    case 'date':
      return writtenDay(value as number, null, wording)
    case 'moment':
      return writtenDay(
        localDay(value as number, calendar),
        clockText(localOf(value as number, calendar.zone).minute),
        wording,
      )
    case 'integer':
    case 'decimal':
    case 'money':
      return writtenFigure(value as Decimal, type, wording, currency)
    case 'yes/no':
      return value === true ? wording.yes : wording.no
    case 'duration':
      return writtenLength(value as number)
    default:
      return value
  }
}

export function writtenValueSql(
  { sql: value, type }: { readonly sql: Sql; readonly type: Type },
  calendar: Calendar,
  currency: Sql | null = null,
): Sql {
  const [own, wording] = [raw('w.a'), calendar.wording!]
  switch (type.kind) {
    case 'date':
      return over([value], writtenDaySql(own, null, wording))
    case 'moment':
      return over([localSql(value, calendar)], writtenDaySql(clampedSql(own), sql`to_char(${own}, 'HH24:MI')`, wording))
    case 'integer':
    case 'decimal':
    case 'money':
      return over([value], writtenFigureSql(own, type, wording, currency))
    case 'yes/no':
      return sql`(case ${value} when true then ${quoted(wording.yes)} when false then ${quoted(wording.no)} end)`
    case 'time':
      return sql`to_char(${value}, 'HH24:MI')`
    case 'duration':
      return over([sql`trunc((${value})::numeric)`], writtenLengthSql(own))
    default:
      return value
  }
}

/** Of whole seconds. */
function writtenLengthSql(value: Sql): Sql {
  const two = (part: Sql) => sql`lpad((${part} % 60)::text, 2, '0')`
  const size = sql`abs(${value})`
  const seconds = sql`case when ${value} % 60 = 0 then '' else ':' || ${two(size)} end`
  return sql`(case when ${value} < 0 then '-' else '' end || div(${size}, 60 * 60) || ':' || ${two(sql`div(${size}, 60)`)} || ${seconds})`
}
