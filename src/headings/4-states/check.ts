/** Checks of heading 4 on the finished model. */

import { position } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Field } from '../3-entities/model.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, specified } from '../specified.ts'
import { actsOf, createdWith, sequencesOf } from './all-acts.ts'
import { branching, overlap } from './branches.ts'
import { lintApprovals } from './check-approvals.ts'
import { circlesOf } from './circles.ts'
import { stateCodes } from './codes.ts'
import type { Act, Elsewhere, Transition, Workflow } from './model.ts'
import { lintNever } from './never.ts'
import { lintNotices } from './notices.ts'
import { lintTakers } from './takers.ts'
import { isOpen, reachedFrom, startOf, startsOf, type Way, waysOf } from './ways.ts'

const section = 4

/** Two starts, and steps that leave an end. */
export function checkStates(context: Context, { workflows, entities }: App): void {
  const { report } = reporter(stateCodes, section, context.found)
  for (const { entity, states, transitions } of workflows.values()) {
    for (const { asks, name } of transitions) {
      for (const { field, cell } of asks) {
        const why = whyNotAsked(entities.get(entity)?.fields.find(({ key }) => key === field))
        if (why !== null) report('N1425', cell, { step: name, field, why })
      }
    }
    const [first, second] = states.filter(({ kind, begins }) => kind === 'start' && begins === undefined)
    if (second !== undefined)
      report('N1406', second.cell, {}, { related: [{ span: first!.cell, message: 'first here' }] })
    for (const { from, fromCell, to, name } of transitions) {
      // What goes on where it is does not leave, and of what is not decided yet nobody knows whether it does.
      if (isUnspecified(from) || isUnspecified(to)) continue
      const end = states.find(state => state.kind === 'end' && from.includes(state.name) && to !== state.name)
      const related = end === undefined ? [] : [{ span: end.cell, message: 'marked `end` here' }]
      if (end !== undefined) report('N1408', fromCell, { name, state: end.name }, { related })
    }
    checkElsewhere(context, transitions)
  }
}

/** An error for states that a step does not lead from names one that it does, or those for which another one answers already. */
function checkElsewhere(context: Context, transitions: readonly Transition[]): void {
  const { report } = reporter(stateCodes, section, context.found)
  for (const rows of Map.groupBy(transitions, ({ key }) => key).values()) {
    const answering = new Map<string | null, Elsewhere>()
    for (const one of rows.flatMap(({ elsewhere }) => elsewhere))
      for (const state of one.states ?? [null]) {
        const first = answering.get(state)
        if (first === undefined) answering.set(state, one)
        else if (first.error !== one.error) {
          const related = [{ span: first.cell, message: 'first here' }]
          report('N1468', one.cell, { name: rows[0]!.name, error: one.error, first: first.error }, { related })
          break
        }
      }
  }
  for (const { key, name, elsewhere } of transitions)
    for (const { cell, error, states } of elsewhere)
      for (const step of transitions) {
        const state = specified(step.from)?.find(from => step.key === key && states?.includes(from))
        const related = [{ span: step.fromCell, message: 'it starts here' }]
        if (state !== undefined) report('N1462', cell, { name, state, error }, { related })
      }
}

/** Effects that have nothing to write into, records created without what they need, and what never ends. */
export function checkEffects(context: Context, app: App): void {
  const { report } = reporter(stateCodes, section, context.found)
  for (const { on, then } of app.effects) {
    const gone = on.includes('deleted') ? then.find(isOwn) : undefined
    if (gone !== undefined) report('N1428', gone.cell, { what: 'the record is deleted' })
  }
  for (const acts of sequencesOf(app)) {
    const gone = acts.findIndex(act => act.kind === 'delete' && act.of.kind === 'itself')
    const late = gone < 0 ? undefined : acts.slice(gone + 1).find(isOwn)
    if (late !== undefined) report('N1428', late.cell, { what: 'the record is deleted before' })
  }
  for (const act of actsOf(app)) {
    if (act.kind === 'delete') checkDelete(context, app, act)
    if (act.kind === 'create') checkCreate(context, app, act)
  }
  for (const { cells, endless } of circlesOf(app)) {
    const way = [...cells, cells[0]!]
      .map(cell => `${cell.text} (line ${position(cell.file, cell.start).line})`)
      .join(' → ')
    const related = cells.slice(1).map(span => ({ span, message: 'and this' }))
    report(endless ? 'N1430' : 'N1431', cells[0]!, { way }, { related })
  }
}

