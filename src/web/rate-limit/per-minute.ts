/** Rate limit of so many in a minute: requests of people and keys, messages that are received. */
import { sql } from '../../expression/sql.ts'
import { takesNothing } from '../../store/failures.ts'
import type { Store } from '../../store/pool.ts'
import { clockSkew } from './backoff.ts'

/**
 * Seconds until the next minute begins, once this one is full; 0: go on, and this is counted. All processes count together. Where the
 * database keeps nothing, nothing is counted: what is there can be read.
 */
export async function countInMinute(
  store: Store,
  { what, who, most, now }: { readonly what: string; readonly who: string; readonly most: number; readonly now: Date },
): Promise<number> {
  const minute = Math.floor(now.getTime() / 60_000)
  const isNow = sql`(m.minute between excluded.minute and excluded.minute + ${String(clockSkew / 60)}::bigint)`
  const counted = await store
    .inTransaction(tx =>
      tx.write(sql`
      insert into ninefold.minute as m (key, minute, count) values (${`${what}:${who}`}, ${minute}, 1)
      on conflict (key) do update set minute = case when ${isNow} then m.minute else excluded.minute end,
        count = case when ${isNow} then m.count + 1 else 1 end
      where not ${isNow} or m.count < ${most}::bigint`),
    )
    .catch((error: unknown) => {
      if (!takesNothing(error)) throw error
      return 1
    })
  return counted > 0 ? 0 : 60 - Math.floor((now.getTime() % 60_000) / 1000)
}
