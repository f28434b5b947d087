/**
 * The one write path: create, change and delete, as work inside of a transaction (`writes.ts` gives it one of its own). Steps go
 * through step.ts, which shares what happens before and after a write.
 */
import type { Cell } from '../../document/source.ts'
import { sql } from '../../expression/sql.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { wordFor } from '../../headings/translate.ts'
import type { Tx } from '../../store/pool.ts'
import { isArchived } from '../access/archived.ts'
import { locksOf } from '../access/locks.ts'
import { type DenyRule, policyFor } from '../access/policy.ts'
import { refusalAt } from '../access/reading.ts'
import { asSeen, deniedRows } from '../access/rows.ts'
import { carryDecisions } from '../approvals/decide.ts'
import { armTimers } from '../later/timers.ts'
import { sampled } from '../many/sampled.ts'
import type { Input, Outcome, Problem } from '../outcome.ts'
import { credentialChanged } from '../people/credentials.ts'
import { raise } from '../problems/raise.ts'
import { type NewHistoryEntry, remember } from '../read/history.ts'
import { readStale } from '../read/read.ts'
import type { Request, Runtime } from '../request.ts'
import { isId } from '../values.ts'
import { deniedToChange, deniedToCreate } from './authorised.ts'
import { changesOf } from './change-set.ts'
import { brokenRule, type Checked, isConfirmed, rolesRisen, textsOf } from './check.ts'
import { type ChangedRecord, recordEvent } from './domain-events.ts'
import { changedDraft, childLists, type Draft, draftRows, newDraft, storedFields } from './draft-record.ts'
import { freezeSampled } from './freeze.ts'
import { keepGranted } from './granted.ts'
import { rightsToCreate, take } from './input.ts'
import { numberNew } from './numbers.ts'
import { insertRecord, updateRecord, writeLinks, writeRows } from './persist.ts'
import { prepareWrite } from './prepare-write.ts'
import { holdsNow, inRows, type Locked, loadChildren, lockRecord } from './record.ts'
import { namedRows } from './row-names.ts'
import { type Scope, scopeOf } from './scope.ts'
import { seal } from './seal.ts'
import { bindingsFor, boundRows } from './worked-out.ts'

export const refused = (problems: readonly Problem[]): Outcome => ({ kind: 'refused', problems })

export const notFound = (app: App): Outcome => ({ kind: 'not found', problem: raise(app, 'NF-NOT-FOUND', {}) })

/** What a write is done for, where it is not what somebody asked for. */
export interface Caused {
  /** Where the caller must know it beforehand. */
  readonly id?: string
  /** The act of the document that writes. */
  readonly because?: Cell
  /**
   * It is sample data: a record in the middle of its life. What hangs on its creation (rules, effects) has had its time: only what
   * always holds is asked, and nothing follows from it. `state` null: the first one.
   */
  readonly sample?: { readonly state: string | null }
}

/** What is to be done in a transaction; an outcome where that is known without one. */
export type Work = Outcome | ((tx: Tx) => Promise<Outcome>)

/** Creates a record with its child rows. */
export function creating(
  runtime: Runtime,
  request: Request,
  entity: string,
  input: Input,
  { id, because, sample }: Caused = {},
): Work {
  const { app } = runtime
  const model = app.entities.get(entity)
  if (model === undefined) return notFound(app)
  const policy = policyFor(app, request.actor)
  const mayCreate = policy.rows(entity, 'create', 't')
  const bars = policy.denyRules(entity, 'create', 't')
  const deny = (bar: DenyRule | undefined) => {
    const { cell } = bar?.deciding ?? policy.because(entity, 'create', false)
    return raise(app, 'NF-CREATE-DENIED', { entity: model.name }, { because: cell })
  }
  // Child rows are written with their parent.
  if (mayCreate === false || model.partOf !== null)
    return refused([deny(bars.find(({ exceptions }) => exceptions === false))])

  return async tx => {
    const scope = scopeOf(tx, runtime, request)
    const record = newDraft(app, request, entity, id)
    const about: ChangedRecord = { entity, record, old: null }
    const workflow = app.workflows.get(entity)
    if (workflow !== undefined) record.state = sample?.state ?? null
    const taken = take(
      app,
      request,
      policy,
      { entity, draft: record, old: null, rights: rightsToCreate(policy, entity) },
      input,
    )
    const { checked, problems } = await prepareWrite(
      scope,
      taken,
      { entity, record, old: null, on: sample === undefined ? 'create' : sampled, touched: null },
      async () => {
        await numberNew(tx, app, request, about, { judged: true })
        return deniedToCreate(scope, about, taken, deny)
      },
    )
    if (checked === null) return refused(problems)

    // What only the database finds out may be a warning that was confirmed.
    const waits = checked.later.some(({ rule }) => rule.warns)
    await numberNew(tx, app, request, about, { sampled: sample !== undefined })
    if (sample !== undefined) await freezeSampled(scope, entity, record)
    await seal(app, request, entity, record, taken.given.get(''))
    const entry: NewHistoryEntry = {
      entity,
      record: record.id,
      version: 1,
      kind: 'create',
      what: sample === undefined ? 'create' : sampled,
      toState: (record.state as string | undefined) ?? null,
      changes: changesOf(app, entity, null, record),
      confirmed: checked.confirmed,
      because: because ?? policy.because(entity, 'create', true).cell,
    }
    await insertRecord(tx, app, request, entity, record, waits ? null : entry)
    const late = await brokenLater(scope, checked)
    if (late.length > 0) return refused(late)
    if (waits) remember(tx, app, request, entry)

    await armTimers(scope, about, sample === undefined ? 'new' : 'sampled')
    if (sample === undefined) recordEvent(tx, app, { on: ['created'], ...about })
    return { kind: 'done', id: record.id, version: 1 }
  }
}

