/** Checks of approvals on the finished model: what they guard asks for nothing, and somebody can give them. */
import { type Fact, reporter } from '../../document/diagnostic.ts'
import { couldGrant, isEverybody } from '../6-permissions/held.ts'
import type { App } from '../app.ts'
import { facts } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../specified.ts'
import { gapBetween, together } from './branches.ts'
import { stateCodes } from './codes.ts'
import { type Approval, neededOf, type Transition, type Workflow } from './model.ts'
import { isBarred } from './takers.ts'

const section = 4

/** Steps that ask for fields: there is no one form that several people fill in. */
export function checkApprovals(context: Context, { workflows }: App): void {
  const { report } = reporter(stateCodes, section, context.found)
  for (const { transitions, approvals } of workflows.values())
    for (const { key, name, asks } of transitions) {
      const waits = approvals.find(({ step }) => step === key)
      const [first] = asks
      if (waits === undefined || first === undefined) continue
      report('N1453', first.cell, { step: name }, { related: [{ span: waits.cell, message: 'decided here' }] })
    }
}

/** What hardly was meant: people who cannot decide, too few of them, and bands that overlap. */
export function lintApprovals(context: Context, app: App, workflow: Workflow, held: ReadonlySet<string>): void {
  const { report } = reporter(stateCodes, section, context.found)
  const { approvals, transitions, entity } = workflow
  for (const approval of approvals) {
    const { name, from, needs } = approval
    const branches = transitions.filter(({ key }) => key === approval.step)
    if (isUnspecified(from) || branches.some(({ who }) => isUnspecified(who))) continue
    const idle = from.roles.flatMap(role => {
      const why = whyIdle(app, entity, branches, role, held)
      return why === null ? [] : [{ role, ...why }]
    })
    if (branches.every(isNobodys)) {
      const why = 'only the application takes the step, and that needs nobody'
      report('N1454', approval.cell, { name, why, help: 'Say in the Who column of the step who decides.' })
    } else if (idle.length > 0 && idle.length === from.roles.length && from.people.length + from.chosen.length === 0) {
      const { role, why, help, subject } = idle[0]!
      const rests = { causes: [facts.takes(role, entity)], ...(subject === undefined ? {} : { subject }) }
      report('N1454', from.cell, { name, why: `${role}: ${why}`, help }, rests)
    } else {
      for (const { role, why, help } of idle) report('N1455', from.cell, { role, name, why, help })
      const most = peopleOf(approval, branches)?.size ?? Number.POSITIVE_INFINITY
      if (typeof needs !== 'number' || needs <= most) continue
      const why = `it needs ${needs}, and its fields name at most ${most} who count`
      report('N1454', from.cell, { name, why, help: 'Name more people in From, or need fewer.' })
    }
  }
  lintTogether(context, workflow)
  lintBands(context, app, workflow)
  lintGaps(context, app, workflow)
}

/** `none`: the application alone. */
const isNobodys = ({ who }: Transition): boolean =>
  !isUnspecified(who) && who.kind === 'roles' && who.roles.length + who.people.length === 0

