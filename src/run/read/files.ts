/**
 * Files: what a person sent, noted before any record names it. A record takes a file only from the person who sent it (or where it is
 * already there): whoever merely knows a digest gets nothing.
 */
import { identifier, join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { type EngineKey, engineLimit, engineValue } from '../../headings/9-limits/engine.ts'
import type { App } from '../../headings/app.ts'
import { type HeldFile, heldFile } from '../../kinds/fields/file/held.ts'
import type { Scanned } from '../../store/clamd.ts'
import { clearStaging, type FileStore, type StagedFile } from '../../store/files.ts'
import { mayClearContents } from '../../store/locks.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { columnSql, tableSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { built } from '../statements.ts'
import type { FieldRules } from '../write/validate.ts'

/** How large a file of this field may be: as its rule says, else as the application's limit. */
export function fileLimit(
  limits: Readonly<Record<string, Wire>>,
  most: FieldRules['most'],
): NonNullable<FieldRules['most']> {
  return most ?? sizeOf('max_file_size', engineValue(limits, 'max_file_size'))
}

/** What all files together may take; null: whatever there is. */
export function storageLimit({ max_storage }: Readonly<Record<string, Wire>>): FieldRules['most'] {
  return max_storage == null ? null : sizeOf('max_storage', Number(max_storage))
}

const sizeOf = (key: EngineKey, count: number): NonNullable<FieldRules['most']> => ({
  bytes: count * 2 ** 20,
  shown: `${count} ${engineLimit(key)!.unit}`,
})

/**
 * Keeps what was sent, unless there is no room for it, there is a virus in it or nobody can say: the content in the store of files, and a
 * note of who sent it.
 */
export async function keepFile(
  { app, store }: Runtime,
  files: FileStore,
  request: Request,
  staged: StagedFile,
  held: HeldFile,
): Promise<Scanned | { readonly kind: 'full' }> {
  const room = storageLimit(request.limits)
  const isFull = async (reader: Reader) => room !== null && !(await fits(reader, app, request, held, room.bytes))
  if (await isFull(store)) return { kind: 'full' }
  const scanned = (await files.scan?.(staged.path)) ?? { kind: 'clean' }
  if (scanned.kind !== 'clean') return scanned
  const [person = null] = sendersOf(request)
  return await store.inTransaction(async tx => {
    // Nobody takes the same content away meanwhile.
    await tx.run(lockDigest, { digest: held.digest })
    await files.put(held.digest, staged)
    if (room !== null) await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('ninefold.file', 0))`)
    if (await isFull(tx)) {
      // Others came first. Nobody has it yet, unless it was there before.
      const noted = await tx.query(sql`select from ninefold.file where digest = ${held.digest} limit 1`)
      if (noted.length === 0) await files.remove(held.digest)
      return { kind: 'full' }
    }
    await tx.write(noteFile, { ...held, person, at: request.now.toISOString() })
    return scanned
  })
}

/**
 * Whether a file has room beside the others, each content counted once: those that people of the same tenant sent, else those of everybody. Whoever belongs to
 * no tenant shares the room with all who do not, visitors too.
 */
async function fits(reader: Reader, app: App, { actor }: Request, held: HeldFile, bytes: number): Promise<boolean> {
  const { tenant } = app.product
  const people = (which: Sql) => sql`(select p.id from ${tableSql('person')} as p where ${which})`
  const beside =
    tenant === null
      ? raw('true')
      : actor.tenant == null
        ? sql`f.person not in ${people(sql`${columnSql('p', tenant.field)} is not null`)}`
        : sql`f.person in ${people(sql`${columnSql('p', tenant.field)} = ${actor.tenant}::uuid`)}`
  const [row] = await reader.query<{ fits: boolean }>(sql`
    select coalesce(sum(size), 0) + ${String(held.size)}::bigint <= ${String(bytes)}::bigint as fits
    from (select distinct f.digest, f.size from ninefold.file as f where f.digest <> ${held.digest} and ${beside}) as f`)
  return row!.fits
}

/** Who sends and names files: a person first, and the browsers that the request comes from. */
const sendersOf = ({ actor, senders = [] }: Request): readonly string[] =>
  actor.id === null ? senders : [actor.id, ...senders]

const lockDigest = built(sql`select pg_advisory_xact_lock(hashtextextended(${slot('digest')}::text, 0))`)

const noteFile = built(sql`
  insert into ninefold.file (digest, size, type, name, person, at)
  values (${slot('digest')}, ${slot('size')}::bigint, ${slot('type')}, ${slot('name')}, ${slot('person')}::uuid, ${slot('at')}::timestamptz)
  on conflict (person, digest, type, name) do update set at = excluded.at`)

/** Of these values of files those that this person did not send. What was sent stays while the transaction lasts. */
export async function notSent(tx: Tx, request: Request, values: readonly string[]): Promise<ReadonlySet<string>> {
  if (values.length === 0) return new Set()
  const rows = await tx.run<{ value: string }>(sentFiles, {
    digests: values.map(value => heldFile(value)?.digest ?? ''),
    senders: sendersOf(request),
  })
  const sent = new Set(rows.map(({ value }) => value))
  return new Set(values.filter(value => !sent.has(value)))
}

const sentFiles = built(sql`
  select digest || ' ' || size || ' ' || type || ' ' || name as value from ninefold.file
  where digest = any(${slot('digests')}::text[]) and person = any(${slot('senders')}::uuid[]) for share`)

/** Hours that a file which no record names is kept: whoever chose it may still be filling in the form. */
const keptHours = 24

/**
 * Takes away what no record, no comment, no draft and nothing that waits to be confirmed names any more, and what none ever named. Columns that vanished from the document count: their data is
 * kept, and so are its files. Gives the number of contents that went.
 */
export async function tidyFiles({ app, store }: Runtime, files: FileStore, now: Date): Promise<number> {
  const kept = keptHours * 3_600_000
  await clearStaging(files, kept)
  const before = new Date(now.getTime() - kept)
  const columns = await store.query<{ table: string; column: string }>(textColumns)
  const naming = columns.filter(({ table, column }) => {
    const known = app.entities.get(table)?.fields.find(({ key }) => key === column)
    return known === undefined || known.type.kind === 'file'
  })
  const named = naming.map(
    ({ table, column }) =>
      sql`select left(${identifier(column)}, 64) from ${tableSql(table)} where ${identifier(column)} is not null`,
  )
  const commented = sql`select left(f.file, 64) from ninefold.comment as c, unnest(c.files) as f (file)
    union all select left(f.file, 64) from ninefold.comment as c, jsonb_array_elements_text(c.before -> 'files') as f (file)`
  // A draft, and what waits to be confirmed or was held back, names its files as well as a record does.
  const drafted = sql`select f.digest from ninefold.draft as d join ninefold.file as f on f.person = d.person and f.digest = any(d.files)
    where d.ends_at > ${now.toISOString()}::timestamptz
    union all select f.digest from ninefold.unconfirmed as u join ninefold.file as f on f.person = u.sender and f.digest = any(u.files)
    where u.ends_at > ${now.toISOString()}::timestamptz
    union all select f.digest from ninefold.held_form as h join ninefold.file as f on f.person = h.sender and f.digest = any(h.files)
    where h.ends_at > ${now.toISOString()}::timestamptz`
  const unnamed = sql`select digest from ninefold.file where digest not in (${join([drafted, commented, ...named], ' union all ')})
    group by digest having max(at) < ${before.toISOString()}::timestamptz`
  let gone = 0
  for (const { digest } of await store.query<{ digest: string }>(unnamed))
    await store.inTransaction(async tx => {
      if (!(await mayClearContents(tx))) return
      await tx.run(lockDigest, { digest })
      // Whoever is about to name it holds its row; by the time that this is free, what they wrote can be seen.
      await tx.query(sql`select from ninefold.file where digest = ${digest} for update`)
      const still = await tx.query(sql`select from (${unnamed}) as u where u.digest = ${digest}`)
      if (still.length === 0) return
      await files.remove(digest)
      await tx.write(sql`delete from ninefold.file where digest = ${digest}`)
      gone++
    })
  return gone
}

/** Views stand for tables of other applications, which keep our names of files as tables of ours do. */
const textColumns = sql`
  select c.relname::text as table, a.attname::text as column
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where (c.relkind = 'r' and n.nspname = 'public' or c.relkind = 'v' and n.nspname = 'ninefold_beside')
    and obj_description(c.oid, 'pg_class') like 'ninefold: %' and a.atttypid = 'text'::regtype and a.attnum > 0 and not a.attisdropped
  order by 1, 2`
