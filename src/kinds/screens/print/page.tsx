/** The page of a print, and what of it stands on a sheet among others. */
import type { ScreenPage } from '../screen-page.ts'
import { printView } from './build.ts'
import { printSheet } from './paper.ts'
import { printNeed, toldOn } from './screen.ts'
import { PrintScreen } from './view.tsx'

export const printPage: ScreenPage = {
  name: 'print',
  icon: null,
  sheet: null,
  texts: null,
  get: async (screen, presenter) => {
    const need = printNeed(screen, presenter.app, presenter.address)
    const data = need && (await presenter.readOne(need))
    if (need === null || data === null) return null
    const view = printView(presenter, screen, need.entity, data)
    if (presenter.asPaper) return { sheets: [printSheet(view)], out: null, tooMany: false }
    const paper = { foot: view.footer, back: presenter.backTo(need.entity, data.row) }
    return { view, content: <PrintScreen view={view} />, scripts: [], paper }
  },
  paper: {
    told: toldOn,
    sheet: (screen, presenter, entity, record) => <PrintScreen view={printView(presenter, screen, entity, record)} />,
    set: (screen, presenter, entity, record) => printSheet(printView(presenter, screen, entity, record)),
  },
}
