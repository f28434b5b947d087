/** Values while JavaScript reckons with them, and how they come from and go to the wire. */

import { isVaried, placesIn, withoutCode } from './currency.ts'
import { type Duration, dateOf, dayNumber, formatClock, formatMoment, momentOf, parseDuration } from './dates.ts'
import { add, compare, type Decimal, formatDecimal, parseDecimal } from './decimal.ts'
import type { Type, Wire } from './type.ts'

/**
 * Numbers and money are decimals; dates day numbers; moments and clock durations milliseconds; calendar durations months and
 * days; all else as on the wire. Null is empty.
 */
export type Value = null | boolean | string | number | Decimal | Duration

/** A wire value of this type. What cannot be read as one is empty: rows and forms were checked before. */
export function fromWire(wire: Wire, type: Type): Value {
  if (wire === null || wire === '') return null
  if (typeof wire === 'boolean') return wire
  switch (type.kind) {
    case 'integer':
    case 'decimal':
      return parseDecimal(wire)
    case 'money':
      return parseDecimal(isVaried(type) ? withoutCode(wire) : wire)
    case 'date':
      return dayNumber(wire)
    case 'moment':
      return momentOf(wire)
    case 'time':
      return wire.slice(0, 5)
    case 'duration': {
      const duration = parseDuration(wire)
      return duration === null || type.of === 'calendar' ? duration : duration.milliseconds
    }
    default:
      return wire
  }
}

/** A JavaScript value as it is stored and sent; the inverse of `fromWire`. */
export function toWire(value: Value, type: Type): Wire {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') {
    if (type.kind === 'date') return dateOf(value)
    return type.kind === 'duration' ? formatClock(value) : formatMoment(value)
  }
  if ('units' in value) return formatDecimal(value, type.kind === 'money' ? placesIn(type) : 0)
  return `P${value.months}M${value.days}D`
}

/** Numbers, amounts or lengths of time, added up; null: there is none. */
export function addedUp(wires: readonly string[], type: Type): string | null {
  const values = wires.map(wire => fromWire(wire, type)).filter(value => value !== null)
  if (values.length === 0) return null
  if (type.kind === 'duration') return formatClock((values as number[]).reduce((all, one) => all + one))
  const sum = (values as Decimal[]).reduce(add)
  return formatDecimal(sum, sum.scale)
}

/** Order of two values of one type; for those without an order only zero or not zero says something. */
export function order(left: NonNullable<Value>, right: NonNullable<Value>): number {
  if (typeof left === 'object' && typeof right === 'object') {
    if ('units' in left && 'units' in right) return compare(left, right)
    return JSON.stringify(left) === JSON.stringify(right) ? 0 : 1
  }
  return left === right ? 0 : left < right ? -1 : 1
}
