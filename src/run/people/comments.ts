/**
 * What people say about records, as it is read. Whoever is signed in, sees a record and is let by the document reads the comments on
 * it and writes some (`commenting.ts`).
 */
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { type HeldFile, heldFile } from '../../kinds/fields/file/held.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { isUnnamed } from '../access/unnamed.ts'
import { columnSql, fieldSql, fromSql, isLinks, linksSql, personFields } from '../names.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'

/** Whether they may talk about those records of the entity that they see. */
export function mayComment(
  { entities }: App,
  { id, roles, emergency }: Pick<Actor, 'id' | 'roles' | 'emergency'>,
  entity: string,
): boolean {
  const of = entities.get(entity)
  if (of === undefined || of.partOf !== null || id === null || emergency !== undefined) return false
  if (of.comments === null) return true
  return !isUnspecified(of.comments) && of.comments.roles.some(role => roles.includes(role))
}

/** Whether somebody sees the record and may talk about it. Held until the transaction ends. */
export async function isSeen(tx: Reader, app: App, request: Request, entity: string, record: string): Promise<boolean> {
  if (!isId(record) || !mayComment(app, request.actor, entity)) return false
  const policy = policyFor(app, request.actor)
  const seen = cachedStatement(app, ['talks about', policy.key, entity], () =>
    built(
      sql`select t.id from ${fromSql(entity, 't')} where ${conditionSql(
        allOf([sql`${columnSql('t', 'id')} = ${slot('record')}::uuid`, policy.rows(entity, 'see', 't')]),
      )} for key share of t`,
    ),
  )
  return (await tx.run(seen, bindingsOf(request, { record }))).length === 1
}

/** The comments that begin threads on the record in the slot `record`, each as new as what was said in it last: columns as entries of the history have them. */
export const commentsSql = (entity: string): Sql => sql`
  select c.id, coalesce((select max(r.at) from ninefold.comment as r where r.reply_to = c.id), c.at) as at, 'comment' as kind, 'comment' as what, c.person as actor, null as api_key, '{}'::jsonb as changes, null as from_state, null as to_state,
    '' as document, null as delivery, null::integer as attempts, c.text, c.changed_at, c.person = ${slot('me')}::uuid as own
  from ninefold.comment as c where c.entity = ${entity} and c.record = ${slot('record')}::uuid and c.reply_to is null`

/** A comment as it is read one by one; `text` null: taken back. */
interface ReadComment {
  readonly id: string
  readonly at: string
  /** Null: somebody whom the reader may not name. */
  readonly who: string | null
  readonly text: string | null
  readonly changed_at: string | null
  /** The comment that begins its thread; null: it does itself. */
  readonly reply_to: string | null
  /** As fields of records name them. */
  readonly files: readonly string[]
}

/** Comments that are read at once. */
const commentsRead = 100

/** What is said about a record, newest first; null: it is not there, or one may not talk about it. `before`: the last one of the page before. */
export async function readComments(
  { app, store }: Runtime,
  request: Request,
  entity: string,
  record: string,
  before: string | null,
): Promise<{ readonly comments: readonly ReadComment[]; readonly next: string | null } | null> {
  if (!mayComment(app, request.actor, entity)) return null
  const policy = policyFor(app, request.actor)
  const query = cachedStatement(app, ['comments', policy.key, entity], () =>
    built(sql`select c.id, c.at, c.text, c.changed_at, c.reply_to, to_jsonb(c.files) as files,
        (select p.name from ${fromSql('person', 'p')} where p.id = c.person and ${conditionSql(policy.names('person', 'p'))}
          and not ${conditionSql(isUnnamed(app, policy, entity, 't', sql`c.person`))}) as who
      from ${fromSql(entity, 't')} left join lateral (
        select * from ninefold.comment as c where c.entity = ${entity} and c.record = t.id and (${slot('before')}::uuid is null
          or (c.at, c.id) < (select b.at, b.id from ninefold.comment as b where b.id = ${slot('before')}::uuid and b.entity = ${entity} and b.record = t.id))
        order by c.at desc, c.id desc limit ${raw(String(commentsRead + 1))}) as c on true
      where ${conditionSql(allOf([sql`t.id = ${slot('record')}::uuid`, policy.rows(entity, 'see', 't')]))}
      order by c.at desc, c.id desc`),
  )
  const rows = await store.run<Omit<ReadComment, 'id'> & { id: string | null }>(
    query,
    bindingsOf(request, { record, before }),
  )
  if (rows.length === 0) return null
  const found = rows.flatMap(row => (row.id === null ? [] : [{ ...row, id: row.id }]))
  const comments = found.slice(0, commentsRead)
  return { comments, next: found.length > commentsRead ? comments.at(-1)!.id : null }
}

/** Where a file of a comment belongs, and what it is; whether whoever asks may read that is not asked. Null: there is none. */
export async function commentFile(
  { store }: Runtime,
  comment: string,
  place: number,
): Promise<{ readonly entity: string; readonly record: string; readonly file: HeldFile } | null> {
  if (!isId(comment)) return null
  const [found] = await store.query<{ entity: string; record: string; file: string | null }>(
    sql`select c.entity, c.record, c.files[${place}::integer] as file from ninefold.comment as c where c.id = ${comment}::uuid`,
  )
  const file = found === undefined || found.file === null ? null : heldFile(found.file)
  return found === undefined || file === null ? null : { ...found, file }
}

/** Whether whoever asks follows the record of the alias: what they chose, else what the record says that they see of it. */
export function followsSql(app: App, policy: Policy, entity: string, alias: string): Sql {
  const me = slot('me')
  const named = personFields(app, entity).map((key): Condition => {
    const seen = policy.field(entity, key, alias)
    const isMe = isLinks(app, entity, key)
      ? sql`exists (select from ${linksSql(entity, key)} as links where links.owner = ${columnSql(alias, 'id')} and links.member = ${me}::uuid)`
      : sql`${fieldSql(app, entity, key, alias)} = ${me}::uuid`
    return allOf([seen, isMe])
  })
  const chosen = sql`(select f.follows from ninefold.follower as f
    where f.entity = ${entity} and f.record = ${columnSql(alias, 'id')} and f.person = ${me}::uuid)`
  const byRecord = conditionSql(anyOf([sql`${columnSql(alias, 'created_by')} = ${me}::uuid`, ...named]))
  return sql`coalesce(${chosen}, ${byRecord}, false)`
}

/** With a record goes what was said about it, what was refused, and every link and share that leads to it. */
export const forgetComments = (tx: Tx, entity: string, record: string): Promise<number> =>
  tx.write(sql`with followed as (delete from ninefold.follower where entity = ${entity} and record = ${record}::uuid),
      led as (delete from ninefold.case_link where entity = ${entity} and record = ${record}::uuid),
      shared as (delete from ninefold.share where (entity = ${entity} and record = ${record}::uuid) or with_record = ${record}::uuid),
      refused as (delete from ninefold.refused_attempt where entity = ${entity} and record = ${record}::uuid),
      noticed as (delete from ninefold.notice where entity = ${entity} and record = ${record}::uuid)
    delete from ninefold.comment where entity = ${entity} and record = ${record}::uuid`)
