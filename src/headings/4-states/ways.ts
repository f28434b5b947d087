/** How records come from state to state. */
import type { App } from '../app.ts'
import { isUnspecified } from '../specified.ts'
import type { Act, Transition, Workflow } from './model.ts'

/** `by`: the row of the step; null where a timer or an effect leads there. */
export interface Way {
  readonly from: readonly string[]
  readonly to: string
  readonly by: Transition | null
}

/** The state in which records begin where no condition of another one holds. */
export const startOf = ({ starts }: Pick<Workflow, 'starts'>): string => starts.at(-1)!.state

export const startsOf = ({ starts }: Pick<Workflow, 'starts'>): readonly string[] => starts.map(({ state }) => state)

/** Where a goal or an origin is left open, it may be any state: nothing is unreachable or dead then. */
export const isOpen = (transitions: readonly Transition[]): boolean =>
  transitions.some(({ from, to }) => isUnspecified(from) || isUnspecified(to))

/** Each way from a state to another, with the step that takes it; `by` is null where a timer or an effect does. */
export function waysOf(app: App, entity: string): readonly Way[] {
  const workflow = app.workflows.get(entity)!
  return [
    ...workflow.transitions.flatMap(by =>
      isUnspecified(by.from) || isUnspecified(by.to) ? [] : [{ from: by.from, to: by.to, by }],
    ),
    ...laterWays(app, entity, startsOf(workflow)),
  ]
}

/** The states that the ways lead to from one of these, these among them. */
export function reachedFrom(starts: readonly string[], ways: readonly Way[]): ReadonlySet<string> {
  const reached = new Set(starts)
  for (let before = 0; before !== reached.size; ) {
    before = reached.size
    for (const { from, to } of ways) if (from.some(state => reached.has(state))) reached.add(to)
  }
  return reached
}

/** The fewest ways from one of these states to another, in their order; null: none lead there. */
export function pathTo(starts: readonly string[], goal: string, ways: readonly Way[]): readonly Way[] | null {
  // A map grows while it is gone through.
  const paths = new Map<string, readonly Way[]>(starts.map(start => [start, []]))
  for (const [state, path] of paths)
    for (const way of ways) if (way.from.includes(state) && !paths.has(way.to)) paths.set(way.to, [...path, way])
  return paths.get(goal) ?? null
}

/** States that effects and timers lead to: of a new record from where it begins, otherwise from any but those that a timer names. */
function laterWays(app: App, entity: string, starts: readonly string[]): readonly Way[] {
  const all = app.workflows.get(entity)!.states.map(({ name }) => name)
  const goals = (acts: readonly Act[], of: string): readonly string[] =>
    acts.flatMap(act => {
      if (act.kind === 'go to') return of === entity ? [act.state] : []
      return act.kind === 'for each' ? goals(act.acts, act.of.entity) : []
    })
  const effects = app.effects.flatMap(effect => {
    const from = effect.on.every(one => one === 'created') ? starts : all
    return goals(effect.then, effect.entity).map(to => ({ from, to, by: null }))
  })
  const timers = [...app.timers, ...app.sweeps].flatMap(timer => {
    const from = timer.entity === entity ? (timer.while ?? all) : all
    return goals(timer.then, timer.entity).map(to => ({ from, to, by: null }))
  })
  return [...effects, ...timers]
}
