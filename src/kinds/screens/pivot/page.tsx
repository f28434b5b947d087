/** The page of a pivot: one statement for its figures, whatever stands where. */
import type { ScreenPage } from '../screen-page.ts'
import { pivotFile, pivotView } from './build.ts'
import { pivotNeed } from './screen.ts'
import { sentences } from './texts.ts'
import { PivotScreen } from './view.tsx'

export const pivotPage: ScreenPage = {
  name: 'pivot',
  icon: 'chart',
  sheet: new URL('./pivot.css', import.meta.url),
  texts: sentences,
  get: async (screen, presenter) => {
    const need = pivotNeed(screen, presenter.app, presenter.address)
    if (need === null) return null
    const seeOther = presenter.builtAddress(need.figures.entity)
    if (seeOther !== null) return { seeOther }
    const [[data], lookup] = await Promise.all([
      presenter.readEach([need.figures]),
      presenter.lookup(screen, need.figures.looked, need.ignored),
    ])
    if (data?.kind !== 'figures') return null
    if (presenter.asFile) return pivotFile(presenter, { screen, need, data })
    const view = pivotView(presenter, { screen, need, data, lookup })
    return { view, content: <PivotScreen view={view} />, scripts: ['list.js'] }
  },
}
