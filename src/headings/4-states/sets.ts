/** `set` and its values: fields of a record, each with an expression. Also in answers of calls, and of records that are created. */

import { codeless, slice, splitCell, splitFirst, trimmed } from '../../document/cell.ts'
import { type Fix, reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Cell } from '../../document/source.ts'
import { archivedAt } from '../../expression/archived.ts'
import { isVaried } from '../../expression/currency.ts'
import type { Expression } from '../../expression/expression.ts'
import { instead } from '../../expression/lexer.ts'
import type { EntityShape, Type } from '../../expression/type.ts'
import { heldBy } from '../3-entities/append-only.ts'
import { placeField } from '../3-entities/by-hand.ts'
import { noField } from '../3-entities/no-field.ts'
import { type Context, type ExpressionScope, readAt } from '../context.ts'
import { use } from '../gaps/gap.ts'
import { evened } from '../names.ts'
import { stateCodes } from './codes.ts'
import type { Act, Given, Target } from './model.ts'
import { readTarget } from './targets.ts'

const section = 4

/**
 * `set approved_by = me, approved_at = now`, `set piece.condition = Good`, `set first(Shelf where room = this.room order by place).taken = yes`:
 * fields of one record. `own`: the entity of the one that the act is about.
 */
export function readSet(
  context: Context,
  own: () => string | null,
  piece: Cell,
  rest: Cell,
  place: ExpressionScope,
  by: string,
): Extract<Act, { kind: 'set' }> | null {
  const pieces = piecesOf(rest)
  const [first] = pieces
  const { text: owner, dot } = ownerOf(first)
  const apart = pieces.find(one => ownerOf(one).text !== owner)
  if (apart !== undefined) {
    const what = 'one `set` writes into one record, and this is of another'
    const fixes = [startAnew(apart)]
    reporter(stateCodes, section, context.found).report('N1428', apart, { what }, { fixes })
    return null
  }
  const of = owner === '' ? null : readOne(context, trimmed(slice(first, 0, dot)), place, by)
  if (owner !== '' && of === null) return null
  const entity = of?.entity ?? own()
  const values = entity === null ? null : readValues(context, entity, piece, rest, place, by, owner)
  return values === null ? null : { kind: 'set', of, values, cell: piece }
}

/** `rest = 0, closed_on = today`: fields of `entity`, each with its expression as at `place`. Also in answers of calls. `owner`: what stands before each of them and its dot. */
export function readValues(
  context: Context,
  entity: string,
  piece: Cell,
  rest: Cell,
  place: ExpressionScope,
  by: string,
  owner = '',
): readonly Given[] | null {
  const { report } = reporter(stateCodes, place.section, context.found)
  const pieces = piecesOf(rest)
  const values: Given[] = []
  for (const one of pieces) {
    const written = owner === '' ? one : slice(one, ownerOf(one).dot + 1)
    const given = readValue(context, entity, pieces.length > 1 ? one : piece, written, place, by, 'stored', {
      owner,
      pieces,
    })
    if (given === null) return null
    const { field, value } = given
    const named = (key: string) => (owner === '' ? key : `${owner}.${key}`)
    if (values.some(before => before.field === field)) {
      report('N1428', one, { what: `\`${field}\` is given twice` })
      return null
    }
    const read = values.find(before => value.reads.includes(named(before.field)))
    if (read !== undefined) {
      report('N1469', value.cell, { field: named(read.field), value: named(field) }, { fixes: [startAnew(one)] })
      return null
    }
    values.push(given)
  }
  return values
}

/** What stands between the commas. */
const piecesOf = (rest: Cell): readonly [Cell, ...Cell[]] => {
  const [first = rest, ...others] = splitCell(codeless(rest), ',')
  return [first, ...others]
}

