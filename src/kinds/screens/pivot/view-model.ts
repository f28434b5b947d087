/** What a pivot is given: what stands in rows and columns, and a figure for each measure where they cross. */
import type { SwitchView } from '../cards/view-model.ts'
import type { FilterBarView } from '../filter-view.ts'
import type { LinkView, ScreenView } from '../view-model.ts'

export interface PivotView extends ScreenView {
  readonly bar: FilterBarView
  readonly ignored: readonly string[]
  /** Null: it counts whenever. */
  readonly period: SwitchView | null
  readonly exports: readonly LinkView[]
  /** `GET` form of what stands where. */
  readonly shelves: {
    readonly action: string
    readonly hidden: readonly { readonly name: string; readonly value: string }[]
    readonly choices: readonly {
      readonly name: string
      readonly id: string
      readonly label: string
      readonly value: string
      readonly options: readonly { readonly value: string; readonly label: string }[]
    }[]
    readonly show: string
  }
  readonly caption: string
  /** What the rows are. */
  readonly corner: string
  /** Null: nothing stands in columns but measures. */
  readonly columns: readonly string[] | null
  readonly measures: readonly string[]
  /** For each measure the address that puts rows with much of it first, or, `isNow`, in their own order again; empty: they cannot be sorted. */
  readonly sorts: readonly { readonly href: string; readonly isNow: boolean }[]
  readonly rows: readonly PivotRow[]
  readonly total: PivotRow | null
  readonly notes: readonly string[]
  readonly empty: string | null
}

export interface PivotRow {
  readonly id: string
  readonly label: string
  /** A group that the following rows lie in; a row in one; or neither. */
  readonly looks: 'group' | 'within' | 'alone'
  /** Shows what lies in it, or leaves it out; null: nothing does. */
  readonly fold: { readonly href: string; readonly isFolded: boolean } | null
  /** As many as there are columns times measures; those of all columns last. */
  readonly cells: readonly PivotCell[]
}

export interface PivotCell {
  readonly text: string
  /** The records that it counts; null: none, or no list shows just these. */
  readonly href: string | null
  /** The first measure where rows and columns cross, beside the others of its kind: 1 to 4. Null: it is no such cell. */
  readonly heat: number | null
}
