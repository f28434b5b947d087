/** What an inbox is given: records with what may be done with each. */
import type { ActionView, FaceView, FactView, MarkOf, ScreenView, StateView, StepLinkView } from '../view-model.ts'

/** What waits, and what was done. */
export interface Tab {
  readonly label: string
  /** How many are in it; absent: none, or that is not told. */
  readonly count?: string
  readonly href: string
  readonly current: boolean
}

export interface DoneView extends ScreenView {
  readonly tabs: readonly Tab[]
  readonly ignored: readonly string[]
  readonly rows: readonly {
    readonly id: string
    readonly face: FaceView
    readonly marks: readonly MarkOf[]
    readonly state: StateView
    /** "Approve, 2 Mar 2026, 10:00". */
    readonly done: string
  }[]
  readonly more: string | null
  readonly empty: string
}

export interface InboxView extends ScreenView {
  readonly tabs: readonly Tab[]
  readonly ignored: readonly string[]
  readonly groups: readonly {
    readonly key: string
    /** "Late"; where nothing has to be done soon, what they are: "Loans". */
    readonly title: string
    readonly rows: readonly {
      readonly id: string
      /** With its reference, for the names of buttons. */
      readonly title: string
      readonly face: FaceView
      readonly marks: readonly MarkOf[]
      readonly state: StateView
      readonly steps: readonly StepLinkView[]
      /** The inbox with this beside it. */
      readonly show: string
      readonly isShown: boolean
    }[]
  }[]
  /** Of what only the first are shown. */
  readonly more: readonly string[]
  readonly empty: string
  /** What is to be decided first, or was chosen; null: nothing can be shown here. */
  readonly beside: Beside | null
}

export interface Beside {
  readonly title: string
  readonly face: FaceView
  readonly state: StateView
  readonly marks: readonly MarkOf[]
  /** What one must know. */
  readonly facts: readonly FactView[]
  /** They lead on to the next one. */
  readonly actions: readonly ActionView[]
  /** "2 of 7". */
  readonly place: string
  readonly previous: string | null
  readonly next: string | null
  /** "Then: Trade fair stand, Milan"; null: it is the last one. */
  readonly following: string | null
  /** It was asked for: on a narrow screen it stands above the others. */
  readonly isAsked: boolean
}
