/** What a print is given: texts with their values, fields and rows in the order of the document. */
import type { ChildTableView, ScreenView, ValueView } from '../view-model.ts'

export interface PrintView extends ScreenView {
  readonly parts: readonly {
    readonly key: string
    /** Null: it stands below the title of the whole. */
    readonly title: string | null
    readonly text: string | null
    readonly pieces: readonly PieceView[]
  }[]
  /** At the foot of each page; empty: the page's number alone. */
  readonly footer: string
}

/** Fields that follow each other, or the rows of one list. */
export type PieceView =
  | { readonly kind: 'facts'; readonly facts: readonly LabelledValue[] }
  | { readonly kind: 'rows'; readonly rows: ChildTableView }

export interface LabelledValue {
  readonly label: string
  readonly value: ValueView
}
