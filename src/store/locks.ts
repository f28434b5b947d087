/** Locks by a number, which whoever changes tables, keeps a backup or clears files away takes before. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from '../expression/sql.ts'
import type { Session, Tx } from './pool.ts'
import { Unavailable } from './unavailable.ts'

/** 'NINF' in ASCII. */
const tablesLock = 0x4e494e46
/** 'NINC'. */
const contentsLock = 0x4e494e43

/** From now on the session alone may change tables. `patience`: milliseconds to wait for another one. */
export async function oneAtATime(session: Session, patience = 120_000): Promise<void> {
  for (let waited = 0; ; waited += 100) {
    const [row] = await session.query<{ got: boolean }>(sql`select pg_try_advisory_lock(${tablesLock}) as got`)
    if (row!.got) return
    if (waited >= patience)
      throw new Unavailable(
        `Another process has been changing or keeping the tables for ${patience / 1000} seconds`,
        'Wait for it, or end it, and try again.',
      )
    await wait(100)
  }
}

/** Whether somebody holds that lock: the key of an advisory lock is two halves in the catalogue. */
export const tablesAreHeld = sql`exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${tablesLock}::oid
  and objsubid = 1 and granted and database = (select oid from pg_database where datname = current_database()))`

/** No content of a file goes as long as the session lasts. */
export async function keepContents(session: Session): Promise<void> {
  await session.query(sql`select pg_advisory_lock(${contentsLock})`)
}

/** Whether contents may go, until the end of the transaction. */
export async function mayClearContents(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ may: boolean }>(sql`select pg_try_advisory_xact_lock_shared(${contentsLock}) as may`)
  return row!.may
}
