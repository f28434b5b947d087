/** What stands in the navigation of whoever asks: screens, forms for everybody, and what they look after. */
import type { Screen } from '../headings/2-screens/model.ts'
import { isPublicForm } from '../headings/2-screens/public-forms.ts'
import { linkedEntities } from '../headings/6-permissions/links.ts'
import { said } from '../headings/said.ts'
import { mayReadLog } from '../run/access/readings.ts'
import { maySendAgain } from '../run/later/again.ts'
import { mayImport } from '../run/many/import.ts'
import { mayComment } from '../run/people/comments.ts'
import { mayHandlePeople } from '../run/people/erasure.ts'
import type { IconName } from '../ui/icons.tsx'
import type { NavGroup } from '../ui/shell.tsx'
import { limitsToChange, mayAct, mayReadDocument, openScreens, rolesToAppoint } from './access.ts'
import type { Exchange } from './exchange.ts'
import { actPath, casePath, noticesPath, personDataPath, readLogPath } from './paths.ts'
import { say } from './sentences.ts'
import { inboxOf } from './waiting.ts'

const icons: Readonly<Record<string, IconName>> = {
  list: 'list',
  board: 'board',
  form: 'pencil',
  wizard: 'pencil',
  calendar: 'calendar',
  dashboard: 'chart',
  report: 'chart',
  inbox: 'inbox',
}

/** What is counted up to a hundred. */
const countOf = (n: number) => ({ count: n >= 100 ? '99+' : String(n), waiting: true })

/** `waiting`: records that wait for them; null: they have no inbox, or it was not counted. */
export function navigation(
  { web, site, request, path, unread }: Exchange,
  waiting: number | null,
): readonly NavGroup[] {
  const inbox = inboxOf(site.app, request.actor)
  const open = openScreens(site.app, request.actor)
  /** The longest address that the page lies at or below: the others are not where one is. */
  const place = open
    .flatMap(screen => said(screen.route)?.pattern ?? [])
    .filter(href => href === path || path.startsWith(`${href}/`))
    .toSorted((a, b) => b.length - a.length)[0]
  const itemOf = (screen: Screen) => {
    const href = said(screen.route)!.pattern
    const icon = icons[said(screen.shows)?.kind ?? ''] ?? 'file'
    const count = screen === inbox && waiting !== null && waiting > 0 ? countOf(waiting) : {}
    const current = href === path || (href === place ? ('within' as const) : false)
    return { label: screen.name.text, href, icon, current, ...count }
  }
  // What whoever comes may send is not what those who work here come for.
  const screens = open.filter(screen => !isPublicForm(screen)).map(itemOf)
  const forms = open.filter(isPublicForm).map(itemOf)
  const own: { label: string; href: string; icon: IconName; current: boolean }[] = []
  if (request.by === undefined && rolesToAppoint(site.app, request.actor).length > 0)
    own.push({ label: say(site, 'people'), href: '/-/people', icon: 'person', current: path === '/-/people' })
  if (mayAct(site.app, request))
    own.push({ label: say(site, 'act'), href: actPath, icon: 'person', current: path === actPath })
  if (limitsToChange(site.app, request.actor).length > 0)
    own.push({ label: say(site, 'limits'), href: '/-/limits', icon: 'settings', current: path === '/-/limits' })
  if (web.options.mode !== 'dev' && mayReadDocument('serve', site.app, request.actor))
    own.push({
      label: site.reader.words('document'),
      href: '/-/document',
      icon: 'file',
      current: path.startsWith('/-/document'),
    })
  if (maySendAgain(site.app, request.actor))
    own.push({ label: say(site, 'unsent'), href: '/-/unsent', icon: 'mail', current: path === '/-/unsent' })
  if (mayHandlePeople(site.app, request.actor))
    own.push({
      label: say(site, 'personData'),
      href: personDataPath,
      icon: 'lock',
      current: path.startsWith(personDataPath),
    })
  if (mayReadLog(site.app, request.actor))
    own.push({ label: say(site, 'readLog'), href: readLogPath, icon: 'search', current: path === readLogPath })
  // Imports are found there, too, and what else was done in the background.
  const talks = [...site.app.entities.keys()].some(
    entity => mayComment(site.app, request.actor, entity) || mayImport(site, request, entity),
  )
  const notices = {
    label: say(site, 'notices'),
    href: noticesPath,
    icon: 'bell' as const,
    current: path === noticesPath,
    ...(unread === 0 ? {} : countOf(unread)),
  }
  return [
    { title: null, items: talks || unread > 0 ? [...screens, notices] : screens },
    ...(forms.length === 0 ? [] : [{ title: say(site, 'forEveryone'), items: forms }]),
    ...(own.length === 0 ? [] : [{ title: say(site, 'administration'), items: own }]),
  ]
}

/** What whoever comes may open, where that is more than one thing; pages about signing in stand alone. */
export function visitorsNavigation({ site, request, path }: Exchange): readonly NavGroup[] {
  if (/^\/-\/(?!case(?:\/|$)|errors\/)/.test(path)) return []
  const items = openScreens(site.app, request.actor).map(screen => {
    const href = said(screen.route)!.pattern
    return {
      label: screen.name.text,
      href,
      icon: icons[said(screen.shows)?.kind ?? ''] ?? 'file',
      current: href === path,
    }
  })
  if (linkedEntities(site.app).length > 0)
    items.push({ label: say(site, 'caseOpen'), href: casePath, icon: 'search', current: path === casePath })
  return items.length < 2 ? [] : [{ title: null, items }]
}
