/** What is not needed any more is cleared away once an hour: what was typed and sent, answers to repeats, links that are over. */
import { sql } from '../../expression/sql.ts'
import { tidyRefused } from '../../run/later/refused.ts'
import { tidyDrafts } from '../../run/write/drafts.ts'
import { sweepHeld } from '../../run/write/held-forms.ts'
import { sweepUnconfirmed } from '../../run/write/unconfirmed.ts'
import type { Store } from '../../store/pool.ts'

/** Hours for which a repeated form or API call gets the first answer. */
const keysHours = 48
/** Minutes after which a mail with a link of our own loses its text, once it has left: nobody shall look for links here. */
const linkMailMinutes = 60

export async function tidyTraces(store: Store, now: Date): Promise<void> {
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  await store.inTransaction(async tx => {
    await tidyDrafts(tx, now)
    await tidyRefused(tx, now)
    await sweepUnconfirmed(tx, now)
    await sweepHeld(tx, now)
    await tx.write(sql`delete from ninefold.minute where minute < ${Math.floor(now.getTime() / 60_000) - 60}`)
    await tx.write(sql`delete from ninefold.case_link where ends_at <= ${now}`)
    await tx.write(sql`delete from ninefold.oauth where ends_at <= ${now}`)
    await tx.write(sql`delete from ninefold.kept_post where ends_at <= ${now}`)
    await tx.write(sql`delete from ninefold.idempotency where created_at < ${before(keysHours * 60)}`)
    await tx.write(sql`
      update ninefold.outbox set payload = payload - 'text'
      where kind = 'mail' and entity = 'person' and name in ('sign_in', 'password', 'invitation', 'confirm_form', 'sign_up') and because is null and state <> 'waiting' and payload ? 'text' and created_at < ${before(linkMailMinutes)}`)
  })
}
