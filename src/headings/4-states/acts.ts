/** Then cells of steps, timers and effects. */

import { after, codeless, slice, splitAt, splitCell, splitFirst, trimmed } from '../../document/cell.ts'
import { type Fix, reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Cell } from '../../document/source.ts'
import { isName } from '../../expression/names.ts'
import type { LimitShape } from '../../expression/scope.ts'
import type { EntityShape, Type } from '../../expression/type.ts'
import { heldBy } from '../3-entities/append-only.ts'
import { noField } from '../3-entities/no-field.ts'
import { raise } from '../8-errors/read.ts'
import { type Context, type ExpressionScope, isPeople, readAt, saysNothing, typeAt } from '../context.ts'
import { type Use, use } from '../gaps/gap.ts'
import { misspelt } from '../names.ts'
import { stateCodes } from './codes.ts'
import { findState, findStep } from './declare.ts'
import type { Act, Given, GivenRows, Target } from './model.ts'
import { type Beside, readSet, readValue } from './sets.ts'
import { acts } from './table.ts'
import { readTarget } from './targets.ts'

const section = 4

/** Where acts are written, and what their names mean there. */
export interface ActPlace {
  /** Whose fields bare names are; null: there is no record. */
  readonly entity: string | null
  /** Inside of `for each`: the entity of the record that it happens with, `this`. */
  readonly about: string | null
  /** Inside of `for each order in …`: the entities of the records that have names. */
  readonly records?: ReadonlyMap<string, string>
  /** Behind `let taken = …`. */
  readonly locals?: NonNullable<ExpressionScope['locals']>
  /** `old.` is known. */
  readonly old: boolean
  readonly of: 'step' | 'timer' | 'effect'
  /** For messages. */
  readonly name: string
}

/** Who does what is written there. */
const by = ({ name }: ActPlace): string => `*${name}*`

const placeOf = ({ entity, about, old, records, locals }: ActPlace): ExpressionScope => ({
  section,
  entity,
  old,
  ...(about === null ? {} : { about }),
  ...(records === undefined ? {} : { records }),
  ...(locals === undefined ? {} : { locals }),
})

/** Acts in the order they are written; those that are not understood are reported and left out. */
export function readActs(context: Context, place: ActPlace, cell: Cell | null): readonly Act[] {
  if (cell === null || saysNothing(cell)) return []
  const read: Act[] = []
  let at = place
  for (const piece of splitCell(cell, ';')) {
    const act = piece.text === '' ? null : readAct(context, at, piece)
    if (act !== null) read.push(act)
    at = { ...at, locals: new Map([...(at.locals ?? []), ...localsOf(act, piece)]) }
  }
  return read
}

/** What is known behind an act by a name. Where its value could not be read nothing more is said of the name. */
function localsOf(act: Act | null, piece: Cell): readonly (readonly [string, LimitShape])[] {
  if (act?.kind === 'let') return [[act.name, { type: act.value.type, optional: act.value.optional }]]
  const name = act === null ? /^let\s+([a-z][a-z0-9_]*)\s*=/.exec(piece.text)?.[1] : undefined
  return name === undefined ? [] : [[name, { type: { kind: 'error' }, optional: false }]]
}

type ActReader = (context: Context, place: ActPlace, piece: Cell, rest: Cell) => Act | null

/** By the words that an act begins with. */
const readers: readonly (readonly [words: string, read: ActReader])[] = [
  ['for each', readEach],
  ['set', readOwnSet],
  ['let', readLet],
  ['go to', readGoTo],
  ['assign', readAssign],
  ['create', readCreate],
  ['delete', readDelete],
  ['do', readDo],
  ['send mail', readMail],
  ['call', readCall],
  ['withdraw', readWithdraw],
  ['report', readReport],
  ['run', refuseRun],
]

function readAct(context: Context, place: ActPlace, piece: Cell): Act | null {
  if (areSeveral(context, piece)) return null
  for (const [words, read] of readers) {
    const rest = after(piece, words)
    if (rest !== null) return read(context, place, piece, rest)
  }
  reportUnknown(context, piece)
  return null
}

function readOwnSet(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  return readSet(context, () => ownEntity(context, place, piece), piece, rest, placeOf(place), by(place))
}

function readGoTo(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  if (place.of === 'step' && place.about === null) {
    reporter(stateCodes, section, context.found).report('N1412', piece, {})
    return null
  }
  const entity = ownEntity(context, place, piece)
  const to = entity === null ? null : findState(context, entity, codeless(rest))
  return to === null ? null : { kind: 'go to', state: to.name, cell: piece }
}

