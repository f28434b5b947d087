/** Rate limit of so many in a minute: requests of people and keys, messages that are received. */
import { sql } from '../../expression/sql.ts'
import { takesNothing } from '../../store/failures.ts'
import type { Store } from '../../store/pool.ts'
import { clockSkew } from './backoff.ts'

interface Counted {
  readonly what: string
  readonly who: string
  readonly most: number
  readonly now: Date
  /** How many at once, which are no more than `most`; absent: one. */
  readonly by?: number
}

/**
 * Seconds until the next minute begins, once this one is full; 0: go on, and this is counted. All processes count together. Where the
 * database keeps nothing, nothing is counted: what is there can be read.
 */
export async function countInMinute(store: Store, { what, who, most, now, by = 1 }: Counted): Promise<number> {
  const minute = Math.floor(now.getTime() / 60_000)
  const isNow = sql`(m.minute between excluded.minute and excluded.minute + ${String(clockSkew / 60)}::bigint)`
  const counted = await store
    .inTransaction(tx =>
      tx.write(sql`
      insert into ninefold.minute as m (key, minute, count) values (${`${what}:${who}`}, ${minute}, ${by}::bigint)
      on conflict (key) do update set minute = case when ${isNow} then m.minute else excluded.minute end,
        count = case when ${isNow} then m.count + ${by}::bigint else ${by}::bigint end
      where not ${isNow} or m.count + ${by}::bigint <= ${most}::bigint`),
    )
    .catch((error: unknown) => {
      if (!takesNothing(error)) throw error
      return 1
    })
  return counted > 0 ? 0 : 60 - Math.floor((now.getTime() % 60_000) / 1000)
}
