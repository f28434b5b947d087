/** What a calendar is given: days, and what lies on them. */
import type { LinkView, ScreenView, StateView } from '../view-model.ts'

export interface CalendarView extends ScreenView {
  readonly kind: 'calendar'
  /** "November 2026", "16 Nov to 22 Nov 2026", "Monday, 16 November 2026". */
  readonly period: string
  readonly view: 'month' | 'week' | 'day'
  readonly views: readonly { readonly label: string; readonly href: string; readonly current: boolean }[]
  readonly previous: string
  readonly next: string
  /** Null: today is on this page already. */
  readonly today: string | null
  /** Seven in a row, from Monday; one on the page of a day. */
  readonly days: readonly CalendarDay[]
  /** Names of the days above the columns, short and in full. */
  readonly weekdays: readonly { readonly short: string; readonly long: string }[]
  readonly ignored: readonly string[]
  /** "The first 400 are shown"; null where all are. */
  readonly more: string | null
  readonly create: LinkView | null
  readonly empty: { readonly title: string; readonly text: string } | null
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
  /** "3 more", to the page of the day; null where all are shown. */
  readonly more: string | null
}

export interface CalendarEntry {
  readonly id: string
  /** "09:30"; null where there is none on this day. */
  readonly time: string | null
  readonly title: string
  readonly href: string | null
  readonly state: StateView | null
  readonly facts: readonly string[]
  /** It began before this day. */
  readonly continues: boolean
}
