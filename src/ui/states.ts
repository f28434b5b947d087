/**
 * What a state looks like, computed from the graph of states: the ring (dashed start, pie that fills up on the way to a good end,
 * disc with tick or cross at an end) and the family that gives it its colour.
 */

/** Colour family. A colour never stands alone: ring and word say the same. */
type Family = 'mute' | 'go' | 'wait' | 'good' | 'bad'

export interface Ring {
  readonly family: Family
  readonly shape: 'start' | 'part' | 'tick' | 'cross'
  /** How far along the way to the good end, 0 to 1; only of shape `part`. */
  readonly part: number
}

/** A state as the graph needs it. `outcome` says what an end means where the document says so; else it is worked out. */
export interface GraphState {
  readonly name: string
  readonly kind: 'start' | 'end' | null
  readonly outcome?: 'good' | 'bad'
}

/** One way from a state to another: a step's or a timer's. */
export interface Move {
  readonly from: string
  readonly to: string
  /** `hand out`. */
  readonly name: string
}

/** For a state that the graph does not know (removed from the document, with records still in it). */
export const unknownRing: Ring = { family: 'mute', shape: 'part', part: 0 }

/**
 * Rings of all states, by name.
 *
 * The good end is the end that is farthest from the start by the shortest way (who gets that far went all the way; a refusal is a
 * short cut); of several equally far the first in the document. Other ends are bad. A state on a shortest way from the start to the
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
        const isGood = state.outcome === undefined ? state === good : state.outcome === 'good'
        return [state.name, { family: isGood ? 'good' : 'bad', shape: isGood ? 'tick' : 'cross', part: 1 }]
      }
      if (state === start) return [state.name, { family: 'mute', shape: 'start', part: 0 }]
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

function startOf(states: readonly GraphState[]): GraphState | undefined {
  return states.find(state => state.kind === 'start') ?? states[0]
}

function goodEnd(states: readonly GraphState[], fromStart: ReadonlyMap<string, number>): GraphState | undefined {
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
function distances(origin: string, moves: readonly Move[], way: 'forwards' | 'backwards'): Map<string, number> {
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

/** Takes back what is on its way: one may, and nobody waits for it. From where it has come to a halt, the same way leads on. */
export const leadsBack = (from: Ring, to: Ring): boolean => from.family === 'go' && to.part < from.part