function readAssign(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const field = codeless(rest).text
  const entity = ownEntity(context, place, piece)
  if (entity === null) return null
  if (context.typed.get(entity)?.fields.get(field)?.rules.has('assigned from'))
    return { kind: 'assign', field, cell: piece }
  const what = `\`${field}\` has no rule \`assigned from\``
  reporter(stateCodes, section, context.found).report('N1428', piece, { what })
  return null
}

function readCall(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const entity = ownEntity(context, place, piece)
  if (entity === null) return null
  const found = context.calls.find(codeless(rest))
  found?.usedBy.set(entity, piece)
  return found === null ? null : { kind: 'call', call: found.key, cell: piece }
}

function readWithdraw(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const entity = ownEntity(context, place, piece)
  if (entity === null) return null
  const found = context.calls.find(codeless(rest))
  found?.withdrawnBy.push({ entity, cell: piece })
  return found === null ? null : { kind: 'withdraw', call: found.key, cell: piece }
}

function readReport(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const entity = ownEntity(context, place, piece)
  const code = entity === null ? null : raise(context, codeless(rest), entity)
  return code === null ? null : { kind: 'report', error: code, cell: piece }
}

/** Code of the document runs as a call. */
function refuseRun(context: Context, _place: ActPlace, piece: Cell, rest: Cell): null {
  const name = rest.text === '' ? '…' : codeless(rest).text
  reporter(stateCodes, section, context.found).report('N1457', piece, { function: name })
  return null
}

/** The entity of the record that an act is about; null after a report, where there is no record. */
function ownEntity(context: Context, { entity, name }: ActPlace, piece: Cell): string | null {
  if (entity === null) reporter(stateCodes, section, context.found).report('N1473', piece, { name, act: piece.text })
  return entity
}

function itself(context: Context, place: ActPlace, piece: Cell): Target | null {
  const entity = ownEntity(context, place, piece)
  return entity === null ? null : { kind: 'itself', entity, cell: piece }
}

/** What stands between two acts instead of a semicolon: a comma, a full stop, a line break, `and`. */
const between =
  /(?:\s*(?:[,.&]|<br\s*\/?>)\s*|\s+(?:and|und|then)\s+)(?=(?:set [a-z][\w.]*\s*=|let [a-z]\w*\s*=|send mail [a-z]|(?:call|go to|report) [A-Z]))/

/** N1411 at the sign that should be a semicolon; false where there is none. */
function areSeveral(context: Context, piece: Cell): boolean {
  const found = between.exec(piece.text)
  if (found === null || found.index === 0 || piece.text.slice(0, found.index).split('"').length % 2 === 0) return false
  const sign = slice(piece, found.index, found.index + found[0].length)
  const known = acts.map(act => `\`${act.written.split(' · ')[0]}\``).join(', ')
  const fix = { ...writeInstead(sign, '; '), title: 'write `;`' }
  const meant = '; write `;` between two acts'
  reporter(stateCodes, section, context.found).report(
    'N1411',
    trimmed(sign),
    { act: piece.text, meant, known },
    { fixes: [fix] },
  )
  return true
}

function reportUnknown(context: Context, piece: Cell): void {
  const near = misspelt(
    piece,
    acts.map(act => act.name),
  )
  const begin = near?.begin ?? slice(piece, 0, piece.text.search(/\s|$/))
  const meant = near === null ? '' : `; did you mean \`${near.meant}\`?`
  const known = acts.map(act => `\`${act.written.split(' · ')[0]}\``).join(', ')
  const isSet = near === null && /^[a-z]\w*(\.\w+)*\s*=[^=]/.test(codeless(piece).text)
  const fixes =
    near !== null ? [writeInstead(begin, near.meant)] : isSet ? [writeInstead(piece, `set ${piece.text}`)] : []
  reporter(stateCodes, section, context.found).report('N1411', begin, { act: piece.text, meant, known }, { fixes })
}

/** `for each lines: set item.on_loan = no`; several acts stand in brackets. */
function readEach(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const { report } = reporter(stateCodes, section, context.found)
  const parts = splitFirst(rest, ':')
  if (parts === null || parts.before.text === '' || parts.after.text === '') {
    report('N1428', piece, { what: '`for each` names records, and what happens with them behind a colon' })
    return null
  }
  const each = readNamed(context, place, parts.before, use('reaches', { by: by(place) }))
  if (each === null) return null
  const acts = readActs(context, each.inside, unbracketed(parts.after))
  return acts.length === 0 ? null : { kind: 'for each', name: each.name, of: each.of, acts, cell: piece }
}

interface Each {
  readonly name: string | null
  readonly of: Target
  readonly inside: ActPlace
}

