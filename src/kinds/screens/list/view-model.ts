/** What a list is given: a table of records, its views, and what was begun or held back. */
import type { SaverView, TableTabs, TableView } from '../table-view.ts'
import type { LinkView, ScreenView } from '../view-model.ts'

export interface ListView extends ScreenView, TableView {
  /** Tabs over the list; empty: there is only the list itself. */
  readonly views: TableTabs
  /** The form in which views are saved; open on request. Null: for visitors. */
  readonly saver: SaverView | null
  /** Drafts of new records that this person has begun. */
  readonly drafts: readonly LinkView[]
  /** Forms for everyone that were held back; null: none, or not for this person. */
  readonly held: LinkView | null
}
