/** What an inbox is given: records with what may be done with each. */
import type { MarkOf, ScreenView, StateView, ValueView } from '../view-model.ts'

export interface InboxView extends ScreenView {
  readonly kind: 'inbox'
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
      readonly facts: readonly { readonly key: string; readonly label: string; readonly value: ValueView }[]
      /** What asks and takes the step is a page of its own. */
      readonly steps: readonly {
        readonly key: string
        readonly label: string
        readonly href: string
        readonly danger: boolean
      }[]
    }[]
    readonly more: string | null
  }[]
  readonly empty: string
}
