/**
 * A condition as filters of a list's address. Only what the address says exactly: read back, it must mean the same, or it is not
 * said at all.
 */
import type { Checked } from '../../expression/checked.ts'
import { compare, parseDecimal } from '../../expression/decimal.ts'
import { type Environment, evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Wire } from '../../expression/type.ts'
import type { Grouping } from '../../headings/2-screens/model.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { beginningOf } from '../fields/dates.ts'
import type { Comparison } from '../fields/field-kind.ts'
import { periodAfter, periods } from './periods.ts'
import { type Filterable, filterableFields, readQuery, relatedFields, writtenName } from './query.ts'
import type { Address, Filter, Span } from './screen-kind.ts'

type Filters = readonly Filter[]
type Place = Pick<Filter, 'field' | 'via'>

/** The records for which it is true. Null: filters cannot say it. */
export function filtersOf(expression: Expression, environment: Environment): Filters | null {
  const { root } = expression
  const constant = (node: Checked): string | boolean | null => {
    const value = isClosed(node) ? evaluate({ ...expression, root: node }, environment) : null
    return typeof value === 'string' || typeof value === 'boolean' ? value : null
  }
  const one = (of: Checked, comparison: Comparison, value: Wire | readonly Wire[]): Filters | null => {
    const place = placeOf(of)
    return place === null || value === null ? null : [{ ...place, comparison, value }]
  }

  const compared = (left: Checked, sign: string, right: Checked): Filters | null => {
    if (placeOf(left) === null && placeOf(right) !== null) return compared(right, mirrored[sign] ?? sign, left)
    const value = constant(right)
    if (value === null) return null
    const whole = left.type.kind === 'integer' && right.type.kind === 'integer' ? BigInt(String(value)) : null
    const bounded = (comparison: Comparison): Filters | null =>
      one(left, comparison, value)?.map(filter =>
        right.op === 'today' ? { ...filter, relative: 'today' as const } : filter,
      ) ?? null
    switch (sign) {
      case '=':
        return bounded('is')
      // What is empty is not this either, says the filter; of a field that may be empty the document says itself what then holds.
      case '!=':
        return bounded('is not')
      case '<':
        return whole === null ? bounded('before') : one(left, 'at most', String(whole - 1n))
      case '>':
        return whole === null ? bounded('after') : one(left, 'at least', String(whole + 1n))
      case '<=':
        return bounded('at most')
      default:
        return bounded('at least')
    }
  }

  const among = (of: Checked, list: readonly Checked[]): Filters | null => {
    const values = list.flatMap(part => constant(part) ?? [])
    if (values.length < list.length) return null
    return values.length === 1 ? one(of, 'is', values[0]!) : one(of, 'any of', values)
  }

  /** The others of a closed list; what is empty is none of them. */
  const others = (of: Checked, list: readonly Checked[]): Filters | null => {
    const values = list.flatMap(part => constant(part) ?? [])
    if (of.type.kind !== 'choice' || values.length < list.length) return null
    const rest = of.type.options.filter(option => !values.includes(option))
    return rest.length === 1 ? one(of, 'is', rest[0]!) : one(of, 'any of', rest)
  }

  const negated = (of: Checked): Filters | null => {
    switch (of.op) {
      case 'empty':
        return one(of.of, 'is empty', false)
      case 'in':
        return others(of.of, of.list)
      case 'same': {
        const value = constant(of.right)
        return value === null ? null : one(of.left, 'is not', value)
      }
      case 'field':
        return one(of, 'is', false)
      default:
        return null
    }
  }

  const said = (node: Checked): Filters | null => {
    switch (node.op) {
      case 'literal':
        return node.value === true ? [] : null
      case 'and':
        return node.parts.map(said).reduce(both, [])
      case 'or':
        return node.parts.map(said).reduce<Filters | null>(either, [])
      case 'not':
        return negated(node.of)
      case 'field':
        return one(node, 'is', true)
      case 'empty':
        return one(node.of, 'is empty', true)
      case 'compare':
        return compared(node.left, node.sign, node.right)
      case 'same':
        return compared(node.left, '=', node.right)
      case 'in':
        return among(node.of, node.list)
      case 'between':
        return both(compared(node.of, '>=', node.low), compared(node.of, '<=', node.high))
      default:
        return null
    }
  }
  return said(root)
}

const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

/** Both have to hold. There is one choice between groups in an address, not two. */
const both = (left: Filters | null, right: Filters | null): Filters | null =>
  left === null || right === null || (left.some(isGrouped) && right.some(isGrouped)) ? null : [...left, ...right]

/** One more way in which it may hold. */
const either = (sofar: Filters | null, next: Filters | null, index: number): Filters | null =>
  sofar === null || next === null || next.length === 0 || next.some(isGrouped)
    ? null
    : [...sofar, ...next.map(filter => ({ ...filter, group: index + 1 }))]

const isGrouped = ({ group }: Filter): boolean => group !== undefined

