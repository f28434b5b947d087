/** Numbers, shares and amounts as texts, in both back ends: as the wording of the application says. */

import { currencyPlaces, isFixed, placesSql } from './currency.ts'
import { type Decimal, formatDecimal, multiply, whole } from './decimal.ts'
import { raw, type Sql, sql } from './sql.ts'
import { quoted } from './sql-values.ts'
import type { Type } from './type.ts'
import type { Affixes, Wording } from './wording.ts'

const hundred = whole(100)
const bare: Affixes = { before: '', behind: '' }

/** How a type of numbers is written; `least`: digits before the first group. */
function lookOf(type: Type, { percent, amount, least }: Wording['figures']) {
  if (type.kind === 'money') return { ...amount!, least }
  if (type.kind === 'decimal' && type.percent) return { ...percent, least }
  // A year or a number of something is not cut into two.
  return { ...bare, least: type.kind === 'integer' ? Math.max(least, 2) : least }
}

/** The currency of an amount: that of its type, or the one that the record says. */
const currencyOf = <T>(type: Type, said: T | null): string | T | null => (isFixed(type) ? type.currency : said)

const isShare = (type: Type): boolean => type.kind === 'decimal' && type.percent === true

/** `said`: the currency, where the type names none. */
export function writtenFigure(value: Decimal, type: Type, { figures }: Wording, said: string | null = null): string {
  const { least, ...around } = lookOf(type, figures)
  const currency = currencyOf(type, said)
  const places = currency === null ? 0 : currencyPlaces(currency)
  const [before, behind] = [around.before, around.behind].map(affix => affix.replace('{}', said ?? ''))
  const text = formatDecimal(isShare(type) ? multiply(value, hundred) : value, places)
  const [digits = '', rest] = text.replace('-', '').split('.')
  const grouped = digits.length < least + 3 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, figures.group)
  return `${text.startsWith('-') ? '-' : ''}${before}${grouped}${rest === undefined ? '' : figures.point + rest}${behind}`
}

/** The same of a `numeric` that may be named several times. */
export function writtenFigureSql(value: Sql, type: Type, { figures }: Wording, said: Sql | null = null): Sql {
  const { least, ...around } = lookOf(type, figures)
  const currency = currencyOf(type, said)
  const places =
    currency === null
      ? raw('0')
      : typeof currency === 'string'
        ? raw(String(currencyPlaces(currency)))
        : placesSql(currency)
  const [before, behind] = [around.before, around.behind].map(affix =>
    said === null ? quoted(affix) : sql`replace(${quoted(affix)}, '{}', ${said})`,
  )
  const number = isShare(type) ? sql`(${value} * 100)` : value
  const text = sql`round(abs(${number}), greatest(scale(trim_scale(${number})), ${places}))::text`
  const digits = sql`split_part(${text}, '.', 1)`
  const grouped = sql`regexp_replace(${digits}, '(\\d)(?=(?:\\d{3})+$)', ${quoted(`\\1${figures.group}`)}, 'g')`
  const whole = sql`case when length(${digits}) < ${raw(String(least + 3))} then ${digits} else ${grouped} end`
  const rest = sql`case when ${text} like '%.%' then ${quoted(figures.point)} || split_part(${text}, '.', 2) else '' end`
  return sql`(case when ${value} < 0 then '-' else '' end || ${before!} || ${whole} || ${rest} || ${behind!})`
}
