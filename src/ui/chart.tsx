/**
 * Charts, drawn on the server as SVG: geometry stretches, words do not, nothing needs a script or a style attribute. The same numbers
 * always stand beside the drawing as text, and what they come to as a sentence.
 */
import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { useReader } from './reader.tsx'
import { PlainTable } from './table.tsx'

/** A number for each group, as a drawing and as its numbers. */
export interface ChartProps {
  readonly drawn: 'bars' | 'line'
  /** Heads of the table of numbers: what the groups and what the numbers are. */
  readonly by: string
  readonly measure: string
  /** `size` is only for drawing; null: there is no number. */
  readonly points: readonly {
    readonly label: string
    readonly short: string
    readonly text: string
    readonly size: number | null
    /** A period that is not over yet: drawn as such. */
    readonly running: boolean
    /** It is no period: records without a date. No line leads there. */
    readonly undated: boolean
    /** The list of the records behind it. */
    readonly href: string | null
  }[]
  /** How a mark on the scale is written. */
  readonly scale: (size: number) => string
  /** Of the numbers that are not drawn the highest, where it is the highest of all. */
  readonly highest: { readonly label: string; readonly value: string } | null
  /** What is left out; null where nothing is. */
  readonly more: string | null
}

interface Titled {
  readonly title: string
  readonly chart: ChartProps
}

/** A drawing of numbers; where there are none, a word. */
export function Chart({ title, chart, overTime }: Titled & { readonly overTime: boolean }) {
  const { words } = useReader()
  const isEmpty = chart.points.every(({ size }) => size === null || size === 0)
  if (isEmpty) return <p className="muted body">{words('chartEmpty')}</p>
  return overTime ? <TimeChart title={title} chart={chart} /> : <BarTable title={title} chart={chart} />
}

/** Groups below each other: a table whose numbers are drawn as well. */
function BarTable({ title, chart }: Titled) {
  const { by, measure, points, more } = chart
  const sizes = points.map(({ size }) => size ?? 0)
  const scale = scaleLinear([Math.min(0, ...sizes), Math.max(0, ...sizes)], [0, 100])
  return (
    <>
      <table className="t barred">
        <caption className="vh">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{by}</th>
            <td />
            <th scope="col" className="num">
              {measure}
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ label, text, size, href }) => (
            <tr key={label}>
              <th scope="row">
                <Behind label={label} href={href} />
              </th>
              <td aria-hidden="true">
                <svg className="length" preserveAspectRatio="none" viewBox="0 0 100 10" role="presentation">
                  <rect className="tr" width="100" height="10" />
                  {size !== null && <Bar from={scale(0)} to={scale(size)} />}
                </svg>
              </td>
              <td className="num">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more !== null && <p className="muted body">{more}</p>}
    </>
  )
}

/** A group, and the way to its records where there is one. */
function Behind({ label, href }: { readonly label: string; readonly href: string | null }) {
  const { words } = useReader()
  return href === null ? (
    label
  ) : (
    <a href={href} aria-label={words('showBehind', { object: label })}>
      {label}
    </a>
  )
}

const Bar = ({ from, to }: { readonly from: number; readonly to: number }) => (
  <rect className="size" x={place(Math.min(from, to))} width={place(Math.abs(to - from))} height="10" />
)

/** Coordinates with two digits are finer than any screen. */
const place = (value: number): number => Math.round(value * 100) / 100

/** Pixels along the time on a phone, and of a letter there. A server has no font to measure with. */
const [narrow, letter] = [230, 6.6]

/** Every how many periods one is named, so that no two names run into each other on a phone. */
function everyNth(points: ChartProps['points']): number {
  const size = (at: number) => ((points[at]?.short.length ?? 0) + 1) * letter
  for (let every = 1; every < points.length; every++) {
    const named = points.flatMap((_, at) => (at % every === 0 ? [at] : []))
    const room = (every * narrow) / points.length
    if (named.slice(1).every(at => (size(at - every) + size(at)) / 2 <= room)) return every
  }
  return Math.max(1, points.length)
}

/** The places of the highest number and of the last. */
function marked(points: ChartProps['points']): { readonly most: number; readonly last: number } {
  const sized = points.flatMap(({ size, undated }, at) => (size === null || undated ? [] : [at]))
  const higher = (best: number, at: number) => (points[at]!.size! > points[best]!.size! ? at : best)
  return { most: sized.reduce(higher, sized[0] ?? 0), last: sized.at(-1) ?? 0 }
}

