/** The page of a board: cards in groups, as far as its address looks for them. */
import type { ScreenPage } from '../screen-page.ts'
import { boardView } from './build.ts'
import { boardNeed } from './screen.ts'
import { BoardScreen } from './view.tsx'

export const boardPage: ScreenPage = {
  name: 'board',
  icon: 'board',
  sheet: null,
  texts: null,
  get: async (screen, presenter) => {
    const asked = boardNeed(screen, presenter.app, presenter.address)
    if (asked === null) return null
    const { need, ignored } = asked
    const seeOther = presenter.builtAddress(need.entity)
    if (seeOther !== null) return { seeOther }
    const named = [...presenter.namingFields(need.entity), ...presenter.faceFields(need.entity)]
    const columns = [...new Set([...need.columns, ...named])]
    const [data, lookup] = await Promise.all([
      presenter.readGroups({ ...need, columns }),
      presenter.lookup(screen, need, ignored),
    ])
    if (data === null) return null
    const view = boardView(presenter, { screen, need, data, lookup })
    return {
      view,
      content: <BoardScreen view={view} />,
      scripts: presenter.places(need) === null ? ['board.js', 'list.js'] : ['board.js', 'list.js', 'order.js'],
    }
  },
}
