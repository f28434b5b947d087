import { dateOf } from '../../../expression/dates.ts'
import type { Screen } from '../../../headings/2-screens/model.ts'
import type { Entity } from '../../../headings/3-entities/model.ts'
import type { App } from '../../../headings/app.ts'
import { shownEntity } from '../columns.ts'
import * as days from '../days/members.ts'
import { daysAround, duringOf, type RowsInTime, readPeriod, type Zoom } from '../days/period.ts'
import { type Member, partOf } from '../members.ts'
import { readQuery, unreadOfLists } from '../query.ts'
import type { Address, RowsNeed, ScreenKind } from '../screen-kind.ts'

/** Rows in lanes, from the one day or moment to the other. */
export interface TimelineNeed {
  readonly view: Zoom
  readonly zooms: readonly Zoom[]
  /** The day that the address names: the period around it is shown. */
  readonly on: string
  readonly first: string
  readonly last: string
  /** The field whose values are the lanes. */
  readonly by: string
  readonly lanes: LanesNeed
  /** The field of what the lanes are for by which they stand together; null: none. */
  readonly groups: string | null
  readonly rows: RowsInTime
  /** Rows that have no time; null: each has one. */
  readonly tray: RowsNeed | null
}

/** Values that are known, or the records that the field can refer to. */
type LanesNeed = { readonly values: readonly string[] } | { readonly records: RowsNeed }

const groups: Member<string | null> = {
  read: reader => reader.laneGroups('Groups'),
  compared: { told: ', its groups of lanes', as: field => ({ value: field, words: field }) },
}

const members = { ...days.members, groups }

const most = { bars: 400, lanes: 60, tray: 20 }

export const timelinePart = (screen: Screen) => partOf(members, screen)

/** Records as bars in lanes: of rooms, people, equipment. */
export const timeline: ScreenKind = {
  name: 'timeline',
  written: 'timeline of Entity by field, from field · timeline of Entity by field, from field to field',
  opening: 'timeline of',
  meaning:
    'Records as bars in lanes: one for each record the field refers to (rooms, people) or each of its choices, by day, week, month or quarter.',
  entity: 'required',
  by: 'lanes',
  properties: [...days.properties, { name: 'Groups', meaning: 'Groups lanes by a field of theirs: `model`.' }],
  members,
  shows: 'records',
  standsOn: ({ by, lanes }) => [by, lanes].flatMap(field => field ?? []),
  showing: day => ({ view: 'week', on: day }),
}

/** The rows and lanes that this address asks for. Null: there is nothing to place. */
export function timelineNeed(
  screen: Screen,
  app: App,
  address: Address,
): { readonly need: TimelineNeed; readonly ignored: readonly string[] } | null {
  const entity = shownEntity(screen, app)
  if (entity === null || 'unspecified' in screen.shows) return null
  const { by: from, until, lanes: by } = screen.shows
  const type = entity.shape.fields.get(from ?? '')?.type
  if (from === null || by === undefined || type === undefined) return null
  const part = timelinePart(screen)
  // Days are all that a day of days would show.
  const zooms: readonly Zoom[] =
    type.kind === 'moment' ? ['day', 'week', 'month', 'quarter'] : ['week', 'month', 'quarter']
  const { view, on, rest } = readPeriod(address, zooms, 'month')
  const { filters: looked, search, ignored } = readQuery(entity, app, { ...address, query: rest }, [])
  const around = daysAround(view, on, app.product.weekBegins.day)
  const shown = part.columns.map(({ field }) => field)
  const common = { where: part.where, filters: looked, search, searched: shown }
  const field = entity.fields.find(({ key }) => key === from)
  const isTimed = field?.required != null && field.required.when === null
  const need: TimelineNeed = {
    view,
    zooms,
    on: dateOf(on)!,
    first: dateOf(around.first)!,
    last: dateOf(around.last)!,
    by,
    lanes: lanesOf(entity, by, app, part.groups),
    groups: part.groups,
    rows: {
      ...rowsOf(entity, most.bars),
      ...common,
      columns: shown,
      lane: by,
      sort: [{ field: from, descending: false }],
      during: duringOf(type, from, until, around, address.zone),
    },
    tray: isTimed
      ? null
      : {
          ...rowsOf(entity, most.tray),
          ...common,
          columns: shown,
          filters: [...looked, { field: from, comparison: 'is empty', value: true }],
        },
  }
  return { need, ignored: [...ignored, ...unreadOfLists(rest)] }
}

function lanesOf(entity: Entity, by: string, app: App, groups: string | null): LanesNeed {
  const field = entity.fields.find(({ key }) => key === by)
  const target = field?.type.kind === 'reference' ? app.entities.get(field.type.entity) : undefined
  if (target !== undefined) {
    const records = rowsOf(target, most.lanes)
    return { records: groups === null ? records : { ...records, sort: groupedBy(groups, target) } }
  }
  const states = by === 'state' ? app.workflows.get(entity.key)?.states.map(({ name }) => name) : undefined
  return { values: states ?? field?.parameters.choices ?? [] }
}

/** Within a group as heading 3 says, else by name. */
const groupedBy = (groups: string, { order, title }: Entity): RowsNeed['sort'] =>
  [groups, ...(order.length > 0 ? [] : title)]
    .map(field => ({ field, descending: false }))
    .concat(order.map(({ field, descending }) => ({ field, descending })))

const rowsOf = ({ key, order }: Entity, limit: number): RowsNeed => ({
  kind: 'rows',
  entity: key,
  columns: [],
  where: null,
  filters: [],
  search: null,
  sort: order.map(({ field, descending }) => ({ field, descending })),
  after: null,
  before: null,
  limit,
  countTo: 0,
})
