/** What an inbox is given: records by the step that they wait for. */
import type { Mark, ScreenView, StateView } from '../view-model.ts'

export interface InboxView extends ScreenView {
  readonly kind: 'inbox'
  readonly ignored: readonly string[]
  readonly groups: readonly {
    readonly key: string
    /** "Approve loans". */
    readonly title: string
    /** "Approve". */
    readonly step: string
    readonly mark: Mark | null
    readonly rows: readonly {
      readonly id: string
      readonly title: string
      readonly href: string | null
      readonly state: StateView
      /** The page that asks and takes the step. */
      readonly take: string
    }[]
    readonly more: string | null
  }[]
  readonly empty: string
}
