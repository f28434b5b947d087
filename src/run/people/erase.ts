/** What is personal in one record goes: its values, those of its rows, what its history had of them, and what was said and sent because of it. */
import type { Cell } from '../../document/source.ts'
import { identifier, join, raw, type Sql, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { specified } from '../../headings/specified.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { segmentOf } from '../address-segment.ts'
import { markForRearming, markReaders } from '../later/rearm-mark.ts'
import { columnSql, declared, fromSql, isLinks, isSealed, linksSql, tableSql } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { violated } from '../problems/violation.ts'
import { type Changes, isRows, type RowValues, remember } from '../read/history.ts'
import { isSingle } from '../read/select.ts'
import type { Request, Runtime } from '../request.ts'
import { childLists, deepLists } from '../write/draft-record.ts'
import { asKept } from '../write/persist.ts'
import { loadRecord } from '../write/record.ts'
import { guardLastHolder } from './last-holder.ts'
import { personalOf } from './personal.ts'

export interface Erasing {
  readonly entity: string
  readonly id: string
  /** `keep`: its time is over; `asked`: the person is to be erased. */
  readonly what: 'keep' | 'asked'
  readonly because: Cell | null
}

/** Null when it is done. A rule of the database may want a value that would go; then nothing changes, and the problem says which. */
export async function eraseRecord(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  erasing: Erasing,
): Promise<Problem | null> {
  const { app } = runtime
  const { entity, id } = erasing
  const rows = await tx.query<{ version: string }>(
    sql`select version from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${id}::uuid for update`,
  )
  if (rows[0] === undefined) return null
  await forgetDrafts(tx, await addressesOf(tx, app, entity, id))
  const old = await loadRecord(tx, app, entity, id)
  const last = await guardLastHolder(tx, app, request, entity)
  let kept: Problem | null = null
  try {
    await tx.attempt(async () => {
      await asKept(tx, app, entity, () => eraseValues(tx, app, entity, [id]))
      kept = await last()
      if (kept !== null) throw kept
    })
  } catch (error) {
    if (kept !== null) return kept
    const problem = violated(app, request, entity, error)
    if (problem === null) throw error
    return problem
  }
  await asKept(tx, app, entity, () =>
    tx.write(sql`update ${tableSql(entity)} set version = version + 1 where id = ${id}::uuid`),
  )
  tx.tell(entity, id, null)
  await rearmErased(tx, runtime, request, entity, old)
  await eraseHistory(tx, app, entity, id)
  await forgetTraces(tx, entity, id)
  await tx.write(sql`insert into ninefold.erased (entity, record, at) values (${entity}, ${id}::uuid, ${request.now.toISOString()}::timestamptz)
    on conflict (entity, record) do update set at = excluded.at`)
  remember(tx, app, request, {
    entity,
    record: id,
    version: Number(rows[0].version) + 1,
    kind: 'erase',
    what: erasing.what,
    changes: {},
    because: erasing.because,
  })
  return null
}

/** What timers read of it, and what code works out of it, is gone: its own, its parent's and those of whoever names it are looked at anew. */
async function rearmErased(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  old: RecordValue | null,
): Promise<void> {
  if (old === null) return
  const { app } = runtime
  const id = old.id as string
  await markReaders(tx, runtime, request, entity, await loadRecord(tx, app, entity, id), old)
  await markForRearming(tx, runtime, request, [entity, ...deepLists(app, entity).map(list => list.entity)], id)
  const { partOf } = app.entities.get(entity)!
  if (partOf === null) return
  await markForRearming(tx, runtime, request, [partOf], old[app.schema.get(entity)!.parent!] as string)
}

/** Also of the rows that are part of them. */
async function eraseValues(tx: Tx, app: App, entity: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { fields } = personalOf(app, entity)
  const columns = fields.filter(key => !isLinks(app, entity, key))
  if (columns.length > 0) {
    const set = columns.map(key => sql`${identifier(key)} = ${instead(app, entity, key)}`)
    await tx.write(sql`update ${tableSql(entity)} set ${join(set, ', ')} where id = any(${ids}::uuid[])`)
  }
  for (const key of fields.filter(one => isLinks(app, entity, one)))
    await tx.write(sql`delete from ${linksSql(entity, key)} where owner = any(${ids}::uuid[])`)
  for (const list of childLists(app, entity)) {
    const children = await tx.query<{ id: string }>(
      sql`select id from ${fromSql(list.entity, 'c')} where ${columnSql('c', list.parent)} = any(${ids}::uuid[])`,
    )
    const own = children.map(one => one.id)
    await eraseValues(tx, app, list.entity, own)
  }
}

/** Nothing; where something has to be there, a text that is unlike all others (`erasedLength`). */
function instead(app: App, entity: string, key: string): Sql {
  if (entity === 'person' && key === 'name') return raw("'Erased person'")
  const field = declared(app, entity, key)
  const isMail = field?.kind === 'e-mail' || (entity === 'person' && key === 'email')
  if (isMail && (field === undefined || !field.optional)) return raw("'erased-' || id || '@erased.invalid'")
  // A hash that no text has.
  if (field !== undefined && !field.optional && isSealed(app, entity, key))
    return raw("'$argon2id$v=19$m=8,t=1,p=1$erased$erased'")
  return field === undefined || field.optional ? raw('null') : raw("'erased ' || right(id::text, 12)")
}

/** Entries stay: that something happened, when, and who did it. */
async function eraseHistory(tx: Tx, app: App, entity: string, id: string): Promise<void> {
  const entries = await tx.query<{ id: string; changes: Changes }>(
    sql`select h.id, h.changes from ninefold.history as h where h.entity = ${entity} and h.record = ${id}::uuid and h.changes <> '{}'`,
  )
  for (const entry of entries) {
    const left = JSON.stringify(withoutPersonal(app, entity, entry.changes))
    if (left !== JSON.stringify(entry.changes))
      await tx.write(sql`update ninefold.history set changes = ${left}::jsonb where id = ${entry.id}::uuid`)
  }
}

const withoutPersonal = (app: App, entity: string, changes: Changes): Changes => kept(app, entity, changes) as Changes

/** What a history keeps of a record, or of a row: without its personal fields, and those of its rows. */
function kept(app: App, entity: string, values: RowValues | Changes): RowValues | Changes {
  const { fields } = personalOf(app, entity)
  const lists = new Map(childLists(app, entity).map(list => [list.field, list.entity]))
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (fields.includes(key)) return []
      const row = lists.get(key)
      if (row === undefined || !isRows(value)) return [[key, value]]
      const { added, removed, changed, order } = value
      const named = <Of extends { readonly name?: RowValues }>({ name, ...one }: Of) => ({
        ...one,
        ...(name !== undefined && { name: kept(app, row, name) }),
      })
      const each = changed.map(one => ({ ...named(one), fields: kept(app, row, one.fields) }))
      const whole = (rows: readonly RowValues[]) => rows.map(one => kept(app, row, one))
      const since = order === undefined ? {} : { order: { ...order, before: order.before.map(named) } }
      return [[key, { added: whole(added), removed: whole(removed), changed: each, ...since }]]
    }),
  )
}

