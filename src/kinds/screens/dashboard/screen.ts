import type { Card, Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { specified } from '../../../headings/specified.ts'
import { columnsOf } from '../columns.ts'
import { cards } from '../member-types.ts'
import { type Members, partOf } from '../members.ts'
import { mostPeriods } from '../periods.ts'
import { unread } from '../query.ts'
import type { DashboardNeed, ScreenKind } from '../screen-kind.ts'

/** Groups of a chart, and rows of a list, that a card shows. */
export const most = { groups: 60, rows: 7 }

const members = { cards: { ...cards(reader => reader.cards()), divides: true } } satisfies Members

export const dashboardCards = (screen: Screen): readonly Card[] => partOf(members, screen).cards

/** Numbers, charts and lists side by side. */
export const dashboard = {
  name: 'dashboard',
  written: 'dashboard',
  opening: 'dashboard',
  meaning: 'Numbers, charts and lists side by side: each heading 4 below it is a card.',
  entity: 'none',
  by: 'none',
  properties: [],
  members,
  shows: 'both',
  need: (screen, app, address) => ({
    need: { kind: 'dashboard', cards: cardNeeds(dashboardCards(screen), app) },
    ignored: unread(address.query),
  }),
} satisfies ScreenKind

export const cardNeeds = (cards: readonly Card[], app: App): DashboardNeed['cards'] =>
  cards.map(({ shows }): DashboardNeed['cards'][number] => {
    const content = specified(shows)
    if (content === null) return null
    if (content.kind === 'list') {
      const { entity, where, sort } = content
      const columns = columnsOf(content.columns, app.entities.get(entity)!, app).slice(0, 4)
      return {
        kind: 'rows',
        entity,
        columns,
        where,
        filters: [],
        search: null,
        sort: sort.map(({ field, descending }) => ({ field, descending })),
        after: null,
        before: null,
        limit: most.rows,
        countTo: 0,
      }
    }
    const by = content.kind === 'chart' ? [content.by] : []
    const { measure } = content
    const { entity } = measure.figure
    return {
      kind: 'figures',
      entity,
      where: null,
      by,
      measures: [measure],
      asked: {},
      ...(by[0]?.unit == null ? { limit: most.groups } : { limit: mostPeriods, last: true as const }),
    }
  })
