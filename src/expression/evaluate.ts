/**
 * The JavaScript back end: what an expression gives for a record. Runs on the server and in the browser, needs neither parser
 * nor Node, and agrees with the SQL back end on every value (the differential test compares them).
 */
import { closedDays, closedDaysIn, UTC } from './calendar.ts'
import type { Checked, CheckedNode } from './checked.ts'
import { computedRoot, type Portable } from './computed.ts'
import {
  addMonths,
  boundedClock,
  calendarUnitsFit,
  type Duration,
  FIRST_MOMENT,
  LAST_DAY,
  LAST_MOMENT,
  LONGEST_CLOCK,
} from './dates.ts'
import type { Decimal } from './decimal.ts'
import * as decimal from './decimal.ts'
import { type Environment, type Given, NOT_LOADED, type NotLoaded } from './environment.ts'
import {
  aggregate,
  type EvaluationScope,
  type Found,
  type Frame,
  firstRecord,
  framesOf,
  groupsOf,
  isMember,
  isWithin,
  listOf,
  readPath,
  valuesOf,
} from './evaluate-records.ts'
import type { Expression } from './expression.ts'
import { scalarFunction } from './functions.ts'
import type { Wire } from './type.ts'
import { fromWire, order, toWire, type Value } from './values.ts'

export { type Environment, type Given, NOT_LOADED, type NotLoaded, type Search } from './environment.ts'

/** The value on the wire; a list for `lines.item.tag`. Never throws for what a document or a person can write. */
export function evaluate(
  expression: Expression | Portable,
  environment: Environment,
): Wire | readonly Wire[] | NotLoaded {
  const computed = (entity: string, field: string): Checked | null =>
    'schema' in expression
      ? computedRoot(expression.schema, entity, field)
      : (expression.computed[`${entity}.${field}`] ?? null)
  const own: Frame = { record: environment.row, up: null, complete: environment.partial !== true }
  const about = environment.this === undefined ? own : { record: environment.this, up: null, complete: true }
  const place: EvaluationScope = { environment, computed, own, about, valueAt }
  const { root } = expression
  if (root.op === 'values') {
    const values = valuesOf(root.source, root.value, null, place)
    return values === NOT_LOADED ? NOT_LOADED : values.map(value => toWire(value, root.value.type))
  }
  const value = valueAt(root, place)
  return value === NOT_LOADED ? NOT_LOADED : toWire(value, root.type)
}

interface Dated {
  readonly since: string
  readonly value: string | null
}

/** The values of a constant, the earliest first, as they stand among the constants: the same text over and over. */
let lastDated: { readonly text: Wire; readonly all: readonly Dated[] } = { text: null, all: [] }

function datedIn(text: Wire): readonly Dated[] {
  if (lastDated.text !== text)
    lastDated = { text, all: typeof text === 'string' ? (JSON.parse(text) as readonly Dated[]) : [] }
  return lastDated.all
}

