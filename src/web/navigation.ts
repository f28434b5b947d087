/** What stands in the navigation of whoever asks: screens, forms for everybody, and what they look after. */
import type { Screen } from '../headings/2-screens/model.ts'
import { isPublicForm } from '../headings/2-screens/public-forms.ts'
import { linkedEntities } from '../headings/6-permissions/links.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { screenPages } from '../kinds/screens/pages.ts'
import { mayReadLog } from '../run/access/readings.ts'
import { mayOperate, maySendAgain } from '../run/later/send-again.ts'
import { mayImport } from '../run/many/import.ts'
import { mayComment } from '../run/people/comments.ts'
import { mayHandlePeople } from '../run/people/erasure.ts'
import { makesNews } from '../run/people/news.ts'
import type { Actor } from '../run/request.ts'
import type { IconName } from '../ui/icons.tsx'
import type { Here, NavGroup, NavItem } from '../ui/shell.tsx'
import { limitsToChange, mayAct, mayReadDocument, openScreens, rolesToAppoint } from './access.ts'
import { inboxOf } from './counts.ts'
import { actPath, casePath, noticesPath, personDataPath, readLogPath } from './paths.ts'
import type { RequestContext } from './request-context.ts'
import { say } from './sentences.ts'
import type { Site } from './site.ts'

/** What navigation is decided by: what whoever asks may do, and not who they are. */
export type Asking = Pick<RequestContext['request'], 'actor' | 'by' | 'preview'>

/** `hasNotices`: they were told of something that they have not read. */
export function navigation(
  { web, site, request }: Pick<RequestContext, 'web' | 'site'> & { readonly request: Asking },
  hasNotices: boolean,
): readonly NavGroup[] {
  const inbox = inboxOf(site.app, request.actor)
  const open = openScreens(site.app, request.actor)
  const itemOf = (screen: Screen): NavItem => ({
    ...linkOf(screen),
    below: 'true',
    ...(screen === inbox ? { counts: 'waiting' } : {}),
  })
  // What whoever comes may send is not what those who work here come for.
  const screens = open.filter(screen => !isPublicForm(screen)).map(itemOf)
  const forms = open.filter(isPublicForm).map(itemOf)
  const own: NavItem[] = []
  if (request.by === undefined && rolesToAppoint(site.app, request.actor).length > 0)
    own.push({ label: say(site, 'people'), href: '/-/people', icon: 'person' })
  if (mayAct(site.app, request)) own.push({ label: say(site, 'act'), href: actPath, icon: 'person' })
  if (limitsToChange(site.app, request.actor).length > 0)
    own.push({ label: say(site, 'limits'), href: '/-/limits', icon: 'settings' })
  if (web.options.mode !== 'dev' && mayReadDocument('serve', site.app, request.actor))
    own.push({ label: site.reader.words('document'), href: '/-/document', icon: 'file', below: 'page' })
  if (maySendAgain(site.app, request.actor)) own.push({ label: say(site, 'unsent'), href: '/-/unsent', icon: 'mail' })
  if (mayOperate(site.app, request.actor))
    own.push({ label: say(site, 'operation'), href: '/-/operation', icon: 'settings', below: 'page' })
  if (mayHandlePeople(site.app, request.actor))
    own.push({ label: say(site, 'personData'), href: personDataPath, icon: 'lock', below: 'page' })
  if (mayReadLog(site.app, request.actor)) own.push({ label: say(site, 'readLog'), href: readLogPath, icon: 'search' })
  // Imports are found there, too, and what else was done in the background.
  const talks = [...site.app.entities.keys()].some(
    entity =>
      mayComment(site.app, request.actor, entity) ||
      (request.actor.id !== null && makesNews(site.app, entity)) ||
      mayImport(site, request, entity),
  )
  const notices: NavItem = { label: say(site, 'notices'), href: noticesPath, icon: 'bell', counts: 'unread' }
  return [
    { title: null, items: talks || hasNotices ? [...screens, notices] : screens },
    ...(forms.length === 0 ? [] : [{ title: say(site, 'forEveryone'), items: forms }]),
    ...(own.length === 0 ? [] : [{ title: say(site, 'administration'), items: own }]),
  ]
}

/** Of kinds without a page of their own by what they are for. */
function iconOf(screen: Screen): IconName {
  const kind = kindOf(screen)
  const page = screenPages.get(kind?.name ?? '')
  if (kind === null || page !== undefined) return page?.icon ?? 'file'
  return kind.entry !== undefined ? 'pencil' : kind.isListing ? 'list' : kind.shows === 'figures' ? 'chart' : 'file'
}

function linkOf(screen: Screen): NavItem {
  return { label: screen.name.text, href: specified(screen.route)!.pattern, icon: iconOf(screen) }
}

/** Pages about signing in stand alone. */
export const isAboutSigningIn = (path: string): boolean => /^\/-\/(?!case(?:\/|$)|errors\/)/.test(path)

/** What whoever comes may open, where that is more than one thing. */
export function visitorsNavigation(site: Site, actor: Actor): readonly NavGroup[] {
  const items = openScreens(site.app, actor).map(linkOf)
  if (linkedEntities(site.app).length > 0) items.push({ label: say(site, 'caseOpen'), href: casePath, icon: 'search' })
  return items.length < 2 ? [] : [{ title: null, items }]
}

/** Where in it a page lies: at the item of its address, else at the longest one that it lies below. */
export function hereIn(nav: readonly NavGroup[], path: string): Here | null {
  let found: Here | null = null
  for (const { items } of nav)
    for (const { href, below } of items) {
      if (href === path) return { href, current: 'page' }
      if (below !== undefined && href.length > (found?.href.length ?? 0) && path.startsWith(`${href}/`))
        found = { href, current: below }
    }
  return found
}
