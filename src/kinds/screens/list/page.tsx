/** The page of a list: one statement for its rows, and another one where a search found nothing and looks for what is nearly so. */
import { similarName } from '../address.ts'
import type { Presenter } from '../presenter.ts'
import type { RowsNeed } from '../screen-kind.ts'
import type { ScreenPage } from '../screen-page.ts'
import { listPart, listRows } from './screen.ts'
import { listContent } from './view.tsx'

export const listPage: ScreenPage = {
  name: 'list',
  icon: 'list',
  sheet: null,
  texts: null,
  get: async (screen, presenter) => {
    const asked = listRows(screen, presenter.app, presenter.address)
    if (asked === null) return null
    const { need, ignored } = asked
    if (presenter.asFile) return { out: need }
    const seeOther = presenter.builtAddress(need.entity) ?? presenter.firstView(screen)
    if (seeOther !== null) return { seeOther }
    const { totals, emptyText } = listPart(screen)
    const read = (rows: RowsNeed) =>
      presenter.read({
        ...rows,
        columns: [
          ...new Set([...rows.columns, ...presenter.namingFields(rows.entity), ...presenter.faceFields(rows.entity)]),
        ],
        totals: totals.flatMap(({ field }) => (rows.columns.includes(field) ? [field] : [])),
      })
    const [data, beside] = await Promise.all([read(need), presenter.readBeside(screen, need)])
    if (data === null) return null
    const page = (presenter: Presenter, table: Pick<Parameters<Presenter['table']>[1], 'need' | 'data'>) => {
      const view = {
        ...presenter.frame(screen, need.entity),
        ...presenter.table(screen, { ...table, ignored, records: beside.records, emptyText }),
        ...presenter.views(screen),
        drafts: presenter.drafts(need.entity),
        held: beside.held,
      }
      return { view, content: listContent(presenter.reader, view), scripts: ['list.js'] }
    }
    const nearly = data.rows.length === 0 ? presenter.nearly(need) : null
    const similar = nearly && (await read(nearly))
    if (nearly === null || similar === null || similar.rows.length === 0) return page(presenter, { need, data })
    // As if its address asked for that: so do the addresses that the list leads to, of its pages, files and records.
    const query = new URLSearchParams([...presenter.address.query, [similarName, 'yes']])
    return page(presenter.at(query), { need: nearly, data: similar })
  },
}
