/** A screen that is a React component of the document. */
import { pageHref } from '../address.ts'
import type { ScreenPage } from '../screen-page.ts'
import { blockNeed, blockPart } from './screen.ts'
import { BlockScreen } from './view.tsx'

export const blockPage: ScreenPage = {
  name: 'block',
  icon: null,
  sheet: null,
  texts: null,
  get: async (screen, presenter) => {
    const { app, address, path } = presenter
    const need = blockNeed(screen, app, address)
    const data =
      need &&
      (await presenter.read({
        ...need,
        columns: [...new Set([...need.columns, ...presenter.namingFields(need.entity)])],
      }))
    if (need !== null && data === null) return null
    const { entity = null } = need ?? {}
    const { next = null, previous = null, rows = [] } = data ?? {}
    const given = entity === null ? null : { entity, rows, more: next !== null }
    const { view: block, script } = presenter.component(blockPart(screen).blocks[0]!, given)
    const view = {
      ...presenter.frame(screen, entity),
      block,
      next: next === null ? null : pageHref(path, address.query, { after: next }),
      previous: previous === null ? null : pageHref(path, address.query, { before: previous }),
    }
    return { view, content: <BlockScreen view={view} />, scripts: script === null ? [] : [script] }
  },
}
