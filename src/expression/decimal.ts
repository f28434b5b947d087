/**
 * Exact decimal numbers: a big integer and how many of its digits stand behind the point. Agrees with PostgreSQL's
 * `numeric` digit for digit, because the same rule is decided by both (LANGUAGE, traps 5 to 8).
 */
export interface Decimal {
  readonly units: bigint
  /** Digits behind the point, zero or more. */
  readonly scale: number
}

/** Places that a division is rounded to, half away from zero (trap 7). */
const DIVISION_PLACES = 10

export const ZERO: Decimal = { units: 0n, scale: 0 }

/** Reads `-12.50`, as forms, rows and the wire write numbers; null for anything else. */
export function parseDecimal(text: string): Decimal | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return null
  const [, sign, whole, fraction = ''] = match
  const units = BigInt(`${whole}${fraction}`)
  return { units: sign === '-' ? -units : units, scale: fraction.length }
}

/** Writes without superfluous zeros, but with at least `places` digits behind the point. */
export function formatDecimal(value: Decimal, places = 0): string {
  let { units, scale } = value
  while (scale > places && units % 10n === 0n) {
    units /= 10n
    scale -= 1
  }
  if (scale < places) {
    units *= power(places - scale)
    scale = places
  }
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return units < 0n ? `-${text}` : text
}

export const whole = (value: number | bigint): Decimal => ({ units: BigInt(value), scale: 0 })

/** Exact: the result has the longer of both fractions. */
export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return { units: raise(left, scale) + raise(right, scale), scale }
}

export const negate = (value: Decimal): Decimal => ({ units: -value.units, scale: value.scale })

export const subtract = (left: Decimal, right: Decimal): Decimal => add(left, negate(right))

export const multiply = (left: Decimal, right: Decimal): Decimal => ({
  units: left.units * right.units,
  scale: left.scale + right.scale,
})

/** The quotient, rounded half away from zero to ten places; null for a division by zero. */
export function divide(left: Decimal, right: Decimal): Decimal | null {
  const cut = divideCut(left, right, DIVISION_PLACES + 1)
  return cut && round(cut, DIVISION_PLACES)
}

/** The quotient with so many places, the others cut off; null for a division by zero. */
export function divideCut(left: Decimal, right: Decimal, places: number): Decimal | null {
  if (right.units === 0n) return null
  const scale = Math.max(left.scale, right.scale)
  return { units: (raise(left, scale) * power(places)) / raise(right, scale), scale: places }
}

/** Rounds half away from zero to so many places. */
export function round(value: Decimal, places: number): Decimal {
  if (value.scale <= places) return value
  const step = power(value.scale - places)
  const size = value.units < 0n ? -value.units : value.units
  const rounded = (size + step / 2n) / step
  return { units: value.units < 0n ? -rounded : rounded, scale: places }
}

/** The next number with so many places that is not smaller (`up`) or not larger (`down`). */
export function roundTo(way: 'up' | 'down', value: Decimal, places: number): Decimal {
  if (value.scale <= places) return value
  const step = power(value.scale - places)
  const over = ((value.units % step) + step) % step
  const below = (value.units - over) / step
  return { units: way === 'up' && over > 0n ? below + 1n : below, scale: places }
}

/** Negative, zero or positive, as the left is smaller than, equal to or greater than the right. */
export function compare(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale)
  const difference = raise(left, scale) - raise(right, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent)

const raise = (value: Decimal, scale: number): bigint => value.units * power(scale - value.scale)
