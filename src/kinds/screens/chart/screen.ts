import type { Screen } from '../../../headings/2-screens/model.ts'
import { specified } from '../../../headings/specified.ts'
import { period, periodKey } from '../cards/period.ts'
import { cards, where } from '../member-types.ts'
import { type Members, partOf } from '../members.ts'
import type { ScreenKind } from '../screen-kind.ts'

const members = { where, period, cards: cards(reader => reader.chart()) } satisfies Members

export const chartPart = (screen: Screen) => partOf(members, screen)

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
    {
      name: 'Measure',
      meaning: 'A number that it draws, up to four: `sum of fee as Fees`. Absent: how many records there are.',
      many: true,
    },
    {
      name: 'Chart',
      meaning:
        '`line`, `bars`, `grouped`, `stacked` or `share`, as of a card. Absent: a line over time, bars otherwise.',
    },
    { name: 'Aim', meaning: 'What the number should be: `100`.' },
    periodKey,
  ],
  members,
  shows: 'figures',
  drawnBy: screen =>
    chartPart(screen).cards.flatMap(card => {
      const content = specified(card.shows)
      return content?.kind === 'chart' ? [content.by] : []
    }),
}
