/** Where bars lie in a week: each on the lowest level that is free on all of its days. */

export interface Span {
  /** Days, `YYYY-MM-DD`. */
  readonly first: string
  readonly last: string
}

/** Part of a span that lies in one week. */
export interface Bar<Of extends Span> {
  readonly of: Of
  /** From 0. */
  readonly column: number
  readonly days: number
  readonly level: number
  /** It began before this week, or goes on after it. */
  readonly begun: boolean
  readonly goesOn: boolean
}

export interface Week<Of extends Span> {
  readonly bars: readonly Bar<Of>[]
  /** By day: how many have no place. */
  readonly left: readonly number[]
}

/** `days`: those of the week; `spans` in the order in which they begin. Of what begins on one day the longest comes first. */
export function weekOfBars<Of extends Span>(days: readonly string[], spans: readonly Of[], levels: number): Week<Of> {
  const [first, last] = [days[0]!, days.at(-1)!]
  const taken: boolean[][] = Array.from({ length: levels }, () => [])
  const left = days.map(() => 0)
  const lengthOf = ({ last: end }: Span) => (end < last ? end : last)
  const own = spans.filter(span => span.first <= last && span.last >= first)
  const bars = own
    .toSorted((a, b) => startIn(a, first).localeCompare(startIn(b, first)) || lengthOf(b).localeCompare(lengthOf(a)))
    .flatMap((of): readonly Bar<Of>[] => {
      const covered = days.flatMap((day, at) => (of.first <= day && day <= of.last ? [at] : []))
      const level = taken.findIndex(row => covered.every(at => !row[at]))
      if (level < 0) {
        for (const at of covered) left[at]!++
        return []
      }
      for (const at of covered) taken[level]![at] = true
      const column = covered[0]!
      return [{ of, column, days: covered.length, level, begun: of.first < first, goesOn: of.last > last }]
    })
  return { bars, left }
}

const startIn = (span: Span, first: string): string => (span.first < first ? first : span.first)
