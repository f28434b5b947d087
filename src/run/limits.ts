/** Limits, the constants of heading 9, as they hold now: the document's value, or a newer one that somebody with the right gave. */
import { dayNumber } from '../expression/dates.ts'
import { slot, sql } from '../expression/sql.ts'
import type { Wire } from '../expression/type.ts'
import { fromWire, order } from '../expression/values.ts'
import { engineRange } from '../headings/9-limits/engine.ts'
import type { Constant } from '../headings/9-limits/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { keyName } from '../headings/translate.ts'
import type { Tx } from '../store/pool.ts'
import { conditionSql } from './access/condition.ts'
import { policyFor } from './access/policy.ts'
import { nameable } from './access/unnamed.ts'
import { markForRearming, timersReading } from './later/rearm-mark.ts'
import { columnSql, fromSql } from './names.ts'
import type { Outcome, Problem } from './outcome.ts'
import { raise } from './problems/raise.ts'
import { shownValue } from './problems/shown.ts'
import { remember } from './read/history.ts'
import type { Request, Runtime } from './request.ts'
import { bindingsOf, built, cachedStatement } from './statements.ts'
import { fits } from './values.ts'

/** Constants have no record of their own; their history stands under this id. */
export const constantsRecord = '00000000-0000-0000-0000-000000000000'

/** A row of `ninefold.constant`: a value that somebody gave, from a day on. */
export interface HeldConstant {
  readonly key: string
  /** Whose value it is; null: everybody's. */
  readonly tenant: string | null
  readonly since: string
  /** Wire; null: not specified, and of a tenant as everybody's. */
  readonly value: string | null
}

/** The value of a constant from a day on. */
export interface Dated {
  readonly since: string
  readonly wire: Wire
}

/** Since when holds what has held for ever. */
const ever = '0001-01-01'

/** What holds when, the earliest first; from ever on something does. A fixed one is never changed, but may have another value from a day on. */
function valuesOverTime(
  constant: Constant,
  held: readonly HeldConstant[],
  tenant: string | null,
): readonly [Dated, ...Dated[]] {
  const given =
    constant.change === 'fixed' ? [] : held.filter(({ key, value }) => key === constant.key && allowed(constant, value))
  const of = (whose: string | null) =>
    given.flatMap(({ tenant: by, since, value }) => (by === whose ? [{ since, wire: wireOf(constant, value) }] : []))
  const written: readonly Dated[] = [
    { since: ever, wire: specified(constant.value)?.wire ?? null },
    ...constant.later.map(({ since, wire }) => ({ since, wire })),
  ]
  const days = new Map([...written, ...of(null)].map(one => [one.since, one]))
  const everybodys = inOrder([...days.values()])
  const own = tenant === null ? [] : inOrder(of(tenant))
  if (own.length === 0) return everybodys as [Dated, ...Dated[]]
  const all = [...new Set([...everybodys, ...own].map(({ since }) => since))].sort()
  return all.map(since => ({ since, wire: valueAt(own, since) ?? valueAt(everybodys, since) })) as [Dated, ...Dated[]]
}

const inOrder = (all: readonly Dated[]): readonly Dated[] => [...all].sort((a, b) => (a.since < b.since ? -1 : 1))

const valueAt = (all: readonly Dated[], day: string): Wire => all.findLast(({ since }) => since <= day)?.wire ?? null

/**
 * Values by key as they hold today; an unspecified one is null. Of a constant that is read `on` a day, all that it was and will be
 * stands under its key with ` on`, as JSON. The same object as long as nothing of it changes.
 */
export const limitsOf = (
  app: App,
  held: readonly HeldConstant[],
  tenant: string | null,
  today: string,
): Readonly<Record<string, Wire>> =>
  cachedStatement(app, ['limits', tenant, today, JSON.stringify(held)], () => limitsThen(app, held, tenant, today))

function limitsThen(
  app: App,
  held: readonly HeldConstant[],
  tenant: string | null,
  today: string,
): Readonly<Record<string, Wire>> {
  const limits: Record<string, Wire> = {}
  for (const [key, constant] of app.limits) {
    const dated = valuesOverTime(constant, held, tenant)
    limits[key] = valueAt(dated, today)
    if (constant.onDays)
      limits[`${key} on`] = JSON.stringify(
        dated.map(({ since, wire }) => ({ since, value: wire === null ? null : String(wire) })),
      )
  }
  return limits
}

/** Of every tenant that has a value of its own. */
export const limitsByTenant = (
  app: App,
  held: readonly HeldConstant[],
  today: string,
): ReadonlyMap<string, Request['limits']> =>
  new Map(
    [...new Set(held.flatMap(({ tenant }) => tenant ?? []))].map(tenant => [
      tenant,
      limitsOf(app, held, tenant, today),
    ]),
  )

/** Where the application itself acts on a record, the constants of the record's tenant hold. */
export async function asTenant(
  { app, store }: Runtime,
  request: Request,
  entity: string,
  id: string,
): Promise<Request> {
  const tenant = app.schema.get(entity)?.tenant
  if (tenant === undefined || request.tenants === undefined || request.tenants.size === 0) return request
  const [row] = await store.query<{ tenant: string | null }>(
    sql`select ${columnSql('t', tenant.field)} as tenant from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${id}::uuid`,
  )
  return ofTenant(request, row?.tenant ?? null)
}

