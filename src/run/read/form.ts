/** What a form needs: the values, which fields this person may set now, and the records that a reference may name. */

import type { Checked } from '../../expression/checked.ts'
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import { conjuncts } from '../../expression/grouping.ts'
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import { readsOf } from '../../expression/summary.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import type { OneNeed, Verdict } from '../../kinds/screens/screen-kind.ts'
import { atOnce } from '../../store/at-once.ts'
import { liveUnless } from '../access/archived.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import { lockAt } from '../access/locks.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { logRead } from '../access/read-log.ts'
import { sightOf } from '../access/reading.ts'
import { notSettable } from '../access/settable.ts'
import { nameable } from '../access/unnamed.ts'
import { verbOf } from '../access/verdict.ts'
import { collated, columnSql, declared, fromSql, isLinks, isSealed, typeOf } from '../names.ts'
import { holdsRole } from '../people/roles.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { sqlType } from '../values.ts'
import { childLists, environmentOfRules, hasOwnRights, relatedRecords, withRelated } from '../write/record.ts'
import { begunFor } from './begun-for.ts'
import { childrenOf, nested, type ReadChildren } from './children.ts'
import { type Filtered, searchOf } from './filter.ts'
import { keysOf, orderBy } from './order.ts'
import { addressed, createVerdict, namedBy } from './read.ts'
import {
  fromArray,
  labelSql,
  type Part,
  type Raw,
  selectArray,
  selectionOf,
  visibleFields,
  visibleLists,
  wholeSelection,
} from './select.ts'

export interface FormData {
  /** Null: a new record. */
  readonly id: string | null
  readonly version: number | null
  /** Wire values; of a new record its defaults. Child lists as arrays of rows with their id. */
  readonly values: RecordValue
  /** Titles of the records that references name, by path: `borrower`, `lines.0.item`. */
  readonly labels: Readonly<Record<string, string>>
  readonly fields: readonly FormField[]
  /** Ids of child rows with permissions of their own that this person may not change, or not take out. */
  readonly closedRows: ClosedRows
  /** Of a new record, see `begunFor`. Absent: nothing is copied from whoever makes it. */
  readonly begunFor?: string
  /** May this person create such a record, or change this one? A condition over a new record is decided when it is saved. */
  readonly verdict: Verdict
}

interface ClosedRows {
  readonly change: ReadonlySet<string>
  readonly delete: ReadonlySet<string>
}

export const noClosedRows: ClosedRows = { change: new Set(), delete: new Set() }

export interface FormField {
  readonly key: string
  /** False: shown, not entered. */
  readonly settable: boolean
  /** Of a list of child rows: the fields of a row. Null for other fields. */
  readonly children: readonly FormField[] | null
  /** Of such a list: a row may be added. */
  readonly adds?: boolean
  /** Of a field of such a row: what a new one begins with. */
  readonly preset?: Wire
}

/**
 * Null: the record is not there, or this person may not see it. `by` null asks for the form of a new record. `sent`: it has been filled
 * in, so what its controls begin with is nothing to look up the names of.
 */
export async function readForm(
  runtime: Runtime,
  request: Request,
  entity: string,
  by: OneNeed['by'] | null,
  { sent = false }: { readonly sent?: boolean } = {},
): Promise<FormData | null> {
  const { app, store } = runtime
  const model = app.entities.get(entity)
  if (model === undefined || model.partOf !== null) return null
  const reading = { ...runtime, store: atOnce(store) }
  return by === null ? newForm(reading, request, entity, sent) : storedForm(reading, request, entity, by)
}

