/** The page of a report: one statement for the figures, and one for the records behind a group. */
import type { ScreenPage } from '../screen-page.ts'
import { reportFile, reportView } from './build.ts'
import { fileRows, reportNeed } from './screen.ts'
import { sentences } from './texts.ts'
import { ReportScreen } from './view.tsx'

export const reportPage: ScreenPage = {
  name: 'report',
  icon: 'chart',
  sheet: null,
  texts: sentences,
  get: async (screen, presenter) => {
    const need = reportNeed(screen, presenter.app, presenter.address)
    if (need === null) return null
    const { asFile } = presenter
    const figures = asFile ? { ...need.figures, limit: fileRows } : need.figures
    // They are read with what they are named and linked by.
    const behind =
      asFile || need.rows === null
        ? null
        : { ...need.rows, columns: [...new Set([...need.rows.columns, ...presenter.namingFields(figures.entity)])] }
    const [data, rows] = await presenter.readEach([figures, behind])
    if (data?.kind !== 'figures') return null
    if (asFile) return reportFile(presenter, { need, data })
    const view = reportView(presenter, { screen, need, data, rows: rows?.kind === 'rows' ? rows : null })
    return { view, content: <ReportScreen view={view} />, scripts: [] }
  },
}
