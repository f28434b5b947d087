/** Deleting, archiving and bringing back. */
import type { Cell } from '../../document/source.ts'
import { archivedAt } from '../../expression/archived.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import { archiving, bringingBack, isArchived } from '../access/archived.ts'
import { locksOf } from '../access/locks.ts'
import { asSeen } from '../access/rows.ts'
import { armTimers, disarmTimers } from '../later/timers.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { forgetComments } from '../people/comments.ts'
import { raise } from '../problems/raise.ts'
import { inUse } from '../problems/violation.ts'
import { type NewHistoryEntry, remember } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { isId } from '../values.ts'
import { changesOf } from './change-set.ts'
import { type Checked, check } from './check.ts'
import { type ChangedRecord, recordEvent } from './domain-events.ts'
import { changedDraft, outermost, rowsAt } from './draft-record.ts'
import { heldRows, keptByRows, keptProblem } from './input.ts'
import { asKept, deleteRecord } from './persist.ts'
import { recompute } from './recompute.ts'
import { inRows, type Locked, loadChildren } from './record.ts'
import { type Scope, scopeOf } from './scope.ts'
import {
  brokenLater,
  lockGranted,
  notFound,
  refused,
  refusedAsArchived,
  save,
  shut,
  stale,
  type Work,
} from './write.ts'

/**
 * Deletes a record with its child rows. What refers to it keeps it from going. Where the document says so it is archived instead: it
 * stays with all that refers to it. `forGood`: its time is over, archived or not. `act`: the line of the document that deletes it;
 * what is gone or archived already is done. A lock is for people, and stops neither.
 */
export function removing(
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  version: number | null,
  { forGood = false, act = null }: { readonly forGood?: boolean; readonly act?: Cell | null } = {},
): Work {
  const { app } = runtime
  const model = app.entities.get(entity)
  if (model === undefined || model.partOf !== null || !isId(id)) return notFound(app)
  return async tx => {
    const scope = scopeOf(tx, runtime, request)
    const locked = await lockGranted(scope, entity, id, 'delete')
    const isKept = model.archives !== null && !forGood
    if (act !== null && (locked === null || (isKept && isArchived(locked.record))))
      return { kind: 'done', id, version: locked?.version ?? 1 }
    if (locked === null || !locked.sees) return notFound(app)
    if (isKept && isArchived(locked.record)) return refusedAsArchived(app, entity)
    const granted = locked.may('delete')
    const removal: Removal = {
      model,
      locked,
      isKept,
      forGood,
      isByPeople: act === null,
      because: act ?? granted.because,
    }
    const kept = granted.open
      ? keptFromDeletion(scope, removal)
      : shut(app, entity, 'NF-DELETE-DENIED', removal.because)
    if (kept !== null) return refused([kept])
    if (version !== null && version !== locked.seenVersion) return await stale(scope, entity, locked)
    return await remove(scope, removal)
  }
}

/** Somebody may remove it, if neither rows nor rules keep it. */
async function remove(scope: Scope, removal: Removal): Promise<Outcome> {
  const { tx, app } = scope
  const { record } = removal.locked
  const entity = removal.model.key
  await loadChildren(tx, app, entity, [record])
  const rows = await keptWithRows(scope, removal)
  if (rows !== null) return refused([rows])
  const about = { entity, record, old: record }
  const checked = await check(scope, { ...about, on: 'delete', touched: new Set(), reported: new Set() })
  if (checked.problems.length > 0) return refused(await asSeen(scope, about, checked.problems))
  const late = await brokenLater(scope, checked)
  if (late.length > 0) return refused(await asSeen(scope, about, late))
  return removal.isKept
    ? await archive(scope, removal, checked.confirmed)
    : await deleteForGood(scope, removal, checked.confirmed)
}

/** A record that is about to be archived or deleted. */
interface Removal {
  readonly model: Entity
  readonly locked: Locked
  /** It is archived. */
  readonly isKept: boolean
  readonly forGood: boolean
  /** No act of the document does it. */
  readonly isByPeople: boolean
  readonly because: Cell
}

/** A lock of heading 4, or a number that may not be missing; null: neither. */
function keptFromDeletion({ app }: Scope, removal: Removal): Problem | null {
  const { model, locked, isKept, forGood, isByPeople, because } = removal
  const locks = isByPeople && !forGood ? locksOf(app, model.key, locked.record, locked.seesField('state')) : []
  const lock = locks.find(({ keeps }) => keeps)
  if (lock !== undefined) return keptProblem(app, model.name, lock, because)
  const series = model.fields.find(({ gapless, key }) => gapless !== null && (locked.record[key] ?? null) !== null)
  if (series === undefined || isKept) return null
  if (!locked.seesField(series.key)) return raise(app, 'NF-DELETE-DENIED', { entity: model.name }, { because })
  return raise(app, 'NF-GAPLESS', { entity: model.name, label: series.label }, { because: series.gapless })
}

