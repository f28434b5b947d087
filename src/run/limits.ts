/** Constants of heading 9 as they hold now: the document's value, or a newer one that somebody with the right gave. */
import { slot, sql } from '../expression/sql.ts'
import type { Wire } from '../expression/type.ts'
import { fromWire, order } from '../expression/values.ts'
import type { Constant } from '../headings/9-limits/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, said } from '../headings/said.ts'
import { allowFor } from './allow.ts'
import { conditionSql } from './condition.ts'
import { remember } from './history.ts'
import type { Outcome } from './outcome.ts'
import { raise } from './raise.ts'
import { markForRearming, timersReading } from './rearm-mark.ts'
import type { Request, Runtime } from './request.ts'
import { shownValue } from './shown.ts'
import { bindingsOf, built } from './statements.ts'
import { fits } from './values.ts'

/** Constants have no record of their own; their history stands under this id. */
export const constantsRecord = '00000000-0000-0000-0000-000000000000'

/** Values by key; an unspecified one is null. `changed` are the rows of `ninefold.constant`. A fixed one is never changed, but may have another value from a day on. */
export function limitsOf(
  app: App,
  changed: Readonly<Record<string, string | null>>,
  today: string,
): Readonly<Record<string, Wire>> {
  const limits: Record<string, Wire> = {}
  for (const [key, constant] of app.limits) {
    const dated = constant.later.findLast(({ since }) => since <= today)
    const written = dated === undefined ? (said(constant.value)?.wire ?? null) : dated.wire
    const newer = constant.change === 'fixed' ? undefined : changed[key]
    limits[key] = newer === undefined || !allowed(constant, newer) ? written : newer
  }
  return limits
}

/** A value that was given under an earlier document and is no value any more does not count. */
const allowed = (constant: Constant, value: string | null) =>
  value === null || (fits(constant.type, value) && inRange(constant, value))

function inRange({ type, range }: Constant, value: string): boolean {
  if (range === null) return true
  const [at, min, max] = [value, range.min, range.max].map(one => fromWire(one, type))
  if (at === null || min === null || max === null) return false
  return order(at!, min!) >= 0 && order(at!, max!) <= 0
}

export interface LimitChange {
  readonly key: string
  readonly at: string
  /** Null: somebody who is not here any more, or whom the reader may not know of. */
  readonly by: string | null
  readonly before: string | null
  readonly after: string | null
}

/** The latest changes of these constants, newest first. Who is of another tenant is not named. */
export function readLimitChanges(
  { app, store }: Runtime,
  request: Request,
  keys: readonly string[],
): Promise<readonly LimitChange[]> {
  const known = conditionSql(allowFor(app, request.actor).names('person', 'p'))
  return store.query<LimitChange>(
    sql`select h.what as key, h.at, p.name as by, h.changes -> h.what ->> 0 as before, h.changes -> h.what ->> 1 as after
      from ninefold.history as h left join public.person as p on p.id = h.actor and ${known}
      where h.kind = 'constant' and h.record = ${constantsRecord}::uuid and h.what = any(${keys}::text[])
      order by h.at desc, h.id desc limit 50`,
    bindingsOf(request),
  )
}

function mayChange({ change }: Constant, { actor }: Request): boolean {
  if (change === 'fixed' || isUnspecified(change)) return false
  return change.roles.some(role => actor.roles.includes(role))
}

/** Gives a constant a new value, at once for every request that begins afterwards. `value` is wire. */
export async function changeConstant(runtime: Runtime, request: Request, key: string, value: string): Promise<Outcome> {
  const { app, store } = runtime
  const constant = app.limits.get(key)
  const refuse = (problem: ReturnType<typeof raise>): Outcome => ({ kind: 'refused', problems: [problem] })
  if (constant === undefined) return { kind: 'not found', problem: raise(app, 'NF-NO-LIMIT', { label: key }) }
  const { change, cell } = constant
  if (change === 'fixed') return refuse(raise(app, 'NF-LIMIT-FIXED', { label: key }, { because: cell }))
  if (!mayChange(constant, request))
    return refuse(raise(app, 'NF-LIMIT-DENIED', { label: key }, { because: change.cell }))
  const place = { field: key, because: constant.range?.cell ?? cell }
  if (!fits(constant.type, value)) return refuse(raise(app, 'NF-NUMBER', { label: key, example: '12' }, place))
  if (constant.type.kind === 'integer' && value.includes('.'))
    return refuse(raise(app, 'NF-WHOLE', { label: key }, place))
  if (!inRange(constant, value)) {
    const shown = (wire: string) => shownValue(wire, constant.type, request.locale, request.zone)
    const range = constant.range!
    return refuse(raise(app, 'NF-LIMIT-RANGE', { label: key, min: shown(range.min), max: shown(range.max) }, place))
  }
  return store.inTransaction(async tx => {
    const [row] = await tx.query<{ value: string | null }>(
      sql`select value from ninefold.constant where key = ${key} for update`,
    )
    const before = row === undefined ? (said(constant.value)?.wire ?? null) : row.value
    await markForRearming(tx, runtime, request, timersReading(app, key))
    await tx.write(setConstant, { key, value, by: request.actor.id, at: request.now.toISOString() })
    await remember(tx, app, request, {
      entity: 'constant',
      record: constantsRecord,
      version: 1,
      kind: 'constant',
      what: key,
      changes: { [key]: [before, value] },
      because: change.cell,
    })
    return { kind: 'done', id: key, version: 1 }
  })
}

const setConstant = built(sql`
  insert into ninefold.constant (key, value, changed_by, changed_at)
  values (${slot('key')}, ${slot('value')}, ${slot('by')}::uuid, ${slot('at')}::timestamptz)
  on conflict (key) do update set value = excluded.value, changed_by = excluded.changed_by, changed_at = excluded.changed_at`)