async function newForm(runtime: Runtime, request: Request, entity: string, sent: boolean): Promise<FormData> {
  const { app } = runtime
  const policy = policyFor(app, request.actor)
  const sets = (key: string) => policy.sets(entity, key, 'create', 't') !== false
  const known = formFields(app, request, policy, entity, sets, 'create')
  const single = known.flatMap(({ key, children, settable }) => (children === null && !(sent && settable) ? [key] : []))
  const [{ values, labels }, fields, own] = await Promise.all([
    presetsOf(runtime, request, entity, single),
    withPresets(runtime, request, entity, known),
    begunFor(runtime, request, entity),
  ])
  for (const { key, children } of fields) if (children !== null) values[key] = []
  const verdict = createVerdict(policy, entity)
  const form = { id: null, version: null, values, labels, fields, closedRows: noClosedRows, verdict }
  return own === null ? form : { ...form, begunFor: own }
}

interface Presets {
  readonly values: Record<string, Wire | readonly RecordValue[]>
  readonly labels: Record<string, string>
}

/** What these fields of a new record begin with, as far as whoever asks sees what that reads and what it names. */
async function presetsOf(
  runtime: Runtime,
  request: Request,
  entity: string,
  keys: readonly string[],
): Promise<Presets> {
  const { app, store } = runtime
  const { actor } = request
  const fields = keys.map(key => declared(app, entity, key)!).filter(({ computed }) => computed === null)
  const related = relatedRecords(store, app, 'as it is')
  const values = await withRelated(related, () => {
    const found: Presets['values'] = {}
    for (const field of fields) {
      found[field.key] = null
      if (field.default === null) continue
      const environment = environmentOfRules(app, request, related, { of: entity, row: found, before: null })
      const value = evaluate(field.default, environment)
      if (value === NOT_LOADED || Array.isArray(value)) continue
      if (sightOf(app, request, field.default, environment) === true) found[field.key] = value as Wire
    }
    return found
  })
  const labels: Presets['labels'] = {}
  await Promise.all(
    fields.map(async ({ key, type }) => {
      const id = values[key]
      if (type.kind !== 'reference' || typeof id !== 'string') return
      const need = { entity, field: key, search: null, limit: 1, ids: [id], named: [id] }
      const label =
        id === actor.id ? actor.name : (await readOptions(runtime, request, need)).options.map(one => one.label)[0]
      if (label === undefined) values[key] = null
      else if (label !== null) labels[key] = label
    }),
  )
  return { values, labels }
}

/** The fields, those of new rows with what they begin with. */
const withPresets = (
  runtime: Runtime,
  request: Request,
  entity: string,
  fields: readonly FormField[],
): Promise<readonly FormField[]> =>
  Promise.all(
    fields.map(async field => {
      const { type } = declared(runtime.app, entity, field.key)!
      if (field.children === null || type.kind !== 'list') return field
      const keys = field.children.map(({ key }) => key)
      const { values } = await presetsOf(runtime, request, type.entity, keys)
      return { ...field, children: field.children.map(one => ({ ...one, preset: (values[one.key] ?? null) as Wire })) }
    }),
  )

interface Stored {
  readonly cells: readonly (string | null)[]
  readonly ' children': unknown
}

