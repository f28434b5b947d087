/** The records that a reference may name, as pickers offer them. */
import type { Checked } from '../../expression/checked.ts'
import { conjuncts } from '../../expression/grouping.ts'
import { raw, slot, sql } from '../../expression/sql.ts'
import { readsOf } from '../../expression/summary.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { liveUnless } from '../access/archived.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { nameable } from '../access/unnamed.ts'
import { collated, declared, fromSql, isLinks, typeOf } from '../names.ts'
import { holdsRole } from '../people/roles.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { sqlType } from '../values.ts'
import { type Filtered, searchOf } from './filter.ts'
import { keysOf, orderBy } from './order.ts'
import { fromArray, labelSql, selectArray, selectionOf } from './select.ts'

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
interface ChoiceReads {
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
