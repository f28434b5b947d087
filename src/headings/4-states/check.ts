/** Checks of heading 4 on the finished model. */

import { position } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Field } from '../3-entities/model.ts'
import { isEverybody } from '../6-permissions/held.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../said.ts'
import { branching } from './branches.ts'
import { lintApprovals } from './check-approvals.ts'
import { circlesOf } from './circles.ts'
import { stateCodes } from './codes.ts'
import type { Act, Transition, Who, Workflow } from './model.ts'

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
    const [first, second] = states.filter(({ kind }) => kind === 'start')
    if (second !== undefined)
      report('N1406', second.cell, {}, { related: [{ span: first!.cell, message: 'first here' }] })
    for (const { from, fromCell, name } of transitions) {
      if (isUnspecified(from)) continue
      const end = states.find(state => state.kind === 'end' && from.includes(state.name))
      const related = end === undefined ? [] : [{ span: end.cell, message: 'marked `end` here' }]
      if (end !== undefined) report('N1408', fromCell, { name, state: end.name }, { related })
    }
  }
}

/** Effects that have nothing to write into, records created without what they need, and what never ends. */
export function checkEffects(context: Context, app: App): void {
  const { report } = reporter(stateCodes, section, context.found)
  for (const { on, then } of app.effects) {
    const gone = on.includes('deleted') ? then.find(isOwn) : undefined
    if (gone !== undefined) report('N1428', gone.cell, { what: 'the record is deleted' })
  }
  for (const act of actsOf(app)) {
    if (act.kind !== 'create') continue
    const entity = app.entities.get(act.entity)!
    const own = entity.shape.tenant?.field
    const left = entity.fields.find(
      field => field.key !== own && needsValue(field) && !act.values.some(one => one.field === field.key),
    )
    if (left === undefined) continue
    const related = [{ span: left.required!.cell, message: 'required here' }]
    report('N1432', act.cell, { entity: entity.name, field: left.key }, { related })
  }
  for (const { cells, endless } of circlesOf(app)) {
    const way = [...cells, cells[0]!]
      .map(cell => `${cell.text} (line ${position(cell.file, cell.start).line})`)
      .join(' → ')
    const related = cells.slice(1).map(span => ({ span, message: 'and this' }))
    report(endless ? 'N1430' : 'N1431', cells[0]!, { way }, { related })
  }
}

const isOwn = (act: Act): boolean =>
  (act.kind === 'set' && act.of === null) ||
  act.kind === 'go to' ||
  act.kind === 'assign' ||
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

/** Every act of the document, those inside of `for each` too. */
export function actsOf({ workflows, effects, sweeps }: Pick<App, 'workflows' | 'effects' | 'sweeps'>): readonly Act[] {
  const inside = (act: Act): readonly Act[] => (act.kind === 'for each' ? [act, ...act.acts.flatMap(inside)] : [act])
  const said = [...workflows.values()].flatMap(({ transitions, timers }) => [...transitions, ...timers])
  return [...said, ...effects, ...sweeps].flatMap(({ then }) => then.flatMap(inside))
}

/** Why the form of a step cannot ask for a field. Null: it can. */
function whyNotAsked(field: Field | undefined): string | null {
  if (field === undefined) return 'people never set it'
  if (field.type.kind === 'list') return 'it is a list of rows'
  if (field.computed !== null) return 'it is computed'
  if (!fieldKind(field.kind).entered) return 'it is numbered by itself'
  if (field.copiedFrom !== null) return 'it is copied when the record is created'
  if (field.hidden !== null) return 'it is hidden'
  return field.setBy?.who === 'calls' ? 'only calls set it' : null
}

/** What can be served but hardly is what was meant. `held` are the roles that somebody can have. */
export function lintStates(context: Context, app: App, held: ReadonlySet<string>): void {
  for (const workflow of app.workflows.values()) {
    lintReach(context, app, workflow)
    lintBranches(context, app, workflow)
    lintApprovals(context, app, workflow, held)
    for (const step of new Set(workflow.transitions.map(({ key }) => key)))
      lintTakers(
        context,
        app,
        workflow,
        workflow.transitions.filter(({ key }) => key === step),
        held,
      )
  }
}

/** States that are never entered, and states that are entered and never left. */
function lintReach(context: Context, app: App, { entity, states, start, transitions, timers }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  const { name } = app.entities.get(entity)!
  if (!states.some(({ kind }) => kind === 'start')) report('N1407', states[0]!.cell, { entity: name, state: start })
  // Where a goal or an origin is left open, it may be any state: nothing is unreachable or dead then.
  const isOpen = transitions.some(({ from, to }) => isUnspecified(from) || isUnspecified(to))
  if (isOpen) return
  const ways = [
    ...transitions.map(({ from, to }) => ({ from: isUnspecified(from) ? [] : from, to: isUnspecified(to) ? '' : to })),
    ...timers.flatMap(timer =>
      timer.then.flatMap(act => (act.kind === 'go to' ? [{ from: timer.while, to: act.state }] : [])),
    ),
    ...effectWays(app, entity, start),
  ]
  const reached = new Set([start])
  for (let before = 0; before !== reached.size; ) {
    before = reached.size
    for (const { from, to } of ways) if (from.some(state => reached.has(state))) reached.add(to)
  }
  for (const { name: state, cell, kind } of states) {
    if (!reached.has(state)) report('N1404', cell, { state, start })
    else if (kind !== 'end' && !ways.some(({ from, to }) => from.includes(state) && to !== state))
      report('N1405', cell, { state })
  }
}