/** `order in (Order where late)`, or the records alone. A name must not be that of a field: nobody could tell which one is meant. */
function readNamed(context: Context, place: ActPlace, cell: Cell, use: Use): Each | null {
  const named = /^([a-z][a-z0-9_]*)\s+in\s+/.exec(cell.text)
  const name = named?.[1] ?? null
  const at = { ...placeOf(place), ...(name !== null && { naming: name }) }
  const of = readTarget(context, trimmed(slice(cell, named?.[0].length ?? 0)), at, use)
  if (of === null) return null
  const inside = insideOf(place, of, name)
  const shape = context.schema.get(of.entity)!
  const names = [...(inside.records?.keys() ?? []), ...(inside.locals?.keys() ?? [])]
  const wrong = names.find(one => shape.fields.has(one) && !isItsParent(shape, of, one))
  if (wrong !== undefined) return clashes(context, cell, wrong, `it is a field of ${shape.name}`)
  if (name !== null && isNamed(place, name)) return clashes(context, cell, name, isNamedBefore)
  return { name, of, inside }
}

const isNamed = ({ records, locals }: ActPlace, name: string): boolean =>
  records?.has(name) || locals?.has(name) || false
const isNamedBefore = 'something else has that name'

function clashes(context: Context, cell: Cell, name: string, what: string, fixes: readonly Fix[] = []): null {
  reporter(stateCodes, section, context.found).report('N1465', cell, { name, what }, { fixes })
  return null
}

/** `let taken = min(rest, wanted)`, `let shelf = first(Shelf where room = this.room order by place)`. */
function readLet(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const parts = splitFirst(codeless(rest), '=')
  const name = parts?.before.text ?? ''
  if (parts === null || name === '') {
    reportUnknown(context, piece)
    return null
  }
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    return clashes(context, parts.before, name, 'names are lower-case words joined by `_`')
  const shape = place.entity === null ? undefined : context.schema.get(place.entity)
  if (!isName(name)) return clashes(context, parts.before, name, 'it is a word of expressions')
  if (shape?.fields.has(name)) {
    const fixes = [writeInstead(slice(piece, 0, 'let'.length), 'set')]
    return clashes(context, parts.before, name, `it is a field of ${shape.name}`, fixes)
  }
  if (isNamed(place, name)) return clashes(context, parts.before, name, isNamedBefore)
  const scope = { ...placeOf(place), code: true }
  const value = readAt(context, codeless(parts.after), scope, null, use('setsField', { by: by(place), field: name }))
  if (value === null || (value.type.kind !== 'list' && value.type.kind !== 'values'))
    return value === null ? null : { kind: 'let', name, value, cell: piece }
  const what = '`let` names one value, and these are several'
  reporter(stateCodes, section, context.found).report('N1428', parts.after, { what })
  return null
}

/** `order` in the rows of `order.lines`: the field and the name are the same record. */
const isItsParent = ({ parent }: EntityShape, of: Target, name: string): boolean =>
  parent === name && of.kind === 'path' && of.path.cell.text.startsWith(`${name}.`)

/** `this` stays the record that all of it happens with, however deep. */
const insideOf = (place: ActPlace, { entity }: Target, name: string | null): ActPlace => ({
  ...place,
  entity,
  about: place.about ?? place.entity,
  old: false,
  ...(name !== null && { records: new Map([...(place.records ?? []), [name, entity]]) }),
})

function unbracketed(cell: Cell): Cell {
  const { text } = cell
  return trimmed(text.startsWith('(') && text.endsWith(')') ? slice(cell, 1, text.length - 1) : cell)
}

/** `delete draft`, `delete lines`, `delete (Draft where person = me)`; alone, or as `this`, the record itself. */
function readDelete(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const { report } = reporter(stateCodes, section, context.found)
  const said = codeless(rest).text
  const of: Target | null =
    said === '' || (said === 'this' && place.about === null)
      ? itself(context, place, piece)
      : readTarget(context, rest, placeOf(place), use('deletes', { by: by(place) }))
  if (of === null) return null
  if (of.entity === 'person') {
    report('N1428', piece, { what: 'people are erased, not deleted' })
    return null
  }
  const entity = context.schema.get(of.entity)!.name
  if (heldBy(context, of.entity) !== null) {
    report('N1428', piece, { what: `${entity} is append only, and none of it is deleted` })
    return null
  }
  return { kind: 'delete', of, cell: piece }
}

/** `do settle on fine`; without `on`, of the record itself. */
function readDo(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const own = place.entity === null ? undefined : context.workflows.get(place.entity)?.steps.all
  const parts = own?.has(rest.text) ? null : splitAt(rest, 'on')
  const on: Target | null =
    parts === null
      ? itself(context, place, piece)
      : readTarget(context, parts.after, placeOf(place), use('does', { by: by(place) }))
  if (on === null) return null
  const step = findStep(context, on.entity, codeless(parts?.before ?? rest))
  return step === null ? null : { kind: 'do', step: step.key, on, cell: piece }
}

