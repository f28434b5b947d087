/** The page of a calendar: rows on the days that its address names. */
import { columnsOf } from '../days/placed.ts'
import type { ScreenPage } from '../screen-page.ts'
import { calendarView } from './build.ts'
import { calendarNeed } from './screen.ts'
import { sentences } from './texts.ts'
import { CalendarScreen } from './view.tsx'

export const calendarPage: ScreenPage = {
  name: 'calendar',
  icon: 'calendar',
  sheet: new URL('./calendar.css', import.meta.url),
  texts: sentences,
  get: async (screen, presenter) => {
    const asked = calendarNeed(screen, presenter.app, presenter.address)
    if (asked === null) return null
    const { need, ignored } = asked
    const seeOther = presenter.builtAddress(need.rows.entity)
    if (seeOther !== null) return { seeOther }
    const [data, lookup] = await Promise.all([
      presenter.read({ ...need.rows, columns: columnsOf(need.rows, presenter) }),
      presenter.lookup(screen, need.rows, ignored),
    ])
    if (data === null) return null
    const view = calendarView(presenter, { screen, need, data, lookup })
    return { view, content: <CalendarScreen view={view} />, scripts: ['list.js', 'calendar.js'] }
  },
}
