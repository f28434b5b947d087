/** The page of a list: one statement for its rows, and another one where a search found nothing and looks for what is nearly so. */
import { similarName } from '../address.ts'
import type { Presenter } from '../presenter.ts'
import { groupField, rowFigures } from '../row-groups.ts'
import type { RowsNeed } from '../screen-kind.ts'
import type { ScreenPage } from '../screen-page.ts'
import { listSheet, paperOut, paperRows } from './paper.ts'
import { listPart, listRows } from './screen.ts'
import { listContent } from './view.tsx'
import type { ListView } from './view-model.ts'

export const listPage: ScreenPage = {
  name: 'list',
  icon: 'list',
  sheet: null,
  texts: null,
  get: async (screen, presenter) => {
    const { emptyText, ...part } = listPart(screen)
    const asked = listRows(screen, presenter.app, presenter.address)
    if (asked === null) return null
    const { ignored } = asked
    if (presenter.asFile && !presenter.asPaper) return { out: asked.need }
    const need = presenter.asPaper ? paperRows(asked.need) : asked.need
    const seeOther = presenter.builtAddress(need.entity) ?? presenter.firstView(screen)
    if (seeOther !== null) return { seeOther }
    const groups = presenter.address.open(part.groups)
    const totals = part.totals.filter(({ field }) => need.columns.includes(field))
    const read = async (rows: RowsNeed) => {
      const named = [...presenter.namingFields(rows.entity), ...presenter.faceFields(rows.entity)]
      const figures = rowFigures(rows, totals, screen.name)
      const [data, found] = await Promise.all([
        presenter.read({ ...rows, columns: [...new Set([...rows.columns, ...named, ...groupField(rows.group)])] }),
        figures === null ? null : presenter.readFigures(figures),
      ])
      return data === null ? null : { need: rows, data, figures: found }
    }
    const [found, beside] = await Promise.all([read(need), presenter.readBeside(screen, need)])
    if (found === null) return null
    const page = (presenter: Presenter, table: NonNullable<Awaited<ReturnType<typeof read>>>) => {
      const view = {
        ...presenter.frame(screen, need.entity),
        ...presenter.table(screen, { ...table, ignored, records: beside.records, emptyText, totals, groups }),
        ...presenter.views(screen),
        drafts: presenter.drafts(need.entity),
        held: beside.held,
      }
      return presenter.asPaper
        ? { sheets: [listSheet(presenter.reader, view)], ...paperOut(table) }
        : { view, content: listContent(presenter.reader, view), scripts: scriptsFor(view) }
    }
    const nearly = found.data.rows.length === 0 ? presenter.nearly(need) : null
    const similar = nearly && (await read(nearly))
    if (similar === null || similar.data.rows.length === 0) return page(presenter, found)
    // As if its address asked for that: so do the addresses that the list leads to, of its pages, files and records.
    const query = new URLSearchParams([...presenter.address.query, [similarName, 'yes']])
    return page(presenter.at(query), similar)
  },
}

/** Places are changed by a script of its own, where they may be. */
const scriptsFor = ({ rows }: ListView): readonly string[] =>
  rows.some(({ places }) => places !== null) ? ['list.js', 'order.js'] : ['list.js']
