import { dateOf } from '../../../expression/dates.ts'
import type { Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { shownEntity } from '../columns.ts'
import { members, properties } from '../days/members.ts'
import { type Days, daysAround, duringOf, type RowsInTime, readPeriod } from '../days/period.ts'
import { partOf } from '../members.ts'
import { weekOf } from '../periods.ts'
import { readQuery, unreadOfLists } from '../query.ts'
import type { Address, ScreenKind } from '../screen-kind.ts'

/** Rows on the days of a month, a week or one day. */
export interface CalendarNeed {
  readonly view: CalendarViewName
  /** The day that the address names: the month or week around it is shown. */
  readonly on: string
  /** The days that are shown: whole weeks, or the one day. */
  readonly first: string
  readonly last: string
  readonly rows: RowsInTime
}

export type CalendarViewName = 'month' | 'week' | 'day'

/** Records that are read for one page of a calendar. */
const entriesAtMost = 400

export const views: readonly CalendarViewName[] = ['month', 'week', 'day']

export const calendarPart = (screen: Screen) => partOf(members, screen)

/** Records on their days: by month, week or day, one address each. */
export const calendar: ScreenKind = {
  name: 'calendar',
  written: 'calendar of Entity by field · calendar of Entity by field to field',
  opening: 'calendar of',
  meaning: 'Records on their days, by month, week or day; with a second field from the one to the other.',
  entity: 'required',
  by: 'days',
  properties,
  members,
  shows: 'records',
  standsOn: ({ by }) => (by === null ? [] : [by]),
  showing: day => ({ view: 'day', on: day }),
}

/** The rows that this address asks for, and the days around them. Null: there is nothing to place. */
export function calendarNeed(
  screen: Screen,
  app: App,
  address: Address,
): { readonly need: CalendarNeed; readonly ignored: readonly string[] } | null {
  const entity = shownEntity(screen, app)
  if (entity === null || 'unspecified' in screen.shows || screen.shows.by === null) return null
  const { by, until } = screen.shows
  const type = entity.shape.fields.get(by)?.type
  if (type === undefined) return null
  const part = calendarPart(screen)
  const { view, on, after, rest } = readAddress(address)
  const { filters: looked, search, ignored } = readQuery(entity, app, { ...address, query: rest }, [])
  const days = daysShown(view, on, app.product.weekBegins.day)
  const need: CalendarNeed = {
    view,
    on: dateOf(on)!,
    first: dateOf(days.first)!,
    last: dateOf(days.last)!,
    rows: {
      kind: 'rows',
      entity: entity.key,
      columns: part.columns.map(({ field }) => field),
      where: part.where,
      filters: looked,
      search,
      searched: part.columns.map(({ field }) => field),
      sort: [{ field: by, descending: false }],
      after,
      before: null,
      limit: entriesAtMost,
      countTo: 0,
      during: duringOf(type, by, until, days, address.zone),
    },
  }
  return { need, ignored: [...ignored, ...unreadOfLists(rest)] }
}

/** Besides its days, for the entries of a day where its page begins; the rest looks for records. */
function readAddress(address: Address) {
  const { view, on, rest } = readPeriod(address, views, 'month')
  const after = view === 'day' ? rest.get('after') : null
  if (after !== null) rest.delete('after')
  return { view, on, after, rest }
}

/** Whole weeks, or the one day. */
function daysShown(view: CalendarViewName, on: number, weekBegins: number): Days {
  const { first, last } = daysAround(view, on, weekBegins)
  return view === 'day' ? { first, last } : { first: weekOf(first, weekBegins), last: weekOf(last, weekBegins) + 6 }
}