/** States that effects and sweeps lead to: of a new record from the first state, otherwise from any. */
function effectWays(app: App, entity: string, start: string): readonly { from: readonly string[]; to: string }[] {
  const all = app.workflows.get(entity)!.states.map(({ name }) => name)
  const goals = (acts: readonly Act[], of: string): readonly string[] =>
    acts.flatMap(act => {
      if (act.kind === 'go to') return of === entity ? [act.state] : []
      return act.kind === 'for each' ? goals(act.acts, act.of.entity) : []
    })
  const effects = app.effects.flatMap(effect => {
    const from = effect.on.every(one => one === 'created') ? [start] : all
    return goals(effect.then, effect.entity).map(to => ({ from, to }))
  })
  const sweeps = app.sweeps.flatMap(sweep => {
    const from = sweep.entity === entity ? (sweep.while ?? all) : all
    return goals(sweep.then, sweep.entity).map(to => ({ from, to }))
  })
  return [...effects, ...sweeps]
}

/** Branches that are never taken because those above them always are, and values for which there is none. */
function lintBranches(context: Context, app: App, { entity, transitions }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  const said = new Set<Transition>()
  const unreached = (later: Transition, earlier: Transition, state: string) => {
    if (said.has(later)) return
    said.add(later)
    const related = [{ span: earlier.cell, message: 'the row above' }]
    report('N1416', later.cell, { step: later.name, state }, { related })
  }
  transitions.forEach((later, index) => {
    for (const earlier of transitions.slice(0, index)) {
      if (earlier.key !== later.key || earlier.when !== null || !covers(earlier, later)) continue
      if (isUnspecified(earlier.from) || isUnspecified(later.from)) continue
      const states = earlier.from
      const state = later.from.find(name => states.includes(name))
      if (state !== undefined) unreached(later, earlier, state)
    }
  })
  const whoOf = ({ who }: Transition) => (isUnspecified(who) ? null : who.cell.text)
  for (const branches of Map.groupBy(transitions, step => `${step.key} ${whoOf(step)}`).values()) {
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

/** Whether everybody who may take the later branch may take the earlier one. */
function covers({ who: earlier }: Transition, { who: later }: Transition): boolean {
  if (isUnspecified(earlier) || isUnspecified(later)) return false
  if (earlier.except.length > 0) return false
  if (earlier.kind === 'everyone signed in') return true
  return later.kind === 'roles' && later.people.length === 0 && later.roles.every(role => earlier.roles.includes(role))
}

/** A step that nobody can take: by its Who, by heading 6, or because nobody has the roles. */
function lintTakers(
  context: Context,
  app: App,
  { entity }: Workflow,
  branches: readonly Transition[],
  held: ReadonlySet<string>,
): void {
  const { report } = reporter(stateCodes, section, context.found)
  const access = app.access.get(entity)!
  // Where heading 6 leaves the entity open, that is the gap; every step would only say it again.
  if (access.rows.length === 0 || branches.some(({ who }) => isUnspecified(who))) return
  const step = branches[0]!
  if (branches.every(({ who }) => !isUnspecified(who) && isNobody(who))) {
    const does =
      actsOf(app).some(act => act.kind === 'do' && act.on.entity === entity && act.step === step.key) ||
      [...app.calls.values()].some(
        call =>
          call.entity === entity &&
          call.answers.some(({ then }) => then.some(act => act.kind === 'do' && act.step === step.key)),
      )
    const why = 'its Who is `none`, and nothing in the document does it'
    const help = `Write \`do ${step.name} on …\` into a Then cell, or name who takes it.`
    if (!does) report('N1409', step.cell, { step: step.name, why, help })
    return
  }
  const named = branches.flatMap(({ who }) =>
    isUnspecified(who) ? [] : who.kind === 'roles' && who.people.length === 0 ? who.roles : [...app.roles.keys()],
  )
  const able = named.filter(role => held.has(role))
  if (able.length === 0) {
    const why = `nobody has the role ${[...new Set(named)].join(' or ')}`
    report('N1409', step.cell, {
      step: step.name,
      why,
      help: 'Say under heading 6 who has the role, or name another one in Who.',
    })
    return
  }
  const lets = access.rows.filter(
    ({ do: may }) => !isUnspecified(may) && (may.steps === 'all' || may.steps.includes(step.key)),
  )
  const doers = lets.filter(({ role }) => held.has(role))
  if (doers.length === 0) {
    const why = 'heading 6 lets nobody do it'
    report('N1409', step.cell, {
      step: step.name,
      why,
      help: `Add \`${step.name}\` to the Do column of ${able.join(' or ')} under heading 6.`,
    })
    return
  }
  for (const { who } of branches) {
    if (isUnspecified(who) || who.kind !== 'roles') continue
    const idle = who.roles.find(
      role => held.has(role) && !doers.some(row => row.role === role || isEverybodys(app, row.role)),
    )
    if (idle !== undefined) report('N1422', who.cell, { role: idle, step: step.name })
  }
}

/** `none`: only the application takes it. */
const isNobody = (who: Who): boolean => who.kind === 'roles' && who.roles.length + who.people.length === 0

function isEverybodys(app: App, role: string): boolean {
  const who = app.roles.get(role)?.who
  return who !== undefined && !isUnspecified(who) && isEverybody(who)
}
