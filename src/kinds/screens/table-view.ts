/** A table of records: its rows, what stands around them, the forms that put it together. */
import type { FilterBarView } from './filter-view.ts'
import type { ActionView, Hidden, LinkView, MarkOf, Option, ScreenView, ValueView } from './view-model.ts'

/**
 * What stands around the rows of a table: its address decides it, whatever page of it is shown, and what its reader may do. The same
 * one each time.
 */
export interface TableFrame {
  readonly title: string
  readonly meaning: string | null
  readonly assumed: ScreenView['assumed']
  readonly bar: FilterBarView
  /** The form in which columns are chosen; open on request. */
  readonly chooser: ColumnChooserView
  /** What was not looked for as it stands in the address, or not understood, in words. */
  readonly ignored: readonly string[]
  readonly columns: readonly {
    readonly field: string
    readonly label: string
    readonly numeric: boolean
    /** Of money: the first of these stays longest. */
    readonly amount: boolean
    /** Says by itself what it is: the only one that names records of this kind. */
    readonly bare: boolean
    /** Its cells may be changed where they stand, on some records; a script asks about each. */
    readonly edited: boolean
    /** Null: cannot be sorted by. `href` turns the order around where it is sorted by already. */
    readonly sort: { readonly href: string; readonly direction: 'ascending' | 'descending' | null } | null
  }[]
  /** By what its reader may group the rows. Null: by nothing. */
  readonly grouping: {
    readonly label: string
    readonly choices: readonly (LinkView & { readonly current: boolean })[]
  } | null
  /** By what it is sorted, in words, for the table's caption; empty: by nothing that its reader sees. */
  readonly order: string
  /** The same list with all records counted. */
  readonly countAll: string
  /** Its first page. */
  readonly first: string
  readonly create: LinkView | null
  /** Where a file of such records is brought in; null for who may not. */
  readonly import: LinkView | null
  /** To a record that is not in the list, in an emergency. */
  readonly emergency: LinkView | null
  /** What is shown, as files; empty where this person may take nothing out. */
  readonly exports: readonly LinkView[]
}

export interface TableView {
  readonly frame: TableFrame
  /** "146 loans", "1,000+ loans"; null: not counted. */
  readonly count: string | null
  /** There are more than were counted. */
  readonly more: boolean
  /** Of them the page has these: "1–25 of 146"; on other pages than the first as `count`. */
  readonly range: string | null
  /** For the table's caption: "Loans, 146 in all, sorted by due back". */
  readonly caption: string
  readonly rows: readonly {
    readonly id: string
    /** Name of the record, for labels of controls: "LN-2026-00001". */
    readonly title: string
    /** Null where this person has no screen that shows one. The link stands on the first cell. */
    readonly href: string | null
    /** What its face says besides, below the title; empty: nothing. */
    readonly under: string
    /** One per column. */
    readonly cells: readonly ValueView[]
    readonly marks: readonly MarkOf[]
    /** Where its place in an order by hand is changed; null: it has none here, or not for this person. */
    readonly places: string | null
    /** Steps that can be taken on the row now. */
    readonly actions: readonly Pick<ActionView, 'key' | 'label' | 'danger' | 'primary' | 'action' | 'confirm'>[]
    /** What else can be done with it now, on pages of their own: change it, delete it. */
    readonly more: readonly {
      readonly kind: 'edit' | 'copy' | 'delete' | 'archive'
      readonly label: string
      readonly href: string
    }[]
  }[]
  /** Before which of the rows each group begins; empty: there are none. */
  readonly groups: readonly GroupView[]
  /** Sums over all that is counted, one per column; null: there is nothing to add up. */
  readonly totals: readonly (string | null)[] | null
  /** Steps for several rows at once, and for all that the filters let through; empty: no rows can be chosen. */
  readonly bulk: readonly BulkLink[]
  /** What forms of the list carry: the address to come back to. */
  readonly here: Hidden
  /** And the token, which is another one on each page. */
  readonly token: Hidden
  readonly next: string | null
  readonly previous: string | null
  /** It is not the first page. */
  readonly further: boolean
  /** Set where there are no rows. `filtered`: rows might be there without the filters. */
  readonly empty: { readonly title: string; readonly text: string; readonly filtered: boolean } | null
}

export type TableTabs = readonly (LinkView & { readonly current: boolean })[]

export interface GroupView {
  /** The place of its first row, or, where it is folded, of what comes after it. */
  readonly at: number
  readonly id: string
  readonly label: string
  /** Empty: not counted. */
  readonly count: string
  /** Shows its rows or leaves them out; empty: they cannot be folded. */
  readonly fold: string
  readonly isFolded: boolean
  /** One per column. */
  readonly sums: readonly (string | null)[]
}

export interface BulkLink {
  readonly label: string
  readonly action: string
  readonly danger: boolean
}

/** `open`: the address of the list with the form, and `close` without it. Its parts are null where it is closed. */
export interface SaverView {
  readonly open: string
  readonly close: string
  readonly form: {
    readonly action: string
    /** Beside the token of the list. */
    readonly hidden: readonly Hidden[]
    /** Name of what is open, where it is a view of one's own. */
    readonly name: string
    /** Roles that it may be shared with; empty: none. */
    readonly roles: readonly Option[]
    readonly saved: readonly {
      readonly id: string
      readonly name: string
      readonly role: string
      readonly own: boolean
    }[]
    /** What the list may open with; `first` is chosen. */
    readonly tabs: readonly Option[]
    readonly first: string
  } | null
}

export interface ColumnChooserView {
  readonly open: string
  readonly close: string
  readonly form: {
    readonly action: string
    readonly hidden: readonly Hidden[]
    /** Those that are shown first, in their order. */
    readonly columns: readonly (Option & { readonly chosen: boolean })[]
    /** What was just pressed, `price.before`; null: nothing was. */
    readonly moved: string | null
  } | null
}