/** What stands before the field that is written, and the dot behind it: `stock` of `stock.rest = 0`; nothing where it is the record's own. */
function ownerOf(one: Cell): { readonly text: string; readonly dot: number } {
  const left = splitFirst(one, '=')?.before.text ?? ''
  const dot = left.endsWith(')') ? -1 : left.lastIndexOf('.')
  return { text: evened(left.slice(0, Math.max(dot, 0))), dot }
}

/** `; set` in the place of the comma before it. */
function startAnew({ file, start }: Cell): Fix {
  const comma = file.text.lastIndexOf(',', start)
  return { title: 'write `; set`', edits: [{ span: { file, start: comma, end: comma + 1 }, text: '; set' }] }
}

/** The one record that is written into; null after a report. */
function readOne(context: Context, cell: Cell, place: ExpressionScope, by: string): Target | null {
  const to = codeless(cell)
  const of = readTarget(context, to, place, use('sets', { by }))
  if (of === null) return null
  if (of.kind === 'path' ? of.path.type.kind === 'reference' : of.kind === 'records' && of.first) return of
  const what = '`set` writes into one record; into several, `for each` does'
  reporter(stateCodes, section, context.found).report('N1428', to, { what })
  return null
}

/**
 * `<field> = <expression>`: a field of `entity`, the expression as at `place`. `new`, `row`: the record is created
 * with it, the row with the record that it is part of.
 */
export function readValue(
  context: Context,
  entity: string,
  piece: Cell,
  rest: Cell,
  place: ExpressionScope,
  by: string,
  which: 'new' | 'row' | 'stored' = 'stored',
  beside: Beside = alone,
): Given | null {
  const { report } = reporter(stateCodes, place.section, context.found)
  const [other, name, sum, set] = /^([\w.]+)(?:\s*([-+]=)|\s+to\b)\s*(.+)$/s.exec(rest.text) ?? []
  if (other !== undefined) {
    const written = `${name} = ${sum === undefined ? '' : `${name} ${sum[0]} `}${set}`
    const meant = `; write \`${written}\``
    const known = '`set <field> = <expression>`'
    report('N1411', rest, { act: piece.text, meant, known }, { fixes: [writeInstead(rest, written)] })
    return null
  }
  const sign = rest.text.indexOf('=')
  const field = codeless(trimmed(slice(rest, 0, Math.max(sign, 0))))
  const shape = context.schema.get(entity)
  if (sign <= 0 || shape === undefined) {
    report('N1411', piece, { act: piece.text, meant: '', known: '`set <field> = <expression>`' })
    return null
  }
  const target = shape.fields.get(field.text)
  if (target === undefined) return noField(context, place.section, shape, field)
  const held = which === 'stored' && heldBy(context, entity) !== null ? `${shape.name} is append only` : null
  const why = which === 'new' && field.text === shape.parent ? null : (held ?? whyNotSet(context, entity, field.text))
  if (why !== null) {
    report('N1413', field, { field: field.text, why })
    return null
  }
  const said = codeless(trimmed(slice(rest, sign + 1)))
  if (said.text !== 'empty' && instead(said.text) === 'empty') {
    const known = '`set <field> = <expression>`, `set <field> = empty`'
    report(
      'N1411',
      said,
      { act: piece.text, meant: '; write `empty`', known },
      { fixes: [writeInstead(said, 'empty')] },
    )
    return null
  }
  if (said.text === 'empty') {
    if (target.optional) return { field: field.text, value: nothing(context, said, target.type), cell: piece }
    report('N1413', field, { field: field.text, why: 'it is required, and never empty' })
    return null
  }
  const path = place.answer ? /^answer((?:\.\w+)*)$/.exec(said.text)?.[1] : undefined
  if (path !== undefined && (target.type.kind === 'json' || (path !== '' && answerable.has(target.type.kind))))
    return { field: field.text, value: asAnswered(context, said, target.type, path), cell: piece }
  const value = readAt(
    context,
    said,
    { ...place, code: true },
    which === 'stored' && beside.owner === '' && place.entity === entity
      ? target.type
      : seenFrom(shape, target.type, beside),
    use('setsField', { by, field: field.text }),
  )
  return value === null ? null : { field: field.text, value, cell: piece }
}

