/**
 * Where the boxes and lines of a state diagram stand: computed by elkjs once per workflow, in two directions (right for wide places,
 * down for narrow ones). A request only changes classes. elkjs is loaded when the first diagram is laid out, not before.
 */
import { createRequire } from 'node:module'
import type { ElkExtendedEdge, ElkNode, ElkPoint } from 'elkjs/lib/elk-api.js'
import type { GraphState } from '../headings/4-states/ends.ts'
import type { Move } from '../headings/4-states/moves.ts'
import { goodWay } from './states.ts'

export interface DiagramNode {
  readonly state: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface DiagramEdge {
  readonly from: string
  readonly to: string
  /** SVG path data with rounded corners. */
  readonly path: string
}

/** One direction's geometry, in CSS pixels from (0, 0). */
export interface Geometry {
  readonly width: number
  readonly height: number
  readonly nodes: readonly DiagramNode[]
  readonly edges: readonly DiagramEdge[]
}

export interface DiagramLayout {
  readonly right: Geometry
  readonly down: Geometry
}

const boxHeight = 34
const margin = 12
const corner = 6

/** Lays a workflow out. Several steps between the same two states share a line; a step that stays where it is has none. */
export async function layoutOf(states: readonly GraphState[], moves: readonly Move[]): Promise<DiagramLayout> {
  // Imported, its 1.6 MB would be read twice to learn that they are CommonJS.
  const Elk: typeof import('elkjs/lib/elk-api.js').default = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js')
  const elk = new Elk()
  const run = async (direction: 'RIGHT' | 'DOWN') => geometry(await elk.layout(graph(states, moves, direction)))
  return { right: await run('RIGHT'), down: await run('DOWN') }
}

/** Width of a state's box: ring, gap and the name in IBM Plex Sans 500, 13 px, estimated, because a server has no font to measure with. */
export function boxWidth(name: string): number {
  let text = 0
  for (const letter of name) text += letterWidth(letter)
  return Math.round(32 + text + 14)
}

function letterWidth(letter: string): number {
  if (/[iljtfI1.,:;'|!() ]/.test(letter)) return 4.4
  if (/[mwMW@%]/.test(letter)) return 11.2
  if (/[A-Z0-9ÄÖÜ]/.test(letter)) return 8.6
  // Letters outside Latin, Greek and Cyrillic are taken as full-width.
  return (letter.codePointAt(0) as number) > 0x2e7f ? 13 : 7.4
}

function graph(states: readonly GraphState[], moves: readonly Move[], direction: 'RIGHT' | 'DOWN'): ElkNode {
  const way = goodWay(states, moves)
  const straight = new Set(way.slice(1).map((to, at) => `${way[at]} → ${to}`))
  const known = new Set(states.map(state => state.name))
  const edges = new Map<string, ElkExtendedEdge>()
  for (const { from, to } of moves) {
    if (from === to || !known.has(from) || !known.has(to)) continue
    const id = `${from} → ${to}`
    edges.set(id, {
      id,
      sources: [from],
      targets: [to],
      layoutOptions: straight.has(id)
        ? { 'elk.layered.priority.straightness': '10', 'elk.layered.priority.direction': '10' }
        : {},
    })
  }
  return {
    id: 'workflow',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': direction,
      'elk.edgeRouting': 'ORTHOGONAL',
      // Otherwise a cycle may be cut so that the start is not first.
      'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
      'elk.layered.considerModelOrder.strategy': 'PREFER_EDGES',
      'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
      'elk.layered.spacing.nodeNodeBetweenLayers': direction === 'RIGHT' ? '40' : '30',
      'elk.layered.spacing.edgeNodeBetweenLayers': '12',
      'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
      'elk.spacing.nodeNode': direction === 'RIGHT' ? '18' : '14',
      'elk.spacing.edgeNode': '12',
      'elk.padding': `[top=${margin},left=${margin},bottom=${margin},right=${margin}]`,
    },
    children: states.map(state => ({ id: state.name, width: boxWidth(state.name), height: boxHeight })),
    edges: [...edges.values()],
  }
}

function geometry(laid: ElkNode): Geometry {
  return {
    width: Math.ceil(laid.width ?? 0),
    height: Math.ceil(laid.height ?? 0),
    nodes: (laid.children ?? []).map(node => ({
      state: node.id,
      x: round(node.x ?? 0),
      y: round(node.y ?? 0),
      width: node.width ?? 0,
      height: node.height ?? 0,
    })),
    edges: (laid.edges ?? []).map(edge => ({
      from: edge.sources[0] as string,
      to: edge.targets[0] as string,
      path: pathOf(pointsOf(edge)),
    })),
  }
}

function pointsOf(edge: ElkExtendedEdge): readonly ElkPoint[] {
  return (edge.sections ?? []).flatMap(section => [section.startPoint, ...(section.bendPoints ?? []), section.endPoint])
}

/** A polyline with its corners rounded by quadratic curves no longer than half of either side. */
function pathOf(points: readonly ElkPoint[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  let path = `M${round(first.x)} ${round(first.y)}`
  let before = first
  rest.forEach((at, index) => {
    const after = rest[index + 1]
    if (after === undefined) {
      path += `L${round(at.x)} ${round(at.y)}`
      return
    }
    const into = towards(at, before)
    const out = towards(at, after)
    path += `L${round(into.x)} ${round(into.y)}Q${round(at.x)} ${round(at.y)} ${round(out.x)} ${round(out.y)}`
    before = at
  })
  return path
}

function towards(from: ElkPoint, to: ElkPoint): ElkPoint {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  if (length === 0) return from
  const share = Math.min(corner, length / 2) / length
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

const round = (value: number): number => Math.round(value * 10) / 10
