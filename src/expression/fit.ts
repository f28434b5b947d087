/** Which types go together, and what they are called in messages. */
import { isVaried, sameCurrency } from './currency.ts'
import type { Money, Type } from './type.ts'

/** The type that values of several types have together; null where there is none. Whole numbers widen to decimals only. */
export function commonType(types: readonly Type[]): Type | null {
  let common: Type = { kind: 'error' }
  for (const type of types) {
    const next: Type | null = common.kind === 'error' ? type : type.kind === 'error' ? common : pair(common, type)
    if (next === null) return null
    common = next
  }
  return common
}

function pair(left: Type, right: Type): Type | null {
  if (isNumber(left) && isNumber(right)) {
    if (isPercent(left) && isPercent(right)) return left
    return left.kind === 'integer' && right.kind === 'integer' ? left : { kind: 'decimal' }
  }
  return left.kind === right.kind ? pairOfKind(left, right) : null
}

/** Of two types of one kind. */
function pairOfKind(left: Type, right: Type): Type | null {
  const same = (isSame: boolean): Type | null => (isSame ? left : null)
  switch (left.kind) {
    case 'choice':
      return choicesOf(left, right as Choice)
    case 'money':
      return finerOf(left, right as Money)
    // Their order decides how a value is written: lists go together that are the same.
    case 'choices':
      return same(left.options.join() === (right as typeof left).options.join())
    case 'duration':
      return same(left.of === (right as typeof left).of)
    case 'reference':
    case 'list':
      return same(left.entity === (right as typeof left).entity)
    case 'values':
      return same(commonType([left.of, (right as typeof left).of]) !== null)
    default:
      return same(plain.has(left.kind))
  }
}

function finerOf(left: Money, right: Money): Type | null {
  if (!sameCurrency(left, right)) return null
  return isFiner(right, left) ? right : left
}

const isFiner = (one: Money, other: Money): boolean => (one.places ?? 0) > (other.places ?? 0)

type Choice = Extract<Type, { kind: 'choice' }>

/** Lists of choices go together where they share one: by its name. */
function choicesOf(left: Choice, right: Choice): Type | null {
  if (left.of === right.of || right.options.every(option => left.options.includes(option))) return left
  if (left.options.every(option => right.options.includes(option))) return right
  if (!left.options.some(option => right.options.includes(option))) return null
  return { ...left, options: [...new Set([...left.options, ...right.options])] }
}

const plain: ReadonlySet<Type['kind']> = new Set(['text', 'yes/no', 'date', 'moment', 'time', 'file', 'json'])

/** Whether a value of one type may stand where another is needed. Prices per unit are rounded first. */
export function suits(found: Type, needed: Type): boolean {
  if (needsRounding(found, needed)) return false
  if (found.kind === 'decimal' && needed.kind === 'integer') return false
  if (found.kind === 'values' && needed.kind === 'values') return suits(found.of, needed.of)
  // What one list of choices offers may go into another one that has all of it.
  if (found.kind === 'choice' && needed.kind === 'choice')
    return found.options.every(option => needed.options.includes(option))
  return commonType([found, needed]) !== null
}

/** Whether both are amounts of one currency, of which the first has decimals that the second has not. */
export const needsRounding = (found: Type, needed: Type): boolean =>
  found.kind === 'money' && needed.kind === 'money' && sameCurrency(found, needed) && isFiner(found, needed)

export const isNumber = (type: Type): boolean => type.kind === 'integer' || type.kind === 'decimal'

/** A number that people write and read as a percentage. */
export const isPercent = (type: Type): boolean => type.kind === 'decimal' && type.percent === true

export const isAmount = (type: Type): boolean => isNumber(type) || type.kind === 'money'

/** A length of time in hours, minutes and seconds: milliseconds in JavaScript, seconds in SQL. */
export const isClock = (type: Type): boolean => type.kind === 'duration' && type.of === 'clock'

/** Whose values can be added up: amounts whose currency a field says may be in several. */
export const isSummable = (type: Type): boolean => (isAmount(type) && !isVaried(type)) || isClock(type)

export const isList = (type: Type): boolean => type.kind === 'list' || type.kind === 'values'

/** Types whose values come before and after each other. */
export const isOrdered = (type: Type): boolean =>
  ['integer', 'decimal', 'money', 'date', 'moment', 'time', 'duration', 'error'].includes(type.kind)

/** A type in words: "a whole number". `nameOf` gives an entity's name. */
export function typeWords(type: Type, nameOf: (entity: string) => string): string {
  switch (type.kind) {
    case 'text':
      return 'a text'
    case 'integer':
      return 'a whole number'
    case 'decimal':
      return type.percent ? 'a percentage' : 'a decimal number'
    case 'money':
      return isVaried(type)
        ? `an amount in the currency of \`${type.currency.of}\``
        : `an amount in ${type.currency}${type.places === undefined ? '' : ` with ${type.places} decimals`}`
    case 'yes/no':
      return 'a yes/no'
    case 'date':
      return 'a date'
    case 'moment':
      return 'a date and time'
    case 'time':
      return 'a time of day'
    case 'duration':
      return type.of === 'clock' ? 'a duration' : 'a number of calendar days, months or years'
    case 'choice':
      return `a choice of ${type.of}`
    case 'choices':
      return `several choices of ${type.of}`
    case 'reference':
      return `a reference to ${nameOf(type.entity)}`
    case 'list':
      return `a list of ${nameOf(type.entity)}`
    case 'values':
      return `several values, each ${typeWords(type.of, nameOf)}`
    case 'file':
      return 'a file'
    case 'json':
      return 'JSON'
    case 'secret':
      return 'a secret'
    case 'error':
      return 'a mistake'
  }
}