function checkDelete(context: Context, app: App, act: Extract<Act, { readonly kind: 'delete' }>): void {
  const { name, archives, fields } = app.entities.get(act.of.entity)!
  if (archives !== null) return
  const series = fields.find(({ gapless, givenOn }) => gapless !== null && givenOn === null)
  if (series === undefined) return
  const related = [{ span: series.gapless!, message: '`gapless` here' }]
  const what = `no number of ${name} may be missing, so none is deleted`
  reporter(stateCodes, section, context.found).report('N1428', act.cell, { what }, { related })
}

function checkCreate(context: Context, app: App, act: Extract<Act, { readonly kind: 'create' }>): void {
  const { report } = reporter(stateCodes, section, context.found)
  for (const { entity: key, cell, values } of createdWith(act)) {
    const entity = app.entities.get(key)!
    const { parent, tenant } = entity.shape
    const isGiven = (field: string) => values.some(one => one.field === field)
    if (key === act.entity && parent !== undefined && !isGiven(parent))
      report('N1432', cell, { entity: entity.name, field: parent })
    const left = entity.fields.find(field => field.key !== tenant?.field && needsValue(field) && !isGiven(field.key))
    if (left === undefined) continue
    const related = [{ span: left.required!.cell, message: 'required here' }]
    report('N1432', cell, { entity: entity.name, field: left.key }, { related })
  }
}

const isOwn = (act: Act): boolean =>
  (act.kind === 'set' && act.of === null) ||
  act.kind === 'go to' ||
  act.kind === 'assign' ||
  (act.kind === 'delete' && act.of.kind === 'itself') ||
  (act.kind === 'do' && act.on.kind === 'itself')

const needsValue = ({
  required,
  default: given,
  copiedFrom,
  assignedFrom,
  onlyWhen,
  computed,
  type,
  kind,
}: Field): boolean =>
  required !== null &&
  required.when === null &&
  given === null &&
  copiedFrom === null &&
  assignedFrom === null &&
  onlyWhen === null &&
  computed === null &&
  type.kind !== 'list' &&
  fieldKind(kind).entered

/** Why the form of a step cannot ask for a field. Null: it can. */
function whyNotAsked(field: Field | undefined): string | null {
  if (field === undefined) return 'people never set it'
  if (field.type.kind === 'list' && field.kind !== 'several') return 'it is a list of rows'
  if (field.computed !== null || field.renewed) return 'it is computed'
  if (!fieldKind(field.kind).entered) return 'it is numbered by itself'
  if (fieldKind(field.kind).sealed) return 'it is a secret, which is typed in the form of its record'
  if (field.copiedFrom !== null) return 'it is copied when the record is created'
  if (field.hidden !== null) return 'it is hidden'
  return field.setBy?.who === 'calls' ? 'only calls set it' : null
}

/** What can be served but hardly is what was meant. `held` are the roles that somebody can have. */
export function lintStates(context: Context, app: App, held: ReadonlySet<string>): void {
  for (const workflow of app.workflows.values()) {
    lintReach(context, app, workflow)
    lintBranches(context, app, workflow)
    lintOverlaps(context, app, workflow)
    lintApprovals(context, app, workflow, held)
    lintTakers(context, app, workflow, held)
    lintNever(context, app, workflow)
  }
  for (const entity of new Set(app.timers.map(timer => timer.entity))) lintNotices(context, app, entity)
}

/** States that are never entered, and states that are entered and never left. */
function lintReach(context: Context, app: App, workflow: Workflow): void {
  const { entity, states, transitions } = workflow
  const start = startOf(workflow)
  const { report } = reporter(stateCodes, section, context.found)
  const { name } = app.entities.get(entity)!
  if (!states.some(({ kind, begins }) => kind === 'start' && begins === undefined))
    report('N1407', states[0]!.cell, { entity: name, state: start })
  if (isOpen(transitions)) return
  const ways = waysOf(app, entity)
  const reached = reachedFrom(startsOf(workflow), ways)
  for (const { key, givenOn } of app.entities.get(entity)!.fields)
    if (
      givenOn !== null &&
      !ways.some(({ by, from }) => givenOn.steps.includes(by?.key ?? '') && from.some(one => reached.has(one)))
    )
      report('N1459', givenOn.cell, { field: key })
  const first = firstOf(
    states.map(({ name: state }) => state).filter(state => !reached.has(state)),
    ways,
  )
  // Where no kind is written at all, nobody says which are the ends.
  const isKindless = states.every(({ kind }) => kind === null)
  for (const { name: state, cell, kind } of states) {
    if (first.has(state)) report('N1404', cell, { state, start })
    else if (
      !isKindless &&
      reached.has(state) &&
      kind !== 'end' &&
      !ways.some(({ from, to }) => from.includes(state) && to !== state)
    )
      report('N1405', cell, { state })
  }
}

