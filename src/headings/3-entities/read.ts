/** Heading 3 into the model: everything about a field that is an expression, once all entities have their shapes. */

import { codeless, splitAt, splitCell, within } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nearest } from '../../document/nearest.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Checked } from '../../expression/checked.ts'
import { computedOf, mayBeEmpty, partsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import type { EntityShape, Type } from '../../expression/type.ts'
import { fileTypes, readSize } from '../../kinds/fields/file/types.ts'
import { readSort } from '../2-screens/fields.ts'
import { findStep } from '../4-states/declare.ts'
import { readRoles } from '../6-permissions/declare.ts'
import { type Context, readAt, readList, readSpecified } from '../context.ts'
import { open, type Use, use } from '../gaps/gap.ts'
import { readAppendOnly } from './append-only.ts'
import { readArchives } from './archives.ts'
import { readByHand } from './by-hand.ts'
import { checkRules, counted } from './check-rules.ts'
import { entityCodes } from './codes.ts'
import { readCurrency } from './exchange.ts'
import { readFace } from './face-line.ts'
import { checkPersonal, readKeep, readReadLog } from './keep.ts'
import { readMarks } from './marks.ts'
import type { Entity, Field } from './model.ts'
import { fieldKey } from './no-field.ts'
import { readPattern, shownPattern } from './pattern.ts'
import { readChoosing, readNoOverlap, readRefusals, readWhile, withinField } from './relations.ts'
import { type FieldRule, withoutOf } from './rules.ts'
import { readSamples } from './samples.ts'
import { checkSearches, searchesIn } from './searching.ts'
import { type FieldDraft, readComputed, type TypedEntity } from './shape.ts'
import { namingOf } from './titles.ts'

const section = 3
const yesNo: Type = { kind: 'yes/no' }

/** Reads all entities. Shapes and limits must be known. */
export function readEntities(context: Context): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>()
  for (const entity of context.typed.values()) entities.set(entity.draft.key, readEntity(context, entity))
  return entities
}

function readEntity(context: Context, entity: TypedEntity): Entity {
  const { draft, parent } = entity
  const shape = context.schema.get(draft.key)!
  const fields = [...entity.fields.values()].map(field => readField(context, entity, shape, field))
  for (const field of fields) checkPersonal(context, draft.name, field)
  const face = readFace(context, entity, fields)
  return {
    key: draft.key,
    name: draft.name,
    cell: draft.cell,
    was: draft.was,
    partOf: parent?.key ?? null,
    fields,
    shape,
    ...namingOf(context.typed, entity, fields, face),
    face,
    builtIn: draft.builtIn,
    samples: readSamples(context, entity),
    comments: readDisclosedTo(context, entity, comments),
    timeline: readDisclosedTo(context, entity, timeline),
    refused: readDisclosedTo(context, entity, refused),
    once: readOnce(context, entity, shape),
    appendOnly: readAppendOnly(context, entity),
    archives: readArchives(context, entity),
    frozen: readFrozen(context, entity, shape),
    keep: readKeep(context, entity, fields),
    marks: readMarks(context, entity),
    order: readOrder(context, entity),
    readLog: readReadLog(context, entity),
    signInWhen: readSignIn(context, entity),
    table: readTable(context, entity),
    meaning: draft.meaning,
  }
}

/** `- **Frozen:** on submit until send back, except remarks`. */
function readFrozen(context: Context, { draft, frozen }: TypedEntity, shape: EntityShape): Entity['frozen'] {
  if (frozen === null) return null
  const except = splitAt(draft.frozen!, 'except')?.after
  const fields = except === undefined ? [] : readList(context, except, ',', open(section, 'frozen'))
  return { ...frozen, except: fields.flatMap(piece => fieldKey(context, section, shape, codeless(piece)) ?? []) }
}

