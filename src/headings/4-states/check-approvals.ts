/** Checks of approvals on the finished model: what they guard asks for nothing, and somebody can give them. */
import { reporter } from '../../document/diagnostic.ts'
import { isEverybody } from '../6-permissions/held.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../said.ts'
import { together } from './branches.ts'
import { stateCodes } from './codes.ts'
import type { Approval, Deciders, Transition, Workflow } from './model.ts'

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
    } else if (idle.length > 0 && idle.length === from.roles.length && from.people.length === 0)
      report('N1454', from.cell, { name, why: `${idle[0]!.role}: ${idle[0]!.why}`, help: idle[0]!.help })
    else {
      for (const { role, why, help } of idle) report('N1455', from.cell, { role, name, why, help })
      const most = mostPeople(approval, from)
      if (needs === 'all' || isUnspecified(needs) || needs <= most) continue
      const why = `it needs ${needs}, and its fields name at most ${most} who count`
      report('N1454', from.cell, { name, why, help: 'Name more people in From, or need fewer.' })
    }
  }
  lintBands(context, app, workflow)
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
): { readonly why: string; readonly help: string } | null {
  const step = branches[0]!.name
  if (!held.has(role))
    return { why: 'nobody has the role', help: 'Say under heading 6 who has it, or name another one.' }
  const isTaker = branches.some(
    ({ who }) =>
      !isUnspecified(who) &&
      (who.kind === 'everyone signed in' || who.roles.some(one => one === role || isEverybodys(app, one))),
  )
  if (!isTaker)
    return { why: `Who of \`${step}\` does not name the role`, help: `Add ${role} to the Who of \`${step}\`.` }
  const { rows } = app.access.get(entity)!
  const lets = rows.some(
    ({ role: one, do: may }) =>
      (one === role || isEverybodys(app, one)) &&
      !isUnspecified(may) &&
      (may.steps === 'all' || may.steps.includes(branches[0]!.key)),
  )
  return lets || rows.length === 0
    ? null
    : { why: `heading 6 does not let the role do \`${step}\``, help: `Add \`${step}\` to the Do column of ${role}.` }
}

function isEverybodys(app: App, role: string): boolean {
  const who = app.roles.get(role)?.who
  return who !== undefined && !isUnspecified(who) && isEverybody(who)
}

/** How many people can count at most: one for each field that names one, without those who never count. */
function mostPeople({ except }: Approval, { roles, people }: Deciders): number {
  if (roles.length > 0 || people.some(({ type }) => type.kind !== 'reference')) return Number.POSITIVE_INFINITY
  const left = new Set(except.map(({ cell }) => cell.text))
  return new Set(people.map(({ cell }) => cell.text).filter(text => !left.has(text))).size
}

/** Two rows of one step that ask the same people under conditions that can hold together. */
function lintBands(context: Context, app: App, { approvals, entity }: Workflow): void {
  const { report } = reporter(stateCodes, section, context.found)
  const asked = ({ from }: Approval) =>
    isUnspecified(from) ? null : [...from.roles, ...from.people.map(({ cell }) => cell.text)].sort().join(', ')
  approvals.forEach((later, index) => {
    const earlier = approvals.slice(0, index).find(one => {
      if (one.step !== later.step || asked(one) === null || asked(one) !== asked(later)) return false
      return whereBoth(app, entity, one, later) !== null
    })
    if (earlier === undefined) return
    const where = whereBoth(app, entity, earlier, later)!
    const related = [{ span: earlier.cell, message: 'the row above' }]
    report('N1456', later.cell, { name: later.name, other: earlier.name, where }, { related })
  })
}

/** Rows without a condition are no bands. */
function whereBoth(app: App, entity: string, { when: one }: Approval, { when: other }: Approval): string | null {
  if (one === null || other === null || isUnspecified(one) || isUnspecified(other)) return null
  return together(app, entity, one, other)
}
