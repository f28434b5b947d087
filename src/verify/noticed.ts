/** Who was told what of a record, once everybody was who is to be. */
import { setTimeout } from 'node:timers/promises'
import { sql } from '../expression/sql.ts'
import type { Reader } from '../store/pool.ts'
import { lookEvery, looksAtMost } from './partner.ts'

/** Steps that can be taken back are told of when they cannot be any more: nobody waits for those. */
export async function readNoticed(store: Reader, entity: string, id: string): Promise<ReadonlySet<string>> {
  for (let looks = 0; looks < looksAtMost; looks++) {
    const [waits] = await store.query<{ is: boolean }>(
      sql`select exists (select from ninefold.untold as u join ninefold.history as h on h.id = u.entry
        where u.due_at is null and h.entity = ${entity} and h.record = ${id}::uuid) as is`,
    )
    if (waits?.is !== true) break
    await setTimeout(lookEvery)
  }
  const told = await store.query<{ person: string; kind: string }>(
    sql`select person, kind from ninefold.notice where entity = ${entity} and record = ${id}::uuid`,
  )
  return new Set(told.map(({ person, kind }) => `${person} ${kind}`))
}
