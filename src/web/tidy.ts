/** What is not needed any more is cleared away with every sign-in: often enough, and never in a request that somebody waits for. */
import { sql } from '../expression/sql.ts'
import type { Store } from '../store/pool.ts'

/** Hours for which a repeated form or API call gets the first answer. */
const keysHours = 48
/** Minutes after which a mail with a sign-in link loses its text: the link is dead, and nobody shall look for one. */
const linkMailMinutes = 60

export async function tidy(store: Store, now: Date): Promise<void> {
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  await store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.idempotency where created_at < ${before(keysHours * 60)}`)
    await tx.write(sql`
      update ninefold.outbox set payload = payload - 'text'
      where kind = 'mail' and name = 'sign_in' and state <> 'waiting' and payload ? 'text' and created_at < ${before(linkMailMinutes)}`)
  })
}
