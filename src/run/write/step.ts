/** Takes a step of a workflow: one guarded statement moves the record, and only if everything still holds when it runs. */

import type { Cell } from '../../document/source.ts'
import { evaluate } from '../../expression/evaluate.ts'
import { identifier, join, slot, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/said.ts'
import { wordFor } from '../../headings/translate.ts'
import type { StepVerdict } from '../../kinds/screens/screen-kind.ts'
import type { Tx } from '../../store/pool.ts'
import { type Allow, allowFor } from '../access/allow.ts'
import { isArchived } from '../access/archived.ts'
import { askGuards } from '../access/ask-guards.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { guardParts, openSql } from '../access/guards.ts'
import { readerOf, refusalAt } from '../access/reading.ts'
import { asSeen } from '../access/rows.ts'
import { mayOf } from '../access/verdict.ts'
import { approvalsOf } from '../approvals/approvals.ts'
import { decide } from '../approvals/decide.ts'
import { armTimers } from '../later/timers.ts'
import { columnSql, fromSql, isLinks, labelOf, typeOf } from '../names.ts'
import type { Input, Outcome, Problem } from '../outcome.ts'
import { raise, raiseEntry } from '../problems/raise.ts'
import { wordsIn } from '../problems/words.ts'
import { remember } from '../read/history.ts'
import { type Raw, selectList } from '../read/select.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, once } from '../statements.ts'
import { sqlType } from '../values.ts'
import { settleAbsent } from './absent.ts'
import { follow, setFields } from './acts.ts'
import { nothingGiven, takeAsked } from './asks.ts'
import { changesOf } from './change-set.ts'
import { check, inFormOrder } from './check.ts'
import { withdrawUnseen } from './check-named.ts'
import { queue } from './conflicts.ts'
import { doubtOf } from './doubt.ts'
import { keepGranted } from './granted.ts'
import { type About, happened } from './happenings.ts'
import { giveNumbers, writeLinks } from './persist.ts'
import {
  changedDraft,
  type Draft,
  environmentOf,
  holdsNow,
  type Locked,
  loadChildren,
  lockRecord,
  type Related,
  relatedRecords,
  withRelated,
} from './record.ts'
import { renew } from './renew.ts'
import { brokenLater, notFound, refused, refusedAsArchived, stale } from './write.ts'

/**
 * `step` is the key (`hand_out`). Rows with the same name are branches, tried in the document's order. `input` is what the step
 * asks for. Inside of a transaction: what is not `done` must be undone by the caller. `because`: what makes the application take it.
 */
export async function stepInside(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  step: string,
  version: number | null,
  input: Input = nothingGiven,
  because: Cell | null = null,
): Promise<Outcome> {
  const { app } = runtime
  const allow = allowFor(app, request.actor)
  const branches = app.workflows.get(entity)?.transitions.filter(({ key }) => key === step) ?? []
  const locked = await lockRecord(tx, app, request, allow, entity, id)
  if (locked === null || !locked.sees) return notFound(app)
  if (isArchived(locked.record)) return refusedAsArchived(app, entity)
  if (branches.length === 0) return refused([raise(app, 'NF-NO-STEP', { step })])
  const state = locked.record.state as string
  const possible = branches.filter(({ from, to }) => !isUnspecified(from) && !isUnspecified(to) && from.includes(state))
  if (possible.length === 0) return await closed(tx, app, request, allow, entity, locked, step)
  if (version !== null && version !== locked.version) return await stale(tx, app, request, allow, entity, locked)
  await loadChildren(tx, app, entity, [locked.record])
  const old: RecordValue = locked.record
  const related = relatedRecords(tx, app)
  const asking = await askGuards(app, request, related, { entity, record: old, steps: step })
  const waits = request.actor.system === null && approvalsOf(app, entity, step).length > 0

  const seen = (problems: readonly Problem[]) => asSeen(tx, app, request, allow, { entity, record: old, old }, problems)

  await keepRead(asking, related, old, [...possible, ...approvalsOf(app, entity, step)])
  for (const transition of possible)
    await keepGranted(app, request, allow, related, transition, { entity, record: old })
  const numbers: Record<string, Draft[string]> = {}
  for (const transition of possible) {
    const record = changedDraft(app, request, entity, locked.record)
    const about: About = { entity, record, old }
    const deciding: Moving = { entity, transition, record, version: locked.version, decided: false }
    if (waits && !(await isOpen(tx, app, asking, allow, deciding))) continue
    const into = { draft: record, unseen: locked.unseen, seesField: locked.seesField }
    const given = takeAsked(app, request.actor, entity, transition, possible, into, input)
    const asked = transition.asks.map(({ field }) => field)
    const unseen = await withdrawUnseen(tx, app, request, allow, related, { entity, record, old, asked })
    const wrongly = [...given.settled, ...unseen.problems.flatMap(({ field }) => field ?? [])]
    const doubt = doubtOf(app, entity, record, old, wrongly, transition.then)
    const { fields: set } = await setFields(tx, app, request, related, entity, record, transition.then)
    record.state = transition.to as string
    const posted = new Map([['', given.fields]])
    const absent = await settleAbsent(app, request, related, about, posted, doubt)
    const renewed = renew(app, request, related, about)
    const fields = new Set([...given.fields, ...set, ...absent.emptied, ...renewed])
    const checking = () =>
      check(tx, runtime, request, allow, related, {
        entity,
        record,
        old,
        on: step,
        touched: new Set([...fields, ...asked, 'state']),
        settled: new Set([...doubt.paths, ...absent.problems.flatMap(({ field }) => field ?? [])]),
        asked,
        named: unseen.named,
      })
    // What people gave is judged before the database sees it: then every field has its own answer.
    const isGiven = asked.length > 0 || given.problems.length > 0
    const early = isGiven || waits ? await checking() : null
    const wrong = [...given.problems, ...unseen.problems, ...absent.problems, ...(early?.problems ?? [])]
    const moving: Moving = { entity, transition, record, version: locked.version, decided: waits }
    if (wrong.length > 0) {
      if (await isOpen(tx, app, asking, allow, moving)) return refused(await seen(inFormOrder(app, entity, wrong)))
      continue
    }
    if (waits && early !== null) {
      // What would refuse the step refuses each decision about it.
      const late =
        early.later.length === 0
          ? []
          : await tried(tx, async () => {
              await move(tx, app, asking, allow, moving, fields)
              return brokenLater(tx, runtime, request, related, early)
            })
      if (late.length > 0) return refused(await seen(late))
      const decision = { entity, transition, record: id, version: locked.version, confirmed: early.confirmed }
      const decided = await decide(tx, app, asking, allow, { ...decision, reason: input.reason ?? null })
      if (decided !== null && 'problem' in decided) return refused([decided.problem])
      if (decided?.given === false) return { kind: 'done', id, version: locked.version, waits: true }
    }
    await queue(tx, app, request, related, [{ entity, row: record, old, prefix: '', parent: null }])
    // Given once, whichever branch is taken then.
    Object.assign(record, numbers)
    const isGivenNow = ({ givenOn }: Field) => givenOn?.steps.includes(step) === true
    for (const key of await giveNumbers(tx, app, request, entity, [record], isGivenNow)) numbers[key] = record[key]!
    if (!(await move(tx, app, asking, allow, moving, new Set([...fields, ...Object.keys(numbers)])))) continue

    writeLinks(tx, app, entity, [{ record, before: old }])
    const next = locked.version + 1
    const checked = early ?? (await checking())
    if (checked.problems.length > 0) return refused(await seen(checked.problems))
    const late = await brokenLater(tx, runtime, request, related, checked)
    if (late.length > 0) return refused(await seen(late))
    remember(tx, app, request, {
      entity,
      record: id,
      version: next,
      kind: 'step',
      what: step,
      fromState: state,
      toState: record.state as string,
      changes: changesOf(app, entity, old, record),
      confirmed: checked.confirmed,
      because: because ?? transition.cell,
    })
    await follow(tx, runtime, request, related, about, transition.then)
    happened(tx, app, { on: [step], ...about })
    await armTimers(tx, runtime, request, related, about)
    return { kind: 'done', id, version: next }
  }
  return await closed(tx, app, asking, allow, entity, locked, step)
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
function guardOf(allow: Allow, { entity, transition, decided }: Moving): Condition | null {
  const { when, from } = transition
  if (when !== null && isUnspecified(when)) return null
  const takes = decided || allow.takes(entity, transition, 't')
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

const keyOf = (allow: Allow, { entity, transition, decided }: Moving) =>
  [allow.key, entity, transition.cell.file.path, transition.cell.start, decided] as const

/** Whether the branch could be taken, so that what is wrong with what was given is worth telling. */
async function isOpen(tx: Tx, app: App, request: Request, allow: Allow, moving: Moving): Promise<boolean> {
  const guard = guardOf(allow, moving)
  if (guard === null) return false
  const query = once(app, ['may move', ...keyOf(allow, moving)], () =>
    built(sql`select ${columnSql('t', 'id')} from ${fromSql(moving.entity, 't')} where ${conditionSql(guard)}`),
  )
  return (await tx.run(query, guardBindings(request, moving))).length === 1
}

/** The guarded statement. False: the state, who asks, or the condition does not fit. */
async function move(
  tx: Tx,
  app: App,
  request: Request,
  allow: Allow,
  moving: Moving,
  fields: ReadonlySet<string>,
): Promise<boolean> {
  const { entity, record } = moving
  const guard = guardOf(allow, moving)
  if (guard === null) return false
  const set = [...fields].filter(key => !isLinks(app, entity, key)).sort()
  const query = once(app, ['move', ...keyOf(allow, moving), ...set], () => {
    const values = set.map(
      key => sql`, ${identifier(key)} = ${slot(`f.${key}`)}::${sqlType(typeOf(app, entity, key)!)}`,
    )
    return built(sql`update ${fromSql(entity, 't')} set state = ${slot('to')}, state_since = ${slot('at')}::timestamptz,
      version = t.version + 1, changed_at = ${slot('at')}::timestamptz, changed_by = ${slot('by')}::uuid ${join(values, '')}
      where ${conditionSql(guard)}`)
  })
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

/** Why the step is closed: names the state, who asks, and the cell that decides. */
async function closed(
  tx: Tx,
  app: App,
  request: Request,
  allow: Allow,
  entity: string,
  locked: Locked,
  step: string,
): Promise<Outcome> {
  const { verdicts, query } = once(app, ['why', allow.key, entity], () => {
    const may = mayOf(app, allow, entity, 't')
    return {
      verdicts: may,
      query: built(sql`select ${selectList(may.parts)} from ${fromSql(entity, 't')} where t.id = ${slot('id')}::uuid`),
    }
  })
  const [raw] = await tx.run<Raw>(query, bindingsOf(request, { id: locked.record.id }))
  const verdict = verdicts.read(raw!, request).steps.find(one => one.step === step)!
  const reader = readerOf(request)
  const told = allowFor(app, reader)
  const isTold = allOf([told.rows(entity, 'see', 't'), told.told(entity, 'state', 't')])
  const seesState =
    reader === request.actor
      ? locked.seesField('state')
      : (await holdsNow(tx, request, entity, locked.record.id, [isTold]))[0]
  const state = seesState === true ? (locked.record.state as string) : null
  const problem = closedProblem(app, request, entity, verdict, state)
  const error = errorOf(app, entity, verdict, state)
  if (error === null) return refused([problem])
  const words = app.errors.get(error)?.templates.get(entity)
  const texts = words === undefined ? [] : [words.message, words.whatToDo].filter(text => text !== null)
  const of = { entity, record: locked.record }
  const reading = await refusalAt(tx, app, request, relatedRecords(tx, app), of, texts)
  return refused([raiseEntry(app, error, entity, reading, { field: null, because: verdict.because })])
}

/**
 * The catalogue's code of the branch that Who or When closes, or the one for this state; where nobody of their roles may take it, the step
 * stays unsaid. `state` null: they do not see it, and are not told of it.
 */
export function errorOf(
  app: App,
  entity: string,
  { step, reason, because }: Pick<StepVerdict, 'step' | 'reason' | 'because'>,
  state: string | null,
): string | null {
  const branches = app.workflows.get(entity)!.transitions.filter(({ key }) => key === step)
  if (reason === 'state') {
    const elsewhere = state === null ? [] : branches.flatMap(branch => branch.elsewhere)
    const named = elsewhere.find(({ states }) => states?.includes(state!))
    return (named ?? elsewhere.find(({ states }) => states === null))?.error ?? null
  }
  if (reason !== 'who' && reason !== 'row' && reason !== 'when') return null
  const decides = branches.find(
    ({ who, when, cell }) =>
      [who, when].some(one => one !== null && 'cell' in one && one.cell === because) || cell === because,
  )
  const error = (decides ?? branches[0])?.error ?? null
  return error === null || isUnspecified(error) ? null : error
}

/** Why a step is closed, in the built-in words. `state` null: they do not see it, and are not told of it. */
function closedProblem(
  app: App,
  request: Request,
  entity: string,
  verdict: StepVerdict,
  state: string | null,
): Problem {
  const actor = request.actor.name ?? wordsIn(app.language)[request.actor.system === null ? 'visitor' : 'application']
  const about = { step: verdict.name, actor, entity: app.entities.get(entity)!.name }
  const place = { because: verdict.because }
  if (state === null) return raise(app, 'NF-STEP-DENIED', about, place)
  const named = { ...about, state: wordFor(app, state) }
  switch (verdict.reason) {
    case 'state': {
      const from = verdict.starts.filter(one => one !== state).map(one => wordFor(app, one))
      return raise(app, 'NF-STEP-STATE', { ...named, from: from.join(', ') }, place)
    }
    case 'when':
      return verdict.missing === null
        ? raise(app, 'NF-STEP-WHEN', named, place)
        : raise(app, 'NF-STEP-UNKNOWN', { ...named, missing: missingLabel(app, entity, verdict.missing) }, place)
    case 'decided':
      return raise(app, 'NF-STEP-DECIDED', named, place)
    case 'unspecified':
      return raise(app, 'NF-STEP-UNSPECIFIED', named, place)
    default:
      return raise(app, 'NF-STEP-DENIED', named, place)
  }
}

const missingLabel = (app: App, entity: string, path: string): string =>
  path.includes('.') ? path : labelOf(app, entity, path)
