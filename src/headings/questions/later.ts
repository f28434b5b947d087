/** N0401: what was decided about, or asked for, may be changed when it is over: an amount is raised after its release. */
import type { Checked } from '../../expression/checked.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Facts } from '../../expression/outcomes.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Field } from '../3-entities/model.ts'
import { badEnds } from '../4-states/ends.ts'
import type { Act, Workflow } from '../4-states/model.ts'
import { movesOf } from '../4-states/moves.ts'
import { reachedFrom, waysOf } from '../4-states/ways.ts'
import type { App } from '../app.ts'
import { pointsOf } from '../points.ts'
import { withInner } from '../points-nodes.ts'
import { specified } from '../specified.ts'
import { storedReads } from '../stored-reads.ts'
import { type Ask, listed, quoted, type Step, stepsOf } from './asking.ts'
import { type Setter, settersOf } from './setting.ts'

export function askLater(ask: Ask, app: App, workflow: Workflow): void {
  const life = { app, workflow, steps: stepsOf(workflow), bad: badEnds(workflow.states, movesOf(app, workflow)) }
  for (const step of life.steps) {
    if (step.to.every(goal => life.bad.has(goal))) continue
    const asked = askedFor(app, workflow, step)
    const found = asked === null ? null : changedAfter(life, step, asked)
    if (asked === null || found === null) continue
    const { state, fields, rows } = found
    const parameters = {
      who: listed(rows.map(({ role }) => role)),
      fields: listed(quoted(fields.map(({ key }) => key))),
      entity: app.entities.get(workflow.entity)!.name,
      state,
      step: step.name,
      example: asked.example ?? exampleOf(step, fields[0]!),
    }
    const conditions = asked.conditions.map(({ cell }) => ({ span: cell, message: 'asked here' }))
    const related = [...conditions, { span: step.branches[0]!.cell, message: 'the step' }]
    ask('N0401', rows[0]!.cell, parameters, { related })
  }
}

interface Life {
  readonly app: App
  readonly workflow: Workflow
  readonly steps: readonly Step[]
  readonly bad: ReadonlySet<string>
}

interface Asked {
  readonly conditions: readonly Expression[]
  /** What the decision is about, as keys that people fill in. */
  readonly fields: ReadonlySet<string>
  /** Who decides alone, and may as well decide otherwise. */
  readonly alone: readonly string[]
  readonly example: string | null
}

/** Null: it asks for nothing that a change could undo. */
function askedFor(app: App, { entity }: Workflow, { name, branches, approvals }: Step): Asked | null {
  const guards = branches.length === 1 ? [specified(branches[0]!.when)] : []
  const guard = guards.find(condition => condition !== null) ?? null
  if (approvals.length === 0) {
    if (guard === null || !withInner(guard.root).some(isAmount)) return null
    const points = pointsOf(app, entity, [guard])
    const fails = points?.all.find(point => points.fails(guard, point))
    if (points !== null && fails === undefined) return null
    const holds = points?.all.find(point => points.holds(guard, point))
    const example =
      points === null || holds === undefined ? null : wentOn(name, points.words(holds), points.words(fails!))
    return { conditions: [guard], fields: storedReads(app, entity, guard), alone: [], example }
  }
  const conditions = [guard, ...approvals.map(({ when }) => specified(when))].filter(one => one !== null)
  const survive = new Set(approvals.flatMap(({ survives }) => survives?.fields ?? []))
  const about = [...conditions.map(one => storedReads(app, entity, one)), amountsOf(app, entity)]
  const [only, ...others] = approvals
  return {
    conditions,
    fields: new Set(about.flatMap(keys => [...keys]).filter(key => !survive.has(key))),
    alone: others.length === 0 && only!.needs === 1 ? (specified(only!.from)?.roles ?? []) : [],
    example: crossing(
      app,
      entity,
      name,
      approvals.flatMap(({ when }) => specified(when) ?? []),
    ),
  }
}

/** From where nobody more is asked to where somebody is. */
function crossing(app: App, entity: string, step: string, conditions: readonly Expression[]): string | null {
  for (const condition of conditions.toReversed()) {
    const points = pointsOf(app, entity, [condition])
    const filled = points?.all.filter(point => Object.values(point).every(value => value !== null)) ?? []
    const before = filled.find(point => points!.fails(condition, point))
    const after = filled.find(point => points!.holds(condition, point))
    if (points && before && after) return wentOn(step, points.words(before), points.words(after))
  }
  return null
}

