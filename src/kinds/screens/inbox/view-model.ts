/** What an inbox is given: records with what may be done with each. */
import type { FactView, MarkOf, ScreenView, StateView, StepLinkView } from '../view-model.ts'

export interface InboxView extends ScreenView {
  readonly ignored: readonly string[]
  readonly groups: readonly {
    readonly key: string
    /** "Loans". */
    readonly title: string
    readonly rows: readonly {
      readonly id: string
      readonly title: string
      readonly href: string | null
      readonly marks: readonly MarkOf[]
      readonly state: StateView
      readonly facts: readonly FactView[]
      readonly steps: readonly StepLinkView[]
    }[]
    readonly more: string | null
  }[]
  readonly empty: string
}
