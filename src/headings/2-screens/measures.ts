/** What reports and dashboards measure, by what, and what a report asks its reader. */
import { after, codeless, slice, splitAt, splitCell, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { isSummable, typeWords } from '../../expression/fit.ts'
import { keyOf } from '../../expression/names.ts'
import type { Scope } from '../../expression/scope.ts'
import type { Type } from '../../expression/type.ts'
import { readType } from '../../kinds/fields/index.ts'
import { type Context, readAt } from '../context.ts'
import type { Use } from '../gaps/gap.ts'
import { screenCodes } from './codes.ts'
import type { Figure, Grouping, Measure, Parameter, Unit } from './model.ts'

const section = 2

/** Whose records are measured, where the measure does not say it, and what may be read besides them. */
export interface Measured {
  /** Entity key; null: the measure says it (`count of Loan`). */
  readonly entity: string | null
  readonly asked?: Scope['asked']
  readonly use: Use
}

/** Spellings of each kind, the canonical one first. */
const kinds: readonly { readonly kind: Exclude<Figure['kind'], 'count'>; readonly written: readonly string[] }[] = [
  { kind: 'sum', written: ['sum of', 'total of'] },
  { kind: 'average', written: ['average of', 'avg of', 'mean of'] },
  { kind: 'smallest', written: ['smallest of', 'min of', 'minimum of', 'earliest of'] },
  { kind: 'largest', written: ['largest of', 'max of', 'maximum of', 'latest of'] },
]

/** `count of Loan where state = Out as Out now`, `share of count where damaged out of count`; null after a report. */
export function readMeasure(context: Context, cell: Cell, measured: Measured): Measure | null {
  const named = splitAt(cell, 'as')
  const body = named?.before ?? cell
  const name = named === null || named.after.text === '' ? null : named.after.text
  const share = after(body, 'share of')
  if (share === null) {
    const figure = readFigure(context, body, measured)
    return figure === null ? null : { cell, name, figure, whole: null }
  }
  const parts = splitAt(codeless(share), 'out of')
  const figure = readFigure(context, parts?.before ?? share, measured)
  if (figure === null) return null
  if (parts === null) return { cell, name, figure, whole: 'all' }
  const inside = { ...measured, entity: figure.entity }
  const whole = isFigure(parts.after)
    ? readFigure(context, parts.after, inside)
    : readAmount(context, parts.after, { entity: null, asked: measured.asked, use: measured.use })
  return whole === null ? null : { cell, name, figure, whole }
}

/** It begins as a measure does, and may be a field all the same. */
export const isMeasure = (cell: Cell): boolean => after(cell, 'share of') !== null || isFigure(cell)

const isFigure = (cell: Cell): boolean =>
  after(cell, 'count') !== null || kinds.some(({ written }) => written.some(phrase => after(cell, phrase) !== null))

function readFigure(context: Context, cell: Cell, measured: Measured): Figure | null {
  const { report } = reporter(screenCodes, section, context.found)
  const wrong = (why: string, place = cell): null => {
    report('N1221', place, { measure: cell.text, why })
    return null
  }
  const found = kinds.flatMap(({ kind, written }) =>
    written.flatMap(phrase => {
      const rest = after(cell, phrase)
      return rest === null ? [] : [{ kind, rest }]
    }),
  )[0]
  const counted = after(cell, 'count')
  const rest = found?.rest ?? counted
  if (rest === null)
    return wrong('it begins with none of `count`, `sum of`, `average of`, `smallest of` and `largest of`')
  const parts = splitAt(rest, 'where')
  const head = parts?.before ?? codeless(rest)
  const named = /(?:^|\s)of\s+(\p{Lu}[^`]*)$/u.exec(head.text)
  const owner = named === null ? null : context.entities.find(slice(head, head.text.length - named[1]!.length))
  if (named !== null && owner === null) return null
  const entity = owner?.key ?? measured.entity
  if (entity === null) return wrong('it does not say of what; write `count of Loan`')
  if (measured.entity !== null && measured.entity !== entity)
    return wrong(`this is about ${context.schema.get(measured.entity)!.name}`)
  const place = { section, entity, ...(measured.asked === undefined ? {} : { asked: measured.asked }) }
  const where = parts === null ? null : readAt(context, parts.after, place, { kind: 'yes/no' }, measured.use)
  if (parts !== null && where === null) return null
  const value = codeless(trimmed(named === null ? head : slice(head, 0, named.index)))
  if (found === undefined) {
    if (value.text !== '') return wrong('behind `count` stands `of` with an entity, or `where`')
    return { cell, kind: 'count', entity, of: null, where, type: { kind: 'integer' } }
  }
  if (value.text === '') return wrong(`it does not say the ${found.kind} of what`)
  const of = readAt(context, value, place, null, measured.use)
  if (of === null) return null
  if (!isMeasurable(of.type, found.kind)) {
    report('N1222', value, { kind: found.kind, type: inWords(context, of.type) })
    return null
  }
  return { cell, kind: found.kind, entity, of, where, type: resultOf(found.kind, of.type) }
}

/** What something is a share of, where it is one number for all: an amount of no record. */
export function readAmount(
  context: Context,
  cell: Cell,
  { asked, use }: Pick<Measured, 'asked' | 'use'> & { entity: null },
): Expression | null {
  const amount = readAt(context, cell, { section, entity: null, ...(asked === undefined ? {} : { asked }) }, null, use)
  if (amount === null || isMeasurable(amount.type, 'sum')) return amount
  const { report } = reporter(screenCodes, section, context.found)
  report('N1222', cell, { kind: 'share', type: inWords(context, amount.type) })
  return null
}

function isMeasurable(type: Type, kind: Figure['kind']): boolean {
  const isNumber = isSummable(type) || type.kind === 'error'
  return isNumber || ((kind === 'smallest' || kind === 'largest') && (type.kind === 'date' || type.kind === 'moment'))
}

const resultOf = (kind: Figure['kind'], type: Type): Type =>
  kind === 'average' && type.kind === 'integer' ? { kind: 'decimal' } : type

export const inWords = (context: Context, type: Type): string =>
  typeWords(type, entity => context.schema.get(entity)?.name ?? entity)

const units: readonly Unit[] = ['year', 'quarter', 'month', 'week', 'day', 'weekday', 'hour']

/** Kinds of values that records with the same one belong together by. */
export const grouped: readonly Type['kind'][] = ['text', 'integer', 'choice', 'yes/no', 'reference', 'date', 'error']

/** `month of out_on`, `item.category`; null after a report. */
export function readGrouping(
  context: Context,
  cell: Cell,
  entity: string,
  measured: Pick<Measured, 'asked' | 'use'>,
): Grouping | null {
  const { report } = reporter(screenCodes, section, context.found)
  const unit = units.find(name => after(cell, `${name} of`) !== null) ?? null
  const written = codeless(unit === null ? cell : after(cell, `${unit} of`)!)
  const place = { section, entity, ...(measured.asked === undefined ? {} : { asked: measured.asked }) }
  const value = readAt(context, written, place, null, measured.use)
  if (value === null) return null
  const { kind } = value.type
  if (unit === null) {
    if (grouped.includes(kind)) return { cell, unit, value }
    report('N1223', written, { type: inWords(context, value.type) })
    return null
  }
  if (kind === 'moment' || kind === 'error' || (kind === 'date' && unit !== 'hour')) return { cell, unit, value }
  report('N1224', written, { unit, type: inWords(context, value.type) })
  return null
}

/** Groups parted by commas, outermost first. */
export const readGroupings = (
  context: Context,
  cell: Cell,
  entity: string,
  measured: Pick<Measured, 'asked' | 'use'>,
): readonly Grouping[] =>
  splitCell(cell, ',').flatMap(piece =>
    piece.text === '' ? [] : (readGrouping(context, piece, entity, measured) ?? []),
  )

/** Kinds of fields that a report can ask for: what one control in an address can hold. */
const askable: readonly string[] = ['text', 'integer', 'decimal', 'money', 'yes/no', 'date', 'date and time', 'choice']

/** `from: date default today - 30`; what is understood of all of them. */
export function readParameters(context: Context, cells: readonly Cell[], use: Use): readonly Parameter[] {
  const { report } = reporter(screenCodes, section, context.found)
  const found: Parameter[] = []
  for (const cell of cells) {
    const wrong = (why: string) => report('N1226', cell, { asks: cell.text, why })
    const colon = cell.text.indexOf(':')
    const key = keyOf(cell.text.slice(0, Math.max(colon, 0)))
    if (colon < 1 || !/^[a-z][a-z0-9_]*$/.test(key)) {
      wrong('a name, a colon and a type are expected')
      continue
    }
    const parts = splitAt(trimmed(slice(cell, colon + 1)), 'default')
    const type = readType(parts?.before ?? trimmed(slice(cell, colon + 1)), new Map(), key)
    if ('wrong' in type) wrong(type.wrong)
    else if (!askable.includes(type.kind.name)) wrong(`a reader cannot be asked for the type ${type.kind.name}`)
    else if (found.some(other => other.key === key)) wrong(`\`${key}\` is asked for already`)
    else {
      const preset = parts === null ? null : readAt(context, parts.after, { section, entity: null }, type.type, use)
      found.push({ cell, key, kind: type.kind.name, parameters: type.parameters, type: type.type, default: preset })
    }
  }
  return found
}

/** As expressions know them. */
export const askedOf = (parameters: readonly Parameter[]): NonNullable<Scope['asked']> =>
  new Map(parameters.map(parameter => [parameter.key, { type: parameter.type, optional: parameter.default === null }]))
