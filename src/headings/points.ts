/**
 * Values of fields that are worth trying in conditions: what stands around every number, date and constant that they are compared
 * with, of closed lists everything, and of rows as many of each kind as their conditions tell apart. So few decide, because a
 * condition changes only at its bounds.
 */
import type { Checked } from '../expression/checked.ts'
import { evaluate } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { Wire } from '../expression/type.ts'
import { counted } from './3-entities/check-rules.ts'
import type { App } from './app.ts'
import {
  aggregatesIn,
  allOf,
  comparedIn,
  fieldOf,
  figure,
  isConstant,
  isTried,
  lengthOf,
  type Row,
  rowConditionsOf,
  type Tried,
  withInner,
} from './points-nodes.ts'
import { rowsWorthTrying } from './points-rows.ts'
import {
  around,
  type Bound,
  boundsOf,
  closedList,
  moment,
  ofLength,
  placesOf,
  somewhere,
  wordsOf,
} from './points-values.ts'
import { isUnspecified } from './specified.ts'

export type Point = Row

export interface Points {
  /** Every combination that the rules of the document allow. */
  readonly all: readonly Point[]
  /** Every bound was tried: what never held then never holds. */
  readonly complete: boolean
  /** No constant that decides can change. */
  readonly settled: boolean
  readonly holds: (condition: Tried, point: Point) => boolean
  /** As a rule that refuses: what is unknown passes. */
  readonly fails: (condition: Tried, point: Point) => boolean
  /** "amount = 1000.00, due_on = today + 1 day". */
  readonly words: (point: Point) => string
}

const mostPoints = 3000

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
  readonly rules: readonly Tried[]
  /** The states that the record may be in; absent: any. */
  readonly states?: readonly string[]
}

/** Rules of heading 5 that hold of every record. */
export const alwaysHeld = (app: App, entity: string): readonly Expression[] =>
  app.rules.flatMap(({ entity: of, on, warns, mustHold }) =>
    of !== entity || on !== null || warns || isUnspecified(mustHold) ? [] : [mustHold],
  )

/** Null where a condition reads anything but fields of the record, its rows, the day and constants, or where there are too many values. */
export function pointsOf(
  app: App,
  entity: string,
  conditions: readonly Tried[],
  against: Against = { bounds: true, rules: alwaysHeld(app, entity) },
): Points | null {
  if (!conditions.every(({ root }) => isTried(app, entity, root))) return null
  const asked = conditions.flatMap(({ root }) => allOf(root))
  if (mixesDays(conditions)) return null
  const keys = [...new Set(asked.flatMap(fieldOf))]
  const fit = against.rules.filter(
    ({ root }) =>
      isTried(app, entity, root) &&
      allOf(root)
        .flatMap(fieldOf)
        .every(key => keys.includes(key)),
  )
  const rules = mixesDays([...conditions, ...fit]) ? [] : fit
  const nodes = [...asked, ...rules.flatMap(({ root }) => allOf(root))]
  const hasDay = nodes.flatMap(withInner).some(isDay)
  const limits = limitsOf(app)
  const typeOf = (key: string) => app.schema.get(entity)!.fields.get(key)!.type
  const bounds = against.bounds
    ? keys.flatMap(key => boundsOf(app, entity, key, root => worthOf(root, {}, limits)))
    : []
  const compared = nodes.flatMap(comparedIn)
  const constantsBeside = (sides: readonly Checked[]) =>
    sides.filter(side => fieldsOf(side).length === 0).map(side => worthOf(side, {}, limits))
  const numbersBeside = (key: string) =>
    compared.filter(sides => sides.some(side => fieldOf(side).includes(key))).flatMap(constantsBeside)
  const lists = listsOf(app, nodes, numbersBeside, bounds, against)
  if (lists === null) return null
  const trials = trialsOf(app, entity, keys, key => (key === 'state' ? against.states : lists.values.get(key)))
  for (const sides of compared) {
    for (const key of sides.flatMap(bare)) trials.putNear(key, constantsBeside(sides))
    for (const key of sides.flatMap(lengthOf)) trials.put(key, constantsBeside(sides).flatMap(ofLength))
  }
  for (const { key, wire } of bounds) {
    const { kind } = typeOf(key)
    if (kind === 'text') trials.put(key, ofLength(wire))
    else if (!counted.has(kind)) trials.putNear(key, [wire])
  }
  trials.begin()
  if (!putWhatEquals(compared, trials, limits)) return null
  const values = new Map(
    [...trials.values].map(([key, some]) => {
      const bounded = some.filter(value => boundsFor(bounds, key).every(bound => bound.admits(value)))
      return [key, mayBeEmpty(app, entity, key) ? [...bounded, null] : bounded]
    }),
  )
  const points = combined(values)
  if (points === null) return null
  return {
    all: points.filter(point => rules.every(rule => judge(rule, point, limits) !== false)),
    complete:
      lists.complete &&
      compared.every(
        sides =>
          sides.every(side => figure(side).length === 1 || fieldsOf(side).length === 0) &&
          sides.filter(side => figure(side).length === 1).length === 1,
      ),
    settled:
      lists.settled && [...nodes, ...bounds.flatMap(({ root }) => allOf(root))].every(node => isSettled(app, node)),
    holds: (condition, point) => judge(condition, point, limits) === true,
    fails: (condition, point) => judge(condition, point, limits) === false,
    words: point =>
      Object.entries(point)
        .map(([key, value]) => `${key} = ${wordsOf(value, typeOf(key), hasDay)}`)
        .join(', '),
  }
}