/** A field of the record, or of a record that it names. */
function placeOf(node: Checked): Place | null {
  if (node.op !== 'field' || node.path.base !== 'own') return null
  const [first, second, third] = node.path.steps
  if (first === undefined || third !== undefined) return null
  return second === undefined ? { field: first.field } : { via: first.field, field: second.field }
}

/** It needs no record: the same whichever is looked at. */
function isClosed(node: Checked): boolean {
  switch (node.op) {
    case 'literal':
    case 'me':
    case 'today':
    case 'limit':
      return true
    case 'negate':
      return isClosed(node.of)
    case 'arithmetic':
    case 'shift':
    case 'concat':
      return isClosed(node.left) && isClosed(node.right)
    case 'times':
      return isClosed(node.by) && isClosed(node.of)
    default:
      return false
  }
}

/** The records of one group of a figure. `zone`: in which its days begin. Null: filters cannot say it. */
export function groupFilters({ unit, value }: Grouping, key: Wire, zone: string): Filters | null {
  const place = placeOf(value.root)
  if (place === null) return null
  if (key === null) return place.via === undefined ? [{ ...place, comparison: 'is empty', value: true }] : null
  if (unit === null) return [{ ...place, comparison: 'is', value: key }]
  const next = periods.includes(unit) ? periodAfter(unit, String(key)) : null
  if (next === null) return null
  const begin = (day: string) => (value.type.kind === 'moment' ? beginningOf(day, zone) : day)
  return [
    { ...place, comparison: 'at least', value: begin(String(key)) },
    { ...place, comparison: 'before', value: begin(next) },
  ]
}

/** The records of these days. Null: filters cannot say it. */
export function spanFilters({ value, from, to }: Span): Filters | null {
  const place = placeOf(value.root)
  return place === null
    ? null
    : [
        { ...place, comparison: 'at least', value: from },
        { ...place, comparison: 'before', value: to },
      ]
}

/** What they say together; null: one of them cannot be said. */
export const together = (...all: readonly (Filters | null)[]): Filters | null =>
  all.reduce((before, more) => (before === null || more === null ? null : narrowed(before, more)), [])

/** What both say of the same field said once, where one of them says it for both. */
export function narrowed(filters: Filters, more: Filters): Filters {
  const isSame = (left: Filter, right: Filter) =>
    left.field === right.field && left.via === right.via && !isGrouped(left) && !isGrouped(right)
  const saysLess = (filter: Filter) =>
    more.some(
      other =>
        isSame(filter, other) &&
        ((other.comparison === 'is' && [filter.value].flat().includes(other.value as Wire) && isNamed(filter)) ||
          isWider(filter, other)),
    )
  const kept = filters.filter(filter => !saysLess(filter))
  return [...kept, ...more.filter(filter => !kept.some(other => isSame(other, filter) && isWider(filter, other)))]
}

const isNamed = ({ comparison }: Filter): boolean => comparison === 'is' || comparison === 'any of'

/** A bound in days or moments that the other one is inside of, or the same. */
const isWider = (wide: Filter, narrow: Filter): boolean =>
  wide.comparison === narrow.comparison &&
  ((wide.comparison === 'at least' && String(wide.value) <= String(narrow.value)) ||
    (wide.comparison === 'before' && String(wide.value) >= String(narrow.value)))

/** As the query string of a list of the entity. Null: not every filter can be said there, or not to this person. */
export function saidQuery(entity: Entity, app: App, filters: Filters, address: Address): URLSearchParams | null {
  const query = new URLSearchParams()
  const fields = filterableFields(entity, app)
  for (const filter of filters) {
    const own = fields.get(filter.via ?? filter.field)
    const of = own === undefined || filter.via === undefined ? own : relatedFields(own, app).get(filter.field)
    const name = of === undefined ? null : writtenName(filter, of)
    if (of === undefined || name === null || query.has(name)) return null
    for (const value of [filter.value].flat() as readonly Wire[])
      query.append(name, filter.relative ?? written(value, filter.comparison, of, address))
  }
  const { filters: read, ignored } = readQuery(entity, app, { ...address, query }, [])
  const isSaid =
    ignored.length === 0 && read.length === filters.length && read.every((one, at) => same(one, filters[at]!))
  return isSaid ? query : null
}

const written = (value: Wire, comparison: Comparison, { kind, parameters }: Filterable, address: Address): string =>
  comparison === 'is empty'
    ? value === true
      ? 'yes'
      : 'no'
    : kind.input(value, parameters, address.locale, address.zone)

function same(left: Filter, right: Filter): boolean {
  const [values, others] = [[left.value].flat(), [right.value].flat()]
  return (
    left.field === right.field &&
    left.via === right.via &&
    left.group === right.group &&
    left.comparison === right.comparison &&
    values.length === others.length &&
    values.every((value, at) => isEqual(value as Wire, others[at] as Wire))
  )
}

/** `100` and `100.00` are the same number. */
function isEqual(left: Wire, right: Wire): boolean {
  if (left === right) return true
  const [one, other] = [parseDecimal(String(left)), parseDecimal(String(right))]
  return one !== null && other !== null && compare(one, other) === 0
}