async function storedForm(
  { app, store }: Runtime,
  request: Request,
  entity: string,
  address: OneNeed['by'],
): Promise<FormData | null> {
  const policy = policyFor(app, request.actor)
  const by = addressed(app, entity, address)
  const isNamed = namedBy(app, policy, entity, by)
  if (isNamed === null) return null
  const { selection, parts, rows, query, change, sets } = cachedStatement(
    app,
    ['form', policy.key, entity, by.field],
    () => {
      const selected = wholeSelection(app, policy, entity, { may: false })
      const asked: Part[] = []
      const ask = (name: string, condition: boolean | Sql) => {
        if (typeof condition === 'boolean') return () => condition
        asked.push({ name, sql: sql`(${condition}) is true`, type: 'yes/no' })
        return (found: Raw) => found[name] === true
      }
      if (app.workflows.has(entity)) asked.push({ name: 'state_now', sql: columnSql('t', 'state'), type: 'choice' })
      const mayChange = verbOf(policy, entity, 'change', 't')
      asked.push(...mayChange.parts)
      const may = new Map(
        app.entities
          .get(entity)!
          .fields.map(({ key }, index) => [key, ask(`set ${index}`, policy.sets(entity, key, 'change', 't'))]),
      )
      const of = childrenOf(app, policy, entity, { may: true })
      const shown = allOf([policy.rows(entity, 'see', 't'), isNamed])
      const all = [...selected.parts, ...asked]
      return {
        selection: selected,
        parts: all,
        rows: of,
        change: mayChange.verdict,
        sets: may,
        query: built(
          sql`select ${selectArray(all)} as cells, ${of.column} from ${fromSql(entity, 't')}${selected.joins} where ${conditionSql(shown)}`,
        ),
      }
    },
  )
  const lists = formFields(app, request, policy, entity, () => true, 'change').filter(
    ({ children }) => children !== null,
  )
  const [[stored], begun] = await Promise.all([
    store.run<Stored>(query, bindingsOf(request, { address: by.value })),
    withPresets({ app, store }, request, entity, lists),
  ])
  if (stored === undefined) return null
  const found = fromArray(parts, stored.cells)
  const row = selection.read(found, request)
  await logRead({ app, store }, request, { entity, records: [row.id], way: 'form', opening: null })
  const lock = lockAt(app, entity, found.state_now)
  const may = change(found)
  const verdict: Verdict =
    may.open && lock?.whole ? { open: false, because: lock.cell, reason: 'locked', missing: null } : may
  const { children } = rows.read(stored, request)
  const settable = (key: string) => sets.get(key)!(found) && !(lock?.locks(key) ?? false)
  const known = formFields(app, request, policy, entity, settable, 'change').filter(
    ({ key, settable: open, children: of }) =>
      key in (of === null ? row.values : children) || (open && isSealed(app, entity, key)),
  )
  return {
    id: row.id,
    version: row.version,
    ...nested(row, children),
    fields: known.map(field => ({
      ...field,
      children: begun.find(({ key }) => key === field.key)?.children ?? field.children,
    })),
    closedRows: closedIn(app, entity, children),
    verdict,
  }
}

function closedIn(app: App, entity: string, children: ReadChildren['children']): ClosedRows {
  const own = childLists(app, entity).flatMap(list =>
    hasOwnRights(app, list.entity) ? (children[list.field] ?? []) : [],
  )
  const closed = (verb: 'change' | 'delete') => new Set(own.flatMap(({ id, may }) => (may[verb].open ? [] : [id])))
  return { change: closed('change'), delete: closed('delete') }
}

function formFields(
  app: App,
  request: Request,
  policy: Policy,
  entity: string,
  sets: (field: string) => boolean,
  verb: 'create' | 'change',
): readonly FormField[] {
  const known = verb === 'change' ? policy : { ...policy, field: policy.knows }
  const lists = visibleLists(app, known, entity)
  const sealed = app.entities
    .get(entity)!
    .fields.flatMap(({ key }) =>
      isSealed(app, entity, key) && policy.visible(entity, key, 't') !== false ? [key] : [],
    )
  const single = new Set([...visibleFields(app, known, entity), ...sealed])
  return app.entities.get(entity)!.fields.flatMap((field): readonly FormField[] => {
    const list = lists.find(one => one.field === field.key)
    if (list === undefined && !single.has(field.key)) return []
    const settable = notSettable(field, verb, request.actor) === null && sets(field.key)
    if (list === undefined) return [{ key: field.key, settable, children: null }]
    // New rows are written as created ones; what cannot be changed later is refused when it is tried.
    const inner = formFields(
      app,
      request,
      policy,
      list.entity,
      key => policy.sets(list.entity, key, 'create', 't') !== false,
      'create',
    )
    const adds = policy.rows(list.entity, 'create', 't') !== false
    return [{ key: field.key, settable, children: inner.filter(one => one.children === null), adds }]
  })
}

