/** Conditions under `When` that no record can meet: by themselves, or because of bounds and rules of the fields that they read. */
import { reporter } from '../../document/diagnostic.ts'
import type { Expression } from '../../expression/expression.ts'
import { couldHold } from '../../expression/outcomes.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { alwaysHeld, pointsOf } from '../points.ts'
import { isUnspecified, type Specified, specified } from '../specified.ts'
import { stateCodes } from './codes.ts'
import type { Transition, Workflow } from './model.ts'

/** Of steps, approvals and timers. Where the state alone decides, the step says so itself. */
export function lintNever(context: Context, app: App, { entity, transitions, approvals }: Workflow): void {
  const timers = app.timers.filter(timer => timer.entity === entity)
  const whens = [...transitions.filter(isOpenInSomeState), ...approvals, ...timers].flatMap(({ when }) => given(when))
  const { report } = reporter(stateCodes, 4, context.found)
  const rules = alwaysHeld(app, entity)
  for (const when of whens) {
    if (holdsSomewhere(app, entity, when, { bounds: true, rules })) continue
    if (!holdsSomewhere(app, entity, when, { bounds: false, rules: [] })) {
      report('N1467', when.cell, { why: ', whatever stands in its fields', what: '' })
      continue
    }
    const bounds = boundsOf(app, entity, when)
    const isBound = bounds.length > 0 && !holdsSomewhere(app, entity, when, { bounds: true, rules: [] })
    const said = isBound
      ? bounds.map(({ field, side, bound }) => ({ word: `\`${field}\` is ${side} ${bound.cell.text}`, bound }))
      : rules
          .filter(({ reads }) => reads.some(read => when.reads.includes(read)))
          .map(bound => ({ word: `\`${bound.cell.text}\` holds of all of them`, bound }))
    const related = said.map(({ bound }) => ({ span: bound.cell, message: isBound ? 'the bound' : 'the rule' }))
    const why = `, because ${said.map(({ word }) => word).join(' and ')}`
    report('N1467', when.cell, { why, what: isBound ? ', or the bound of the field' : ', or the rule' }, { related })
  }
}

const given = (when: Specified<Expression> | null): readonly Expression[] =>
  when === null || isUnspecified(when) ? [] : [when]

function isOpenInSomeState({ from, when }: Transition): boolean {
  const states = specified(from)
  return (
    states === null ||
    given(when).every(({ root }) => states.some(state => couldHold(root, new Map([['state', state]]))))
  )
}

/** False only where every value that decides was tried, and no constant can change what came of it. Where no value is left at all, that is told of the rules. */
function holdsSomewhere(app: App, entity: string, when: Expression, against: Parameters<typeof pointsOf>[3]): boolean {
  const points = pointsOf(app, entity, [when], against)
  if (points === null || !points.complete || !points.settled || points.all.length === 0) return true
  return points.all.some(point => points.holds(when, point))
}

const boundsOf = (app: App, entity: string, { reads }: Expression) =>
  app.entities
    .get(entity)!
    .fields.filter(({ key }) => reads.includes(key))
    .flatMap(({ key: field, min, max }) => [
      ...(min === null ? [] : [{ field, side: 'at least', bound: min }]),
      ...(max === null ? [] : [{ field, side: 'at most', bound: max }]),
    ])