/** Of states that are never entered those that the others follow from: what leads to them is missing, the rest is the same mistake. */
function firstOf(unreached: readonly string[], ways: readonly Way[]): ReadonlySet<string> {
  const first = new Set<string>()
  const follows = new Set<string>()
  const leads = (from: string, to: string) => from !== to && reachedFrom([from], ways).has(to)
  for (const state of unreached) {
    // Those of a circle lead to each other: the one above stands for all.
    const begins = unreached.every(other => !leads(other, state) || leads(state, other))
    if (!begins || follows.has(state)) continue
    first.add(state)
    for (const next of reachedFrom([state], ways)) follows.add(next)
  }
  return first
}

/** Branches that are never taken because those above them always are, and values for which there is none. */
function lintBranches(context: Context, app: App, { entity, transitions }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  const told = new Set<Transition>()
  const unreached = (later: Transition, earlier: Transition, state: string) => {
    if (told.has(later)) return
    told.add(later)
    const related = [{ span: earlier.cell, message: 'the row above' }]
    report('N1416', later.cell, { step: later.name, state }, { related })
  }
  transitions.forEach((later, index) => {
    for (const earlier of transitions.slice(0, index)) {
      if (earlier.key !== later.key || !alwaysApplies(earlier, later) || !covers(earlier, later)) continue
      if (isUnspecified(earlier.from) || isUnspecified(later.from)) continue
      const states = earlier.from
      const state = later.from.find(name => states.includes(name))
      if (state !== undefined) unreached(later, earlier, state)
    }
  })
  const whoOf = ({ who }: Transition) => (isUnspecified(who) ? null : who.cell.text)
  const taken = transitions.filter(step => !told.has(step))
  for (const branches of Map.groupBy(taken, step => `${step.key} ${whoOf(step)}`).values()) {
    const states = new Set(branches.flatMap(({ from }) => (isUnspecified(from) ? [] : from)))
    let gap = false
    for (const state of states) {
      const rows = branches.filter(({ from }) => !isUnspecified(from) && from.includes(state))
      const found = rows.length < 2 || whoOf(rows[0]!) === null ? null : branching(app, entity, state, rows)
      if (found === null) continue
      for (const { row } of found.shadowed) unreached(row, rows[0]!, state)
      if (found.gap === null || gap) continue
      gap = true
      report('N1441', rows[0]!.cell, { step: rows[0]!.name, ...found.gap })
    }
  }
}

/** Branches of which both apply for some values, and neither takes in the other. */
function lintOverlaps(context: Context, app: App, { entity, transitions }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  transitions.forEach((later, index) => {
    for (const earlier of transitions.slice(0, index)) {
      if (earlier.key !== later.key || !isShared(earlier, later) || isSame(earlier, later)) continue
      if (isUnspecified(earlier.from) || isUnspecified(later.from)) continue
      const states = earlier.from
      const state = later.from.find(name => states.includes(name))
      const where = state === undefined ? null : overlap(app, entity, state, [earlier, later])
      if (state === undefined || where === null) continue
      const related = [{ span: earlier.cell, message: 'the row above' }]
      report('N1445', later.cell, { step: later.name, state, where }, { related })
      return
    }
  })
}

/** Whether some may take both branches. */
function isShared({ who: one }: Transition, { who: other }: Transition): boolean {
  if (isUnspecified(one) || isUnspecified(other)) return false
  if (one.cell.text === other.cell.text || one.kind !== 'roles' || other.kind !== 'roles') return true
  return one.roles.some(role => other.roles.includes(role))
}

/** Whether it makes no difference which of them is taken. */
function isSame(one: Transition, other: Transition): boolean {
  const textOf = ({ to, then, asks }: Transition) =>
    [isUnspecified(to) ? '?' : to, ...then.map(({ cell }) => cell.text), ...asks.map(({ cell }) => cell.text)].join(
      '; ',
    )
  return textOf(one) === textOf(other)
}

/** Whether the earlier branch applies wherever the later one does: it has no condition, or the same. */
function alwaysApplies({ when: earlier }: Transition, { when: later }: Transition): boolean {
  if (earlier === null || later === null) return earlier === null
  return !isUnspecified(earlier) && !isUnspecified(later) && earlier.cell.text === later.cell.text
}

/** Whether everybody who may take the later branch may take the earlier one. */
function covers({ who: earlier }: Transition, { who: later }: Transition): boolean {
  if (isUnspecified(earlier) || isUnspecified(later)) return false
  if (earlier.cell.text === later.cell.text) return true
  if (earlier.except.length > 0) return false
  if (earlier.kind === 'everyone signed in') return true
  return later.kind === 'roles' && later.people.length === 0 && later.roles.every(role => earlier.roles.includes(role))
}
