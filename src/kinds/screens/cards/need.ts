/** What is read for cards: a number or a drawing asks for figures, and for those that it is compared with; a list for rows. */
import type { Expression } from '../../../expression/expression.ts'
import type { Card, CardContent, Grouping } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { specified } from '../../../headings/specified.ts'
import { beginningOf } from '../../fields/dates.ts'
import { columnsOf } from '../columns.ts'
import { mostPeriods, periods } from '../periods.ts'
import type { FiguresNeed, RowsNeed, Span } from '../screen-kind.ts'
import { type Days, daysBefore, type Period, unitWithin } from './period.ts'

/** Groups of a chart, its series, and rows of a list, that a card shows. */
export const most = { groups: 60, series: 5, rows: 7 }

export type FiguresCard = Exclude<CardContent, { readonly kind: 'list' }>

/** Null: the document leaves open what it shows. */
export type CardNeed = { readonly kind: 'list'; readonly rows: RowsNeed } | FiguresCardNeed | null

export interface FiguresCardNeed {
  readonly kind: 'figures'
  readonly card: FiguresCard
  readonly now: FiguresNeed
  /** Null: it is compared with nothing. */
  readonly before: FiguresNeed | null
  /** The days that it is about. Null: whenever. */
  readonly span: Span | null
}

/** `where`: besides what each says itself. */
export const cardNeeds = (
  cards: readonly Card[],
  app: App,
  period: Period,
  where: Expression | null = null,
): readonly CardNeed[] =>
  cards.map(({ shows }): CardNeed => {
    const content = specified(shows)
    if (content === null) return null
    return content.kind === 'list'
      ? { kind: 'list', rows: rowsOf(content, app) }
      : figuresOf(content, app, period, where)
  })

function rowsOf({ entity, where, sort, columns }: CardContent & { readonly kind: 'list' }, app: App): RowsNeed {
  return {
    kind: 'rows',
    entity,
    columns: columnsOf(columns, app.entities.get(entity)!, app).slice(0, 4),
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

function figuresOf(card: FiguresCard, app: App, period: Period, where: Expression | null): FiguresCardNeed {
  const { measures, date } = card
  const all: FiguresNeed = {
    kind: 'figures',
    entity: measures[0].figure.entity,
    where,
    by: [],
    measures,
    asked: {},
    limit: 1,
  }
  const days = date === null ? null : period.days
  const during = (need: FiguresNeed, of: Days): FiguresNeed => ({ ...need, span: spanOf(app, date!, of) })
  const given = { kind: 'figures', card, span: days === null ? null : spanOf(app, date!, days.now) } as const
  if (card.kind === 'number') {
    if (days === null) return { ...given, now: all, before: null }
    const line = daysBefore(period)
    const before = days.before === null ? null : during(all, days.before.now)
    if (line === null) return { ...given, now: during(all, days.now), before }
    const by = { cell: date!.cell, unit: period.name as Grouping['unit'], value: date! }
    return { ...given, now: during({ ...all, by: [by], limit: mostPeriods }, line), before }
  }
  const isOverTime = periods.includes(card.by.unit)
  const by = days !== null && isPlaced(card) ? { ...card.by, unit: unitWithin(days.whole, card.by.unit!) } : card.by
  const drawn: FiguresNeed = {
    ...all,
    by: [by],
    ...(isOverTime ? { limit: mostPeriods, last: true } : { limit: most.groups }),
    ...(card.across !== null && { across: { by: card.across, limit: most.series, largest: true } }),
  }
  if (days === null) return { ...given, now: drawn, before: null }
  const isAlone = card.across === null && measures.length === 1
  return {
    ...given,
    now: during(drawn, days.now),
    before: days.before !== null && isPlaced(card) && isAlone ? during(drawn, days.before.whole) : null,
  }
}

/** These days as values of what asks for them. */
export function spanOf(app: App, value: Expression, { from, to }: Days): Span {
  const at = (day: string) => (value.type.kind === 'moment' ? beginningOf(day, app.product.timeZone.name) : day)
  return { value, from: at(from), to: at(to) }
}

/** It lies along the days that the period asks for. */
export const isPlaced = (card: FiguresCard): boolean =>
  card.kind === 'chart' && periods.includes(card.by.unit) && card.date?.cell.text === card.by.value.cell.text
