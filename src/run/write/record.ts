/** Stored records as writes find, lock and read them: every field (whoever may see it), child rows included. */

import { memoize } from '../../expression/memoize.ts'
import { identifier, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { Verdict } from '../../kinds/screens/read-data.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { archives } from '../access/archived.ts'
import { type Condition, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { seenVersionSql } from '../access/seen-version.ts'
import { verbOf } from '../access/verdict.ts'
import { columnSql, fromSql, isLinks, linkedSql, storedSql, typeOf } from '../names.ts'
import { commas } from '../read/filter.ts'
import { fromArray, type Part, type Raw, selectArray, selectList } from '../read/select.ts'
import type { Request } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { childLists, type DeepList, type Draft, deepLists, loadedFields, storedFields } from './draft-record.ts'

function storedParts(app: App, entity: string, alias: string): readonly Part[] {
  return loadedFields(app, entity).map(key => ({
    name: key,
    sql: isLinks(app, entity, key) ? linkedSql(app, entity, key, alias) : storedSql(app, entity, key, alias),
    type: typeOf(app, entity, key)?.kind ?? 'reference',
  }))
}

/** A stored record as it was found and locked, with what this person may do with it. */
export interface Locked {
  readonly version: number
  /** The version as whoever asks is given it. */
  readonly seenVersion: number
  readonly record: Draft
  readonly sees: boolean
  readonly may: (verb: 'change' | 'delete' | 'restore') => Verdict
  readonly seesField: (field: string) => boolean
  readonly setsField: (field: string) => boolean
  /** Of the records that a field names those that this person does not see: they stay, whatever is written. */
  readonly unseen: (field: string) => Wire
  /** Roles of theirs that may lead a change of it beyond what they may change. */
  readonly leading: readonly string[]
}

/** For each field that names records, those that these roles do not see; none where they see them all. */
const unseenParts = (app: App, policy: Policy, entity: string): readonly Part[] =>
  storedFields(app, entity).flatMap((key): readonly Part[] => {
    const type = typeOf(app, entity, key)
    if (type?.kind !== 'list' && type?.kind !== 'reference') return []
    const seen = policy.names(type.entity, 'm')
    if (seen === true) return []
    const isClosed = sql`(${conditionSql(seen)}) is not true`
    const closed =
      type.kind === 'list'
        ? linkedSql(app, entity, key, 't', isClosed)
        : sql`(select ${columnSql('m', 'id')} from ${fromSql(type.entity, 'm')} where ${columnSql('m', 'id')} = ${columnSql('t', key)} and ${isClosed})`
    return [{ name: `unseen ${key}`, sql: closed, type: 'text' }]
  })

/** Whether these are child rows that do not simply follow their record: heading 6 has rows of theirs, for roles or `never`. */
export function hasOwnRights(app: App, entity: string): boolean {
  const { basis, nevers } = app.access.get(entity)!
  return app.entities.get(entity)!.partOf !== null && (basis === 'written' || nevers.length > 0)
}

export type RowVerb = 'see' | 'change' | 'delete'

export interface InRows {
  /** Of the records that a field of a row names those that this person does not see. */
  readonly unseen: (row: string, field: string) => Wire
  /** What this person may do with a stored row; with one that is not stored, everything. */
  readonly may: (row: string, verb: RowVerb) => boolean
  /** Whether this person may change a field of a stored row, where that depends on the row. */
  readonly sets: (row: string, field: string) => boolean
  /** Roles of theirs that may lead a change of the row beyond what they may change. */
  readonly leading: (row: string) => readonly string[]
}

/** Whether a row of the list is of the record that the slot `id` names, whatever lies between them. */
const isBelow = ({ parent, within }: DeepList, alias: string): Sql => {
  const column = columnSql(alias, parent)
  if (within === null) return sql`${column} = ${slot('id')}::uuid`
  const above = `${alias}_`
  return sql`${column} in (select ${columnSql(above, 'id')} from ${fromSql(within.entity, above)} where ${isBelow(within, above)})`
}

/** The same of the rows of a record, at whatever depth, and what may be done with each. No statement where there is nothing to ask. */
export async function inRows(
  tx: Tx,
  app: App,
  request: Request,
  policy: Policy,
  { entity, id }: { readonly entity: string; readonly id: string },
): Promise<InRows> {
  const found = new Map<string, Raw>()
  for (const list of deepLists(app, entity)) {
    const { entity: child } = list
    const query = cachedStatement(app, ['unseen in rows', policy.key, child], () => {
      const verbs = hasOwnRights(app, child) ? (['see', 'change', 'delete'] as const) : []
      const closed = verbs.flatMap((verb): readonly Part[] => {
        const condition = policy.rows(child, verb, 't')
        if (condition === true) return []
        return [{ name: `not ${verb}`, sql: sql`(${conditionSql(condition)}) is not true`, type: 'yes/no' }]
      })
      const settable = app.entities.get(child)!.fields.flatMap(({ key }): readonly Part[] => {
        const condition = policy.sets(child, key, 'change', 't')
        if (typeof condition === 'boolean') return []
        return [{ name: `sets ${key}`, sql: sql`(${condition}) is true`, type: 'yes/no' }]
      })
      const leads = policy.leads(child, 't').map(({ role, from }): Part => {
        return { name: `leads ${role}`, sql: sql`(${conditionSql(from)}) is true`, type: 'yes/no' }
      })
      const parts = [...unseenParts(app, policy, child), ...closed, ...settable, ...leads]
      if (parts.length === 0) return null
      return built(sql`select ${columnSql('t', 'id')} as id, ${selectList(parts)} from ${fromSql(child, 't')}
        where ${isBelow(list, 't')}`)
    })
    if (query === null) continue
    for (const row of await tx.run<Raw>(query, bindingsOf(request, { id }))) found.set(String(row.id), row)
  }
  return {
    unseen: (row, field) => found.get(row)?.[`unseen ${field}`] ?? null,
    may: (row, verb) => found.get(row)?.[`not ${verb}`] !== true,
    sets: (row, field) => found.get(row)?.[`sets ${field}`] === true,
    leading: row =>
      Object.entries(found.get(row) ?? {}).flatMap(([name, holds]) =>
        name.startsWith('leads ') && holds === true ? [name.slice('leads '.length)] : [],
      ),
  }
}

/** Finds and locks a record; permissions are asked of the row that was locked. Null: there is none. */
export async function lockRecord(
  tx: Tx,
  app: App,
  request: Request,
  policy: Policy,
  entity: string,
  id: string,
): Promise<Locked | null> {
  const { query, row, verbs, sees, sets, leads } = cachedStatement(app, ['lock', policy.key, entity], () => {
    const asked: Part[] = []
    const ask = (name: string, condition: Condition) => {
      if (typeof condition === 'boolean') return () => condition
      asked.push({ name, sql: sql`(${condition}) is true`, type: 'yes/no' })
      return (found: Raw) => found[name] === true
    }
    // Who sees a record is told that it is archived.
    const seen = ask('may see', archives(app, entity) ? policy.names(entity, 't') : policy.rows(entity, 'see', 't'))
    const verb = {
      change: verbOf(policy, entity, 'change', 't'),
      delete: verbOf(policy, entity, 'delete', 't'),
      restore: verbOf(policy, entity, 'restore', 't'),
    }
    const parts = [...verb.change.parts, ...verb.delete.parts, ...verb.restore.parts]
    asked.push(...new Map(parts.map(part => [part.name, part])).values())
    const fields = app.entities.get(entity)!.fields.map(({ key }) => key)
    const told = [...fields, ...(app.workflows.has(entity) ? ['state'] : [])]
    const see = new Map(told.map((key, index) => [key, ask(`see ${index}`, policy.visible(entity, key, 't'))]))
    const set = new Map(fields.map((key, index) => [key, ask(`set ${index}`, policy.sets(entity, key, 'change', 't'))]))
    const lead = policy.leads(entity, 't').map(({ role, from }, index) => ({ role, holds: ask(`lead ${index}`, from) }))
    const unseen = unseenParts(app, policy, entity)
    const version: Part = { name: ' version', sql: columnSql('t', 'version'), type: 'integer' }
    const given: Part = { name: ' given', sql: seenVersionSql(app, policy, entity, 't'), type: 'integer' }
    return {
      row: seen,
      verbs: verb,
      sees: see,
      sets: set,
      leads: lead,
      query: built(sql`select ${selectList([version, given, ...storedParts(app, entity, 't'), ...asked, ...unseen])}
        from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${slot('id')}::uuid for no key update of t`),
    }
  })
  const [found] = await tx.run<Raw>(query, bindingsOf(request, { id }))
  if (found === undefined) return null
  const record: Draft = { id }
  for (const key of storedFields(app, entity)) record[key] = found[key] ?? null
  return {
    version: Number(found[' version']),
    seenVersion: Number(found[' given']),
    record,
    sees: row(found),
    may: verb => verbs[verb].verdict(found),
    seesField: field => sees.get(field)?.(found) ?? true,
    setsField: field => sets.get(field)?.(found) ?? false,
    unseen: field => found[`unseen ${field}`] ?? null,
    leading: leads.filter(({ holds }) => holds(found)).map(({ role }) => role),
  }
}

/** Reads the rows of these records, all lists of a level in one statement, then theirs, and puts them into the records. */
export async function loadChildren(tx: Reader, app: App, entity: string, records: readonly Draft[]): Promise<void> {
  const lists = childLists(app, entity)
  for (const record of records) for (const { field } of lists) record[field] = []
  if (lists.length === 0 || records.length === 0) return
  // See `loadRecords`.
  const isOne = records.length === 1
  const query = cachedStatement(app, ['load children', entity, isOne], () =>
    built(
      sql`${lists
        .map(
          ({ field, entity: child, parent }) =>
            sql`select ${field}::text as list, ${columnSql('t', 'position')} as place, ${selectArray(storedParts(app, child, 't'))} as cells
              from ${fromSql(child, 't')} where ${columnSql('t', parent)} ${isOne ? sql`= ${slot('parent')}::uuid` : sql`= any(${slot('parents')}::uuid[])`}`,
        )
        .reduce((left, right) => sql`${left} union all ${right}`)} order by list, place`,
    ),
  )
  const ids = records.map(({ id }) => id)
  const rows = await tx.run<{ list: string; cells: readonly (string | null)[] }>(
    query,
    isOne ? { parent: ids[0] } : { parents: ids },
  )
  const byId = new Map(records.map(record => [record.id, record]))
  const inside = new Map<string, Draft[]>()
  for (const { list, cells } of rows) {
    const { entity: child, parent } = lists.find(({ field }) => field === list)!
    const row = fromArray(storedParts(app, child, 't'), cells)
    const owner = byId.get(String(row[parent]))
    if (owner === undefined) continue
    ;(owner[list] as RecordValue[]).push(row)
    memoize(inside, child, () => []).push(row as Draft)
  }
  for (const [child, own] of inside) await loadChildren(tx, app, child, own)
}

const toBeWritten = new WeakMap<Reader, ReadonlySet<string>>()

/**
 * Records of these entities are taken for writing as soon as they are read: two transactions that both read one and then write it
 * would wait for each other.
 */
export const expectWrites = (tx: Tx, entities: ReadonlySet<string>): void => void toBeWritten.set(tx, entities)

/** How a record is locked that must stay as it was read. */
export const staying = (reader: Reader, entity: string): Sql =>
  raw(toBeWritten.get(reader)?.has(entity) === true ? 'for no key update of t' : 'for share of t')

/** Reads records by id, in the order of their ids so that no two transactions wait for each other. */
export async function loadRecords(
  reader: Reader,
  app: App,
  entity: string,
  ids: readonly string[],
  how: 'as it is' | 'locked' = 'locked',
): Promise<readonly Draft[]> {
  const lock = how === 'locked' ? staying(reader, entity) : raw('')
  // A list is planned anew each time, for it goes by how many there are; one by itself is planned once.
  const isOne = ids.length === 1
  const query = cachedStatement(app, ['load', entity, lock.texts.join(''), isOne], () => {
    const id = columnSql('t', 'id')
    const which = isOne ? sql`= ${slot('id')}::uuid` : sql`= any(${slot('ids')}::uuid[])`
    return built(sql`select ${cellsOf(app, entity)} from ${fromSql(entity, 't')}
      where ${id} ${which} order by ${id} ${lock}`)
  })
  return drafts(reader, app, entity, await reader.run<Cells>(query, isOne ? { id: ids[0] } : { ids }))
}

interface Cells {
  readonly cells: readonly (string | null)[]
}

const partsOf = (app: App, entity: string): readonly Part[] =>
  cachedStatement(app, ['stored', entity], () => storedParts(app, entity, 't'))

/** All that is stored of the row `t`, in one column. */
const cellsOf = (app: App, entity: string): Sql => sql`${selectArray(partsOf(app, entity))} as cells`

/** Stored rows as records, with their child rows. */
async function drafts(reader: Reader, app: App, entity: string, rows: readonly Cells[]): Promise<readonly Draft[]> {
  const parts = partsOf(app, entity)
  const records = rows.map(({ cells }) => fromArray(parts, cells) as Draft)
  await loadChildren(reader, app, entity, records)
  return records
}

/** The stored record of `t` that a condition leaves, with its child rows; `key` names the condition, the slot `address` a value in it. */
export async function findRecord(
  reader: Reader,
  app: App,
  request: Request,
  entity: string,
  { key, condition, address }: { readonly key: string; readonly condition: Condition; readonly address: unknown },
): Promise<Draft | null> {
  const query = cachedStatement(app, ['find', entity, key], () =>
    built(sql`select ${cellsOf(app, entity)} from ${fromSql(entity, 't')}
      where ${conditionSql(condition)} limit 1`),
  )
  const found = await reader.run<Cells>(query, bindingsOf(request, { address }))
  return (await drafts(reader, app, entity, found))[0] ?? null
}

/** Every stored record with its child rows, whoever may see it: for trying the application from outside, never for answering anybody. */
export async function everyRecord(reader: Reader, app: App, entity: string): Promise<readonly Draft[]> {
  const query = built(sql`select ${cellsOf(app, entity)} from ${fromSql(entity, 't')}`)
  return drafts(reader, app, entity, await reader.run<Cells>(query))
}

/** One stored record with its child rows, locked against change; null when it is not there. */
export async function loadRecord(tx: Tx, app: App, entity: string, id: string): Promise<Draft | null> {
  return (await loadRecords(tx, app, entity, [id]))[0] ?? null
}

/** Conditions asked of one stored row, now: after it was written, within its transaction. `more` binds what else they read. */
export async function holdsNow(
  tx: Tx,
  request: Request,
  entity: string,
  id: string,
  conditions: readonly Condition[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<readonly boolean[]> {
  if (conditions.every(condition => typeof condition === 'boolean')) return conditions
  const stored = sql`${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${id}::uuid`
  return holdsIn(tx, stored, conditions, bindingsOf(request, more))
}

/** Conditions asked of the row `t` that `from` gives; it is false where there is none. */
export async function holdsIn(
  tx: Reader,
  from: Sql,
  conditions: readonly Condition[],
  bindings: Readonly<Record<string, unknown>>,
): Promise<readonly boolean[]> {
  const open = conditions.filter(condition => typeof condition !== 'boolean')
  if (open.length === 0) return conditions as readonly boolean[]
  const names = open.map((_, index) => `c${index}`)
  const [row] = await tx.query<Raw>(
    sql`select ${commas(open.map((condition, index) => sql`(${condition}) is true as ${identifier(names[index]!)}`))} from ${from}`,
    bindings,
  )
  let next = 0
  return conditions.map(condition => (typeof condition === 'boolean' ? condition : row?.[names[next++]!] === true))
}