/** `create Fine with loan = this, amount = 5.00`, `create Loan with lines = for each items: (item = id)`. */
function readCreate(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const parts = splitAt(rest, 'with')
  const entity = context.entities.find(codeless(parts?.before ?? rest))
  if (entity === null) return null
  const given = readGiven(context, place, entity.key, parts === null ? [] : splitCell(parts.after, ','), 'new')
  return given && { kind: 'create', entity: entity.key, ...given, cell: piece }
}

/** What a record, or a row, is created with. */
function readGiven(
  context: Context,
  place: ActPlace,
  entity: string,
  pieces: readonly Cell[],
  of: 'new' | 'row',
  above?: Beside['above'],
): Pick<GivenRows, 'values' | 'rows'> | null {
  const { report } = reporter(stateCodes, section, context.found)
  const beside: Beside = { owner: '', pieces, ...(above && { above }) }
  const values: Given[] = []
  const rows: GivenRows[] = []
  for (const one of pieces) {
    const sides = splitFirst(one, '=')
    const each = sides === null ? null : after(sides.after, 'for each')
    const given =
      sides === null || each === null
        ? readValue(context, entity, one, one, placeOf(place), by(place), of, beside)
        : readRows(context, place, entity, { piece: one, field: codeless(sides.before), each }, beside)
    if (given === null) return null
    if ([...values, ...rows].some(({ field }) => field === given.field))
      report('N1428', one, { what: `\`${given.field}\` is given twice` })
    else if ('of' in given) rows.push(given)
    else values.push(given)
  }
  return { values, rows }
}

/** `lines = for each standing.lines: (product = product, pieces = monday)`. */
function readRows(
  context: Context,
  place: ActPlace,
  entity: string,
  { piece, field, each }: { readonly piece: Cell; readonly field: Cell; readonly each: Cell },
  beside: Beside,
): GivenRows | null {
  const { report } = reporter(stateCodes, section, context.found)
  const shape = context.schema.get(entity)
  if (shape === undefined) return null
  const type = shape.fields.get(field.text)?.type
  if (type === undefined) return noField(context, section, shape, field)
  const rows = type.kind === 'list' ? context.schema.get(type.entity) : undefined
  const parent = rows?.parent
  const above = parent === undefined ? undefined : rows!.fields.get(parent)?.type
  if (type.kind !== 'list' || above?.kind !== 'reference' || above.entity !== entity) {
    const isSeveral = context.typed.get(entity)?.fields.get(field.text)?.kind.links === true
    const why = isSeveral
      ? 'it names records that are there; write which, like `topics = project.topics`'
      : 'only a list of rows is given rows'
    report('N1413', field, { field: field.text, why })
    return null
  }
  const parts = splitFirst(each, ':')
  if (parts === null || parts.before.text === '' || parts.after.text === '') {
    report('N1428', piece, { what: '`for each` names records, and what the row for each of them holds behind a colon' })
    return null
  }
  const read = readNamed(context, place, parts.before, use('createsRows', { by: by(place) }))
  if (read === null) return null
  const pieces = splitCell(unbracketed(parts.after), ',')
  const given = readGiven(context, read.inside, type.entity, pieces, 'row', {
    ...beside,
    parent: parent!,
    read: rowsOwner(context, place, read.of),
  })
  return given && { cell: piece, field: field.text, entity: type.entity, name: read.name, of: read.of, ...given }
}

/** What rows call the record that they are rows of, where that is the one whose fields bare names are at the place; null: they are others. */
function rowsOwner({ schema }: Context, { entity }: ActPlace, of: Target): string | null {
  const shape = schema.get(of.entity)
  const type = shape?.parent === undefined ? undefined : shape.fields.get(shape.parent)?.type
  const isOwn = of.kind === 'path' && of.path.reads.length === 1 && !of.path.reads[0]!.includes('.')
  return isOwn && type?.kind === 'reference' && type.entity === entity ? shape!.parent! : null
}

function readMail(context: Context, place: ActPlace, piece: Cell, rest: Cell): Act | null {
  const parts = splitAt(rest, 'to')
  const entity = ownEntity(context, place, piece)
  const mail = entity === null ? null : context.mails.find(codeless(parts?.before ?? rest))
  if (entity === null || mail === null) return null
  mail.usedBy.set(entity, piece)
  const found = parts === null ? null : typeAt(context, parts.after, placeOf(place))
  const wanted: Type | null = found !== null && isPeople(found) ? null : { kind: 'reference', entity: 'person' }
  const to =
    parts === null ? null : readAt(context, parts.after, placeOf(place), wanted, use('sendsMail', { by: by(place) }))
  return { kind: 'send mail', mail: mail.key, to, cell: piece }
}
