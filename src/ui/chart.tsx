/**
 * Charts, drawn on the server as SVG: geometry stretches, words do not, nothing needs a script or a style attribute. The same numbers
 * always stand beside the drawing as text, and what they come to as a sentence.
 */

import { BarTable } from './chart-bars.tsx'
import { Behind, type ChartProps, LegendOf, mainOf, readingOf } from './chart-parts.tsx'
import { Plot } from './chart-plot.tsx'
import { PlainTable } from './plain-table.tsx'
import { useReader } from './reader.tsx'

export type { ChartProps } from './chart-parts.tsx'

/** A drawing of numbers; where there are none, a word. */
export function Chart({ title, chart }: { readonly title: string; readonly chart: ChartProps }) {
  const { words } = useReader()
  const isEmpty = chart.groups.every(({ values }) => values.every(({ size }) => size === null || size === 0))
  if (isEmpty) return <p className="muted body">{words('chartEmpty')}</p>
  const legend = <LegendOf chart={chart} />
  if (!chart.overTime)
    return (
      <>
        {legend}
        <BarTable title={title} chart={chart} />
        {chart.series.length > 1 && <AsTable title={title} chart={chart} />}
        {chart.more !== null && <p className="muted body">{chart.more}</p>}
      </>
    )
  return (
    <>
      <Sentence chart={chart} />
      {legend}
      <Plot title={title} chart={chart} />
      <AsTable title={title} chart={chart} />
    </>
  )
}

/** What is to be seen: the last number and the highest. */
function Sentence({ chart: { groups, highest, more } }: { readonly chart: ChartProps }) {
  const { words } = useReader()
  const { most, last } = mainOf(groups)
  const told = (at: number) => ({ label: groups[at]!.label, value: readingOf(groups[at]!).text })
  return (
    <p className="muted body">
      {words('chartLast', told(last))}{' '}
      {(highest !== null || most !== last) && words('chartMost', highest ?? told(most))}
      {more !== null && ` ${more}`}
    </p>
  )
}

/** Every number in words. */
function AsTable({ title, chart }: { readonly title: string; readonly chart: ChartProps }) {
  const { words } = useReader()
  const { by, series, whole, before, groups, more } = chart
  const columns = [...series, ...(whole === null ? [] : [whole]), ...(before === null ? [] : [before])]
  return (
    <details className="astable">
      <summary className="noprint">{words('asTable')}</summary>
      <PlainTable
        label={words('tableOf', { title })}
        columns={[{ key: 'by', label: by }, ...columns.map((label, at) => ({ key: `n${at}`, label, numeric: true }))]}
        rows={groups.map(({ label, values, total, before: earlier, href }) => ({
          id: label,
          cells: [
            <Behind key="by" label={label} href={href} />,
            ...values.map(({ text }) => text),
            ...(whole === null ? [] : [total?.text ?? '']),
            ...(before === null ? [] : [earlier?.text ?? '']),
          ],
        }))}
      />
      {more !== null && <p className="muted">{more}</p>}
    </details>
  )
}
