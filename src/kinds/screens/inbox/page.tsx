/** The page of an inbox. */
import { columnFields } from '../columns.ts'
import { unread } from '../query.ts'
import type { ScreenPage } from '../screen-page.ts'
import { doneView, inboxView, waitingIn } from './build.ts'
import { doneName, inbox, openName, showName } from './screen.ts'
import { sentences } from './texts.ts'
import { DoneScreen, InboxScreen } from './view.tsx'

/** Records of an entity that are shown at once. */
const records = 20

export const inboxPage: ScreenPage = {
  name: 'inbox',
  icon: 'inbox',
  sheet: new URL('./inbox.css', import.meta.url),
  texts: sentences,
  get: async (screen, presenter) => {
    const { app, address } = presenter
    if (address.query.get(showName) === doneName) {
      const [done, count] = await Promise.all([
        presenter.decided(inbox.awaits(screen, app), records),
        presenter.waitingCount(screen),
      ])
      const rest = new URLSearchParams(address.query)
      rest.delete(showName)
      const view = doneView(presenter, screen, done, { ignored: unread(rest), count })
      return { view, content: <DoneScreen view={view} />, scripts: [] }
    }
    const [data, count] = await Promise.all([
      presenter.waiting(inbox.awaits(screen, app), records),
      presenter.waitingCount(screen),
    ])
    const groups = waitingIn(presenter, data)
    const waiting = groups.flatMap(({ rows }) => rows)
    const of = waiting.find(({ key }) => key === address.query.get(openName)) ?? waiting[0]
    const entity = of && app.entities.get(of.entity)
    const fields = entity === undefined ? [] : columnFields(entity, app, field => address.sees(entity.key, field))
    const row = of === undefined ? null : await presenter.recordAt(of.entity, of.address, fields)
    const rest = new URLSearchParams(address.query)
    rest.delete(openName)
    const shown = of === undefined || row === null ? null : { of, row, fields }
    const view = inboxView(presenter, { screen, data, ignored: unread(rest), groups, count, shown })
    return { view, content: <InboxScreen view={view} />, scripts: [] }
  },
}
