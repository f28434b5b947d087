/**
 * What the view of a screen kind is given: plain, serialisable values, already permitted, formatted and translated.
 * `web/screens/*.ts` builds them from the data that `run` read; `kinds/screens/<kind>/view.tsx` turns them into a page.
 * A view never decides: what it may not show is not in here, an address to link to is in here, a closed button says why.
 *
 * Belongs to the view half of kinds: only views and `web` import it.
 */

import type { LiveForm } from '../../run/live.ts'
import type { Hidden } from '../../ui/buttons.tsx'
import type { DiagramLayout } from '../../ui/layout.ts'
import type { Line } from '../../ui/reader.tsx'
import type { Ring } from '../../ui/states.ts'

/** The line of the document that decides; `LineMark` shows it. */
export type Mark = Line

/** A state as ring, word and colour: all three are always shown together. */
export interface StateView {
  readonly name: string
  /** The name in the reader's language. */
  readonly label: string
  readonly ring: Ring
}

/** A value as shown. `text` is formatted for the reader's language and zone; empty text is an empty value (shown as a dash). */
export interface ValueView {
  readonly text: string
  /** How it is set: `number` right-aligned with tabular figures, `long` as paragraphs with kept line breaks, `code` in mono. */
  readonly look: 'text' | 'long' | 'number' | 'date' | 'yes/no' | 'state' | 'code' | 'file' | 'image'
  /** Address of the record that a reference names, where this person may open it; of a file, of its content. */
  readonly href: string | null
  /** Machine form for `<time datetime>`. */
  readonly datetime: string | null
  readonly state: StateView | null
}

export type { Hidden } from '../../ui/buttons.tsx'

export interface LinkView {
  readonly label: string
  readonly href: string
}

/**
 * A button: a step, or Delete. Open: a form `method=post action={action}` with `hidden` and one submit button;
 * where `confirm` is set, a link to that page instead (it asks, names the object and posts). Closed: not a button but a line of text
 * with `why`. It is complete without scripts.
 */
export interface ActionView {
  /** Step key, or `delete`. */
  readonly key: string
  /** "Hand out". */
  readonly label: string
  readonly open: boolean
  /** "Leads to Out." when open; "Not now: only from Approved." when closed. */
  readonly why: string
  /** Final or destructive: never the primary button. */
  readonly danger: boolean
  /** The first thing that this person would do here: at most one action of a page is primary. */
  readonly primary: boolean
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly confirm: string | null
  /** It asks for fields, which stand on the page `confirm`. */
  readonly asks: boolean
  /** The state that the step leads to. */
  readonly to: StateView | null
  readonly mark: Mark | null
}

/** An option of a select, a radio group or a picker. */
export interface Option {
  readonly value: string
  readonly label: string
}

/** Which control a field has. Views choose the element; names and values are those that `decodeForm` reads back. */
export type ControlView =
  | {
      readonly kind: 'input'
      readonly type: 'text' | 'email' | 'url' | 'tel' | 'date' | 'time' | 'datetime-local' | 'search'
      readonly inputMode: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url' | null
      /** Code points. The server decides; the attribute counts UTF-16 units, so it is only a help. */
      readonly maxLength: number | null
      readonly min: string | null
      readonly max: string | null
      /** Currency or unit shown beside the control: "EUR". */
      readonly affix: string | null
      readonly autoComplete: string
      /** Width by expected content. */
      readonly size: 'short' | 'medium' | 'full'
    }
  | { readonly kind: 'textarea'; readonly rows: number; readonly maxLength: number | null }
  /** `empty` is the label of the empty option; null: there is none. */
  | { readonly kind: 'select'; readonly options: readonly Option[]; readonly empty: string | null }
  | { readonly kind: 'radio'; readonly options: readonly Option[] }
  /** A single box: checked where the field's value is `yes`. A hidden input of the same name with `no` must stand before it. */
  | { readonly kind: 'checkbox' }
  /**
   * A reference with too many records for a select. Without scripts: the chosen title as text, a hidden input `name` with the id,
   * a search input named `_q.{name}` and a submit button `_pick` with value `{name}` (`formnovalidate`): the same form comes
   * back with `results` to choose from (radio buttons of that `name`). With scripts the island asks `source`.
   */
  | {
      readonly kind: 'pick'
      readonly chosen: string | null
      readonly query: string
      readonly results: readonly Option[] | null
      /** Results were cut: ask for more letters. */
      readonly more: boolean
      /** `/-/options?entity=item&field=loan_line.item`; the island appends `&q=`. Answers `{ options: Option[], more: boolean }`. */
      readonly source: string
    }
  /**
   * Several records: a box for each, all of the same `name`, behind a hidden empty input of that name. Where there are too many for boxes,
   * those that are chosen, and a search as for `pick` that brings more of them.
   */
  | {
      readonly kind: 'several'
      readonly options: readonly Option[]
      readonly search: { readonly query: string; readonly found: number | null; readonly more: boolean } | null
    }
  /**
   * A file. What is there travels in a hidden input `name` with `value`; a file that is chosen stands after it and so counts, and so
   * does an empty text, which takes it away.
   */
  | {
      readonly kind: 'file'
      /** Media types, for the browser's dialogue; null: any. */
      readonly accept: string | null
      /** The file that is there; null: none. */
      readonly held: {
        readonly name: string
        readonly size: string
        readonly href: string | null
        readonly image: boolean
      } | null
      /** It may be taken away. */
      readonly removable: boolean
    }
  /** Shown, not entered. */
  | { readonly kind: 'shown'; readonly value: ValueView }

