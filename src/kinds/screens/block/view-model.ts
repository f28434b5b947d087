/** What a screen of the document's own is given. */
import type { BlockView } from '../record-view.ts'
import type { ScreenView } from '../view-model.ts'

export interface BlockScreenView extends ScreenView {
  readonly block: BlockView
  readonly next: string | null
  readonly previous: string | null
}