const wentOn = (step: string, before: string, after: string): string =>
  `\`${step}\` is taken with ${before}, and afterwards it is ${after}`

/** Fields with money, and what it is worked out from. */
function amountsOf(app: App, entity: string): ReadonlySet<string> {
  const seen = new Set<string>()
  for (const { key, type, computed } of app.entities.get(entity)!.fields) {
    if (type.kind !== 'money') continue
    if (computed === null) seen.add(key)
    else for (const read of storedReads(app, entity, computed)) seen.add(read)
  }
  return seen
}

/** `amount <= limits.most`: a bound of something that is counted. */
const isAmount = (node: Checked): boolean =>
  node.op === 'compare' && !['=', '!='].includes(node.sign) && [node.left, node.right].every(({ type }) => counts(type))

const counts = ({ kind }: Type): boolean => ['money', 'decimal', 'integer', 'percent'].includes(kind)

interface Changed {
  readonly state: string
  readonly fields: readonly Field[]
  readonly rows: readonly Setter[]
}

/** The first state behind the step, from which nobody is asked again, in which somebody may change what it was about. */
function changedAfter(life: Life, step: Step, asked: Asked): Changed | null {
  const { app, workflow, steps, bad } = life
  const { entity, states } = workflow
  const ways = waysOf(app, entity).filter(({ by }) => by?.key !== step.key)
  const again = (from: string) => reachedFrom([from], ways)
  const isGoal = (state: string) => step.to.includes(state)
  const decided = steps.filter(({ approvals }) => approvals.length > 0).flatMap(({ from }) => from)
  for (const { name: state, kind } of states) {
    const later = again(state)
    const isBehind = reachedFrom(step.to, ways).has(state) && !step.from.includes(state)
    const isRound = isGoal(state) || step.to.some(goal => later.has(goal)) || !step.from.some(from => later.has(from))
    const isDone = bad.has(state) || (kind === 'end' && step.approvals.length === 0)
    const isDecided = step.approvals.length === 0 && decided.some(from => later.has(from))
    if (!isBehind || !isRound || isDone || isDecided) continue
    const facts: Facts = new Map([...setBy(step), ['state', state]])
    const open = app.entities.get(entity)!.fields.flatMap(field => {
      if (!asked.fields.has(field.key) || isAskedAgain(life, step, state, field.key)) return []
      const rows = settersOf(app, entity, field, facts).filter(({ role }) => !asked.alone.includes(role))
      return rows.length === 0 ? [] : [{ field, rows }]
    })
    if (open.length === 0) continue
    return { state, fields: open.map(({ field }) => field), rows: open.flatMap(one => one.rows) }
  }
  return null
}

/** Every step from there looks at the field itself, but for those to a bad end, or back to where it is asked. */
function isAskedAgain({ app, workflow, steps, bad }: Life, step: Step, state: string, field: string): boolean {
  const goesOn = (goal: string) => !bad.has(goal) && !step.from.includes(goal)
  const leaving = steps.filter(({ from, to }) => from.includes(state) && to.some(goesOn))
  const looks = ({ branches, approvals }: Step) =>
    [...branches, ...approvals].some(({ when }) => {
      const condition = specified(when)
      return condition !== null && storedReads(app, workflow.entity, condition).has(field)
    })
  return leaving.length > 0 && leaving.every(looks)
}

/** What the step says of the record: values that are written out. */
function setBy({ branches }: Step): readonly (readonly [string, Wire])[] {
  const given = (act: Act) => (act.kind === 'set' && (act.of === null || act.of.kind === 'itself') ? act.values : [])
  return branches.flatMap(({ then }) =>
    then
      .flatMap(given)
      .flatMap(({ field, value }) => (value.root.op === 'literal' ? [[field, value.root.value] as const] : [])),
  )
}

const exampleOf = ({ name }: Step, { key, type }: Field): string => {
  if (type.kind === 'list') return `\`${name}\` is taken with one row in ${key}, and afterwards there are ten`
  return counts(type) ? wentOn(name, `${key} = 100`, `${key} = 9000`) : wentOn(name, `one ${key}`, 'another one')
}