/** What else is written into the same record, and the path to it; none where it is the own one. Of a row, the record that it is made with. */
export interface Beside {
  readonly owner: string
  readonly pieces: readonly Cell[]
  readonly above?: Above
}

interface Above extends Pick<Beside, 'pieces' | 'above'> {
  /** What the new row calls that record. */
  readonly parent: string
  /** What each of the rows that it is made from calls theirs, where they are rows of the record that its values are read from. */
  readonly read: string | null
}

const alone: Beside = { owner: '', pieces: [] }

/** The currency of an amount that is written into another record: what is written there with it, or what that record says. */
function seenFrom({ name }: EntityShape, type: Type, beside: Beside): Type {
  if (!isVaried(type)) return type
  const { of } = type.currency
  const said = saidOf(of, beside)
  if (said !== null && /^[A-Z]{3}$/.test(said)) return { kind: 'money', currency: said }
  return { ...type, currency: { of: said ?? `${beside.owner === '' ? name : beside.owner}.${of}` } }
}

/** What is written into a field, as the place of the value names it; null where nothing is, or it cannot be named there. */
function saidOf(field: string, { pieces, above }: Pick<Beside, 'pieces' | 'above'>): string | null {
  const said = pieces
    .map(({ text }) => /^([\w.]+?)\s*=\s*([\w.]+)$/.exec(text))
    .find(found => found?.[1] === field)?.[2]
  if (said !== undefined || above === undefined || !field.startsWith(`${above.parent}.`)) return said ?? null
  const there = saidOf(field.slice(above.parent.length + 1), above)
  if (there === null || /^[A-Z]{3}$|^(?:this|limits)\./.test(there)) return there
  return above.read === null ? null : `${above.read}.${there}`
}

/** `set reason = empty`. */
const nothing = ({ schema }: Context, cell: Cell, type: Type): Expression => ({
  cell,
  type,
  optional: true,
  tier: 0,
  reads: [],
  schema,
  root: { op: 'literal', value: null, type, optional: true },
})

/** Types of fields that take what stands in an answer as the API takes it. Records of ours are nothing that others name. */
const answerable: ReadonlySet<Type['kind']> = new Set([
  'text',
  'integer',
  'decimal',
  'money',
  'yes/no',
  'date',
  'moment',
  'time',
  'duration',
  'choice',
  'choices',
])

/** `set raw = answer`, `set raw = answer.details`: as it came; `set gbp = answer.rates.GBP`: as the field holds it. */
const asAnswered = ({ schema }: Context, cell: Cell, type: Type, name: string): Expression => ({
  cell,
  type,
  optional: true,
  tier: 1,
  reads: [`answer${name}`],
  schema,
  root: { op: 'answer', name: name.slice(1), type, optional: true },
})

function whyNotSet(context: Context, entity: string, key: string): string | null {
  const shape = context.schema.get(entity)!
  if (key === 'state' && context.workflows.has(entity)) return 'steps and `go to` change the state'
  if (key === archivedAt && shape.archives) return 'records are archived and brought back, not set'
  if (['id', 'created_at', 'created_by'].includes(key) || key === shape.parent)
    return 'it is given once, when the record is created'
  if (key === placeField && shape.parent !== undefined) return 'rows have the places in which they stand'
  if (key === 'changed_at' || key === 'changed_by') return 'every change gives it by itself'
  const { type, computed, renewed } = shape.fields.get(key)!
  if (computed !== undefined || renewed === true) return 'it is computed'
  if (key === shape.tenant?.field) return 'a record stays with its tenant'
  if (type.kind !== 'list' || context.typed.get(entity)?.fields.get(key)?.kind.links === true) return null
  return 'it is a list of rows; `create` gives them with `for each`'
}
