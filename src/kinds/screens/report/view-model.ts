/** What a report is given: what it asks, its groups with their numbers, the records behind one. */
import type { FieldView, LinesView, LinkView, ScreenView } from '../view-model.ts'

export interface ReportView extends ScreenView {
  /** `GET` form of what it asks; none where it asks nothing. */
  readonly action: string
  readonly fields: readonly FieldView[]
  readonly ignored: readonly string[]
  readonly caption: string
  readonly columns: readonly { readonly key: string; readonly label: string; readonly numeric: boolean }[]
  readonly rows: readonly {
    readonly id: string
    /** A group that others lie in. */
    readonly isSum: boolean
    /** The records behind it; null: there is no page for them. */
    readonly href: string | null
    readonly cells: readonly string[]
  }[]
  readonly total: readonly string[] | null
  readonly more: string | null
  readonly exports: readonly LinkView[]
  readonly empty: string | null
  /** The records of one group, where the address asks for them. */
  readonly behind: {
    readonly title: string
    readonly list: LinesView
    readonly next: string | null
    readonly close: string
  } | null
}
