/** Conditions that are known to be true or false before any row is looked at stay out of the SQL text. */
import { join, raw, type Sql, sql } from '../../expression/sql.ts'

export type Condition = boolean | Sql

/** True as soon as one part is; parts that are never true are left out. No parts: false. */
export function anyOf(parts: readonly Condition[]): Condition {
  if (parts.includes(true)) return true
  const open = parts.filter(part => typeof part !== 'boolean')
  if (open.length < 2) return open[0] ?? false
  return sql`(${join(open, ' or ')})`
}

/** False as soon as one part is; parts that always hold are left out. No parts: true. */
export function allOf(parts: readonly Condition[]): Condition {
  if (parts.includes(false)) return false
  const open = parts.filter(part => typeof part !== 'boolean')
  if (open.length < 2) return open[0] ?? true
  return { ...sql`(${join(open, ' and ')})`, all: open }
}

/** As text of a `where`. */
export const conditionSql = (condition: Condition): Sql =>
  typeof condition === 'boolean' ? raw(condition ? 'true' : 'false') : condition
