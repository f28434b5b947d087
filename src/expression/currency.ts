/** Amounts whose currency another field says: their decimals, and how they stand on the wire with their currency. */
import type { Checked } from './checked.ts'
import { type Decimal, formatDecimal, round } from './decimal.ts'
import { memoize } from './memoize.ts'
import { raw, type Sql, sql } from './sql.ts'
import type { CurrencyOf, Money, Type, Wire } from './type.ts'

export type Varied = Money & { readonly currency: CurrencyOf }
type Fixed = Money & { readonly currency: string }

/** Which currency it is in stands in the record. */
export const isVaried = (type: Type): type is Varied => type.kind === 'money' && typeof type.currency !== 'string'

/** Which currency it is in stands in the document. */
export const isFixed = (type: Type): type is Fixed => type.kind === 'money' && typeof type.currency === 'string'

export const sameCurrency = (left: Money, right: Money): boolean =>
  isVaried(left) ? isVaried(right) && left.currency.of === right.currency.of : left.currency === right.currency

const usual = 2

/** Places behind the point that amounts of a currency are written with (ISO 4217, from `Intl`); of what is no currency, two. */
export function currencyPlaces(currency: string): number {
  let places = placesOf.get(currency)
  if (places === undefined) {
    places = /^[A-Z]{3}$/.test(currency)
      ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? usual)
      : usual
    placesOf.set(currency, places)
  }
  return places
}

const placesOf = new Map<string, number>()

/** No currency of the world has more decimals. */
export const mostPlaces = 4

/** Decimals that an amount of this type has at least. */
export const placesIn = (type: Money): number => (isFixed(type) ? currencyPlaces(type.currency) : 0)

/** The same of a currency that the database knows. */
export function placesSql(currency: Sql): Sql {
  const others = Intl.supportedValuesOf('currency').filter(code => currencyPlaces(code) !== usual)
  const cases = others.map(code => `when '${code}' then ${currencyPlaces(code)}`).join(' ')
  return sql`(case ${currency} ${raw(cases)} else ${raw(String(usual))} end)`
}

/** `12.50 USD`: rounded to the decimals of its currency, halves away from zero. */
export function withCode(amount: Decimal, currency: string): string {
  const places = currencyPlaces(currency)
  return `${formatDecimal(round(amount, places), places)} ${currency}`
}

const alone = new WeakMap<object, object>()

/** What a text says of an amount to whoever may not see its currency: the number. Null: it is no amount that another field says the currency of. */
export function amountAlone<Read extends { readonly root: Checked }>(read: Read): Read | null {
  const { root } = read
  if (root.op !== 'call' || root.name !== 'text' || !isVaried(root.type)) return null
  return memoize(alone, read, () => ({ ...read, root: root.arguments[0]! })) as Read
}

/** The amount alone. */
export const withoutCode = (wire: string): string => wire.split(' ', 1)[0]!

/** The currency that stands behind an amount; null: none does. */
export const codeIn = (wire: Wire | undefined): string | null =>
  typeof wire === 'string' ? (/ ([A-Z]{3})$/.exec(wire)?.[1] ?? null) : null
