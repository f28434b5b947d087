/** The tables that a document needs, as data: what `schemaOf` makes of the model and the planner compares with the database. */
import type { Cell } from '../document/source.ts'
import type { Without } from '../expression/letters.ts'

export interface Physical {
  /** By name, in the document's order. */
  readonly tables: ReadonlyMap<string, Table>
}

export interface Table {
  readonly name: string
  /** The entity as people call it; stands in the table's comment, which marks the table as ours. */
  readonly title: string
  /** Columns by which people know a record: its number or name. */
  readonly called: readonly string[]
  readonly was: string | null
  /** The table of another application that the records lie in, where the database has it. */
  readonly beside: { readonly table: string; readonly cell: Cell } | null
  readonly cell: Cell
  readonly columns: readonly Column[]
  /** Columns beside these that the database works out by itself, whenever a record or one of its rows changes. */
  readonly kept: readonly KeptColumn[]
  readonly constraints: readonly Constraint[]
  readonly indexes: readonly Index[]
}

/** What is computed from a record and its rows, kept beside its fields. */
export interface KeptColumn {
  readonly name: string
  readonly type: string
  /** Of a record without rows; null: empty, or worked out when it comes (`beginsComputed`). */
  readonly default: string | null
  readonly beginsComputed: boolean
  /** Over the row `t`. */
  readonly value: string
  /** Columns of the record that it reads. */
  readonly own: readonly string[]
  /** Tables of rows that it reads, by the column in which they name the record. */
  readonly rows: readonly { readonly table: string; readonly parent: string; readonly columns: readonly string[] }[]
  /** As written: `sum(lines.net)`. */
  readonly shown: string
  /** Nobody changes records of this table, or takes them away. */
  readonly appendOnly: boolean
  readonly cell: Cell
}

export interface Column {
  readonly name: string
  readonly was: string | null
  /** As PostgreSQL's `format_type` writes it: `timestamp(3) with time zone`. */
  readonly type: string
  /** The type in the document's words; of columns that no field has, as above. */
  readonly typeText: string
  readonly notNull: boolean
  /** Kept in the table; as `pg_get_expr` writes it. */
  readonly default: string | null
  /** What records get that have no value when the column comes, or becomes required; `shown` in the document's words. */
  readonly fill: { readonly sql: string; readonly shown: string } | null
  /** States that were renamed. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  readonly cell: Cell
}

/** Of the column that says since when a record is archived. */
export const archivedType = 'timestamp(3) with time zone'

/** What comes with PostgreSQL but has to be asked for. */
interface Extension {
  readonly name: 'btree_gist' | 'pg_trgm'
  /** What the first thing that needs it is there for. */
  readonly serves: string
  readonly cell: Cell
  /** Nothing is lost without it but time. */
  readonly optional: boolean
}

/** The PostgreSQL extensions that these tables need. */
export function extensionsOf({ tables }: Physical): readonly Extension[] {
  const all = [...tables.values()]
  const held = all.flatMap(({ constraints }) => constraints).find(({ kind }) => kind === 'exclude')?.holds
  const searched = all.flatMap(({ indexes }) => indexes).find(({ folded }) => folded)
  return [
    ...(held === undefined
      ? []
      : [
          {
            name: 'btree_gist' as const,
            serves: `rules such as \`${held.cell.text}\``,
            cell: held.cell,
            optional: false,
          },
        ]),
    ...(searched === undefined
      ? []
      : [{ name: 'pg_trgm' as const, serves: searched.serves, cell: searched.cell, optional: true }]),
  ]
}

/** What a constraint or unique index holds, for people: a violation is told in these terms. */
export interface Holds {
  readonly rule:
    | 'key'
    | 'parent'
    | 'reference'
    | 'unique'
    | 'type'
    | 'min'
    | 'max'
    | 'pattern'
    | 'required when'
    | 'only when'
    | 'no overlap'
    | 'state'
    | 'rule'
    | 'append only'
    | 'circle'
  readonly entity: string
  readonly field: string | null
  /** `V-1`, where a row of heading 5 is held. */
  readonly name: string | null
  readonly cell: Cell
}

export type Constraint = { readonly name: string; readonly holds: Holds } & (
  | { readonly kind: 'primary'; readonly columns: readonly string[] }
  | { readonly kind: 'unique'; readonly columns: readonly string[]; readonly deferrable: boolean }
  | {
      readonly kind: 'foreign'
      readonly column: string
      readonly table: string
      /** The key of the other table. */
      readonly key: string
      readonly onDelete: 'cascade' | 'restrict'
    }
  /** `expression` names the columns of its own table only, quoted. */
  | { readonly kind: 'check'; readonly expression: string }
  /** No two rows of which `where` holds are alike in `within` and overlap in `stretch`, a range. Both name the table's own columns. */
  | {
      readonly kind: 'exclude'
      readonly within: readonly string[]
      readonly stretch: string
      readonly where: string
    }
  /** No row is changed or taken away: a trigger. */
  | { readonly kind: 'append only' }
  /** No row is above itself, by the column that names the row above: a trigger. */
  | { readonly kind: 'tree'; readonly column: string }
)

export interface Index {
  readonly name: string
  readonly columns: readonly IndexColumn[]
  /** Finds parts of texts, in what `ninefold.fold` makes of them; needs `pg_trgm`. */
  readonly folded: boolean
  readonly unique: boolean
  /** Of a unique one: two empty values are the same. */
  readonly nullsAlike?: boolean
  /** Condition of a partial index. */
  readonly where: string | null
  /** What it is for: `references to Item`, `the list My loans`. */
  readonly serves: string
  /** Unique indexes only. */
  readonly holds: Holds | null
  readonly cell: Cell
}

export interface IndexColumn {
  readonly name: string
  /** In its place stands what texts are compared by that may differ in this. */
  readonly without?: Without | null
  /** Sorted as people sort, by the one declared collation. */
  readonly forPeople: boolean
  /** Only where going through the index from its end does not give the order; else one direction serves both ways. */
  readonly descending: boolean
  /** Of a descending one: where its empty values come last, which PostgreSQL puts first. */
  readonly emptiesLast?: boolean
}
