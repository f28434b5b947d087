/** The statements that write records: whole rows in, child rows in one statement per list. */
import { identifier, join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import { released } from '../../store/append-only.ts'
import type { Tx } from '../../store/pool.ts'
import { fromSql, isLinks, isState, linksSql, tableSql, typeOf } from '../names.ts'
import { commas } from '../read/filter.ts'
import { entryBindings, entrySql, type NewHistoryEntry, untoldSql } from '../read/history.ts'
import type { Request } from '../request.ts'
import { built, cachedStatement, ofEntity } from '../statements.ts'
import { castWire } from '../values.ts'
import {
  childLists,
  type Draft,
  deepLists,
  type ListField,
  placed,
  placedAt,
  rowsIn,
  sameValues,
  stamps,
  storedFields,
} from './draft-record.ts'

/** Columns that a write gives values to, besides those of every record. */
const writtenFields = ofEntity((app, entity) =>
  storedFields(app, entity).filter(key => !stamps.has(key) && !isLinks(app, entity, key)),
)

const castField = (app: App, entity: string, key: string, value: Sql): Sql => castWire(typeOf(app, entity, key)!, value)

/**
 * Writes a new record, its rows at whatever depth and what its history says of it (null: that comes later) in one statement, and its
 * links. `record[list]` are the rows, in their order.
 */
export async function insertRecord(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  record: Draft,
  entry: NewHistoryEntry | null,
): Promise<void> {
  const rows = new Map(deepLists(app, entity).map(list => [list, placedAt(record, list)]))
  const lists = [...rows.keys()].filter(list => rows.get(list)!.length > 0)
  const told = entry === null ? null : entryBindings(app, request, entry)
  const isNews = told?.['h.news'] === true
  const query = cachedStatement(
    app,
    ['insert', entity, told !== null, isNews, ...lists.map(({ entity: of }) => of)],
    () => {
      const parts = [recordSql(app, entity), ...lists.map(list => rowsSql(app, list, slot(`rows.${list.entity}`)))]
      if (isNews) parts.push(untoldSql)
      const last = entry === null ? parts.pop()! : entrySql
      const others = parts.map((part, index) => sql`${identifier(`part_${index}`)} as (${part})`)
      return built(others.length === 0 ? last : sql`with ${commas(others)} ${last}`)
    },
  )
  const bindings = fieldBindings(record, writtenSlots(app, entity))
  for (const list of lists) bindings[`rows.${list.entity}`] = JSON.stringify(rows.get(list)!.map(columnsOf))
  Object.assign(bindings, told)
  tx.writeAhead(query, Object.assign(bindings, { id: record.id }, whoAndWhen(request)))
  tx.tell(entity, record.id as string, null)
  writeLinks(tx, app, entity, [{ record, before: null }])
  for (const list of lists) {
    const links = rows.get(list)!.map(row => ({ record: row, before: null }))
    writeLinks(tx, app, list.entity, links)
  }
}

/** The new record itself. */
function recordSql(app: App, entity: string): Sql {
  const fields = writtenFields(app, entity)
  const stateful = app.workflows.has(entity)
  const always = [
    'id',
    'version',
    'created_at',
    'created_by',
    'changed_at',
    'changed_by',
    ...(stateful ? ['state_since'] : []),
  ]
  return sql`insert into ${tableSql(entity)} (${commas([...always, ...fields].map(key => identifier(key)))})
    values (${slot('id')}::uuid, 1, ${slot('at')}::timestamptz, ${slot('by')}::uuid, ${slot('at')}::timestamptz, ${slot('by')}::uuid
      ${stateful ? sql`, ${slot('at')}::timestamptz` : raw('')}
      ${join(
        fields.map(key => sql`, ${castField(app, entity, key, slot(`f.${key}`))}`),
        '',
      )})`
}

/** Writes these fields. Gives the number of rows: none when the version is not the one that was read. */
export async function updateRecord(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  record: Draft,
  fields: readonly string[],
  version: number,
): Promise<number> {
  const changed = fields.filter(key => !stamps.has(key) && !isLinks(app, entity, key))
  const query = cachedStatement(app, ['update', entity, ...changed], () =>
    built(sql`update ${fromSql(entity, 't')} set version = version + 1,
      ${changed.some(key => isState(app, entity, key)) ? sql`state_since = ${slot('at')}::timestamptz,` : raw('')} changed_at = ${slot('at')}::timestamptz,
      changed_by = ${slot('by')}::uuid ${join(
        changed.map(key => sql`, ${identifier(key)} = ${castField(app, entity, key, slot(`f.${key}`))}`),
        '',
      )} where t.id = ${slot('id')}::uuid and t.version = ${slot('version')}::integer`),
  )
  return tx.write(query, {
    id: record.id,
    version,
    ...whoAndWhen(request),
    ...fieldBindings(record, changed.map(slotted)),
  })
}

/** `null`: the application itself acted. */
const whoAndWhen = (request: Request) => ({ at: request.now.toISOString(), by: request.actor.id })

/** A field, and the slot of its value. */
type Slotted = readonly [key: string, slot: string]

const slotted = (key: string): Slotted => [key, `f.${key}`]

const writtenSlots = ofEntity((app, entity) => writtenFields(app, entity).map(slotted))

function fieldBindings(record: RecordValue, slots: readonly Slotted[]): Record<string, unknown> {
  const bindings: Record<string, unknown> = {}
  for (const [key, name] of slots) bindings[name] = record[key] ?? null
  return bindings
}

/** A record that is written, beside what it was; `before` null: it is new. */
interface Linking {
  readonly record: RecordValue
  readonly before: RecordValue | null
}

/** Makes the stored links of records of one entity what they say: at most two statements for each field, however many records. */
export function writeLinks(tx: Tx, app: App, entity: string, records: readonly Linking[]): void {
  for (const key of linkFields(app, entity)) {
    const changed = records.filter(one => !hasSameLinks(key, one))
    if (changed.length === 0) continue
    const query = cachedStatement(app, ['links', entity, key], () => {
      const table = linksSql(entity, key)
      const given = sql`unnest(${slot('of')}::uuid[], ${slot('members')}::uuid[])`
      return {
        gone: built(sql`delete from ${table} as l where l.owner = any(${slot('owners')}::uuid[])
          and not exists (select from ${given} as g (owner, member) where g.owner = l.owner and g.member = l.member)`),
        come: built(sql`insert into ${table} (owner, member) select * from ${given} on conflict do nothing`),
      }
    })
    const pairs = changed.flatMap(({ record }) =>
      linked(record[key] as Wire).map(member => [record.id as string, member] as const),
    )
    const links = { of: pairs.map(([owner]) => owner), members: pairs.map(([, member]) => member) }
    const owners = changed.filter(({ before }) => before !== null).map(({ record }) => record.id)
    if (owners.length > 0) tx.writeAhead(query.gone, { owners, ...links })
    if (pairs.length > 0) tx.writeAhead(query.come, links)
  }
}

const linkFields = ofEntity((app, entity) => storedFields(app, entity).filter(key => isLinks(app, entity, key)))

const hasSameLinks = (key: string, { record, before }: Linking): boolean =>
  (record[key] ?? null) === (before?.[key] ?? null)

/** Without its rows, which travel by themselves. */
const columnsOf = (row: RecordValue): RecordValue =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => !Array.isArray(value)))

