/** Pages of a form that the document lets others embed may stand in frames of theirs: nothing else, and on no other site. */

import { isPublicForm } from '../../headings/2-screens/public-forms.ts'
import { formPart } from '../../kinds/screens/form/screen.ts'
import { notFound } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'

type Shown = Pick<RequestContext, 'embedded' | 'site' | 'path'>

export function inFrame(context: Shown, response: HttpResponse): HttpResponse {
  const sites = sitesOf(context)
  return sites.length === 0 ? response : { ...response, framedBy: sites }
}

/** Null: it is asked for outside of a frame, or it may stand in one. */
export function embeddable(context: RequestContext): Promise<HttpResponse> | null {
  const { embedded, path } = context
  const isForm = sitesOf(context).length > 0 && !(path.length > 1 && path.endsWith('/'))
  return embedded && !isForm ? notFound(context) : null
}

function sitesOf({ embedded, site, path }: Shown): readonly string[] {
  const match = embedded ? site.routes.match(path) : null
  if (match?.kind !== 'screen' || !isPublicForm(match.screen)) return []
  return formPart(match.screen)?.embeddedIn.map(({ origin }) => origin) ?? []
}
