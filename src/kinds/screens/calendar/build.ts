/** A calendar: rows that were read → days with entries. Its place is its address, so every way on is a link. */

import { dateOf, dayNumber, partsOf } from '../../../expression/dates.ts'
import type { Screen } from '../../../headings/2-screens/model.ts'
import { isFreeDay } from '../days/free.ts'
import { turned } from '../days/period.ts'
import { dayWords, hrefOf, placedOf } from '../days/placed.ts'
import { sentences as common } from '../days/texts.ts'
import type { Lookup, Presenter } from '../presenter.ts'
import type { RowsData } from '../read-data.ts'
import type { LinkView } from '../view-model.ts'
import { weekOfBars } from './bars.ts'
import { dayOfSlots, shownHours } from './hours.ts'
import type { CalendarDay } from './parts.tsx'
import { type CalendarNeed, type CalendarViewName, calendarPart, views } from './screen.ts'
import { sentences } from './texts.ts'
import type { CalendarView } from './view-model.ts'

/** Levels of bars in a week; what has no place is on the page of the day. */
const levels: Readonly<Record<CalendarViewName, number>> = { month: 3, week: 12, day: 400 }

interface CalendarOptions {
  readonly screen: Screen
  /** Without what `columnsOf` adds. */
  readonly need: CalendarNeed
  readonly data: RowsData
  readonly lookup: Lookup
}

export function calendarView(presenter: Presenter, { screen, need, data, lookup }: CalendarOptions): CalendarView {
  const { reader, address } = presenter
  const { locale } = reader
  const said = sentences.in(locale)
  const ofDays = common.in(locale)
  const { view, on } = need
  const { today } = address
  const href = (to: CalendarViewName, day: string) => hrefOf(presenter, to, day)
  const format = (options: Intl.DateTimeFormatOptions) => dayWords(locale, options)
  const long = format({ dateStyle: 'full' })
  const [weekday, full] = [format({ weekday: 'short' }), format({ weekday: 'long' })]
  const short = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const monthName = format({ month: 'short' })
  const [first, last] = [dayNumber(need.first)!, dayNumber(need.last)!]
  const isoDays = Array.from({ length: last - first + 1 }, (_, index) => dateOf(first + index)!)
  const entries = data.rows.map(row => placedOf(presenter, need.rows, row))
  // They are read in the order in which they begin: from the day of the last one on, some may be missing.
  const cut = view === 'day' || data.next === null ? null : entries.at(-1)!.first
  const [, month] = partsOf(dayNumber(on)!)
  const create = presenter.create(need.rows.entity, data.create)
  const newOn = (iso: string): LinkView | null =>
    create && { label: `${create.label}, ${long(iso)}`, href: newHref(create, need, iso) }
  const isHere = isoDays.includes(today)
  const width = view === 'day' ? 1 : 7
  const weeks = Array.from({ length: isoDays.length / width }, (_, at) => isoDays.slice(at * width, (at + 1) * width))
  const isTimed = view === 'week' && need.rows.during.start.includes('T')
  const timed = isTimed
    ? entries.flatMap(({ first, hours, on }) => (hours === null ? [] : [{ ...hours, first, on }]))
    : []
  const hours = isTimed ? shownHours(timed) : null
  const days = weeks.flatMap((week, nth) => {
    const spans = hours === null ? entries : entries.filter(one => one.hours === null)
    const { bars, left } = weekOfBars(week, spans, levels[view])
    // On a phone each stands once: where it begins, what began before where the page begins for its reader.
    const from = isHere && today > week[0]! && week.includes(today) ? today : week[0]!
    const isFirst = isHere ? week.includes(today) : nth === 0
    const dayOf = ({ of }: (typeof bars)[number]) => (of.first < from && of.last >= from ? from : of.first)
    return week.map((iso, at): CalendarDay => {
      const own = bars.filter(bar => dayOf(bar) === iso)
      return {
        iso,
        number: String(partsOf(dayNumber(iso)!)[2]),
        month: iso.endsWith('-01') ? monthName(iso) : null,
        label: long(iso),
        href: href('day', iso),
        isToday: iso === today,
        isPast: isHere && iso < today,
        isFree: isFreeDay(presenter, iso),
        isOutside: view === 'month' && partsOf(dayNumber(iso)!)[1] !== month,
        column: at,
        bars: own.map(({ of, column, days: length, level, begun, goesOn }) => ({
          ...of.on(iso),
          column,
          length,
          level,
          begun,
          goesOn,
          again: begun && !isFirst,
          when: of.first === of.last ? null : ofDays('period', { first: short(of.first), last: short(of.last) }),
        })),
        slots: dayOfSlots(
          timed.filter(one => one.first === iso),
          hours?.from ?? 0,
        ).map(({ of, ...place }) => ({ ...of.on(iso), ...place })),
        create: newOn(iso),
        more: cut !== null && iso >= cut ? said('wholeDay') : left[at]! > 0 ? said('more', { count: left[at]! }) : null,
      }
    })
  })
  const bar = lookup.bar(need.rows.columns, { looks: ['view', 'on'] })
  const { from, to, start } = need.rows.during
  const drawn = create && { href: create.href, from, to, time: start.includes('T') ? beginning : '' }
  return {
    ...presenter.frame(screen, need.rows.entity),
    period:
      view === 'month'
        ? format({ month: 'long', year: 'numeric' })(on)
        : view === 'day'
          ? long(on)
          : ofDays('period', { first: reader.format.date(need.first), last: reader.format.date(need.last) }),
    view,
    views: views.map(name => ({
      label: ofDays(name),
      href: href(name, on),
      current: name === view,
    })),
    previous: href(view, turned(view, on, -1)),
    next: href(view, turned(view, on, 1)),
    today: href(view, today),
    days,
    hours:
      hours === null
        ? null
        : Array.from({ length: (hours.until - hours.from) / 60 }, (_, at) => clock(hours.from / 60 + at)),
    weekdays: view === 'day' ? [] : isoDays.slice(0, 7).map(day => ({ short: weekday(day), long: full(day) })),
    bar,
    ignored: lookup.ignored,
    drawn,
    set: { from, to, isMoment: start.includes('T') },
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
    create,
    empty: data.rows.length > 0 ? null : { title: calendarPart(screen).emptyText?.text ?? ofDays('nothing'), text: '' },
  }
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** When something on a day begins, unless somebody says otherwise. */
const beginning = ' 09:00'

/** A form in which the day stands already. */
function newHref({ href }: LinkView, { rows }: CalendarNeed, iso: string): string {
  const { from, to, start } = rows.during
  const value = start.includes('T') ? `${iso}${beginning}` : iso
  return `${href}?${new URLSearchParams([[from, value], ...(to === null ? [] : [[to, value]])])}`
}
