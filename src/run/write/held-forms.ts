/**
 * Forms for everyone whose hidden box was filled in. They are no records: nothing counts them, and they are kept for a while, for whoever
 * looks after such records to release or to throw away. Of each entity there are so many at most; the oldest make room.
 */
import { sql } from '../../expression/sql.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import type { Store, Tx } from '../../store/pool.ts'
import type { Request } from '../request.ts'

export const heldDays = 30
export const heldOfEntity = 500
/** Letters of one; a longer one is counted in the log alone. */
const formLetters = 65_536

export interface HeldForm {
  readonly id: string
  readonly entity: string
  /** Address of the form. */
  readonly path: string
  readonly form: URLSearchParams
  /** Who sent its files. */
  readonly sender: string
  /** In which it was filled in. */
  readonly language: string
  readonly at: string
}

/** `key`: what is sent again from the form that comes back is held once. */
export async function holdForm(
  store: Store,
  held: Omit<HeldForm, 'id' | 'at'> & { readonly key: Buffer },
  { now, newId }: Pick<Request, 'now' | 'newId'>,
): Promise<void> {
  const { entity, key, path, form, sender, language } = held
  const text = form.toString()
  if (text.length > formLetters) return
  const files = [...form.values()].flatMap(value => heldFile(value)?.digest ?? [])
  const ends = new Date(now.getTime() + heldDays * 86_400_000)
  await store.inTransaction(async tx => {
    // One after the other, so that the count is right.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('ninefold.held_form', 0))`)
    await tx.write(sql`
      insert into ninefold.held_form (id, key, entity, path, form, files, sender, language, at, ends_at)
      values (${newId()}::uuid, ${key}, ${entity}, ${path}, ${text}, ${files}::text[], ${sender}::uuid, ${language}, ${now}, ${ends})
      on conflict (key) do nothing`)
    await tx.write(sql`
      delete from ninefold.held_form where id in (
        select id from ninefold.held_form where entity = ${entity} order by at desc, id desc offset ${heldOfEntity}::bigint)`)
  })
}

/** How many wait that were sent at these addresses. */
export async function countHeld(store: Store, paths: readonly string[], now: Date): Promise<number> {
  const [counted] = await store.query<{ count: string }>(sql`
    select count(*) as count from ninefold.held_form where path = any(${paths}::text[]) and ends_at > ${now}`)
  return Number(counted!.count)
}

/** Those that were sent at these addresses, the newest first; `id`: this one alone. */
export async function readHeld(
  store: Store,
  paths: readonly string[],
  { now, limit, id = null }: { readonly now: Date; readonly limit: number; readonly id?: string | null },
): Promise<readonly HeldForm[]> {
  const rows = await store.query<Omit<HeldForm, 'form'> & { readonly form: string }>(sql`
    select id, entity, path, form, sender, language, at from ninefold.held_form
    where path = any(${paths}::text[]) and ends_at > ${now} and (${id}::uuid is null or id = ${id}::uuid)
    order by at desc, id desc limit ${limit}::bigint`)
  return rows.map(row => ({ ...row, form: new URLSearchParams(row.form) }))
}

/** Released, thrown away, or sent once more by whoever it was. */
export const dropHeld = (store: Store, of: { readonly id: string } | { readonly key: Buffer }): Promise<number> =>
  store.inTransaction(tx =>
    tx.write(
      'id' in of
        ? sql`delete from ninefold.held_form where id = ${of.id}::uuid`
        : sql`delete from ninefold.held_form where key = ${of.key}`,
    ),
  )

/** Takes away those whose time is over. */
export const sweepHeld = (tx: Tx, now: Date): Promise<number> =>
  tx.write(sql`delete from ninefold.held_form where ends_at <= ${now}`)
