/** A calendar: months and weeks as lists of days with bars over them, one day as a list. Every entry is a link, every day has a page of its own. */
import { Icon } from '../../../ui/icons.tsx'
import { classes, useReader } from '../../../ui/reader.tsx'
import {
  along,
  type Entry,
  EntryText,
  looksOf,
  movable,
  movesIn,
  PeriodHead,
  type PeriodProps,
} from '../days/entry.tsx'

/** An entry, or its part in one week, over the days that it takes. */
interface CalendarBar extends Entry {
  /** Of the week, from 0. */
  readonly column: number
  readonly length: number
  readonly level: number
  /** It began before this week, or goes on after it. */
  readonly begun: boolean
  readonly goesOn: boolean
  /** A list of days has it above already. */
  readonly again: boolean
  /** "Mon, 2 Nov to Fri, 6 Nov"; null: it is one day. */
  readonly when: string | null
}

/** An entry at its hours. */
interface CalendarSlot extends Entry {
  readonly row: number
  readonly rows: number
  readonly lane: number
  readonly lanes: number
}

export interface CalendarDay {
  readonly iso: string
  /** "16". */
  readonly number: string
  /** "Dec", where it is the first of its month. */
  readonly month: string | null
  /** "Monday, 16 November 2026". */
  readonly label: string
  /** The page of this day. */
  readonly href: string
  readonly isToday: boolean
  /** Before today, on a page that has today. */
  readonly isPast: boolean
  /** A Saturday or Sunday. */
  readonly isFree: boolean
  /** Of the month before or after the one that is shown. */
  readonly isOutside: boolean
  /** Of its week, from 0. */
  readonly column: number
  readonly bars: readonly CalendarBar[]
  /** What has hours, where hours are shown. */
  readonly slots: readonly CalendarSlot[]
  /** A new record on this day; null: not for whoever reads. */
  readonly create: { readonly label: string; readonly href: string } | null
  /** "3 more", or that not all are here, to the page of the day; null where all are shown. */
  readonly more: string | null
}

export interface CalendarProps extends PeriodProps {
  readonly title: string
  readonly view: 'month' | 'week' | 'day'
  /** Where days are drawn over to make a new record, and its fields; null: not for whoever reads. */
  readonly drawn: {
    readonly href: string
    readonly from: string
    readonly to: string | null
    /** Behind each day, where they are moments. */
    readonly time: string
  } | null
  /** Seven in a row; one on the page of a day. */
  readonly days: readonly CalendarDay[]
  /** "08:00" and so on, where hours are shown. */
  readonly hours: readonly string[] | null
  /** Names of the days above the columns, short and in full. */
  readonly weekdays: readonly { readonly short: string; readonly long: string }[]
}

/** A month or a week as lists of days, side by side where there is room; a day as a list. */
export function Calendar({ calendar }: { readonly calendar: CalendarProps }) {
  const { locale } = useReader()
  const { view, days, weekdays, title, drawn, hours } = calendar
  const weeks = Array.from({ length: Math.ceil(days.length / 7) }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return (
    <section className="sheet cal" aria-label={title} {...movesIn(calendar, locale)}>
      <PeriodHead of={calendar} />
      {view === 'day' ? (
        <div className="body day">
          <Bars bars={days[0]?.bars ?? []} />
        </div>
      ) : (
        <div
          className={classes(view, hours !== null && 'timed')}
          data-new={drawn?.href}
          data-from={drawn?.from}
          data-to={drawn?.to ?? undefined}
          data-time={drawn?.time}
        >
          <div className="wk heads" aria-hidden="true">
            {weekdays.map(({ short, long }) => (
              <span key={long}>{short}</span>
            ))}
          </div>
          {weeks.map(week => (
            <ol key={week[0]?.iso} className="wk">
              {week.map(day => (
                <Day key={day.iso} day={day} />
              ))}
              {hours !== null && <Clock hours={hours} />}
            </ol>
          ))}
        </div>
      )}
    </section>
  )
}

function Day({ day }: { readonly day: CalendarDay }) {
  const { iso, number, month, label, href, isToday, isPast, isFree, isOutside, column, bars, slots, create, more } = day
  const isEmpty = more === null && slots.length === 0 && bars.every(({ again }) => again)
  const looks = classes(
    'd',
    `c${column + 1}`,
    isOutside && 'out',
    isFree && 'off',
    isToday && 'now',
    isPast && 'past',
    isEmpty && 'none',
  )
  return (
    <li className={looks} data-day={iso}>
      <a className="num" href={href} aria-label={label} aria-current={isToday ? 'date' : undefined}>
        <time dateTime={iso}>
          <b data-month={month ?? undefined}>{number}</b>
          <span>{label}</span>
        </time>
      </a>
      {create !== null && (
        <a className="add" href={create.href} aria-label={create.label}>
          <Icon name="plus" />
        </a>
      )}
      <Bars bars={bars} />
      {slots.length > 0 && <Slots slots={slots} />}
      {more !== null && (
        <a className="link-more" href={href} aria-label={`${more}, ${label}`}>
          {more}
        </a>
      )}
    </li>
  )
}

/** Where each lies is a class: pages have no styles of their own. */
function Bars({ bars }: { readonly bars: readonly CalendarBar[] }) {
  if (bars.length === 0) return null
  return (
    <ul>
      {bars.map(bar => (
        <li
          key={bar.id}
          className={classes(
            'stay',
            `c${bar.column + 1} w${bar.length} l${bar.level + 1}`,
            looksOf(bar),
            bar.begun && 'begun',
            bar.goesOn && 'goes-on',
            bar.again && 'again',
          )}
          {...movable(bar)}
        >
          <EntryText entry={bar} />
          {bar.when !== null && <span className="when"> {bar.when}</span>}
        </li>
      ))}
    </ul>
  )
}

function Slots({ slots }: { readonly slots: readonly CalendarSlot[] }) {
  return (
    <ul className="at-hours">
      {slots.map(slot => (
        <li
          key={slot.id}
          className={classes(
            'stay',
            `${along(slot.row, slot.rows)} k${(slot.lane * 12) / slot.lanes + 1} n${12 / slot.lanes}`,
            looksOf(slot),
          )}
          {...movable(slot)}
        >
          <EntryText entry={slot} />
        </li>
      ))}
    </ul>
  )
}

/** Beside the days; each entry says its own time. */
function Clock({ hours }: { readonly hours: readonly string[] }) {
  return (
    <li className="clock" aria-hidden="true">
      {hours.map(hour => (
        <span key={hour}>{hour}</span>
      ))}
    </li>
  )
}
