/** Who can take a step: by its Who, its When, and what heading 6 lets a role do and see in the states that it begins in. */

import { codeless } from '../../document/cell.ts'
import { type Fact, reporter } from '../../document/diagnostic.ts'
import { couldHold, type Facts } from '../../expression/outcomes.ts'
import type { Entity } from '../3-entities/model.ts'
import { couldGrant, couldSpare, heldRoles, mayEverSeeField } from '../6-permissions/held.ts'
import { linesOf } from '../6-permissions/lines.ts'
import type { Access, Permission } from '../6-permissions/model.ts'
import { bansOf, exceptionsOf, neverFor } from '../6-permissions/never.ts'
import type { App } from '../app.ts'
import { facts, seesOf } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../specified.ts'
import { isDone } from './all-acts.ts'
import { stateCodes } from './codes.ts'
import type { Transition, Who, Workflow } from './model.ts'
import { isOpen, reachedFrom, startsOf, type Way, waysOf } from './ways.ts'

const section = 4

/** What can be said of the steps of one entity. `held` are the roles that somebody can have. */
export function lintTakers(context: Context, app: App, workflow: Workflow, held: ReadonlySet<string>): void {
  const { rows } = app.access.get(workflow.entity)!
  // Where heading 6 leaves the entity open, that is the gap; every step would only say it again.
  if (rows.length === 0) return
  const lost = lostStates(app, workflow, held)
  for (const branches of Map.groupBy(workflow.transitions, ({ key }) => key).values())
    if (!branches.some(({ who }) => isUnspecified(who))) lintStep(context, app, workflow, branches, held, lost)
}

function lintStep(
  context: Context,
  app: App,
  workflow: Workflow,
  branches: readonly Transition[],
  held: ReadonlySet<string>,
  lost: ReadonlySet<string>,
): void {
  const { report } = reporter(stateCodes, section, context.found)
  const { entity } = workflow
  const step = branches[0]!
  const name = app.entities.get(entity)!.name
  const access = app.access.get(entity)!
  const { rows } = access
  const goals = [...new Set(branches.flatMap(({ to }) => (!isUnspecified(to) && lost.has(to) ? [`\`${to}\``] : [])))]
  const after = goals.length === 0 ? '' : `, so that no ${name} ever comes to ${goals.join(' or ')}`
  const nobody = (why: string, help: string, subject?: Fact) =>
    report(
      'N1409',
      step.cell,
      { step: step.name, why: `${why}${after}`, help },
      { causes: seesOf(app.roles.keys(), entity), ...(subject === undefined ? {} : { subject }) },
    )
  const does = isDone(app, entity, step.key)
  if (branches.every(({ who }) => !isUnspecified(who) && isNobody(who))) {
    const help = `Write \`do ${step.name} on …\` into a Then cell, or name who takes it.`
    if (!does) nobody('its Who is `none`, and nothing in the document does it', help)
    return
  }
  const emptied = branches.find(({ who }) => !isUnspecified(who) && isEmptied(who))
  if (emptied !== undefined && branches.every(({ who }) => !isUnspecified(who) && isEmptied(who))) {
    nobody(
      `\`${emptied.who.cell.text}\` leaves out everybody whom it names`,
      'Name somebody else in Who, or behind `except`.',
    )
    return
  }
  const named = branches.flatMap(({ who }) =>
    isUnspecified(who) ? [] : who.kind === 'roles' && who.people.length === 0 ? who.roles : [...app.roles.keys()],
  )
  const able = [...new Set(named.filter(role => held.has(role)))]
  if (able.length === 0) {
    const roles = [...new Set(named)]
    const help = 'Say under heading 6 who has the role, or name another one in Who.'
    nobody(`nobody has the role ${roles.join(' or ')}`, help, facts.held(roles))
    return
  }
  const doers = rows.filter(row => held.has(row.role) && lets(row, step.key))
  if (doers.length === 0) {
    nobody(
      'heading 6 lets nobody do it',
      `Add \`${step.name}\` to the Do column of ${able.join(' or ')} under heading 6.`,
      facts.takes(null, entity),
    )
    return
  }
  const taken = branches.map(branch => ({ branch, ...whereTaken(branch, doers, access) }))
  const isLeftOpen = branches.some(({ from }) => isUnspecified(from))
  if (!does && !isLeftOpen && taken.every(({ states }) => states.length === 0)) {
    const { why, help, subject } = whyNobody(app.entities.get(entity)!, step, taken, doers)
    nobody(why, help, subject)
    return
  }
  for (const { branch, closed } of does || isLeftOpen ? [] : taken) {
    const still = closed.filter(state => !taken.some(({ states }) => states.includes(state)))
    if (still.length === 0) continue
    const { why, help } = whyNobody(app.entities.get(entity)!, branch, [{ branch, closed: still }], doers)
    const states = still.map(state => `\`${state}\``).join(' or ')
    report('N1442', branch.fromCell, { step: step.name, states, why: `${why}${after}`, help })
    break
  }
  for (const { branch } of taken) {
    const { who } = branch
    if (isUnspecified(who) || who.kind !== 'roles') continue
    const idle = who.roles.find(role => held.has(role) && !doers.some(row => row.role === role))
    if (idle === undefined) continue
    const rests = { subject: facts.takes(idle, entity), causes: [facts.sees(idle, entity)] }
    report('N1422', who.cell, { role: idle, step: step.name }, rests)
    break
  }
  for (const { branch } of taken) lintAsked(context, app, workflow, branch, doers)
}

