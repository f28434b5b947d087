/** What is given to what stands over records that people look through: the search, the filters, the form that puts them together. */
import type { FieldView, Hidden, LinkView, Option } from './view-model.ts'

/** What stands over a list or a board: the search, the filters, those in force. */
export interface FilterBarView {
  /** `GET` form of filters: `action` is the screen's address. */
  readonly action: string
  readonly search: { readonly name: string; readonly value: string; readonly label: string } | null
  /** At most a handful; names are query parameters. */
  readonly filters: readonly FieldView[]
  /** Filters with more records to choose from than a list takes: to the form in which one looks for them. */
  readonly choosers: readonly LinkView[]
  /** Query parameters that a filter form has to keep (the sort order). */
  readonly keep: readonly Hidden[]
  /** The form in which filters are put together; open on request. */
  readonly builder: FilterBuilderView
  /** Filters in force, in words; `href` is the list without that one. */
  readonly chips: readonly { readonly label: string; readonly value: string; readonly href: string }[]
  /** The list without any filter; null where none is in force. */
  readonly clear: string | null
}

/** `open`: the address of the list with the form, and `close` without it. Its parts are null where it is closed. */
export interface FilterBuilderView {
  readonly open: string
  readonly close: string
  readonly form: {
    readonly action: string
    readonly hidden: readonly Hidden[]
    readonly rows: readonly {
      /** Number of the row: `_f3`, `_c3`, `_v3`, `_g3`. */
      readonly at: number
      readonly label: string
      readonly field: string
      /** Of days, those that move with the calendar among them: `within.this-week`, which needs no value. */
      readonly comparison: string
      readonly comparisons: readonly Option[]
      /** Null: a text is typed. */
      readonly options: readonly Option[] | null
      /** Of the options more than one may be chosen. */
      readonly several: boolean
      /** What was looked for among more options than stand there, how many were found and what was left out. Null: all are there. */
      readonly search: { readonly query: string; readonly found: number | null; readonly note: string } | null
      readonly values: readonly string[]
      /** Its value is a day. */
      readonly date: boolean
      readonly group: string
    }[]
    readonly groups: readonly Option[]
    /** Fields to add one of, the record's own first, then those of what it names. */
    readonly fields: readonly Option[]
  } | null
}

/** Records that filters name: what is read beside the rows. */
export interface FilterRecords {
  /** By id; those whose names their reader may not see are not among them. */
  readonly names: ReadonlyMap<string, string>
  /** By the path of the filter, `borrower.department`: the first of all that its reader may name, or of those that were looked for. */
  readonly offered: ReadonlyMap<string, OfferedRecords>
}

export interface OfferedRecords {
  readonly options: readonly Option[]
  readonly more: boolean
}
