/** The page of a timeline: rows in the lanes that they belong to, at the time that its address names. */
import { columnsOf } from '../days/placed.ts'
import type { ScreenPage } from '../screen-page.ts'
import { timelineView } from './build.ts'
import { timelineNeed } from './screen.ts'
import { sentences } from './texts.ts'
import { TimelineScreen } from './view.tsx'

export const timelinePage: ScreenPage = {
  name: 'timeline',
  icon: 'timeline',
  sheet: new URL('./timeline.css', import.meta.url),
  texts: sentences,
  get: async (screen, presenter) => {
    const asked = timelineNeed(screen, presenter.app, presenter.address)
    if (asked === null) return null
    const { need, ignored } = asked
    const { rows, lanes, tray } = need
    const seeOther = presenter.builtAddress(rows.entity)
    if (seeOther !== null) return { seeOther }
    const columns = [...columnsOf(rows, presenter), need.by]
    const of = 'records' in lanes ? lanes.records : null
    const [data, records, waiting, lookup] = await Promise.all([
      presenter.read({ ...rows, columns }),
      of &&
        presenter.read({
          ...of,
          columns: [...presenter.namingFields(of.entity), ...(need.groups === null ? [] : [need.groups])],
        }),
      tray && presenter.read({ ...tray, columns }),
      presenter.lookup(screen, rows, ignored),
    ])
    if (data === null) return null
    const view = timelineView(presenter, { screen, need, data, records, tray: waiting, lookup })
    return { view, content: <TimelineScreen view={view} />, scripts: ['list.js', 'timeline.js'] }
  },
}
