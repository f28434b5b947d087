/** The ways from state to state that a diagram shows, by name: steps, timers, and what happens when a record is created. `ways.ts` knows all that could be. */
import type { App } from '../app.ts'
import { isUnspecified, specified } from '../specified.ts'
import type { Act, Workflow } from './model.ts'

export interface Move {
  readonly from: string
  readonly to: string
  /** Of the step or timer. */
  readonly name: string
}

/** The arrows of a state diagram. */
export function movesOf(app: App, workflow: Workflow): readonly Move[] {
  return [...byStep(workflow), ...byTimer(app, workflow), ...byCreation(app, workflow)]
}

const byStep = ({ transitions }: Workflow): readonly Move[] =>
  transitions.flatMap(({ from, to, name }) => {
    const target = specified(to)
    return target === null || isUnspecified(from) ? [] : from.map(source => ({ from: source, to: target, name }))
  })

function byTimer({ timers, sweeps }: App, { entity, states }: Workflow): readonly Move[] {
  const lasting = states.filter(({ kind }) => kind !== 'end').map(({ name }) => name)
  return [...timers, ...sweeps]
    .filter(timer => timer.entity === entity)
    .flatMap(timer =>
      targetsOf(timer.then).flatMap(to =>
        (timer.while ?? lasting.filter(state => state !== to)).map(from => ({ from, to, name: timer.name })),
      ),
    )
}

const byCreation = ({ effects }: App, { entity, starts }: Workflow): readonly Move[] =>
  effects
    .filter(effect => effect.entity === entity && effect.on.includes('created'))
    .flatMap(({ then }) => targetsOf(then))
    .flatMap(to => starts.map(({ state }) => ({ from: state, to, name: 'created' })))

/** The states that acts lead to. */
const targetsOf = (acts: readonly Act[]): readonly string[] =>
  acts.flatMap(act => (act.kind === 'go to' ? [act.state] : []))
