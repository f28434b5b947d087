/** What a page of text is given. */
import type { ScreenView } from '../view-model.ts'

export interface TextView extends ScreenView {
  readonly kind: 'text'
  readonly markdown: string
}
