/** What a timeline is divided into, and where something lies along it. */
import { dateOf, dayNumber } from '../../../expression/dates.ts'
import { beginningOf, dayIn } from '../../fields/dates.ts'
import type { Zoom } from '../days/period.ts'

export interface Axis {
  /** Where each unit begins: a day, or a moment. In order. */
  readonly units: readonly string[]
  /** The day that each is on. */
  readonly days: readonly string[]
  /** Where the last one ends. */
  readonly end: string
}

/** Minutes of a unit of moments; a unit of days is a day. */
export const minutesIn: Readonly<Record<Zoom, number>> = { day: 30, week: 120, month: 720, quarter: 1440 }

/** `zone`: of moments; null: days. */
export function axisOf(view: Zoom, first: string, last: string, zone: string | null): Axis {
  const all = Array.from(
    { length: dayNumber(last)! - dayNumber(first)! + 2 },
    (_, at) => dateOf(dayNumber(first)! + at)!,
  )
  const [days, after] = [all.slice(0, -1), all.at(-1)!]
  if (zone === null) return { units: days, days, end: after }
  const units = days.flatMap((day, at) => {
    const [from, until] = [day, all[at + 1]!].map(one => Date.parse(beginningOf(one, zone))) as [number, number]
    const step = minutesIn[view] * 60_000
    // A day of 23 or 25 hours has the last unit shorter, or one more.
    const count = view === 'quarter' ? 1 : Math.max(1, Math.ceil((until - from) / step))
    return Array.from({ length: count }, (_, nth) => new Date(from + nth * step).toISOString())
  })
  return { units, days: units.map(unit => dayIn(unit, zone)), end: beginningOf(after, zone) }
}

interface Run<Key> {
  readonly key: Key
  readonly start: number
  readonly length: number
}

/** Units of one key that follow each other. */
export function runsOf<Key>(count: number, keyAt: (unit: number) => Key): readonly Run<Key>[] {
  const runs: Run<Key>[] = []
  for (let unit = 0; unit < count; unit++) {
    const key = keyAt(unit)
    const last = runs.at(-1)
    if (last?.key === key) runs[runs.length - 1] = { ...last, length: last.length + 1 }
    else runs.push({ key, start: unit, length: 1 })
  }
  return runs
}

/** From one to the other; of days the last one counts, of moments it does not. */
export interface Span {
  readonly begins: string
  readonly ends: string | null
}

export interface Place {
  readonly start: number
  readonly length: number
  /** It began before the axis, or goes on behind it. */
  readonly begun: boolean
  readonly goesOn: boolean
}

export function placeOn({ units, end }: Axis, span: Span): Place {
  const [first] = units as [string]
  const until = endOf(span)
  const start = Math.max(
    0,
    units.findLastIndex(unit => unit <= span.begins),
  )
  const last = Math.max(
    start,
    units.findLastIndex(unit => unit < until),
  )
  return { start, length: last - start + 1, begun: span.begins < first, goesOn: until > end }
}

/** The day or moment that it does not reach any more. What has no end takes a day, or an hour. */
export function endOf({ begins, ends }: Span): string {
  if (!begins.includes('T'))
    return dateOf(dayNumber(ends !== null && ends > begins ? ends : begins)! + 1) ?? '9999-12-31'
  return ends !== null && ends > begins ? ends : new Date(Date.parse(begins) + 3_600_000).toISOString()
}

export const overlap = (a: Span, b: Span): boolean => a.begins < endOf(b) && b.begins < endOf(a)

/** Of the time of `open`, the share that is taken, in per cent; what lies at the same time counts twice. Null: there is none. */
export function loadOf(open: readonly Required<Span>[], spans: readonly Span[]): number | null {
  const [edges, taken] = [open.map(edgesOf), spans.map(edgesOf)]
  const total = edges.reduce((sum, [from, until]) => sum + until - from, 0)
  if (total === 0) return null
  const within = edges.flatMap(([from, until]) =>
    taken.map(([begins, ends]) => Math.max(0, Math.min(until, ends) - Math.max(from, begins))),
  )
  return Math.round((within.reduce((sum, length) => sum + length, 0) * 100) / total)
}

type Edges = readonly [from: number, until: number]

const edgesOf = (span: Span): Edges => [Date.parse(span.begins), Date.parse(endOf(span))]