export interface ErrorView {
  /** "The return date must be after the day you take the items." */
  readonly message: string
  readonly whatToDo: string | null
  /** `E-DUE-1`. */
  readonly code: string
  /** `#due_back`; null: it concerns the record as a whole. */
  readonly href: string | null
  readonly mark: Mark | null
}

export interface FieldView {
  /** Field key. */
  readonly key: string
  /** Name of the control: `due_back`, `lines.0.item`. */
  readonly name: string
  /** `id` of the control; the hint is `{id}-h`, the errors are `{id}-e`. */
  readonly id: string
  readonly label: string
  readonly hint: string | null
  /** False: "(optional)" stands after the label. */
  readonly required: boolean
  /** What the control holds: the text typed last, also when it was refused. `yes`/`no` for yes/no. */
  readonly value: string
  readonly errors: readonly ErrorView[]
  readonly control: ControlView
  readonly mark: Mark | null
}

/** Child rows in a form: one small table, each row with a remove button, and an add button below; both are submit buttons. */
export interface RowsView {
  readonly key: string
  readonly id: string
  readonly label: string
  readonly hint: string | null
  readonly errors: readonly ErrorView[]
  /** Labels of the columns, in the order of each row's `fields`. */
  readonly columns: readonly { readonly label: string; readonly required: boolean }[]
  readonly rows: readonly {
    /** 0-based, as in the names of its controls. */
    readonly index: number
    /** `lines.0.id` where the row is stored already. */
    readonly hidden: readonly Hidden[]
    readonly fields: readonly FieldView[]
    readonly errors: readonly ErrorView[]
    /** Name and value of the `formnovalidate` button: `_remove`, `lines.0`. */
    readonly remove: Hidden
    readonly removeLabel: string
  }[]
  /** `_add`, `lines`; null where no more rows are allowed. */
  readonly add: Hidden | null
  readonly addLabel: string
  /** The fields of a row yet to be added: `#` in their names and ids stands for its number. */
  readonly blank: readonly FieldView[]
  /** So many rows are allowed; null: as many as one likes. */
  readonly most: number | null
  readonly mark: Mark | null
}

export type PartView =
  | { readonly kind: 'field'; readonly field: FieldView }
  | { readonly kind: 'rows'; readonly rows: RowsView }

/**
 * Somebody else changed the record meanwhile; what `Conflict` takes. It is a form of its own: `hidden` carries everything that was
 * typed, each difference is a choice between radio buttons named `name` with the values `yours` and `theirs`.
 */
export interface ConflictView {
  /** Null: the application itself, or somebody whose name is not known. */
  readonly who: string | null
  /** "2 hours ago", "at 14:02": in the middle of a sentence. */
  readonly when: string
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly differences: readonly {
    /** `_take.due_back`. */
    readonly name: string
    readonly label: string
    readonly yours: ValueView
    readonly theirs: ValueView
    readonly choice: 'yours' | 'theirs'
  }[]
  /** The record as it is now. */
  readonly discard: string
}