/** What is changed; or how it comes of what is stored. */
export type Given = Input | ((stored: RecordValue, locked: StoredNow) => Input)

interface StoredNow {
  readonly version: number
  /** Whether whoever changes it sees one of its rows. */
  readonly sees: (row: RecordValue) => boolean
}

/**
 * Changes a record: only the values that are given; a list of child rows that is given replaces all rows of that list. `act`: the line
 * of the document that changes it; a lock is for people. `what` is told of it.
 */
export function changing(
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  version: number | null,
  given: Given,
  { act = null, what = 'change' }: { readonly act?: Cell | null; readonly what?: string } = {},
): Work {
  const { app } = runtime
  const model = app.entities.get(entity)
  if (model === undefined || model.partOf !== null || !isId(id)) return notFound(app)
  const policy = policyFor(app, request.actor)
  return async tx => {
    const scope = scopeOf(tx, runtime, request)
    const locked = await lockGranted(scope, entity, id, 'change')
    if (locked === null || !locked.sees) return notFound(app)
    if (isArchived(locked.record)) return refusedAsArchived(app, entity)
    const { open, because } = locked.may('change')
    if (!open) return refused([shut(app, entity, 'NF-CHANGE-DENIED', because)])
    if (version !== null && version !== locked.seenVersion) return await stale(scope, entity, locked)
    await loadChildren(tx, app, entity, [locked.record])
    const old: RecordValue = locked.record
    const record = changedDraft(app, request, entity, locked.record)
    const about: ChangedRecord = { entity, record, old }
    const locks = act === null ? locksOf(app, entity, locked.record, locked.seesField('state')) : []
    const rowRights = await inRows(tx, app, request, policy, { entity, id })
    const sees = (row: RecordValue) => rowRights.may(row.id as string, 'see')
    const input = typeof given === 'function' ? given(old, { version: locked.version, sees }) : given
    const rights = {
      verb: 'change',
      sees: locked.seesField,
      sets: locked.setsField,
      unseen: locked.unseen,
      inRows: rowRights,
      locks,
    } as const
    const taken = take(app, request, policy, { entity, draft: record, old, rights }, input)
    const { checked, problems } = await prepareWrite(
      scope,
      taken,
      { entity, record, old, on: 'change', touched: taken.given.get('') ?? new Set() },
      async () => {
        await numberNew(tx, app, request, { entity, record, old }, { judged: true })
        return [
          ...(await deniedToChange(scope, about, taken, { leading: locked.leading, inRows: rowRights })),
          ...(await deniedRows(scope, about, taken.rowsOnlyIf)),
        ]
      },
    )
    if (checked === null) return refused(await asSeen(scope, about, problems))

    await seal(app, request, entity, record, taken.given.get(''))
    const changes = changesOf(app, entity, old, record)
    const isRearranged = orderOf(app, entity, record) !== orderOf(app, entity, locked.record)
    if (Object.keys(changes).length === 0 && !isRearranged) return { kind: 'done', id, version: locked.version }
    const next = await save(scope, entity, locked, record)
    const late = await brokenLater(scope, checked)
    if (late.length > 0) return refused(await asSeen(scope, about, late))
    remember(tx, app, request, {
      entity,
      record: id,
      version: next,
      kind: 'change',
      what,
      changes,
      confirmed: checked.confirmed,
      because: act ?? because,
    })
    await armTimers(scope, about)
    recordEvent(tx, app, { on: [], ...about })
    return { kind: 'done', id, version: next }
  }
}