/** What the addresses of the forms of a record have in them: its id, or, behind what stands before it there, the value that names it. */
export async function addressesOf(reader: Reader, app: App, entity: string, id: string): Promise<readonly string[]> {
  const named = app.screens.flatMap(({ shows, route }) => {
    const segments = (specified(shows)?.entity === entity ? specified(route)?.segments : null) ?? []
    const at = segments.findIndex(segment => 'field' in segment)
    const found = segments[at]
    if (found === undefined || !('field' in found) || !isSingle(app, entity, found.field)) return []
    return [{ field: found.field, before: segments.slice(0, at).map(one => ('text' in one ? `/${one.text}` : '')) }]
  })
  const columns = ['id', ...named.map(({ field }) => field)].map(key => sql`${columnSql('t', key)}::text`)
  const [row] = await reader.query<{ named: readonly (string | null)[] }>(
    sql`select array[${join(columns, ', ')}] as named from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${id}::uuid`,
  )
  const [own, ...values] = row?.named ?? []
  const others = named.flatMap(({ before }, at) =>
    values[at] == null ? [] : [`${before.join('')}/${segmentOf(values[at])}/`],
  )
  return own == null ? [] : [`/${own}/`, ...others]
}

/** Drafts of changes to a record hold what it had. */
export const forgetDrafts = (tx: Tx, addresses: readonly string[]): Promise<number> =>
  tx.write(
    sql`delete from ninefold.draft where exists (select from unnest(${addresses}::text[]) as a where strpos(form || '/', a) > 0)`,
  )

/** Outside of the record and its history: comments, mails and calls that left, jobs. What still waits to leave does leave. */
export async function forgetTraces(tx: Tx, entity: string, id: string): Promise<void> {
  const of = sql`entity = ${entity} and record = ${id}::uuid`
  await tx.write(
    sql`update ninefold.comment set text = null, mentions = '{}', files = '{}', before = null where ${of} and coalesce(text, before ->> 'text') is not null`,
  )
  await tx.write(sql`delete from ninefold.received_call where entry in (select id from ninefold.outbox where ${of})`)
  await tx.write(
    sql`update ninefold.outbox set payload = '{}', last_answer = null, last_error = null where ${of} and state = 'delivered'`,
  )
  await tx.write(sql`delete from ninefold.outbox where ${of} and state = 'failed'`)
  await tx.write(sql`delete from ninefold.mailbox where ${of}`)
  await tx.write(sql`delete from ninefold.case_link where ${of}`)
  await tx.write(sql`delete from ninefold.refused_attempt where ${of}`)
  // What programs were told of it: a repeat is told of it as it is by then.
  await tx.write(
    sql`update ninefold.idempotency set answer = answer - 'told' where answer ->> 'id' = ${id} or scope = ${id}`,
  )
  await tx.write(sql`update ninefold.job_row set title = null, cells = null where record = ${id}::uuid`)
}
