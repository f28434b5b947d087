/** The page of a record. */
import type { ScreenPage } from '../screen-page.ts'
import { onePart, recordNeed } from './screen.ts'
import { OneScreen } from './view.tsx'

export const onePage: ScreenPage = {
  name: 'one',
  icon: null,
  sheet: null,
  texts: null,
  get: async (screen, presenter) => {
    const need = recordNeed(screen, presenter.app, presenter.address)
    const page = need && (await presenter.record(screen, need, onePart(screen).related))
    return page && { ...page, content: <OneScreen view={page.view} />, scripts: ['one.js', ...page.scripts] }
  },
}
