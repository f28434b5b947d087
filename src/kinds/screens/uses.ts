/** What checks, indexes, `diff`, blocks and the pages of records ask of screens, whatever kind they are of. */
import type { Expression } from '../../expression/expression.ts'
import type {
  Buttons,
  Card,
  Column,
  Grouping,
  Measure,
  Print,
  Screen,
  ScreenText,
  Section,
  SortKey,
  View,
} from '../../headings/2-screens/model.ts'
import type { NamedRoles } from '../../headings/6-permissions/model.ts'
import type { BlockLink } from '../../headings/code/model.ts'
import type { Specified } from '../../headings/specified.ts'
import { kindOf } from './index.ts'

export interface Uses {
  /** Rows it shows, besides what permissions allow. */
  readonly where: Expression | null
  readonly sort: readonly SortKey[]
  readonly views: readonly View[]
  /** Roles that share views of it with any other; null: nobody but who appoints to these. */
  readonly sharedBy: NamedRoles | null
  /** Fields of its entity that stand on it. */
  readonly shown: readonly Column[]
  /** Fields that it asks for. */
  readonly asked: readonly Column[]
  /** What either is divided into. */
  readonly sections: readonly Section[]
  /** What its readers look for records by: `state`, `borrower.name`. */
  readonly filters: readonly string[]
  /** Steps that it offers. Null: all that the entity has. */
  readonly buttons: Buttons | null
  readonly cards: readonly Card[]
  /** What it measures of all records, and groups them by, outside of cards. */
  readonly measures: readonly Specified<Measure>[]
  readonly groups: readonly Grouping[]
  readonly blocks: readonly BlockLink[]
  readonly text: ScreenText | null
  /** What stands on paper around the fields. */
  readonly paper: Print | null
}

const nothing: Uses = {
  where: null,
  sort: [],
  views: [],
  sharedBy: null,
  shown: [],
  asked: [],
  sections: [],
  filters: [],
  buttons: null,
  cards: [],
  measures: [],
  groups: [],
  blocks: [],
  text: null,
  paper: null,
}

/** No two members of a kind answer the same. */
export const usesOf = (screen: Screen): Uses =>
  Object.assign(
    {},
    nothing,
    ...Object.entries(kindOf(screen)?.members ?? {}).map(([name, { uses }]) => uses?.(screen.part[name])),
  )
