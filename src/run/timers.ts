/** Timers of records: armed in the transaction of every write, fired once per due time, as the application itself. */
import { type Environment, evaluate } from '../expression/evaluate.ts'
import { slot, sql } from '../expression/sql.ts'
import type { RecordValue } from '../expression/type.ts'
import type { TimeOfDay, Timer, Working } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { timedOf } from '../store/migrate.ts'
import type { Tx } from '../store/pool.ts'
import { isArchived } from './archived.ts'
import { isoText, momentAt } from './clock.ts'
import { markForRearming } from './rearm-mark.ts'
import { type Draft, environmentOf, type Related, withRelated } from './record.ts'
import type { Request, Runtime } from './request.ts'
import { type Clockwork, clockworkOf, later, nextOccurrence, workingDaysLater, workingHoursLater } from './rhythm.ts'
import { built } from './statements.ts'

/** When a timer of this record is due; null: not armed, because its moment is not known or its state is not the record's. */
function dueAt(
  app: App,
  request: Request,
  related: Related,
  record: RecordValue,
  timer: Timer,
  from: Date,
): Date | null {
  if (!timer.while.includes(record.state as string)) return null
  const { at } = timer
  const clockwork = clockworkOf(app, request.closed)
  if (at.kind === 'every') return nextOccurrence(at.rhythm, from, clockwork)
  const environment = environmentOf(request, related, record, null)
  if (at.kind === 'after entering') {
    if ('of' in at.length) return worked(from, at.length, 1, at.time, environment, clockwork)
    const length = evaluate(at.length, environment)
    return typeof length === 'string' ? later(from, length, at.time, clockwork) : null
  }
  const due = evaluate(at.at, environment)
  if (typeof due !== 'string') return null
  const moment = at.at.type.kind === 'moment' ? new Date(due) : momentAt(due, at.time!, clockwork.zone)
  if (at.working === null) return moment
  return worked(moment, at.working, at.working.before ? -1 : 1, at.time, environment, clockwork)
}

/** So many working days or hours after a moment; before it, where `sign` is negative. */
function worked(
  from: Date,
  { of, count }: Working,
  sign: 1 | -1,
  time: TimeOfDay | null,
  environment: Environment,
  clockwork: Clockwork,
): Date | null {
  const said = evaluate(count, environment)
  if (typeof said !== 'string') return null
  const by = Number(said) * sign
  return of === 'days' ? workingDaysLater(from, by, time, clockwork) : workingHoursLater(from, by, clockwork)
}

/** None, while it is archived. */
const timersOf = (app: App, entity: string, record: Draft): readonly Timer[] =>
  isArchived(record) ? [] : (app.workflows.get(entity)?.timers ?? [])

/**
 * Brings the record's timers to what it says now. A timer that has fired stays so until its due time moves: a reminder is not
 * sent again because something else of the record was changed. What counts from entering a state, or comes back, is armed once,
 * when the record comes into the state. Of sample data, what was due before they were put in has happened by then.
 */
export async function armTimers(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
  which: 'new' | 'stored' | 'sampled' = 'stored',
): Promise<void> {
  const { app, wake } = runtime
  await closedDayChanged(tx, runtime, request, entity)
  const timers = timersOf(app, entity, record)
  if (timers.length === 0) return
  related.put(entity, record)
  const due = await withRelated(related, () =>
    timers.flatMap(timer => {
      const at = dueAt(app, request, related, record, timer, request.now)
      return at === null ? [] : [{ timer: timer.key, due: at.toISOString(), once: timer.at.kind === 'once' }]
    }),
  )
  const key = { entity, record: record.id }
  if (which === 'stored') await tx.write(disarmOthers, { ...key, kept: keptBeside(app, entity, due) })
  if (due.length === 0) return
  const now = isoText(request.now)
  const isDue = due.some(one => one.due <= now)
  if (wake !== undefined && isDue && which !== 'sampled') tx.afterCommit(wake)
  const [moving, lasting] = [due.filter(({ once }) => once), due.filter(({ once }) => !once)]
  if (moving.length > 0) await tx.write(arm, { ...key, now, due: JSON.stringify(moving) })
  if (lasting.length > 0) await tx.write(armNew, { ...key, now, due: JSON.stringify(lasting) })
  if (which === 'sampled' && isDue) await tx.write(firedBefore, { ...key, now })
}

