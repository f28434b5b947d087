/** What the application itself writes into records, as work inside of a transaction that does more: fields that effects and answers of calls set. */
import type { Cell } from '../../document/source.ts'
import { slot, sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import { policyFor } from '../access/policy.ts'
import { armTimers } from '../later/timers.ts'
import { columnSql, declared, fromSql } from '../names.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { remember } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { built, cachedStatement } from '../statements.ts'
import { clearAbsent } from './absent.ts'
import { changesOf } from './change-set.ts'
import { check, heldBy } from './check.ts'
import { type ChangedRecord, recordEvent } from './domain-events.ts'
import { changedDraft, childLists, type Draft, draftRows, type ListField, putBack, rowsIn } from './draft-record.ts'
import { recompute } from './recompute.ts'
import { type Locked, loadChildren, lockRecord } from './record.ts'
import { scopeOf } from './scope.ts'
import { brokenLater, notFound, refused, save } from './write.ts'

/** What the application itself writes into a record. */
export interface Setting {
  readonly values: Readonly<Record<string, Wire>>
  /** `go to`; null: it stays where it is. */
  readonly state: string | null
}

/** What makes it write, and by which line of the document. */
interface Reason {
  readonly kind: 'call' | 'change'
  /** The call, or what else the history names. */
  readonly name: string
  readonly because: Cell
}

/**
 * Sets fields of a record as the application itself: what an effect or the answer of a call says. A child row is written with its
 * parent. Inside a transaction that does more.
 */
export async function setInside(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  setting: Setting & Reason,
): Promise<Outcome> {
  const { app } = runtime
  const policy = policyFor(app, request.actor)
  const above = app.entities.get(entity)?.partOf ?? null
  const list = above === null ? null : (childLists(app, above).find(one => one.entity === entity) ?? null)
  if (above !== null && list !== null) {
    const parent = await parentOf(tx, app, entity, list.parent, id)
    return parent === null
      ? notFound(app)
      : setRows(tx, runtime, request, { entity: above, id: parent, list }, new Map([[id, setting]]), setting)
  }
  const locked = await lockRecord(tx, app, request, policy, entity, id)
  if (locked === null) return notFound(app)
  await loadChildren(tx, app, entity, [locked.record])
  const record = changedDraft(app, request, entity, locked.record)
  const problems = put(app, entity, record, setting.values)
  if (setting.state !== null) record.state = setting.state
  const touched = new Set([...Object.keys(setting.values), ...(setting.state === null ? [] : ['state'])])
  const on = setting.kind === 'call' ? setting.name : ' effect'
  return saveSet(tx, runtime, request, locked, { entity, record, problems, on, touched }, setting)
}

/** Writes values into a draft; what a field cannot hold is a problem. */
function put(app: App, entity: string, record: Draft, values: Readonly<Record<string, Wire>>): Problem[] {
  const problems: Problem[] = []
  for (const [key, wire] of Object.entries(values)) {
    const field = declared(app, entity, key)
    if (field === undefined) continue
    const held = heldBy(app, field, wire, key)
    if ('problem' in held) problems.push(held.problem)
    else record[key] = held.value
  }
  return problems
}

/** The id of the record that a row is part of; null: there is no such row. */
export async function parentOf(tx: Tx, app: App, entity: string, parent: string, id: string): Promise<string | null> {
  const query = cachedStatement(app, ['parent', entity], () =>
    built(
      sql`select ${columnSql('t', parent)} as parent from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${slot('id')}::uuid`,
    ),
  )
  return (await tx.run<{ parent: string }>(query, { id }))[0]?.parent ?? null
}

/** The record that is written where a row is: what the row is part of, or what that is part of. Null: there is no such row. */
export async function writtenWith(
  tx: Tx,
  app: App,
  entity: string,
  id: string,
): Promise<{ readonly entity: string; readonly id: string } | null> {
  const { partOf } = app.entities.get(entity)!
  if (partOf === null) return { entity, id }
  const above = await parentOf(tx, app, entity, app.schema.get(entity)!.parent!, id)
  return above === null ? null : writtenWith(tx, app, partOf, above)
}

/** What became of the record that rows were part of. */
interface Parted {
  readonly parent: string
  readonly id: string
  readonly outcome: Outcome
}

/** Takes rows out of what they are part of, as the application itself: each list that has some is written once. */
export async function removeRows(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  ids: readonly string[],
  because: Cell,
): Promise<readonly Parted[]> {
  const { app } = runtime
  const parent = app.entities.get(entity)!.partOf!
  const list = childLists(app, parent).find(one => one.entity === entity)
  const of = new Set<string>()
  for (const id of ids) {
    const found = list === undefined ? null : await parentOf(tx, app, entity, list.parent, id)
    if (found !== null) of.add(found)
  }
  const reason: Reason = { kind: 'change', name: 'change', because }
  const parted: Parted[] = []
  for (const id of of) {
    const without = (rows: readonly RecordValue[]) => rows.filter(row => !ids.includes(row.id as string))
    const rowsOf = { entity: parent, id, list: list! }
    const outcome = await saveRows(tx, runtime, request, rowsOf, reason, rows => [without(rows), []])
    parted.push({ parent, id, outcome })
  }
  return parted
}

/** The rows of a record, or of a row, in one of its lists. */
export interface RowsOf {
  readonly entity: string
  readonly id: string
  readonly list: ListField
}

/** Sets fields of rows, with one write. Problems of a row name it by its place: `lines.0.price`. */
export async function setRows(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  rowsOf: RowsOf,
  settings: ReadonlyMap<string, Setting>,
  reason: Reason,
): Promise<Outcome> {
  const { list } = rowsOf
  return saveRows(tx, runtime, request, rowsOf, reason, (before, at) => {
    const problems: Problem[] = []
    const rows = before.map((one, index) => {
      const setting = settings.get(one.id as string)
      if (setting === undefined) return one
      const draft: Draft = { ...one, id: one.id as string }
      for (const problem of put(runtime.app, list.entity, draft, setting.values))
        problems.push({ ...problem, field: `${at}${list.field}.${index}.${problem.field}` })
      if (setting.state !== null) draft.state = setting.state
      return draft
    })
    return [rows, problems]
  })
}

/** Writes the record that they are in with other rows in one list; `at` is the prefix of whatever has the list. */
async function saveRows(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  { entity, id, list }: RowsOf,
  reason: Reason,
  change: (
    before: readonly RecordValue[],
    at: string,
  ) => readonly [rows: readonly RecordValue[], problems: readonly Problem[]],
): Promise<Outcome> {
  const { app } = runtime
  const whole = await writtenWith(tx, app, entity, id)
  if (whole === null) return notFound(app)
  const locked = await lockRecord(tx, app, request, policyFor(app, request.actor), whole.entity, whole.id)
  if (locked === null) return notFound(app)
  await loadChildren(tx, app, whole.entity, [locked.record])
  const holder = draftRows(app, whole.entity, locked.record, null).find(({ row }) => row.id === id)
  if (holder === undefined) return notFound(app)
  const [rows, problems] = change(rowsIn(holder.row, list), holder.prefix)
  const other = putBack(holder, { ...holder.row, [list.field]: rows })
  const record = changedDraft(app, request, whole.entity, { ...other, id: whole.id })
  const touched = new Set([(holder.prefix + list.field).split('.')[0]!])
  return saveSet(
    tx,
    runtime,
    request,
    locked,
    { entity: whole.entity, record, problems, on: 'change', touched },
    reason,
  )
}

/** A record as it is to be, and what its fields could not hold. */
interface Drafted {
  readonly entity: string
  readonly record: Draft
  readonly problems: readonly Problem[]
  /** The occasion by which rules are asked. */
  readonly on: string
  readonly touched: ReadonlySet<string>
}

async function saveSet(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  locked: Locked,
  { entity, record, problems: wrong, on, touched }: Drafted,
  { kind, name, because }: Reason,
): Promise<Outcome> {
  const { app } = runtime
  const { id } = record
  const old: RecordValue = locked.record
  const scope = scopeOf(tx, runtime, request)
  const about: ChangedRecord = { entity, record, old }
  const absent = await clearAbsent(scope, about, new Map())
  const renewed = recompute(scope, about)
  const checked = await check(scope, {
    entity,
    record,
    old,
    on,
    touched: new Set([...touched, ...absent.emptied, ...renewed]),
    reported: new Set(),
  })
  const problems = [...wrong, ...checked.problems]
  if (problems.length > 0) return refused(problems)
  const changes = changesOf(app, entity, old, record)
  const moved = record.state !== old.state
  if (Object.keys(changes).length === 0 && !moved) return { kind: 'done', id, version: locked.version }
  const next = await save(scope, entity, locked, record)
  const late = await brokenLater(scope, checked)
  if (late.length > 0) return refused(late)
  remember(tx, app, request, {
    entity,
    record: id,
    version: next,
    kind,
    what: name,
    ...(moved ? { fromState: old.state as string, toState: record.state as string } : {}),
    changes,
    because,
  })
  await armTimers(scope, about)
  recordEvent(tx, app, { on: [], ...about })
  return { kind: 'done', id, version: next }
}
