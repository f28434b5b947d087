/** Conditions under `When` that no record can meet, because of the bounds of the fields that they read. */
import { reporter } from '../../document/diagnostic.ts'
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import { couldHold } from '../../expression/outcomes.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, type Said, said } from '../said.ts'
import { stateCodes } from './codes.ts'
import type { Transition, Workflow } from './model.ts'
import { pointsOf } from './points.ts'

/** Of steps, approvals and timers. Where the state alone decides, the step says so itself. */
export function lintNever(context: Context, app: App, { entity, transitions, approvals }: Workflow): void {
  const timers = app.timers.filter(timer => timer.entity === entity)
  const whens = [...transitions.filter(isOpenInSomeState), ...approvals, ...timers].flatMap(({ when }) => given(when))
  const { report } = reporter(stateCodes, 4, context.found)
  for (const when of whens) {
    if (!neverHolds(app, entity, when)) continue
    const bounds = boundsOf(app, entity, when)
    const words = bounds.map(({ field, side, bound }) => `\`${field}\` is ${side} ${bound.cell.text}`)
    const related = bounds.map(({ bound }) => ({ span: bound.cell, message: 'the bound' }))
    report('N1467', when.cell, { why: words.length === 0 ? '' : `, because ${words.join(' and ')}` }, { related })
  }
}

const given = (when: Said<Expression> | null): readonly Expression[] =>
  when === null || isUnspecified(when) ? [] : [when]

function isOpenInSomeState({ from, when }: Transition): boolean {
  const states = said(from)
  return (
    states === null ||
    given(when).every(({ root }) => states.some(state => couldHold(root, new Map([['state', state]]))))
  )
}

/** Only where every value that decides was tried, and no constant can change what came of it. */
function neverHolds(app: App, entity: string, when: Expression): boolean {
  const points = pointsOf(app, entity, [when])
  if (points === null || !points.complete) return false
  const rules = app.rules.filter(rule => rule.entity === entity).flatMap(({ mustHold }) => given(mustHold))
  const read = [when, ...boundsOf(app, entity, when).map(({ bound }) => bound), ...rules].flatMap(({ root }) =>
    limitsIn(root),
  )
  return read.every(name => isFixed(app, name)) && !points.all.some(point => points.holds(when, point))
}

const limitsIn = (node: Checked): readonly string[] => [
  ...(node.op === 'limit' || node.op === 'limit on' ? [node.name] : []),
  ...partsOf(node).flatMap(limitsIn),
]

function isFixed(app: App, name: string): boolean {
  const limit = app.limits.get(name)
  return limit !== undefined && !isUnspecified(limit.value) && limit.change === 'fixed' && limit.later.length === 0
}

const boundsOf = (app: App, entity: string, { reads }: Expression) =>
  app.entities
    .get(entity)!
    .fields.filter(({ key }) => reads.includes(key))
    .flatMap(({ key: field, min, max }) => [
      ...(min === null ? [] : [{ field, side: 'at least', bound: min }]),
      ...(max === null ? [] : [{ field, side: 'at most', bound: max }]),
    ])
