/** What a board is given: cards in groups, each with what a drag would do. */
import type { FilterBarView } from '../filter-view.ts'
import type { Places } from '../presenter.ts'
import type { ActionView, FactView, LinkView, MarkOf, ScreenView, StateView } from '../view-model.ts'

export interface BoardView extends ScreenView {
  readonly bar: FilterBarView
  /** What was not looked for as it stands in the address, or not understood, in words. */
  readonly ignored: readonly string[]
  readonly groups: readonly {
    readonly value: string
    readonly label: string
    readonly state: StateView | null
    /** "12", "100+". */
    readonly count: string
    readonly cards: readonly CardView[]
    /** "Showing the first 50"; null where all are shown. */
    readonly more: string | null
    /** The one that a phone shows, where there is room for one; and the address in which this one is. */
    readonly current: boolean
    readonly href: string
  }[]
  readonly create: LinkView | null
  /** Forms for everyone that were held back; null: none, or not for this person. */
  readonly held: LinkView | null
  /** `filtered`: cards might be there without the filters. */
  readonly empty: { readonly title: string; readonly text: string; readonly filtered: boolean } | null
}

export interface CardView {
  readonly id: string
  readonly title: string
  /** Follows it, in smaller letters; empty: nothing does. */
  readonly reference: string
  /** Of whom it is about. */
  readonly initials: string | null
  readonly href: string | null
  readonly marks: readonly MarkOf[]
  readonly lines: readonly FactView[]
  /**
   * Offered steps. An open one with `to` is what a drag onto that group does: it submits the action's form.
   * Closed ones are given for the reason shown while dragging and in the menu.
   */
  readonly moves: readonly ActionView[]
  /** The ways to another place in its group, by hand; null: it stays in its place. */
  readonly places: CardPlaces | null
}

export interface CardPlaces extends Places {
  /** Values of the submits. */
  readonly ways: readonly { readonly way: 'top' | 'up' | 'down'; readonly value: string }[]
}
