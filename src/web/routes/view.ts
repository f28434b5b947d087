/** A view of a list is saved, changed, removed, or becomes what the list opens with. */

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
  const path = address.pathname
  const query = viewQuery(address.searchParams)
  const id = form.get('id') ?? ''
  const roles = rolesToShare(site, screen, request.actor)
  const wanted = form.get('role') ?? ''
  const role = wanted === '' ? null : wanted
  if (role !== null && !roles.includes(role)) return notFound(context)
  const done = (to: string, sentence: 'viewSaved' | 'viewRemoved' | 'viewFirst'): HttpResponse =>
    seeOther(to, [flashCookie(web, say(site, sentence))])
  const here = query === '' ? path : `${path}?${query}`
  switch (form.get('do')) {
    case 'save':
    case 'change': {
      const name = readName(form.get('name'))
      if (name === null) return problemPage(context, { status: 422, why: say(site, 'viewNoName') })
      const isNew = form.get('do') === 'save'
      if (!isNew && !isId(id)) return notFound(context)
      if (isNew && (query.length > longestQuery || !readableQuery(context, screen, query)))
        return problemPage(context, { status: 422, why: say(site, 'viewNotReadable') })
      const kept = isNew
        ? await keepView(runtime.store, request, { screen: screen.key, name, query, role })
        : await changeSaved(runtime.store, request, id, { screen: screen.key, name, role })
      if (!kept) return problemPage(context, { status: 422, why: say(site, isNew ? 'viewTooMany' : 'viewNameTaken') })
      return done(here, 'viewSaved')
    }
    case 'remove':
      return isId(id) && (await dropView(runtime, request, id, { screen: screen.key, roles }))
        ? done(here, 'viewRemoved')
        : notFound(context)
    case 'first': {
      const view = form.get('view') ?? ''
      if (view !== '' && !isId(view) && !usesOf(screen).views.some(({ key }) => key === view)) return notFound(context)
      await keepFirst(runtime.store, request, screen.key, view === '' ? null : view)
      return done(here, 'viewFirst')
    }
    default:
      return notFound(context)
  }
}
