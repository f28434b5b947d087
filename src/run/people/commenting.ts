/** Writes comments on records: one's own can be changed and taken back, and that undone (`comment-undo.ts`). The record itself does not change by it. */
import { type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { isUnnamed } from '../access/unnamed.ts'
import { collated, columnSql, fromSql } from '../names.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { raise, raiseInvalidValue } from '../problems/raise.ts'
import { wordsIn } from '../problems/words.ts'
import { notSent } from '../read/files.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { isId } from '../values.ts'
import { notFound, refused } from '../write/write.ts'
import { type About, among } from './among.ts'
import { heldUntil, holdUntold } from './comment-undo.ts'
import { isSeen, mayComment } from './comments.ts'
import { followersOf } from './followers.ts'
import { requestsOf } from './people.ts'
import { tellAll } from './telling.ts'

interface NewComment {
  readonly text: string
  /** The comment that it replies to, or one in the same thread. */
  readonly replyTo?: string | null
  /** As fields of records name them; its author sent each. */
  readonly files?: readonly string[]
}

/** Characters of a comment. */
export const longestComment = 10_000

/** Writes a comment, or a reply in the thread of one; whoever writes follows the record from then on. */
export async function addComment(
  runtime: Runtime,
  request: Request,
  entity: string,
  record: string,
  { text: typed, replyTo = null, files = [] }: NewComment,
): Promise<Outcome> {
  const { app, store } = runtime
  const text = textOf(app, request, typed)
  if (typeof text !== 'string') return refused([text])
  return store.inTransaction(async (tx): Promise<Outcome> => {
    if (!(await isSeen(tx, app, request, entity, record))) return notFound(app)
    const thread = replyTo === null ? null : await threadOf(tx, entity, record, replyTo)
    if (thread === undefined) return notFound(app)
    if ((await notSent(tx, request, files)).size > 0)
      return refused([
        raise(app, 'NF-FILE', { label: wordsIn(app.language).comment }, { field: 'files', because: null }),
      ])
    const id = request.newId()
    const mentioned = await mentionedIn(tx, app, request, entity, record, text)
    await tx.write(sql`insert into ninefold.comment (id, entity, record, person, at, text, mentions, reply_to, files)
      values (${id}::uuid, ${entity}, ${record}::uuid, ${request.actor.id}::uuid, ${request.now.toISOString()}::timestamptz, ${text}, ${mentioned}::uuid[], ${thread}::uuid, ${files}::text[])`)
    await followAll(tx, entity, record, mentioned)
    await setFollowing(tx, request, entity, record, true)
    await tellOf(tx, runtime, request, { entity, record, comment: id }, mentioned)
    tx.tell(entity, record, null)
    return { kind: 'done', id, version: request.now.getTime() }
  })
}

/** The comment that begins the thread of this one; none: there is no such comment on the record. */
async function threadOf(tx: Tx, entity: string, record: string, comment: string): Promise<string | undefined> {
  if (!isId(comment)) return undefined
  const [found] = await tx.query<{ id: string }>(sql`select coalesce(c.reply_to, c.id) as id from ninefold.comment as c
    where c.id = ${comment}::uuid and c.entity = ${entity} and c.record = ${record}::uuid`)
  return found?.id
}

/**
 * Changes one's own comment, or takes it back (null). That it was is told; what it said before is kept for its author alone, while that can be undone.
 * No two of its versions are of one moment: what is undone once is not what an earlier one undid.
 */
export async function changeComment(
  runtime: Runtime,
  request: Request,
  entity: string,
  record: string,
  id: string,
  typed: string | null,
): Promise<Outcome> {
  const { app, store } = runtime
  const text = typed === null ? null : textOf(app, request, typed)
  if (text !== null && typeof text !== 'string') return refused([text])
  if (!isId(id)) return notFound(app)
  return store.inTransaction(async (tx): Promise<Outcome> => {
    if (!(await isSeen(tx, app, request, entity, record))) return notFound(app)
    const mentioned = text === null ? [] : await mentionedIn(tx, app, request, entity, record, text)
    const [written] = await tx.query<{ version: string }>(sql`update ninefold.comment
      set before = jsonb_build_object('text', text, 'mentions', mentions, 'changed_at', changed_at, 'files', files),
        files = case when ${text}::text is null then '{}' else files end, text = ${text}, mentions = ${mentioned}::uuid[],
        changed_at = greatest(${request.now.toISOString()}::timestamptz, coalesce(changed_at, at) + interval '1 millisecond')
      where id = ${id}::uuid and entity = ${entity} and record = ${record}::uuid and person = ${request.actor.id}::uuid and text is not null
      returning (extract(epoch from changed_at) * 1000)::bigint as version`)
    if (written === undefined) return notFound(app)
    await followAll(tx, entity, record, mentioned)
    if (text === null) await holdUntold(tx, request, id)
    else await tellOf(tx, runtime, request, { entity, record, comment: id }, mentioned)
    tx.tell(entity, record, null)
    return { kind: 'done', id, version: Number(written.version) }
  })
}

/** Tells those whom a comment mentions, and those who follow the record and may talk about it: who wrote in its thread, of a reply. Nobody of their own. */
async function tellOf(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  { entity, record, comment }: { readonly entity: string; readonly record: string; readonly comment: string },
  mentioned: readonly string[],
): Promise<void> {
  const following = await followersOf(tx, runtime.app, request, entity, [record])
  const talking = following.flatMap(({ request: { actor } }) =>
    mayComment(runtime.app, actor, entity) ? [actor.id!] : [],
  )
  const people = [...new Set([...mentioned, ...talking])].filter(id => id !== request.actor.id)
  const thread = people.length === 0 ? [] : await writersBefore(tx, comment)
  const kindOf = (person: string) =>
    mentioned.includes(person) ? 'mention' : thread.includes(person) ? 'reply' : 'comment'
  const news = people.map(person => ({ person, kind: kindOf(person), record, comment }) as const)
  await tellAll(tx, runtime, request, entity, news, heldUntil(request))
}

/** Who has written in the thread that a comment replies in. */
async function writersBefore(tx: Tx, comment: string): Promise<readonly string[]> {
  const found = await tx.query<{ person: string }>(sql`select distinct w.person
    from ninefold.comment as c join ninefold.comment as w on c.reply_to in (w.id, w.reply_to)
    where c.id = ${comment}::uuid and w.id <> c.id and w.text is not null`)
  return found.map(({ person }) => person)
}

/** What a comment, or an entry of the history, is about, and which comment it is; null: it is gone. */
export async function commentedOn(
  { store }: Runtime,
  source: string,
): Promise<(About & { readonly comment: string | null }) | null> {
  const [found] = await store.query<About & { readonly comment: string | null }>(sql`
    select c.entity, c.record, c.id as comment from ninefold.comment as c where c.id = ${source}::uuid
    union all select h.entity, h.record, null from ninefold.history as h where h.id = ${source}::uuid`)
  return found ?? null
}

/** Follows a record that one sees, or stops. */
export const follow = (
  { app, store }: Runtime,
  request: Request,
  entity: string,
  record: string,
  follows: boolean,
): Promise<Outcome> =>
  store.inTransaction(async (tx): Promise<Outcome> => {
    if (!(await isSeen(tx, app, request, entity, record))) return notFound(app)
    await setFollowing(tx, request, entity, record, follows)
    return { kind: 'done', id: record, version: 1 }
  })

function textOf(app: App, { locale, zone }: Request, typed: string): string | Problem {
  const label = wordsIn(app.language).comment
  const place = { field: 'text', because: null }
  const read = fieldKind('long text').parse(typed, { length: longestComment }, locale, zone)
  if ('invalid' in read) return raiseInvalidValue(app, read.invalid, label, place)
  return typeof read.value === 'string' ? read.value : raise(app, 'NF-REQUIRED', { label }, place)
}

const setFollowing = (tx: Tx, { actor }: Request, entity: string, record: string, follows: boolean) =>
  tx.write(sql`insert into ninefold.follower (entity, record, person, follows)
    values (${entity}, ${record}::uuid, ${actor.id}::uuid, ${follows}::boolean)
    on conflict (entity, record, person) do update set follows = excluded.follows`)

/** Who stopped is not made to follow by somebody else. */
const followAll = (tx: Tx, entity: string, record: string, people: readonly string[]) =>
  tx.write(sql`insert into ninefold.follower (entity, record, person, follows)
    select ${entity}, ${record}::uuid, p.id, true from public.person as p where p.id = any(${people}::uuid[])
    on conflict (entity, record, person) do nothing`)

/** People are looked for behind so many `@`. */
const mostMentions = 20
/** Of so many whom they may mean it is asked whether they see the record. */
const mostMeant = 40

/**
 * The people whom a text names with `@`, as far as its author may see them, and they the record and may talk about it: by their whole name, the longest that
 * fits, else by its first word where that is one of them only. Of more than can be asked, it is nobody.
 */
async function mentionedIn(
  tx: Reader,
  app: App,
  request: Request,
  entity: string,
  record: string,
  text: string,
): Promise<readonly string[]> {
  const tails = [...text.matchAll(/(?<![\p{L}\p{N}._-])@(?=([\p{L}\p{N}][^\n]{0,199}))/gu)]
    .slice(0, mostMentions)
    .map(([, tail = '']) => tail.toLocaleLowerCase())
  if (tails.length === 0) return []
  const firsts = tails.map(tail => /^[\p{L}\p{N}'’-]+/u.exec(tail)?.[0] ?? '')
  const people = await tx.query<{ id: string; name: string }>(
    sql`select p.id, p.name from public.person as p
      where lower(substring(p.name from '^[^ ]+')) = any(${firsts}::text[]) and ${isToldOf(app, request, entity, record)} order by p.id limit 500`,
    bindingsOf(request),
  )
  const isWhole = ({ name }: { readonly name: string }) => tails.some(tail => isAt(tail, name.toLocaleLowerCase()))
  const whole = people.filter(isWhole).sort((left, right) => right.name.length - left.name.length)
  const rest = people.filter(one => !isWhole(one))
  const asked = [...whole, ...rest].slice(0, mostMeant).map(({ id }) => id)
  const able = new Set((await seeing(tx, app, request, entity, record, asked)).map(({ actor }) => actor.id!))
  const found = tails.flatMap((tail, index) => {
    const named = people.filter(({ id, name }) => able.has(id) && isAt(tail, name.toLocaleLowerCase()))
    const longest = Math.max(0, ...named.map(({ name }) => name.length))
    if (named.length > 0) return named.filter(({ name }) => name.length === longest)
    const called = people.filter(({ name }) => name.toLocaleLowerCase().split(' ')[0] === firsts[index])
    const first = called.filter(({ id }) => able.has(id))
    return first.length === 1 && called.every(({ id }) => asked.includes(id)) ? first : []
  })
  return [...new Set(found.map(({ id }) => id))]
}

/** So many people are looked at for so many that are offered. */
const lookedAt = 24
const mostOffered = 8

/** Names of people whom a comment on this record can bring in, by the beginning of a word of their name; none for who may not talk about it. */
export async function mentionable(
  { app, store }: Runtime,
  request: Request,
  { entity, record, search }: { readonly entity: string; readonly record: string; readonly search: string },
): Promise<readonly string[]> {
  if (!(await isSeen(store, app, request, entity, record))) return []
  const people = await store.query<{ id: string; name: string }>(
    sql`select p.id, p.name from public.person as p
      where position(' ' || ninefold.fold(${search}) in ' ' || ninefold.fold(p.name)) > 0 and p.id <> ${request.actor.id}::uuid
        and ${isToldOf(app, request, entity, record)}
      order by ${collated(sql`p.name`)}, p.id limit ${lookedAt}::integer`,
    bindingsOf(request),
  )
  const ids = people.map(({ id }) => id)
  const able = await seeing(store, app, request, entity, record, ids)
  const offered = people.filter(({ id }) => able.some(({ actor }) => actor.id === id)).slice(0, mostOffered)
  return offered.map(({ name }) => name)
}

/** Whether the person `p` is one of whom whoever asks is told about this record. */
function isToldOf(app: App, request: Request, entity: string, record: string): Sql {
  const policy = policyFor(app, request.actor)
  const unnamed = conditionSql(isUnnamed(app, policy, entity, 't', sql`p.id`))
  return sql`${conditionSql(policy.names('person', 'p'))} and not exists (select from ${fromSql(entity, 't')}
    where ${columnSql('t', 'id')} = ${record}::uuid and ${unnamed})`
}

/** Those of these people who see the record and may talk about it. */
async function seeing(
  reader: Reader,
  app: App,
  request: Request,
  entity: string,
  record: string,
  ids: readonly string[],
): Promise<readonly Request[]> {
  const people = (await requestsOf(reader, app, ids, request)).filter(({ actor }) => mayComment(app, actor, entity))
  return among(reader, app, people, { entity, record }, 'sees', policy => policy.rows(entity, 'see', 't'))
}

/** The text begins with the name, and no letter follows. */
const isAt = (text: string, name: string): boolean =>
  text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length))
