/**
 * What one of several processes works on is a row that it claims (`claimed_until`, `claimed_by`). A claim is short, and renewed for as long
 * as the work goes on: what a dead process has left behind is free this soon. It counts by the clock of the database: processes whose
 * own differ must not take from each other what they are just doing.
 */
import { raw, type Sql, slot, sql } from '../expression/sql.ts'
import type { Store } from '../store/pool.ts'
import { built } from './statements.ts'

export const claimEnd = raw(`now() + interval '10 seconds'`)
/** Seconds between two renewals. */
const renewal = 3

/**
 * Nobody has it. No claim reaches as far as twenty seconds, unless that clock was put back since. Twice as long as one lasts: who takes rows at
 * the same moment may have begun just before another one, and finds that one's claim a little further ahead than its own.
 */
export const unclaimed = (row: string): Sql =>
  raw(
    `(${row}.claimed_until is null or ${row}.claimed_until <= now() or ${row}.claimed_until > now() + interval '20 seconds')`,
  )

/** Waits for the work, and renews its claim meanwhile. A renewal that fails costs nothing but work that another one begins, too. */
export async function renewing<Value>(renew: () => Promise<unknown>, work: Promise<Value>): Promise<Value> {
  const timer = setInterval(() => void renew().catch(() => {}), renewal * 1000)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

/** Whether it is an hour since one of the processes was told so, who then does what all of them have to have done once an hour. */
export async function takeHour(store: Store, what: string, now: Date): Promise<boolean> {
  const taken = await store.run(hour, { what, minute: Math.floor(now.getTime() / 60_000) })
  return taken.length > 0
}

// A time further ahead than clocks differ comes from one that was wrong.
const hour = built(sql`
  insert into ninefold.minute as m (key, minute, count) values (${slot('what')}, ${slot('minute')}::bigint, 1)
  on conflict (key) do update set minute = excluded.minute where m.minute not between excluded.minute - 59 and excluded.minute + 5
  returning key`)