/** `- **Once per:** reference`. */
function readOnce(context: Context, { draft, parent }: TypedEntity, shape: EntityShape): string | null {
  const { once: cell } = draft
  if (cell === null || nothing(cell) !== null) return null
  const key = fieldKey(context, section, shape, codeless(cell))
  const field = key === null ? undefined : shape.fields.get(key)
  const isGiven = field?.computed === undefined && ['text', 'integer', 'reference'].includes(field?.type.kind ?? 'text')
  const why =
    parent !== null
      ? `rows are made with their ${parent.name}`
      : isGiven
        ? null
        : 'what tells repetitions is a text, a whole number or a reference that whoever makes a record gives'
  if (why === null) return key
  reporter(entityCodes, section, context.found).report('N1378', cell, { why })
  return null
}

/** Rows of a parent stand as they were put; a secret is never read, and so orders nothing. */
function readOrder(context: Context, { draft, parent, fields }: TypedEntity): Entity['order'] {
  const { key, order } = draft
  if (order === null || nothing(order) !== null) return []
  const { report } = reporter(entityCodes, section, context.found)
  if (parent !== null) {
    report('N1361', order, { why: `rows stand as they were put into their ${parent.name}` })
    return []
  }
  return (
    readByHand(context, { draft }) ??
    readSort(context, key, order, section).filter(({ field, cell }) => {
      const isSecret = fields.get(field)?.type.kind === 'secret'
      if (isSecret) report('N1361', cell, { why: `\`${field}\` is secret, and nothing is sorted by it` })
      return !isSecret
    })
  )
}

/** Over the person's own record, so that it can be asked before anything else is known. */
function readSignIn(context: Context, { draft }: TypedEntity): Expression | null {
  const { key, name, builtIn, signInWhen: cell } = draft
  if (cell === null || nothing(cell) !== null) return null
  const { report } = reporter(entityCodes, section, context.found)
  if (!builtIn) {
    report('N1364', cell, { why: `people sign in, and ${name} is no person` })
    return null
  }
  const when = readAt(context, cell, { section, entity: key }, yesNo, use('signInWhen'))
  const read = when?.reads.find(one => one === 'me' || /^(?:my|limits)\./.test(one))
  if (read === undefined) return when
  report('N1364', cell, { why: `\`${read}\` is not known before somebody is in; name the fields of the person` })
  return null
}

/** Rows of a parent have a place among the others, which no table of another application knows. */
function readTable(context: Context, { draft, parent }: TypedEntity): Cell | null {
  const { name, table } = draft
  if (table === null || nothing(table) !== null) return null
  if (parent === null) return table
  const { report } = reporter(entityCodes, section, context.found)
  report('N1342', table, { entity: name, key: 'Table', parent: parent.name })
  return null
}

interface DisclosedTo {
  readonly key: 'comments' | 'timeline' | 'refused'
  readonly without: 'N1334' | 'N1366'
}

const comments: DisclosedTo = {
  key: 'comments',
  without: 'N1334',
}
const timeline: DisclosedTo = {
  key: 'timeline',
  without: 'N1366',
}
const refused: DisclosedTo = {
  key: 'refused',
  without: 'N1366',
}

/** Roles, or `none`, of those that are told more of a record than its fields. */
function readDisclosedTo(
  context: Context,
  { draft, parent }: TypedEntity,
  { key, without }: DisclosedTo,
): Entity['comments'] {
  const { name, [key]: cell } = draft
  if (cell === null) return null
  if (parent !== null) {
    const { report } = reporter(entityCodes, section, context.found)
    report(without, cell, { entity: name, parent: parent.name })
  }
  return readSpecified(context, cell, open(section, key, { entity: name }), written =>
    nothing(written) === 'none' ? { cell: written, roles: [] } : readRoles(context, written, section),
  )
}

