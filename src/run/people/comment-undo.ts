/**
 * Undoing what somebody has just done with a comment of theirs: written, changed or taken it back. What it was before is kept for as long,
 * and the mails about it wait: the page of notices shows what the comment says now, and nothing of one that says nothing.
 */
import { slot, sql } from '../../expression/sql.ts'
import { peopleTold } from '../../store/news.ts'
import type { Tx } from '../../store/pool.ts'
import type { Outcome } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'
import { built } from '../statements.ts'
import { isId } from '../values.ts'
import { type Done, undoWithin } from '../write/undo.ts'
import { notFound, refused } from '../write/write.ts'
import { isSeen } from './comments.ts'

/** In place of an entity, in what can be undone: of a comment. Its version is the moment of what was done with it, in milliseconds. */
export const ofComment = '@comment'

/** Seconds that mails about a comment wait. */
const held = 60

export const heldUntil = ({ now }: Request): Date => new Date(now.getTime() + held * 1000)

/** What was said of a comment that is taken back is nobody's news; no mail about it leaves before that is final. */
export async function holdUntold(tx: Tx, { now }: Request, comment: string): Promise<void> {
  const until = new Date(now.getTime() + undoWithin * 1000).toISOString()
  tellReaders(tx, await tx.run<Told>(holdMails, { comment, until }))
}

interface Told {
  readonly person: string
}

const tellReaders = (tx: Tx, told: readonly Told[]): void => {
  for (const { person } of told) tx.tell(peopleTold, person, null)
}

const noticesOf = sql`select id, person from ninefold.notice where comment = ${slot('comment')}::uuid`
/** A mail of the morning may have it in it, too. */
const isAbout = sql`o.state = 'waiting' and o.kind = 'mail' and o.name = 'comment' and o.record = t.person`

const holdMails = built(sql`with told as (${noticesOf}), held as (
    update ninefold.outbox as o set due_at = ${slot('until')}::timestamptz from told as t
    where ${isAbout} and o.due_at < ${slot('until')}::timestamptz and (o.payload ? 'digest' or o.payload -> 'notices' ? t.id::text))
  select person from told`)

const releaseMails = built(sql`with told as (${noticesOf}), free as (
    update ninefold.outbox as o set due_at = ${slot('now')}::timestamptz from told as t
    where ${isAbout} and o.payload -> 'notices' ? t.id::text)
  select person from told`)

interface Asked {
  readonly entity: string
  readonly record: string
  readonly moved: boolean
  /** Seconds. */
  readonly age: string
  readonly written: boolean
  /** Somebody has notice of it who would not have it. */
  readonly told: boolean
}

/** Refused where something else was done with it since, it is too long ago, or others have it by mail. */
export const undoComment = (runtime: Runtime, request: Request, { id, version }: Done): Promise<Outcome> =>
  undoing(runtime, request, id, { done: new Date(version).toISOString() })

/** What somebody's own comment on a record said before they last changed it, or took it back; refused where they did neither, too. */
export const bringBackComment = (
  runtime: Runtime,
  request: Request,
  entity: string,
  record: string,
  id: string,
): Promise<Outcome> => undoing(runtime, request, id, { entity, record })

/** `done`: of which version. Else the last one, and never that it was written: who asks twice is not to lose it. */
async function undoing(
  runtime: Runtime,
  request: Request,
  id: string,
  of: { readonly done: string } | { readonly entity: string; readonly record: string },
): Promise<Outcome> {
  const { app, store } = runtime
  if (!isId(id) || request.actor.id === null) return notFound(app)
  const now = request.now.toISOString()
  const done = 'done' in of ? of.done : null
  return store.inTransaction(async (tx): Promise<Outcome> => {
    const [comment] = await tx.run<Asked>(asked, { comment: id, me: request.actor.id, done, now })
    if (comment === undefined || !(await isSeen(tx, app, request, comment.entity, comment.record))) return notFound(app)
    if ('record' in of && (comment.entity !== of.entity || comment.record !== of.record)) return notFound(app)
    if (comment.moved || (done === null && comment.written)) return refused([raise(app, 'NF-UNDO', {})])
    if (Number(comment.age) > undoWithin) return refused([raise(app, 'NF-UNDO-LATE', {})])
    if (Number(comment.age) > held && comment.told) return refused([raise(app, 'NF-UNDO-SENT', {})])
    if (comment.written) await tx.run(unwrite, { comment: id, now })
    else await tx.run(bringBack, { comment: id })
    tellReaders(tx, await tx.run<Told>(comment.written ? withdraw : releaseMails, { comment: id, now }))
    if (runtime.wake !== undefined) tx.afterCommit(runtime.wake)
    tx.tell(comment.entity, comment.record, null)
    return { kind: 'done', id, version: 1 }
  })
}

const mentionedBefore = sql`(select jsonb_array_elements_text(c.before -> 'mentions')::uuid)`

const asked = built(sql`
  select c.entity, c.record, coalesce(coalesce(c.changed_at, c.at) <> ${slot('done')}::timestamptz, false) or coalesce(c.text, c.before ->> 'text') is null
      or (c.changed_at is null and exists (select from ninefold.comment as r where r.reply_to = c.id and r.text is not null)) as moved, c.changed_at is null as written,
    extract(epoch from ${slot('now')}::timestamptz - coalesce(c.changed_at, c.at)) as age,
    exists (select from ninefold.notice as n where n.comment = c.id and c.text is not null
      and (c.before is null or (n.kind = 'mention' and n.person not in ${mentionedBefore}))) as told
  from ninefold.comment as c where c.id = ${slot('comment')}::uuid and c.person = ${slot('me')}::uuid for update`)

/** It is as if it had been taken back, for good. */
const unwrite =
  built(sql`update ninefold.comment set text = null, mentions = '{}', files = '{}', changed_at = ${slot('now')}::timestamptz
  where id = ${slot('comment')}::uuid`)

const withdraw = built(sql`delete from ninefold.notice where comment = ${slot('comment')}::uuid returning person`)

const bringBack = built(sql`
  with back as (update ninefold.comment as c set text = c.before ->> 'text', mentions = array${mentionedBefore}, files = array(select jsonb_array_elements_text(c.before -> 'files')),
      changed_at = (c.before ->> 'changed_at')::timestamptz, before = null
    where c.id = ${slot('comment')}::uuid returning c.id, c.mentions)
  delete from ninefold.notice as n using back where n.comment = back.id and n.kind = 'mention' and not n.person = any(back.mentions)`)

/** What cannot be undone any more is kept no longer. */
export const forgetBefore = (tx: Tx, now: Date): Promise<number> =>
  tx.write(sql`with over as (update ninefold.comment set before = null
      where before is not null and changed_at < ${new Date(now.getTime() - undoWithin * 1000).toISOString()}::timestamptz returning id, text),
    noticed as (delete from ninefold.notice where comment in (select id from over where text is null))
  select from over`)
