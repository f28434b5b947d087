/** The page of a dashboard. */
import { cardsPage } from '../cards/page.tsx'
import { sentences } from '../cards/texts.ts'
import type { ScreenPage } from '../screen-page.ts'
import { dashboardPart } from './screen.ts'

export const dashboardPage: ScreenPage = {
  name: 'dashboard',
  icon: 'chart',
  sheet: null,
  texts: sentences,
  get: (screen, presenter) => cardsPage(presenter, screen, dashboardPart(screen)),
}
