/** `convert(price, EUR, bought_on)`: an amount in another currency, by the rates of an entity. */
import type { Argument, Ast, Ordering, TextRange } from './ast.ts'
import { wrongCount } from './check-aggregate.ts'
import { currencyOf, pathOf } from './check-currency.ts'
import type { Checked } from './checked.ts'
import { type Checking, FAILED, failed, type Room, sliceOf, wordsOf } from './checking.ts'
import { isFixed, isVaried } from './currency.ts'
import type { ScalarFunction } from './functions.ts'
import { parameterWords } from './parameters.ts'
import type { Exchange } from './scope.ts'
import type { Money, Type } from './type.ts'

type Call = Extract<Ast, { kind: 'call' }>

/** A currency, as the document names it or as a field does. */
type Named = { readonly code: string } | { readonly names: readonly string[]; readonly options: readonly string[] }

/** The rates are looked up in the entity that has them. */
export function checkConvert(checking: Checking, ast: Call, entry: ScalarFunction, room: Room): Checked {
  const { exchange, converts } = checking.scope
  if (exchange === undefined) return refused(checking, ast.name, 'no entity says the rates')
  if (converts !== true || !room.same) return refused(checking, ast.name, 'it stands in what a field is computed from')
  const asts = ast.arguments.map(argument => argument.value)
  const [amount, to, day] = asts
  if (amount === undefined || to === undefined || day === undefined || asts.length > 3) {
    wrongCount(checking, ast, '3 values', entry.written)
    return FAILED
  }
  const value = checking.check(amount, room)
  const target = targetOf(checking, entry, to, room)
  const on = checking.check(day, room, { kind: 'date' })
  const seen = failed(on) ? null : dayOf(checking, entry, day, on.type)
  if (failed(value) || target === null || seen === null) return FAILED
  if (value.type.kind !== 'money') return wrong(checking, entry, amount, parameterWords.amount, value.type)
  const from = namedIn(checking, amount, value.type, room)
  const place = { from: ast.from, to: ast.to }
  const isBase = (of: Named) => 'code' in of && of.code === exchange.base
  const same = sameAst(place, from, target)
  const rate = (of: Named): Checked => {
    const base = isBase(of) || isBase(target) ? null : sameAst(place, of, { code: exchange.base })
    const ones = [base, same].filter(one => one !== null)
    return rateOf(checking, exchange, place, of, seen, ones, room)
  }
  const rates = [rate(from), rate(target)]
  if (failed(...rates)) return FAILED
  const [up, down] = (exchange.per === 'currency' ? rates : rates.toReversed()) as [Checked, Checked]
  const currency: Money['currency'] = 'code' in target ? target.code : { of: target.names.join('.') }
  const type: Money = { kind: 'money', currency }
  const code = currencyOf(checking, to, type, room)
  return { op: 'call', name: entry.name, arguments: [value, up, down, code, on], type, optional: true }
}

function refused(checking: Checking, place: TextRange, why: string): Checked {
  checking.report('N0259', place, { why })
  return FAILED
}

function wrong(checking: Checking, { name, written }: ScalarFunction, place: Ast, takes: string, type: Type): Checked {
  checking.report('N0216', place, { name, takes, found: wordsOf(checking, type), written })
  return FAILED
}

function namedIn(checking: Checking, place: TextRange, type: Money, room: Room): Named {
  if (isFixed(type)) return { code: type.currency }
  const said = currencyOf(checking, place, type, room)
  const names = isVaried(type) ? type.currency.of.split('.') : []
  return { names, options: said.type.kind === 'choice' ? said.type.options : [] }
}

/** Null after a report. */
function targetOf(checking: Checking, entry: ScalarFunction, to: Ast, room: Room): Named | null {
  if (to.kind === 'choice' && Intl.supportedValuesOf('currency').includes(to.name)) return { code: to.name }
  const checked = checking.check(to, room)
  if (failed(checked)) return null
  if (to.kind === 'path' && checked.type.kind === 'choice')
    return { names: to.names.map(({ text }) => text), options: checked.type.options }
  wrong(checking, entry, to, parameterWords.currency, checked.type)
  return null
}

/** The day as it is written where the rates are looked at; null after a report. */
function dayOf(checking: Checking, entry: ScalarFunction, day: Ast, type: Type): Ast | null {
  if (type.kind === 'date' && day.kind === 'date') return day
  if (type.kind === 'date' && day.kind === 'path')
    return fromRates(
      day,
      day.names.map(({ text }) => text),
    )
  const takes = 'a field with a date, `today` or a written date'
  checking.report('N0216', day, {
    name: entry.name,
    takes,
    found: type.kind === 'date' ? `\`${sliceOf(checking, day)}\`` : wordsOf(checking, type),
    written: entry.written,
  })
  return null
}

/** A path of the record that converts, as it is written inside of what looks at the rates. */
const fromRates = (place: TextRange, names: readonly string[]): Ast =>
  pathOf(place, ['today', 'this', 'my', 'old', 'limits'].includes(names[0]!) ? names : ['this', ...names])

const writtenAs = (place: TextRange, of: Named): Ast =>
  'code' in of ? { ...place, kind: 'choice', name: of.code } : pathOf(place, of.names)

/** That two are the same currency; null: they never are, or it is known. */
function sameAst(place: TextRange, one: Named, other: Named): Ast | null {
  const optionsOf = (of: Named) => ('code' in of ? [of.code] : of.options)
  const isKnown = 'code' in one && 'code' in other
  if (isKnown || !optionsOf(one).some(code => optionsOf(other).includes(code))) return null
  const [left, right] = 'code' in one ? [other, one] : [one, other]
  return {
    ...place,
    kind: 'compare',
    sign: '=',
    at: place,
    left: writtenAs(place, left),
    right: writtenAs(place, right),
  }
}

/** 1 where one of `ones` holds, and for the currency that the rates are about; else `first(Rate where currency = … and since <= … order by since down).rate`. */
function rateOf(
  checking: Checking,
  { entity, currency, since, rate, base }: Exchange,
  place: TextRange,
  of: Named,
  day: Ast,
  ones: readonly Ast[],
  room: Room,
): Checked {
  const one: Ast = { ...place, kind: 'number', value: '1' }
  if ('code' in of && of.code === base) return checking.check(one, room)
  const name = checking.scope.schema.get(entity)!.name.replaceAll(' ', '_')
  const compared = (sign: '=' | '<=', field: string, right: Ast): Ast => ({
    ...place,
    kind: 'compare',
    sign,
    at: place,
    left: pathOf(place, [field]),
    right,
  })
  const sought = 'code' in of ? writtenAs(place, of) : fromRates(place, of.names)
  const order: readonly Ordering[] = [{ field: { ...place, text: since }, down: true }]
  const where: Ast = {
    ...place,
    kind: 'and',
    parts: [compared('=', currency, sought), compared('<=', since, day)],
  }
  const argument: Argument = { value: writtenAs(place, { code: name }), other: null, where, by: null, order }
  const found: Ast = {
    ...place,
    kind: 'call',
    name: { ...place, text: 'first' },
    arguments: [argument],
    behind: [{ ...place, text: rate }],
  }
  const [first, ...others] = ones
  if (first === undefined) return checking.check(found, room)
  const condition: Ast = others.length === 0 ? first : { ...place, kind: 'or', parts: ones }
  // biome-ignore lint/suspicious/noThenProperty: `then` is a part of `if`; its value is written, never a function
  return checking.check({ ...place, kind: 'if', condition, then: one, otherwise: found }, room)
}
