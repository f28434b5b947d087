/** Timers of records: armed in the transaction of every write, fired once per due time, as the application itself. */
import { evaluate } from '../expression/evaluate.ts'
import { slot, sql } from '../expression/sql.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Timer } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import type { Tx } from '../store/pool.ts'
import { momentAt } from './clock.ts'
import { type Draft, environmentOf, type Related, withRelated } from './record.ts'
import type { Request, Runtime } from './request.ts'
import { built } from './statements.ts'

/** When a timer of this record is due; null: not armed, because its moment is not known or its state is not the record's. */
function dueAt(app: App, request: Request, related: Related, record: RecordValue, timer: Timer): Date | null {
  if (!timer.while.includes(record.state as string)) return null
  const at = evaluate(timer.at, environmentOf(request, related, record, null))
  if (typeof at !== 'string') return null
  if (timer.at.type.kind === 'moment') return new Date(at)
  return momentAt(at, timer.time ?? { hour: 0, minute: 0 }, app.product.timeZone.name)
}

/**
 * Brings the record's timers to what it says now. A timer that has fired stays so until its due time moves: a reminder is not
 * sent again because something else of the record was changed.
 */
export async function armTimers(
  tx: Tx,
  { app, wake }: Runtime,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
  which: 'new' | 'stored' = 'stored',
): Promise<void> {
  const timers = app.workflows.get(entity)?.timers ?? []
  if (timers.length === 0) return
  related.put(entity, record)
  const due = await withRelated(related, () =>
    timers.flatMap(timer => {
      const at = dueAt(app, request, related, record, timer)
      return at === null ? [] : [{ timer: timer.key, due: at.toISOString() }]
    }),
  )
  const key = { entity, record: record.id }
  if (which === 'stored') await tx.write(disarmOthers, { ...key, kept: due.map(({ timer }) => timer) })
  if (due.length === 0) return
  if (wake !== undefined && due.some(one => one.due <= request.now.toISOString())) tx.afterCommit(wake)
  await tx.write(arm, { ...key, due: JSON.stringify(due) })
}

const disarmOthers = built(sql`
  delete from ninefold.timer where entity = ${slot('entity')} and record = ${slot('record')}::uuid
    and timer <> all(${slot('kept')}::text[])`)

const arm = built(sql`
  insert into ninefold.timer as t (entity, record, timer, due_at)
  select ${slot('entity')}, ${slot('record')}::uuid, d.timer, d.due
  from jsonb_to_recordset(${slot('due')}::jsonb) as d (timer text, due timestamptz)
  on conflict (entity, record, timer) do update
    set due_at = excluded.due_at, fired_at = null, attempts = 0, last_error = null, claimed_until = null, claimed_by = null
    where t.due_at <> excluded.due_at`)

export const disarmTimers = (tx: Tx, entity: string, id: string): Promise<number> =>
  tx.write(sql`delete from ninefold.timer where entity = ${entity} and record = ${id}::uuid`)