/** Where the reader is; the last one is the page itself and no link. */
export type Crumbs = readonly { readonly label: string; readonly href: string | null }[]

/** What stands on every screen. */
export interface ScreenView {
  readonly title: string
  /** For `<title>`, without the application's name; "Error: " is put before it by the page where there are errors. */
  readonly pageTitle: string
  readonly crumbs: Crumbs
  readonly mark: Mark | null
  /** What the document leaves open here and is served under an assumption. */
  readonly assumed: readonly { readonly name: string; readonly text: string; readonly mark: Mark }[]
}

export interface FormView extends ScreenView {
  readonly kind: 'form'
  /** POST goes here. `novalidate` is set: the server answers in the document's words. */
  readonly action: string
  readonly hidden: readonly Hidden[]
  /** All errors in the order of the form, for the summary "There is a problem". */
  readonly errors: readonly ErrorView[]
  readonly conflict: ConflictView | null
  /** A box that people do not see and programs fill in: its name and what it says to those who hear it. */
  readonly trap: { readonly name: string; readonly label: string } | null
  /** A word above the form that is no error: "You were signed out; what you typed is still here." */
  readonly note: string | null
  readonly parts: readonly PartView[]
  /** "Save", "Create loan". */
  readonly submit: string
  readonly cancel: string
  /** Rules of the document that apply to this form, in its words. */
  readonly rules: readonly { readonly name: string; readonly message: string; readonly mark: Mark | null }[]
  /** What the form in the browser checks and computes with. Null: it stays as the server made it. */
  readonly live: LiveForm | null
}

export interface ListView extends ScreenView {
  readonly kind: 'list'
  /** `GET` form of filters: `action` is the screen's address. */
  readonly action: string
  /** Tabs over the list; empty: there is only the list itself. */
  readonly views: readonly (LinkView & { readonly current: boolean })[]
  readonly search: { readonly name: string; readonly value: string; readonly label: string } | null
  /** At most a handful; names are query parameters. */
  readonly filters: readonly FieldView[]
  /** Query parameters that a filter form has to keep (the sort order). */
  readonly keep: readonly Hidden[]
  /** The form in which filters are put together; open on request. */
  readonly builder: FilterBuilderView
  /** The form in which columns are chosen; open on request. */
  readonly chooser: ColumnChooserView
  /** The form in which views are saved; open on request. Null: for visitors. */
  readonly saver: SaverView | null
  /** Counts all of them; null: they are counted. */
  readonly exact: string | null
  /** Filters in force, in words; `href` is the list without that one. */
  readonly chips: readonly { readonly label: string; readonly value: string; readonly href: string }[]
  /** The list without any filter; null where none is in force. */
  readonly clear: string | null
  /** Parts of the address that were not understood, in words. */
  readonly ignored: readonly string[]
  /** "146 loans", "1,000+ loans"; null: not counted. */
  readonly count: string | null
  /** For the table's caption: "Loans, 146 in all, sorted by due back". */
  readonly caption: string
  readonly columns: readonly {
    readonly field: string
    readonly label: string
    readonly numeric: boolean
    /** The columns that stay when there is little room have 1; higher ones give way first. */
    readonly priority: 1 | 2 | 3
    /** Null: cannot be sorted by. `href` turns the order around where it is sorted by already. */
    readonly sort: { readonly href: string; readonly direction: 'ascending' | 'descending' | null } | null
  }[]
  readonly rows: readonly {
    readonly id: string
    /** Name of the record, for labels of controls: "LN-2026-00001". */
    readonly title: string
    /** Null where this person has no screen that shows one. The link stands on the first cell. */
    readonly href: string | null
    /** One per column. */
    readonly cells: readonly ValueView[]
    /** Steps that can be taken on the row now. */
    readonly actions: readonly ActionView[]
    /** What else can be done with it now, on pages of their own: change it, delete it. */
    readonly more: readonly { readonly kind: 'edit' | 'delete'; readonly label: string; readonly href: string }[]
  }[]
  /** Sums over all that is counted, one per column; null: there is nothing to add up. */
  readonly totals: readonly (string | null)[] | null
  /** Steps for several rows at once, and for all that the filters let through; empty: no rows can be chosen. */
  readonly bulk: readonly { readonly label: string; readonly action: string; readonly danger: boolean }[]
  readonly bulkHidden: readonly Hidden[]
  readonly next: string | null
  readonly previous: string | null
  /** The first page, where this is not it. */
  readonly first: string | null
  readonly create: LinkView | null
  /** Where a file of such records is brought in; null for who may not. */
  readonly import: LinkView | null
  /** What is shown, as files; empty where this person may take nothing out. */
  readonly exports: readonly LinkView[]
  /** Set where there are no rows. `filtered`: rows might be there without the filters. */
  readonly empty: { readonly title: string; readonly text: string; readonly filtered: boolean } | null
}

