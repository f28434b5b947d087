/** Currencies: the field that says that of an amount, and `- **Exchange rates:**`, the entity whose records are rates. */
import { slice, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { isVaried } from '../../expression/currency.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Exchange } from '../../expression/scope.ts'
import type { EntityShape, Type } from '../../expression/type.ts'
import type { Constant } from '../9-limits/model.ts'
import { type Context, readAt } from '../context.ts'
import { use } from '../gaps/gap.ts'
import { specified } from '../specified.ts'
import { entityCodes } from './codes.ts'
import type { FieldDraft, TypedEntity } from './shape.ts'

const section = 3
const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

const saysCurrency = (type: Type): boolean =>
  type.kind === 'choice' && type.options.length > 0 && type.options.every(option => codes.has(option))

/**
 * `money in limits.house_currency` as the amount of one currency that it is: the constant is a text with its three letters that nobody
 * changes. Of any other type, and of any other constant, it is what it was.
 */
export function withFixedCurrency(context: Context, cell: Cell): Cell {
  const [, key] = inConstant.exec(cell.text) ?? []
  const constant = key === undefined ? undefined : context.limits.get(key)
  const code = constant === undefined || changesCurrency(constant) ? null : specified(constant.value)?.wire
  return typeof code === 'string' && codes.has(code) ? { ...cell, text: `money ${code}` } : cell
}

const inConstant = /^money in limits\.(\w+)$/

const readSaid = (context: Context, cell: Cell, draft: TypedEntity['draft'], { key }: FieldDraft): Expression | null =>
  readAt(context, cell, { section, entity: draft.key }, null, use('computed', { field: key, entity: draft.name }))

const changesCurrency = ({ change, later }: Constant): boolean => change !== 'fixed' || later.length > 0

/** The field that says the currency of an amount; null: the type says it, or after a report. */
export function readCurrency(context: Context, { draft }: TypedEntity, field: FieldDraft): Expression | null {
  const { typeCell } = field
  if (!isVaried(field.type)) {
    const written = { ...typeCell, text: typeCell.file.text.slice(typeCell.start, typeCell.end) }
    // That it is read there is known to editors, and where the constant is told of.
    if (inConstant.test(written.text)) readSaid(context, slice(written, 'money in '.length), draft, field)
    return null
  }
  const { of } = field.type.currency
  const cell = trimmed(slice(typeCell, typeCell.text.length - of.length))
  const said = readSaid(context, cell, draft, field)
  if (said === null) return null
  const constant = context.limits.get(/^limits\.(\w+)$/.exec(of)?.[1] ?? '')
  const why =
    constant !== undefined
      ? changesCurrency(constant)
        ? `\`${of}\` may become another one`
        : `\`${of}\` is no currency; write its value like \`"EUR"\``
      : !saysCurrency(said.type)
        ? `\`${of}\` is no choice of currencies`
        : said.optional
          ? `\`${of}\` may be empty`
          : said.tier > 2
            ? `\`${of}\` is worked out by code`
            : null
  if (why === null) return said
  reporter(entityCodes, section, context.found).report('N1379', cell, { field: field.key, why, of })
  return null
}

/** The entity that says by which rates amounts are converted. Shapes must be known. */
export function readExchange(context: Context): Exchange | undefined {
  let found: Exchange | undefined
  for (const entity of context.typed.values()) {
    const { exchange: cell } = entity.draft
    if (cell === null || nothing(cell) !== null) continue
    const read = exchangeOf(context, entity, cell)
    const why = typeof read === 'string' ? read : found !== undefined ? 'another entity says the rates already' : null
    if (why !== null) reporter(entityCodes, section, context.found).report('N1380', cell, { why })
    else found = read as Exchange
  }
  return found
}

/** `1 currency = rate EUR since valid_from`, `1 EUR = rate currency since valid_from`; a text: why it is none. */
function exchangeOf(context: Context, { draft, parent }: TypedEntity, { text }: Cell): Exchange | string {
  const [, one = '', rate = '', other = '', since = ''] =
    /^1\s+(\w+)\s*=\s*(\w+)\s+(\w+),?\s+since\s+(\w+)$/.exec(text) ?? []
  if (one === '') return 'it names a currency, the rate, the other currency and the day'
  if (parent !== null) return `its records are rows of ${parent.name}`
  const [base, ...others] = [one, other].filter(name => codes.has(name))
  if (base === undefined || others.length > 0)
    return 'of the two currencies one is written out, like `EUR`, the other is a field'
  const currency = one === base ? other : one
  const shape = context.schema.get(draft.key)!
  const why =
    whyNot(shape, currency, saysCurrency, 'a choice of currencies') ??
    whyNot(shape, rate, ({ kind }) => kind === 'decimal', 'a decimal number') ??
    whyNot(shape, since, ({ kind }) => kind === 'date', 'a date')
  return why ?? { entity: draft.key, currency, rate, since, base, per: one === base ? 'base' : 'currency' }
}

function whyNot(
  { fields, name }: EntityShape,
  key: string,
  fits: (type: Type) => boolean,
  what: string,
): string | null {
  const field = fields.get(key)
  if (field === undefined) return `${name} has no field \`${key}\``
  if (!fits(field.type)) return `\`${key}\` is not ${what}`
  return field.optional ? `\`${key}\` may be empty` : null
}
