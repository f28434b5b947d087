/** Lists of rows that are worth trying: as many rows of each kind as the conditions on them tell apart. */
import type { Wire } from '../expression/type.ts'
import type { Points } from './points.ts'
import type { Row, Tried } from './points-nodes.ts'
import type { Bound } from './points-values.ts'

/** So many rows of one kind are put into a list. */
const mostRows = 200

/**
 * `numbers`: what their number is compared with. Every list is like one of these, as far as `aggregates` many conditions on rows see it.
 * Null where there would be more than `most`.
 */
export function rowsWorthTrying(
  { all, holds }: Points,
  conditions: readonly Tried[],
  aggregates: number,
  numbers: readonly Wire[],
  bounds: readonly Bound[],
  most: number,
): readonly (readonly Row[])[] | null {
  const kinds = [...Map.groupBy(all, row => conditions.map(condition => holds(condition, row)).join()).values()].map(
    ([row]) => row!,
  )
  const figures = [...numbers, ...bounds.map(({ wire }) => wire)].flatMap(wire =>
    typeof wire === 'string' && Number.isFinite(Number(wire)) ? [Math.max(0, Math.ceil(Number(wire)))] : [],
  )
  const highest = Math.max(0, ...figures) + 1
  // Each condition has its own rows, where they exclude each other; the bounds are one more.
  const told = kinds.length > 1 ? highest * (aggregates + Math.min(bounds.length, 1)) : highest
  const longest = Math.min(told, ...bounds.filter(({ side }) => side < 0).map(({ wire }) => Number(wire)))
  if (longest > mostRows) return null
  const lists: Row[][] = [[]]
  let last: readonly { readonly rows: Row[]; readonly from: number }[] = [{ rows: [], from: 0 }]
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap(({ rows, from }) =>
      kinds.slice(from).map((row, at) => ({ rows: [...rows, row], from: from + at })),
    )
    lists.push(...last.map(({ rows }) => rows))
    if (lists.length > most) return null
  }
  return lists
}