/** `open`: the address of the list with the form, and `close` without it. Its parts are null where it is closed. */
export interface FilterBuilderView {
  readonly open: string
  readonly close: string
  readonly form: {
    readonly action: string
    readonly hidden: readonly Hidden[]
    readonly rows: readonly {
      /** Number of the row: `_f3`, `_c3`, `_v3`, `_r3`, `_g3`. */
      readonly at: number
      readonly label: string
      readonly field: string
      readonly comparison: string
      readonly comparisons: readonly Option[]
      /** Several may be chosen; null: a text is typed. */
      readonly options: readonly Option[] | null
      readonly values: readonly string[]
      /** Days that move with the calendar; null: it is no date. */
      readonly days: readonly Option[] | null
      readonly relative: string
      readonly group: string
    }[]
    readonly groups: readonly Option[]
    /** Fields to add one of, the record's own first, then those of what it names. */
    readonly fields: readonly Option[]
  } | null
}

export interface SaverView {
  readonly open: string
  readonly close: string
  readonly form: {
    readonly action: string
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
    readonly columns: readonly (Option & { readonly chosen: boolean })[]
  } | null
}

export interface BoardView extends ScreenView {
  readonly kind: 'board'
  readonly groups: readonly {
    readonly value: string
    readonly label: string
    readonly state: StateView | null
    /** "12", "100+". */
    readonly count: string
    readonly cards: readonly CardView[]
    /** "Showing the first 50"; null where all are shown. */
    readonly more: string | null
  }[]
  readonly create: LinkView | null
  readonly empty: { readonly title: string; readonly text: string } | null
}

export interface CardView {
  readonly id: string
  readonly title: string
  readonly href: string | null
  readonly lines: readonly { readonly label: string; readonly value: ValueView }[]
  /**
   * Offered steps. An open one with `to` is what a drag onto that group does: it submits the action's form.
   * Closed ones are given for the reason shown while dragging and in the menu.
   */
  readonly moves: readonly ActionView[]
}

export interface CalendarView extends ScreenView {
  readonly kind: 'calendar'
  /** "November 2026", "16 Nov to 22 Nov 2026", "Monday, 16 November 2026". */
  readonly period: string
  readonly view: 'month' | 'week' | 'day'
  readonly views: readonly { readonly label: string; readonly href: string; readonly current: boolean }[]
  readonly previous: string
  readonly next: string
  /** Null: today is on this page already. */
  readonly today: string | null
  /** Seven in a row, from Monday; one on the page of a day. */
  readonly days: readonly CalendarDay[]
  /** Names of the days above the columns, short and in full. */
  readonly weekdays: readonly { readonly short: string; readonly long: string }[]
  readonly ignored: readonly string[]
  /** "The first 400 are shown"; null where all are. */
  readonly more: string | null
  readonly create: LinkView | null
  readonly empty: { readonly title: string; readonly text: string } | null
}

export interface CalendarDay {
  readonly iso: string
  /** "16". */
  readonly number: string
  /** "Monday, 16 November 2026". */
  readonly label: string
  /** The page of this day. */
  readonly href: string
  readonly isToday: boolean
  /** Of the month before or after the one that is shown. */
  readonly isOutside: boolean
  readonly entries: readonly CalendarEntry[]
  /** "3 more", to the page of the day; null where all are shown. */
  readonly more: string | null
}

