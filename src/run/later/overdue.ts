/** Timers that did not fire when they should have: late, failed again and again, or skipped. For those who look after what is not delivered. */
import { raw, slot, sql } from '../../expression/sql.ts'
import { rearmMark } from '../../store/system.ts'
import { policyFor } from '../access/policy.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { labelCase, maySendAgain, ofTenant } from './send-again.ts'

/** Minutes from which on a timer is late. */
const patience = 5
/** Days for which a skipped time is told. */
const toldFor = 30

export interface Overdue {
  readonly entity: string
  readonly record: string
  readonly timer: string
  /** When it should have fired. */
  readonly due_at: string
  /** What came between; null: nothing did yet. */
  readonly last_error: string | null
  readonly attempts: string
  /** Nothing happened then, and nothing will. */
  readonly skipped: boolean
  /** What names the record; null where there is none, or it is not for whoever asks. */
  readonly label: string | null
}

/** The latest first, at most `limit`; none for whom it is not. */
export async function readOverdue(
  { app, store }: Runtime,
  request: Request,
  limit: number,
): Promise<readonly Overdue[]> {
  if (!maySendAgain(app, request.actor)) return []
  const policy = policyFor(app, request.actor)
  const entities = new Set([...app.timers, ...app.sweeps].map(({ entity }) => entity))
  if (entities.size === 0) return []
  const query = cachedStatement(app, ['overdue', policy.key], () => {
    const late = sql`${slot('now')}::timestamptz - interval '${raw(String(patience))} minutes'`
    const told = sql`${slot('now')}::timestamptz - interval '${raw(String(toldFor))} days'`
    return built(sql`
      select o.entity, o.record, o.timer, coalesce(s.at, o.due_at) as due_at, o.last_error, o.attempts, s.at is not null as skipped,
        (case when false then '' ${labelCase(app, policy, entities)} end) as label
      from ninefold.timer as o cross join lateral (
        select o.skipped_at as at where o.skipped_at > ${told}
        union all select null where o.fired_at is null and (o.due_at < ${late} or o.last_error is not null)) as s
      where left(o.timer, 1) <> ${rearmMark.slice(0, 1)} and ${ofTenant(app, request.actor)}
      order by coalesce(s.at, o.due_at) desc limit ${slot('limit')}::bigint`)
  })
  return store.run<Overdue>(query, bindingsOf(request, { limit, now: request.now.toISOString() }))
}
