/** Cards: what was read for each → numbers, charts and lists. A card of what somebody may not see is not there. */
import type { Card, CardWidth, Screen } from '../../../headings/2-screens/model.ts'
import type { Presenter } from '../presenter.ts'
import { unread } from '../query.ts'
import type { FiguresData, RowsData } from '../read-data.ts'
import { spansOf } from './layout.ts'
import type { CardNeed } from './need.ts'
import type { Period } from './period.ts'
import { switchView } from './switch.ts'
import type { CardsView, ListCard, NumberCard } from './view-model.ts'

/** What was read for a card; null: it is not for this person, or there is nothing to read. */
interface CardData {
  readonly now: FiguresData | RowsData | null
  readonly before: FiguresData | null
}

interface Read {
  readonly screen: Screen
  readonly cards: readonly Card[]
  /** By card. */
  readonly needs: readonly CardNeed[]
  readonly data: readonly CardData[]
  readonly period: Period
  /** What is left of the address. */
  readonly rest: URLSearchParams
}

export function cardsView(presenter: Presenter, { screen, cards, needs, data, period, rest }: Read): CardsView {
  const views = cards.flatMap((card, at) => cardView(presenter, card, `card-${at}`, needs[at]!, data[at]!, period))
  // What has no name of its own is named by what it measures: a chart that is a whole screen.
  const sheets = views.flatMap(({ view, width }) =>
    view.kind === 'number'
      ? []
      : view.kind === 'chart' && view.title === screen.name.text
        ? { view: { ...view, title: view.chart.series.join(', ') }, width }
        : { view, width },
  )
  const spans = spansOf(
    sheets.map(({ view, width }) => ({ width, wide: view.kind === 'chart' && view.chart.overTime })),
  )
  return {
    ...presenter.frame(screen, null),
    ignored: presenter.notUnderstood(unread(rest)),
    period: cards.some(({ shows }) => 'date' in shows && shows.date !== null) ? switchView(presenter, period) : null,
    numbers: views.flatMap(({ view }) => (view.kind === 'number' ? view : [])),
    sheets: sheets.map(({ view }, at) => ({ ...view, span: spans[at]! })) as CardsView['sheets'],
  }
}

type Spanless<V> = V extends { readonly span: number } ? Omit<V, 'span'> : V
type UnplacedCard = NumberCard | Spanless<CardsView['sheets'][number]>

function cardView(
  presenter: Presenter,
  { name, meaning, width }: Card,
  key: string,
  need: CardNeed,
  { now, before }: CardData,
  period: Period,
): readonly { readonly view: UnplacedCard; readonly width: CardWidth | null }[] {
  const view = { key, title: name.text, meaning: meaning?.text ?? null, mark: presenter.markAt(name) }
  if (need === null) return [{ view: { ...view, kind: 'open' }, width }]
  if (now === null) return []
  if (need.kind === 'list') {
    if (now.kind !== 'rows') return []
    const { entity, where, columns } = need.rows
    const empty = presenter.none(entity, { emptyText: null, where }, false)
    const shown = columns.filter(column => now.columns.includes(column))
    const list = presenter.lines(entity, shown, now.rows, empty)
    return [{ view: { ...view, kind: 'list', list, all: allOf(presenter, entity, now) }, width }]
  }
  if (now.kind !== 'figures' || now.seen.includes(false)) return []
  const { card } = need
  const wheres = card.measures.map(({ figure }) => figure.where)
  // What counts different records leads to all of them.
  const isOne = wheres.every(where => where?.cell.text === wheres[0]?.cell.text)
  const leads = isOne ? presenter.leads(need.now.entity, [need.now.where, wheres[0]!]) : () => null
  const read = { now, before, period, leads }
  if (card.kind === 'number')
    return [
      { view: { ...view, kind: 'number', figure: presenter.keyFigure({ ...read, need: { ...need, card } }) }, width },
    ]
  return [{ view: { ...view, kind: 'chart', chart: presenter.chart({ ...read, need: { ...need, card } }) }, width }]
}

/** Where there are more, a list of them that this person may open; else that there are. */
function allOf(presenter: Presenter, entity: string, { next, rows }: RowsData): ListCard['all'] {
  return next === null ? null : (presenter.allOf(entity) ?? { label: presenter.firstShown(rows.length), href: null })
}