export interface CalendarEntry {
  readonly id: string
  /** "09:30"; null where there is none on this day. */
  readonly time: string | null
  readonly title: string
  readonly href: string | null
  readonly state: StateView | null
  readonly facts: readonly string[]
  /** It began before this day. */
  readonly continues: boolean
}

export interface DashboardView extends ScreenView {
  readonly kind: 'dashboard'
  readonly ignored: readonly string[]
  /** Numbers stand in a row of their own above everything else. */
  readonly numbers: readonly NumberCard[]
  readonly sheets: readonly (ChartCard | ListCard | OpenCard)[]
}

interface CardFace {
  readonly key: string
  readonly title: string
  readonly meaning: string | null
  readonly mark: Mark | null
}

export interface NumberCard extends CardFace {
  readonly kind: 'number'
  /** Empty: there is nothing to say. */
  readonly text: string
}

export interface ChartCard extends CardFace {
  readonly kind: 'chart'
  readonly chart: ChartView
}

export interface ListCard extends CardFace {
  readonly kind: 'list'
  readonly list: LinesView
  /** The list with all of them. */
  readonly all: LinkView | null
}

/** The document leaves open what it shows. */
export interface OpenCard extends CardFace {
  readonly kind: 'open'
}

/** Rows of records in a plain table; the first cell is the link. */
export interface LinesView {
  readonly columns: readonly { readonly field: string; readonly label: string; readonly numeric: boolean }[]
  readonly rows: readonly { readonly id: string; readonly href: string | null; readonly cells: readonly ValueView[] }[]
  readonly empty: string
}

/** A number for each group, as a drawing and as its numbers. */
export interface ChartView {
  readonly drawn: 'bars' | 'line'
  /** Along time: upright, with every period between the first and the last. */
  readonly overTime: boolean
  /** Heads of the table of numbers: what the groups and what the numbers are. */
  readonly by: string
  readonly measure: string
  /** `size` is only for drawing; null: there is no number. */
  readonly points: readonly {
    readonly label: string
    readonly short: string
    readonly text: string
    readonly size: number | null
  }[]
  /** How a mark on the scale is written. */
  readonly scale: (size: number) => string
  /** "The first 60 are shown"; null where all are. */
  readonly more: string | null
}

export interface ReportView extends ScreenView {
  readonly kind: 'report'
  /** `GET` form of what it asks; none where it asks nothing. */
  readonly action: string
  readonly fields: readonly FieldView[]
  readonly ignored: readonly string[]
  readonly caption: string
  readonly columns: readonly { readonly key: string; readonly label: string; readonly numeric: boolean }[]
  readonly rows: readonly {
    readonly id: string
    /** A group that others lie in. */
    readonly isSum: boolean
    /** The records behind it; null: there is no page for them. */
    readonly href: string | null
    readonly cells: readonly string[]
  }[]
  readonly total: readonly string[] | null
  readonly more: string | null
  readonly exports: readonly LinkView[]
  readonly empty: string | null
  /** The records of one group, where the address asks for them. */
  readonly behind: {
    readonly title: string
    readonly list: LinesView
    readonly next: string | null
    readonly close: string
  } | null
}

export interface InboxView extends ScreenView {
  readonly kind: 'inbox'
  readonly ignored: readonly string[]
  readonly groups: readonly {
    readonly key: string
    /** "Approve loans". */
    readonly title: string
    /** "Approve". */
    readonly step: string
    readonly mark: Mark | null
    readonly rows: readonly {
      readonly id: string
      readonly title: string
      readonly href: string | null
      readonly state: StateView
      /** The page that asks and takes the step. */
      readonly take: string
    }[]
    readonly more: string | null
  }[]
  readonly empty: string
}

export interface TextView extends ScreenView {
  readonly kind: 'text'
  readonly markdown: string
}

