/** The addresses of the document: a screen, or what is below the address of a record (`/new`, `/edit`, `/delete`, `/restore`, `/do/…`). */
import { homeOf, isForLinks, mayEnter, mayOpen, onlyByLink } from '../access.ts'
import { forbidden, notFound } from '../pages.tsx'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { toCase, toSignIn } from '../signed-out.ts'
import { seedPage } from './dev.tsx'
import { createForm, editForm } from './forms.tsx'
import { screenPage } from './screens.tsx'
import { bringingBack, removal, step } from './steps.tsx'

export async function documentPage(context: RequestContext): Promise<HttpResponse> {
  const { site, request, path, method } = context
  const match = site.routes.match(path)
  if (match === null) return path === '/' ? home(context) : notFound(context)
  if (match.kind === 'screen') {
    if (!mayOpen(match.screen, request.actor))
      return isSignedIn(context)
        ? forbidden(context, match.screen)
        : isForLinks(site.app, match.screen)
          ? toCase(context)
          : toSignIn(context)
    return screenPage(context, match.screen, match.segments)
  }
  // Its token fits: this browser was shown the form, and it can have been by a link alone.
  if (method === 'POST' && match.kind !== 'new' && onlyByLink(site.app, request.actor, match.place.entity.key))
    return toCase(context)
  if (!mayEnter(match.place, request.actor))
    return isSignedIn(context) ? forbidden(context, match.place.screens[0] ?? null) : toSignIn(context)
  // Visitors fill in the forms that are for everyone, and only what these list.
  if (match.kind === 'new') return isSignedIn(context) ? createForm(context, match.place, method) : toSignIn(context)
  const response = await atRecord(context, match)
  // Whoever is not signed in may be somebody for whom it is there.
  return response.status === 404 && request.actor.id === null && request.actor.link === undefined
    ? toSignIn(context)
    : response
}

type AtRecord = Exclude<NonNullable<ReturnType<RequestContext['site']['routes']['match']>>, { kind: 'screen' | 'new' }>

function atRecord(context: RequestContext, match: AtRecord): Promise<HttpResponse> | HttpResponse {
  switch (match.kind) {
    case 'edit': {
      const { edit, by } = match.place
      return edit !== null && mayOpen(edit, context.request.actor)
        ? screenPage(context, edit, { [by]: match.record })
        : editForm(context, match.place, match.record)
    }
    case 'delete':
      return removal(context, match.place, match.record)
    case 'restore':
      return bringingBack(context, match.place, match.record)
    case 'do':
      return step(context, match.place, match.record, match.step)
  }
}

/** The home of this person; a document that specifies none shows itself. */
function home(context: RequestContext): HttpResponse | Promise<HttpResponse> {
  const { site, request } = context
  const route = homeOf(site.app, request.actor)?.route ?? null
  if (route !== null && 'pattern' in route) return seeOther(route.pattern)
  const isSeed = site.app.screens.length === 0
  if (isSeed) return seedPage(context)
  return isSignedIn(context) ? forbidden(context, null) : toSignIn(context)
}
