/** What drawings have in common: what they are given, colours and their words, the way to the records. */
import { useReader } from './reader.tsx'

/** Numbers for each group, as a drawing and as text. */
export interface ChartProps {
  /** `share`: all series of a group are one whole. */
  readonly drawn: 'line' | 'bars' | 'stacked' | 'grouped' | 'share'
  /** Groups lie along time: upright. */
  readonly overTime: boolean
  /** Head of the table of numbers: what the groups are. */
  readonly by: string
  /** What is drawn of each group: the first nearest to the axis. */
  readonly series: readonly string[]
  /** The last of them is what is left of others. */
  readonly rest: boolean
  /** What all series of a group are together; null: they are nothing together. */
  readonly whole: string | null
  readonly groups: readonly ChartGroup[]
  /** How a mark on the scale is written. */
  readonly scale: (size: number) => string
  /** Of the numbers that are not drawn the highest, where it is the highest of all. */
  readonly highest: { readonly label: string; readonly value: string } | null
  /** What is left out; null where nothing is. */
  readonly more: string | null
  readonly aim: Reading | null
  /** What the numbers are called that each group is compared with; null: it is not. */
  readonly before: string | null
}

/** `size` is only for drawing; null: there is no number. */
export interface Reading {
  readonly text: string
  readonly size: number | null
}

export interface ChartGroup {
  readonly label: string
  readonly short: string
  /** A period that is not over yet: drawn as such. */
  readonly running: boolean
  /** It is no period: records without a date. No line leads there. */
  readonly undated: boolean
  /** By series. */
  readonly values: readonly Reading[]
  readonly total: Reading | null
  /** The same place in what it is compared with. */
  readonly before: (Reading & { readonly label: string }) | null
  /** The list of the records behind it. */
  readonly href: string | null
}

/** Coordinates with two digits are finer than any screen. */
export const place = (value: number): number => Math.round(value * 100) / 100

/** What a group comes to. */
export const readingOf = ({ total, values }: ChartGroup): Reading => total ?? values[0]!

/** The places of the highest number and of the last. */
export function mainOf(groups: readonly ChartGroup[]): { readonly most: number; readonly last: number } {
  const size = (at: number) => readingOf(groups[at]!).size
  const sized = groups.flatMap((group, at) => (size(at) === null || group.undated ? [] : [at]))
  const higher = (best: number, at: number) => (size(at)! > size(best)! ? at : best)
  return { most: sized.reduce(higher, sized[0] ?? 0), last: sized.at(-1) ?? 0 }
}

/** The class of the colour of a series; what is left of others is grey. */
export const colourOf = ({ rest, series }: Pick<ChartProps, 'rest' | 'series'>, at: number): string =>
  rest && at === series.length - 1 ? 'hue-5' : `hue-${at + 1}`

/** What the colours mean. */
export function LegendOf({ chart }: { readonly chart: ChartProps }) {
  const { words } = useReader()
  const { series, before, aim, groups } = chart
  const isPale = chart.drawn !== 'line' && groups.some(({ running }) => running)
  if (series.length < 2 && before === null && aim === null && !isPale) return null
  return (
    <ul className="lgd">
      {(series.length > 1 || before !== null) &&
        series.map((name, at) => (
          <li key={name}>
            <i className={colourOf(chart, at)} />
            {name}
          </li>
        ))}
      {before !== null && (
        <li>
          <i className="hue-b" />
          {before}
        </li>
      )}
      {aim !== null && (
        <li>
          <i className="hue-a" />
          {words('chartAim', { value: aim.text })}
        </li>
      )}
      {isPale && <li className="muted">{words('chartPale')}</li>}
    </ul>
  )
}

/** A group, and the way to its records where there is one. */
export function Behind({ label, href }: { readonly label: string; readonly href: string | null }) {
  const { words } = useReader()
  return href === null ? (
    label
  ) : (
    <a href={href} aria-label={words('showBehind', { object: label })}>
      {label}
    </a>
  )
}