/** Rows that are never deleted; whoever sees none of them is told no more than that the record is in use. */
async function keptWithRows({ tx, app, request, policy }: Scope, removal: Removal): Promise<Problem | null> {
  const { model, locked, isKept, forGood } = removal
  const { key: entity, name } = model
  const held = isKept || forGood ? undefined : heldRows(app, entity, locked.record)
  if (held === undefined) return null
  const { may } = await inRows(tx, app, request, policy, { entity, id: locked.record.id as string })
  const isTold =
    locked.seesField(outermost(held).field) && rowsAt(locked.record, held).some(row => may(row.id as string, 'see'))
  return isTold ? keptByRows(app, entity, held) : inUse(app, name)
}

async function archive(
  scope: Scope,
  { model, locked, because }: Removal,
  confirmed: Checked['confirmed'],
): Promise<Outcome> {
  const { tx, runtime, app, request } = scope
  const { key: entity } = model
  const id = locked.record.id as string
  const record = changedDraft(app, request, entity, { ...locked.record, [archivedAt]: request.now.toISOString() })
  const version = await save(scope, entity, locked, record)
  await disarmTimers(tx, runtime, request, entity, locked.record)
  rememberAside(tx, app, request, { entity, record: id, version, what: archiving, confirmed, because })
  recordEvent(tx, app, { on: ['deleted'], entity, record, old: null })
  return { kind: 'done', id, version }
}

async function deleteForGood(scope: Scope, removal: Removal, confirmed: Checked['confirmed']): Promise<Outcome> {
  const { tx, runtime, app, request } = scope
  const { model, locked, forGood, because } = removal
  const { key: entity } = model
  const id = locked.record.id as string
  const deleting = () => deleteRecord(tx, entity, id, locked.version)
  await (forGood ? asKept(tx, app, entity, deleting) : deleting())
  await disarmTimers(tx, runtime, request, entity, locked.record)
  await forgetComments(tx, entity, id)
  remember(tx, app, request, {
    entity,
    record: id,
    version: locked.version,
    kind: 'delete',
    what: 'delete',
    fromState: (locked.record.state as string | undefined) ?? null,
    changes: changesOf(app, entity, locked.record, null),
    confirmed,
    because,
  })
  // What follows from its deletion followed when it was archived.
  const on = isArchived(locked.record) ? [] : ['deleted']
  recordEvent(tx, app, { on, entity, record: locked.record, old: null })
  return { kind: 'done', id, version: locked.version }
}

/** That a record was archived, or brought back: none of its fields has changed. */
const rememberAside = (
  tx: Tx,
  app: App,
  request: Request,
  entry: Pick<NewHistoryEntry, 'entity' | 'record' | 'version' | 'what' | 'confirmed' | 'because'>,
): void => remember(tx, app, request, { ...entry, kind: 'change', changes: {} })

/** Brings an archived record back, with its child rows, where nothing has taken its place and every rule still holds. */
export function restoring(
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  version: number | null,
): Work {
  const { app } = runtime
  const model = app.entities.get(entity)
  if (model === undefined || model.archives === null || !isId(id)) return notFound(app)
  return async tx => {
    const scope = scopeOf(tx, runtime, request)
    const locked = await lockGranted(scope, entity, id, 'restore')
    if (locked === null || !locked.sees) return notFound(app)
    if (!isArchived(locked.record)) return refused([raise(app, 'NF-NOT-ARCHIVED', { entity: model.name })])
    const { open, because } = locked.may('restore')
    if (!open) return refused([raise(app, 'NF-RESTORE-DENIED', { entity: model.name }, { because })])
    if (version !== null && version !== locked.seenVersion) return await stale(scope, entity, locked)
    await loadChildren(tx, app, entity, [locked.record])
    const record = changedDraft(app, request, entity, { ...locked.record, [archivedAt]: null })
    const about: ChangedRecord = { entity, record, old: locked.record }
    const renewed = recompute(scope, about)
    const checked = await check(scope, {
      entity,
      record,
      old: locked.record,
      on: 'change',
      touched: new Set([archivedAt, ...renewed]),
      reported: new Set(),
    })
    if (checked.problems.length > 0) return refused(await asSeen(scope, about, checked.problems))
    const next = await save(scope, entity, locked, record)
    const late = await brokenLater(scope, checked)
    if (late.length > 0) return refused(await asSeen(scope, about, late))
    const { confirmed } = checked
    rememberAside(tx, app, request, { entity, record: id, version: next, what: bringingBack, confirmed, because })
    await armTimers(scope, about)
    recordEvent(tx, app, { on: [], ...about })
    return { kind: 'done', id, version: next }
  }
}
