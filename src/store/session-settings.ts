/** What PostgreSQL is told for each connection, or for each transaction where a pooler gives every one another connection. */
import { literal, quoted, versionSchema } from './names.ts'

/** Milliseconds. */
export interface Limits {
  readonly statementTimeout: number
  readonly lockTimeout: number
}

/** By name, as SQL. */
export type Settings = Readonly<Record<string, string>>

/**
 * What a server or a user may have set otherwise, and rows.ts relies on; views that stand for tables of others come before those; and no compiling of statements that take a millisecond.
 * PostgreSQL takes a page out of order for four times as dear as the next one, as on a turning disk, and so reads a small table whole for
 * every row that names a record in it; a server that was told otherwise is left as it is.
 */
const always: Settings = {
  datestyle: `'ISO, YMD'`,
  intervalstyle: `'postgres'`,
  timezone: `'UTC'`,
  jit: `'off'`,
  search_path: `'ninefold_beside, public'`,
  idle_in_transaction_session_timeout: `'60000'`,
  random_page_cost: `case current_setting('random_page_cost') when '4' then '1.1' else current_setting('random_page_cost') end`,
}

/** What a version of the document knows otherwise than it is by now comes before all else; most have no such schema. */
export const asVersion = (version: string): Settings => ({
  search_path: literal(`${quoted(versionSchema(version))}, ninefold_beside, public`),
})

/** The statement that sets all of it, and `more`: until the connection ends, or the transaction. */
export function settingsFor(
  until: 'connection' | 'transaction',
  { statementTimeout, lockTimeout }: Limits,
  more: Settings = {},
): string {
  const all = { statement_timeout: `'${statementTimeout}'`, lock_timeout: `'${lockTimeout}'`, ...always, ...more }
  const each = Object.entries(all).map(([name, value]) => `set_config('${name}', ${value}, ${until === 'transaction'})`)
  return `select ${each.join(', ')}`
}
