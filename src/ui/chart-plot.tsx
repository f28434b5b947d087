/** Periods beside each other, as lines or as columns, on a scale that begins at zero. */
import { scaleBand, scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { type ChartGroup, type ChartProps, colourOf, mainOf, place, type Reading, readingOf } from './chart-parts.tsx'
import { classes, useReader } from './reader.tsx'

/** Pixels along the time on a phone, and of a letter there. A server has no font to measure with. */
const [narrow, letter] = [230, 6.6]
/** Per cent of the height that a label at the end of a line takes. */
const labelHeight = 7

/** Every how many periods one is named, so that no two names run into each other on a phone. */
function everyNth(groups: readonly ChartGroup[]): number {
  const size = (at: number) => ((groups[at]?.short.length ?? 0) + 1) * letter
  for (let every = 1; every < groups.length; every++) {
    const named = groups.flatMap((_, at) => (at % every === 0 ? [at] : []))
    const room = (every * narrow) / groups.length
    if (named.slice(1).every(at => (size(at - every) + size(at)) / 2 <= room)) return every
  }
  return Math.max(1, groups.length)
}

/** Where everything of a chart lies, in per cent. */
function placesOf({ groups, drawn, aim }: ChartProps) {
  const isStacked = drawn === 'stacked' || drawn === 'bars'
  const sizes =
    drawn === 'share'
      ? [1]
      : [
          ...groups.flatMap(group => (isStacked ? [readingOf(group)] : group.values).flatMap(({ size }) => size ?? [])),
          ...groups.flatMap(({ before }) => before?.size ?? []),
          ...(aim?.size == null ? [] : [aim.size]),
        ]
  const values = scaleLinear([Math.min(0, ...sizes), Math.max(0, ...sizes, drawn === 'share' ? 0 : 1)], [100, 0]).nice(
    4,
  )
  const marks = values
    .ticks(4)
    .filter(mark => sizes.some(size => !Number.isInteger(size)) || drawn === 'share' || Number.isInteger(mark))
  const band = scaleBand(
    groups.map((_, index) => index),
    [0, 100],
  ).padding(0.2)
  return { values, marks, band, middle: (index: number) => (band(index) ?? 0) + band.bandwidth() / 2 }
}

type Places = ReturnType<typeof placesOf>

export function Plot({ title, chart }: { readonly title: string; readonly chart: ChartProps }) {
  const { groups, drawn, series, scale: written, aim, before } = chart
  const places = placesOf(chart)
  const { values, marks, middle } = places
  const every = everyNth(groups)
  const hasEnds = drawn === 'line' && series.length > 1
  return (
    <figure className={classes('plot', hasEnds && 'ends')} aria-label={title}>
      <svg className="ya" aria-hidden="true">
        {marks.map(mark => (
          <text key={mark} x="100%" y={`${place(values(mark))}%`} dy=".32em" textAnchor="end">
            {written(mark)}
          </text>
        ))}
      </svg>
      <div className="pa">
        <svg aria-hidden="true">
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="presentation">
            {marks.map(mark => (
              <line key={mark} x1="0" x2="100" y1={place(values(mark))} y2={place(values(mark))} />
            ))}
            {before !== null && (
              <path
                className="hue-b"
                d={pathOf(
                  groups.map(group => group.before?.size ?? null),
                  places,
                )}
              />
            )}
            {drawn === 'line' ? <Lines chart={chart} places={places} /> : <Columns chart={chart} places={places} />}
            {aim?.size != null && (
              <line className="aim" x1="0" x2="100" y1={place(values(aim.size))} y2={place(values(aim.size))} />
            )}
          </svg>
          {hasEnds ? <Ends chart={chart} places={places} /> : <Marked chart={chart} places={places} />}
        </svg>
        <Hits chart={chart} />
      </div>
      <svg className="xa" aria-hidden="true">
        {groups.map(
          ({ label, short }, index) =>
            index % every === 0 && (
              <text key={label} x={`${place(middle(index))}%`} y="1em" textAnchor="middle">
                {short}
              </text>
            ),
        )}
      </svg>
    </figure>
  )
}

interface Drawn {
  readonly chart: ChartProps
  readonly places: Places
}

/** A line through these numbers, broken where there is none. */
const pathOf = (sizes: readonly (number | null)[], { values, middle }: Places, shown = (_: number) => true): string =>
  line<number | null>()
    .defined((size, index) => size !== null && shown(index))
    .x((_, index) => place(middle(index)))
    .y(size => place(values(size ?? 0)))([...sizes]) ?? ''

/** Where there is no number the line is broken; a number alone between gaps is a short stroke. To a period that is not over it is dashed. */
function Lines({ chart, places }: Drawn) {
  const { groups, series } = chart
  const { values, middle } = places
  return series.map((name, of) => {
    const sizes = groups.map(({ values: all, undated }) => (undated ? null : all[of]!.size))
    const alone = groups.flatMap(({ values: all, undated }, at) => {
      const { size } = all[of]!
      const isOn = (other: number) => (sizes[other] ?? null) !== null
      return size !== null && (undated || !(isOn(at - 1) || isOn(at + 1))) ? [{ at: middle(at), size }] : []
    })
    const running = groups.findIndex(group => group.running)
    const colour = colourOf(chart, of)
    return (
      <g key={name} className={colour}>
        {series.length === 1 && chart.before === null && <path className="area" d={areaOf(sizes, places)} />}
        <path className="l" d={pathOf(sizes, places, at => at !== running)} />
        {running > 0 && <path className="l so" d={pathOf(sizes, places, at => running - at <= 1 && at <= running)} />}
        {alone.map(({ at, size }) => (
          <path key={at} className="l" d={`M${place(at - 1)},${place(values(size))}H${place(at + 1)}`} />
        ))}
      </g>
    )
  })
}

const areaOf = (sizes: readonly (number | null)[], { values, middle }: Places): string =>
  area<number | null>()
    .defined(size => size !== null)
    .x((_, index) => place(middle(index)))
    .y0(place(values(0)))
    .y1(size => place(values(size ?? 0)))([...sizes]) ?? ''

/** On top of each other, beside each other, or of each whole its parts. */
function Columns({ chart, places }: Drawn) {
  const { groups, series, drawn } = chart
  const { values, band } = places
  const beside = scaleBand(
    series.map((_, index) => index),
    [0, band.bandwidth()],
  )
  return groups.map(({ label, values: all, total, running }, at) => {
    const whole = drawn === 'share' ? (total?.size ?? 0) : 1
    const ends: number[] = [0]
    for (const { size } of all) ends.push(ends.at(-1)! + (whole === 0 ? 0 : (size ?? 0) / whole))
    return (
      <g key={label} fillOpacity={running ? 0.5 : undefined}>
        {all.map(({ size }, of) => {
          const [from, to] = drawn === 'grouped' ? [0, size ?? 0] : [ends[of]!, ends[of + 1]!]
          return size === null || size === 0 ? null : (
            <rect
              key={series[of]}
              className={colourOf(chart, of)}
              x={place((band(at) ?? 0) + (drawn === 'grouped' ? beside(of)! : 0))}
              width={place(drawn === 'grouped' ? beside.bandwidth() : band.bandwidth())}
              y={place(Math.min(values(from), values(to)))}
              height={place(Math.abs(values(from) - values(to)))}
            />
          )
        })}
      </g>
    )
  })
}

/** The highest number and the last, where each has room. */
function Marked({ chart: { groups, drawn }, places: { values, middle } }: Drawn) {
  if (drawn === 'grouped' || drawn === 'share') return null
  const { most, last } = mainOf(groups)
  const text = (at: number) => readingOf(groups[at]!).text
  const room = (Math.abs(most - last) * narrow) / groups.length
  const areApart = room > ((text(most).length + text(last).length + 2) / 2) * letter
  return (areApart ? [most, last] : [last]).map(index => (
    <text
      key={index}
      x={`${place(middle(index))}%`}
      y={`${place(Math.min(values(readingOf(groups[index]!).size ?? 0), values(0)))}%`}
      dy="-.5em"
      textAnchor={
        index === 0 && groups.length > 4 ? 'start' : index === groups.length - 1 && groups.length > 4 ? 'end' : 'middle'
      }
    >
      {text(index)}
    </text>
  ))
}

/** The last number of each line behind it, apart from each other. */
function Ends({ chart, places: { values } }: Drawn) {
  const ends = chart.series
    .map((name, of) => {
      const last = chart.groups.findLast(({ values: all, undated }) => !undated && all[of]!.size !== null)?.values[of]
      return { name, of, last: last as Reading | undefined }
    })
    .filter(({ last }) => last !== undefined)
    .map(end => ({ ...end, at: values(end.last!.size!) }))
    .sort((one, other) => one.at - other.at)
  const tops = apart(ends.map(({ at }) => at))
  return ends.map(({ name, last }, index) => (
    <text key={name} className="end" x="100%" y={`${place(tops[index]!)}%`} dx="8" dy=".32em">
      {last!.text}
    </text>
  ))
}

/** In ascending order, each moved no further than it has to be. */
export function apart(wanted: readonly number[]): readonly number[] {
  const at = [...wanted]
  for (let index = 1; index < at.length; index++) at[index] = Math.max(at[index]!, at[index - 1]! + labelHeight)
  for (let index = at.length - 1, most = 100; index >= 0; index--, most = at[index + 1]! - labelHeight)
    at[index] = Math.min(at[index]!, most)
  return at
}

/** A strip over the whole height for each period, with all that is to be read there; the last one is where the keyboard comes in. */
function Hits({ chart }: { readonly chart: ChartProps }) {
  const { words } = useReader()
  const { groups, series, whole, aim } = chart
  const { last } = mainOf(groups)
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is filled in here
    <div className="hits noprint" role="group" aria-label={words('chartValues')}>
      {groups.map(({ label, values, total, before, href }, index) => {
        const Strip = href === null ? 'span' : 'a'
        return (
          <Strip key={label} href={href ?? undefined} tabIndex={index === last ? 0 : -1}>
            <span className="tip">
              <b>{label}</b>
              {values.map(({ text }, at) => (
                <Row key={series[at]} colour={colourOf(chart, at)} name={series[at]!} text={text} />
              ))}
              {whole !== null && total !== null && <Row colour={null} name={whole} text={total.text} />}
              {before !== null && <Row colour="hue-b" name={before.label} text={before.text} />}
              {aim !== null && <Row colour="hue-a" name={words('aim')} text={aim.text} />}
            </span>
          </Strip>
        )
      })}
    </div>
  )
}

const Row = ({
  colour,
  name,
  text,
}: {
  readonly colour: string | null
  readonly name: string
  readonly text: string
}) => (
  <>
    <i className={colour ?? undefined} /> <span>{name}</span> <span>{text || '–'}</span>
  </>
)
