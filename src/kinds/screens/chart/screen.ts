import { specified } from '../../../headings/specified.ts'
import { dashboard } from '../dashboard/screen.ts'
import type { DashboardNeed, ScreenKind } from '../screen-kind.ts'

/** A measure as a drawing: a dashboard with one card. */
export const chart: ScreenKind = {
  name: 'chart',
  written: 'chart of Entity by field',
  opening: 'chart of',
  meaning: 'A number for each group as a drawing: `chart of Loan by month of out_on`.',
  entity: 'required',
  by: 'groups',
  properties: [
    { name: 'Where', meaning: 'Records that count, besides what permissions allow.' },
    { name: 'Measure', meaning: 'The number that it draws: `sum of fee as Fees`. Absent: how many records there are.' },
    { name: 'Chart', meaning: '`bars` or `line`. Absent: a line over time, bars otherwise.' },
  ],
  shows: 'figures',
  drawnBy: ({ cards }) =>
    cards.flatMap(card => {
      const content = specified(card.shows)
      return content?.kind === 'chart' ? [content.by] : []
    }),
  need: (screen, app, address) => {
    const asked = dashboard.need(screen, app, address)
    if (asked === null) return null
    const cards = (asked.need as DashboardNeed).cards.map(card =>
      card === null ? null : { ...card, where: screen.where },
    )
    return { ...asked, need: { kind: 'dashboard', cards } }
  },
}
