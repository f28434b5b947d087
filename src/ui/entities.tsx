/** The entities and who refers to whom: a drawing, and the same as a list for those who read. */

import { useId } from 'react'
import { ArrowHead } from './diagram.tsx'
import type { DiagramLayout, Geometry } from './layout.ts'
import { ScrollRegion } from './page.tsx'
import { LineMark } from './provenance.tsx'
import type { Line } from './reader.tsx'

interface EntityDiagramProps {
  readonly layout: DiagramLayout
  readonly title: string
  readonly entities: readonly {
    readonly name: string
    readonly line: Line
    /** How many records; null: not for this reader. */
    readonly count: string | null
    readonly refers: readonly string[]
  }[]
}

export function EntityDiagram({ layout, title, entities }: EntityDiagramProps) {
  return (
    <>
      <div className="sheet">
        <ScrollRegion className="flow" label={title}>
          <Drawing geometry={layout.right} title={title} way="h" />
          <Drawing geometry={layout.down} title={title} way="v" />
        </ScrollRegion>
      </div>
      <div className="sheet">
        <ul className="moves">
          {entities.map(({ name, line, count, refers }) => (
            <li key={name}>
              <span className="lab">{name}</span>
              <span className="muted">
                {count}
                {refers.length > 0 && ` → ${refers.join(', ')}`}
              </span>
              <LineMark line={line} />
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

function Drawing({ geometry, title, way }: { geometry: Geometry; title: string; way: 'h' | 'v' }) {
  const id = useId()
  return (
    <svg
      className={way}
      viewBox={`0 0 ${geometry.width} ${geometry.height}`}
      width={geometry.width}
      role="img"
      aria-labelledby={`${id}t`}
    >
      <title id={`${id}t`}>{`${title}: ${geometry.nodes.map(({ state }) => state).join(', ')}`}</title>
      <defs>
        <ArrowHead id={`${id}m`} className="off" />
      </defs>
      {geometry.edges.map(({ from, to, path }) => (
        <path key={`${from} ${to}`} className="e off" d={path} markerEnd={`url(#${id}m)`} />
      ))}
      {geometry.nodes.map(({ state, x, y, width, height }) => (
        <g key={state}>
          <rect className="n" x={x} y={y} width={width} height={height} rx={6} />
          <text x={x + width / 2} y={y + 21.5} textAnchor="middle">
            {state}
          </text>
        </g>
      ))}
    </svg>
  )
}
