/**
 * Values of fields that are worth trying in conditions: what stands around every number, date and constant that they are compared
 * with, and of closed lists everything. So few decide, because a condition changes only at its bounds.
 */
import type { Checked } from '../expression/checked.ts'
import { partsOf, pathsOf } from '../expression/computed.ts'
import { dateOf, dayNumber, formatMoment, momentOf } from '../expression/dates.ts'
import * as decimal from '../expression/decimal.ts'
import { evaluate } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { Type, Wire } from '../expression/type.ts'
import { fromWire, order } from '../expression/values.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import type { App } from './app.ts'
import { isUnspecified } from './specified.ts'

type Point = Readonly<Record<string, Wire>>

export interface Points {
  /** Every combination that the rules of the document allow. */
  readonly all: readonly Point[]
  /** Every bound was tried: what never held then never holds. */
  readonly complete: boolean
  /** No constant that decides can change. */
  readonly settled: boolean
  readonly holds: (condition: Expression, point: Point) => boolean
  /** As a rule that refuses: what is unknown passes. */
  readonly fails: (condition: Expression, point: Point) => boolean
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

/** What the values are held against beside the conditions. */
interface Against {
  /** `min`, `max` and `from … to …` of the fields. */
  readonly bounds: boolean
  /** Rules that refuse, over the same fields. */
  readonly rules: readonly Expression[]
}

/** Rules of heading 5 that hold of every record. */
export const alwaysHeld = (app: App, entity: string): readonly Expression[] =>
  app.rules.flatMap(({ entity: of, on, warns, mustHold }) =>
    of !== entity || on !== null || warns || isUnspecified(mustHold) ? [] : [mustHold],
  )

/** Null where a condition reads anything but fields of the record, the day and constants, or where there are too many values. */
export function pointsOf(
  app: App,
  entity: string,
  conditions: readonly Expression[],
  against: Against = { bounds: true, rules: alwaysHeld(app, entity) },
): Points | null {
  const asked = conditions.flatMap(({ root }) => allOf(root))
  if (!asked.every(node => isTried(app, entity, node)) || mixesDays(asked)) return null
  const keys = [...new Set(asked.flatMap(fieldOf))]
  const fit = against.rules.filter(({ root }) => {
    const read = allOf(root)
    return read.every(node => isTried(app, entity, node)) && read.flatMap(fieldOf).every(key => keys.includes(key))
  })
  const rules = mixesDays([...asked, ...fit.flatMap(({ root }) => allOf(root))]) ? [] : fit
  const nodes = [...asked, ...rules.flatMap(({ root }) => allOf(root))]
  const hasDay = nodes.some(isDay)
  const limits = limitsOf(app)
  const typeOf = (key: string) => app.schema.get(entity)!.fields.get(key)!
  const bounds = against.bounds ? keys.flatMap(key => boundsOf(app, entity, key, limits)) : []
  const compared = nodes.flatMap(comparedIn)
  const values = new Map<string, readonly Wire[]>(keys.map(key => [key, closedList(typeOf(key).type)]))
  const tryAround = (key: string, wires: readonly Wire[]) => {
    const near = wires.flatMap(wire => around(typeOf(key).type, placesOf(app, entity, key), wire))
    values.set(key, [...new Set([...values.get(key)!, ...near])])
  }
  const fieldsOf = (node: Checked) => [...new Set(allOf(node).flatMap(fieldOf))]
  for (const sides of compared)
    for (const key of sides.flatMap(bare))
      tryAround(
        key,
        sides.filter(side => fieldsOf(side).length === 0).map(side => worthOf(side, {}, limits)),
      )
  for (const { key, wire } of bounds) tryAround(key, [wire])
  const links = compared.filter(sides => new Set(sides.flatMap(fieldsOf)).size > 1)
  for (const key of links.flatMap(sides => sides.flatMap(fieldsOf)))
    if (values.get(key)!.length === 0) tryAround(key, [somewhere(typeOf(key).type)])
  for (const sides of links)
    for (const side of sides) {
      const some = combined(new Map(fieldsOf(side).map(key => [key, values.get(key)!])))
      if (some === null) return null
      for (const key of sides.filter(other => other !== side).flatMap(bare))
        tryAround(
          key,
          some.map(point => worthOf(side, point, limits)),
        )
    }
  for (const [key, some] of values) {
    const bounded = some.filter(wire => bounds.every(bound => bound.key !== key || bound.admits(wire)))
    values.set(key, typeOf(key).optional ? [...bounded, null] : bounded)
  }
  const points = combined(values)
  if (points === null) return null
  return {
    all: points.filter(point => rules.every(rule => judge(rule, point, limits) !== false)),
    complete: compared.every(
      sides =>
        sides.every(side => bare(side).length === 1 || fieldsOf(side).length === 0) &&
        sides.filter(side => bare(side).length === 1).length === 1,
    ),
    settled: [...nodes, ...bounds.flatMap(({ root }) => allOf(root))].every(node => isSettled(app, node)),
    holds: (condition, point) => judge(condition, point, limits) === true,
    fails: (condition, point) => judge(condition, point, limits) === false,
    words: point =>
      Object.entries(point)
        .map(([key, value]) => `${key} = ${wordsOf(value, typeOf(key).type, hasDay)}`)
        .join(', '),
  }
}

const isDay = ({ op }: Checked): boolean => op === 'today' || op === 'now'

/** A day of the calendar and today together would say something of one day only. */
const mixesDays = (nodes: readonly Checked[]): boolean =>
  nodes.some(isDay) &&
  nodes.some(({ op, type }) => op === 'literal' && (type.kind === 'date' || type.kind === 'moment'))

/** It is no constant that people may change, or that has another value later. */
function isSettled(app: App, node: Checked): boolean {
  if (node.op !== 'limit' && node.op !== 'limit on') return true
  const limit = app.limits.get(node.name)
  return limit !== undefined && !isUnspecified(limit.value) && limit.change === 'fixed' && limit.later.length === 0
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

/** Digits after the point that a value of the field may have, as far as its kind rounds to them. */
function placesOf(app: App, entity: string, key: string): number {
  const field = app.entities.get(entity)?.fields.find(one => one.key === key)
  const third = field && fieldKind(field.kind).rounded?.(`0.${'3'.repeat(20)}`, field.parameters)
  return third?.split('.')[1]?.length ?? 0
}

/** What stands just below, at and just above a bound, by a step that people take and by the smallest; nothing for closed lists. */
function around(type: Type, places: number, bound: Wire): readonly Wire[] {
  if (typeof bound !== 'string') return []
  switch (type.kind) {
    case 'integer':
    case 'decimal':
    case 'money': {
      const value = decimal.parseDecimal(bound)
      if (value === null) return []
      const sizes = type.kind === 'integer' ? [0] : places > 2 ? [2, places] : [2]
      const steps = sizes.map(scale => ({ units: 1n, scale }))
      return [
        value,
        ...steps.flatMap(step => [decimal.add(value, decimal.negate(step)), decimal.add(value, step)]),
      ].map(one => decimal.formatDecimal(one))
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

interface Bound {
  readonly key: string
  readonly wire: string
  readonly root: Checked
  readonly admits: (wire: Wire) => boolean
}

/** Those bounds of a field that constants and the day decide. */
function boundsOf(app: App, entity: string, key: string, limits: Record<string, Wire>): readonly Bound[] {
  const field = app.entities.get(entity)?.fields.find(one => one.key === key)
  if (field === undefined) return []
  const bound = (of: Expression | null, sign: 1 | -1): readonly Bound[] => {
    if (of === null || allOf(of.root).some(node => !pure.has(node.op))) return []
    const wire = worthOf(of.root, {}, limits)
    if (typeof wire !== 'string') return []
    const admits = (given: Wire) => typeof given !== 'string' || compareWires(given, wire, field.type) * sign >= 0
    return [{ key, wire, root: of.root, admits }]
  }
  return [...bound(field.min, 1), ...bound(field.max, -1)]
}

/** What an expression is worth where constants alone decide, which nobody can change; null for all others. */
export function fixedWorth(app: App, { root }: Expression): Wire {
  const isFixed = allOf(root).every(node => pure.has(node.op) && !isDay(node) && isSettled(app, node))
  return isFixed ? worthOf(root, {}, limitsOf(app)) : null
}

/** Negative, zero or positive, of two values of a type that has an order; zero where one is none of it. */
export function compareWires(left: string, right: string, type: Type): number {
  const [one, other] = [fromWire(left, type), fromWire(right, type)]
  return one === null || other === null ? 0 : order(one, other)
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
