/** A calendar: rows that were read → days with entries. Its place is its address, so every way on is a link. */

import { dateOf, dayNumber, partsOf } from '../../expression/dates.ts'
import { dayFormat } from '../../expression/day-format.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import { dayIn, startOfDay, timeIn } from '../../kinds/fields/dates.ts'
import { turned } from '../../kinds/screens/calendar/screen.ts'
import type { CalendarView } from '../../kinds/screens/calendar/view-model.ts'
import type { CalendarNeed, CalendarViewName, ReadRow, RowsData, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { CalendarDay, CalendarEntry } from '../../ui/calendar.tsx'
import { say } from '../sentences.ts'
import { stateView } from '../site.ts'
import {
  assumedOf,
  type Building,
  createLink,
  marksOf,
  namingFields,
  openHref,
  screenMark,
  titleOf,
  valueAt,
} from './common.ts'

/** Entries on a day of a month; the rest is on the page of the day. */
const entriesOfDay: Readonly<Record<CalendarViewName, number>> = { month: 4, week: 30, day: 400 }

export const calendarNeed = ({ site }: Building, { rows }: CalendarNeed): RowsNeed => {
  const { from, to } = rows.during
  const columns = [...rows.columns, ...namingFields(site, rows.entity), from, ...(to === null ? [] : [to])]
  return { ...rows, columns: [...new Set(columns)] }
}

interface CalendarOptions {
  readonly screen: Screen
  /** As the screen kind gave it: without what `calendarNeed` adds. */
  readonly need: CalendarNeed
  readonly ignored: readonly string[]
  readonly data: RowsData
}

export function calendarView(build: Building, { screen, need, ignored, data }: CalendarOptions): CalendarView {
  const { site, exchange } = build
  const { words, locale } = site.reader
  const { view, on } = need
  const { today } = exchange.request
  const href = (to: CalendarViewName, day: string) => `${exchange.path}?${new URLSearchParams({ view: to, on: day })}`
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = dayFormat(locale, options, 'UTC')
    return (day: string) => made(startOfDay(day))
  }
  const long = format({ dateStyle: 'full' })
  const [short, full] = [format({ weekday: 'short' }), format({ weekday: 'long' })]
  const [first, last] = [dayNumber(need.first)!, dayNumber(need.last)!]
  const isoDays = Array.from({ length: last - first + 1 }, (_, index) => dateOf(first + index)!)
  const entries = data.rows.map(row => entryOf(build, need, row))
  // They are read in the order in which they begin: from the day of the last one on, some may be missing.
  const cut = view === 'day' || data.next === null ? null : entries.at(-1)!.first
  const [, month] = partsOf(dayNumber(on)!)
  const days = isoDays.map((iso): CalendarDay => {
    const all = entries.filter(entry => entry.first <= iso && iso <= entry.last)
    const shown = all
      .map(entry => entry.on(iso))
      .sort((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))
      .slice(0, entriesOfDay[view])
    return {
      iso,
      number: String(partsOf(dayNumber(iso)!)[2]),
      label: long(iso),
      href: href('day', iso),
      isToday: iso === today,
      isOutside: view === 'month' && partsOf(dayNumber(iso)!)[1] !== month,
      entries: shown,
      more:
        cut !== null && iso >= cut
          ? say(site, 'calendarWholeDay')
          : all.length > shown.length
            ? words('moreCount', { count: all.length - shown.length })
            : null,
    }
  })
  return {
    kind: 'calendar',
    title: screen.name.text,
    pageTitle: screen.name.text,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: assumedOf(site, need.rows.entity),
    period:
      view === 'month'
        ? format({ month: 'long', year: 'numeric' })(on)
        : view === 'day'
          ? long(on)
          : words('period', { first: site.reader.format.date(need.first), last: site.reader.format.date(need.last) }),
    view,
    views: (['month', 'week', 'day'] as const).map(name => ({
      label: words(viewWords[name]),
      href: href(name, on),
      current: name === view,
    })),
    previous: href(view, turned(view, on, -1)),
    next: href(view, turned(view, on, 1)),
    today:
      isoDays.includes(today) && (view !== 'month' || today.slice(0, 7) === on.slice(0, 7)) ? null : href(view, today),
    days,
    weekdays: view === 'day' ? [] : isoDays.slice(0, 7).map(day => ({ short: short(day), long: full(day) })),
    ignored: ignored.length === 0 ? [] : [say(site, 'notUnderstood', { parts: ignored.join(', ') })],
    cut:
      cut === null
        ? null
        : say(site, 'calendarCut', {
            count: data.rows.length,
            day: site.reader.format.date(isoDays.find(iso => iso >= cut)!),
          }),
    further:
      view !== 'day' || data.next === null
        ? null
        : {
            label: say(site, 'calendarFurther'),
            href: `${href(view, on)}&${new URLSearchParams({ after: data.next })}`,
          },
    create: createLink(build, need.rows.entity, data.create),
    empty: data.rows.length > 0 ? null : { title: screen.emptyText?.text ?? words('calendarNothing'), text: '' },
  }
}

const viewWords = { month: 'calendarMonth', week: 'calendarWeek', day: 'calendarDay' } as const

interface Placed {
  readonly first: string
  readonly last: string
  readonly on: (day: string) => CalendarEntry
}

function entryOf(build: Building, { rows }: CalendarNeed, row: ReadRow): Placed {
  const { site } = build
  const { entity, columns, during } = rows
  const { zone } = site.reader.format
  const [begins, ends] = [during.from, during.to].map(field => {
    const value = field === null ? undefined : row.values[field]
    return typeof value === 'string' ? value : null
  })
  const isMoment = begins?.includes('T') ?? false
  const dayOf = (value: string) => (isMoment ? dayIn(value, zone) : value)
  const first = dayOf(begins!)
  // What ends at midnight takes nothing of the day that begins then.
  const end =
    ends == null
      ? null
      : isMoment && ends > begins!
        ? dayIn(new Date(Date.parse(ends) - 1).toISOString(), zone)
        : dayOf(ends)
  const last = end !== null && end > first ? end : first
  const { state } = row.values
  const shown = columns.filter(field => field in row.values && field !== 'state')
  const entry = {
    id: row.id,
    title: titleOf(site, entity, row),
    href: openHref(build, entity, row),
    marks: marksOf(site, entity, row),
    state:
      typeof state === 'string' && site.app.workflows.has(entity) && (columns.length === 0 || columns.includes('state'))
        ? stateView(site, entity, state)
        : null,
    facts: shown.map(field => valueAt(site, entity, row, field).text).filter(text => text !== ''),
  }
  return {
    first,
    last,
    on: day => ({ ...entry, time: isMoment && day === first ? timeIn(begins!, zone) : null, continues: day !== first }),
  }
}
