/**
 * Rows of one step that begin in the same state: where no row applies, and which one never does. Their conditions are tried on
 * the values around every literal in them; a step with a condition that reads more than that is left alone.
 */
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import * as decimal from '../../expression/decimal.ts'
import { evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { App } from '../app.ts'
import { isUnspecified } from '../said.ts'
import type { Transition } from './model.ts'

/** Values of the fields that the conditions read, as words: "amount = 1000.00". */
export interface Uncovered {
  readonly state: string
  readonly where: string
}

export interface Branching {
  readonly gap: Uncovered | null
  /** Rows that never apply, because rows above them always do where they would. */
  readonly shadowed: readonly { readonly row: Transition; readonly state: string }[]
}

const mostPoints = 3000

/** Null where the conditions cannot be tried. */
export function branching(app: App, entity: string, state: string, rows: readonly Transition[]): Branching | null {
  const whens = rows.map(({ when }) => when)
  if (whens.some(isUnspecified)) return null
  const limits = limitsOf(app)
  const values = new Map<string, Wire[]>()
  for (const when of whens) {
    if (when === null || isUnspecified(when)) continue
    if (!gather(app, entity, when.root, limits, values)) return null
  }
  const keys = [...values.keys()]
  const points = pointsOf(values)
  if (points === null) return null
  let gap: Uncovered | null = null
  const taken = rows.map(() => false)
  const open = rows.map(() => false)
  for (const point of points) {
    const row: Record<string, Wire> = { ...point, state }
    const held = rows.map(({ when }) => when === null || (!isUnspecified(when) && holds(when, row, limits)))
    const first = held.indexOf(true)
    held.forEach((one, index) => {
      open[index] ||= one
    })
    if (first >= 0) taken[first] = true
    else if (gap === null && keys.every(key => row[key] !== null)) {
      gap = { state, where: wordsOf(point) }
    }
  }
  const shadowed = rows.flatMap((row, index) => (open[index] && !taken[index] ? [{ row, state }] : []))
  return { gap, shadowed }
}

/** Values for which both conditions hold, as words; null: none were found, or the conditions cannot be tried. */
export function together(app: App, entity: string, one: Expression, other: Expression): string | null {
  const limits = limitsOf(app)
  const values = new Map<string, Wire[]>()
  if (![one, other].every(({ root }) => gather(app, entity, root, limits, values))) return null
  const both = pointsOf(values)?.find(point => holds(one, point, limits) && holds(other, point, limits))
  return both === undefined ? null : wordsOf(both)
}

const wordsOf = (point: Readonly<Record<string, Wire>>): string =>
  Object.entries(point)
    .map(([key, value]) => `${key} = ${String(value)}`)
    .join(', ')

/** Every combination of the values; null where there are too many. */
function pointsOf(values: ReadonlyMap<string, readonly Wire[]>): readonly Record<string, Wire>[] | null {
  const count = [...values.values()].reduce((all, some) => all * some.length, 1)
  if (count > mostPoints) return null
  return Array.from({ length: count }, (_, point) => {
    const row: Record<string, Wire> = {}
    let rest = point
    for (const [key, all] of values) {
      row[key] = all[rest % all.length]!
      rest = Math.floor(rest / all.length)
    }
    return row
  })
}

function holds(when: Parameters<typeof evaluate>[0], row: Record<string, Wire>, limits: Record<string, Wire>): boolean {
  const moment = { today: '2000-01-01', now: '2000-01-01T00:00:00.000Z' }
  return evaluate(when, { row, old: null, me: null, my: null, ...moment, limits, related: () => undefined }) === true
}

/** What the constants are today, by key. */
export const limitsOf = (app: App): Record<string, Wire> =>
  Object.fromEntries(
    [...app.limits.values()].map(({ key, value }) => [key, isUnspecified(value) ? null : (value.wire as Wire)]),
  )

/** Adds the values worth trying; false where a part reads anything but fields of the record, literals and constants. */
function gather(
  app: App,
  entity: string,
  node: Checked,
  limits: Record<string, Wire>,
  values: Map<string, Wire[]>,
): boolean {
  const inner = (parts: readonly Checked[]) => parts.every(part => gather(app, entity, part, limits, values))
  switch (node.op) {
    case 'and':
    case 'or':
    case 'not':
      return inner(partsOf(node))
    case 'empty':
    case 'field': {
      const field = node.op === 'field' ? node : node.of
      return note(app, entity, field, [], values)
    }
    case 'compare':
    case 'same':
      return noteAll(app, entity, [node.left, node.right], limits, values)
    case 'between':
      return noteAll(app, entity, [node.of, node.low, node.high], limits, values)
    case 'in':
      return noteAll(app, entity, [node.of, ...node.list], limits, values)
    default:
      return false
  }
}

/** A field beside literals and constants. */
function noteAll(
  app: App,
  entity: string,
  parts: readonly Checked[],
  limits: Record<string, Wire>,
  values: Map<string, Wire[]>,
): boolean {
  const fields = parts.filter(({ op }) => op === 'field')
  const bounds: Wire[] = []
  for (const part of parts) {
    if (part.op === 'literal') bounds.push(part.value)
    else if (part.op === 'limit') bounds.push(limits[part.name] ?? null)
    else if (part.op !== 'field') return false
  }
  return fields.length === 1 && note(app, entity, fields[0]!, bounds, values)
}

function note(app: App, entity: string, node: Checked, bounds: readonly Wire[], values: Map<string, Wire[]>): boolean {
  if (node.op !== 'field' || node.path.base !== 'own' || node.path.steps.length !== 1) return false
  const key = node.path.steps[0]!.field
  const { type, optional } = app.schema.get(entity)!.fields.get(key)!
  const around = tried(type, bounds)
  if (around === null) return false
  const all = [
    ...(values.get(key) ?? []),
    ...around.filter(one => isAllowed(app, entity, key, one)),
    ...(optional ? [null] : []),
  ]
  values.set(key, [...new Set(all)])
  return true
}

/** Whether the field's own bounds admit a value, where they are written as numbers. */
function isAllowed(app: App, entity: string, key: string, wire: Wire): boolean {
  const field = app.entities.get(entity)?.fields.find(one => one.key === key)
  const value = typeof wire === 'string' ? decimal.parseDecimal(wire) : null
  if (field === undefined || value === null) return true
  const bound = (of: typeof field.min) =>
    of?.root.op === 'literal' && typeof of.root.value === 'string' ? decimal.parseDecimal(of.root.value) : null
  const [min, max] = [bound(field.min), bound(field.max)]
  return (min === null || decimal.compare(value, min) >= 0) && (max === null || decimal.compare(value, max) <= 0)
}

/** What stands just below, at and just above each bound; of closed lists everything. Null: nothing can be tried. */
function tried(type: Type, bounds: readonly Wire[]): readonly Wire[] | null {
  switch (type.kind) {
    case 'choice':
      return type.options
    case 'yes/no':
      return [true, false]
    case 'integer':
    case 'decimal':
    case 'money': {
      const smallest = decimal.parseDecimal(type.kind === 'integer' ? '1' : '0.01')!
      return bounds.flatMap(bound => {
        const value = typeof bound === 'string' ? decimal.parseDecimal(bound) : null
        if (value === null) return []
        return [decimal.add(value, decimal.negate(smallest)), value, decimal.add(value, smallest)].map(one =>
          decimal.formatDecimal(one),
        )
      })
    }
    default:
      return null
  }
}
