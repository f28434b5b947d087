import { type Sql, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { ReadRow, Verdict } from '../../kinds/screens/read-data.ts'
import type { OneNeed } from '../../kinds/screens/screen-kind.ts'
import { atOnce } from '../../store/at-once.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { type LockNow, lockParts, locksIn } from '../access/locks.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { logRead } from '../access/read-log.ts'
import { notSettable } from '../access/settable.ts'
import { verbOf } from '../access/verdict.ts'
import { fromSql, isSealed } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { childLists } from '../write/draft-record.ts'
import { hasOwnRights } from '../write/record.ts'
import { begunFor } from './begun-for.ts'
import { childrenOf, nested, type ReadChildren } from './children.ts'
import { type FormField, presetsOf, withFailure, withPresets } from './presets.ts'
import { addressed, createVerdict, namedBy } from './read.ts'
import { fromArray, type Part, type Raw, selectArray, visibleFields, visibleLists, wholeSelection } from './select.ts'

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
  /** What is closed in it, whatever its reader may. */
  readonly locks: readonly LockNow[]
}

interface ClosedRows {
  readonly change: ReadonlySet<string>
  readonly delete: ReadonlySet<string>
}

export const noClosedRows: ClosedRows = { change: new Set(), delete: new Set() }

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
  const [{ values, labels, failed }, fields, own] = await Promise.all([
    presetsOf(runtime, request, entity, single),
    withPresets(runtime, request, entity, known),
    begunFor(runtime, request, entity),
  ])
  for (const { key, children } of fields) if (children !== null) values[key] = []
  const verdict = createVerdict(policy, entity)
  const form = {
    id: null,
    version: null,
    values,
    labels,
    fields: fields.map(field => withFailure(field, failed)),
    closedRows: noClosedRows,
    verdict,
    locks: [],
  }
  return own === null ? form : { ...form, begunFor: own }
}

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
      asked.push(...lockParts(app, entity, 't'))
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
  const locks = locksIn(app, entity, found, 'state' in row.values)
  const whole = locks.find(lock => lock.whole)
  const may = change(found)
  const verdict: Verdict =
    may.open && whole !== undefined ? { open: false, because: whole.cell, reason: 'locked', missing: null } : may
  const { children } = rows.read(stored, request)
  const settable = (key: string) => sets.get(key)!(found) && !locks.some(lock => lock.locks(key))
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
    locks,
  }
}

function closedIn(app: App, entity: string, children: ReadChildren['children']): ClosedRows {
  const within = (of: string, rows: ReadChildren['children']): readonly ReadRow[] =>
    childLists(app, of).flatMap(list => {
      const all = rows[list.field] ?? []
      return [...(hasOwnRights(app, list.entity) ? all : []), ...all.flatMap(row => within(list.entity, row.children))]
    })
  const own = within(entity, children)
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
    return [{ key: field.key, settable, children: inner, adds }]
  })
}
