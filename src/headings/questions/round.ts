/** N0402: another step leads to where a step leads that waits for decisions, and waits for none. */
import type { Workflow } from '../4-states/model.ts'
import { isNobody } from '../4-states/takers.ts'
import { pathTo, reachedFrom, startsOf, waysOf } from '../4-states/ways.ts'
import type { App } from '../app.ts'
import { isUnspecified } from '../specified.ts'
import { type Ask, listed, quoted, stepsOf } from './asking.ts'

export function askRound(ask: Ask, app: App, workflow: Workflow): void {
  const { entity, approvals } = workflow
  const starts = startsOf(workflow)
  for (const step of stepsOf(workflow)) {
    if (step.approvals.length === 0) continue
    const others = waysOf(app, entity).filter(({ by }) => by?.key !== step.key)
    const reached = reachedFrom(starts, others)
    for (const { from, to, by } of others) {
      if (by === null || !step.to.includes(to) || starts.includes(to) || by.when !== null) continue
      // Application steps, and those that wait for decisions of their own, are asked about nothing.
      if (isUnspecified(by.who) || isNobody(by.who) || approvals.some(one => one.step === by.key)) continue
      const begin = from.find(state => reached.has(state) && state !== to)
      if (begin === undefined) continue
      const path = pathTo(starts, begin, others)!.map(way => way.by?.name ?? 'a timer or an effect')
      const before = path.length === 0 ? 'is made' : `has gone by ${listed(quoted(path))}`
      const parameters = {
        other: by.name,
        entity: app.entities.get(entity)!.name,
        to,
        step: step.name,
        approvals: listed(step.approvals.map(({ name }) => name)),
        from: begin,
        example: `one that ${before} is in ${begin}; ${by.who.cell.text} takes \`${by.name}\`, and it is in ${to} without a decision`,
      }
      const related = step.approvals.map(({ cell }) => ({ span: cell, message: 'not asked then' }))
      ask('N0402', by.cell, parameters, { related })
    }
  }
}
