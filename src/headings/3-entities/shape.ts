/** Fields with their types, and the shapes that expressions see: read before any expression is. */

import { renamed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { archivedAt } from '../../expression/archived.ts'
import { isFixed, isVaried } from '../../expression/currency.ts'
import { decisionsOf, decisionsShape } from '../../expression/decisions.ts'
import type { Expression } from '../../expression/expression.ts'
import { isPercent } from '../../expression/fit.ts'
import { codeOf, isName, labelOf, nameMeant, stepKeyOf } from '../../expression/names.ts'
import { type EntityShape, type FieldShape, namesIn, type TenantShape, type Type } from '../../expression/type.ts'
import type { FieldKind, FieldParameters } from '../../kinds/fields/field-kind.ts'
import { fieldKind, fieldKinds, readType } from '../../kinds/fields/index.ts'
import type { WorkflowDraft } from '../4-states/declare.ts'
import { type Context, cellOrNull, leaveOpen, listed, readAt, typeAt } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { bothPlaces, evened, placeOf, writeNearest } from '../names.ts'
import { isArchiving } from './archives.ts'
import { builtInName } from './built-in-names.ts'
import { isByHand, placeField } from './by-hand.ts'
import { entityCodes } from './codes.ts'
import { type EntityDraft, whyNoName } from './declare.ts'
import { withFixedCurrency } from './exchange.ts'
import { frozenSteps, keptAs, readFrozen, unlessFrozen } from './frozen.ts'
import type { Frozen } from './model.ts'
import { type FieldRules, type RuleName, readRules } from './rules.ts'

const section = 3

export interface FieldDraft {
  readonly key: string
  readonly cell: Cell
  readonly was: string | null
  readonly label: string
  readonly kind: FieldKind
  readonly typeCell: Cell
  readonly parameters: FieldParameters
  readonly type: Type
  readonly rules: FieldRules
  readonly optional: boolean
  readonly builtIn: boolean
  readonly frozen: Frozen | null
  readonly meaning: Cell | null
}

/** An entity whose fields are known by name and type. */
export interface TypedEntity {
  readonly draft: EntityDraft
  readonly parent: EntityDraft | null
  readonly fields: ReadonlyMap<string, FieldDraft>
  /** From which steps on a record stays as it is. */
  readonly frozen: Frozen | null
}

/** Reads the types of all fields and fills `context.typed` and `context.schema`. Workflows must be declared. */
export function readShapes(context: Context): void {
  const { typed, entityByKey: drafts } = context
  const byName = new Map([...drafts.values()].map(({ name, key }) => [name, key]))
  for (const draft of drafts.values()) {
    const parent = draft.partOf === null ? null : context.entities.find(draft.partOf)
    const frozen = frozenSteps(context, draft, parent)
    const fields = readFields(context, draft, parent, byName)
    for (const field of unseenFields(context, fields, frozen, byName)) fields.set(field.key, field)
    typed.set(draft.key, { draft, parent, fields, frozen })
  }
  reportCircles(context, typed)
  reportDepth(context, typed)
  checkPeople(context)
  for (const entity of typed.values()) {
    const shape = shapeOf(context, entity)
    context.schema.set(shape.key, shape)
    if (shape.decided !== undefined) context.schema.set(decisionsOf(shape.key), decisionsShape(shape))
  }
}

function readFields(
  context: Context,
  draft: EntityDraft,
  parent: EntityDraft | null,
  byName: ReadonlyMap<string, string>,
): Map<string, FieldDraft> {
  const { report } = reporter(entityCodes, section, context.found)
  const fields = new Map<string, FieldDraft>()
  if (draft.builtIn) for (const field of personFields(draft.cell, byName)) fields.set(field.key, field)
  const tenant = tenantField(context, draft, parent, byName)
  if (tenant !== null) fields.set(tenant.key, tenant)
  for (const row of draft.rows) {
    const { name: cell, was } = renamed(row.cell('Field')!)
    const taken = builtInName(context, draft, parent, cell.text)
    const first = fields.get(cell.text)
    if (cell.text === '') continue
    if (!isName(cell.text)) {
      const key = nameMeant(cell.text)
      const fixes = isName(key) ? [writeInstead(cell, key)] : []
      const why = isName(key) ? 'it is not one lower-case word' : whyNoName(key)
      report('N1309', cell, { name: cell.text, why }, { fixes })
    } else if (taken !== null) report('N1317', cell, { name: cell.text, what: taken })
    else if (first?.builtIn) report('N1317', cell, { name: cell.text, what: `every ${draft.name} has it` })
    else if (first !== undefined)
      report('N1303', cell, { entity: draft.name, field: cell.text }, bothPlaces(cell, first.cell))
    else {
      const field = readField(context, draft, parent, row, cell, was, byName)
      fields.set(field.key, field)
    }
  }
  return fields
}

/** Whether nobody wrote it down: it keeps what is frozen. */
const isKeeping = ({ builtIn, rules }: FieldDraft): boolean => builtIn && rules.has('set by steps only')

/** What keeps what is frozen: a mark for each way to freeze, and the values of what is worked out. */
function unseenFields(
  context: Context,
  fields: ReadonlyMap<string, FieldDraft>,
  frozen: Frozen | null,
  byName: ReadonlyMap<string, string>,
): readonly FieldDraft[] {
  const { report } = reporter(entityCodes, section, context.found)
  const found = new Map<string, FieldDraft>()
  const keep = (cell: Cell, key: string, type: string) => {
    const taken = fields.get(key)
    if (taken !== undefined) report('N1317', taken.cell, { name: key, what: `it keeps what \`${cell.text}\` says` })
    else found.set(key, builtInField(cell, byName, key, type, 'hidden', 'set by steps only'))
  }
  if (frozen !== null) keep(frozen.cell, frozen.mark, 'date and time')
  for (const { key, frozen, rules, typeCell, type } of fields.values()) {
    if (frozen === null) continue
    keep(frozen.cell, frozen.mark, 'date and time')
    if ((rules.has('=') || rules.has('follows')) && type.kind !== 'error') keep(frozen.cell, keptAs(key), typeCell.text)
  }
  return [...found.values()]
}

function readField(
  context: Context,
  draft: EntityDraft,
  parent: EntityDraft | null,
  row: EntityDraft['rows'][number],
  cell: Cell,
  was: Cell | null,
  byName: ReadonlyMap<string, string>,
): FieldDraft {
  const typeCell = withFixedCurrency(context, row.cell('Type')!)
  const rules = readRules(context, row.cell('Rules'))
  const { kind, parameters, type } = readFieldType(context, draft, typeCell, cell, byName)
  const freeze = rules.get('frozen on')
  return {
    key: cell.text,
    cell,
    was: was?.text ?? null,
    label: cellOrNull(row.cell('Label'))?.text ?? labelOf(cell.text),
    kind,
    typeCell,
    parameters,
    type,
    rules,
    optional: mayBeEmpty(kind, type, rules),
    builtIn: false,
    frozen: freeze === undefined ? null : readFrozen(context, draft, parent, freeze.argument, freeze.cell),
    meaning: cellOrNull(row.cell('Meaning')),
  }
}

/** A yes/no with a default is a check box, which is never empty; lists are empty lists, numbers are given by the application. */
function mayBeEmpty(kind: FieldKind, type: Type, rules: FieldRules): boolean {
  if (rules.has('only when') || rules.has('given on')) return true
  const required = rules.get('required')
  if (required !== undefined && required.argument.text === '') return false
  if (type.kind === 'list' || !kind.entered) return false
  return !(type.kind === 'yes/no' && rules.has('default'))
}

function readFieldType(
  context: Context,
  draft: EntityDraft,
  cell: Cell,
  field: Cell,
  byName: ReadonlyMap<string, string>,
): { readonly kind: FieldKind; readonly parameters: FieldParameters; readonly type: Type } {
  const { report } = reporter(entityCodes, section, context.found)
  const failed = { kind: fieldKind('text'), parameters: {}, type: { kind: 'error' } } as const
  const kind = nothing(cell)
  if (kind === 'empty' || (typeof kind === 'object' && kind !== null)) {
    const left = open(section, 'fieldType', { field: `${draft.name}.${field.text}` })
    leaveOpen(context, cell, left, kind === 'empty' ? undefined : kind)
    return { ...failed, type: { kind: 'text' } }
  }
  const read = readType(cell, byName, `${draft.name}.${field.text}`)
  if ('kind' in read) return read
  const span = read.span ?? placeOf(cell)
  report(
    'N1305',
    span,
    {
      type: cell.text,
      wrong: read.wrong,
      help: `Types are ${[...fieldKinds.values()].map(({ written }) => `\`${written}\``).join(', ')}.`,
    },
    {
      fixes: read.suggestion === undefined ? writeNearest(cell, byName.keys()) : [writeInstead(span, read.suggestion)],
    },
  )
  return failed
}

/** `Person` has a name and an e-mail address, whatever the document adds. */
const personFields = (cell: Cell, byName: ReadonlyMap<string, string>): readonly FieldDraft[] => [
  builtInField(cell, byName, 'name', 'text 120', 'required', 'searchable'),
  builtInField(cell, byName, 'email', 'e-mail', 'required', 'unique'),
]

function builtInField(
  cell: Cell,
  byName: ReadonlyMap<string, string>,
  key: string,
  type: string,
  ...names: readonly RuleName[]
): FieldDraft {
  const written = (text: string): Cell => ({ ...placeOf(cell), text, gaps: [] })
  const read = readType(written(type), byName, key)
  if (!('kind' in read)) throw new Error(`The built-in field ${key} has no type: ${read.wrong}.`)
  const rules = new Map(names.map(name => [name, { name, cell: written(name), argument: written(''), orElse: null }]))
  return {
    key,
    cell: written(key),
    was: null,
    label: key === 'email' ? 'E-mail' : labelOf(key),
    kind: read.kind,
    typeCell: written(type),
    parameters: read.parameters,
    type: read.type,
    rules,
    optional: mayBeEmpty(read.kind, read.type, rules),
    builtIn: true,
    frozen: null,
    meaning: null,
  }
}

/** Where heading 1 names a tenant, whose a record is stands in it, unseen. There may be people who belong to none. */
function tenantField(
  context: Context,
  draft: EntityDraft,
  parent: EntityDraft | null,
  byName: ReadonlyMap<string, string>,
): FieldDraft | null {
  const { tenant } = context
  if (tenant === null || !isApart(context, draft) || draft.key === tenant.entity || parent?.key === tenant.entity)
    return null
  const type = context.entityByKey.get(tenant.entity)!.name
  const rules = draft.builtIn ? (['hidden'] as const) : (['hidden', 'required'] as const)
  return builtInField(tenant.cell, byName, tenant.field, type, ...rules)
}

/** Whether the records of an entity belong to tenants; rows do as what they are part of. */
function isApart(context: Context, draft: EntityDraft): boolean {
  const way = new Set<EntityDraft>()
  for (let at: EntityDraft | null = draft; at !== null && !way.has(at); ) {
    if (at.shared !== null) return false
    way.add(at)
    at = at.partOf === null ? null : (context.entities.all.get(evened(at.partOf.text)) ?? null)
  }
  return context.tenant !== null
}

/** By which field a record names its tenant: it is one, it is a row of one, or it has the field. */
function tenantOf(context: Context, { draft, parent }: TypedEntity): TenantShape | null {
  const { tenant } = context
  if (tenant === null || !isApart(context, draft)) return null
  const { entity, field: person } = tenant
  return { entity, person, field: draft.key === entity ? 'id' : parent?.key === entity ? parent.key : person }
}

/** People who are everybody's name their tenant in a field that the document gives them. */
function checkPeople(context: Context): void {
  const { tenant } = context
  const person = context.typed.get('person')
  if (tenant === null || person === undefined || person.draft.shared === null) return
  const type = person.fields.get(tenant.field)?.type
  if (type?.kind === 'reference' && type.entity === tenant.entity) return
  const parameters = { field: tenant.field, entity: context.entityByKey.get(tenant.entity)!.name }
  reporter(entityCodes, section, context.found).report('N1351', person.draft.shared, parameters)
}

function shapeOf(context: Context, entity: TypedEntity): EntityShape {
  const { draft, parent, fields } = entity
  const tenant = tenantOf(context, entity)
  const shapes = new Map<string, FieldShape>()
  shapes.set('id', { key: 'id', type: { kind: 'reference', entity: draft.key }, optional: false })
  if (parent !== null) {
    shapes.set(parent.key, { key: parent.key, type: { kind: 'reference', entity: parent.key }, optional: false })
    shapes.set(placeField, { key: placeField, type: { kind: 'integer' }, optional: false })
  }
  for (const field of fields.values()) shapes.set(field.key, fieldShape(context, draft, field))
  const workflow = context.workflows.get(draft.key)
  if (workflow !== undefined) {
    const options = [...workflow.states.all.keys()]
    shapes.set('state', { key: 'state', type: { kind: 'choice', of: `${draft.name}.state`, options }, optional: false })
  }
  // Rows are changed with what they are part of.
  for (const verb of parent === null ? ['created', 'changed'] : ['created']) {
    shapes.set(`${verb}_at`, { key: `${verb}_at`, type: { kind: 'moment' }, optional: false })
    const byPerson = { key: `${verb}_by`, type: { kind: 'reference', entity: 'person' }, optional: true } as const
    // People are often created by nobody, and who created whom is no tree of people (`within`).
    if (draft.key !== 'person') shapes.set(byPerson.key, byPerson)
  }
  const archives = isArchiving(draft)
  if (archives) shapes.set(archivedAt, { key: archivedAt, type: { kind: 'moment' }, optional: true })
  if (isByHand(draft)) shapes.set(placeField, { key: placeField, type: { kind: 'decimal' }, optional: true })
  return {
    key: draft.key,
    name: draft.name,
    fields: shapes,
    ...(parent === null ? {} : { parent: parent.key }),
    ...(draft.table === null ? {} : { elsewhere: true as const }),
    ...(archives ? { archives } : {}),
    ...(workflow === undefined || workflow.approvalRows.length === 0 ? {} : { decided: decidedIn(workflow) }),
    ...(tenant === null ? {} : { tenant }),
  }
}

const decidedIn = ({ approvalRows }: WorkflowDraft): EntityShape['decided'] => ({
  steps: new Set(approvalRows.map(row => stepKeyOf(row.cell('Of')!.text))),
  approvals: new Set(approvalRows.map(row => codeOf(row.cell('Approval')!.text))),
})

function fieldShape(context: Context, draft: EntityDraft, field: FieldDraft): FieldShape {
  const { key, type, optional, frozen } = field
  const rule = field.rules.get('=') ?? field.rules.get('follows')
  if (rule === undefined) return isKeeping(field) ? { key, type, optional, unseen: true } : { key, type, optional }
  if (isRenewed(context, field)) return { key, type, optional: true, renewed: true }
  let read: Expression | null | undefined
  const computed = () => {
    if (read === undefined) read = readComputed(context, draft, field, rule.argument)
    return read === null || frozen === null ? read : unlessFrozen(read, draft.key, key, frozen.mark)
  }
  return { key, type, optional: true, computed }
}

/** Whether a computed field asks a function in TypeScript, so that the database cannot compute it. */
function isRenewed({ functions }: Context, { rules }: Pick<FieldDraft, 'rules'>): boolean {
  const written = rules.get('=')?.argument.text ?? ''
  return [...written.matchAll(/\b([a-z][a-z0-9_]*)\s*\(/g)].some(([, name]) => functions.has(name!))
}

/** The expression of a computed field. Where it has another type than the field, that is said of the field. */
export function readComputed(
  context: Context,
  draft: EntityDraft,
  field: FieldDraft,
  cell: Cell,
  code = false,
): Expression | null {
  const place = { section, entity: draft.key, code, converts: !code }
  const before = context.found.length
  const read = readAt(context, cell, place, field.type, use('computed', { field: field.key, entity: draft.name }))
  const isAlone = context.found.length === before + 1 && context.found.at(-1)!.code !== 'N0235'
  const other = isAlone ? typeAt(context, cell, place) : null
  const wanted = other === null ? null : writtenType(other)
  // What was found may be about another computed field, which is read on the way.
  if (wanted === null || wanted === writtenType(field.type) || field.type.kind === 'error') return read
  context.found.pop()
  const { currency } = field.parameters
  const isFactor = currency !== undefined && other!.kind === 'decimal'
  const fixes = isFactor ? [] : [writeInstead(field.typeCell, wanted)]
  const help = isFactor
    ? `A product is an amount where one factor is: give the price per unit the type \`money ${currency}\`, or \`money ${currency} 4\` with four decimals.`
    : 'Change the type or the expression.'
  const related = [{ span: field.typeCell, message: 'the type of the field' }]
  const { report } = reporter(entityCodes, section, context.found)
  report('N1318', cell, { found: wanted, declared: field.typeCell.text, help }, { related, fixes })
  return null
}

/** How a type is written in a Type cell; null for one that a field cannot have. */
function writtenType(type: Type): string | null {
  if (isFixed(type)) return `money ${type.currency}${type.places === undefined ? '' : ` ${type.places}`}`
  if (isVaried(type)) return `money in ${type.currency.of}`
  if (type.kind === 'moment') return 'date and time'
  if (isPercent(type)) return 'percent'
  return ['text', 'integer', 'decimal', 'yes/no', 'date', 'time', 'duration'].includes(type.kind) ? type.kind : null
}

/** Parts that are parts of themselves would never end. */
function reportCircles(context: Context, typed: ReadonlyMap<string, TypedEntity>): void {
  const { report } = reporter(entityCodes, section, context.found)
  const seen = new Set<string>()
  for (const { draft } of typed.values()) {
    const way: EntityDraft[] = []
    let at: EntityDraft | null = draft
    while (at !== null && !way.includes(at)) {
      way.push(at)
      at = typed.get(at.key)?.parent ?? null
    }
    if (at === draft && !way.some(entity => seen.has(entity.key))) {
      for (const entity of way) seen.add(entity.key)
      report('N1314', draft.partOf!, { circle: [...way, draft].map(entity => entity.name).join(', part of ') })
    }
  }
}

/** A record, its rows, theirs, and the rows of these: what forms can show and people can read in one place. */
const mostLevels = 4

/** Rows that lie too deep. What is part of those is told by them. */
function reportDepth(context: Context, typed: ReadonlyMap<string, TypedEntity>): void {
  const { report } = reporter(entityCodes, section, context.found)
  for (const { draft, parent } of typed.values()) {
    const way: EntityDraft[] = [draft]
    for (let at = parent; at !== null && !way.includes(at); at = typed.get(at.key)?.parent ?? null) way.push(at)
    const isCircle = typed.get(way.at(-1)!.key)?.parent != null
    if (isCircle || way.length !== mostLevels + 1) continue
    const [, above, over] = way.map(({ name }) => name)
    const top = way.at(-1)!.name
    report('N1371', draft.partOf!, { entity: draft.name, parent: above!, over: over!, top, field: parent!.key })
  }
}

/** The fields of an entity for a message. */
export const knownFields = (shape: EntityShape | undefined): string => listed(shape === undefined ? [] : namesIn(shape))