/** A record, or a row, with the rows that it shall have; `before` null: it is new. */
interface Holder {
  readonly now: RecordValue
  readonly before: RecordValue | null
}

/**
 * Makes the stored rows of a list what their holders have, which are one record or rows of one, and then the rows in them. Rows keep
 * their order; a stored row that is not there any more goes, with what is in it.
 */
export async function writeRows(
  tx: Tx,
  app: App,
  request: Request,
  list: ListField,
  holders: readonly Holder[],
): Promise<void> {
  const gone: string[] = []
  const added: RecordValue[] = []
  const left: RecordValue[] = []
  const links: Linking[] = []
  for (const { now, before } of holders) {
    const [rows, were] = [placed(rowsIn(now, list)), rowsIn(before, list)]
    const stored = new Map(were.map(row => [row.id, row]))
    const kept = new Set(rows.map(row => row.id))
    const going = were.filter(row => !kept.has(row.id!))
    const coming = rows.filter(row => !stored.has(row.id!))
    const rest = rows.filter(row => stored.has(row.id!))
    const isMoved = rest.some((row, index) => were[index]?.id !== row.id)
    const isOther = rest.some(row => !sameValues(app, list.entity, row, stored.get(row.id!)!))
    if (isMoved || isOther || coming.length + going.length > 0) left.push(...rest)
    gone.push(...going.map(row => row.id as string))
    added.push(...coming)
    links.push(...rows.map(row => ({ record: row, before: stored.get(row.id!) ?? null })))
  }
  const relinked = new Set(
    links
      .filter(one => one.before !== null && !linkFields(app, list.entity).every(key => hasSameLinks(key, one)))
      .map(({ record }) => record.id),
  )
  const who = whoAndWhen(request)
  if (gone.length > 0) await tx.write(sql`delete from ${fromSql(list.entity, 't')} where t.id = any(${gone}::uuid[])`)
  if (left.length > 0)
    tx.writeAhead(updateRows(app, list), {
      rows: JSON.stringify(left.map(row => ({ ...columnsOf(row), ' links': relinked.has(row.id) }))),
      ...who,
    })
  if (added.length > 0) tx.writeAhead(insertRows(app, list), { rows: JSON.stringify(added.map(columnsOf)), ...who })
  writeLinks(tx, app, list.entity, links)
  const within = links.map(({ record, before }): Holder => ({ now: record, before }))
  for (const inner of childLists(app, list.entity)) {
    const other = within.filter(({ now, before }) => now[inner.field] !== before?.[inner.field])
    if (other.length > 0) await writeRows(tx, app, request, inner, other)
  }
}

