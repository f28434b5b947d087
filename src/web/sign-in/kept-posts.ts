/**
 * POSTs of people whose session had ended: kept, so that after signing in again the form returns with everything typed, whichever
 * process it returns to. Only for some minutes: what is kept has not been accepted. Tied to the browser's visit cookie, so an address
 * with somebody else's `kept` gives nothing, and to the person of the session, so whoever signs in there next gets nothing of theirs.
 */
import { sql } from '../../expression/sql.ts'
import type { Store } from '../../store/pool.ts'
import { keptBytes, keptMinutes, keptPosts } from '../bounds.ts'
import type { Random } from '../random.ts'
import type { RequestContext } from '../request-context.ts'
import { hashOf, isToken, newToken } from './session.ts'

interface KeptPost {
  readonly path: string
  /** As posted, without tokens: they belong to the session that ended. */
  readonly form: URLSearchParams
}

interface Keeping {
  readonly visit: string
  readonly now: Date
}

interface Sent extends Keeping {
  /** Token of the session that had ended, as far as the browser still has it. */
  readonly session: string | undefined
  readonly random: Random
}

/** The id that gets it back; null where it is too large to keep. The oldest make room. */
export async function keepPost(
  store: Store,
  { path, form }: KeptPost,
  { visit, session, now, random }: Sent,
): Promise<string | null> {
  const text = new URLSearchParams([...form].filter(([name]) => name !== '_csrf' && name !== '_once')).toString()
  if (text.length > keptBytes) return null
  const id = newToken(random)
  await store.inTransaction(async tx => {
    // What somebody else is taking away just now is theirs to take: many may come at once, and nobody waits for another.
    await tx.write(sql`with gone as (
        select id from ninefold.kept_post where ends_at <= ${now}::timestamptz
          or id in (select id from ninefold.kept_post order by ends_at desc offset ${keptPosts - 1}::bigint)
        order by id for update skip locked)
      delete from ninefold.kept_post as k using gone where k.id = gone.id`)
    const ended = session === undefined ? null : hashOf(session)
    await tx.write(sql`insert into ninefold.kept_post (id, visit, person, path, form, ends_at)
      values (${hashOf(id)}, ${hashOf(visit)}, (select person from ninefold.session where token_hash = ${ended}::bytea), ${path}, ${text},
        ${new Date(now.getTime() + keptMinutes * 60_000)})
      on conflict (id) do nothing`)
  })
  return id
}

/** What was typed into the form of this page before a session had ended; null: nothing. Once: taking it removes it. */
export const keptForm = ({ runtime, query, path, visit, request }: RequestContext): Promise<URLSearchParams | null> =>
  takePost(runtime.store, query.get('kept') ?? undefined, { path, visit, person: request.actor.id, now: request.now })

/** Once: taking it removes it. Null: there is none for this browser, person and page. */
export async function takePost(
  store: Store,
  id: string | undefined,
  { path, visit, person, now }: Keeping & { readonly path: string; readonly person: string | null },
): Promise<URLSearchParams | null> {
  if (!isToken(id)) return null
  const [post] = await store.inTransaction(tx =>
    tx.query<{ form: string }>(sql`delete from ninefold.kept_post
      where id = ${hashOf(id)} and visit = ${hashOf(visit)} and path = ${path} and ends_at > ${now}::timestamptz
        and (person is null or person = ${person}::uuid) returning form`),
  )
  return post === undefined ? null : new URLSearchParams(post.form)
}