/** What was armed for the record by a timer that looks for its records stays beside its own. */
const keptBeside = (app: App, entity: string, due: readonly { readonly timer: string }[]): readonly string[] => [
  ...due.map(({ timer }) => timer),
  ...app.sweeps.filter(sweep => sweep.entity === entity).map(({ key }) => key),
]

const disarmOthers = built(sql`
  delete from ninefold.timer where entity = ${slot('entity')} and record = ${slot('record')}::uuid
    and timer <> all(${slot('kept')}::text[])`)

const armed = sql`
  insert into ninefold.timer as t (entity, record, timer, due_at, armed_at)
  select ${slot('entity')}, ${slot('record')}::uuid, d.timer, d.due, ${slot('now')}::timestamptz
  from jsonb_to_recordset(${slot('due')}::jsonb) as d (timer text, due timestamptz)`

const armNew = built(sql`${armed} on conflict (entity, record, timer) do nothing`)

const arm = built(sql`${armed}
  on conflict (entity, record, timer) do update
    set due_at = excluded.due_at, fired_at = null, attempts = 0, last_error = null, claimed_until = null, claimed_by = null
    where t.due_at <> excluded.due_at`)

const firedBefore = built(sql`
  update ninefold.timer set fired_at = due_at
  where entity = ${slot('entity')} and record = ${slot('record')}::uuid and due_at <= ${slot('now')}::timestamptz`)

/** The record is deleted. */
export async function disarmTimers(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
): Promise<void> {
  await closedDayChanged(tx, runtime, request, entity)
  await tx.write(sql`delete from ninefold.timer where entity = ${entity} and record = ${id}::uuid`)
}

/** A day without work that comes, goes or moves changes what timers go by. */
async function closedDayChanged(tx: Tx, runtime: Runtime, request: Request, entity: string): Promise<void> {
  if (runtime.app.workingTime?.closed?.entity === entity)
    await markForRearming(tx, runtime, request, timedOf(runtime.app))
}

/** Brings timers that have not fired to what decides about them now; what is due already stays so. */
export async function rearmRecord(
  tx: Tx,
  { app }: Runtime,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
): Promise<void> {
  const timers = timersOf(app, entity, record)
  related.put(entity, record)
  const rows = await tx.query<{ timer: string; armed_at: string | null }>(
    sql`select timer, armed_at from ninefold.timer where entity = ${entity} and record = ${record.id}::uuid`,
  )
  const since = new Map(rows.map(row => [row.timer, row.armed_at]))
  const due = await withRelated(related, () =>
    timers.flatMap(timer => {
      const armed = timer.at.kind === 'after entering' ? (since.get(timer.key) ?? null) : null
      const at = dueAt(app, request, related, record, timer, armed === null ? request.now : new Date(armed))
      return at === null ? [] : [{ timer: timer.key, due: at.toISOString() }]
    }),
  )
  await tx.write(disarmOthers, { entity, record: record.id, kept: keptBeside(app, entity, due) })
  const now = isoText(request.now)
  if (due.length > 0) await tx.write(move, { entity, record: record.id, now, due: JSON.stringify(due) })
}

const move = built(sql`${armed}
  on conflict (entity, record, timer) do update set due_at = excluded.due_at, attempts = 0, last_error = null
    where t.fired_at is null and t.due_at > ${slot('now')}::timestamptz and t.due_at <> excluded.due_at`)

/** When a timer that comes back fires after this time; null: it is over. */
export function nextDue({ app }: Runtime, request: Request, { at }: Timer): Date | null {
  return at.kind === 'every' ? nextOccurrence(at.rhythm, request.now, clockworkOf(app, request.closed)) : null
}