/** Periods beside each other, as a line or as bars, on a scale that begins at zero. */
function TimeChart({ title, chart }: Titled) {
  const { words } = useReader()
  const { drawn, points, by, measure, scale: written, highest, more } = chart
  const sizes = points.flatMap(({ size }) => size ?? [])
  const values = scaleLinear([Math.min(0, ...sizes), Math.max(0, ...sizes, 1)], [100, 0]).nice(4)
  const marks = values.ticks(4).filter(mark => sizes.some(size => !Number.isInteger(size)) || Number.isInteger(mark))
  const band = scaleBand(
    points.map((_, index) => index),
    [0, 100],
  ).padding(0.2)
  const middle = (index: number) => (band(index) ?? 0) + band.bandwidth() / 2
  const every = everyNth(points)
  const { most, last } = marked(points)
  const told = (at: number) => ({ label: points[at]!.label, value: points[at]!.text })
  const room = (Math.abs(most - last) * narrow) / points.length
  const areApart = room > ((points[most]!.text.length + points[last]!.text.length + 2) / 2) * letter
  return (
    <>
      <figure className="plot" aria-label={title}>
        <svg className="ya" aria-hidden="true">
          {marks.map(mark => (
            <text key={mark} x="100%" y={`${place(values(mark))}%`} dy=".32em" textAnchor="end">
              {written(mark)}
            </text>
          ))}
        </svg>
        <svg className="pa" aria-hidden="true">
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="presentation">
            {marks.map(mark => (
              <line key={mark} x1="0" x2="100" y1={place(values(mark))} y2={place(values(mark))} />
            ))}
            {drawn === 'bars'
              ? points.map(({ label, size, running }, index) => (
                  <rect
                    key={label}
                    fillOpacity={running ? 0.5 : undefined}
                    x={place(band(index) ?? 0)}
                    width={place(band.bandwidth())}
                    y={place(Math.min(values(size ?? 0), values(0)))}
                    height={place(Math.abs(values(size ?? 0) - values(0)))}
                  />
                ))
              : lines(points, middle, values)}
            {points.map(
              ({ label, text, href }, index) =>
                href !== null && (
                  <a key={label} href={href} tabIndex={-1}>
                    <title>{`${label}: ${text}`}</title>
                    <rect className="hit" x={place(band(index) ?? 0)} width={place(band.bandwidth())} height="100" />
                  </a>
                ),
            )}
          </svg>
          {(areApart ? [most, last] : [last]).map(index => (
            <text
              key={index}
              x={`${place(middle(index))}%`}
              y={`${place(Math.min(values(points[index]!.size ?? 0), values(0)))}%`}
              dy="-.5em"
              textAnchor="middle"
            >
              {points[index]!.text}
            </text>
          ))}
        </svg>
        <svg className="xa" aria-hidden="true">
          {points.map(
            ({ label, short }, index) =>
              index % every === 0 && (
                <text key={label} x={`${place(middle(index))}%`} y="1em" textAnchor="middle">
                  {short}
                </text>
              ),
          )}
        </svg>
      </figure>
      <p className="muted body">
        {words('chartLast', told(last))}{' '}
        {(highest !== null || most !== last) && words('chartMost', highest ?? told(most))}
        {more !== null && ` ${more}`}
      </p>
      <details className="astable">
        <summary className="noprint">{words('asTable')}</summary>
        <PlainTable
          label={words('tableOf', { title })}
          columns={[
            { key: 'by', label: by },
            { key: 'measure', label: measure, numeric: true },
          ]}
          rows={points.map(({ label, text, href }) => ({
            id: label,
            cells: [<Behind key="by" label={label} href={href} />, text],
          }))}
        />
        {more !== null && <p className="muted">{more}</p>}
      </details>
    </>
  )
}

/** Where there is no number the line is broken; a number alone between gaps is a short stroke. To a period that is not over it is dashed. */
function lines(points: ChartProps['points'], middle: (index: number) => number, values: (size: number) => number) {
  const isOn = (at: number) => (points[at]?.size ?? null) !== null && points[at]?.undated === false
  const draw = (shown: (at: number) => boolean) =>
    line<ChartProps['points'][number]>()
      .defined((_, index) => isOn(index) && shown(index))
      .x((_, index) => place(middle(index)))
      .y(({ size }) => place(values(size ?? 0)))([...points]) ?? ''
  const alone = points.flatMap(({ size, undated }, index) =>
    size !== null && (undated || !(isOn(index - 1) || isOn(index + 1))) ? [{ at: middle(index), size }] : [],
  )
  const running = points.findIndex(point => point.running)
  return (
    <>
      <path className="l" d={draw(at => at !== running)} />
      {running > 0 && <path className="l" d={draw(at => running - at <= 1 && at <= running)} strokeDasharray="4 4" />}
      {alone.map(({ at, size }) => (
        <path key={at} className="l" d={`M${place(at - 1)},${place(values(size))}H${place(at + 1)}`} />
      ))}
    </>
  )
}
