/** The few figures that matter most, each with what it was before, what is aimed at, and how it came to it. */
import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { place } from './chart-parts.tsx'
import { Icon } from './icons.tsx'
import { Nothing } from './page.tsx'
import { LineMark } from './provenance.tsx'
import { classes, type Line, useReader } from './reader.tsx'

export interface KeyFigureView {
  /** Exactly; empty: there is nothing to say. */
  readonly text: string
  /** As it stands there; null: as it is. */
  readonly short: string | null
  /** What it counts. */
  readonly href: string | null
  readonly change: {
    /** Null: there was nothing to compare it with. */
    readonly way: 'up' | 'down' | 'same' | null
    readonly text: string
    /** Null: neither way is better. */
    readonly tone: 'good' | 'bad' | null
    /** "against 12, 1 Jul to 20 Aug 2026" */
    readonly against: string
  } | null
  readonly aim: { readonly text: string; readonly reached: boolean | null } | null
  /** What it was in the periods before, and is. */
  readonly line: { readonly sizes: readonly (number | null)[]; readonly aim: number | null } | null
}

interface KeyFigure {
  readonly key: string
  readonly title: string
  readonly figure: KeyFigureView
  readonly meaning: string | null
  readonly mark: Line | null
}

/** Large figures beside each other. */
export function KeyFigures({ label, figures }: { readonly label: string; readonly figures: readonly KeyFigure[] }) {
  return (
    <section aria-label={label}>
      <dl className="kpis">
        {figures.map(({ key, title, figure, meaning, mark }) => (
          <div key={key} className="kpi">
            <dt>
              {title} <LineMark line={mark} />
            </dt>
            <dd className="v">
              <Figure title={title} figure={figure} />
            </dd>
            {figure.change !== null && <Change change={figure.change} />}
            {figure.aim !== null && <Aim aim={figure.aim} />}
            {meaning !== null && <dd className="muted">{meaning}</dd>}
            {figure.line !== null && <Spark line={figure.line} />}
          </div>
        ))}
      </dl>
    </section>
  )
}

function Figure({ title, figure: { text, short, href } }: { readonly title: string; readonly figure: KeyFigureView }) {
  if (text === '') return <Nothing />
  const shown =
    short === null ? (
      text
    ) : (
      <>
        <span className="short" aria-hidden="true" title={text}>
          {short}
        </span>
        <span className="full">{text}</span>
      </>
    )
  return href === null ? (
    shown
  ) : (
    <a href={href} aria-label={short === null ? `${title}: ${text}` : undefined}>
      {shown}
    </a>
  )
}

function Change({ change: { way, text, tone, against } }: { readonly change: NonNullable<KeyFigureView['change']> }) {
  const { words } = useReader()
  return (
    <dd className="muted">
      {way !== null && (
        <span className={classes('cmp', tone)}>
          {way !== 'same' && <Icon name={way} />}
          {way === 'same' ? words('unchanged') : words(way === 'up' ? 'changedUp' : 'changedDown', { size: text })}
        </span>
      )}{' '}
      {against}
    </dd>
  )
}

function Aim({ aim: { text, reached } }: { readonly aim: NonNullable<KeyFigureView['aim']> }) {
  const { words } = useReader()
  return (
    <dd className="muted">
      {text}
      {reached !== null && (
        <>
          ,{' '}
          <span className={classes('cmp', reached ? 'good' : 'bad')}>
            {words(reached ? 'aimReached' : 'aimMissed')}
          </span>
        </>
      )}
    </dd>
  )
}

/** Too small for numbers: what it shows is how they went. */
function Spark({ line: { sizes, aim } }: { readonly line: NonNullable<KeyFigureView['line']> }) {
  const known = [...sizes, aim].flatMap(size => size ?? [])
  const last = sizes.findLastIndex(size => size !== null)
  if (sizes.filter(size => size !== null).length < 2) return null
  const [x, y] = [
    scaleLinear([0, sizes.length - 1], [0, 100]),
    scaleLinear([Math.min(0, ...known), Math.max(...known, 1e-9)], [92, 8]),
  ]
  const path = line<number | null>()
    .defined(size => size !== null)
    .x((_, at) => place(x(at)))
    .y(size => place(y(size ?? 0)))
  return (
    <dd className="spark" aria-hidden="true">
      <svg role="presentation">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="presentation">
          {aim !== null && <line className="aim" x1="0" x2="100" y1={place(y(aim))} y2={place(y(aim))} />}
          <path className="l" d={path([...sizes]) ?? ''} />
        </svg>
        <circle cx={`${place(x(last))}%`} cy={`${place(y(sizes[last]!))}%`} r="3.5" />
      </svg>
    </dd>
  )
}