export const ofTenant = (request: Request, tenant: string | null): Request => ({
  ...request,
  limits: request.tenants?.get(tenant ?? '') ?? request.limits,
})

/** What is held as a text, as a value of the constant. */
const wireOf = ({ type }: Constant, value: string | null): Wire =>
  value !== null && type.kind === 'yes/no' ? value === 'true' : value

/** A value that was given under an earlier document and is no value any more does not count. */
const allowed = (constant: Constant, value: string | null) =>
  value === null || (fits(constant.type, wireOf(constant, value)) && inRange(constant, wireOf(constant, value)))

/** What the document says, else what a limit of Ninefold's can bear. */
export const rangeOf = ({
  key,
  range,
}: Pick<Constant, 'key' | 'range'>): { readonly min: string; readonly max: string } | null => range ?? engineRange(key)

function inRange(constant: Constant, value: Wire): boolean {
  const { type } = constant
  const range = rangeOf(constant)
  if (range === null) return true
  const [at, min, max] = [value, range.min, range.max].map(one => fromWire(one, type))
  if (at === null || min === null || max === null) return false
  return order(at!, min!) >= 0 && order(at!, max!) <= 0
}

export interface LimitChange {
  readonly id: string
  readonly key: string
  readonly at: string
  /** Null: somebody who is not here any more, or whom the reader may not know of. */
  readonly by: string | null
  readonly before: Wire
  readonly after: Wire
  /** The day from which it holds; null: at once. */
  readonly since: string | null
}

/** Changes of these constants, newest first, those before another one where it is named: everybody's, and those of the reader's tenant. Whom the reader may not see is not named. */
export function readLimitChanges(
  { app, store }: Runtime,
  request: Request,
  keys: readonly string[],
  before: string | null = null,
  limit = 50,
): Promise<readonly LimitChange[]> {
  const policy = policyFor(app, request.actor)
  const known = conditionSql(nameable(policy, 'person', 'p'))
  return store.query<LimitChange>(
    sql`select h.id, h.what as key, h.at, p.name as by, h.changes -> h.what -> 0 as before, h.changes -> h.what -> 1 as after,
        h.changes -> 'since' ->> 1 as since
      from ninefold.history as h left join public.person as p on p.id = h.actor and ${known}
      where h.kind = 'constant' and h.record = any(${[constantsRecord, ownerOf(request)]}::uuid[]) and h.what = any(${keys}::text[])
        and (${before}::uuid is null or h.id < ${before}::uuid)
      order by h.id desc limit ${limit}::bigint`,
    bindingsOf(request),
  )
}

/** Whose values a person gives: their tenant's; who belongs to none gives everybody's. */
const ownerOf = ({ actor }: Request): string => actor.tenant ?? constantsRecord

export interface Planned extends Dated {
  /** It can be taken back by whoever may change the constant. */
  readonly own: boolean
}

interface LimitState {
  /** What will hold, and from which day on. */
  readonly planned: readonly Planned[]
  /** The reader's tenant has a value of its own now. */
  readonly own: boolean
}

/** What holds for the reader, now and later, by key. */
export async function readLimitStates(
  { app, store }: Runtime,
  request: Request,
): Promise<Readonly<Record<string, LimitState>>> {
  const held = await store.query<HeldConstant>(heldFor(request, null))
  const tenant = request.actor.tenant ?? null
  return Object.fromEntries(
    [...app.limits].map(([key, constant]) => {
      const mine = held.filter(one => one.key === key && one.tenant === tenant)
      const planned = valuesOverTime(constant, held, tenant)
        .filter(({ since }) => since > request.today)
        .map(one => ({ ...one, own: mine.some(({ since }) => since === one.since) }))
      const current =
        tenant === null ? undefined : inOrder(datedOf(mine)).findLast(({ since }) => since <= request.today)
      return [key, { planned, own: current !== undefined && current.wire !== null }]
    }),
  )
}

const datedOf = (rows: readonly HeldConstant[]): readonly Dated[] =>
  rows.map(({ since, value }) => ({ since, wire: value }))

const heldFor = (request: Request, key: string | null) =>
  sql`select key, nullif(tenant, ${constantsRecord}::uuid) as tenant, since, value from ninefold.constant
    where tenant = any(${[constantsRecord, ownerOf(request)]}::uuid[]) and (${key}::text is null or key = ${key}::text)`

/** Whether these people may change it while the application runs. */
export function mayChange({ change }: Constant, { actor }: Pick<Request, 'actor'>): boolean {
  if (change === 'fixed' || isUnspecified(change)) return false
  return change.roles.some(role => actor.roles.includes(role))
}

/**
 * Gives a constant a new value: of a tenant, where whoever asks belongs to one, else everybody's. At once it holds for every
 * request that begins afterwards; from a day on, when the day begins. `value` is wire; null: a tenant goes by everybody's again.
 */