function valueAt(node: Checked, place: EvaluationScope): Found {
  const { environment } = place
  switch (node.op) {
    case 'literal':
      return fromWire(node.value, node.type)
    case 'field':
      return readPath(node, place)
    case 'me':
      return environment.me
    case 'today':
    case 'now':
      return fromWire(environment[node.op], node.type)
    case 'limit':
      return fromWire(environment.limits[node.name] ?? null, node.type)
    case 'limit on':
      return limitOn(node, place)
    case 'answer':
      if (node.type.kind === 'json') return environment.answered?.(node.name) ?? null
      return fromWire(environment.answer?.(node.name) ?? null, node.type)
    case 'setting':
      return fromWire(environment.settings?.[node.name] ?? null, node.type)
    case 'and':
      return junction(node.parts, false, place)
    case 'or':
      return junction(node.parts, true, place)
    case 'not':
      return strict([node.of], place, ([of]) => !of)
    case 'negate':
      return strict([node.of], place, ([of]) => (typeof of === 'number' ? 0 - of : decimal.negate(of as Decimal)))
    case 'empty': {
      const of = valueAt(node.of, place)
      return of === NOT_LOADED ? NOT_LOADED : of === null
    }
    case 'same':
      return areSame(valueAt(node.left, place), valueAt(node.right, place))
    case 'compare':
      return strict([node.left, node.right], place, ([left, right]) => signHolds(node.sign, order(left!, right!)))
    case 'between':
      return junction(
        [
          { ...node, op: 'compare', sign: '>=', left: node.of, right: node.low },
          { ...node, op: 'compare', sign: '<=', left: node.of, right: node.high },
        ],
        false,
        place,
      )
    case 'in':
      return junction(
        node.list.map(member => ({ ...node, op: 'compare', sign: '=', left: node.of, right: member })),
        true,
        place,
      )
    case 'contains':
      return strict([node.left, node.right], place, ([left, right]) => (left as string).includes(right as string))
    case 'starts':
      return strict([node.left, node.right], place, ([left, right]) => (left as string).startsWith(right as string))
    case 'concat':
      return strict([node.left, node.right], place, ([left, right]) => `${left as string}${right as string}`)
    case 'arithmetic':
      return strict([node.left, node.right], place, ([left, right]) =>
        typeof left === 'number'
          ? reckonLength(node, left, right as number | Decimal)
          : reckon(node.sign, left as Decimal, right as Decimal),
      )
    case 'shift':
      return strict([node.left, node.right], place, ([left, right]) => shift(node, left as number, right!))
    case 'difference':
      return strict([node.left, node.right], place, ([left, right]) =>
        differenceOf(node, left as number, right as number),
      )
    case 'times':
      return strict([node.by, node.of], place, ([by, of]) => times(by as Decimal, of as number | Duration))
    case 'if': {
      const condition = valueAt(node.condition, place)
      if (condition === NOT_LOADED) return NOT_LOADED
      return valueAt(condition === true ? node.then : node.otherwise, place)
    }
    case 'call':
      return callBuiltIn(node, place)
    case 'function':
      return callFunction(node.name, node, place)
    case 'aggregate':
      return aggregated(node, place)
    case 'member':
      return isMember(node.of, node.source, place)
    case 'within':
      return isWithin(node, place)
    case 'values':
    case 'error':
      return null
  }
}

function limitOn(node: CheckedNode<'limit on'>, place: EvaluationScope): Found {
  return strict([node.day], place, ([day]) => {
    const on = toWire(day!, node.day.type) as string
    const all = datedIn(place.environment.limits[`${node.name} on`] ?? null)
    const wire = all.findLast(({ since }) => since <= on)?.value ?? null
    return fromWire(wire !== null && node.type.kind === 'yes/no' ? wire === 'true' : wire, node.type)
  })
}

function areSame(left: Found, right: Found): Found {
  if (left === NOT_LOADED || right === NOT_LOADED) return NOT_LOADED
  return left === null || right === null ? left === right : order(left, right) === 0
}

function differenceOf(node: CheckedNode<'difference'>, left: number, right: number): Value {
  const difference = left - right
  return node.left.type.kind === 'date' ? decimal.whole(difference) : difference
}

function callBuiltIn(node: CheckedNode<'call'>, place: EvaluationScope): Found {
  const entry = scalarFunction(node.name)!
  if (node.name === 'coalesce') return firstOf(node.arguments, place)
  const calendar = node.calendar ?? UTC
  const types = node.arguments.map(argument => argument.type)
  if (node.closed !== undefined)
    return strict([...node.arguments, node.closed], place, values => {
      const closed = closedDaysIn(values.at(-1) as string)
      return entry.evaluate(values.slice(0, -1), { types, calendar, closed })
    })
  const looks = calendar.week?.closed === true && entry.needs !== 'zone'
  const known = place.environment.closed
  if (looks && known === undefined) return strict(node.arguments, place, () => true) === null ? null : NOT_LOADED
  const closed = looks ? closedDays(known!) : []
  return strict(node.arguments, place, values => entry.evaluate(values, { types, calendar, closed }))
}

function aggregated(node: CheckedNode<'aggregate'>, place: EvaluationScope): Found {
  const { search } = place.environment
  if (node.source.kind === 'records' && search !== undefined) {
    const found = search(node, place.about.record)
    return found === NOT_LOADED ? NOT_LOADED : fromWire(found, node.type)
  }
  if (node.name === 'first') return firstRecord(node, place)
  if (node.name === 'list') return listOf(node, place)
  if (node.name === 'groups') return groupsOf(node, place)
  return aggregate(node.name, node.source, node.value, node.where, place)
}

/** Empty when one of the values is empty. */
function strict(
  nodes: readonly Checked[],
  place: EvaluationScope,
  reckoned: (values: readonly Value[]) => Value,
): Found {
  const values = nodes.map(node => valueAt(node, place))
  // An empty operand decides even where another is not loaded.
  if (values.includes(null)) return null
  return values.includes(NOT_LOADED) ? NOT_LOADED : reckoned(values as readonly Value[])
}

