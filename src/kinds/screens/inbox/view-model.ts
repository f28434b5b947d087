/** What an inbox is given: records with what may be done with each. */
import type { FaceView, MarkOf, ScreenView, StateView, StepLinkView } from '../view-model.ts'

export interface InboxView extends ScreenView {
  readonly ignored: readonly string[]
  readonly groups: readonly {
    readonly key: string
    /** "Loans". */
    readonly title: string
    readonly rows: readonly {
      readonly id: string
      /** With its reference, for the names of buttons. */
      readonly title: string
      readonly face: FaceView
      readonly marks: readonly MarkOf[]
      readonly state: StateView
      readonly steps: readonly StepLinkView[]
    }[]
    readonly more: string | null
  }[]
  readonly empty: string
}
