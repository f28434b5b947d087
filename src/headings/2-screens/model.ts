/** Heading 2: screens and routes. */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Said } from '../said.ts'

export interface Screen {
  /** From its name: `my_loans`. Unique. */
  readonly key: string
  readonly name: Cell
  readonly route: Said<Route>
  readonly for: Said<Audience>
  readonly shows: Said<Shows>
  /** Rows it shows, besides what permissions allow. */
  readonly where: Expression | null
  /** Field keys: columns of a list, lines of a card. Empty: chosen by the screen kind, in the document's order. */
  readonly columns: readonly { readonly field: string; readonly cell: Cell }[]
  readonly sort: readonly { readonly field: string; readonly descending: boolean; readonly cell: Cell }[]
  /** Steps offered here. Null: all steps that the entity has. */
  readonly buttons: readonly { readonly step: string; readonly cell: Cell }[] | null
  readonly emptyText: Cell | null
  readonly meaning: Cell | null
}

/** `/loans/{number}`: fixed segments and segments that name a field of the shown entity. */
export interface Route {
  readonly cell: Cell
  readonly pattern: string
  readonly segments: readonly ({ readonly text: string } | { readonly field: string })[]
}

export type Audience = { readonly cell: Cell } & (
  | { readonly kind: 'everyone' }
  | { readonly kind: 'everyone signed in' }
  | { readonly kind: 'roles'; readonly roles: readonly string[] }
)

export interface Shows {
  readonly cell: Cell
  /** A screen kind's name, from the registry `kinds/screens`. */
  readonly kind: string
  /** Entity key; null for kinds that show none. */
  readonly entity: string | null
  /** `board of Loan by state`: the field it is grouped by. */
  readonly by: string | null
  /** `calendar of Loan by out_on to due_back`: the field in which it ends. Null: it is one day. */
  readonly to: string | null
}
