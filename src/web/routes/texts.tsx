/** Screens that show no entity of their own: prose, and what waits for somebody. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { InboxScreen } from '../../kinds/screens/inbox/view.tsx'
import type { InboxNeed } from '../../kinds/screens/screen-kind.ts'
import { TextScreen } from '../../kinds/screens/text/view.tsx'
import { readInbox } from '../../run/read/inbox.ts'
import type { Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { viewPage } from '../pages.tsx'
import { building, screenMark } from '../screens/common.ts'
import { inboxNeed, inboxView } from '../screens/inbox.ts'

export function textPage(exchange: Exchange, screen: Screen, markdown: string): Promise<Answer> {
  const { site } = exchange
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
  return viewPage(exchange, view, <TextScreen view={view} />, [])
}

export async function inboxPage(
  exchange: Exchange,
  screen: Screen,
  need: InboxNeed,
  ignored: readonly string[],
): Promise<Answer> {
  const build = building(exchange)
  const data = await readInbox(exchange.runtime, exchange.request, inboxNeed(build, need))
  const view = inboxView(build, screen, data, ignored)
  return viewPage(exchange, view, <InboxScreen view={view} />, [])
}
