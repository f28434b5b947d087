/** Views of lists that people save for themselves, or share with a role. A view is the query string of its list. */

import { sql } from '../expression/sql.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import { composed } from '../kinds/fields/texts.ts'
import { columnsName, foldedName, groupedName, pageNames, viewName } from '../kinds/screens/address.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { knownPeople, type SavedView } from '../run/people/people.ts'
import type { Actor, Request, Runtime } from '../run/request.ts'
import type { Store } from '../store/pool.ts'
import { mayOpen, rolesToAppoint } from './access.ts'
import type { Site } from './site.ts'

/** So many views of one list has one person. */
const mostViews = 40
const longestName = 60

/** Names that the page has for itself, and that are of the view. */
const looks = [columnsName, viewName, groupedName, foldedName]

/** The list at a path; null where there is something else. */
export function listAt(site: Site, path: string): Screen | null {
  const match = site.routes.match(path)
  return match?.kind === 'screen' && kindOf(match.screen)?.isListing ? match.screen : null
}

/** Somebody's own views, and those of their roles. */
export const sharedWith = (
  { roles }: Pick<Actor, 'roles'>,
  views: readonly SavedView[] | null | undefined,
): readonly SavedView[] => (views ?? []).filter(({ own, role }) => own || (role !== null && roles.includes(role)))

/** Roles that this person may share a view of the list with: those they appoint to; all, where the screen lets them. */
export function rolesToShare(site: Site, screen: Screen, actor: Actor): readonly string[] {
  const appointed = rolesToAppoint(site.app, actor)
  const isLet = usesOf(screen).sharedBy?.roles.some(role => actor.roles.includes(role)) ?? false
  return [...site.app.roles.keys()].filter(
    role => (isLet || appointed.includes(role)) && mayOpen(screen, { id: '', name: null, system: null, roles: [role] }),
  )
}

/** What of a query string is a view: not the page of the list, nor a form that is open over it. The same view has the same text. */
export function viewQuery(query: URLSearchParams): string {
  const kept = new URLSearchParams()
  for (const [name, value] of query) {
    const isPage = pageNames.includes(name) || (name.startsWith('_') && !looks.includes(name))
    if (!isPage && value.trim() !== '') kept.append(name, value)
  }
  kept.sort()
  return kept.toString()
}

/** Null: too long, or nothing that one can read. */
export function readName(text: string | null): string | null {
  const name = composed(text ?? '')
    .trim()
    .replace(/\s+/g, ' ')
  return name === '' || name.length > longestName || /\p{Cc}/u.test(name) || !name.isWellFormed() ? null : name
}

interface Kept {
  readonly screen: string
  readonly name: string
  readonly query: string
  readonly role: string | null
}

/** Under a name that this person has already, it takes its place. False: they have too many. */
export async function keepView(store: Store, request: Request, { screen, name, query, role }: Kept): Promise<boolean> {
  const person = request.actor.id
  const written = await store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.view (id, screen, person, name, query, role, made_at)
      select ${request.newId()}::uuid, ${screen}::text, ${person}::uuid, ${name}::text, ${query}::text, ${role}::text,
        ${request.now.toISOString()}::timestamptz
      where (select count(*) from ninefold.view where screen = ${screen}::text and person = ${person}::uuid and name <> ${name}::text) < ${mostViews}::integer
      on conflict (screen, person, name) do update set query = excluded.query, role = excluded.role`),
  )
  return written > 0
}

/** One's own view under another name, for other people. False: it is not one's own, or the name is taken. */
export async function changeSaved(
  store: Store,
  request: Request,
  id: string,
  { screen, name, role }: Omit<Kept, 'query'>,
): Promise<boolean> {
  const written = await store.inTransaction(tx =>
    tx.write(sql`update ninefold.view set name = ${name}, role = ${role}
      where id = ${id}::uuid and screen = ${screen} and person = ${request.actor.id}::uuid
        and not exists (select from ninefold.view as other where other.screen = ${screen} and other.person = ${request.actor.id}::uuid
          and other.name = ${name} and other.id <> ${id}::uuid)`),
  )
  return written > 0
}

/** One's own, or one that is shared with a role of `roles`. */
export async function dropView(
  { app, store }: Runtime,
  request: Request,
  id: string,
  { screen, roles }: { readonly screen: string; readonly roles: readonly string[] },
): Promise<boolean> {
  const written = await store.inTransaction(tx =>
    tx.write(sql`delete from ninefold.view where id = ${id}::uuid and screen = ${screen}
      and (person = ${request.actor.id}::uuid or (role = any(${roles}::text[])
        and exists (select from public.person as p where p.id = view.person and ${knownPeople(app, request, 'p')})))`),
  )
  return written > 0
}

/** The list opens with this view for this person; null: as it is. */
export async function keepFirst(store: Store, request: Request, screen: string, view: string | null): Promise<void> {
  const person = request.actor.id
  await store.inTransaction(tx =>
    view === null
      ? tx.write(sql`delete from ninefold.view_first where person = ${person}::uuid and screen = ${screen}`)
      : tx.write(sql`insert into ninefold.view_first (person, screen, view) values (${person}::uuid, ${screen}, ${view})
          on conflict (person, screen) do update set view = excluded.view`),
  )
}
