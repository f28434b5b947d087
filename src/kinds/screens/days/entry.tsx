/** What a calendar and a timeline have in common: which days they show, with links to others, and what stands for a record. */
import { LinkButton } from '../../../ui/buttons.tsx'
import { type MarkOf, Marks, When } from '../../../ui/page.tsx'
import { classes, useReader } from '../../../ui/reader.tsx'
import type { Ring } from '../../../ui/states.ts'
import { sentences } from './texts.ts'

export interface PeriodProps {
  /** "November 2026", "16 Nov to 22 Nov 2026", "Monday, 16 November 2026". */
  readonly period: string
  readonly views: readonly { readonly label: string; readonly href: string; readonly current: boolean }[]
  readonly previous: string
  readonly next: string
  readonly today: string
  /** The fields in which records begin, end, and lie in a lane. */
  readonly set: { readonly from: string; readonly to: string | null; readonly isMoment: boolean; readonly by?: string }
}

/** For the script that moves what lies there. `{time}`: the days or moments that it would have. */
export const movesIn = ({ set: { from, to, by, isMoment } }: PeriodProps, locale: string) => ({
  'data-from': from,
  'data-to': to ?? undefined,
  'data-by': by,
  'data-moment': isMoment ? '' : undefined,
  'data-asks': sentences.in(locale)('asks', { time: '{time}' }),
})

/** Each is a link: the place of such a page is its address. */
export function PeriodHead({ of: { period, views, previous, next, today } }: { readonly of: PeriodProps }) {
  const { words, locale } = useReader()
  return (
    <header>
      <h2>{period}</h2>
      <nav aria-label={words('pages')}>
        <LinkButton href={previous} small icon="back">
          {words('previous')}
        </LinkButton>
        <LinkButton href={today} small>
          {sentences.in(locale)('today')}
        </LinkButton>
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
  )
}

export interface Entry {
  readonly id: string
  /** "09:30"; null where there is none on this day. */
  readonly time: string | null
  readonly title: string
  readonly href: string | null
  readonly state: { readonly label: string; readonly ring: Ring } | null
  readonly marks?: readonly MarkOf[]
  readonly facts: readonly string[]
  /** Where it is put to another time; null: nowhere, or not by whoever reads. */
  readonly move: Move | null
}

export interface Move {
  readonly href: string
  readonly isStep: boolean
  readonly version: number
  /** As the controls of a form hold them; empty: it has none. */
  readonly begins: string
  readonly ends: string
  /** What is set there. */
  readonly fields: readonly string[]
}

/** For the script that moves it. */
export const movable = ({ move }: Pick<Entry, 'move'>) =>
  move === null
    ? {}
    : {
        [move.isStep ? 'data-step' : 'data-move']: move.href,
        'data-version': move.version,
        'data-begins': move.begins,
        'data-ends': move.ends,
        'data-sets': move.fields.join(' '),
      }

export const looksOf = ({ state }: Pick<Entry, 'state'>): string =>
  classes(state?.ring.family, state?.ring.shape === 'start' && 'start') ?? ''

export function EntryText({ entry: { time, href, title, marks = [], state, facts } }: { readonly entry: Entry }) {
  return (
    <>
      {time !== null && (
        <span className="at">
          <When iso={time} text={time} />{' '}
        </span>
      )}
      {href === null ? <b>{title}</b> : <a href={href}>{title}</a>}
      <Marks of={marks} />{' '}
      <span className="facts">{[...(state === null ? [] : [state.label]), ...facts].join(' · ')}</span>
    </>
  )
}

/** Where something lies along an axis of up to 99 units, as classes: pages have no styles of their own. `start` from 0. */
export const along = (start: number, length: number): string =>
  `p${Math.floor((start + 1) / 10)} q${(start + 1) % 10} y${Math.floor(length / 10)} z${length % 10}`
