/**
 * What the texts of a document are read against: the record, what it refers to, and what only the database can tell of it
 * (a sum over other records, the title of a reference). The record must be written by then.
 */

import type { Checked, CheckedNode, Path, Step } from '../../expression/checked.ts'
import { type Portable, partsOf } from '../../expression/computed.ts'
import { amountAlone } from '../../expression/currency.ts'
import { decidedEntity } from '../../expression/decisions.ts'
import { type Environment, evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Expression, Template } from '../../expression/expression.ts'
import { slot, sql } from '../../expression/sql.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { columnSql, fromSql, isSealed, valueSql } from '../names.ts'
import type { Reading } from '../problems/raise.ts'
import { wordsIn } from '../problems/words.ts'
import { readable } from '../read/readable.ts'
import { type Part, type Raw, referenceLabel, selectList } from '../read/select.ts'
import type { Request } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'
import { environmentOf, type Related, withRelated } from '../write/environment.ts'
import { hasOwnRights, holdsNow } from '../write/record.ts'
import { holdsOf, type Named, workedOut } from '../write/worked-out.ts'
import { allOf, type Condition, conditionSql } from './condition.ts'
import { type Policy, policyFor } from './policy.ts'
import { seenReference } from './seen-reference.ts'
import { notSettable } from './settable.ts'

/** For texts that whoever asks is told: a refusal never tells what its reader may not see. */
export const readingOf = (app: App, request: Request, environment: Environment): Reading => ({
  environment,
  locale: request.locale,
  zone: request.zone,
  hides: expression => sightOf(app, request, expression, environment) !== true,
})

/**
 * The same of a record that is about to be written. Where the application writes it because of what somebody did, what hangs on the row
 * is asked of it, as it was and as it would be.
 */
export async function readingBefore(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  environment: Environment,
  templates: readonly Template[],
): Promise<Reading> {
  const reading = readingOf(app, request, environment)
  if (!isCaused(request.actor)) return reading
  const shown = expressionsOf(templates)
  const sights = shown.map(expression => sightOf(app, request, expression, environment))
  const told = new Set<object>(shown)
  for (const record of [environment.row, environment.old]) {
    if (record === null) continue
    const seen = await holdsOf(tx, app, request, { entity, record }, sights)
    for (const [index, expression] of shown.entries()) if (!seen[index]) told.delete(expression)
  }
  return { ...reading, hides: expression => !told.has(expression) }
}

/** The same of a record that may not be stored yet, with what only the database can tell of it. */
export async function readingDraft(
  tx: Tx,
  app: App,
  request: Request,
  related: Related,
  of: Pick<Named, 'entity' | 'record' | 'old'>,
  templates: readonly Template[],
): Promise<Reading> {
  const environment = environmentOf(request, related, of.record, of.old)
  const shown = expressionsOf(templates)
  const sights = shown.map(expression => sightOf(app, request, expression, environment))
  const seen = await holdsOf(tx, app, request, of, sights)
  const told = shown.filter((_, index) => seen[index])
  const found = new Map<object, Wire>()
  const labels = new Map<string, string>()
  for (const expression of told) {
    const value = await workedOut(tx, app, request, related, expression, { ...of, this: null })
    if (value === null || typeof value === 'object') continue
    found.set(expression, value)
    if (expression.type.kind !== 'reference' || !isId(value) || labels.has(value)) continue
    const title = await labelOf(tx, app, { ...request, actor: readerOf(request) }, expression.type.entity, value)
    if (title !== null) labels.set(value, title)
  }
  return { ...readingOf(app, request, environment), found, labels, hides: one => !told.some(two => two === one) }
}

/** What the texts say, each amount with its currency and alone. */
const expressionsOf = (templates: readonly Template[]): readonly Expression[] =>
  templates.flatMap(({ parts }) =>
    parts.flatMap(part => {
      if (part.kind === 'text') return []
      const alone = amountAlone(part.expression)
      return alone === null ? [part.expression] : [part.expression, alone]
    }),
  )

/** Who is told what is refused: where the application acts because of what a person did, that person. */
export const readerOf = ({ actor }: Request): Request['actor'] => (isCaused(actor) ? { ...actor, system: null } : actor)

const isCaused = ({ system }: Request['actor']): boolean => system === 'effect'

/** Whether whoever is told sees what an expression reads; or what the database must be asked of the record. */
export const sightOf = (app: App, request: Request, { root }: Words, environment: Environment): Condition =>
  sight(app, policyFor(app, readerOf(request)), root as Checked, environment, isCaused(request.actor))