interface OptionsNeed {
  /** The reference field that is filled in: `loan_line`, `item`. */
  readonly entity: string
  readonly field: string
  readonly search: string | null
  readonly limit: number
  /** Values of the record as far as they are known: `choose from … where model = this.model` goes by them. */
  readonly known?: RecordValue
  /** The same of the record that a row is part of: `this.order.day`. */
  readonly above?: RecordValue
  /** Only these, whether they could be chosen or not: what they are called. */
  readonly ids?: readonly string[]
  /** Of these, those whom the record names already, as whoever asks sees it. */
  readonly named?: readonly string[]
  /** Whatever the field may have named, though it could not be chosen now: for a filter. */
  readonly past?: true
  /** What else is wanted of them, as far as whoever asks sees it. */
  readonly fields?: ReadonlySet<string>
}

interface Options {
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly more: boolean
  /** By id, those of which something is seen: what was wanted of them. */
  readonly records: Readonly<Record<string, RecordValue>>
}

/** Records that a reference may name, as far as this person may see them: in the order of their entity, else of their titles. */
export async function readOptions({ app, store }: Runtime, request: Request, need: OptionsNeed): Promise<Options> {
  const none = { options: [], more: false, records: {} }
  const policy = policyFor(app, request.actor)
  const field = declared(app, need.entity, need.field)
  if (field === undefined) return none
  if (field.type.kind !== 'reference' && !(field.type.kind === 'list' && isLinks(app, need.entity, need.field)))
    return none
  if (!policy.knows(need.entity, need.field)) return none
  const target = field.type.entity
  // Whoever sees that somebody is named already, sees who.
  const already =
    need.named !== undefined && allOf([policy.names(target, 't'), sql`t.id = any(${slot('named')}::uuid[])`])
  const named =
    request.actor.id === null ? policy.rows(target, 'see', 't') : anyOf([nameable(policy, target, 't'), already])
  // What is archived stays where it was chosen, and is not chosen anew.
  const there = need.ids !== undefined || need.past === true || liveUnless(app, target, field.chooseFrom?.where, 't')
  const rows = allOf([named, there])
  if (rows === false) return none
  const search = searchOf(app, target === 'person' ? namesOnly(app) : policy, target, 't', need.search)
  const own = app.schema.get(need.entity)!.tenant
  const known = { ...need.known, ...(own === undefined ? {} : { [own.field]: request.actor.tenant ?? null }) }
  const choice =
    need.ids !== undefined
      ? chosenAlready(need.ids, need.named)
      : need.past === true
        ? unfiltered
        : choiceOf(app, need.entity, field, { own: known, above: need.above ?? {} })
  const wanted = [...(need.fields ?? [])]
  const asked = ['options', policy.key, target, search.shape, choice.shape, there === true, ...wanted]
  const { selection, query } = cachedStatement(app, asked, () => {
    const selected = selectionOf({ app, policy, entity: target, alias: 't', fields: wanted, may: false })
    const seen = policy.rows(target, 'see', 't')
    const cells =
      wanted.length === 0
        ? raw('')
        : sql`, case when ${conditionSql(seen)} then ${selectArray(selected.parts)} end as cells`
    const label = labelSql(app, policy, target, 't') ?? sql`null::text`
    const keys = keysOf(app, policy, target, 't', [])
    const order =
      app.entities.get(target)!.order.length > 0
        ? orderBy(keys, index => keys[index]!.sql, false)
        : sql`${collated(label)}, t.id`
    const joins = wanted.length === 0 ? raw('') : selected.joins
    return {
      selection: selected,
      query: built(sql`select t.id as value, ${label} as label${cells} from ${fromSql(target, 't')}${joins}
      where ${conditionSql(allOf([rows, choice.condition(), search.condition()]))}
      order by ${order} limit ${slot('limit')}::bigint`),
    }
  })
  const found = await store.run<{ value: string; label: string | null; cells?: readonly (string | null)[] | null }>(
    query,
    bindingsOf(request, { ...search.bindings, ...choice.bindings, limit: need.limit + 1 }),
  )
  const shown = found.slice(0, need.limit)
  return {
    options: shown.map(({ value, label }) => ({ value, label: label ?? value })),
    more: found.length > need.limit,
    records: Object.fromEntries(
      shown.flatMap(({ value, cells }) =>
        cells == null ? [] : [[value, selection.read(fromArray(selection.parts, cells), request).values]],
      ),
    ),
  }
}

