/** Screens that show no entity of their own: prose, and what waits for somebody. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { InboxScreen } from '../../kinds/screens/inbox/view.tsx'
import type { InboxNeed } from '../../kinds/screens/screen-kind.ts'
import { TextScreen } from '../../kinds/screens/text/view.tsx'
import { readInbox } from '../../run/read/inbox.ts'
import { viewPage } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { building, screenMark } from '../screens/common.ts'
import { inboxNeed, inboxView } from '../screens/inbox.ts'

export function textPage(context: RequestContext, screen: Screen, markdown: string): Promise<HttpResponse> {
  const { site } = context
  const title = screen.name.text
  const view = {
    kind: 'text',
    title,
    pageTitle: title,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: [],
    markdown,
  } as const
  return viewPage(context, view, <TextScreen view={view} />, [])
}

export async function inboxPage(
  context: RequestContext,
  screen: Screen,
  need: InboxNeed,
  ignored: readonly string[],
): Promise<HttpResponse> {
  const build = building(context)
  const data = await readInbox(context.runtime, context.request, inboxNeed(build, need))
  const view = inboxView(build, screen, data, ignored)
  return viewPage(context, view, <InboxScreen view={view} />, [])
}
