/** The page of a chart: a dashboard of one card. */
import { cardNeeds } from '../cards/need.ts'
import { cardsPage } from '../cards/page.tsx'
import type { ScreenPage } from '../screen-page.ts'
import { chartPart } from './screen.ts'

export const chartPage: ScreenPage = {
  name: 'chart',
  icon: null,
  sheet: null,
  texts: null,
  get: (screen, presenter) => {
    const { cards, where } = chartPart(screen)
    const needs = cardNeeds(cards, presenter.app).map(need => need && { ...need, where })
    return cardsPage(presenter, screen, cards, needs)
  },
}
