/** Cards: what was read for each → numbers, charts and lists. A card of what somebody may not see is not there. */
import type { Card, Screen } from '../../../headings/2-screens/model.ts'
import { specified } from '../../../headings/specified.ts'
import type { Presenter } from '../presenter.ts'
import { unread } from '../query.ts'
import type { FiguresData, RowsData } from '../screen-kind.ts'
import type { CardNeed } from './need.ts'
import type { CardsView, ListCard } from './view-model.ts'

/** `data`: by card; null: it is not for this person, or there is nothing to read. */
export function cardsView(
  presenter: Presenter,
  screen: Screen,
  cards: readonly Card[],
  needs: readonly CardNeed[],
  data: readonly (FiguresData | RowsData | null)[],
): CardsView {
  const faces = cards.flatMap((card, index) => cardView(presenter, card, index, needs[index]!, data[index]!))
  // What has no name of its own is named by what it measures: a chart that is a whole screen.
  const titled = faces.map(face =>
    face.kind === 'chart' && face.title === screen.name.text ? { ...face, title: face.chart.measure } : face,
  )
  return {
    ...presenter.frame(screen, null),
    ignored: presenter.notUnderstood(unread(presenter.address.query)),
    numbers: titled.filter(face => face.kind === 'number'),
    sheets: titled.filter(face => face.kind !== 'number'),
  }
}

type Face = CardsView['numbers'][number] | CardsView['sheets'][number]

function cardView(
  presenter: Presenter,
  { name, meaning, shows }: Card,
  index: number,
  need: CardNeed,
  data: FiguresData | RowsData | null,
): readonly Face[] {
  const face = { key: `card-${index}`, title: name.text, meaning: meaning?.text ?? null, mark: presenter.markAt(name) }
  const content = specified(shows)
  if (content === null || need === null) return [{ ...face, kind: 'open' }]
  if (data === null) return []
  if (data.kind === 'rows') {
    if (need.kind !== 'rows') return []
    const empty = presenter.none(need.entity, { emptyText: null, where: need.where }, false)
    const columns = need.columns.filter(column => data.columns.includes(column))
    const list = presenter.lines(need.entity, columns, data.rows, empty)
    return [{ ...face, kind: 'list', list, all: allOf(presenter, need.entity, data) }]
  }
  if (need.kind !== 'figures' || content.kind === 'list' || data.seen[0] === false) return []
  const leads = presenter.leads(need.entity, [need.where, content.measure.figure.where])
  if (content.kind === 'number') {
    const text = presenter.measureText(content.measure, data.total.values[0] ?? null)
    return [{ ...face, kind: 'number', text, href: text === '' ? null : leads([]) }]
  }
  return [{ ...face, kind: 'chart', chart: presenter.chart(need, data, content.drawn, leads) }]
}

/** Where there are more, a list of them that this person may open; else that there are. */
function allOf(presenter: Presenter, entity: string, { next, rows }: RowsData): ListCard['all'] {
  return next === null ? null : (presenter.allOf(entity) ?? { label: presenter.firstShown(rows.length), href: null })
}
