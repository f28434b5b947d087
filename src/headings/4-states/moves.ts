/** The ways from state to state that a diagram shows, by name: steps, timers, and what happens when a record is created. `ways.ts` knows all that could be. */
import type { App } from '../app.ts'
import { isUnspecified, specified } from '../specified.ts'
import type { Workflow } from './model.ts'

export interface Move {
  readonly from: string
  readonly to: string
  /** Of the step or timer. */
  readonly name: string
}

/** The arrows of a state diagram. */
export function movesOf(app: App, { entity, states, starts, transitions }: Workflow): readonly Move[] {
  const ways: Move[] = []
  for (const { from, to, name } of transitions) {
    const target = specified(to)
    if (target !== null && !isUnspecified(from))
      for (const source of from) ways.push({ from: source, to: target, name })
  }
  const lasting = states.filter(({ kind }) => kind !== 'end').map(({ name }) => name)
  for (const timer of [...app.timers, ...app.sweeps])
    for (const act of timer.entity === entity ? timer.then : [])
      if (act.kind === 'go to')
        for (const from of timer.while ?? lasting)
          if (timer.while !== null || from !== act.state) ways.push({ from, to: act.state, name: timer.name })
  for (const effect of app.effects)
    for (const act of effect.then)
      if (act.kind === 'go to' && effect.entity === entity && effect.on.includes('created'))
        for (const { state } of starts) ways.push({ from: state, to: act.state, name: 'created' })
  return ways
}
