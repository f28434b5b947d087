/** N0406: a record ends while rows of it, or records that belong to it, may be further on than others. */

import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { withInner as withInnerActs } from '../4-states/all-acts.ts'
import type { Act, Transition, Workflow } from '../4-states/model.ts'
import { startOf } from '../4-states/ways.ts'
import type { App } from '../app.ts'
import { withInner } from '../points-nodes.ts'
import { isUnspecified, specified } from '../specified.ts'
import { type Ask, type Step, stepsOf } from './asking.ts'

export function askParts(ask: Ask, app: App, workflow: Workflow): void {
  const { entity, states } = workflow
  const { name } = app.entities.get(entity)!
  for (const part of [...rowsOf(app, entity), ...followersOf(app, workflow)])
    for (const step of stepsOf(workflow)) {
      const end = states.find(state => state.kind === 'end' && step.to.includes(state.name))
      const isPossible = part.states === null || step.from.some(from => part.states!.includes(from))
      if (end === undefined || !isPossible || speaksOf(app, entity, step, part.entity)) continue
      const example = `${part.before}; then \`${step.name}\` takes the ${name} to ${end.name}, and nothing becomes of them`
      const parameters = { step: step.name, entity: name, to: end.name, parts: part.words, example }
      ask('N0406', step.branches[0]!.cell, parameters, { related: [{ span: part.cell, message: 'goes its own way' }] })
    }
}

interface Part {
  readonly entity: string
  readonly words: string
  readonly cell: Cell
  /** How it comes that some are further on, as a sentence. */
  readonly before: string
  /** States of the record in which that may be; null: any. */
  readonly states: readonly string[] | null
}

/** Rows with steps of their own. */
function rowsOf(app: App, entity: string): readonly Part[] {
  return app.entities.get(entity)!.fields.flatMap(({ key, type }) => {
    const workflow =
      type.kind === 'list' && app.entities.get(type.entity)?.partOf === entity && app.workflows.get(type.entity)
    if (!workflow) return []
    const first = stepsOf(workflow).find(
      ({ from, to }) => from.includes(startOf(workflow)) && !to.includes(startOf(workflow)),
    )
    if (first === undefined) return []
    const before = `the first row of ${key} has gone to ${first.to[0]} by \`${first.name}\`, the second is ${startOf(workflow)}`
    return { entity: workflow.entity, words: key, cell: first.branches[0]!.cell, before, states: null }
  })
}

/** Records by whose creation it goes on, and not by one alone: a receipt brings an order to Partly received, the last one to Received. */
function followersOf(app: App, { entity, transitions }: Workflow): readonly Part[] {
  const steps = app.effects.flatMap(({ on, entity: of, then, cell }) =>
    of === entity || !on.every(one => one === 'created')
      ? []
      : then.flatMap(act => (act.kind === 'do' && act.on.entity === entity ? [{ of, step: act.step, cell }] : [])),
  )
  return [...Map.groupBy(steps, ({ of }) => of)].flatMap(([of, caused]) => {
    const led = (step: string) => transitions.filter(({ key }) => key === step)
    const partly = caused.find(({ step }) =>
      led(step).some(({ to }) =>
        caused.some(other => other.step !== step && led(other.step).some(next => isFrom(next, to))),
      ),
    )
    const states = partly === undefined ? [] : led(partly.step).flatMap(({ to }) => specified(to) ?? [])
    if (partly === undefined || states.length === 0) return []
    const { name } = app.entities.get(of)!
    const before = `a first ${name} has brought it to ${states[0]}, and others are still to come`
    return { entity: of, words: `each ${name}`, cell: partly.cell, before, states }
  })
}

const isFrom = ({ from }: Transition, to: Transition['to']): boolean =>
  specified(from)?.includes(specified(to) ?? '') === true

/** By its conditions, its rules, its acts, or what follows from it. */
function speaksOf(app: App, entity: string, { key, branches, approvals }: Step, part: string): boolean {
  const rules = app.rules.filter(({ entity: of, on }) => of === entity && on?.includes(key) === true)
  const conditions = [...[...branches, ...approvals].map(({ when }) => when), ...rules.map(({ mustHold }) => mustHold)]
  const follows = app.effects.filter(({ entity: of, on }) => of === entity && on.includes(key))
  const acts = [...branches, ...follows].flatMap(({ then }) => then.flatMap(withInnerActs))
  return (
    conditions.some(one => one !== null && !isUnspecified(one) && reads(one, part)) ||
    acts.some(act => isAbout(act, part))
  )
}

const reads = ({ root }: Expression, entity: string): boolean =>
  withInner(root).some(node => 'source' in node && node.source.entity === entity)

const isAbout = (act: Act, entity: string): boolean =>
  ('of' in act && act.of?.entity === entity) || (act.kind === 'do' && act.on.entity === entity)