function readField(context: Context, entity: TypedEntity, shape: EntityShape, field: FieldDraft): Field {
  const { type } = field
  const of = { field: field.key, entity: entity.draft.name }
  const read = (cell: Cell, expected: Type | null, use: Use) =>
    checkSearches(context, shape.key, readAt(context, cell, { section, entity: shape.key }, expected, use))
  const rules = checkRules(context, entity, field)
  const required = rules.get('required')
  const condition = required === undefined || required.argument.text === '' ? null : whenOf(required.argument)
  const defaultRule = rules.get('default')
  const copied = rules.get('copied from')
  const readOnly = rules.get('read-only')
  const setBy = rules.get('set by steps only') ?? rules.get('set by calls only')
  const computedShape = shape.fields.get(field.key)!
  const conditionOf = (rule: 'only when' | 'read-only when', use: Use) => {
    const cell = rules.get(rule)?.argument
    return cell === undefined ? null : read(cell, yesNo, use)
  }
  const bounds = boundsOf(context, entity, { ...field, rules }, read)
  return {
    key: field.key,
    cell: field.cell,
    was: field.was,
    label: field.label,
    kind: field.kind.name,
    typeCell: field.typeCell,
    parameters: field.parameters,
    type,
    optional: mayBeEmpty(computedShape),
    required:
      required === undefined
        ? null
        : {
            cell: required.cell,
            when: condition && read(condition, yesNo, use('required', of)),
          },
    refusals: readRefusals(context, shape.key, rules),
    currency: readCurrency(context, entity, field),
    unique: uniqueOf(context, entity, shape, { ...field, rules }),
    default:
      defaultRule === undefined ? null : readDefault(context, entity, defaultRule.argument, type, use('default', of)),
    ...bounds,
    pattern: patternOf(context, { ...field, rules }),
    types: typesOf(context, { ...field, rules }),
    most: mostOf(context, { ...field, rules }),
    readOnly:
      readOnly === undefined
        ? null
        : { cell: readOnly.cell, after: readOnly.argument.text === '' ? 'always' : 'create' },
    readOnlyWhen: conditionOf('read-only when', use('readOnlyWhen', of)),
    onlyWhen: conditionOf('only when', use('onlyWhen', of)),
    noOverlap: readNoOverlap(context, entity, shape, field, rules.get('no overlap of')),
    chooseFrom: readChoosing(context, entity, field, rules.get('choose from')),
    assignedFrom: readChoosing(context, entity, field, rules.get('assigned from')),
    gapless: rules.get('gapless')?.cell ?? null,
    givenOn: readGivenOn(context, shape.key, rules.get('given on')),
    frozen: rules.has('frozen on') ? field.frozen : null,
    personal: rules.get('personal')?.cell ?? null,
    setBy:
      setBy !== undefined
        ? { cell: setBy.cell, who: setBy.name === 'set by steps only' ? 'steps' : 'calls' }
        : field.kind.received
          ? { cell: field.typeCell, who: 'calls' }
          : null,
    hidden: rules.get('hidden')?.cell ?? null,
    display: rules.get('display')?.cell ?? null,
    searchable: rules.get('searchable')?.cell ?? null,
    copiedFrom:
      copied !== undefined
        ? readCopied(context, entity, field, copiedPath(copied.argument), read)
        : computedShape.renewed === undefined
          ? null
          : readRenewed(context, entity, shape, field),
    renewed: computedShape.renewed === true,
    computed: computedOf(computedShape),
    meaning: field.meaning,
  }
}

/** `given on submit, resubmit`: steps of the entity. */
function readGivenOn(context: Context, entity: string, rule: FieldRule | undefined): Field['givenOn'] {
  if (rule === undefined) return null
  const steps = splitCell(rule.argument, ',').flatMap(piece => findStep(context, entity, codeless(piece))?.key ?? [])
  return { cell: rule.cell, steps }
}

/**
 * What code works out and the database keeps must go by the record alone, its rows included: only then it is right whenever the
 * record is written, and stays so.
 */