export interface OneView extends ScreenView {
  readonly kind: 'one'
  readonly state: StateView | null
  /** A few facts beside the title. */
  readonly summary: readonly { readonly label: string; readonly value: ValueView }[]
  /** What can be done now: open actions first, in the document's order. Closed but offered ones follow, with the reason. */
  readonly actions: readonly ActionView[]
  readonly edit: LinkView | null
  /** Why it cannot be edited, where the role could. */
  readonly editClosed: { readonly why: string; readonly mark: Mark | null } | null
  readonly remove: ActionView | null
  readonly diagram: DiagramView | null
  readonly facts: readonly {
    readonly label: string
    readonly value: ValueView
    readonly hint: string | null
    readonly mark: Mark | null
  }[]
  readonly children: readonly {
    readonly key: string
    readonly label: string
    readonly columns: readonly { readonly field: string; readonly label: string; readonly numeric: boolean }[]
    readonly rows: readonly { readonly id: string; readonly cells: readonly ValueView[] }[]
    readonly mark: Mark | null
  }[]
  /** What it waits for in its state; none: nothing, or nobody decides about it. */
  readonly approvals: { readonly title: string; readonly all: readonly ApprovalView[] }
  /** What refers to it. */
  readonly related: readonly RelatedView[]
  /** Components of the document. */
  readonly blocks: readonly BlockView[]
  readonly history: readonly HappeningView[]
  /** Null: they may not talk about it. */
  readonly talk: TalkView | null
}

export interface RelatedView {
  readonly key: string
  readonly label: string
  /** `3`, `10+`. */
  readonly count: string
  readonly rows: readonly {
    readonly id: string
    readonly title: string
    readonly href: string | null
    readonly state: StateView | null
  }[]
  /** All of them, in a list. */
  readonly all: LinkView | null
}

/** A React component of the document: what `Block` takes. */
export interface BlockView {
  readonly key: string
  /** Null: it failed. */
  readonly html: string | null
  readonly data: string
  readonly failed: string
}

/** Comments: where they are sent, and whether this person follows the record. */
export interface TalkView {
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly follows: boolean
  readonly longest: number
}

/** The states of the entity as a graph, and where the record is in it: what `StateDiagram` takes. */
export interface DiagramView {
  readonly layout: DiagramLayout
  readonly rings: ReadonlyMap<string, Ring>
  readonly current: string | null
  readonly possible: readonly string[]
  readonly passed: readonly string[]
  readonly mark: Mark | null
}

export interface ApprovalView {
  readonly key: string
  /** "Finance, for approve". */
  readonly label: string
  /** "2 of Accountant". */
  readonly needs: string
  readonly decisions: readonly {
    /** "Fay agreed for Finn". */
    readonly text: string
    readonly at: string
    readonly when: string
    readonly reason: string | null
  }[]
  readonly given: boolean
  /** "given", "waits for Kim", "1 more of Accountant". */
  readonly missing: string
  readonly mark: Mark | null
}

export interface HappeningView {
  /** "Dan Weber", or the application's name. */
  readonly who: string
  /** "took the step approve", "changed 2 fields", "created it", "mail due_soon": follows `who` in a sentence. */
  readonly what: string
  readonly kind: 'create' | 'change' | 'delete' | 'step' | 'timer' | 'mail' | 'call' | 'comment' | 'decision'
  /** ISO. */
  readonly at: string
  /** "today, 14:02". */
  readonly when: string
  readonly changes: readonly { readonly label: string; readonly before: ValueView; readonly after: ValueView }[]
  /** "delivered", "waiting", "failed after 6 attempts". */
  readonly delivery: { readonly family: 'good' | 'wait' | 'bad'; readonly text: string } | null
  /** Why somebody decided so. */
  readonly reason: string | null
  /** Null: it is no comment, or one that was taken back. */
  readonly comment: {
    readonly id: string
    readonly text: string
    /** "changed today, 14:02". */
    readonly note: string | null
    /** What one's own is changed and taken back by: fields of a form. */
    readonly own: readonly Hidden[] | null
  } | null
}

/** The page that asks before a step or a deletion, and the one that a button leads to without scripts. */
export interface ConfirmView extends ScreenView {
  readonly kind: 'confirm'
  /** "Hand out LN-2026-00001?" is the title; this says what follows, in sentences. */
  readonly text: readonly string[]
  /** What the step asks for; it is sent with the action's form. */
  readonly fields: readonly FieldView[]
  readonly action: ActionView
  readonly cancel: string
  readonly errors: readonly ErrorView[]
}
