/**
 * What was sent by a form for everyone and waits for its sender to follow a link that was mailed to them. It has been judged once, but is
 * no record: nothing counts it, nobody sees it, and it goes when its time is over. The link makes it a record, in one transaction with
 * its own end, so it does so once.
 */

import { sql } from '../../expression/sql.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import type { Store, Tx } from '../../store/pool.ts'
import { nobody } from '../../store/system.ts'
import type { Outcome } from '../outcome.ts'
import type { Request } from '../request.ts'
import type { Companion } from './accompanied.ts'

/** Forms that wait at one address, so that nobody fills the mailbox of somebody else; and in all. */
const formsOfMailbox = 5
const formsInAll = 5_000
/** Letters of one. */
const formLetters = 65_536

export interface Unconfirmed {
  readonly tokenHash: Buffer
  /** SHA-256 of the address. */
  readonly mailbox: Buffer
  /** Address of the form. */
  readonly path: string
  readonly form: URLSearchParams
  /** Who sent its files. */
  readonly sender: string
  /** In which it was filled in. */
  readonly language: string
}

/**
 * Keeps it, and has `mail` put into the outbox with it. Where too many wait at its address already, neither is done, and the outcome is the
 * same: whoever sends the form learns nothing of an address. `full`: too many wait in all.
 */
export function keepUnconfirmed(
  store: Store,
  { tokenHash, mailbox, path, form, sender, language }: Unconfirmed,
  { now, limits }: Pick<Request, 'now' | 'limits'>,
  mail: (tx: Tx) => Promise<void>,
): Promise<Outcome | 'full' | 'too large'> {
  const text = form.toString()
  if (text.length > formLetters) return Promise.resolve('too large')
  const files = [...form.values()].flatMap(value => heldFile(value)?.digest ?? [])
  const ends = new Date(now.getTime() + engineValue(limits, 'confirm_hours') * 3_600_000)
  const kept: Outcome = { kind: 'done', id: nobody, version: 1 }
  return store.inTransaction(async tx => {
    // One after the other, so that the counts are right.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('ninefold.unconfirmed', 0))`)
    await sweepUnconfirmed(tx, now)
    const [counted] = await tx.query<{ here: string; all: string }>(sql`
      select count(*) filter (where mailbox = ${mailbox}) as here, count(*) as all from ninefold.unconfirmed`)
    if (Number(counted!.here) >= formsOfMailbox) return kept
    if (Number(counted!.all) >= formsInAll) return 'full'
    await tx.write(sql`
      insert into ninefold.unconfirmed (token_hash, mailbox, path, form, files, sender, language, ends_at)
      values (${tokenHash}, ${mailbox}, ${path}, ${text}, ${files}::text[], ${sender}::uuid, ${language}, ${ends})`)
    await mail(tx)
    return kept
  })
}

/** Null: there is none, it has been confirmed, or its time is over. */
export async function readUnconfirmed(store: Store, tokenHash: Buffer, now: Date): Promise<Unconfirmed | null> {
  const [row] = await store.query<{
    mailbox: Buffer
    path: string
    form: string
    sender: string
    language: string
  }>(sql`
    select mailbox, path, form, sender, language from ninefold.unconfirmed
    where token_hash = ${tokenHash} and ends_at > ${now}`)
  return row === undefined ? null : { ...row, tokenHash, form: new URLSearchParams(row.form) }
}

/** The write takes it away. Where it is gone, `gone` is the outcome. */
export const confirmedOnce = (tokenHash: Buffer, now: Date, gone: Outcome): Companion => ({
  async around(tx, write) {
    const taken = await tx.write(sql`
      delete from ninefold.unconfirmed where token_hash = ${tokenHash} and ends_at > ${now}`)
    return taken === 0 ? tx.abandon(gone) : write(tx)
  },
})

/** Takes away those whose time is over. */
export const sweepUnconfirmed = (tx: Tx, now: Date): Promise<number> =>
  tx.write(sql`delete from ninefold.unconfirmed where ends_at <= ${now}`)
