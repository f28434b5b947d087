/** The tabs over a list: the list itself, the views that the document declares, and those that were saved. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { wordFor } from '../../headings/translate.ts'
import { allView, columnsName, viewHref, viewName } from '../../kinds/screens/address.ts'
import { chosenColumns, shownEntity } from '../../kinds/screens/columns.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import type { SaverView, TableTabs } from '../../kinds/screens/table-view.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { addressOf } from '../seen.ts'
import { say } from '../sentences.ts'
import { rolesToShare, viewQuery } from '../views.ts'
import type { Building } from './common.ts'
import { listHref, openName } from './filters.ts'

interface Tab {
  /** Key of a declared view, id of a saved one. */
  readonly id: string
  readonly label: string
  readonly href: string
  /** What its address has when it is open. */
  readonly query: string
}

/** Whether this person sees every field that the query names: one that they do not see is not there for them, nor is the view. */
export function readableQuery(context: RequestContext, screen: Screen, query: string): boolean {
  const { site } = context
  const parameters = new URLSearchParams(query)
  const entity = shownEntity(screen, site.app)
  if (entity === null) return false
  const address = addressOf(context, { query: parameters })
  const asked = kindOf(screen)?.rows?.(screen, site.app, address) ?? null
  const named = parameters.getAll(columnsName).flatMap(text => text.split(','))
  const chosen = chosenColumns(entity, site.app, address) ?? []
  return asked !== null && asked.ignored.length === 0 && new Set(named).size === chosen.length
}

function tabsOf({ site, context }: Building, screen: Screen): readonly Tab[] {
  const { path } = context
  const declared = usesOf(screen).views.map(({ key, name }) => ({
    id: key,
    label: name.text,
    href: viewHref(path, key),
  }))
  const saved = context.views
    .filter(({ query }) => readableQuery(context, screen, query))
    .map(({ id, name, query }) => ({ id, label: name, href: `${path}?${query || `${viewName}=${allView}`}`, query }))
  const all = context.firstView === null ? path : viewHref(path, allView)
  return [
    { id: allView, label: say(site, 'allRecords'), href: all, query: '' },
    ...declared.map(tab => ({ ...tab, query: tab.href.slice(path.length + 1) })),
    ...saved,
  ]
}

/** Where the list opens for this person when its address says nothing; null: as it is. */
export function firstHref(build: Building, screen: Screen): string | null {
  const { context } = build
  if (context.firstView === null || context.query.size > 0) return null
  return tabsOf(build, screen).find(({ id }) => id === context.firstView)?.href ?? null
}

export function viewsOf(build: Building, screen: Screen): TableTabs {
  const { query } = build.context
  const tabs = tabsOf(build, screen)
  if (tabs.length === 1) return []
  const now = viewQuery(query).replace(/^_view=all$/, '')
  const base = query.get(viewName) ?? allView
  const open = tabs.find(tab => tab.query.replace(/^_view=all$/, '') === now) ?? tabs.find(({ id }) => id === base)
  return tabs.map(tab => ({ label: tab.label, href: tab.href, current: tab === open }))
}

/** The form in which what is shown is saved as a view; null for visitors, who save nothing. */
export function saverOf(build: Building, screen: Screen): SaverView | null {
  const { site, context } = build
  const { query, path, views, firstView } = context
  if (!isSignedIn(context)) return null
  const open = listHref(build, { [openName]: 'views' })
  const close = listHref(build)
  if (query.get(openName) !== 'views') return { open, close, form: null }
  const now = viewQuery(query)
  const roles = rolesToShare(site, screen, context.request.actor)
  const tabs = tabsOf(build, screen)
  return {
    open,
    close,
    form: {
      action: '/-/view',
      hidden: [{ name: '_list', value: now === '' ? path : `${path}?${now}` }],
      name: views.find(view => view.own && view.query === now)?.name ?? '',
      roles: roles.map(role => ({ value: role, label: wordFor(site.app, role) })),
      saved: views
        .filter(view => view.own || (view.role !== null && roles.includes(view.role)))
        .map(({ id, name, role, own }) => ({ id, name, role: role ?? '', own })),
      tabs: tabs.map(({ id, label }) => ({ value: id === allView ? '' : id, label })),
      // One that is not there any more opens nothing.
      first: tabs.find(({ id }) => id === firstView && id !== allView)?.id ?? '',
    },
  }
}
