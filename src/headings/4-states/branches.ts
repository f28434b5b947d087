/**
 * Rows of one step that begin in the same state: where no row applies, where two do, and which one never does. Their conditions are
 * tried on values (`points.ts`); a step with a condition that cannot be tried so is left alone.
 */
import { compare, parseDecimal } from '../../expression/decimal.ts'
import type { Expression } from '../../expression/expression.ts'
import type { App } from '../app.ts'
import { type Points, pointsOf } from '../points.ts'
import { isUnspecified } from '../specified.ts'
import type { Transition } from './model.ts'

/** Values of the fields that the conditions read, as words: "amount = 1000.00". */
interface Uncovered {
  readonly state: string
  readonly where: string
}

interface Branching {
  readonly gap: Uncovered | null
  /** Rows that never apply, because rows above them always do where they would. */
  readonly shadowed: readonly { readonly row: Transition; readonly state: string }[]
}

/** Null where the conditions cannot be tried. */
export function branching(app: App, entity: string, state: string, rows: readonly Transition[]): Branching | null {
  const points = pointsFor(app, entity, rows)
  if (points === null) return null
  let gap: Uncovered | null = null
  const taken = rows.map(() => false)
  const open = rows.map(() => false)
  for (const point of points.all) {
    const row = { ...point, state }
    const held = rows.map(({ when }) => when === null || (!isUnspecified(when) && points.holds(when, row)))
    const first = held.indexOf(true)
    held.forEach((one, index) => {
      open[index] ||= one
    })
    if (first >= 0) taken[first] = true
    else if (gap === null && isFilled(point)) gap = { state, where: points.words(point) }
  }
  const shadowed = points.complete
    ? rows.flatMap((row, index) => (open[index] && !taken[index] ? [{ row, state }] : []))
    : []
  return { gap, shadowed }
}

/**
 * Values for which both rows apply, although each also has some of its own: then their order decides, and that is easily missed. A
 * row that takes in all of the row above it is a cascade, as in `> 1000`, then `> 100`. Null: none were found.
 */
export function overlap(
  app: App,
  entity: string,
  state: string,
  rows: readonly [Transition, Transition],
): string | null {
  const points = pointsFor(app, entity, rows)
  if (points === null) return null
  const filled = points.all.filter(isFilled)
  const [one, other] = rows.map(({ when }) =>
    filled.map(point => when !== null && !isUnspecified(when) && points.holds(when, { ...point, state })),
  ) as [boolean[], boolean[]]
  const both = filled.find((_, index) => one[index] && other[index])
  const isPartial = one.some((is, index) => is && !other[index]) && other.some((is, index) => is && !one[index])
  return both === undefined || !isPartial ? null : points.words(both)
}

/** Values for which both conditions hold, as words; null: none were found, or the conditions cannot be tried. */
export function together(app: App, entity: string, one: Expression, other: Expression): string | null {
  const points = pointsOf(app, entity, [one, other])
  const both = points?.all.find(point => points.holds(one, point) && points.holds(other, point))
  return points === null || both === undefined ? null : points.words(both)
}

/**
 * A value between two at which a condition holds, at which none does; `above`: the condition that holds behind it. Null: there is none,
 * or the conditions do not go by one figure alone.
 */
export function gapBetween(
  app: App,
  entity: string,
  conditions: readonly Expression[],
): { readonly where: string; readonly above: Expression } | null {
  const points = pointsOf(app, entity, conditions)
  const [key, ...others] = Object.keys(points?.all[0] ?? {})
  if (points === null || key === undefined || others.length > 0) return null
  const figures = points.all
    .flatMap(point => {
      const figure = typeof point[key] === 'string' ? parseDecimal(point[key]) : null
      return figure === null ? [] : [{ point, figure }]
    })
    .sort((left, right) => compare(left.figure, right.figure))
  const holding = figures.map(({ point }) => conditions.find(condition => points.holds(condition, point)))
  const first = holding.findIndex(one => one !== undefined)
  const gap = holding.findIndex((one, at) => first >= 0 && at > first && one === undefined)
  const above = gap < 0 ? undefined : holding.slice(gap).find(one => one !== undefined)
  return above === undefined ? null : { where: points.words(figures[gap]!.point), above }
}

function pointsFor(app: App, entity: string, rows: readonly Transition[]): Points | null {
  const whens: Expression[] = []
  for (const { when } of rows) {
    if (when === null) continue
    if (isUnspecified(when)) return null
    whens.push(when)
  }
  return pointsOf(app, entity, whens)
}

const isFilled = (point: Readonly<Record<string, unknown>>): boolean =>
  Object.values(point).every(value => value !== null)
