/** Values of expressions as the judge reckons with them: exact numbers, days, moments, records. Empty is null. */

/** A stored record as it is read: wire values by field, rows of its lists in it. */
export type Stored = Readonly<Record<string, unknown>>

/** A record that names are looked up in. `up`: what a row was reached through. */
export interface Frame {
  readonly entity: string
  readonly record: Stored
  readonly up: Frame | null
}

/** `number`: of 10^-30; `date`: days since 1970; `moment`: milliseconds since then; `time`: minutes; `length`: milliseconds. */
export type Value =
  | null
  | boolean
  | { readonly is: 'text'; readonly of: string }
  | { readonly is: 'number'; readonly of: bigint }
  | { readonly is: 'length'; readonly of: bigint }
  | { readonly is: 'date'; readonly of: number }
  | { readonly is: 'moment'; readonly of: number }
  | { readonly is: 'time'; readonly of: number }
  | { readonly is: 'span'; readonly months: number; readonly days: number }
  | { readonly is: 'record'; readonly entity: string; readonly of: string }
  | { readonly is: 'rows'; readonly of: readonly Frame[] }
  | { readonly is: 'several'; readonly of: readonly Value[] }

/** What the judge does not read or reckon: said in its README, never guessed. */
export class NotJudged extends Error {}

type Some = Exclude<Value, null | boolean>
type Kind = Some['is']
type Inside = { readonly [One in Some as One['is']]: One extends { readonly of: infer Of } ? Of : never }

export const isA = <K extends Kind>(value: Value | undefined, kind: K): value is Extract<Value, { readonly is: K }> =>
  typeof value === 'object' && value?.is === kind

/** What is in a value of this kind. */
export function inside<K extends Exclude<Kind, 'span'>>(value: Value | undefined, kind: K): Inside[K] {
  if (!isA(value, kind)) throw new NotJudged(`a ${kind}`)
  return (value as { readonly of: unknown }).of as Inside[K]
}

/** Each of several; what is one is one of them. */
export const eachOf = (value: Value): readonly Value[] => (isA(value, 'several') ? value.of : [value])

const places = 30
export const one = 10n ** BigInt(places)
const dayMs = 86_400_000
const firstDay = -719_162
const lastDay = 2_932_896
/** 4,000 years. */
const longest = 4000n * 36_525n * 864_000n

export const number = (of: bigint): Value => ({ is: 'number', of })
export const whole = (of: number | bigint): Value => number(BigInt(of) * one)
export const text = (of: string): Value => (of === '' ? null : { is: 'text', of: of.normalize('NFC') })
export const date = (of: number): Value =>
  Number.isInteger(of) && of >= firstDay && of <= lastDay ? { is: 'date', of } : null
export const moment = (of: number): Value =>
  of >= firstDay * dayMs && of < (lastDay + 1) * dayMs ? { is: 'moment', of } : null
export const length = (of: bigint): Value => (of > longest || of < -longest ? null : { is: 'length', of })

/** Rounded half away from zero to a multiple of `step`. */
export function rounded(of: bigint, step: bigint): bigint {
  const size = of < 0n ? -of : of
  const even = ((size + step / 2n) / step) * step
  return of < 0n ? -even : even
}

/** Decimals that a currency has. */
export const placesOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** An amount in the decimals of its currency, halves away from zero. */
export const roundedIn = (amount: Value, currency: Value): Value =>
  amount === null || currency === null
    ? amount
    : number(rounded(inside(amount, 'number'), 10n ** BigInt(places - placesOf(inside(currency, 'text')))))

/** A quotient, to ten places. */
export const quotient = (left: bigint, right: bigint): bigint | null =>
  right === 0n ? null : rounded((left * one) / right, 10n ** BigInt(places - 10))

export function figure(written: string): bigint | null {
  const [, sign, full, rest = ''] = /^([+-]?)(\d+)(?:\.(\d{0,30}))?$/.exec(written.replaceAll('_', '')) ?? []
  if (full === undefined) return null
  const size = BigInt(full + rest.padEnd(places, '0'))
  return sign === '-' ? -size : size
}