/** Fields that a step asks for, and a role that takes it may not see: they would write what they cannot read again. */
function lintAsked(context: Context, app: App, { entity }: Workflow, branch: Transition, doers: readonly Permission[]) {
  const { report } = reporter(stateCodes, section, context.found)
  for (const { field, cell } of branch.asks) {
    const blind = takersOf(branch, null, doers, null).find(({ role }) => !mayEverSeeField(app, entity, role, field))
    if (blind === undefined) continue
    const see = linesOf(app.access.get(entity), field)[0]?.see
    const related =
      see === undefined || isUnspecified(see) ? [] : [{ span: see.cell, message: 'heading 6 says who sees it' }]
    report('N1443', cell, { step: branch.name, role: blind.role, field }, { related })
  }
}

/** Whether a row of heading 6 names the step; its own Who decides as well. */
export const lets = ({ do: may }: Permission, step: string): boolean =>
  !isUnspecified(may) && (may.steps === 'all' || may.steps.includes(step))

/** `none`: only the application takes it. */
export const isNobody = (who: Who): boolean => who.kind === 'roles' && who.roles.length + who.people.length === 0

/** `owner except owner`. */
const isEmptied = (who: Who): boolean =>
  who.kind === 'roles' &&
  who.roles.length === 0 &&
  who.people.length > 0 &&
  who.people.every(({ cell }) => who.except.some(other => codeless(other.cell).text === codeless(cell).text))

/** The rows of heading 6 by which somebody can take a branch from a state; null: leaving See and When aside. */
function takersOf(
  { key, who, when }: Transition,
  state: string | null,
  doers: readonly Permission[],
  access: Access | null,
): readonly Permission[] {
  if (isUnspecified(who) || (when !== null && isUnspecified(when))) return []
  const facts = new Map(state === null ? [] : [['state', state]])
  if (state !== null && when !== null && !couldHold(when.root, facts)) return []
  return doers.filter(
    ({ role, see }) =>
      (state === null || access === null || !isBarred(access, role, key, facts)) &&
      (who.kind === 'everyone signed in' || who.people.length > 0 || who.roles.includes(role)) &&
      (state === null || couldGrant(see, facts)),
  )
}

/** Rows of heading 6 by which somebody takes a branch from a state; none where only the application does. */
export function leavingBy(app: App, entity: string, branch: Transition, state: string): readonly Permission[] {
  const access = app.access.get(entity)!
  const held = heldRoles(app.roles)
  const doers = access.rows.filter(row => held.has(row.role) && lets(row, branch.key))
  return isUnspecified(branch.who) || isNobody(branch.who) ? [] : takersOf(branch, state, doers, access)
}

