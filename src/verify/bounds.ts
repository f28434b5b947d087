/** What a field takes by itself: values at its bounds, and just beyond. */

import type { Cell } from '../document/source.ts'
import { compare, parseDecimal } from '../expression/decimal.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { type Asked, worth } from './judge.ts'
import { moved } from './near.ts'

export interface FieldEdge {
  readonly what: string
  readonly value: unknown
  /** The built-in code that refuses it; null: whichever says so. */
  readonly code: string | null
  readonly breaks: boolean
  /** What says so. */
  readonly cell: Cell
  /** Whether a value lies beyond this bound. */
  readonly outside?: (wire: Wire) => boolean
}

/** Rows that are made up, to be too many. */
const mostRows = 60
const longest = 5000

export function boundEdges(field: Field, environment: Asked, now: unknown): readonly FieldEdge[] {
  return [
    ...limitEdges(field, 'min', environment, now),
    ...limitEdges(field, 'max', environment, now),
    ...patternEdges(field),
    ...lengthEdges(field),
    ...strangeEdges(field),
  ]
}

const limitOf = (limit: Expression | null, environment: Asked): string | null => {
  const value = limit === null ? null : worth(limit, environment)
  return value === NOT_LOADED || typeof value !== 'string' ? null : value
}

function limitEdges(field: Field, side: 'min' | 'max', environment: Asked, now: unknown): readonly FieldEdge[] {
  const limit = limitOf(field[side], environment)
  if (limit === null) return []
  const { cell } = field[side]!
  const by = side === 'min' ? -1 : 1
  const { kind } = field.type
  if (kind === 'list') {
    const [row] = Array.isArray(now) ? now : []
    const count = Number(limit)
    if (row === undefined || typeof row !== 'object' || count > mostRows) return []
    const code = side === 'min' ? 'NF-FEW' : 'NF-MANY'
    const rows = (n: number) => Array.from({ length: Math.max(0, n) }, () => row)
    return [
      { what: `with ${count} rows`, value: rows(count), code, breaks: false, cell },
      { what: `with ${count + by} rows`, value: rows(count + by), code, breaks: count + by >= 0, cell },
    ]
  }
  if (kind === 'text') {
    const length = Number(limit)
    if (field.pattern !== null || length > longest || !takesAnything(field)) return []
    const code = side === 'min' ? 'NF-SHORT' : 'NF-LONG'
    return [length, length + by]
      .filter(n => n > 0)
      .map(n => ({ what: `with ${n} letters`, value: 'x'.repeat(n), code, breaks: n !== length, cell }))
  }
  const beyond = moved(field, limit, by)
  if (beyond === null) return []
  const code = side === 'min' ? 'NF-MIN' : 'NF-MAX'
  const json = (wire: Wire) => fieldKind(field.kind).toJson(wire, field.parameters)
  const outside = (wire: Wire) => typeof wire === 'string' && Math.sign(order(field, wire, limit)) === by
  return [
    { what: limit, value: json(limit), code, breaks: false, cell, outside },
    { what: beyond, value: json(beyond), code, breaks: true, cell },
  ]
}

function order({ type }: Field, left: string, right: string): number {
  if (type.kind === 'date' || type.kind === 'moment' || type.kind === 'time')
    return left === right ? 0 : left < right ? -1 : 1
  const [a, b] = [parseDecimal(left), parseDecimal(right)]
  return a === null || b === null ? 0 : compare(a, b)
}

/** Texts that are no value of the pattern. */
const strange = ['!', 'x', '0', 'X0!', '????']

function patternEdges({ pattern, parameters }: Field): readonly FieldEdge[] {
  if (pattern === null) return []
  const known = new RegExp(`^(?:${pattern.source})$`, 'u')
  const text = strange.find(one => !known.test(one) && one.length <= (parameters.length ?? one.length))
  return text === undefined
    ? []
    : [{ what: `'${text}'`, value: text, code: 'NF-PATTERN', breaks: true, cell: pattern.cell }]
}

function lengthEdges(field: Field): readonly FieldEdge[] {
  const { length } = field.parameters
  if (field.type.kind !== 'text' || length === undefined || length > longest || field.max !== null) return []
  if (field.pattern !== null || !takesAnything(field)) return []
  return [length, length + 1].map(n => ({
    what: `with ${n} letters`,
    value: 'x'.repeat(n),
    code: null,
    breaks: n > length,
    cell: field.typeCell,
  }))
}

/** Types of which a few letters are no value. */
const strict = /^(?:integer|decimal|money|date|date and time|time|duration|yes\/no|choice|percent|e-mail|link)$/
const strangeValue = 'zz'

function strangeEdges({ kind, type, typeCell, readOnly }: Field): readonly FieldEdge[] {
  if (!(strict.test(kind) || type.kind === 'reference') || readOnly?.after === 'always') return []
  return [{ what: `'${strangeValue}'`, value: strangeValue, code: null, breaks: true, cell: typeCell }]
}

/** Any letters are a value of it. */
const takesAnything = ({ kind, parameters }: Field): boolean =>
  fieldKind(kind).sealed !== true && 'value' in fieldKind(kind).fromJson('x', parameters)
