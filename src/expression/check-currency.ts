/** The currency that an amount is in. */
import type { Ast, TextRange } from './ast.ts'
import type { Checked } from './checked.ts'
import type { Checking, Room } from './checking.ts'
import { isFixed, type Varied } from './currency.ts'
import type { Money } from './type.ts'
import { type Wording, wordingOf } from './wording.ts'

/** A path as if it was written at a place. */
export const pathOf = (place: TextRange, names: readonly string[]): Extract<Ast, { kind: 'path' }> => ({
  ...place,
  kind: 'path',
  names: names.map(text => ({ ...place, text })),
})

/** The currency of an amount that is written at a place: as a text, or the field that says it. */
export const currencyOf = (checking: Checking, place: TextRange, type: Money, room: Room): Checked =>
  isFixed(type)
    ? { op: 'literal', value: type.currency, type: { kind: 'text' }, optional: false }
    : checking.check(currencyPath(place, type as Varied), room)

/** The field that says the currency, as if it was written at a place. */
export const currencyPath = (place: TextRange, { currency: { of } }: Varied): Ast => pathOf(place, of.split('.'))

/** As amounts stand on the wire. */
const wire: Wording = {
  ...wordingOf('en'),
  figures: { ...wordingOf('en').figures, group: '', point: '.', amount: { before: '', behind: ' {}' } },
}

/** An amount with its currency behind it, so that whoever shows it knows both: `12.50 USD`. */
export const withCurrency = (value: Checked, currency: Checked): Checked => ({
  op: 'call',
  name: 'text',
  arguments: [value, currency],
  calendar: { zone: 'UTC', wording: wire },
  type: value.type,
  optional: value.optional || currency.optional,
})
