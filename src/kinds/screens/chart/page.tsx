/** The page of a chart: a dashboard of one card. */
import { cardsPage } from '../cards/page.tsx'
import { sentences } from '../cards/texts.ts'
import type { ScreenPage } from '../screen-page.ts'
import { chartPart } from './screen.ts'

export const chartPage: ScreenPage = {
  name: 'chart',
  icon: null,
  sheet: null,
  texts: sentences,
  get: (screen, presenter) => cardsPage(presenter, screen, chartPart(screen)),
}