export function plain(of: bigint): string {
  const digits = (of < 0n ? -of : of).toString().padStart(places + 1, '0')
  const rest = digits.slice(-places).replace(/0+$/, '')
  return `${of < 0n ? '-' : ''}${digits.slice(0, -places)}${rest === '' ? '' : `.${rest}`}`
}

export const dayOf = (wire: string): number => Date.parse(`${wire.slice(0, 10)}T00:00:00Z`) / dayMs
export const wireDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)
export const minutesOf = (wire: string): number => Number(wire.split(':')[0]) * 60 + Number(wire.split(':')[1])

function lengthOf(wire: string): Value {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(wire) ?? []
  if (sign === undefined) throw new NotJudged(wire)
  const ms = BigInt(hours) * 3_600_000n + BigInt(minutes) * 60_000n + (figure(seconds)! * 1000n) / one
  return length(sign === '-' ? -ms : ms)
}

/** A wire value of a field whose type is written so. */
export function valueIn(wire: unknown, type: { readonly kind: string; readonly entity: string | null }): Value {
  if (wire === null || wire === undefined || wire === '') return null
  if (typeof wire === 'boolean') return wire
  const said = String(wire)
  const record = (of: string): Value => ({ is: 'record', entity: type.entity!, of })
  switch (type.kind) {
    case 'number': {
      const found = figure(said)
      return found === null ? null : number(found)
    }
    case 'date':
      return date(dayOf(said))
    case 'moment':
      return moment(Date.parse(said))
    case 'time':
      return { is: 'time', of: minutesOf(said) }
    case 'length':
      return lengthOf(said)
    case 'record':
      return record(said)
    case 'several':
      return { is: 'several', of: said.split(' ').map(record) }
    case 'choices':
      return { is: 'several', of: said.split(', ').map(text) }
    case 'text':
      return text(said)
    default:
      throw new NotJudged(type.kind)
  }
}

/** The same on the wire; several as they are. */
export function wireOf(value: Value): string | boolean | null | readonly (string | boolean | null)[] {
  if (value === null || typeof value === 'boolean') return value
  switch (value.is) {
    case 'number':
      return plain(value.of)
    case 'date':
      return wireDay(value.of)
    case 'moment':
      return new Date(value.of).toISOString()
    case 'time':
      return `${String(Math.floor(value.of / 60)).padStart(2, '0')}:${String(value.of % 60).padStart(2, '0')}`
    case 'length': {
      const size = value.of < 0n ? -value.of : value.of
      return `${value.of < 0n ? '-' : ''}PT${plain((size * one) / 1000n)}S`
    }
    case 'text':
    case 'record':
      return value.of
    case 'several':
      return value.of.map(each => wireOf(each) as string | boolean | null)
    case 'rows':
      return value.of.map(({ record }) => String(record.id))
    case 'span':
      throw new NotJudged('a length of days')
  }
}

/** Null: one of them is empty. Below zero: the first comes first. */
export function order(left: Value, right: Value): number | null {
  if (left === null || right === null) return null
  // Several choices that are written as one text.
  const isListed = [left, right].some(value => typeof value !== 'boolean' && value.is === 'several')
  const [a, b] = [left, right].map(value => inWords(isListed ? asSeveral(value) : value)) as [string, string]
  return a === b ? 0 : a < b ? -1 : 1
}

const asSeveral = (value: Exclude<Value, null>): Exclude<Value, null> =>
  typeof value !== 'boolean' && value.is === 'text' ? { is: 'several', of: value.of.split(', ').map(text) } : value

function inWords(value: Exclude<Value, null>): bigint | number | string {
  if (typeof value === 'boolean') return Number(value)
  if (value.is === 'span') throw new NotJudged('a length of days')
  if (value.is === 'several')
    return value.of
      .map(each => (each === null ? '' : String(inWords(each))))
      .sort()
      .join(', ')
  if (value.is === 'rows')
    return value.of
      .map(({ record }) => String(record.id))
      .sort()
      .join(', ')
  return value.of
}
