/** Pieces of CHECK constraints. They hold no parameters, because PostgreSQL allows none in a constraint. */
import { join, raw, type Sql, sql } from '../../expression/sql.ts'

/** What nobody would see in a printed plan, or what would break its lines. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]|(?! )\p{Zs}/gu

/**
 * A text literal. `standard_conforming_strings` is on in every supported server, so backslashes stand for themselves, but in `E'…'`,
 * which is written where a character needs its number.
 */
export function literal(text: string): Sql {
  if (text.includes('\0')) throw new Error('An SQL text has a NUL.')
  const quoted = text.replaceAll("'", "''")
  if (quoted.search(unseen) < 0) return raw(`'${quoted}'`)
  const numbered = (each: string) => {
    const digits = each.codePointAt(0)!.toString(16)
    return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
  }
  return raw(`E'${quoted.replaceAll('\\', '\\\\').replace(unseen, numbered)}'`)
}

/** Characters that `String.prototype.trim` takes off: JavaScript and the database must mean the same by "trimmed". */
export const whiteSpace =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/** Not blank, no longer than `length` code points, nothing to trim, no control characters but those in `allowed`. */
export function textCheck(column: Sql, length: number, allowed: 'none' | 'tab and new line' = 'none'): Sql {
  const controls =
    allowed === 'none' ? '[\\u0001-\\u001f\\u007f-\\u009f]' : '[\\u0001-\\u0008\\u000b-\\u001f\\u007f-\\u009f]'
  return all([
    sql`char_length(${column}) between 1 and ${raw(String(length))}`,
    sql`char_length(btrim(${column}, ${literal(whiteSpace)})) = char_length(${column})`,
    sql`${column} collate "C" !~ ${literal(controls)}`,
  ])
}

/** Matches a regular expression of the subset that JavaScript and PostgreSQL read alike; bytewise, whatever the collation. */
export function matches(column: Sql, pattern: string): Sql {
  return sql`${column} collate "C" ~ ${literal(pattern)}`
}

/** All of these hold. */
export function all(conditions: readonly Sql[]): Sql {
  return join(conditions, ' and ')
}
