/** A state as it is shown everywhere: ring, word and colour say the same, so that it is still clear in grey. */
import { classes } from './reader.tsx'
import type { Ring } from './states.ts'

/** The pie is a circle of half the inner radius whose stroke fills it: its circumference is one whole. */
const pieRadius = 1.65
const pieLength = 2 * Math.PI * pieRadius

/** The ring alone, as decoration beside the state's name. */
export function StateRing({ ring }: { readonly ring: Ring }) {
  return (
    <svg viewBox="0 0 14 14" aria-hidden="true">
      <RingShape ring={ring} />
    </svg>
  )
}

/** Names a ring on a page that has it once, as a `RingSymbol`, for all labels that look alike. */
const ringId = ({ shape, part }: Ring): string => (shape === 'part' ? `r-${Math.round(part * 100)}` : `r-${shape}`)

export const RingSymbol = ({ ring }: { readonly ring: Ring }) => (
  <symbol id={ringId(ring)} viewBox="0 0 14 14">
    <RingShape ring={ring} />
  </symbol>
)

/** One of each that looks different. */
export const differentRings = (rings: readonly Ring[]): readonly Ring[] => [
  ...new Map(rings.map(ring => [ringId(ring), ring])).values(),
]

/** The shapes of a ring on a 14-unit grid, for a place inside another SVG. */
export function RingShape({ ring }: { readonly ring: Ring }) {
  if (ring.shape === 'tick' || ring.shape === 'cross')
    return (
      <>
        <circle className="rd" cx="7" cy="7" r="6.25" />
        <path className="rm" d={ring.shape === 'tick' ? 'M4.2 7.3l2 2 3.7-4.2' : 'M4.9 4.9l4.2 4.2m0-4.2L4.9 9.1'} />
      </>
    )
  return (
    <>
      <circle className={classes('rr', ring.shape === 'start' && 'rs')} cx="7" cy="7" r="5.5" />
      {ring.shape === 'part' && ring.part > 0 && (
        <circle
          className="rp"
          cx="7"
          cy="7"
          r={pieRadius}
          strokeDasharray={`${(pieLength * Math.min(1, ring.part)).toFixed(2)} 20`}
          transform="rotate(-90 7 7)"
        />
      )}
    </>
  )
}

interface StateLabelProps {
  readonly name: string
  readonly ring: Ring
  /** On a tinted ground, for the head of a page. */
  readonly pill?: boolean
  /** The page has its ring as a `RingSymbol`. */
  readonly shared?: boolean
}

export function StateLabel({ name, ring, pill = false, shared = false }: StateLabelProps) {
  return (
    <span className={classes('st', `st-${ring.family}`, pill && 'pill')}>
      {shared ? (
        <svg aria-hidden="true">
          <use href={`#${ringId(ring)}`} />
        </svg>
      ) : (
        <StateRing ring={ring} />
      )}
      {name}
    </span>
  )
}
