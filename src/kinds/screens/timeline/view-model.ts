/** What a timeline is given: lanes, and what lies in them. */
import type { Entry, PeriodProps } from '../days/entry.tsx'
import type { FilterBarView } from '../filter-view.ts'
import type { LinkView, ScreenView } from '../view-model.ts'
import type { Place } from './axis.ts'

/** Days, hours or weeks above the lanes. */
export interface Scale {
  readonly label: string
  /** In full; null: the label says it. */
  readonly long: string | null
  readonly href: string | null
  readonly start: number
  readonly length: number
  readonly isToday: boolean
  /** No working day. */
  readonly isFree: boolean
}

export interface Bar extends Entry, Place {
  /** "Mon, 2 Nov to Fri, 6 Nov". */
  readonly when: string
  /** "At the same time as LN-7"; null: nothing is, or it does not matter. */
  readonly besides: string | null
}

/** "92%", and "92% taken". */
export interface Load {
  readonly percent: number
  readonly short: string
  readonly text: string
  readonly tone: 'accent' | 'wait' | 'bad'
}

export interface Lane {
  /** Its place on the page. */
  readonly id: string
  /** What records in it have in the field; null: nothing that one sets. */
  readonly value: string | null
  readonly label: string
  readonly href: string | null
  readonly load: Load | null
  readonly bars: readonly Bar[]
  /** A new record in this lane; null: not for whoever reads. */
  readonly create: LinkView | null
}

export interface LaneGroup {
  /** Null: lanes are in no groups. */
  readonly label: string | null
  /** Of all its lanes. */
  readonly load: Load | null
  readonly lanes: readonly Lane[]
}

export interface TimelineView extends ScreenView, PeriodProps {
  readonly bar: FilterBarView
  readonly ignored: readonly string[]
  readonly create: LinkView | null
  /** "24 entries in 7 lanes". */
  readonly summary: string
  /** Lanes in which things lie at the same time. */
  readonly overlaps: { readonly label: string; readonly lanes: readonly LinkView[] } | null
  /** What the lanes are: "Room". */
  readonly of: string
  /** The day on which the first unit begins. */
  readonly first: string
  readonly units: number
  /** Of a unit. */
  readonly minutes: number
  readonly scale: readonly Scale[]
  /** Months over weeks; empty: one row is enough. */
  readonly above: readonly Scale[]
  readonly today: string
  readonly now: Pick<Scale, 'start' | 'length'> | null
  readonly groups: readonly LaneGroup[]
  readonly tray: { readonly title: string; readonly entries: readonly Entry[]; readonly more: string | null } | null
  /** What of all is not shown; null: nothing. */
  readonly cut: string | null
  readonly empty: string | null
}