function readRenewed(context: Context, entity: TypedEntity, shape: EntityShape, field: FieldDraft): Expression | null {
  const { argument } = field.rules.get('=')!
  const read = readComputed(context, entity.draft, field, argument, true)
  if (read === null) return null
  const [searched] = searchesIn(context, read.root, true, new Set())
  const other =
    searched === undefined ? read.reads.find(path => !isOwnValue(context, shape, path)) : searched.search.source.entity
  const whole = referencesGiven(read.root)[0]
  if (other === undefined && whole === undefined) return read
  if (other !== undefined && isOwnNumber(entity, other)) {
    reportUnnumbered(context, argument, field, other)
    return null
  }
  reporter(entityCodes, section, context.found).report('N1335', argument, { field: field.key, reads: other ?? whole! })
  return null
}

/** `copied from …`: what it reads is there when the record is created. */
function readCopied(
  context: Context,
  entity: TypedEntity,
  field: FieldDraft,
  path: Cell,
  read: Read,
): Expression | null {
  const copied = read(path, field.type, use('copied', { field: field.key, entity: entity.draft.name }))
  const number = copied?.reads.find(own => isOwnNumber(entity, own))
  if (number === undefined) return copied
  reportUnnumbered(context, path, field, number)
  return null
}

const isOwnNumber = ({ fields }: TypedEntity, path: string): boolean => fields.get(path)?.kind.name === 'auto number'

/** N1373: a record has its number when it is stored. */
const reportUnnumbered = (context: Context, cell: Cell, field: FieldDraft, reads: string): void =>
  reporter(entityCodes, section, context.found).report('N1373', cell, { field: field.key, reads })

/** A field of the record or of its rows that is written before the code is asked. */
function isOwnValue(context: Context, { fields, key }: EntityShape, path: string): boolean {
  const [first = '', second, third] = path.split('.')
  const isWritten = (entity: string, field: string) => {
    if (field === 'state') return true
    const shape = context.schema.get(entity)?.fields.get(field)
    const draft = context.typed.get(entity)?.fields.get(field)
    return (
      shape !== undefined && shape.renewed === undefined && draft !== undefined && draft.kind.name !== 'auto number'
    )
  }
  const list = fields.get(first)?.type
  if (!isWritten(key, first) || second === undefined) return isWritten(key, first)
  const isRow = list?.kind === 'list' && context.schema.get(list.entity)?.parent !== undefined
  return third === undefined && isRow && isWritten(list.entity, second)
}

/** Records that functions are given as a whole by way of a reference. */
const referencesGiven = (node: Checked): readonly string[] => [
  ...(node.op === 'function'
    ? node.arguments.flatMap(one =>
        one.op === 'field' && one.type.kind === 'reference' ? [one.path.steps.map(({ field }) => field).join('.')] : [],
      )
    : []),
  ...partsOf(node).flatMap(referencesGiven),
]

/** A default is asked for before there is a record: it may read who asks, the day and the constants. */
function readDefault(context: Context, entity: TypedEntity, cell: Cell, type: Type, use: Use): Expression | null {
  const read = readAt(context, cell, { section, entity: entity.draft.key, code: true }, type, use)
  const own = read?.reads.find(path => !/^(me|my|today|now|limits)\b/.test(path))
  if (own === undefined) return read
  reporter(entityCodes, section, context.found).report('N1320', cell, { field: own })
  return null
}

/** `when state = Out` → the condition. */
const whenOf = (argument: Cell): Cell => splitAt(argument, 'when')?.after ?? argument

/** `item.value on create` → the path. */
const copiedPath = (argument: Cell): Cell => splitAt(argument, 'on create')?.before ?? argument

type Read = (cell: Cell, expected: Type | null, use: Use) => Expression | null

