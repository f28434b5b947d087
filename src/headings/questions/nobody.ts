/** N0407: an approval asks people whom fields name, and there may be none: whoever stands at the top has no manager. */
import type { Checked, Path } from '../../expression/checked.ts'
import type { Expression } from '../../expression/expression.ts'
import { conjuncts } from '../../expression/grouping.ts'
import { withInner } from '../4-states/all-acts.ts'
import type { Act, Approval, Transition, Workflow } from '../4-states/model.ts'
import { reachedFrom, startsOf, waysOf } from '../4-states/ways.ts'
import type { App } from '../app.ts'
import { isUnspecified, type Specified, specified } from '../specified.ts'
import { type Ask, type Step, stepsOf } from './asking.ts'

export function askNobody(ask: Ask, app: App, workflow: Workflow): void {
  const { name: entity } = app.entities.get(workflow.entity)!
  for (const step of stepsOf(workflow))
    for (const approval of step.approvals) {
      const missing = missingFor(approval)
      if (missing === null || isAlwaysFilled(app, workflow, step, missing)) continue
      if (goesOnByItself(app, workflow, approval)) continue
      const { path, text } = missing
      const owner = path.steps.at(-2)
      const whose = owner === undefined ? `a ${entity}` : `a ${app.entities.get(owner.to ?? '')?.name ?? entity}`
      const parameters = {
        entity,
        approval: approval.name,
        path: text,
        step: step.name,
        example: `${whose} without ${path.steps.at(-1)!.field}: \`${step.name}\` waits, and nobody is asked`,
      }
      ask('N0407', approval.cell, parameters, {
        related: [{ span: specified(approval.from)!.cell, message: 'nobody else' }],
      })
    }
}

interface Missing {
  readonly path: Path
  readonly text: string
  /** It says that it is not empty, and nothing less. */
  readonly isSaid: (condition: Specified<Expression> | null) => boolean
}

/** What may be empty, where it is the only one who is asked; null: somebody always is, or the approval is not needed then. */
function missingFor({ from, when }: Approval): Missing | null {
  const deciders = specified(from)
  const [only, ...others] = deciders?.people ?? []
  if (deciders === null || only === undefined || others.length + deciders.roles.length + deciders.chosen.length > 0)
    return null
  if (only.root.op !== 'field' || !only.root.optional) return null
  const { path } = only.root
  const isSaid = (condition: Specified<Expression> | null) =>
    condition !== null && !isUnspecified(condition) && conjuncts(condition.root).some(part => isFilled(part, path))
  return isSaid(when) ? null : { path, text: only.cell.text, isSaid }
}

/** A rule asks for it, or whatever leads to where the step begins does: a step with its form, its When or its rules. */
function isAlwaysFilled(app: App, workflow: Workflow, { from }: Step, { path, isSaid }: Missing): boolean {
  const { entity } = workflow
  const rules = app.rules.filter(rule => rule.entity === entity && isSaid(rule.mustHold))
  if (rules.some(({ on, warns }) => on === null && !warns)) return true
  const [first, ...others] = path.steps
  const own = others.length === 0 ? first!.field : null
  const fills = (step: Transition) =>
    isSaid(step.when) ||
    step.asks.some(({ field, required }) => required && field === own) ||
    step.then.some(act => act.kind === 'set' && act.of === null && act.values.some(({ field }) => field === own)) ||
    rules.some(({ on }) => on?.includes(step.key) === true)
  const unfilled = reachedFrom(
    startsOf(workflow),
    waysOf(app, entity).filter(({ by }) => by === null || !fills(by)),
  )
  return !from.some(state => unfilled.has(state))
}

/** `person.manager is not empty`. */
function isFilled(part: Checked, path: Path): boolean {
  const isSame = (node: Checked) => node.op === 'field' && pathOf(node.path) === pathOf(path)
  return part.op === 'not' && part.of.op === 'empty' && isSame(part.of.of)
}

const pathOf = ({ base, steps }: Path): string => [base, ...steps.map(({ field }) => field)].join('.')

/** A timer moves on what waits for it. */
function goesOnByItself(app: App, { entity, transitions }: Workflow, { key, step }: Approval): boolean {
  const states = transitions.filter(one => one.key === step).flatMap(({ from }) => specified(from) ?? [])
  const isMove = (act: Act) => act.kind === 'go to' || act.kind === 'do' || act.kind === 'set'
  return app.timers.some(
    timer =>
      timer.entity === entity &&
      (timer.waits === key || (timer.waits === null && states.some(state => timer.while?.includes(state) === true))) &&
      timer.then.flatMap(withInner).some(isMove),
  )
}