export async function changeConstant(
  runtime: Runtime,
  request: Request,
  key: string,
  value: Wire,
  since: string | null = null,
): Promise<Outcome> {
  const { app, store } = runtime
  const refusal = whyNotThen(app, request, key, since) ?? whyNotSo(app, request, app.limits.get(key)!, value)
  if (refusal !== null) return refusal
  const constant = app.limits.get(key)!
  const day = since ?? request.today
  return store.inTransaction(async tx => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`constant ${key}`}, 0))`)
    const held = await tx.query<HeldConstant>(heldFor(request, key))
    const before = valueAt(valuesOverTime(constant, held, request.actor.tenant ?? null), day)
    if (since === null) await markForRearming(tx, runtime, request, timersReading(app, key))
    const of = { key, tenant: ownerOf(request), since: day }
    await tx.write(setConstant, {
      ...of,
      value: value === null ? null : String(value),
      by: request.actor.id,
      at: request.now.toISOString(),
    })
    noteChange(tx, app, request, constant, before, value, since)
    return { kind: 'done', id: key, version: 1 }
  })
}

/** Takes a value back that has not begun to hold. */
export async function takeBackConstant(
  runtime: Runtime,
  request: Request,
  key: string,
  since: string,
): Promise<Outcome> {
  const { app, store } = runtime
  const refusal = whyNotThen(app, request, key, since)
  if (refusal !== null) return refusal
  const constant = app.limits.get(key)!
  return store.inTransaction(async tx => {
    const [gone] = await tx.query<{ value: string | null }>(
      sql`delete from ninefold.constant where key = ${key} and tenant = ${ownerOf(request)}::uuid and since = ${since}::date returning value`,
    )
    if (gone === undefined) return { kind: 'not found', problem: raise(app, 'NF-NO-LIMIT', { label: key }) }
    noteChange(tx, app, request, constant, wireOf(constant, gone.value), null, since)
    return { kind: 'done', id: key, version: 1 }
  })
}

function noteChange(
  tx: Tx,
  app: App,
  request: Request,
  { key, change, cell }: Constant,
  before: Wire,
  after: Wire,
  since: string | null,
): void {
  remember(tx, app, request, {
    entity: 'constant',
    record: ownerOf(request),
    version: 1,
    kind: 'constant',
    what: key,
    changes: { [key]: [before, after], ...(since === null ? {} : { since: [null, since] }) },
    because: change === 'fixed' || isUnspecified(change) ? cell : change.cell,
  })
}

const refuse = (problem: Problem): Outcome => ({ kind: 'refused', problems: [problem] })

/** Null: it may be changed by whoever asks, from that day on. */
function whyNotThen(app: App, request: Request, key: string, since: string | null): Outcome | null {
  const constant = app.limits.get(key)
  if (constant === undefined) return { kind: 'not found', problem: raise(app, 'NF-NO-LIMIT', { label: key }) }
  const { change, cell } = constant
  if (change === 'fixed') return refuse(raise(app, 'NF-LIMIT-FIXED', { label: key }, { because: cell }))
  if (!mayChange(constant, request))
    return refuse(raise(app, 'NF-LIMIT-DENIED', { label: key }, { because: change.cell }))
  if (since === null || (dayNumber(since) !== null && since > request.today)) return null
  const day = dayNumber(since) === null ? since : shownValue(since, { kind: 'date' }, request.locale, request.zone)
  return refuse(raise(app, 'NF-LIMIT-DAY', { label: keyName(app, key), day }, { field: key, because: cell }))
}

/** Null: it may have that value. */
function whyNotSo(app: App, request: Request, constant: Constant, value: Wire): Outcome | null {
  const { key, cell, type, range } = constant
  const place = { field: key, because: range?.cell ?? cell }
  const isOfTenant = request.actor.tenant != null
  if (value === null)
    return isOfTenant ? null : refuse(raise(app, 'NF-LIMIT-DENIED', { label: keyName(app, key) }, place))
  if (!fits(type, value)) return refuse(raise(app, 'NF-NUMBER', { label: keyName(app, key), example: '12' }, place))
  if (type.kind === 'integer' && String(value).includes('.'))
    return refuse(raise(app, 'NF-WHOLE', { label: keyName(app, key) }, place))
  if (inRange(constant, value)) return null
  const bounds = rangeOf(constant)!
  const shown = (wire: string) => shownValue(wire, type, request.locale, request.zone)
  return refuse(
    raise(app, 'NF-LIMIT-RANGE', { label: keyName(app, key), min: shown(bounds.min), max: shown(bounds.max) }, place),
  )
}

const setConstant = built(sql`
  insert into ninefold.constant (key, tenant, since, value, changed_by, changed_at)
  values (${slot('key')}, ${slot('tenant')}::uuid, ${slot('since')}::date, ${slot('value')}, ${slot('by')}::uuid, ${slot('at')}::timestamptz)
  on conflict (tenant, key, since) do update set value = excluded.value, changed_by = excluded.changed_by, changed_at = excluded.changed_at`)
