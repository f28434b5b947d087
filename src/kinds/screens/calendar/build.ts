/** A calendar: rows that were read → days with entries. Its place is its address, so every way on is a link. */

import { dateOf, dayNumber, partsOf } from '../../../expression/dates.ts'
import { dayFormat } from '../../../expression/day-format.ts'
import type { Screen } from '../../../headings/2-screens/model.ts'
import { dayIn, startOfDay, timeIn } from '../../fields/dates.ts'
import type { Presenter } from '../presenter.ts'
import type { ReadRow, RowsData } from '../screen-kind.ts'
import type { CalendarDay, CalendarEntry } from './parts.tsx'
import { sentences } from './said.ts'
import { type CalendarNeed, type CalendarViewName, calendarPart, turned, views } from './screen.ts'
import type { CalendarView } from './view-model.ts'

/** Entries on a day of a month; the rest is on the page of the day. */
const entriesOfDay: Readonly<Record<CalendarViewName, number>> = { month: 4, week: 30, day: 400 }

/** What is read of each row: what is shown, what names it, and its days. */
export function columnsOf({ rows }: CalendarNeed, { namingFields }: Presenter): readonly string[] {
  const { from, to } = rows.during
  return [...new Set([...rows.columns, ...namingFields(rows.entity), from, ...(to === null ? [] : [to])])]
}

interface CalendarOptions {
  readonly screen: Screen
  /** Without what `columnsOf` adds. */
  readonly need: CalendarNeed
  readonly ignored: readonly string[]
  readonly data: RowsData
}

export function calendarView(presenter: Presenter, { screen, need, ignored, data }: CalendarOptions): CalendarView {
  const { reader, address, path } = presenter
  const { locale } = reader
  const said = sentences.in(locale)
  const { view, on } = need
  const { today } = address
  const href = (to: CalendarViewName, day: string) => `${path}?${new URLSearchParams({ view: to, on: day })}`
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = dayFormat(locale, options, 'UTC')
    return (day: string) => made(startOfDay(day))
  }
  const long = format({ dateStyle: 'full' })
  const [short, full] = [format({ weekday: 'short' }), format({ weekday: 'long' })]
  const [first, last] = [dayNumber(need.first)!, dayNumber(need.last)!]
  const isoDays = Array.from({ length: last - first + 1 }, (_, index) => dateOf(first + index)!)
  const entries = data.rows.map(row => entryOf(presenter, need, row))
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
          ? said('wholeDay')
          : all.length > shown.length
            ? said('more', { count: all.length - shown.length })
            : null,
    }
  })
  return {
    ...presenter.frame(screen, need.rows.entity),
    period:
      view === 'month'
        ? format({ month: 'long', year: 'numeric' })(on)
        : view === 'day'
          ? long(on)
          : said('period', { first: reader.format.date(need.first), last: reader.format.date(need.last) }),
    view,
    views: views.map(name => ({
      label: said(name),
      href: href(name, on),
      current: name === view,
    })),
    previous: href(view, turned(view, on, -1)),
    next: href(view, turned(view, on, 1)),
    today:
      isoDays.includes(today) && (view !== 'month' || today.slice(0, 7) === on.slice(0, 7)) ? null : href(view, today),
    days,
    weekdays: view === 'day' ? [] : isoDays.slice(0, 7).map(day => ({ short: short(day), long: full(day) })),
    ignored: presenter.notUnderstood(ignored),
    cut:
      cut === null
        ? null
        : said('cut', {
            count: data.rows.length,
            day: reader.format.date(isoDays.find(iso => iso >= cut)!),
          }),
    further:
      view !== 'day' || data.next === null
        ? null
        : {
            label: said('further'),
            href: `${href(view, on)}&${new URLSearchParams({ after: data.next })}`,
          },
    create: presenter.create(need.rows.entity, data.create),
    empty: data.rows.length > 0 ? null : { title: calendarPart(screen).emptyText?.text ?? said('nothing'), text: '' },
  }
}

interface Placed {
  readonly first: string
  readonly last: string
  readonly on: (day: string) => CalendarEntry
}

function entryOf(presenter: Presenter, { rows }: CalendarNeed, row: ReadRow): Placed {
  const { entity, columns, during } = rows
  const { zone } = presenter.reader.format
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
    title: presenter.title(entity, row),
    href: presenter.href(entity, row),
    marks: presenter.marks(entity, row),
    state:
      typeof state === 'string' &&
      presenter.app.workflows.has(entity) &&
      (columns.length === 0 || columns.includes('state'))
        ? presenter.state(entity, state)
        : null,
    facts: shown.map(field => presenter.value(entity, row, field).text).filter(text => text !== ''),
  }
  return {
    first,
    last,
    on: day => ({ ...entry, time: isMoment && day === first ? timeIn(begins!, zone) : null, continues: day !== first }),
  }
}
