/** A page of cards, each read by itself. */
import type { Card, Screen } from '../../../headings/2-screens/model.ts'
import type { Presenter } from '../presenter.ts'
import type { Page } from '../screen-page.ts'
import { cardsView } from './build.ts'
import type { CardNeed } from './need.ts'
import { CardsScreen } from './view.tsx'

/** `needs`: by card. */
export async function cardsPage(
  presenter: Presenter,
  screen: Screen,
  cards: readonly Card[],
  needs: readonly CardNeed[],
): Promise<Page> {
  const data = await presenter.readEach(
    needs.map(need =>
      need?.kind === 'rows'
        ? { ...need, columns: [...new Set([...need.columns, ...presenter.namingFields(need.entity)])] }
        : need,
    ),
  )
  const view = cardsView(presenter, screen, cards, needs, data)
  return { view, content: <CardsScreen view={view} />, scripts: [] }
}