const unfiltered: Filtered = { shape: '', condition: () => true, bindings: {} }

const chosenAlready = (ids: readonly string[], named?: readonly string[]): Filtered => ({
  shape: named === undefined ? 'ids' : 'ids named',
  condition: () => sql`t.id = any(${slot('ids')}::uuid[])`,
  bindings: named === undefined ? { ids } : { ids, named },
})

/** What the choice of a field goes by: fields of its own record, and of a row those of the record that it is part of. */
export interface ChoiceReads {
  readonly own: readonly string[]
  readonly above: readonly string[]
}

/** `choose from Item where model = this.model and day >= this.order.day` goes by `model`, and above the row by `day`. */
export function choiceReads(app: App, entity: string, key: string): ChoiceReads {
  const where = declared(app, entity, key)?.chooseFrom?.where ?? null
  return thisReads(app, entity, where?.reads ?? [])
}

function thisReads(app: App, entity: string, reads: readonly string[]): ChoiceReads {
  const parent = app.schema.get(entity)?.parent
  const own = new Set<string>()
  const above = new Set<string>()
  for (const [base, first, second] of reads.map(path => path.split('.'))) {
    if (base !== 'this' || first === undefined) continue
    if (first === parent && second !== undefined) above.add(second)
    else own.add(first)
  }
  return { own: [...own], above: [...above] }
}

/**
 * `choose from … where …` as a filter of what is offered. Of its parts between `and`, those that read a value of the record that is
 * not known yet leave nothing out: the choice is judged when the form is sent.
 */
function choiceOf(
  app: App,
  entity: string,
  { key, chooseFrom }: Field,
  known: { readonly own: RecordValue; readonly above: RecordValue },
): Filtered {
  const where = chooseFrom?.where ?? null
  const role = chooseFrom?.role ?? null
  const isHolder = () => role === null || holdsRole(app, role, 't')
  const shape = role === null ? '' : `${entity}.${key}`
  const asked = (where === null ? [] : conjuncts(where.root)).map(part => {
    const { own, above } = thisReads(app, entity, readsOf(part, where!.schema, false))
    const isKnown = (values: RecordValue) => (name: string) => (values[name] ?? unseen) !== unseen
    return own.every(isKnown(known.own)) && above.every(isKnown(known.above))
  })
  if (where === null || !asked.includes(true)) return { shape, condition: isHolder, bindings: {} }
  const parts = conjuncts(where.root).filter((_, at) => asked[at])
  const root: Checked = { op: 'and', parts, type: where.type, optional: where.optional }
  const { partOf } = app.entities.get(entity)!
  const rowOf = (base: 'this' | 'above', of: string) => (name: string) =>
    sql`${slot(`${base}.${name}`)}::${sqlType(typeOf(app, of, name)!)}`
  const bindings = (base: 'this' | 'above', values: RecordValue) =>
    Object.entries(values).map(([name, value]) => [`${base}.${name}`, value ?? null])
  return {
    shape: `${entity}.${key} ${asked.map(Number).join('')}`,
    condition: () =>
      allOf([
        isHolder(),
        toSql(asked.includes(false) ? { ...where, root } : where, {
          alias: 't',
          this: rowOf('this', entity),
          above: partOf === null ? undefined : rowOf('above', partOf),
          as: 'condition',
        }),
      ]),
    bindings: Object.fromEntries([...bindings('this', known.own), ...bindings('above', known.above)]),
  }
}

/** Whether the record that `t` names could be chosen in a field of a new record of which nothing else is known. */
export const choosable = (app: App, entity: string, field: Field): Condition =>
  choiceOf(app, entity, field, { own: {}, above: {} }).condition()

/** People are looked for by name alone: an address that may not be seen must not be found either. */
function namesOnly(app: App): Policy {
  const everything = policyFor(app, { id: null, roles: [], system: 'seed' })
  return { ...everything, field: (_, field) => field === 'name' }
}
