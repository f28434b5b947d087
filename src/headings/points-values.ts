/** Values of one field: what is tried, what bounds admit, and how they are told. */
import type { Checked } from '../expression/checked.ts'
import {
  dateOf,
  dayNumber,
  formatClock,
  formatMoment,
  momentOf,
  parseDuration,
  writtenLength,
} from '../expression/dates.ts'
import * as decimal from '../expression/decimal.ts'
import type { Expression } from '../expression/expression.ts'
import type { Type, Wire } from '../expression/type.ts'
import { fromWire, order } from '../expression/values.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { chosen, joined } from '../kinds/fields/several-of/chosen.ts'
import { codePoints } from '../kinds/fields/texts.ts'
import { counted } from './3-entities/check-rules.ts'
import type { App } from './app.ts'
import { isConstant, type Row, withInner } from './points-nodes.ts'

const today = '2000-01-01'
/** When conditions are tried. */
export const moment = { today, now: `${today}T00:00:00.000Z` }

/** Everything that a field of a closed list may hold; nothing where there is no end of it. */
export function closedList(type: Type): readonly Wire[] {
  if (type.kind === 'choice') return type.options
  if (type.kind === 'yes/no') return [true, false]
  if (type.kind !== 'choices') return []
  const { options } = type
  return Array.from({ length: 2 ** options.length - 1 }, (_, less) =>
    joined(options.filter((_, at) => (less + 1) & (1 << at))),
  )
}

/** Longer texts are not tried. */
const mostLetters = 5000

const begins: Partial<Record<Type['kind'], string>> = {
  date: today,
  moment: moment.now,
  time: '12:00',
  duration: 'PT3600S',
  integer: '100',
  decimal: '100',
  money: '100',
}

/** A value to begin with, where fields are compared with nothing but each other, or not at all. */
export const somewhere = ({ kind }: Type): Wire => begins[kind] ?? 'x'

/** Digits after the point that a value of the field may have, as far as its kind rounds to them. */
export function placesOf(app: App, entity: string, key: string): number {
  const field = app.entities.get(entity)?.fields.find(one => one.key === key)
  const third = field && fieldKind(field.kind).rounded?.(`0.${'3'.repeat(20)}`, field.parameters)
  return third?.split('.')[1]?.length ?? 0
}

/** Texts that are just shorter than a length, as long, and just longer. */
export const ofLength = (length: Wire): readonly Wire[] =>
  typeof length !== 'string' || !(Number(length) <= mostLetters)
    ? []
    : [-1, 0, 1].map(more => 'x'.repeat(Math.max(1, Math.floor(Number(length)) + more)))

/** What stands just below, at and just above a bound, by a step that people take and by the smallest; nothing for closed lists. */
export function around(type: Type, places: number, bound: Wire): readonly Wire[] {
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
    case 'time': {
      const at = momentOf(`${today}T${bound.slice(0, 5)}:00.000Z`)
      const near = at === null ? [] : [at - minute, at, at + minute].flatMap(one => formatMoment(one) ?? [])
      return near.filter(one => one.startsWith(today)).map(one => one.slice(11, 16))
    }
    case 'duration': {
      const length = parseDuration(bound)?.milliseconds
      return length === undefined ? [] : [length - minute, length, length + minute].map(formatClock)
    }
    case 'text':
      return [bound, `${bound}~`]
    default:
      return []
  }
}

const minute = 60_000

export interface Bound {
  readonly key: string
  readonly wire: string
  readonly root: Checked
  /** -1: values above it are none. */
  readonly side: 1 | -1
  readonly admits: (value: Row[string]) => boolean
}

/** Those bounds of a field that constants and the day decide. */
export function boundsOf(app: App, entity: string, key: string, worthOf: (root: Checked) => Wire): readonly Bound[] {
  const field = app.entities.get(entity)?.fields.find(one => one.key === key)
  if (field === undefined) return []
  const of = (root: Checked, wire: Wire, side: 1 | -1): readonly Bound[] => {
    if (typeof wire !== 'string') return []
    const admits = (value: Row[string]) => {
      const size = measured(field.type, value)
      return size === null || compareWires(size, wire, measure(field.type)) * side >= 0
    }
    return [{ key, wire, root, side, admits }]
  }
  const bound = (by: Expression | null, side: 1 | -1) =>
    by === null || !withInner(by.root).every(isConstant) ? [] : of(by.root, worthOf(by.root), side)
  const needsRows = field.type.kind === 'list' && field.min === null && field.required?.when === null
  const { length } = field.parameters
  const room = field.type.kind === 'text' && length !== undefined ? of(one, String(length), -1) : []
  return [...(needsRows ? of(one, '1', 1) : bound(field.min, 1)), ...bound(field.max, -1), ...room]
}

const one: Checked = { op: 'literal', value: '1', type: { kind: 'integer' }, optional: false }

/** The type of what bounds are held against. */
export const measure = (type: Type): Type => (counted.has(type.kind) ? { kind: 'integer' } : type)

/** What bounds are held against: of texts and lists it is how many characters, names or rows they have. */
export function measured({ kind }: Type, value: Row[string]): string | null {
  if (typeof value === 'object') return value === null ? null : String(value.length)
  if (typeof value === 'boolean') return null
  if (kind === 'text') return String(codePoints(value))
  return kind === 'choices' ? String(chosen(value).length) : value
}

/** Negative, zero or positive, of two values of a type that has an order; zero where one is none of it. */
export function compareWires(left: string, right: string, type: Type): number {
  const [one, other] = [fromWire(left, type), fromWire(right, type)]
  return one === null || other === null ? 0 : order(one, other)
}

/** Days are told from today where the conditions are. */
export function wordsOf(value: Row[string], { kind }: Type, hasDay: boolean): string {
  if (typeof value === 'object' && value !== null) return rowsInWords(value)
  if (kind === 'duration' && typeof value === 'string') return writtenLength(parseDuration(value)?.milliseconds ?? 0)
  if (!hasDay || typeof value !== 'string' || (kind !== 'date' && kind !== 'moment')) return String(value ?? 'empty')
  const far =
    kind === 'date' ? dayNumber(value)! - dayNumber(today)! : (momentOf(value)! - momentOf(moment.now)!) / minute
  if (far === 0) return kind === 'date' ? 'today' : 'now'
  const unit = `${kind === 'date' ? 'day' : 'minute'}${Math.abs(far) === 1 ? '' : 's'}`
  return `${kind === 'date' ? 'today' : 'now'} ${far < 0 ? '-' : '+'} ${Math.abs(far)} ${unit}`
}

/** "2 rows (of = 3; of = 4)". */
function rowsInWords(rows: readonly Row[]): string {
  const each = rows.map(row =>
    Object.entries(row)
      .map(([key, value]) => `${key} = ${value ?? 'empty'}`)
      .join(', '),
  )
  const inside = each.every(text => text === '') ? '' : ` (${[...new Set(each)].join('; ')})`
  return `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}${inside}`
}