/** The values of each field that are tried. */
interface Trials {
  readonly values: ReadonlyMap<string, readonly Row[string][]>
  readonly put: (key: string, more: readonly Wire[]) => void
  /** These, and those next to them. */
  readonly putNear: (key: string, wires: readonly Wire[]) => void
  /** Gives a value to each field that has none yet. */
  readonly begin: () => void
}

function trialsOf(
  app: App,
  entity: string,
  keys: readonly string[],
  known: (key: string) => readonly Row[string][] | undefined,
): Trials {
  const typeOf = (key: string) => app.schema.get(entity)!.fields.get(key)!.type
  const values = new Map(keys.map(key => [key, known(key) ?? closedList(typeOf(key))]))
  const put = (key: string, more: readonly Wire[]): void => {
    values.set(key, [...new Set([...values.get(key)!, ...more])])
  }
  const near = (key: string, wires: readonly Wire[]) =>
    wires.flatMap(wire => around(typeOf(key), placesOf(app, entity, key), wire))
  return {
    values,
    put,
    putNear: (key, wires) => put(key, near(key, wires)),
    begin() {
      for (const [key, some] of values) {
        if (some.length > 0) continue
        const begun = somewhere(typeOf(key))
        const beside = near(key, [begun])
        put(key, beside.length === 0 ? [begun] : beside)
      }
    },
  }
}

/** Where two fields are compared, what either is worth is tried for the other. False where there are too many. */
function putWhatEquals(
  compared: readonly (readonly Checked[])[],
  trials: Trials,
  limits: ReturnType<typeof limitsOf>,
): boolean {
  const links = compared.filter(sides => new Set(sides.flatMap(fieldsOf)).size > 1)
  for (const sides of links)
    for (const side of sides) {
      const some = combined(new Map(fieldsOf(side).map(key => [key, trials.values.get(key)!])))
      if (some === null) return false
      const worth = some.map(point => worthOf(side, point, limits))
      for (const key of sides.filter(other => other !== side).flatMap(bare)) trials.putNear(key, worth)
    }
  return true
}

/** Of each list whose rows are asked of: those worth trying. Null where there are too many, or where what is asked of rows cannot be tried. */
function listsOf(
  app: App,
  nodes: readonly Checked[],
  numbersBeside: (key: string) => readonly Wire[],
  bounds: readonly Bound[],
  against: Against,
) {
  const values = new Map<string, readonly (readonly Row[])[]>()
  let [complete, settled] = [true, true]
  for (const [key, aggregates] of aggregatesIn(nodes)) {
    const inside = aggregates.flatMap(rowConditionsOf)
    const within = against.bounds ? undefined : { bounds: false, rules: [] }
    const rows = pointsOf(app, aggregates[0]!.source.entity, inside, within)
    if (rows === null) return null
    const own = boundsFor(bounds, key)
    const lists = rowsWorthTrying(rows, inside, aggregates.length, numbersBeside(key), own, mostPoints)
    if (lists === null) return null
    complete &&= rows.complete
    settled &&= rows.settled
    values.set(key, lists)
  }
  return { values, complete, settled }
}

const fieldsOf = (node: Checked): readonly string[] => [...new Set(allOf(node).flatMap(fieldOf))]

const boundsFor = (bounds: readonly Bound[], of: string): readonly Bound[] => bounds.filter(({ key }) => key === of)

/** What steps and calls fill is empty before they did. */
function mayBeEmpty(app: App, entity: string, key: string): boolean {
  const { optional, type } = app.schema.get(entity)!.fields.get(key)!
  const field = app.entities.get(entity)!.fields.find(one => one.key === key)
  return type.kind !== 'list' && (optional || (field !== undefined && field.setBy !== null))
}

const isDay = ({ op }: Checked): boolean => op === 'today' || op === 'now'

/** A day of the calendar and today together would say something of one day only. */
function mixesDays(conditions: readonly Tried[]): boolean {
  const nodes = conditions.flatMap(({ root }) => withInner(root))
  return (
    nodes.some(isDay) &&
    nodes.some(({ op, type }) => op === 'literal' && (type.kind === 'date' || type.kind === 'moment'))
  )
}

/** It is no constant that people may change, or that has another value later. */
function isSettled(app: App, node: Checked): boolean {
  if (node.op !== 'limit' && node.op !== 'limit on') return true
  const limit = app.limits.get(node.name)
  return limit !== undefined && !isUnspecified(limit.value) && limit.change === 'fixed' && limit.later.length === 0
}

/** A field that stands alone. */
const bare = (node: Checked): readonly string[] => (node.op === 'field' ? fieldOf(node) : [])

/** What an expression is worth where constants alone decide, which nobody can change; null for all others. */
export function fixedWorth(app: App, { root }: Expression): Wire {
  const isFixed = withInner(root).every(node => isConstant(node) && !isDay(node) && isSettled(app, node))
  return isFixed ? worthOf(root, {}, limitsOf(app)) : null
}

/** Every combination of the values; null where there are too many. */
function combined(values: ReadonlyMap<string, readonly Row[string][]>): readonly Point[] | null {
  const count = [...values.values()].reduce((all, some) => all * some.length, 1)
  if (count > mostPoints) return null
  return Array.from({ length: count }, (_, point) => {
    const row: Record<string, Row[string]> = {}
    let rest = point
    for (const [key, all] of values) {
      row[key] = all[rest % all.length]!
      rest = Math.floor(rest / all.length)
    }
    return row
  })
}

const judge = (condition: Tried, point: Point, limits: Record<string, Wire>): unknown =>
  worthOf(condition.root, point, limits)

function worthOf(root: Checked, row: Point, limits: Record<string, Wire>): Wire {
  const portable = { type: root.type, optional: true, tier: 1 as const, root, computed: {} }
  const value = evaluate(portable, { row, old: null, me: null, my: null, ...moment, limits, related: () => undefined })
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
