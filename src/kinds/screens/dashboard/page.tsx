/** The page of a dashboard. */
import { cardNeeds } from '../cards/need.ts'
import { cardsPage } from '../cards/page.tsx'
import type { ScreenPage } from '../screen-page.ts'
import { cardsOf } from './screen.ts'

export const dashboardPage: ScreenPage = {
  name: 'dashboard',
  icon: 'chart',
  sheet: null,
  texts: null,
  get: (screen, presenter) => {
    const cards = cardsOf(screen)
    return cardsPage(presenter, screen, cards, cardNeeds(cards, presenter.app))
  },
}
