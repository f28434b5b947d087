/**
 * Which end of a record's life is the good one: as the document says, else the end that is farthest from the start by the shortest way
 * (who gets that far went all the way; a refusal is a short cut), of several equally far the first in the document. Others are bad.
 */
import type { Move } from './moves.ts'

/** A state as the graph needs it. `outcome` says what an end means where the document says so; else it is worked out. */
export interface GraphState {
  readonly name: string
  readonly kind: 'start' | 'end' | null
  readonly outcome?: 'good' | 'bad'
}

/** Of an end, where `good` is the one that counts as such by itself. */
export const isGood = (end: GraphState, good: GraphState | undefined): boolean =>
  end.outcome === undefined ? end === good : end.outcome === 'good'

/** Names of the ends that are not good ones. */
export function badEnds(states: readonly GraphState[], moves: readonly Move[]): ReadonlySet<string> {
  const start = startOf(states)
  const good = start === undefined ? undefined : goodEnd(states, distances(start.name, moves, 'forwards'))
  return new Set(states.filter(state => state.kind === 'end' && !isGood(state, good)).map(({ name }) => name))
}

export function startOf(states: readonly GraphState[]): GraphState | undefined {
  return states.find(state => state.kind === 'start') ?? states[0]
}

/** Of `fromStart`, the fewest moves to each state. */
export function goodEnd(states: readonly GraphState[], fromStart: ReadonlyMap<string, number>): GraphState | undefined {
  const ends = states.filter(state => state.kind === 'end' && fromStart.has(state.name))
  const declared = ends.filter(state => state.outcome === 'good')
  const candidates = declared.length > 0 ? declared : ends.filter(state => state.outcome === undefined)
  const distance = (state: GraphState) => fromStart.get(state.name) as number
  return candidates.reduce<GraphState | undefined>(
    (best, state) => (best === undefined || distance(state) > distance(best) ? state : best),
    undefined,
  )
}

/** Fewest moves between a state and every other one, following the moves or going against them. */
export function distances(origin: string, moves: readonly Move[], way: 'forwards' | 'backwards'): Map<string, number> {
  const found = new Map([[origin, 0]])
  const queue = [origin]
  for (const at of queue) {
    const steps = (found.get(at) as number) + 1
    for (const move of moves) {
      const [here, there] = way === 'forwards' ? [move.from, move.to] : [move.to, move.from]
      if (here !== at || found.has(there)) continue
      found.set(there, steps)
      queue.push(there)
    }
  }
  return found
}
