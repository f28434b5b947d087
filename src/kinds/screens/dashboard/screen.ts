import type { Card, Screen } from '../../../headings/2-screens/model.ts'
import { cards } from '../member-types.ts'
import { type Members, partOf } from '../members.ts'
import type { ScreenKind } from '../screen-kind.ts'

const members = { cards: { ...cards(reader => reader.cards()), divides: true } } satisfies Members

export const cardsOf = (screen: Screen): readonly Card[] => partOf(members, screen).cards

/** Numbers, charts and lists side by side. */
export const dashboard: ScreenKind = {
  name: 'dashboard',
  written: 'dashboard',
  opening: 'dashboard',
  meaning: 'Numbers, charts and lists side by side: each heading 4 below it is a card.',
  entity: 'none',
  by: 'none',
  properties: [],
  members,
  shows: 'both',
}
