/** A page of prose. */
import { PageHead } from '../../../ui/page.tsx'
import { Prose } from '../../../ui/prose.tsx'
import type { ScreenPage } from '../screen-page.ts'
import { textOf } from './screen.ts'

export const textPage: ScreenPage = {
  name: 'text',
  icon: null,
  sheet: null,
  texts: null,
  get: async (screen, { frame }) => {
    const view = frame(screen, null)
    const content = (
      <>
        <PageHead title={view.title} />
        <Prose markdown={textOf(screen)} />
      </>
    )
    return { view, content, scripts: [] }
  },
}