/** Whether the rows `never` close a step of all records with these values to a role. */
export const isBarred = (access: Access, role: string, step: string, facts: Facts): boolean => {
  const never = neverFor(access, [role])
  const isBanned = bansOf(never, step).some(({ when }) => !couldGrant(exceptionsOf(when), facts))
  return isBanned || !couldSpare(never, 'see', facts) || !couldSpare(never, 'do', facts)
}

/** Of the states that a branch begins in: those where somebody can take it, and those where nobody can. */
function whereTaken(branch: Transition, doers: readonly Permission[], access: Access) {
  const { from, when } = branch
  if (isUnspecified(from)) return { states: [], closed: [] }
  // A condition that is left open is listed as a gap.
  if (when !== null && isUnspecified(when)) return { states: from, closed: [] }
  const states = from.filter(state => takersOf(branch, state, doers, access).length > 0)
  return { states, closed: from.filter(state => !states.includes(state)) }
}

function whyNobody(
  entity: Entity,
  { name }: Transition,
  closed: readonly { readonly branch: Transition; readonly closed: readonly string[] }[],
  doers: readonly Permission[],
): { readonly why: string; readonly help: string; readonly subject?: Fact } {
  const roles = (some: readonly Permission[]) => [...new Set(some.map(({ role }) => role))].join(' or ')
  const named = closed.flatMap(({ branch }) => takersOf(branch, null, doers, null))
  if (named.length === 0) {
    const who = closed.flatMap(({ branch }) => (isUnspecified(branch.who) ? [] : branch.who.cell.text)).join(', ')
    const why = `Who names ${who}, and heading 6 lets only ${roles(doers)} do it`
    const help = `Name ${roles(doers)} in Who, or add \`${name}\` to the Do column of ${who} under heading 6.`
    return { why, help, subject: facts.takes(who, entity.key) }
  }
  const states = [...new Set(closed.flatMap(one => one.closed))].map(state => `\`${state}\``).join(' or ')
  const isTaken = (state: string, branch: Transition) => takersOf(branch, state, doers, null).length > 0
  if (closed.some(({ branch, closed }) => closed.some(state => isTaken(state, branch))))
    return {
      why: `the row \`never\` of heading 6 closes it in ${states}`,
      help: 'Let the cells See and Do of that row leave the state open, or take it out of the From column.',
    }
  const isSeen = closed.some(({ branch, closed }) => closed.some(state => isTaken(state, { ...branch, when: null })))
  if (isSeen) return { why: `its When never holds in ${states}`, help: 'Mend the condition, or the From column.' }
  return {
    why: `heading 6 lets ${roles(named)} see no ${entity.name} in ${states}`,
    help: `Let ${roles(named)} see it in that state under heading 6, or name somebody else who takes the step.`,
    subject: facts.seesThen([roles(named)], entity.key),
  }
}

/** States that the table leads to, but that no record reaches because nobody can take the steps on the way. */
function lostStates(app: App, workflow: Workflow, held: ReadonlySet<string>): ReadonlySet<string> {
  const open = openWays(app, workflow, held)
  if (open === null) return new Set()
  const reached = reachedFrom(startsOf(workflow), open)
  return new Set(
    [...reachedFrom(startsOf(workflow), waysOf(app, workflow.entity))].filter(state => !reached.has(state)),
  )
}

/** The ways that somebody or something can take, from the states in which they can; null where the document leaves that open. */
export function openWays(
  app: App,
  { entity, transitions }: Workflow,
  held: ReadonlySet<string>,
): readonly Way[] | null {
  if (isOpen(transitions) || transitions.some(({ who }) => isUnspecified(who))) return null
  const access = app.access.get(entity)!
  return waysOf(app, entity).map(way => {
    const { by } = way
    if (by === null || isDone(app, entity, by.key)) return way
    const doers = access.rows.filter(row => held.has(row.role) && lets(row, by.key))
    return { ...way, from: whereTaken(by, doers, access).states }
  })
}
