/** Fields that can hold no value, and defaults that are always refused: told only where constants decide that nobody can change. */
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Wire } from '../../expression/type.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { fixedWorth } from '../points.ts'
import { compareWires, measure, measured } from '../points-values.ts'
import { counted } from './check-rules.ts'
import { entityCodes } from './codes.ts'
import type { Field } from './model.ts'

/** A bound and what decides it; of texts and lists it is a number of characters or entries. */
interface Bound {
  readonly wire: string
  readonly cell: Cell
  readonly words: string
}

export function checkContradictions(context: Context, app: App): void {
  for (const { fields } of app.entities.values())
    for (const field of fields) {
      if (field.computed !== null) continue
      const [least, most] = [boundOf(app, field.min, 'at least'), boundOf(app, field.max, 'at most')]
      const wrong = [most, roomOf(field)].find(
        one => least !== null && one !== null && compareWires(least.wire, one.wire, measure(field.type)) > 0,
      )
      if (least !== null && wrong) tellNoValue(context, field, least, wrong)
      else checkDefault(context, app, field)
    }
}

function tellNoValue(context: Context, field: Field, least: Bound, most: Bound): void {
  const { report } = reporter(entityCodes, 3, context.found)
  const related = [{ span: most.cell, message: 'the other one' }]
  report(
    'N1369',
    least.cell,
    { field: field.key, must: mustOf(field), least: least.words, most: most.words },
    { related },
  )
}

function boundOf(app: App, bound: Expression | null, side: string): Bound | null {
  const wire = bound === null ? null : fixedWorth(app, bound)
  return bound === null || typeof wire !== 'string'
    ? null
    : { wire, cell: bound.cell, words: `${side} ${bound.cell.text}` }
}

/** What the type has room for: characters, names of a list. */
function roomOf({ kind, parameters, typeCell }: Field): Bound | null {
  const { length, choices } = parameters
  const room = kind === 'several of' ? choices?.length : length
  return room === undefined ? null : { wire: String(room), cell: typeCell, words: `at most ${room}, as its type says` }
}

function checkDefault(context: Context, app: App, field: Field): void {
  const refused = field.default === null ? null : whyNeverTaken(app, field, field.default)
  if (refused === null) return
  const { report } = reporter(entityCodes, 3, context.found)
  const related = [{ span: refused.cell, message: 'refuses it' }]
  report('N1370', field.default!.cell, { field: field.key, why: refused.why }, { related })
}

/** Why a field refuses what an expression gives, where constants decide that nobody can change; null: it takes it, or may. */
export function whyNeverTaken(app: App, field: Field, value: Expression): { why: string; cell: Cell } | null {
  const worth = fixedWorth(app, value)
  return worth === null ? null : whyRefused(app, field, worth)
}

function whyRefused(app: App, field: Field, worth: Wire) {
  const { pattern, parameters, kind, typeCell } = field
  const { fromJson, rounded } = fieldKind(kind)
  const held = fromJson(typeof worth === 'string' ? (rounded?.(worth, parameters) ?? worth) : worth, parameters)
  if ('invalid' in held) {
    const [room, size] = [roomOf(field), measured(field.type, worth)]
    const isLong = room !== null && size !== null && compareWires(size, room.wire, measure(field.type)) > 0
    return { why: isLong ? `it ${mustOf(field)} ${room.words}` : 'it is no value of that type', cell: typeCell }
  }
  const beyond = beyondBounds(app, field, held.value)
  if (beyond) return beyond
  if (pattern === null || new RegExp(pattern.source, 'u').test(String(held.value))) return null
  return { why: `it does not look like ${pattern.shown}`, cell: pattern.cell }
}

/** Why a value lies outside of the bounds of its field, where constants decide that nobody can change; null: it does not. */
export function beyondBounds(app: App, field: Field, value: Wire): { why: string; cell: Cell } | null {
  const [least, most] = [boundOf(app, field.min, 'at least'), boundOf(app, field.max, 'at most')]
  const size = measured(field.type, value)
  if (size === null) return null
  const compared = (bound: Bound) => compareWires(size, bound.wire, measure(field.type))
  const beyond = least && compared(least) < 0 ? least : most && compared(most) > 0 ? most : null
  return beyond && { why: `it ${mustOf(field)} ${beyond.words}`, cell: beyond.cell }
}

/** Of texts and lists what they have is counted. */
const mustOf = ({ type }: Field): string => (counted.has(type.kind) ? 'must have' : 'must be')
