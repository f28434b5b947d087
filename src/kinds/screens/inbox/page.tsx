/** The page of an inbox. */
import { unread } from '../query.ts'
import type { ScreenPage } from '../screen-page.ts'
import { inboxView } from './build.ts'
import { sentences } from './said.ts'
import { inbox } from './screen.ts'
import { InboxScreen } from './view.tsx'

/** Records of an entity that are shown at once. */
const records = 20

export const inboxPage: ScreenPage = {
  name: 'inbox',
  icon: 'inbox',
  sheet: null,
  texts: sentences.languages,
  get: async (screen, presenter) => {
    const data = await presenter.waiting(inbox.awaits(screen, presenter.app), records)
    const view = inboxView(presenter, { screen, data, ignored: unread(presenter.address.query) })
    return { view, content: <InboxScreen view={view} />, scripts: [] }
  },
}
