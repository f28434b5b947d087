/** A board: groups that were read → cards side by side. */
import type { Screen } from '../../../headings/2-screens/model.ts'
import { titleFields } from '../../../headings/3-entities/titles.ts'
import { wordFor } from '../../../headings/translate.ts'
import { filterHref, groupName } from '../address.ts'
import type { Lookup, Places, Presenter } from '../presenter.ts'
import type { GroupsData, ReadRow } from '../read-data.ts'
import type { GroupsNeed } from '../screen-kind.ts'
import { boardPart } from './screen.ts'
import type { BoardView, CardView } from './view-model.ts'

interface BoardOptions {
  readonly screen: Screen
  /** Without the fields that name a record. */
  readonly need: GroupsNeed
  readonly data: GroupsData
  readonly lookup: Lookup
}

export function boardView(presenter: Presenter, { screen, need, data, lookup }: BoardOptions): BoardView {
  const { app, reader, path, address } = presenter
  const { entity, by } = need
  const shown = need.columns.filter(column => data.columns.includes(column))
  const places = presenter.places(need)
  const isEmpty = data.groups.every(({ rows }) => rows.length === 0)
  const groups = data.groups.map(({ value, count, rows }) => ({
    value,
    label: wordFor(app, value),
    state: by === 'state' && app.workflows.has(entity) ? presenter.state(entity, value) : null,
    count: `${reader.format.count(count.n)}${count.more ? '+' : ''}`,
    cards: rows.map((row, at) => ({
      ...cardOf(presenter, screen, entity, row, shown, by),
      places: placesOf(places, rows, at),
    })),
    more: count.more || count.n > rows.length ? presenter.firstShown(rows.length) : null,
    href: filterHref(path, address.query, groupName, value),
  }))
  const bar = lookup.bar(shown, { without: by, looks: [groupName] })
  const filtered = bar.clear !== null
  const current = currentOf(groups, address.query.get(groupName))
  return {
    ...presenter.frame(screen, entity),
    bar,
    ignored: lookup.ignored,
    groups: groups.map(group => ({ ...group, current: group === current })),
    create: presenter.create(entity, data.create),
    held: lookup.held,
    empty: isEmpty ? { title: presenter.none(entity, boardPart(screen), filtered), text: '', filtered } : null,
  }
}

type Group = Pick<BoardView['groups'][number], 'value' | 'cards'>

/** The group that was asked for; else the first in which something waits for this person; else the first with anything in it. */
const currentOf = <G extends Group>(groups: readonly G[], asked: string | null): G | undefined =>
  groups.find(({ value }) => value === asked) ??
  groups.find(({ cards }) => cards.some(({ moves }) => moves.some(({ open, primary }) => open && primary))) ??
  groups.find(({ cards }) => cards.length > 0) ??
  groups[0]

function cardOf(
  presenter: Presenter,
  screen: Screen,
  entity: string,
  row: ReadRow,
  shown: readonly string[],
  by: string,
): Omit<CardView, 'places'> {
  const naming = titleFields(presenter.app.entities.get(entity)!)
  const { title, reference, initials, href } = presenter.face(entity, row)
  return {
    id: row.id,
    title,
    reference,
    initials,
    href,
    marks: presenter.marks(entity, row),
    lines: shown
      .filter(field => field !== by && !naming.includes(field))
      .flatMap(field => presenter.fact(entity, row, field) ?? []),
    moves: presenter.actions(boardPart(screen).buttons, entity, row),
  }
}

/** Beside the cards of the same group that are shown. */
function placesOf(places: Places | null, rows: readonly ReadRow[], at: number): CardView['places'] {
  const row = rows[at]!
  if (places === null || rows.length < 2 || !row.may.change.open) return null
  const beside = (way: 'top' | 'up' | 'down', side: 'before' | 'after', other: ReadRow | undefined) =>
    other === undefined ? [] : [{ way, value: `${row.id}.${side}.${other.id}` }]
  return {
    ...places,
    ways: [
      ...beside('top', 'before', at > 1 ? rows[0] : undefined),
      ...beside('up', 'before', rows[at - 1]),
      ...beside('down', 'after', rows[at + 1]),
    ],
  }
}
