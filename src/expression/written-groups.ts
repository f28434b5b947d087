/** Groups as lines of a text, in both back ends: in which order, and how what is empty is written. */
import type { Calendar } from './calendar.ts'
import { join, type Sql, sql } from './sql.ts'
import { quoted } from './sql-values.ts'
import type { Type } from './type.ts'
import { order, type Value } from './values.ts'
import { writtenValue, writtenValueSql } from './written-value.ts'

/** Stands for what is empty. */
const NONE = '–'

/** Choices as they are declared, texts by their characters, and what is empty at the end. */
export function groupOrder(type: Type, one: Value, other: Value): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1
  if (type.kind === 'choice') return type.options.indexOf(one as string) - type.options.indexOf(other as string)
  return type.kind === 'text' ? byCharacters(one as string, other as string) : order(one, other)
}

export const groupOrderSql = (type: Type, key: Sql): Sql =>
  type.kind === 'choice'
    ? sql`array_position(array[${join(type.options.map(quoted), ', ')}]::text[], ${key}::text)`
    : type.kind === 'text'
      ? sql`${key} collate "C"`
      : key

/** As the database has them by their bytes, beyond the plane of Unicode that JavaScript compares too. */
function byCharacters(one: string, other: string): number {
  const [left, right] = [one, other].map(text => Array.from(text, letter => letter.codePointAt(0)!)) as [
    number[],
    number[],
  ]
  const at = left.findIndex((letter, index) => letter !== right[index])
  return at < 0 ? left.length - right.length : right[at] === undefined ? 1 : left[at]! - right[at]!
}

export const writtenOrNone = (value: Value, type: Type, calendar: Calendar): string =>
  value === null ? NONE : (writtenValue(value, type, calendar) as string)

export const writtenOrNoneSql = (value: Sql, type: Type, calendar: Calendar): Sql =>
  sql`coalesce(${writtenValueSql({ sql: value, type }, calendar)}, ${quoted(NONE)})`
