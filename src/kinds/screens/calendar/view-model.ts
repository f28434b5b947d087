/** What a calendar is given: days, and what lies on them. */
import type { FilterBarView } from '../filter-view.ts'
import type { LinkView, ScreenView } from '../view-model.ts'
import type { CalendarProps } from './parts.tsx'

export interface CalendarView extends ScreenView, CalendarProps {
  readonly bar: FilterBarView
  readonly ignored: readonly string[]
  /** From which day on not all are shown; null where all are. */
  readonly cut: string | null
  /** The page with more of this day. */
  readonly further: LinkView | null
  readonly create: LinkView | null
  readonly empty: { readonly title: string; readonly text: string } | null
}
