/** Groups below each other: a table whose numbers are drawn as well. */
import { scaleLinear } from 'd3-scale'
import { Behind, type ChartGroup, type ChartProps, colourOf, place, readingOf } from './chart-parts.tsx'

/** Height of a bar, and of each of several below each other. */
const height = 10

export function BarTable({ title, chart }: { readonly title: string; readonly chart: ChartProps }) {
  const { by, groups, series, drawn, aim, whole } = chart
  const sums = groups.map(group => readingOf(group).size ?? 0)
  const all = groups.flatMap(({ values }) => values.map(({ size }) => size ?? 0))
  const sizes = [...(drawn === 'grouped' ? all : sums), aim?.size ?? 0]
  const isShare = drawn === 'share' && whole !== null
  const scale = scaleLinear(isShare ? [0, 1] : [Math.min(0, ...sizes), Math.max(0, ...sizes)], [0, 100])
  const lines = drawn === 'grouped' ? series.length : 1
  return (
    <table className="t barred">
      <caption className="vh">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{by}</th>
          <td />
          <th scope="col" className="num">
            {whole ?? series.join(' · ')}
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(group => (
          <tr key={group.label}>
            <th scope="row">
              <Behind label={group.label} href={group.href} />
            </th>
            <td aria-hidden="true">
              <svg
                className={`length n${lines}`}
                preserveAspectRatio="none"
                viewBox={`0 0 100 ${lines * height}`}
                role="presentation"
              >
                <rect className="tr" width="100" height={lines * height} />
                {barsOf(chart, group, scale, isShare)}
                {aim !== null && (
                  <line
                    className="aim"
                    x1={place(scale(aim.size ?? 0))}
                    x2={place(scale(aim.size ?? 0))}
                    y2={lines * height}
                  />
                )}
              </svg>
            </td>
            <td className="num">
              {lines === 1
                ? readingOf(group).text
                : group.values.map(({ text }, at) => <div key={series[at]}>{text}</div>)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One behind the other, or one below the other. */
function barsOf(chart: ChartProps, group: ChartGroup, scale: (size: number) => number, isShare: boolean) {
  const total = isShare ? (group.total?.size ?? 0) : 1
  const ends: number[] = [0]
  for (const { size } of group.values) ends.push(ends.at(-1)! + (total === 0 ? 0 : (size ?? 0) / total))
  const isGrouped = chart.drawn === 'grouped'
  return group.values.map(({ size }, at) => {
    const [from, to] = isGrouped ? [0, size ?? 0] : [ends[at]!, ends[at + 1]!]
    const [start, end] = [scale(from), scale(to)].sort((one, other) => one - other) as [number, number]
    return size === null ? null : (
      <rect
        key={chart.series[at]}
        className={colourOf(chart, at)}
        x={place(start)}
        width={place(end - start)}
        y={isGrouped ? at * height + 1 : 0}
        height={isGrouped ? height - 2 : height}
      />
    )
  })
}
