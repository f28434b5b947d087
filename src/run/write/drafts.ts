/**
 * Drafts: what somebody typed into a form and has not saved yet, one for each person and form. A draft is no record: it is never judged,
 * never counted, never in the history, and only the person who typed it ever gets it. It goes in the transaction that saves the form.
 */

import { sql } from '../../expression/sql.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import type { Store, Tx } from '../../store/pool.ts'
import type { Request } from '../request.ts'
import { alsoDone, type Companion } from './accompanied.ts'

export type Pairs = readonly (readonly [string, string])[]

export interface Draft {
  /** Names and texts, as the form sends them. */
  readonly pairs: Pairs
  /** The step of a wizard that it is at, from 1; 1 for any other form. */
  readonly step: number
  readonly at: Date
}

/** Whose draft, and of which form. */
export interface DraftOf {
  readonly person: string
  /** Address of the form. */
  readonly form: string
}

export interface Keeping {
  readonly pairs: Pairs
  readonly step: number
  /** The key of the write that would save this very form: once it has been saved, nothing of it is kept any more. */
  readonly once: { readonly scope: string; readonly key: string } | null
}

/** Drafts of one person; the oldest goes first. */
const draftsOfPerson = 50
/** Letters of a draft, names and all. */
const draftLetters = 262_144

/** When a draft that is kept now is erased. */
export function draftEnd({ limits, now }: Pick<Request, 'limits' | 'now'>): Date {
  return new Date(now.getTime() + engineValue(limits, 'draft_days') * 86_400_000)
}

/** Null: there is none, or its time is over. */
export async function readDraft(store: Store, { person, form }: DraftOf, now: Date): Promise<Draft | null> {
  const [row] = await store.query<{ pairs: Pairs; step: string; kept_at: string }>(
    sql`select pairs, step, kept_at from ninefold.draft
      where person = ${person}::uuid and form = ${form} and ends_at > ${now.toISOString()}::timestamptz`,
  )
  return row === undefined ? null : { pairs: row.pairs, step: Number(row.step), at: new Date(row.kept_at) }
}

/** Takes the place of the draft that was there. `saved`: the form has been saved meanwhile. */
export async function keepDraft(
  store: Store,
  request: Request,
  of: DraftOf,
  { pairs, step, once }: Keeping,
): Promise<'kept' | 'saved' | 'too large'> {
  const plain = pairs.map(([name, text]) => [name, text.replaceAll('\0', '').toWellFormed()] as const)
  if (plain.reduce((sum, [name, text]) => sum + name.length + text.length, 0) > draftLetters) return 'too large'
  const files = plain.flatMap(([, text]) => heldFile(text)?.digest ?? [])
  const at = request.now.toISOString()
  return store.inTransaction(async tx => {
    await lock(tx, of)
    const written = await tx.write(sql`
      insert into ninefold.draft (person, form, pairs, files, step, kept_at, ends_at)
      select ${of.person}::uuid, ${of.form}::text, ${JSON.stringify(plain)}::jsonb, ${files}::text[], ${step}::integer,
        ${at}::timestamptz, ${draftEnd(request).toISOString()}::timestamptz
      where not exists (select from ninefold.idempotency where scope = ${once?.scope ?? ''} and key = ${once?.key ?? ''})
      on conflict (person, form) do update set pairs = excluded.pairs, files = excluded.files, step = excluded.step,
        kept_at = excluded.kept_at, ends_at = excluded.ends_at`)
    await tx.write(sql`
      delete from ninefold.draft where person = ${of.person}::uuid and form not in (
        select form from ninefold.draft where person = ${of.person}::uuid order by kept_at desc, form limit ${draftsOfPerson}::integer)`)
    return written > 0 ? 'kept' : 'saved'
  })
}

/** Removes a draft with its files; none is fine. */
export async function discardDraft(store: Store, of: DraftOf): Promise<void> {
  await store.inTransaction(tx => erase(tx, of))
}

/** The draft goes with what is written of it. */
export const draftErased = (of: DraftOf): Companion => alsoDone(tx => erase(tx, of))

/** Takes away those whose time is over. */
export const tidyDrafts = (tx: Tx, now: Date): Promise<number> =>
  tx.write(sql`delete from ninefold.draft where ends_at <= ${now.toISOString()}::timestamptz`)

async function erase(tx: Tx, of: DraftOf): Promise<void> {
  await lock(tx, of)
  await tx.write(sql`delete from ninefold.draft where person = ${of.person}::uuid and form = ${of.form}`)
}

/** Until the end of the transaction nobody else keeps or erases it: what is on its way while the form is saved comes too late. */
const lock = (tx: Tx, { person, form }: DraftOf) =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${person} ${form}`}::text, 1))`)
