/** What a calendar is given: days, and what lies on them. */
import type { CalendarProps } from '../../../ui/calendar.tsx'
import type { LinkView, ScreenView } from '../view-model.ts'

export interface CalendarView extends ScreenView, CalendarProps {
  readonly kind: 'calendar'
  readonly ignored: readonly string[]
  /** "The first 400 are shown"; null where all are. */
  readonly more: string | null
  readonly create: LinkView | null
  readonly empty: { readonly title: string; readonly text: string } | null
}
