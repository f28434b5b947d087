/**
 * What a state looks like, computed from the graph of states: the ring (dashed start, pie that fills up on the way to a good end,
 * disc with tick or cross at an end) and the family that gives it its colour.
 */

import { distances, type GraphState, goodEnd, isGood, startOf } from '../headings/4-states/ends.ts'
import type { Move } from '../headings/4-states/moves.ts'

/** Colour family. A colour never stands alone: ring and word say the same. */
type Family = 'mute' | 'go' | 'wait' | 'good' | 'bad'

export interface Ring {
  readonly family: Family
  readonly shape: 'start' | 'part' | 'tick' | 'cross'
  /** How far along the way to the good end, 0 to 1; only of shape `part`. */
  readonly part: number
}

/** For a state that the graph does not know (removed from the document, with records still in it). */
export const unknownRing: Ring = { family: 'mute', shape: 'part', part: 0 }

/**
 * Rings of all states, by name.
 *
 * Which end is the good one, `ends.ts` says. A state on a shortest way from the start to the
 * good end goes on (`go`); one beside it waits (`wait`): sent back, overdue, on hold.
 */
export function ringsOf(states: readonly GraphState[], moves: readonly Move[]): ReadonlyMap<string, Ring> {
  const start = startOf(states)
  if (start === undefined) return new Map()
  const fromStart = distances(start.name, moves, 'forwards')
  const good = goodEnd(states, fromStart)
  const toGood = good === undefined ? new Map<string, number>() : distances(good.name, moves, 'backwards')
  const whole = good === undefined ? Number.NaN : (fromStart.get(good.name) ?? Number.NaN)
  const farthest = Math.max(...fromStart.values())
  return new Map(
    states.map(state => {
      if (state.kind === 'end') {
        const [family, shape] = isGood(state, good) ? (['good', 'tick'] as const) : (['bad', 'cross'] as const)
        return [state.name, { family, shape, part: 1 }]
      }
      if (state === start || state.kind === 'start') return [state.name, { family: 'mute', shape: 'start', part: 0 }]
      const behind = fromStart.get(state.name)
      const ahead = toGood.get(state.name)
      if (behind === undefined) return [state.name, unknownRing]
      if (good === undefined) return [state.name, { family: 'go', shape: 'part', part: behind / (farthest + 1) }]
      if (ahead === undefined) return [state.name, { family: 'wait', shape: 'part', part: behind / (farthest + 1) }]
      const onTheWay = behind + ahead === whole
      return [state.name, { family: onTheWay ? 'go' : 'wait', shape: 'part', part: behind / (behind + ahead) }]
    }),
  )
}

/** States on the shortest way from the start to the good end, in order; empty where no end can be reached. */
export function goodWay(states: readonly GraphState[], moves: readonly Move[]): readonly string[] {
  const start = startOf(states)
  if (start === undefined) return []
  const good = goodEnd(states, distances(start.name, moves, 'forwards'))
  if (good === undefined) return []
  const toGood = distances(good.name, moves, 'backwards')
  const way = [start.name]
  for (let at = start.name; at !== good.name; ) {
    const left = toGood.get(at) as number
    const next = moves.find(move => move.from === at && toGood.get(move.to) === left - 1)
    if (next === undefined) return []
    at = next.to
    way.push(at)
  }
  return way
}

/** Takes back what is on its way: one may, and nobody waits for it. From where it has come to a halt, the same way leads on. */
export const leadsBack = (from: Ring, to: Ring): boolean => from.family === 'go' && to.part < from.part