/** Finds and locks a record, and with it what decides whether a verb is allowed: that is asked once more where it reads other records. */
export async function lockGranted(
  scope: Scope,
  entity: string,
  id: string,
  verb: 'change' | 'delete' | 'restore',
): Promise<Locked | null> {
  const { tx, app, request, policy } = scope
  const locked = await lockRecord(tx, app, request, policy, entity, id)
  if (locked === null || !locked.sees || !locked.may(verb).open) return locked
  const again = await keepGranted(scope, verb, { entity, record: locked.record })
  return again ? lockRecord(tx, app, request, policy, entity, id) : locked
}

/** The ids of all rows below a record, in their order. */
const orderOf = (app: App, entity: string, record: Draft): string =>
  draftRows(app, entity, record, null)
    .map(({ row }) => row.id)
    .join()

/** Writes what is different. The row is locked, so its version is the one that was read. */
export async function save(scope: Scope, entity: string, locked: Locked, record: Draft): Promise<number> {
  const { tx, app, request } = scope
  const old: RecordValue = locked.record
  const changed = storedFields(app, entity).filter(key => (record[key] ?? null) !== (old[key] ?? null))
  const written = await updateRecord(tx, app, request, entity, record, changed, locked.version)
  if (written !== 1) throw new Error(`The locked ${entity} ${record.id} was changed by somebody else.`)
  writeLinks(tx, app, entity, [{ record, before: old }])
  carryDecisions(tx, app, { entity, record, old }, locked.version, null)
  await numberNew(tx, app, request, { entity, record, old })
  const lists = childLists(app, entity).filter(({ field }) => record[field] !== old[field])
  for (const list of lists) await writeRows(tx, app, request, list, [{ now: record, before: old }])
  tx.tell(entity, record.id, new Set([...changed, ...lists.map(({ field }) => field)]))
  if (entity === 'person' && changed.includes('email'))
    await credentialChanged(tx, app, request, {
      person: record.id,
      what: 'address',
      before: (old.email ?? null) as string | null,
    })
  if (entity === 'person' && changed.length > 0)
    for (const role of await rolesRisen(scope, record, old))
      await credentialChanged(tx, app, request, { person: record.id, what: 'role', name: wordFor(app, role) })
  return locked.version + 1
}

/** Why nobody, or not this person, changes or deletes it. */
export function shut(app: App, entity: string, code: 'NF-CHANGE-DENIED' | 'NF-DELETE-DENIED', because: Cell): Problem {
  const { name, appendOnly } = app.entities.get(entity)!
  return raise(app, appendOnly === null ? code : 'NF-APPEND-ONLY', { entity: name }, { because })
}

/** Nothing is done with an archived record but bringing it back. */
export const refusedAsArchived = (app: App, entity: string): Outcome => {
  const { name, archives: because } = app.entities.get(entity)!
  return refused([raise(app, 'NF-ARCHIVED', { entity: name }, { because })])
}

/** Both versions, and nothing lost: what stands there now, as far as this person may see it. */
export async function stale({ tx, app, request, policy }: Scope, entity: string, locked: Locked): Promise<Outcome> {
  const theirs = await readStale(tx, app, request, policy, entity, locked.record.id)
  return { kind: 'stale', version: locked.seenVersion, ...theirs, problem: raise(app, 'NF-STALE', {}) }
}

/** Rules that look at all records of an entity, asked of the database now that the record is written. */
export async function brokenLater(scope: Scope, { about, later, confirmed }: Checked): Promise<readonly Problem[]> {
  const { tx, app, request, related } = scope
  const broken: Problem[] = []
  for (const { rule, path, id, old, fails } of later) {
    const { mustHold } = rule
    if ('unspecified' in mustHold) continue
    const before = { entity: rule.entity, record: { id }, old, this: null }
    const asked = () => {
      const broken = sql`(${toSql(mustHold, { alias: 't', old: boundRows(app, before)[1] })}) is false`
      return holdsNow(tx, request, rule.entity, id, [broken], bindingsFor(app, before))
    }
    if (!fails && (await asked())[0] !== true) continue
    const record = related.find(rule.entity, id) ?? { id }
    const reading = await refusalAt(tx, app, request, related, { entity: rule.entity, record }, textsOf(app, rule))
    const problem = brokenRule(app, rule, reading, path)
    if (!isConfirmed(request, problem, confirmed)) broken.push(problem)
  }
  return namedRows(scope, about, broken)
}
