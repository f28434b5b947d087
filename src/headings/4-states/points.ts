/**
 * Values of fields that are worth trying in conditions: what stands around every number, date and constant that they are compared
 * with, and of closed lists everything. So few decide, because a condition changes only at its bounds.
 */
import type { Checked } from '../../expression/checked.ts'
import { partsOf, pathsOf } from '../../expression/computed.ts'
import { dateOf, dayNumber, formatMoment, momentOf } from '../../expression/dates.ts'
import * as decimal from '../../expression/decimal.ts'
import { evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { App } from '../app.ts'
import { isUnspecified } from '../said.ts'

type Point = Readonly<Record<string, Wire>>

export interface Points {
  /** Every combination that the rules of the document allow. */
  readonly all: readonly Point[]
  /** Every bound was tried: what never held then never holds. */
  readonly complete: boolean
  readonly holds: (condition: Expression, point: Point) => boolean
  /** "amount = 1000.00, due_on = today + 1 day". */
  readonly words: (point: Point) => string
}

const mostPoints = 3000
const today = '2000-01-01'
const moment = { today, now: `${today}T00:00:00.000Z` }

/** What the constants are today, by key. */
export const limitsOf = (app: App): Record<string, Wire> =>
  Object.fromEntries(
    [...app.limits.values()].map(({ key, value }) => [key, isUnspecified(value) ? null : (value.wire as Wire)]),
  )

/** Null where a condition reads anything but fields of the record, the day and constants, or where there are too many values. */
export function pointsOf(app: App, entity: string, conditions: readonly Expression[]): Points | null {
  const nodes = conditions.flatMap(({ root }) => allOf(root))
  if (!nodes.every(node => isTried(app, entity, node))) return null
  const hasDay = nodes.some(({ op }) => op === 'today' || op === 'now')
  // A day of the calendar and today together would say something of one day only.
  if (hasDay && nodes.some(({ op, type }) => op === 'literal' && (type.kind === 'date' || type.kind === 'moment')))
    return null
  const limits = limitsOf(app)
  const keys = [...new Set(nodes.flatMap(fieldOf))]
  const typeOf = (key: string) => app.schema.get(entity)!.fields.get(key)!
  const compared = nodes.flatMap(comparedIn)
  const values = new Map<string, readonly Wire[]>(keys.map(key => [key, closedList(typeOf(key).type)]))
  const add = (key: string, bounds: readonly Wire[]) =>
    values.set(key, [...new Set([...values.get(key)!, ...bounds.flatMap(bound => around(typeOf(key).type, bound))])])
  const fieldsOf = (node: Checked) => [...new Set(allOf(node).flatMap(fieldOf))]
  for (const sides of compared)
    for (const key of sides.flatMap(bare))
      add(
        key,
        sides.filter(side => fieldsOf(side).length === 0).map(side => worthOf(side, {}, limits)),
      )
  const links = compared.filter(sides => new Set(sides.flatMap(fieldsOf)).size > 1)
  for (const key of links.flatMap(sides => sides.flatMap(fieldsOf)))
    if (values.get(key)!.length === 0) values.set(key, around(typeOf(key).type, somewhere(typeOf(key).type)))
  for (const sides of links)
    for (const side of sides) {
      const some = combined(new Map(fieldsOf(side).map(key => [key, values.get(key)!])))
      if (some === null) return null
      for (const key of sides.filter(other => other !== side).flatMap(bare))
        add(
          key,
          some.map(point => worthOf(side, point, limits)),
        )
    }
  const complete = compared.every(
    sides =>
      sides.every(side => bare(side).length === 1 || fieldsOf(side).length === 0) &&
      sides.filter(side => bare(side).length === 1).length === 1,
  )
  for (const [key, some] of values) {
    const bounded = some.filter(wire => isAllowed(app, entity, key, wire, limits))
    values.set(key, typeOf(key).optional ? [...bounded, null] : bounded)
  }
  const points = combined(values)
  if (points === null) return null
  const rules = app.rules.filter(({ entity: of, on, mustHold }) => {
    if (of !== entity || on !== null || isUnspecified(mustHold)) return false
    const read = allOf(mustHold.root)
    return read.every(node => isTried(app, entity, node)) && read.flatMap(fieldOf).every(key => values.has(key))
  })
  return {
    all: points.filter(point => rules.every(({ mustHold }) => judge(mustHold as Expression, point, limits) !== false)),
    complete,
    holds: (condition, point) => judge(condition, point, limits) === true,
    words: point =>
      Object.entries(point)
        .map(([key, value]) => `${key} = ${wordsOf(value, typeOf(key).type, hasDay)}`)
        .join(', '),
  }
}

const allOf = (node: Checked): readonly Checked[] => [node, ...partsOf(node).flatMap(allOf)]

const pure: ReadonlySet<Checked['op']> = new Set([
  'literal',
  'limit',
  'today',
  'now',
  'and',
  'or',
  'not',
  'negate',
  'compare',
  'same',
  'empty',
  'in',
  'between',
  'arithmetic',
  'shift',
  'difference',
  'times',
])

const tried: ReadonlySet<Type['kind']> = new Set(['choice', 'yes/no', 'integer', 'decimal', 'money', 'date', 'moment'])

function isTried(app: App, entity: string, node: Checked): boolean {
  if (node.op !== 'field') return pure.has(node.op)
  const { base, steps } = node.path
  const field = app.schema.get(entity)!.fields.get(steps[0]!.field)
  return (
    base === 'own' && steps.length === 1 && !steps[0]!.computed && field !== undefined && tried.has(field.type.kind)
  )
}

const fieldOf = (node: Checked): readonly string[] => (node.op === 'field' ? pathsOf(node).map(pathKey) : [])
const pathKey = ({ steps }: { readonly steps: readonly { readonly field: string }[] }): string => steps[0]!.field

/** A field that stands alone. */
const bare = (node: Checked): readonly string[] => (node.op === 'field' ? fieldOf(node) : [])

/** What is compared with each other in a node. */
function comparedIn(node: Checked): readonly (readonly Checked[])[] {
  switch (node.op) {
    case 'compare':
    case 'same':
      return [[node.left, node.right]]
    case 'between':
      return [
        [node.of, node.low],
        [node.of, node.high],
      ]
    case 'in':
      return node.list.map(one => [node.of, one])
    default:
      return []
  }
}

const closedList = (type: Type): readonly Wire[] =>
  type.kind === 'choice' ? type.options : type.kind === 'yes/no' ? [true, false] : []

/** A value to begin with, where fields are compared with nothing but each other. */
const somewhere = ({ kind }: Type): Wire => (kind === 'date' ? today : kind === 'moment' ? moment.now : '100')

/** What stands just below, at and just above a bound; nothing for closed lists. */
function around(type: Type, bound: Wire): readonly Wire[] {
  if (typeof bound !== 'string') return []
  switch (type.kind) {
    case 'integer':
    case 'decimal':
    case 'money': {
      const smallest = decimal.parseDecimal(type.kind === 'integer' ? '1' : '0.01')!
      const value = decimal.parseDecimal(bound)
      if (value === null) return []
      return [decimal.add(value, decimal.negate(smallest)), value, decimal.add(value, smallest)].map(one =>
        decimal.formatDecimal(one),
      )
    }
    case 'date': {
      const day = dayNumber(bound)
      return day === null ? [] : [day - 1, day, day + 1].flatMap(one => dateOf(one) ?? [])
    }
    case 'moment': {
      const at = momentOf(bound)
      return at === null ? [] : [at - minute, at, at + minute].flatMap(one => formatMoment(one) ?? [])
    }
    default:
      return []
  }
}

const minute = 60_000

/** Whether the field's own bounds admit a value. */
function isAllowed(app: App, entity: string, key: string, wire: Wire, limits: Record<string, Wire>): boolean {
  const field = app.entities.get(entity)?.fields.find(one => one.key === key)
  const value = typeof wire === 'string' ? decimal.parseDecimal(wire) : null
  if (field === undefined || value === null) return true
  const bound = (of: Expression | null) => {
    if (of === null || allOf(of.root).some(node => !pure.has(node.op))) return null
    const limit = worthOf(of.root, {}, limits)
    return typeof limit === 'string' ? decimal.parseDecimal(limit) : null
  }
  const [min, max] = [bound(field.min), bound(field.max)]
  return (min === null || decimal.compare(value, min) >= 0) && (max === null || decimal.compare(value, max) <= 0)
}

/** Every combination of the values; null where there are too many. */
function combined(values: ReadonlyMap<string, readonly Wire[]>): readonly Point[] | null {
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

const judge = (condition: Expression, point: Point, limits: Record<string, Wire>): unknown =>
  worthOf(condition.root, point, limits)

function worthOf(root: Checked, row: Point, limits: Record<string, Wire>): Wire {
  const portable = { type: root.type, optional: true, tier: 1 as const, root, computed: {} }
  const value = evaluate(portable, { row, old: null, me: null, my: null, ...moment, limits, related: () => undefined })
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

/** Days are told from today where the conditions are. */
function wordsOf(value: Wire, { kind }: Type, hasDay: boolean): string {
  if (!hasDay || typeof value !== 'string' || (kind !== 'date' && kind !== 'moment')) return String(value ?? 'empty')
  const far =
    kind === 'date' ? dayNumber(value)! - dayNumber(today)! : (momentOf(value)! - momentOf(moment.now)!) / minute
  if (far === 0) return kind === 'date' ? 'today' : 'now'
  const unit = `${kind === 'date' ? 'day' : 'minute'}${Math.abs(far) === 1 ? '' : 's'}`
  return `${kind === 'date' ? 'today' : 'now'} ${far < 0 ? '-' : '+'} ${Math.abs(far)} ${unit}`
}
