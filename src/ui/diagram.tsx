/** The diagram of states: geometry from `layout.ts`, made once; a request only says where the record is and what is possible from there. */

import { useId } from 'react'
import type { DiagramLayout, Geometry } from './layout.ts'
import { ScrollRegion } from './page.tsx'
import { classes, useReader } from './reader.tsx'
import { RingShape } from './state.tsx'
import { type Ring, unknownRing } from './states.ts'

export interface StateDiagramProps {
  /** Tells it from others on the same page. */
  readonly label?: string
  readonly layout: DiagramLayout
  readonly rings: ReadonlyMap<string, Ring>
  /** Null: the workflow itself, not one record's place in it. */
  readonly current: string | null
  /** States that a step of this person leads to now. */
  readonly possible: readonly string[]
  /** States that the record has been in. */
  readonly passed: readonly string[]
}

/** What a line that names it in `markerEnd` ends with. */
export const ArrowHead = ({ id, className }: { readonly id: string; readonly className: string }) => (
  <marker
    id={id}
    className={className}
    viewBox="0 0 8 8"
    refX="7.5"
    refY="4"
    markerWidth="7"
    markerHeight="7"
    markerUnits="userSpaceOnUse"
    orient="auto"
  >
    <path d="M1 1 7 4 1 7" />
  </marker>
)

/** Two drawings of the same graph; the style sheet shows the one that fits (container query). Words for those who do not see it are in the description. */
export function StateDiagram(props: StateDiagramProps) {
  const { words } = useReader()
  const id = useId()
  if (props.layout.right.nodes.length === 0) return null
  return (
    <ScrollRegion className="flow" label={props.label ?? words('diagramOf')}>
      <Drawing {...props} geometry={props.layout.right} id={`${id}h`} way="h" />
      <Drawing {...props} geometry={props.layout.down} id={`${id}v`} way="v" />
    </ScrollRegion>
  )
}

/** A drawing shrinks to the room that it has. Wider than this, in pixels, its words could not be read then: it scrolls. */
const wide = 900

interface DrawingProps extends StateDiagramProps {
  readonly geometry: Geometry
  readonly id: string
  readonly way: 'h' | 'v'
}

const edgeKinds = ['off', 'done', 'can'] as const
type EdgeKind = (typeof edgeKinds)[number]

function Drawing({ geometry, id, way, rings, current, possible, passed }: DrawingProps) {
  const { words, format } = useReader()
  const next = new Set(possible)
  const past = new Set(passed)
  const names = geometry.nodes.map(node => node.state)
  const onward = () => {
    if (possible.length > 0) return words('diagramNext', { states: format.anyOf(possible) })
    // What this person cannot do now, others can, or they later.
    return words(geometry.edges.some(({ from, to }) => from === current && to !== from) ? 'diagramNone' : 'diagramEnd')
  }
  const described =
    current === null
      ? words('diagramStates', { count: names.length, states: format.allOf(names) })
      : `${words('diagramNow', { state: current })} ${onward()}`
  const kindOf = (edge: { readonly from: string; readonly to: string }): EdgeKind => {
    if (edge.from === current && next.has(edge.to)) return 'can'
    return past.has(edge.from) && (past.has(edge.to) || edge.to === current) ? 'done' : 'off'
  }
  // What is highlighted is drawn last, over the quiet lines.
  const edges = geometry.edges
    .map(edge => ({ ...edge, kind: kindOf(edge) }))
    .sort((a, b) => edgeKinds.indexOf(a.kind) - edgeKinds.indexOf(b.kind))
  const here = geometry.nodes.find(node => node.state === current)
  return (
    <svg
      className={classes(way, geometry.width > wide && 'wide')}
      viewBox={`0 0 ${geometry.width} ${geometry.height}`}
      width={geometry.width}
      role="img"
      aria-labelledby={`${id}t ${id}d`}
    >
      <title id={`${id}t`}>{words(current === null ? 'diagramAll' : 'diagramWhere')}</title>
      <desc id={`${id}d`}>{described}</desc>
      <defs>
        {edgeKinds.map(kind => (
          <ArrowHead key={kind} id={`${id}${kind}`} className={kind} />
        ))}
      </defs>
      {/* Beneath the lines, so that it does not cover their ends. */}
      {here !== undefined && (
        <rect
          className="halo"
          x={here.x - 3.5}
          y={here.y - 3.5}
          width={here.width + 7}
          height={here.height + 7}
          rx={(here.height + 7) / 2}
        />
      )}
      {edges.map(edge => (
        <path
          key={`${edge.from} ${edge.to}`}
          className={classes('e', edge.kind)}
          d={edge.path}
          markerEnd={`url(#${id}${edge.kind})`}
        />
      ))}
      {geometry.nodes.map(({ state, x, y, width, height }) => {
        const ring = rings.get(state) ?? unknownRing
        const place =
          state === current
            ? 'now'
            : next.has(state)
              ? 'next'
              : past.has(state)
                ? 'done'
                : current === null
                  ? null
                  : 'off'
        return (
          <g key={state} className={classes(place, `st-${ring.family}`)}>
            <rect className="n" x={x} y={y} width={width} height={height} rx={height / 2} />
            <g className="r" transform={`translate(${x + 12} ${y + 10})`}>
              <RingShape ring={ring} />
            </g>
            <text x={x + 32} y={y + 21.5}>
              {state}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