/** Whether whoever is told sees what stands in a field of the record. */
export function tellsField(
  app: App,
  request: Request,
  entity: string,
  field: Field,
  environment: Environment,
): boolean {
  const step = { entity, field: field.key, to: null, computed: false, parent: false } as const
  const root: Checked = {
    op: 'field',
    path: { base: 'own', steps: [step] },
    type: field.type,
    optional: field.optional,
  }
  return sightOf(app, request, { root } as Words, environment) === true
}

type Words = Pick<Expression, 'root'> | Pick<Portable, 'root'>

/**
 * What somebody has just given they know, and of a record that they have just named what is open in all of them. What is counted
 * or added up over many records is told as the document says it, as long as they see such fields at all; the first of them is one
 * record, told to whoever sees that one. `isCaused`: it is not their record; they have given nothing, and may not see it.
 */
function sight(app: App, policy: Policy, node: Checked, environment: Environment, isCaused: boolean): Condition {
  const whole = ({ base, steps: [first] }: Path): Condition =>
    !isCaused || base === 'me' || first === undefined || policy.rows(first.entity, 'see', 't')
  if (node.op !== 'field') {
    if (!('source' in node)) return allOf(partsOf(node).map(part => sight(app, policy, part, environment, isCaused)))
    if (node.op === 'aggregate' && node.name === 'first') return firstSeen(app, policy, node)
    return allOf([isEverTold(policy, node), node.source.kind === 'list' ? whole(node.source.path) : true])
  }
  const [step, next, ...further] = node.path.steps
  // Whoever sees a record sees its rows, unless heading 6 has rows for roles of theirs.
  const isOwnRow = node.path.base === 'own' && step !== undefined && hasOwnRights(app, step.entity)
  const seen = allOf([
    whole(node.path),
    readable(app, policy, node, 't'),
    isOwnRow ? policy.rows(step.entity, 'see', 't') : true,
  ])
  if (seen === true) return true
  const { row, old } = environment
  const isNew = !isCaused && node.path.base === 'own' && (old === null || old[step!.field] !== row[step!.field])
  const isGiven = isNew && (seen !== false || isTyped(app, policy, step!, environment))
  const isOpen = next === undefined || (further.length === 0 && policy.field(next.entity, next.field, 't') === true)
  return isGiven && isOpen ? true : seen
}

/** People like them set the field by hand, and what it would hold otherwise is no secret: its value is what they typed. */
function isTyped(app: App, policy: Policy, { entity, field: key }: Step, environment: Environment): boolean {
  const field = app.entities.get(entity)!.fields.find(one => one.key === key)
  const verb = environment.old === null ? 'create' : 'change'
  return (
    field !== undefined &&
    !isSealed(app, entity, key) &&
    notSettable(field, verb, { system: null }) === null &&
    policy.sets(entity, key, verb, 't') !== false &&
    (field.default === null || sight(app, policy, field.default.root as Checked, environment, false) === true)
  )
}

/** Of one of many records: what chooses it is told as of a count, and itself where they see it. */
function firstSeen(app: App, policy: Policy, node: CheckedNode<'aggregate'>): Condition {
  const all = readable(app, policy, node, 't')
  const { source, value } = node
  const isDecision = decidedEntity(source.entity) !== null
  if (all === true || source.kind !== 'records' || isDecision || value === null || !isEverTold(policy, node)) return all
  const type = { kind: 'reference', entity: source.entity } as const
  const step = { entity: source.entity, field: 'id', to: null, computed: false, parent: false } as const
  const itself: Checked = { op: 'field', path: { base: 'own', steps: [step] }, type, optional: false }
  const which = toSql({ root: { ...node, value: itself, type }, schema: app.schema }, { alias: 't', this: 't' })
  const seen = allOf([policy.names(source.entity, 'f'), readable(app, policy, value, 'f')])
  return sql`exists (select from ${fromSql(source.entity, 'f')} where ${columnSql('f', 'id')} = (${which}) and ${conditionSql(seen)})`
}

/** None of the fields that it reads is closed to them on all records. */
function isEverTold(policy: Policy, node: Checked): boolean {
  const isOpen = ({ steps }: Path) =>
    steps.every(({ entity, field }) => decidedEntity(entity) !== null || policy.field(entity, field, 't') !== false)
  const paths = node.op === 'field' ? [node.path] : []
  const from = 'source' in node && node.source.kind === 'list' ? [node.source.path] : []
  return [...paths, ...from].every(isOpen) && partsOf(node).every(part => isEverTold(policy, part))
}

