/** A dashboard: what was read for each card → numbers, charts and lists. A card of what somebody may not see is not there. */

import type { Card, Screen } from '../../headings/2-screens/model.ts'
import { specified } from '../../headings/specified.ts'
import type { DashboardView, ListCard } from '../../kinds/screens/dashboard/view-model.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import type { DashboardNeed, FiguresData, FiguresNeed, RowsData, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { mayOpen } from '../access.ts'
import { say } from '../sentences.ts'
import { type Building, markOf, namingFields, noneOf, screenMark } from './common.ts'
import { chartView, linesView, measureText } from './figures.ts'
import { leadsOf } from './leads.ts'
import { thingsOf } from './things.ts'

export const cardNeed = (build: Building, need: FiguresNeed | RowsNeed): FiguresNeed | RowsNeed =>
  need.kind === 'figures'
    ? need
    : { ...need, columns: [...new Set([...need.columns, ...namingFields(build.site, need.entity)])] }

/** What was read for one card; null: it is not for this person, or there is nothing to read. */
export type CardData = FiguresData | RowsData | null

export function dashboardView(
  build: Building,
  screen: Screen,
  need: DashboardNeed,
  data: readonly CardData[],
  ignored: readonly string[],
): DashboardView {
  const { site } = build
  const faces = usesOf(screen).cards.flatMap((card, index) =>
    cardView(build, card, index, need.cards[index]!, data[index]!),
  )
  // What has no name of its own is named by what it measures: a chart that is a whole screen.
  const titled = faces.map(face =>
    face.kind === 'chart' && face.title === screen.name.text ? { ...face, title: face.chart.measure } : face,
  )
  return {
    kind: 'dashboard',
    title: screen.name.text,
    pageTitle: screen.name.text,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: [],
    ignored: ignored.length === 0 ? [] : [say(site, 'notUnderstood', { parts: ignored.join(', ') })],
    numbers: titled.filter(face => face.kind === 'number'),
    sheets: titled.filter(face => face.kind !== 'number'),
  }
}

type Face = DashboardView['numbers'][number] | DashboardView['sheets'][number]

function cardView(
  build: Building,
  { name, meaning, shows }: Card,
  index: number,
  need: FiguresNeed | RowsNeed | null,
  data: CardData,
): readonly Face[] {
  const { site } = build
  const face = { key: `card-${index}`, title: name.text, meaning: meaning?.text ?? null, mark: markOf(site, name) }
  const content = specified(shows)
  if (content === null || need === null) return [{ ...face, kind: 'open' }]
  if (data === null) return []
  if (data.kind === 'rows') {
    if (need.kind !== 'rows') return []
    const empty = noneOf(site, need.entity, need.kind === 'rows' && need.where !== null)
    const columns = need.columns.filter(column => data.columns.includes(column))
    const list = linesView(build, need.entity, columns, data.rows, empty)
    return [{ ...face, kind: 'list', list, all: allOf(build, need.entity, data) }]
  }
  if (need.kind !== 'figures' || content.kind === 'list' || data.seen[0] === false) return []
  const leads = leadsOf(build, need.entity, [need.where, content.measure.figure.where])
  if (content.kind === 'number') {
    const text = measureText(site, content.measure, data.total.values[0] ?? null)
    return [{ ...face, kind: 'number', text, href: text === '' ? null : leads([]) }]
  }
  return [{ ...face, kind: 'chart', chart: chartView(build, need, data, content.drawn, leads) }]
}

/** Where there are more, the first list of them that this person may open; else that there are. */
function allOf({ site, context }: Building, entity: string, data: RowsData): ListCard['all'] {
  if (data.next === null) return null
  const list = site.app.screens.find(screen => {
    const isList = kindOf(screen)?.isListing && specified(screen.shows)?.entity === entity
    return isList && mayOpen(screen, context.request.actor)
  })
  const href = list === undefined ? undefined : specified(list.route)?.pattern
  return href === undefined
    ? { label: say(site, 'firstShown', { count: data.rows.length }), href: null }
    : { label: say(site, 'allOfThem', { things: thingsOf(site, entity) }), href }
}
