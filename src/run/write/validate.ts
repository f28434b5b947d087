/**
 * Field rules (heading 3) and validation rules (heading 5) over wire values, as pure functions: the same code runs in the
 * browser, with portable expressions, and on the server. What needs records that are not at hand is left to the server.
 */

import type { Portable } from '../../expression/computed.ts'
import { currencyPlaces, withoutCode } from '../../expression/currency.ts'
import { compare, formatDecimal, parseDecimal, round } from '../../expression/decimal.ts'
import { type Environment, evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { fromWire, order } from '../../expression/values.ts'
import { matches } from '../../headings/3-entities/matching.ts'
import { heldFile, waiting } from '../../kinds/fields/file/held.ts'
import { mediaOf, typeName } from '../../kinds/fields/file/types.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import { chosen } from '../../kinds/fields/several-of/chosen.ts'

/** The rules of a field that has a value. `Field` of heading 3 is one; the browser gets the same as plain data. */
export interface FieldRules {
  readonly type: Type
  readonly required: { readonly when: Expression | Portable | null } | null
  readonly min: Expression | Portable | null
  readonly max: Expression | Portable | null
  readonly pattern: { readonly source: string; readonly shown: string } | null
  /** Of an amount whose currency another field says. */
  readonly currency: Expression | Portable | null
  readonly onlyWhen: Expression | Portable | null
  readonly readOnlyWhen: Expression | Portable | null
  readonly types: { readonly names: readonly string[] } | null
  readonly most: { readonly bytes: number; readonly shown: string } | null
}

/** A rule that does not hold; everything beside the code fills the message. */
export type Broken =
  | { readonly code: 'NF-REQUIRED' }
  | { readonly code: 'NF-MIN' | 'NF-MAX'; readonly limit: Wire; readonly value: Wire }
  | { readonly code: 'NF-SHORT' | 'NF-LONG'; readonly limit: Wire; readonly found: string }
  | { readonly code: 'NF-PATTERN'; readonly pattern: string }
  | BrokenDecimals
  | BrokenCount
  | BrokenFile

/** As a value is refused that has more decimals than its type. */
interface BrokenDecimals {
  readonly code: 'NF-DECIMALS' | 'NF-WHOLE'
  readonly scale: number
  readonly found: number
}

interface BrokenCount {
  readonly code: 'NF-FEW' | 'NF-MANY'
  readonly limit: Wire
  readonly found: string
}

type BrokenFile =
  | { readonly code: 'NF-FILE-TYPE'; readonly types: string; readonly found: string }
  | { readonly code: 'NF-FILE-SIZE'; readonly limit: string }

/** The first field rule that the value breaks; null when it breaks none, or when that cannot be known here. */
export function brokenFieldRule(rules: FieldRules, value: Wire, environment: Environment): Broken | null {
  if (value === null || value === '') return isRequired(rules, environment) ? { code: 'NF-REQUIRED' } : null
  const file = rules.type.kind === 'file' ? heldFile(value) : null
  if (file !== null) return brokenFile(rules, file)
  if (rules.type.kind === 'choices') return brokenCount(rules, chosen(value).length, environment)
  if (rules.type.kind === 'list') return brokenCount(rules, linked(value).length, environment)
  const finer = rules.currency === null ? null : brokenDecimals(value, rules.currency, environment)
  if (finer !== null) return finer
  const isText = rules.type.kind === 'text'
  const [measured, type] = isText ? lengthOf(value) : ([value, rules.type] as const)
  const min = limitOf(rules.min, environment)
  if (min !== null && compared(measured, min, type) < 0)
    return isText ? { code: 'NF-SHORT', limit: min, found: String(measured) } : { code: 'NF-MIN', limit: min, value }
  const max = limitOf(rules.max, environment)
  if (max !== null && compared(measured, max, type) > 0)
    return isText ? { code: 'NF-LONG', limit: max, found: String(measured) } : { code: 'NF-MAX', limit: max, value }
  if (rules.pattern !== null && !matches(rules.pattern.source, String(value)))
    return { code: 'NF-PATTERN', pattern: rules.pattern.shown }
  return null
}

/** An amount has no more decimals than the currency that the record says. */
function brokenDecimals(value: Wire, of: Expression | Portable, environment: Environment): BrokenDecimals | null {
  const currency = evaluate(of, environment)
  if (typeof currency !== 'string') return null
  const scale = currencyPlaces(currency)
  const found = parseDecimal(withoutCode(String(value)))
  if (found === null || compare(found, round(found, scale)) === 0) return null
  const decimals = formatDecimal(found).split('.')[1]!.length
  return { code: scale === 0 ? 'NF-WHOLE' : 'NF-DECIMALS', scale, found: decimals }
}

/** What a field takes of files. One that has not been sent yet is judged by its size. */
export function brokenFile(
  { types, most }: Pick<FieldRules, 'types' | 'most'>,
  { size, type }: { readonly size: number; readonly type: string },
): BrokenFile | null {
  if (most !== null && size > most.bytes) return { code: 'NF-FILE-SIZE', limit: most.shown }
  if (types === null || type === waiting || mediaOf(types.names).includes(type)) return null
  return { code: 'NF-FILE-TYPE', types: types.names.join(', '), found: typeName(type) }
}

/** Whether the field must have a value now; unknown conditions ask for none. */
export function isRequired(rules: Pick<FieldRules, 'required' | 'onlyWhen'>, environment: Environment): boolean {
  const { required } = rules
  if (required === null || isAbsent(rules, environment)) return false
  return required.when === null || evaluate(required.when, environment) === true
}

/** Whether the field is not there (`only when`). What is not at hand is left to the server; unknown means that it is not there. */
export function isAbsent({ onlyWhen }: Pick<FieldRules, 'onlyWhen'>, environment: Environment): boolean {
  if (onlyWhen === null) return false
  const there = evaluate(onlyWhen, environment)
  return there !== true && there !== NOT_LOADED
}

/** Whether people cannot change it now (`read-only when`), seen from the record as it would be. */
export function isLocked({ readOnlyWhen }: Pick<FieldRules, 'readOnlyWhen'>, environment: Environment): boolean {
  return readOnlyWhen !== null && evaluate(readOnlyWhen, environment) === true
}

/** How many rows a list of child rows must and may have. */
export function brokenCount(
  rules: Pick<FieldRules, 'min' | 'max' | 'required' | 'onlyWhen'>,
  count: number,
  environment: Environment,
): BrokenCount | null {
  const integer: Type = { kind: 'integer' }
  const found = String(count)
  const min = limitOf(rules.min, environment) ?? (isRequired(rules, environment) ? '1' : null)
  if (min !== null && compared(found, min, integer) < 0) return { code: 'NF-FEW', limit: min, found }
  const max = limitOf(rules.max, environment)
  if (max !== null && compared(found, max, integer) > 0) return { code: 'NF-MANY', limit: max, found }
  return null
}

/** Whether `Must hold` holds. Unknown passes: a rule is not applied while a field that it needs is empty. */
export function ruleHolds(mustHold: Expression | Portable, environment: Environment): boolean | 'not loaded' {
  const held = evaluate(mustHold, environment)
  return held === NOT_LOADED ? 'not loaded' : held !== false
}

function limitOf(limit: Expression | Portable | null, environment: Environment): Wire {
  if (limit === null) return null
  const value = evaluate(limit, environment)
  return value === NOT_LOADED || typeof value === 'object' ? null : value
}

/** In characters, as PostgreSQL counts them. */
const lengthOf = (value: Wire): readonly [Wire, Type] => [String([...String(value)].length), { kind: 'integer' }]

/** Numbers of every kind compare as numbers, whatever the type of the limit is. */
function compared(left: Wire, right: Wire, type: Type): number {
  const a = fromWire(left, type)
  const b = fromWire(right, type)
  return a === null || b === null ? 0 : order(a, b)
}
