/** A page of cards, each read by itself, and each once more for what it is compared with. */
import type { Expression } from '../../../expression/expression.ts'
import type { Card, PeriodName, Screen } from '../../../headings/2-screens/model.ts'
import type { Presenter } from '../presenter.ts'
import type { FiguresData } from '../read-data.ts'
import type { FiguresNeed, RowsNeed } from '../screen-kind.ts'
import type { Page } from '../screen-page.ts'
import { cardsView } from './build.ts'
import { cardNeeds } from './need.ts'
import { readPeriod } from './period.ts'
import { CardsScreen } from './view.tsx'

interface Cards {
  readonly cards: readonly Card[]
  /** What its reader sees first. */
  readonly period: PeriodName | null
  /** Records that count, besides what each card says. */
  readonly where?: Expression | null
}

export async function cardsPage(
  presenter: Presenter,
  screen: Screen,
  { cards, period: preset, where }: Cards,
): Promise<Page> {
  const { app, address } = presenter
  const rest = new URLSearchParams(address.query)
  const period = readPeriod(rest, address, preset, app.product.weekBegins.day)
  const needs = cardNeeds(cards, app, period, where)
  const read = await presenter.readEach(
    needs.flatMap((need): readonly (FiguresNeed | RowsNeed | null)[] => {
      if (need === null) return [null, null]
      if (need.kind === 'figures') return [need.now, need.before]
      const { rows } = need
      return [{ ...rows, columns: [...new Set([...rows.columns, ...presenter.namingFields(rows.entity)])] }, null]
    }),
  )
  const data = needs.map((_, at) => ({ now: read[at * 2]!, before: read[at * 2 + 1] as FiguresData | null }))
  const view = cardsView(presenter, { screen, cards, needs, data, period, rest })
  return { view, content: <CardsScreen view={view} />, scripts: ['chart.js'] }
}
