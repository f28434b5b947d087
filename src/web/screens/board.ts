/** A board: groups that were read → cards side by side. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { wordFor } from '../../headings/translate.ts'
import { filterHref, groupName } from '../../kinds/screens/address.ts'
import type { BoardView, CardView } from '../../kinds/screens/board/view-model.ts'
import type { GroupsData, GroupsNeed, ReadRow } from '../../kinds/screens/screen-kind.ts'
import { say } from '../sentences.ts'
import { faceOf, stateView } from '../site.ts'
import {
  actionsOf,
  assumedOf,
  type Building,
  cellAt,
  createLink,
  marksOf,
  namingFields,
  noneOf,
  openHref,
  screenMark,
  titleOf,
} from './common.ts'
import { filterBar, notLooked } from './filter-bar.ts'
import type { FilterRecords } from './filter-records.ts'

export const boardNeed = (build: Building, need: GroupsNeed): GroupsNeed => ({
  ...need,
  columns: [...new Set([...need.columns, ...namingFields(build.site, need.entity)])],
})

interface BoardOptions {
  readonly screen: Screen
  /** As the screen kind gave it: without what `boardNeed` adds. */
  readonly need: GroupsNeed
  readonly ignored: readonly string[]
  readonly data: GroupsData
  readonly records: FilterRecords
  readonly held: BoardView['held']
}

export function boardView(build: Building, { screen, need, ignored, data, records, held }: BoardOptions): BoardView {
  const { site, context } = build
  const { entity, by } = need
  const shown = need.columns.filter(column => data.columns.includes(column))
  const isEmpty = data.groups.every(({ rows }) => rows.length === 0)
  const groups = data.groups.map(({ value, count, rows }) => ({
    value,
    label: wordFor(site.app, value),
    state: by === 'state' ? stateView(site, entity, value) : null,
    count: `${site.reader.format.count(count.n)}${count.more ? '+' : ''}`,
    cards: rows.map(row => cardOf(build, screen, entity, row, shown, by)),
    more: count.more || count.n > rows.length ? say(site, 'firstShown', { count: rows.length }) : null,
    href: filterHref(context.path, context.query, groupName, value),
  }))
  const bar = filterBar(build, screen, need, shown, { records, without: by })
  const current = currentOf(groups, context.query.get(groupName))
  return {
    kind: 'board',
    title: screen.name.text,
    pageTitle: screen.name.text,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: assumedOf(site, entity),
    bar,
    ignored: notLooked(build, need, ignored),
    groups: groups.map(group => ({ ...group, current: group === current })),
    create: createLink(build, entity, data.create),
    held,
    empty: isEmpty ? emptyOf(build, screen, entity, bar.clear !== null) : null,
  }
}

function emptyOf({ site }: Building, screen: Screen, entity: string, filtered: boolean): BoardView['empty'] {
  const title = filtered
    ? say(site, 'emptyFiltered')
    : (screen.emptyText?.text ?? noneOf(site, entity, screen.where !== null))
  return { title, text: '', filtered }
}

type Group = Pick<BoardView['groups'][number], 'value' | 'cards'>

/** The group that was asked for; else the first in which something waits for this person; else the first with anything in it. */
const currentOf = <G extends Group>(groups: readonly G[], asked: string | null): G | undefined =>
  groups.find(({ value }) => value === asked) ??
  groups.find(({ cards }) => cards.some(({ moves }) => moves.some(({ open, primary }) => open && primary))) ??
  groups.find(({ cards }) => cards.length > 0) ??
  groups[0]

function cardOf(
  build: Building,
  screen: Screen,
  entity: string,
  row: ReadRow,
  shown: readonly string[],
  by: string,
): CardView {
  const { site } = build
  const naming = site.app.entities.get(entity)?.title ?? []
  return {
    id: row.id,
    title: titleOf(site, entity, row),
    href: openHref(build, entity, row),
    marks: marksOf(site, entity, row),
    lines: shown
      .filter(field => field !== by && !naming.includes(field))
      .flatMap(field => {
        const face = faceOf(site.app, entity, field)
        return face === null ? [] : [{ label: face.label, value: cellAt(site, entity, row, field) }]
      }),
    moves: actionsOf(build, screen, entity, row),
  }
}
