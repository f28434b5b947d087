/** Currencies: in which one an amount is, by the fields that an expression reads, and what it is in another one by the rates of the document. */
import { type About, field, named } from './names.ts'
import * as values from './values.ts'
import { type Frame, inside, isA, NotJudged, one, placesOf, type Value } from './values.ts'

/** In which currency an amount is that is written so: that of the first amount which it reads. */
export function currencyOf(words: readonly string[], about: About): Value {
  const paths =
    words
      .join(' ')
      .replace(/ ?\. ?/g, '.')
      .match(/[A-Za-z_][\w.]*/g) ?? []
  for (const path of paths) {
    const found = currencyAt(path.split('.'), about)
    if (found !== undefined) return found
  }
  throw new NotJudged(`the currency of ${words.join(' ')}`)
}

/** Undefined: no amount stands there. */
function currencyAt(names: readonly string[], about: About): Value | undefined {
  const isThis = names[0] === 'this'
  let frame: Frame | null = isThis ? about.self : about.row
  const [way, last] = [names.slice(isThis ? 1 : 0, -1), names.at(-1)!]
  for (const name of way) {
    if (frame === null || !isKnown(frame, name, about)) return undefined
    const value: Value = field(frame, name, about)
    if (isA(value, 'rows')) {
      const [first]: readonly Frame[] = value.of
      if (first === undefined) return undefined
      frame = first
    } else
      frame = isA(value, 'record')
        ? { entity: value.entity, record: about.record(value.entity, value.of)!, up: null }
        : null
  }
  if (frame === null || !isKnown(frame, last, about)) return undefined
  const type = about.told.entity(frame.entity).fields.get(last)?.type ?? ''
  const [, fixed, said] = /^money (?:([A-Z]{3})\b|in (\S+)$)/.exec(type) ?? []
  if (fixed !== undefined) return values.text(fixed)
  if (said === undefined) return undefined
  const own = { ...about, row: frame, self: frame }
  return named(said.split('.'), own)
}

function isKnown({ entity }: Frame, name: string, about: About): boolean {
  const told = about.told.entity(entity)
  return told.fields.has(name) || name === told.parent
}

/** By the last rate on or before the day; null: there is none. */
export function converted(amount: Value, from: Value, to: Value, day: Value, about: About): Value {
  if (amount === null || from === null || to === null || day === null) return null
  const [of, first, second] = [inside(amount, 'number'), inside(from, 'text'), inside(to, 'text')]
  const [left, right] = first === second ? [one, one] : [rateOf(first, day, about), rateOf(second, day, about)]
  if (left === null || right === null) return null
  const [up, down] = about.told.rates!.isOfBase ? [right, left] : [left, right]
  // Exact up to the one rounding.
  const step = 10n ** BigInt(30 - placesOf(second))
  const [above, below] = [of * up, down * step]
  const size = above < 0n ? -above : above
  const nearest = ((2n * size + below) / (2n * below)) * step
  return values.number(above < 0n ? -nearest : nearest)
}

function rateOf(currency: string, day: Value, about: About): bigint | null {
  const { rates } = about.told
  if (rates === null) throw new NotJudged('no rates')
  if (currency === rates.base) return one
  const on = isA(day, 'date') ? day.of : about.told.dayAt(inside(day, 'moment'))
  let [last, found]: [number, Value] = [Number.NEGATIVE_INFINITY, null]
  for (const record of about.records(rates.entity)) {
    if (record.archived_at != null || record[rates.currency] !== currency) continue
    const frame: Frame = { entity: rates.entity, record, up: null }
    const since = inside(field(frame, rates.since, about), 'date')
    if (since > on || since <= last) continue
    ;[last, found] = [since, field(frame, rates.rate, about)]
  }
  return found === null ? null : inside(found, 'number')
}
