/** A view of a list is saved, changed, removed, or becomes what the list opens with. */

import type { Screen } from '../../headings/2-screens/model.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { isId } from '../../run/values.ts'
import { mayOpen } from '../access.ts'
import { flashCookie, notFound, problemPage } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { readableQuery } from '../screens/views.ts'
import { say } from '../sentences.ts'
import { safeNext } from '../sign-in/next.ts'
import { changeSaved, dropView, keepFirst, keepView, listAt, readName, rolesToShare, viewQuery } from '../views.ts'
import { postedForm } from './sign-in.tsx'

/** Letters of a query string that is kept. */
const longestQuery = 1500

export async function changeView(context: RequestContext): Promise<HttpResponse> {
  const { site, request, runtime, web } = context
  const form = postedForm(context)
  const address = URL.parse(safeNext(form.get('_list')), web.origin)
  const screen = address === null ? null : listAt(site, address.pathname)
  if (address === null || screen === null || !mayOpen(screen, request.actor)) return notFound(context)
  const wanted = form.get('role') ?? ''
  const role = wanted === '' ? null : wanted
  const roles = rolesToShare(site, screen, request.actor)
  if (role !== null && !roles.includes(role)) return notFound(context)
  const id = form.get('id') ?? ''
  const query = viewQuery(address.searchParams)
  const here = query === '' ? address.pathname : `${address.pathname}?${query}`
  const done = (to: string, sentence: 'viewSaved' | 'viewRemoved' | 'viewFirst'): HttpResponse =>
    seeOther(to, [flashCookie(web, say(site, sentence))])
  const wrong = (sentence: WrongView): Promise<HttpResponse> =>
    problemPage(context, { status: 422, why: say(site, sentence) })
  switch (form.get('do')) {
    case 'save': {
      const why = await save(context, screen, { name: readName(form.get('name')), query, role })
      return why === null ? done(here, 'viewSaved') : wrong(why)
    }
    case 'change': {
      const name = readName(form.get('name'))
      if (name === null) return wrong('viewNoName')
      if (!isId(id)) return notFound(context)
      const kept = await changeSaved(runtime.store, request, id, { screen: screen.key, name, role })
      return kept ? done(here, 'viewSaved') : wrong('viewNameTaken')
    }
    case 'remove': {
      const isRemoved = isId(id) && (await dropView(runtime, request, id, { screen: screen.key, roles }))
      return isRemoved ? done(here, 'viewRemoved') : notFound(context)
    }
    case 'first':
      return (await keepAsFirst(context, screen, form.get('view') ?? '')) ? done(here, 'viewFirst') : notFound(context)
    default:
      return notFound(context)
  }
}

type WrongView = 'viewNoName' | 'viewNotReadable' | 'viewTooMany' | 'viewNameTaken'

/** Why it is not saved; null: it is. */
async function save(
  context: RequestContext,
  screen: Screen,
  { name, query, role }: { readonly name: string | null; readonly query: string; readonly role: string | null },
): Promise<WrongView | null> {
  if (name === null) return 'viewNoName'
  if (query.length > longestQuery || !readableQuery(context, screen, query)) return 'viewNotReadable'
  const kept = await keepView(context.runtime.store, context.request, { screen: screen.key, name, query, role })
  return kept ? null : 'viewTooMany'
}

/** `view`: empty, the id of a saved one, or the key of one of the document. False: there is none. */
async function keepAsFirst({ runtime, request }: RequestContext, screen: Screen, view: string): Promise<boolean> {
  const isKnown = view === '' || isId(view) || usesOf(screen).views.some(({ key }) => key === view)
  if (isKnown) await keepFirst(runtime.store, request, screen.key, view === '' ? null : view)
  return isKnown
}
