import type { Screen } from '../../../headings/2-screens/model.ts'
import { period, periodKey } from '../cards/period.ts'
import { cards } from '../member-types.ts'
import { type Members, partOf } from '../members.ts'
import type { ScreenKind } from '../screen-kind.ts'

const members = {
  period,
  cards: { ...cards(reader => reader.cards()), divides: true },
} satisfies Members

export const dashboardPart = (screen: Screen) => partOf(members, screen)

/** Numbers, charts and lists side by side. */
export const dashboard: ScreenKind = {
  name: 'dashboard',
  written: 'dashboard',
  opening: 'dashboard',
  meaning: 'Numbers, charts and lists side by side: each heading 4 below it is a card.',
  entity: 'none',
  by: 'none',
  properties: [periodKey],
  members,
  shows: 'both',
}