/** `and` (decided by false) and `or` (decided by true), three-valued. */
function junction(parts: readonly Checked[], decisive: boolean, place: EvaluationScope): Found {
  let result: Found = !decisive
  for (const part of parts) {
    const value = valueAt(part, place)
    if (value === decisive) return decisive
    if (value === NOT_LOADED) result = NOT_LOADED
    else if (value === null && result !== NOT_LOADED) result = null
  }
  return result
}

function firstOf(nodes: readonly Checked[], place: EvaluationScope): Found {
  for (const node of nodes) {
    const value = valueAt(node, place)
    if (value !== null) return value
  }
  return null
}

function signHolds(sign: string, compared: number): boolean {
  switch (sign) {
    case '=':
      return compared === 0
    case '!=':
      return compared !== 0
    case '<':
      return compared < 0
    case '<=':
      return compared <= 0
    case '>':
      return compared > 0
    default:
      return compared >= 0
  }
}

function reckon(sign: string, left: Decimal, right: Decimal): Decimal | null {
  switch (sign) {
    case '+':
      return decimal.add(left, right)
    case '-':
      return decimal.subtract(left, right)
    case '*':
      return decimal.multiply(left, right)
    default:
      return decimal.divide(left, right)
  }
}

/** Milliseconds, as a quotient to the nearest one; the ratio of two as any quotient. Empty beyond 4,000 years, as every duration. */
function reckonLength(node: CheckedNode<'arithmetic'>, left: number, right: number | Decimal): Value {
  if (node.sign !== '/') return boundedClock(node.sign === '+' ? left + (right as number) : left - (right as number))
  const quotient = decimal.divide(decimal.whole(left), typeof right === 'number' ? decimal.whole(right) : right)
  if (quotient === null || node.type.kind !== 'duration') return quotient
  return boundedClock(Number(decimal.round(quotient, 0).units))
}

function shift(node: CheckedNode<'shift'>, from: number, by: NonNullable<Value>): number | null {
  const sign = node.sign === '+' ? 1 : -1
  if (node.left.type.kind === 'moment') {
    const milliseconds = by as number
    const moment = from + sign * milliseconds
    return Math.abs(milliseconds) > LONGEST_CLOCK || moment < FIRST_MOMENT || moment > LAST_MOMENT ? null : moment
  }
  let day: number | null = from
  if (typeof by === 'object' && 'units' in by) {
    // Whole numbers of any size: what is too large to be exact is out of range as well.
    day += sign * Number(by.units / 10n ** BigInt(by.scale))
  } else {
    const duration = by as Duration
    if (!calendarUnitsFit(duration)) return null
    day = addMonths(from, sign * duration.months)
    if (day !== null) day += sign * duration.days
  }
  return day === null || !(day >= 0 && day <= LAST_DAY) ? null : day
}

/** To the millisecond; empty beyond 4,000 years, as every duration. */
function times(by: Decimal, of: number | Duration): number | Duration | null {
  if (typeof of === 'number') {
    // What is too large to be exact is too long as well.
    return boundedClock(Number(decimal.round(decimal.multiply(by, decimal.whole(of)), 0).units))
  }
  const number = Number(by.units / 10n ** BigInt(by.scale))
  const product = { months: of.months * number, days: of.days * number, milliseconds: 0 }
  return calendarUnitsFit(product) ? product : null
}

/** A function is asked once everything that it takes is there, and is never asked with something empty. */
function callFunction(name: string, node: CheckedNode<'function'>, place: EvaluationScope): Found {
  const written = place.environment.functions?.[name]
  const given = node.arguments.map(argument => givenAt(argument, place))
  if (given.includes(null)) return null
  if (written === undefined || given.includes(NOT_LOADED)) return NOT_LOADED
  return fromWire(written(...(given as readonly Given[])), node.type)
}

function givenAt(node: Checked, place: EvaluationScope): Given | NotLoaded {
  if (node.op === 'values' && node.type.kind === 'list') {
    const frames = framesOf(node.source, place)
    return frames === NOT_LOADED ? NOT_LOADED : frames.map(({ record }) => record)
  }
  const value = valueAt(node, place)
  if (value === NOT_LOADED) return NOT_LOADED
  if (node.type.kind !== 'reference' || value === null) return toWire(value, node.type)
  const own = place.own.record
  return own.id === value ? own : (place.environment.related(node.type.entity, value as string) ?? NOT_LOADED)
}
