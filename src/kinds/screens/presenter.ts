/**
 * What the page of a screen kind may ask of the application around it: words, addresses, formats, what this person may do, and rows.
 * `web/presenter.ts` answers; of everything above, a kind knows this alone. View half: it names types of `ui`.
 */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { App } from '../../headings/app.ts'
import type { Reader } from '../../ui/reader.tsx'
import type { Address, ReadRow, RowsData, RowsNeed, Verdict } from './screen-kind.ts'
import type { LinkView, Mark, MarkOf, ScreenView, StateView, ValueView } from './view-model.ts'

export interface Presenter {
  readonly app: App
  /** Language, zone, words of the chrome, formats. */
  readonly reader: Reader
  /** Of this page, without its query. */
  readonly path: string
  readonly address: Address

  /** Rows as this person may see them. Null: there is nothing to see. */
  readonly read: (need: RowsNeed) => Promise<RowsData | null>

  readonly title: (entity: string, row: ReadRow) => string
  /** Fields without which a row can neither be named nor linked to. */
  readonly namingFields: (entity: string) => readonly string[]
  /** Null: they may not open it. */
  readonly href: (entity: string, row: ReadRow) => string | null
  readonly marks: (entity: string, row: ReadRow) => readonly MarkOf[]
  readonly state: (entity: string, state: string) => StateView
  readonly value: (entity: string, row: ReadRow, field: string) => ValueView
  /** "New loan"; null: they may create none. */
  readonly create: (entity: string, verdict: Verdict) => LinkView | null

  /** The line of the document that decides this screen. */
  readonly mark: (screen: Screen) => Mark
  readonly assumed: (entity: string) => ScreenView['assumed']
  /** What of the address was not understood, as notes over the page. */
  readonly notUnderstood: (parts: readonly string[]) => readonly string[]
}
