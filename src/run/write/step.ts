/** Takes a step of a workflow: one guarded statement moves the record, and only if everything still holds when it runs. */

import type { Cell } from '../../document/source.ts'
import { readsDecisions } from '../../expression/decisions.ts'
import { evaluate } from '../../expression/evaluate.ts'
import { identifier, join, slot, sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import type { Tx } from '../../store/pool.ts'
import { isArchived } from '../access/archived.ts'
import { askGuards } from '../access/ask-guards.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { guardParts, openSql } from '../access/guards.ts'
import type { Policy } from '../access/policy.ts'
import { asSeen } from '../access/rows.ts'
import { approvalsOf } from '../approvals/approvals.ts'
import { carryDecisions, decide, endDecisions } from '../approvals/decide.ts'
import { armTimers } from '../later/timers.ts'
import { columnSql, declared, fromSql, isLinks, typeOf } from '../names.ts'
import type { Input, Outcome, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { remember } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { castWire } from '../values.ts'
import { clearAbsent } from './absent.ts'
import { type Done, follow, setFields } from './acts.ts'
import { nothingGiven, takeAsked } from './asks.ts'
import { changesOf } from './change-set.ts'
import { type Checked, check, heldBy, type Writing } from './check.ts'
import { withdrawUnseen } from './check-named.ts'
import { queue } from './conflicts.ts'
import { dependsOnInvalid } from './depends-on-invalid.ts'
import { type ChangedRecord, recordEvent } from './domain-events.ts'
import { changedDraft, type Draft } from './draft-record.ts'
import { environmentOf, type Related, withRelated } from './environment.ts'
import { inFormOrder } from './form-order.ts'
import { keepGranted } from './granted.ts'
import { giveNumbers } from './numbers.ts'
import { writeLinks } from './persist.ts'
import { recompute } from './recompute.ts'
import { type Locked, loadChildren, lockRecord } from './record.ts'
import { recordHolds, resultAlias } from './resulting.ts'
import { type Scope, scopeOf } from './scope.ts'
import { actorIn, closed } from './step-closed.ts'
import { brokenLater, notFound, refused, refusedAsArchived, stale } from './write.ts'

/** A step that somebody takes, or the application itself. */
export interface Taking {
  readonly entity: string
  readonly id: string
  /** Its key (`hand_out`). Rows with the same name are branches, tried in the document's order. */
  readonly step: string
  /** See `writes.ts`. */
  readonly version: number | null
  /** What the step asks for; absent: nothing. */
  readonly input?: Input
  /** What makes the application take it. */
  readonly because?: Cell
}

/** Inside of a transaction: what is not `done` must be undone by the caller. */
export async function stepInside(tx: Tx, runtime: Runtime, request: Request, taking: Taking): Promise<Outcome> {
  const scope = scopeOf(tx, runtime, request)
  const { app, policy, related, request: heard } = scope
  const { entity, id, step, version } = taking
  const branches = app.workflows.get(entity)?.transitions.filter(({ key }) => key === step) ?? []
  const locked = await lockRecord(tx, app, request, policy, entity, id)
  if (locked === null || !locked.sees) return notFound(app)
  if (isArchived(locked.record)) return refusedAsArchived(app, entity)
  if (branches.length === 0) return refused([raise(app, 'NF-NO-STEP', { step })])
  const state = locked.record.state as string
  const possible = branches.filter(({ from, to }) => !isUnspecified(from) && !isUnspecified(to) && from.includes(state))
  if (possible.length === 0) return await closed(scope, entity, locked, step)
  if (version !== null && version !== locked.seenVersion) return await stale(scope, entity, locked)
  await loadChildren(tx, app, entity, [locked.record])
  const old: RecordValue = locked.record
  const asking = await askGuards(app, heard, related, { entity, record: old, steps: step })
  const waits = request.actor.system === null && approvalsOf(app, entity, step).length > 0
  await keepRead(asking, related, old, [...possible, ...approvalsOf(app, entity, step)])
  for (const transition of possible) await keepGranted(scope, transition, { entity, record: old })
  const guarded = { ...scope, request: asking }
  const stepping: Stepping = { ...taking, scope, guarded, locked, possible, waits, numbers: {} }
  for (const transition of possible) {
    const outcome = await takeBranch(stepping, transition)
    if (outcome !== null) return outcome
  }
  return await closed(guarded, entity, locked, step)
}

/** A step under way: the record as it was found, and what its branches share. */
interface Stepping extends Taking {
  readonly scope: Scope
  /** The same, with what functions of the document say of its conditions. */
  readonly guarded: Scope
  readonly locked: Locked
  /** The branches that begin in the state of the record. */
  readonly possible: readonly Transition[]
  /** Several people decide it. */
  readonly waits: boolean
  /** Given once, whichever branch is taken then. */
  readonly numbers: Record<string, Draft[string]>
}

/** Takes a branch; null: it is closed, and the next one may be open. */
async function takeBranch(stepping: Stepping, transition: Transition): Promise<Outcome | null> {
  const { scope, guarded, locked, waits, entity } = stepping
  const { app, request } = scope
  const record = changedDraft(app, request, entity, locked.record)
  const moving: Moving = { entity, transition, record, version: locked.version, decided: waits }
  if (waits && !(await isOpen(guarded, { ...moving, decided: false }))) return null
  const draft = await drafted(stepping, transition, record)
  if (draft.isBarred && draft.wrong.length === 0)
    return (await isOpen(guarded, moving)) ? refused([barred(scope, locked, entity, transition)]) : null
  // What people gave is judged before the database sees it: then every field has its own answer.
  const early = draft.isGiven || waits ? await check(scope, draft.writing) : null
  const problems = [...draft.wrong, ...(early?.problems ?? [])]
  if (problems.length > 0)
    return (await isOpen(guarded, moving)) ? refusedStep(stepping, inFormOrder(app, entity, problems)) : null
  if (!waits || early === null) return await taken(stepping, moving, draft, early)
  const undecided = await decided(stepping, moving, draft, early)
  if (undecided !== null) return undecided
  const isAsked = transition.then.some(
    act => act.kind === 'set' && act.values.some(({ value }) => readsDecisions(value)),
  )
  return isAsked ? await takenAnew(stepping, transition) : await taken(stepping, moving, draft, early)
}

/** What the step sets reads who decided: it is worked out anew, with the last decision. */
async function takenAnew(stepping: Stepping, transition: Transition): Promise<Outcome | null> {
  const { scope, locked, entity } = stepping
  const { app, request, related } = scope
  related.forget()
  const record = changedDraft(app, request, entity, locked.record)
  const draft = await drafted(stepping, transition, record)
  if (draft.wrong.length > 0) return refusedStep(stepping, inFormOrder(app, entity, draft.wrong))
  const moving: Moving = { entity, transition, record, version: locked.version, decided: true }
  return await taken(stepping, moving, draft, await check(scope, draft.writing))
}

/** Who may take a step may set what it asks for, but nobody becomes by that whom the step is kept from. */
const isBarred = async (scope: Scope, about: ChangedRecord, transition: Transition): Promise<boolean> =>
  (await recordHolds(scope, about, [scope.policy.stepExceptions(about.entity, transition, resultAlias)]))[0] !== true

function barred({ app, request }: Scope, locked: Locked, entity: string, { name, who }: Transition): Problem {
  const about = { step: name, actor: actorIn(app, request), entity: app.entities.get(entity)!.name }
  const state = locked.seesField('state') ? { state: wordFor(app, locked.record.state as string) } : {}
  return raise(app, 'NF-STEP-DENIED', { ...about, ...state }, { because: who.cell })
}

/** Problems as whoever takes the step counts the rows that they see. */
async function refusedStep({ scope, entity, locked }: Stepping, problems: readonly Problem[]): Promise<Outcome> {
  const old: RecordValue = locked.record
  return refused(await asSeen(scope, { entity, record: old, old }, problems))
}

/** A branch, before anything of it is judged. */
interface Drafted {
  readonly writing: Writing
  /** What it writes beside the state. */
  readonly fields: ReadonlySet<string>
  readonly set: Done
  /** What is wrong with what was given. */
  readonly wrong: readonly Problem[]
  /** Whether something is given with this step. */
  readonly isGiven: boolean
  /** With what was given the step would be kept from whoever takes it. */
  readonly isBarred: boolean
}

/** Fills the record with what the step asks for, and with what it sets itself. */
async function drafted(
  { scope, locked, possible, entity, step, input = nothingGiven }: Stepping,
  transition: Transition,
  record: Draft,
): Promise<Drafted> {
  const { app, request } = scope
  const old: RecordValue = locked.record
  const about: ChangedRecord = { entity, record, old }
  const into = { draft: record, unseen: locked.unseen, seesField: locked.seesField }
  const given = takeAsked(app, request.actor, entity, transition, possible, into, input)
  const asked = transition.asks.map(({ field }) => field)
  const unseen = await withdrawUnseen(scope, { ...about, asked })
  const barred = given.fields.size > 0 && (await isBarred(scope, about, transition))
  const dependent = dependsOnInvalid(
    app,
    entity,
    record,
    old,
    [...given.reported, ...fieldsOf(unseen.problems)],
    transition.then,
  )
  const named = { entity, record, old, this: null }
  const set = await setFields(scope, named, transition.then)
  record.state = transition.to as string
  const absent = await clearAbsent(scope, about, new Map([['', given.fields]]), dependent)
  const fields = new Set([...given.fields, ...set.fields, ...absent.emptied, ...recompute(scope, about)])
  return {
    fields,
    set,
    writing: {
      ...about,
      on: step,
      touched: new Set([...fields, ...asked, 'state']),
      reported: new Set([...dependent.paths, ...fieldsOf(absent.problems)]),
      asked,
      named: unseen.named,
    },
    wrong: [...given.problems, ...unseen.problems, ...absent.problems, ...invalidValues(app, about, set.fields)],
    isBarred: barred,
    isGiven: asked.length > 0 || given.fields.size > 0 || given.problems.length > 0,
  }
}

/** What the step sets and the field cannot hold. */
const invalidValues = (app: App, { entity, record }: ChangedRecord, set: ReadonlySet<string>): readonly Problem[] =>
  [...set].flatMap(key => {
    const field = declared(app, entity, key)
    const held = field === undefined ? null : heldBy(app, field, (record[key] ?? null) as Wire, key)
    return held !== null && 'problem' in held ? [held.problem] : []
  })

const fieldsOf = (problems: readonly Problem[]): readonly string[] => problems.flatMap(({ field }) => field ?? [])

/** One more decision about the step. Null: it was the last one, and the step is taken. */
async function decided(
  stepping: Stepping,
  moving: Moving,
  { fields }: Drafted,
  checked: Checked,
): Promise<Outcome | null> {
  const { scope, guarded, entity, id, locked, input } = stepping
  const { tx, app, policy } = scope
  // What would refuse the step refuses each decision about it.
  const late =
    checked.later.length === 0
      ? []
      : await tried(tx, async () => {
          await move(guarded, moving, fields)
          return brokenLater(scope, checked)
        })
  if (late.length > 0) return refusedStep(stepping, late)
  const { transition, version } = moving
  const decision = { entity, transition, record: id, version, confirmed: checked.confirmed }
  const made = await decide(tx, app, guarded.request, policy, { ...decision, reason: input?.reason ?? null })
  if (made !== null && 'problem' in made) return refused([made.problem])
  if (made?.given !== false) return null
  // Others are asked from now on, or nobody.
  await armTimers(scope, { entity, record: locked.record, old: locked.record })
  return { kind: 'done', id, version: locked.version, waits: true }
}

/** Moves the record with all that follows; null: the branch turned out to be closed. */
async function taken(
  stepping: Stepping,
  moving: Moving,
  { writing, fields, set }: Drafted,
  early: Checked | null,
): Promise<Outcome | null> {
  const { scope, guarded, locked, numbers, entity, id, step, because } = stepping
  const { tx, app, request } = scope
  const { record, transition } = moving
  const old: RecordValue = locked.record
  const about: ChangedRecord = { entity, record, old }
  await queue(scope, [{ entity, row: record, old, prefix: '', parent: null }])
  Object.assign(record, numbers)
  const isGivenNow = ({ givenOn }: Field) => givenOn?.steps.includes(step) === true
  // A number is lost with what is refused.
  if (app.entities.get(entity)!.fields.some(isGivenNow) && !(await isOpen(guarded, moving))) return null
  for (const key of await giveNumbers(tx, app, request, entity, [record], isGivenNow)) numbers[key] = record[key]!
  if (!(await move(guarded, moving, new Set([...fields, ...Object.keys(numbers)])))) return null

  writeLinks(tx, app, entity, [{ record, before: old }])
  if (stepping.waits) endDecisions(tx, entity, transition, id, locked.version)
  carryDecisions(tx, app, about, locked.version, step)
  const version = locked.version + 1
  const checked = early ?? (await check(scope, writing))
  if (checked.problems.length > 0) return refusedStep(stepping, checked.problems)
  const late = await brokenLater(scope, checked)
  if (late.length > 0) return refusedStep(stepping, late)
  remember(tx, app, request, {
    entity,
    record: id,
    version,
    kind: 'step',
    what: step,
    fromState: old.state as string,
    toState: record.state as string,
    changes: changesOf(app, entity, old, record),
    confirmed: checked.confirmed,
    because: because ?? transition.cell,
  })
  await follow(scope, about, transition.then, set)
  recordEvent(tx, app, { on: [step], ...about })
  await armTimers(scope, about)
  return { kind: 'done', id, version }
}

/** What the conditions read of the records that this one names stays so until the commit. */
async function keepRead(
  request: Request,
  related: Related,
  record: RecordValue,
  conditions: readonly Pick<Transition, 'when'>[],
): Promise<void> {
  const environment = environmentOf(request, related, record, null)
  await withRelated(related, () => {
    for (const { when } of conditions) {
      const stored = when === null || isUnspecified(when) ? null : guardParts(when).stored
      if (stored !== null) evaluate(stored, environment)
    }
  })
}

interface Moving {
  readonly entity: string
  readonly transition: Transition
  readonly record: Draft
  readonly version: number
  /** Who takes it was asked before, in this transaction. */
  readonly decided: boolean
}

/** What must hold of the row so that this branch is taken. Null: it is never taken. */
function guardOf(policy: Policy, { entity, transition, decided }: Moving): Condition | null {
  const { when, from } = transition
  if (when !== null && isUnspecified(when)) return null
  const takes = decided || policy.takes(entity, transition, 't')
  if (takes === false || isUnspecified(from)) return null
  return allOf([
    sql`${columnSql('t', 'id')} = ${slot('id')}::uuid`,
    sql`${columnSql('t', 'state')} = any(${slot('from')}::text[])`,
    sql`${columnSql('t', 'version')} = ${slot('version')}::integer`,
    takes,
    when === null ? true : openSql(when, 't'),
  ])
}

const guardBindings = (request: Request, { transition, record, version }: Moving) => ({
  ...bindingsOf(request),
  id: record.id,
  from: transition.from,
  version,
})

const keyOf = (policy: Policy, { entity, transition, decided }: Moving) =>
  [policy.key, entity, transition.cell.file.path, transition.cell.start, decided] as const

/** Whether the branch could be taken, so that what is wrong with what was given is worth telling. */
async function isOpen({ tx, app, request, policy }: Scope, moving: Moving): Promise<boolean> {
  const guard = guardOf(policy, moving)
  if (guard === null) return false
  const query = cachedStatement(app, ['may move', ...keyOf(policy, moving)], () =>
    built(sql`select ${columnSql('t', 'id')} from ${fromSql(moving.entity, 't')} where ${conditionSql(guard)}`),
  )
  return (await tx.run(query, guardBindings(request, moving))).length === 1
}

/** The guarded statement. False: the state, who asks, or the condition does not fit. */
async function move(
  { tx, app, request, policy }: Scope,
  moving: Moving,
  fields: ReadonlySet<string>,
): Promise<boolean> {
  const { entity, record } = moving
  const guard = guardOf(policy, moving)
  if (guard === null) return false
  const set = [...fields].filter(key => !isLinks(app, entity, key)).sort()
  const query = cachedStatement(app, ['move', ...keyOf(policy, moving), ...set], () => {
    const values = set.map(key => sql`, ${identifier(key)} = ${castWire(typeOf(app, entity, key)!, slot(`f.${key}`))}`)
    return built(sql`update ${fromSql(entity, 't')} set state = ${slot('to')}, state_since = ${slot('at')}::timestamptz,
      version = t.version + 1, changed_at = ${slot('at')}::timestamptz, changed_by = ${slot('by')}::uuid ${join(values, '')}
      where ${conditionSql(guard)}`)
  })
  tx.tell(entity, record.id as string, new Set(['state', ...fields]))
  const moved = await tx.write(query, {
    ...guardBindings(request, moving),
    ...Object.fromEntries(set.map(key => [`f.${key}`, record[key] ?? null])),
    to: record.state,
    at: request.now.toISOString(),
    by: request.actor.id,
  })
  return moved === 1
}

/** What is found by writing something that is undone again. */
async function tried<Found>(tx: Tx, part: () => Promise<Found>): Promise<Found> {
  const undone: { found?: Found } = {}
  try {
    await tx.attempt(async () => {
      undone.found = await part()
      throw undone
    })
  } catch (error) {
    if (error !== undone) throw error
  }
  return undone.found!
}
