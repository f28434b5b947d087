/**
 * What armed timers go by may change without their records: a constant, a closed day, the document. Then a mark is left in the
 * transaction of the change, and the worker goes through the records, a few at a time, however many there are and whoever dies meanwhile.
 */
import { slot, sql } from '../expression/sql.ts'
import { momentsOf } from '../headings/4-states/timers.ts'
import type { App } from '../headings/app.ts'
import type { Tx } from '../store/pool.ts'
import { nobody, rearmMark } from '../store/system.ts'
import type { Request, Runtime } from './request.ts'
import { built } from './statements.ts'

/** Timers that a constant decides about. */
export const timersReading = (app: App, constant: string): readonly string[] =>
  [...app.workflows.values()].flatMap(({ entity, timers }) =>
    timers.some(({ at }) => momentsOf(at).some(({ reads }) => reads.includes(`limits.${constant}`))) ? [entity] : [],
  )

/** Leaves the mark for entities. */
export async function markForRearming(
  tx: Tx,
  { wake }: Runtime,
  request: Request,
  entities: readonly string[],
): Promise<void> {
  if (entities.length === 0) return
  if (wake !== undefined) tx.afterCommit(wake)
  await tx.write(mark, { entities, now: request.now.toISOString() })
}

const mark = built(sql`
  insert into ninefold.timer (entity, record, timer, due_at)
  select e, ${nobody}::uuid, ${rearmMark}, ${slot('now')}::timestamptz from unnest(${slot('entities')}::text[]) as e
  on conflict (entity, record, timer) do update
    set due_at = excluded.due_at, attempts = 0, claimed_until = null, claimed_by = null`)