/** `min`, `max` and `from … to …`. Texts and lists are bounded in length: then a bound is a whole number. */
function boundsOf(context: Context, entity: TypedEntity, field: FieldDraft, read: Read): Pick<Field, 'min' | 'max'> {
  const { report } = reporter(entityCodes, section, context.found)
  const expected: Type = counted.has(field.type.kind) ? { kind: 'integer' } : field.type
  const unchecked = use('bounds', { field: field.key, entity: entity.draft.name })
  const bound = (cell: Cell | undefined) => (cell === undefined ? null : read(cell, expected, unchecked))
  const both = field.rules.get('from')
  if (both === undefined)
    return { min: bound(field.rules.get('min')?.argument), max: bound(field.rules.get('max')?.argument) }
  const ends = splitAt(both.argument, 'to')
  if (ends === null) {
    report('N1306', both.cell, { rule: both.cell.text, meant: '', known: '`from 1 to 9`, `min 1`, `max 9`' })
    return { min: null, max: null }
  }
  return { min: bound(ends.before), max: bound(ends.after) }
}

function patternOf(context: Context, field: FieldDraft): Field['pattern'] {
  const rule = field.rules.get('pattern')
  if (rule === undefined) return null
  const read = readPattern(rule.argument.text)
  if ('source' in read) {
    const { source, signs } = read
    return { cell: rule.cell, source, shown: shownPattern(rule.argument.text, signs), signs }
  }
  const place = within(rule.argument, read.at, read.at + read.length)
  reporter(entityCodes, section, context.found).report('N1311', place, { wrong: read.wrong })
  return null
}

/** `types JPEG, PNG`; without it, what the kind of field takes. What is not understood is reported and left out. */
function typesOf(context: Context, { kind, typeCell, rules }: FieldDraft): Field['types'] {
  const rule = rules.get('types')
  if (rule === undefined) return kind.files === undefined ? null : { cell: typeCell, names: kind.files }
  const known = Object.keys(fileTypes)
  const { report } = reporter(entityCodes, section, context.found)
  const names = splitCell(rule.argument, ',').flatMap(cell => {
    const name = known.find(one => one.toLowerCase() === cell.text.toLowerCase())
    if (name !== undefined) return [name]
    const meant = alsoCalled[cell.text.toLowerCase()] ?? nearest(cell.text, known)
    const fixes = meant === null ? [] : [writeInstead(cell, meant)]
    report(
      'N1331',
      cell,
      { name: cell.text, meant: meant === null ? '' : `; did you mean \`${meant}\`?`, known: known.join(', ') },
      { fixes },
    )
    return []
  })
  return { cell: rule.cell, names: [...new Set(names)] }
}

const alsoCalled: Readonly<Record<string, string>> = {
  jpg: 'JPEG',
  csv: 'text',
  txt: 'text',
  docx: 'Word',
  xlsx: 'Excel',
  pptx: 'PowerPoint',
  heif: 'HEIC',
  tif: 'TIFF',
}

/** `at most 5 MB`. */
function mostOf(context: Context, { rules }: FieldDraft): Field['most'] {
  const rule = rules.get('at most')
  if (rule === undefined) return null
  const bytes = readSize(rule.argument.text)
  if (bytes !== null) return { cell: rule.cell, bytes, shown: rule.argument.text }
  reporter(entityCodes, section, context.found).report('N1332', rule.argument, { size: rule.argument.text })
  return null
}

/** `unique`, `unique without case`, `unique within Loan`, `unique within borrower, item`, `… while state = Open`. */
function uniqueOf(context: Context, entity: TypedEntity, shape: EntityShape, field: FieldDraft): Field['unique'] {
  const rule = field.rules.get('unique')
  if (rule === undefined)
    return field.kind.entered ? null : { cell: field.typeCell, without: null, within: [], while: null }
  const { without, rest } = withoutOf(rule.argument)
  const condition = splitAt(rest, 'while')
  const within = splitAt(condition?.before ?? rest, 'within')
  const twice = use('unique', { field: field.key, entity: entity.draft.name })
  return {
    cell: rule.cell,
    without,
    within:
      within === null ? [] : splitCell(within.after, ',').flatMap(cell => withinField(context, entity, shape, cell)),
    while: condition === null ? null : readWhile(context, shape, condition.after, twice),
  }
}
