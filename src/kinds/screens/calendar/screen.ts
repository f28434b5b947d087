import { addMonths, dateOf, dayNumber, partsOf } from '../../../expression/dates.ts'
import type { Type } from '../../../expression/type.ts'
import type { Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { beginningOf } from '../../fields/dates.ts'
import { shownEntity } from '../columns.ts'
import { columns, emptyText, filters, where } from '../member-types.ts'
import { type Members, partOf } from '../members.ts'
import { weekOf } from '../periods.ts'
import { readQuery, unreadOfLists } from '../query.ts'
import type { Address, During, RowsNeed, ScreenKind } from '../screen-kind.ts'

/** Rows on the days of a month, a week or one day. */
export interface CalendarNeed {
  readonly view: CalendarViewName
  /** The day that the address names: the month or week around it is shown. */
  readonly on: string
  /** The days that are shown: whole weeks, or the one day. */
  readonly first: string
  readonly last: string
  readonly rows: RowsNeed & { readonly during: During }
}

export type CalendarViewName = 'month' | 'week' | 'day'

/** Records that are read for one page of a calendar. */
const entriesAtMost = 400

export const views: readonly CalendarViewName[] = ['month', 'week', 'day']

const members = { emptyText, where, columns: columns('Card'), filters } satisfies Members

export const calendarPart = (screen: Screen) => partOf(members, screen)

/** Records on their days: by month, week or day, one address each. */
export const calendar: ScreenKind = {
  name: 'calendar',
  written: 'calendar of Entity by field · calendar of Entity by field to field',
  opening: 'calendar of',
  meaning: 'Records on their days, by month, week or day; with a second field from the one to the other.',
  entity: 'required',
  by: 'days',
  properties: [
    { name: 'Where', meaning: 'Records it shows, besides what permissions allow.' },
    { name: 'Card', meaning: 'Fields shown beside the title of a record. Absent: its state.' },
    {
      name: 'Filters',
      meaning: 'What its readers look for records by. Absent: the state and fields with few answers.',
    },
    { name: 'Empty text', meaning: 'What stands there when there is nothing to show.' },
  ],
  members,
  shows: 'records',
  standsOn: ({ by }) => by,
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
  const { by, to } = screen.shows
  const type = entity.shape.fields.get(by)?.type
  if (type === undefined) return null
  const part = calendarPart(screen)
  const { view, on, after, rest } = readAddress(address)
  const { filters: looked, search, ignored } = readQuery(entity, app, { ...address, query: rest }, [])
  const { first, last } = daysAround(view, on, app.product.weekBegins.day)
  const need: CalendarNeed = {
    view,
    on: dateOf(on)!,
    first: dateOf(first)!,
    last: dateOf(last)!,
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
      during: duringOf(type, by, to, first, last + 1, address.zone),
    },
  }
  return { need, ignored: [...ignored, ...unreadOfLists(rest)] }
}

/** `view` and `on` are read, and for the entries of a day where its page begins; the rest looks for records. */
function readAddress({ query, today }: Address) {
  const rest = new URLSearchParams(query)
  const view = views.find(name => name === query.get('view'))
  const on = inYears(dayNumber(query.get('on') ?? ''))
  const after = view === 'day' ? query.get('after') : null
  if (view !== undefined) rest.delete('view')
  if (on !== null) rest.delete('on')
  if (after !== null) rest.delete('after')
  return { view: view ?? 'month', on: on ?? dayNumber(today)!, after, rest } as const
}

/** Far enough from the first and the last day there is that every page has a page before and after it. */
const inYears = (day: number | null): number | null =>
  day !== null && day >= dayNumber('0002-01-01')! && day <= dayNumber('9998-12-31')! ? day : null

/** First and last day: whole weeks. */
function daysAround(
  view: CalendarViewName,
  on: number,
  weekBegins: number,
): { readonly first: number; readonly last: number } {
  if (view === 'day') return { first: on, last: on }
  const week = (day: number) => weekOf(day, weekBegins)
  if (view === 'week') return { first: week(on), last: week(on) + 6 }
  const [, , dayOfMonth] = partsOf(on)
  const first = on - dayOfMonth + 1
  const last = addMonths(first, 1)! - 1
  return { first: week(first), last: week(last) + 6 }
}

/** The day that the page before (-1) or after (1) is about. */
export function turned(view: CalendarViewName, on: string, by: 1 | -1): string {
  const day = dayNumber(on)!
  if (view !== 'month') return dateOf(day + by * (view === 'week' ? 7 : 1))!
  const [, , dayOfMonth] = partsOf(day)
  return dateOf(addMonths(day - dayOfMonth + 1, by)!)!
}

function duringOf(type: Type, from: string, to: string | null, first: number, end: number, zone: string): During {
  const value = (day: number) => (type.kind === 'moment' ? beginningOf(dateOf(day)!, zone) : dateOf(day)!)
  return { from, to, start: value(first), end: value(end) }
}
