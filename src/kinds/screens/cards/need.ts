/** What is read for cards: a number or a drawing asks for figures, a list for rows. */
import type { Card } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { specified } from '../../../headings/specified.ts'
import { columnsOf } from '../columns.ts'
import { mostPeriods } from '../periods.ts'
import type { FiguresNeed, RowsNeed } from '../screen-kind.ts'

/** Groups of a chart, and rows of a list, that a card shows. */
const most = { groups: 60, rows: 7 }

/** Null: the document leaves open what it shows. */
export type CardNeed = FiguresNeed | RowsNeed | null

export const cardNeeds = (cards: readonly Card[], app: App): readonly CardNeed[] =>
  cards.map(({ shows }): CardNeed => {
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
