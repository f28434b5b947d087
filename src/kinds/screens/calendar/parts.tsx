/** A calendar: months and weeks as a table, one day as a list. Every entry is a link, every day has a page of its own. */
import { LinkButton } from '../../../ui/buttons.tsx'
import { type MarkOf, Marks, When } from '../../../ui/page.tsx'
import { classes, useReader } from '../../../ui/reader.tsx'
import { StateLabel } from '../../../ui/state.tsx'
import type { Ring } from '../../../ui/states.ts'
import { sentences } from './said.ts'

export interface CalendarEntry {
  readonly id: string
  /** "09:30"; null where there is none on this day. */
  readonly time: string | null
  readonly title: string
  readonly href: string | null
  readonly state: { readonly label: string; readonly ring: Ring } | null
  readonly marks?: readonly MarkOf[]
  readonly facts: readonly string[]
  /** It began before this day. */
  readonly continues: boolean
}

export interface CalendarDay {
  readonly iso: string
  /** "16". */
  readonly number: string
  /** "Monday, 16 November 2026". */
  readonly label: string
  /** The page of this day. */
  readonly href: string
  readonly isToday: boolean
  /** Of the month before or after the one that is shown. */
  readonly isOutside: boolean
  readonly entries: readonly CalendarEntry[]
  /** "3 more", or that not all are here, to the page of the day; null where all are shown. */
  readonly more: string | null
}

export interface CalendarProps {
  readonly title: string
  /** "November 2026", "16 Nov to 22 Nov 2026", "Monday, 16 November 2026". */
  readonly period: string
  readonly view: 'month' | 'week' | 'day'
  readonly views: readonly { readonly label: string; readonly href: string; readonly current: boolean }[]
  readonly previous: string
  readonly next: string
  /** Null: today is on this page already. */
  readonly today: string | null
  /** Seven in a row; one on the page of a day. */
  readonly days: readonly CalendarDay[]
  /** Names of the days above the columns, short and in full. */
  readonly weekdays: readonly { readonly short: string; readonly long: string }[]
}

/** A month or a week as a table, a day as a list. */
export function Calendar({ calendar }: { readonly calendar: CalendarProps }) {
  const { words, locale } = useReader()
  const { view, views, period, previous, next, today, days, weekdays, title } = calendar
  const weeks = Array.from({ length: Math.ceil(days.length / 7) }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return (
    <section className="sheet cal" aria-label={title}>
      <header>
        <h2>{period}</h2>
        <nav aria-label={words('pages')}>
          <LinkButton href={previous} small icon="back">
            {words('previous')}
          </LinkButton>
          {today !== null && (
            <LinkButton href={today} small>
              {sentences.in(locale)('today')}
            </LinkButton>
          )}
          <LinkButton href={next} small icon="arrow">
            {words('next')}
          </LinkButton>
        </nav>
        <nav className="seg" aria-label={words('views')}>
          {views.map(({ label, href, current }) => (
            <a key={href} href={href} aria-current={current ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </header>
      {view === 'day' ? (
        <div className="body day">
          <Entries entries={days[0]?.entries ?? []} />
        </div>
      ) : (
        <table className={view}>
          <caption className="vh">
            {title}, {period}
          </caption>
          <thead>
            <tr>
              {weekdays.map(({ short, long }) => (
                <th key={long} scope="col" abbr={long}>
                  {short}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map(week => (
              <tr key={week[0]?.iso}>
                {week.map(day => (
                  <Day key={day.iso} day={day} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Day({ day }: { readonly day: CalendarDay }) {
  const { iso, number, label, href, isToday, isOutside, entries, more } = day
  const looks = classes(isOutside && 'out', isToday && 'now', entries.length === 0 && 'free')
  return (
    <td className={looks === '' ? undefined : looks}>
      <a className="num" href={href} aria-label={label} aria-current={isToday ? 'date' : undefined}>
        <time dateTime={iso}>
          <b>{number}</b>
          <span>{label}</span>
        </time>
      </a>
      <Entries entries={entries} />
      {more !== null && (
        <a className="link-more" href={href} aria-label={`${more}, ${label}`}>
          {more}
        </a>
      )}
    </td>
  )
}

function Entries({ entries }: { readonly entries: readonly CalendarEntry[] }) {
  const { locale } = useReader()
  if (entries.length === 0) return null
  return (
    <ul>
      {entries.map(({ id, time, title, href, state, marks = [], facts, continues }) => (
        <li key={id} className={continues ? 'on' : undefined}>
          {time !== null && (
            <span className="at">
              <When iso={time} text={time} />{' '}
            </span>
          )}
          {href === null ? title : <a href={href}>{title}</a>}
          <Marks of={marks} />
          {continues && <span className="vh"> {sentences.in(locale)('continued')}</span>}
          {state !== null && <StateLabel name={state.label} ring={state.ring} />}
          {facts.length > 0 && <span className="facts">{facts.join(' · ')}</span>}
        </li>
      ))}
    </ul>
  )
}
