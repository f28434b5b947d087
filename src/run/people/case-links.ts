/**
 * Ways in to one record for somebody without an account: links (in mails, and shown when a form was sent), codes that are typed beside the
 * record's number, and the short sessions that both lead to. Only hashes are kept. Who may what through them, heading 6 says (`Actor.link`).
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { sql } from '../../expression/sql.ts'
import { linkRoles } from '../../headings/6-permissions/links.ts'
import type { App } from '../../headings/app.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { nobody } from '../../store/system.ts'
import { columnSql, fromSql } from '../names.ts'
import { addressed, read } from '../read/read.ts'
import type { Actor, Request, Runtime } from '../request.ts'

export interface Case {
  readonly entity: string
  readonly record: string
}

/** `link` and `session` are tokens of 256 random bits; `code` is typed, and is one of its record alone. */
type Way = 'link' | 'code' | 'session'

interface WayIn extends Case {
  readonly hash: Buffer
  readonly way: Way
  readonly now: Date
  readonly ends: Date
}

export const openWay = (tx: Tx, { hash: of, entity, record, way, now, ends }: WayIn): Promise<number> =>
  tx.write(sql`insert into ninefold.case_link (token_hash, entity, record, way, created_at, ends_at)
    values (${of}, ${entity}, ${record}::uuid, ${way}, ${now}, ${ends})`)

/** Browsers that have one record open at a time. */
export const caseSessions = 20

/**
 * Begins the session of a browser. The one that it had ends, whichever record it was of, and so do the oldest of too many of this record, so
 * that a link that is followed over and over leaves no more rows than that.
 */
export async function openSession(tx: Tx, session: Omit<WayIn, 'way'>, before: Buffer | null): Promise<void> {
  const { entity, record, now } = session
  await tx.write(sql`
    delete from ninefold.case_link where way = 'session' and (token_hash = ${before}::bytea
      or (entity = ${entity} and record = ${record}::uuid and (ends_at <= ${now}::timestamptz or token_hash in (
        select token_hash from ninefold.case_link where entity = ${entity} and record = ${record}::uuid and way = 'session'
        order by created_at desc, token_hash offset ${String(caseSessions - 1)}::bigint))))`)
  await openWay(tx, { ...session, way: 'session' })
}

/** The record that a link or a session is for; null: it is none, or has ended. */
export async function caseOf(
  reader: Reader,
  token: Buffer,
  way: Exclude<Way, 'code'>,
  now: Date,
): Promise<Case | null> {
  const [found] = await reader.query<{ entity: string; record: string }>(sql`
    select entity, record from ninefold.case_link where token_hash = ${token} and way = ${way} and ends_at > ${now}`)
  return found ?? null
}

/** Letters that are not taken for one another (Crockford's): twenty-six of them are 130 bits. */
export const codeLetters = 26
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `K7QM-2XRT-9FDB-…`, a letter for each random byte. */
export const codeFrom = (bytes: Buffer): string =>
  [...bytes.subarray(0, codeLetters)]
    .map((byte, at) => (at > 0 && at % 4 === 0 ? '-' : '') + letters[byte % 32])
    .join('')

/** As it is compared: however it was typed, and of this record alone. */
export function codeHash(record: string, typed: string): Buffer {
  const even = typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return hash('sha256', `ninefold code ${record} ${even}`, 'buffer')
}

/**
 * The record of this number, where the code is one of its own. Whether there is such a record, nothing tells: the same statements are
 * sent, and as many bytes compared.
 */
export async function caseByCode(
  runtime: Runtime,
  request: Request,
  entity: string,
  by: { readonly field: string; readonly value: string; readonly code: string },
): Promise<Case | null> {
  const { field, value } = addressed(runtime.app, entity, by)
  const actor: Actor = { id: null, name: null, roles: [], system: 'call' }
  const rows = await read(
    runtime,
    { ...request, actor },
    {
      kind: 'rows',
      entity,
      columns: [field],
      where: null,
      filters: [{ field, comparison: 'is', value }],
      search: null,
      sort: [],
      after: null,
      before: null,
      limit: 1,
      countTo: 0,
    },
  )
  const row = rows?.rows[0]
  const record = row !== undefined && row.values[field] === value ? row.id : nobody
  const known = await runtime.store.query<{ token_hash: Buffer }>(sql`
    select token_hash from ninefold.case_link
    where entity = ${entity} and record = ${record}::uuid and way = 'code' and ends_at > ${request.now}`)
  const given = codeHash(record, by.code)
  const fits = [{ token_hash: Buffer.alloc(32) }, ...known].map(one => timingSafeEqual(one.token_hash, given))
  return fits.includes(true) ? { entity, record } : null
}

/** What names the record in the address of a page; null: it is not there any more. */
export async function nameOf(reader: Reader, { entity, record }: Case, field: string): Promise<string | null> {
  const [found] = await reader.query<{ value: string | null }>(sql`
    select ${columnSql('t', field)}::text as value from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${record}::uuid`)
  return found?.value ?? null
}

/** Everything that leads to the record without an account ends. */
export const endWays = (tx: Tx, { entity, record }: Case): Promise<number> =>
  tx.write(sql`delete from ninefold.case_link where entity = ${entity} and record = ${record}::uuid`)

export const endWay = (tx: Tx, token: Buffer): Promise<number> =>
  tx.write(sql`delete from ninefold.case_link where token_hash = ${token} and way = 'session'`)

/** A visitor with the roles of a link, of this record alone. The roles of everyone are theirs as before. */
export function holding(app: App, actor: Actor, { entity, record }: Case): Actor {
  const roles = linkRoles(app, entity)
  if (roles.length === 0 || actor.id !== null) return actor
  return { ...actor, roles: [...actor.roles, ...roles], link: { entity, id: record, roles } }
}