/** For texts to others, mails say: nothing is left out. */
export const readingAt = (
  tx: Reader,
  app: App,
  request: Request,
  related: Related,
  of: Whole,
  templates: readonly Template[],
): Promise<Reading> => readWhole(tx, app, request, related, of, templates, theApplication)

interface Whole {
  readonly entity: string
  readonly record: RecordValue
}

/** Sees everything. */
const theApplication: Request['actor'] = { id: null, name: null, roles: [], system: 'call' }

/** Titles of other records are those that `reader` sees. */
async function readWhole(
  tx: Reader,
  app: App,
  request: Request,
  related: Related,
  { entity, record }: Whole,
  templates: readonly Template[],
  reader: Request['actor'],
): Promise<Reading> {
  const environment = environmentOf(request, related, record, null)
  const shown = expressionsOf(templates)
  const values = await withRelated(related, () => shown.map(expression => evaluate(expression, environment)))
  const unknown = shown.filter((_, index) => values[index] === NOT_LOADED)
  const found = await askedOf(tx, request, entity, record.id as string, unknown)
  const labels = new Map<string, string>()
  for (const [index, expression] of shown.entries()) {
    const id = found.get(expression) ?? values[index]
    if (expression.type.kind !== 'reference' || !isId(id) || labels.has(id)) continue
    const title = await labelOf(tx, app, { ...request, actor: reader }, expression.type.entity, id)
    if (title !== null) labels.set(id, title)
  }
  return { environment, locale: request.locale, zone: request.zone, labels, found }
}

/** For texts of a refusal: what its reader does not see, of this record and of those that it names, is left out. */
export async function refusalAt(
  tx: Tx,
  app: App,
  request: Request,
  related: Related,
  of: Whole,
  templates: readonly Template[],
): Promise<Reading> {
  const reading = await readWhole(tx, app, request, related, of, templates, readerOf(request))
  const shown = expressionsOf(templates)
  // The record as it stands: nobody has given anything.
  const stored = { ...reading.environment, old: reading.environment.row }
  const sights = shown.map(expression => sightOf(app, request, expression, stored))
  const seen = await holdsNow(tx, request, of.entity, of.record.id as string, sights)
  const told = new Set<object>(shown.filter((_, index) => seen[index]))
  return { ...reading, hides: expression => !told.has(expression) }
}

/** Values of expressions over the stored row, by the database. */
async function askedOf(
  tx: Reader,
  request: Request,
  entity: string,
  id: string,
  expressions: readonly Expression[],
): Promise<ReadonlyMap<Expression, Wire>> {
  if (expressions.length === 0) return new Map()
  const parts = expressions.map(
    (expression, index): Part => ({
      name: `x${index}`,
      sql: valueSql(expression, 't'),
      type: expression.type.kind,
    }),
  )
  const [row] = await tx.query<Raw>(
    sql`select ${selectList(parts)} from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${id}::uuid`,
    bindingsOf(request),
  )
  return new Map(expressions.map((expression, index) => [expression, row?.[`x${index}`] ?? null]))
}

/** What a text says of a record: its title, or that it is not visible; null: nothing names it. */
async function labelOf(tx: Reader, app: App, request: Request, entity: string, id: string): Promise<string | null> {
  const { title, seen } = await titleOf(tx, app, request, entity, id)
  return seen ? title : wordsIn(request.locale).unseen
}

/** What names a record to whoever asks, null where nothing does, and whether they see it. */
export async function titleOf(
  tx: Reader,
  app: App,
  request: Request,
  entity: string,
  id: string,
): Promise<{ readonly title: string | null; readonly seen: boolean }> {
  const policy = policyFor(app, request.actor)
  const query = cachedStatement(app, ['title', policy.key, entity], () => {
    const named = sql`${slot('id')}::uuid`
    const label = referenceLabel(app, policy, entity, named, 't')
    const isSeen = sql`${seenReference(policy, entity, named)} = ${named}`
    return built(sql`select ${label ?? sql`null::text`} as title, ${isSeen} as seen`)
  })
  const [found] = await tx.run<{ title: string | null; seen: boolean }>(query, bindingsOf(request, { id }))
  return found!
}