/** Rows travel as one JSON text; every value in it is text and is cast where it is used. */
function rowSource(app: App, list: ListField, rows = slot('rows')): { fields: readonly string[]; source: Sql } {
  const fields = writtenFields(app, list.entity)
  const columns = ['id', 'position', ' links', ...fields].map(key => sql`${identifier(key)} text`)
  return { fields, source: sql`json_to_recordset(${rows}::json) as r (${commas(columns)})` }
}

/** New rows of a list. */
function rowsSql(app: App, list: ListField, rows = slot('rows')): Sql {
  const { fields, source } = rowSource(app, list, rows)
  const stateful = app.workflows.has(list.entity)
  const always = ['id', 'version', 'created_at', 'created_by', 'changed_at', 'changed_by', 'position']
  return sql`insert into ${tableSql(list.entity)}
    (${commas([...always, ...(stateful ? ['state_since'] : []), ...fields].map(key => identifier(key)))})
    select r.id::uuid, 1, ${slot('at')}::timestamptz, ${slot('by')}::uuid, ${slot('at')}::timestamptz, ${slot('by')}::uuid,
      r.position::integer ${stateful ? sql`, ${slot('at')}::timestamptz` : raw('')}
      ${join(
        fields.map(key => sql`, ${castField(app, list.entity, key, identifier('r', key))}`),
        '',
      )} from ${source}`
}

const insertRows = (app: App, list: ListField) =>
  cachedStatement(app, ['insert rows', list.entity], () => built(rowsSql(app, list)))

const updateRows = (app: App, list: ListField) =>
  cachedStatement(app, ['update rows', list.entity], () => {
    const { fields: all, source } = rowSource(app, list)
    const fields = all.filter(key => key !== list.parent)
    const value = (key: string) => castField(app, list.entity, key, identifier('r', key))
    const differs = commas(fields.map(key => identifier('t', key)))
    const given = commas(fields.map(value))
    const own = fields.length === 0 ? raw('false') : sql`(${differs}) is distinct from (${given})`
    const changed = sql`(${identifier('r', ' links')}::boolean or ${own})`
    return built(sql`update ${fromSql(list.entity, 't')} set position = r.position::integer,
      version = t.version + ${changed}::integer,
      changed_at = case when ${changed} then ${slot('at')}::timestamptz else t.changed_at end,
      changed_by = case when ${changed} then ${slot('by')}::uuid else t.changed_by end
      ${join(
        fields.map(key => sql`, ${identifier(key)} = ${value(key)}`),
        '',
      )} from ${source} where t.id = r.id::uuid and ${identifier('t', list.parent)} = ${value(list.parent)}`)
  })

export function deleteRecord(tx: Tx, entity: string, id: string, version: number): Promise<number> {
  tx.tell(entity, id, null)
  return tx.write(sql`delete from ${fromSql(entity, 't')} where t.id = ${id}::uuid and t.version = ${version}::integer`)
}

/** What is only ever added goes all the same: when it is erased, and when it need not be kept any more. */
export const asKept = <Value>(tx: Tx, app: App, entity: string, work: () => Promise<Value>): Promise<Value> =>
  holdsAppended(app, entity) ? released(tx, work) : work()

/** Its records are only ever added, or rows in them are, however deep. */
const holdsAppended = (app: App, entity: string): boolean =>
  app.entities.get(entity)!.appendOnly !== null || childLists(app, entity).some(list => holdsAppended(app, list.entity))