/** Why nobody of a role can decide. Null: they can. */
function whyIdle(
  app: App,
  entity: string,
  branches: readonly Transition[],
  role: string,
  held: ReadonlySet<string>,
): { readonly why: string; readonly help: string; readonly subject?: Fact } | null {
  const step = branches[0]!.name
  if (!held.has(role))
    return { why: 'nobody has the role', help: 'Say under heading 6 who has it, or name another one.' }
  const isTaker = branches.some(
    ({ who }) =>
      !isUnspecified(who) &&
      (who.kind === 'everyone signed in' || who.roles.some(one => one === role || isEverybodys(app, one, role))),
  )
  if (!isTaker)
    return { why: `Who of \`${step}\` does not name the role`, help: `Add ${role} to the Who of \`${step}\`.` }
  const access = app.access.get(entity)!
  const { rows } = access
  const doers = rows.filter(
    ({ role: one, do: may }) =>
      (one === role || isEverybodys(app, one, role)) &&
      !isUnspecified(may) &&
      (may.steps === 'all' || may.steps.includes(branches[0]!.key)),
  )
  if (rows.length === 0) return null
  if (doers.length === 0)
    return {
      why: `heading 6 does not let the role do \`${step}\``,
      help: `Add \`${step}\` to the Do column of ${role}.`,
      subject: facts.takes(null, entity),
    }
  const states = branches.flatMap(({ from }) => (isUnspecified(from) ? [] : from))
  const of = (state: string) => new Map([['state', state]])
  const open = states.filter(state => !isBarred(access, role, branches[0]!.key, of(state)))
  if (states.length > 0 && open.length === 0)
    return {
      why: `the row \`never\` of heading 6 closes it in ${states.map(state => `\`${state}\``).join(' or ')}`,
      help: 'Let the cells See and Do of that row leave the state open.',
    }
  const sees = doers.some(({ see }) => open.some(state => couldGrant(see, of(state))))
  return sees || states.length === 0
    ? null
    : {
        why: `heading 6 lets the role see no record in ${states.map(state => `\`${state}\``).join(' or ')}`,
        help: `Let ${role} see it in that state under heading 6, or name another one.`,
      }
}

/** Whoever has the role has the other one. */
function isEverybodys(app: App, other: string, role: string): boolean {
  const who = app.roles.get(other)?.who
  return who !== undefined && !isUnspecified(who) && isEverybody(who, role)
}

/** The fields whose people can count, one each, without those who never count or may not take the step. Null: more than can be told. */
function peopleOf({ from, except }: Approval, branches: readonly Transition[]): ReadonlySet<string> | null {
  if (isUnspecified(from)) return null
  const { roles, people, chosen } = from
  if (roles.length + chosen.length > 0 || people.some(({ type }) => type.kind !== 'reference')) return null
  const left = new Set(except.map(({ cell }) => cell.text))
  const isBarred = (text: string) =>
    branches.every(({ who }) => !isUnspecified(who) && who.except.some(({ cell }) => cell.text === text))
  return new Set(people.map(({ cell }) => cell.text).filter(text => !left.has(text) && !isBarred(text)))
}

/** Rows of one step that always apply, and that together need more people than their fields name: a person counts once. */
function lintTogether(context: Context, { approvals, transitions }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  for (const [step, rows] of Map.groupBy(
    approvals.filter(({ when }) => when === null),
    ({ step }) => step,
  )) {
    const branches = transitions.filter(({ key }) => key === step)
    const counted: { readonly approval: Approval; readonly needs: number; readonly people: ReadonlySet<string> }[] = []
    for (const approval of rows) {
      const people = peopleOf(approval, branches)
      const { needs } = approval
      if (people === null || isUnspecified(needs)) continue
      const own = needs === 'all' ? people.size : neededOf(needs, people.size)
      if (own > people.size) continue
      const others = counted.filter(other => [...other.people].some(one => people.has(one)))
      const all = new Set([...people, ...others.flatMap(other => [...other.people])])
      const wanted = others.reduce((sum, other) => sum + other.needs, own)
      counted.push({ approval, needs: own, people })
      if (wanted <= all.size) continue
      const names = others.map(other => `\`${other.approval.name}\``).join(' and ')
      const why = `together with ${names} it needs ${wanted} people, their fields name at most ${all.size}, and a person counts once`
      const related = others.map(other => ({ span: other.approval.cell, message: 'together with this' }))
      const help = 'Name more people in From, need fewer, or take one of the rows out.'
      report('N1454', approval.cell, { name: approval.name, why, help }, { related })
    }
  }
}

/** Two rows of one step that ask the same people under conditions that can hold together, and of which neither says that it follows the other. */
function lintBands(context: Context, app: App, { approvals, entity }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  const asked = ({ from }: Approval) =>
    isUnspecified(from)
      ? null
      : [...from.roles, ...[...from.people, ...from.chosen].map(({ cell }) => cell.text)].sort().join(', ')
  approvals.forEach((later, index) => {
    const earlier = approvals.slice(0, index).find(one => {
      if (
        one.step !== later.step ||
        later.after.includes(one.key) ||
        asked(one) === null ||
        asked(one) !== asked(later)
      )
        return false
      return whereBoth(app, entity, one, later) !== null
    })
    if (earlier === undefined) return
    const where = whereBoth(app, entity, earlier, later)!
    const related = [{ span: earlier.cell, message: 'the row above' }]
    report('N1456', later.cell, { name: later.name, other: earlier.name, where }, { related })
  })
}

/** Amounts between the bands of a step for which nobody is asked. */
function lintGaps(context: Context, app: App, { approvals, entity }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  for (const bands of Map.groupBy(approvals, ({ step }) => step).values()) {
    const conditions = bands.flatMap(({ when }) => (when === null || isUnspecified(when) ? [] : [when]))
    const gap = conditions.length < bands.length ? null : gapBetween(app, entity, conditions)
    const row = bands.find(({ when }) => when === gap?.above)
    if (gap !== null && row !== undefined) report('N1466', row.cell, { name: row.name, where: gap.where })
  }
}

/** Rows without a condition are no bands. */
function whereBoth(app: App, entity: string, { when: one }: Approval, { when: other }: Approval): string | null {
  if (one === null || other === null || isUnspecified(one) || isUnspecified(other)) return null
  return together(app, entity, one, other)
}
