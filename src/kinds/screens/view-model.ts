/**
 * What the view of a screen kind is given: plain, serialisable values, already permitted, formatted and translated.
 * `web/screens/*.ts`, or `build.ts` in the folder of a kind, makes them of the data that `run` read; its `view.tsx` turns them into a page.
 * What one kind alone is given stands in its folder, in a `view-model.ts` of its own.
 * A view never decides: what it may not show is not in here, an address to link to is in here, a closed button says why.
 *
 * Belongs to the view half of kinds: only views and `web` import it.
 */

import type { Hidden } from '../../ui/buttons.tsx'
import type { TextControlProps } from '../../ui/controls.tsx'
import type { HeldFileView } from '../../ui/file-control.tsx'
import type { MarkOf } from '../../ui/page.tsx'
import type { Line } from '../../ui/reader.tsx'
import type { Ring } from '../../ui/states.ts'
import type { Look } from '../fields/field-view.ts'
import type { Rich } from '../fields/markdown/rich.ts'

/** The line of the document that decides; `LineMark` shows it. */
export type Mark = Line

/** A word that the document gives a record; in the reader's language. */
export type { MarkOf } from '../../ui/page.tsx'

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
  readonly look: Look
  /** Address of the record that a reference names, where this person may open it; of a file, of its content. */
  readonly href: string | null
  /** Machine form for `<time datetime>`. */
  readonly datetime: string | null
  readonly state: StateView | null
  /** Of a day until which something is to be done: that it is near, or past. */
  readonly due?: { readonly tone: 'bad' | 'wait'; readonly said: string; readonly day: string }
  /** What a text written with Markdown looks like; `text` are its words alone. */
  readonly rich?: readonly Rich[]
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
  /** The key that takes it on the page of its record, the same in all states; null, or absent: none. */
  readonly letter?: string | null
  readonly open: boolean
  /** Closed because it leads on from other states only. */
  readonly elsewhere?: boolean
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

/** What is said of a record beside its title. */
export interface FactView {
  /** Field key. */
  readonly key: string
  readonly label: string
  readonly value: ValueView
}

/** A record among others: in a row of an inbox, on a card, among what refers to another one. */
export interface FaceView {
  /** Without its reference. */
  readonly title: string
  /** `PR-10441`; empty: it has none. */
  readonly reference: string
  /** Null: they may not open it. */
  readonly href: string | null
  /** Address of its picture. */
  readonly image: string | null
  /** Of the person that it is about. */
  readonly initials: string | null
  /** Whom it is about, and what tells it from others. */
  readonly said: readonly string[]
  readonly date: FactView | null
}

/** A step that its own page asks for and takes. */
export interface StepLinkView extends LinkView {
  readonly key: string
  /** Final or destructive. */
  readonly danger: boolean
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
      readonly type: NonNullable<TextControlProps['type']>
      readonly inputMode: NonNullable<TextControlProps['inputMode']> | null
      /** Figures are typed at the end of their control, where they stand everywhere else. */
      readonly numeric: boolean
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
  /**
   * `empty` is the label of the empty option; null: there is none. `source`: as for `pick`, of records. `reads`: what the options go by, `this.{key}` beside the control
   * and, from a row, `above.{key}` in its form; when one of these changes, the island asks `source` with what stands there now.
   */
  | {
      readonly kind: 'select'
      readonly options: readonly Option[]
      readonly empty: string | null
      readonly source?: string
      readonly reads?: readonly string[]
    }
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
      /** What the search left out, in words; empty: nothing. */
      readonly note: string
      /** `/-/options?entity=item&field=loan_line.item`; the island appends `&q=`. Answers `{ options: Option[], note: string }`. */
      readonly source: string
      /** As for `select`. */
      readonly reads?: readonly string[]
    }
  /**
   * Several records, or several choices: a box for each, all of the same `name`, behind a hidden empty input of that name. Where there are too many for boxes,
   * those that are chosen, and a search as for `pick` that brings more of them.
   */
  | {
      readonly kind: 'several'
      readonly options: readonly Option[]
      /** What stands between those that are chosen, in the value. */
      readonly parted: string
      /** As for `select`, where there are few enough for boxes. */
      readonly source?: string
      readonly reads?: readonly string[]
      readonly search: { readonly query: string; readonly found: number | null; readonly note: string } | null
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
      readonly held: HeldFileView | null
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
  /** The row that it is about, by the names on the way to it: `Parts › Cleaning › Tasks › Mop`. Absent: it is about none. */
  readonly place?: string
  /** `#due_back`; null: it concerns the record as a whole. */
  readonly href: string | null
  readonly mark: Mark | null
  /** It may be confirmed. */
  readonly warning?: true
  /** Another record that refuses what follows; `href` null: it has no page for this person. */
  readonly of?: { readonly title: string; readonly href: string | null }
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
  /** What conditions of the form decide about it, said where no script shows it; null or absent: nothing. */
  readonly conditions?: string | null
  /** False: "(optional)" stands after the label. */
  readonly required: boolean
  /** What the control holds: the text typed last, also when it was refused. `yes`/`no` for yes/no. */
  readonly value: string
  readonly errors: readonly ErrorView[]
  readonly control: ControlView
  readonly mark: Mark | null
  /** Of a field that names records: how a new one is made on the way. Null or absent: not at all. */
  readonly create?: CreateView | null
}

/** A record that is made while another form is filled in. */
export interface CreateView {
  /** "New customer". */
  readonly label: string
  /** The submit that leads to its form and back; null: the form cannot be kept meanwhile. */
  readonly submit: Hidden | null
  /** Where a script gets the small form: GET gives `{ view }`; POST `{ option }`, or `{ view }` with what is wrong. Null: it is not small. */
  readonly source: string | null
}

/** The small form in a dialog. */
export interface QuickView {
  readonly hidden: readonly Hidden[]
  readonly errors: readonly ErrorView[]
  readonly confirm: ConfirmSubmit | null
  readonly fields: readonly FieldView[]
  readonly submit: string
}

/** Where the reader is; the last one is the page itself and no link. */
export type Crumbs = readonly { readonly label: string; readonly href: string | null }[]

/** What stands on every screen. */
export interface ScreenView {
  readonly title: string
  /** For `<title>`, without the application's name; "Error: " is put before it by the page where there are errors. */
  readonly pageTitle: string
  /** What it is for, as its `Meaning` says; null or absent: nothing says so. */
  readonly meaning?: string | null
  readonly crumbs: Crumbs
  readonly mark: Mark | null
  /** What the document leaves open here and is served under an assumption. */
  readonly assumed: readonly { readonly name: string; readonly text: string; readonly mark: Mark }[]
}

/** Rows of records in a plain table; the first cell is the link. */
export interface LinesView {
  readonly columns: readonly { readonly field: string; readonly label: string; readonly numeric: boolean }[]
  readonly rows: readonly {
    readonly id: string
    readonly href: string | null
    readonly cells: readonly ValueView[]
    readonly marks?: readonly MarkOf[]
  }[]
  readonly empty: string
}

/** A submit with the codes of the warnings that it confirms. */
export type ConfirmSubmit = Hidden & { readonly label: string }

/** The page that asks before a step or a deletion, and the one that a button leads to without scripts. */
export interface ConfirmView extends ScreenView {
  readonly kind: 'confirm'
  /** "Hand out LN-2026-00001?" is the title; this says what follows, in sentences. */
  readonly text: readonly string[]
  /** What tells the record from others, for whoever decides about it without having its page open. */
  readonly facts: readonly { readonly label: string; readonly value: ValueView }[]
  /** What the step asks for; it is sent with the action's form. */
  readonly fields: readonly FieldView[]
  readonly action: ActionView
  readonly cancel: string
  readonly errors: readonly ErrorView[]
  /** Where only warnings are left: a submit that confirms them. */
  readonly confirm: ConfirmSubmit | null
  /** Where what it was refused for can be put right. */
  readonly edit: LinkView | null
  /** Where it is explained that it cannot be done. */
  readonly why: LinkView | null
}

/** The rows of one list of a record. */
export interface ChildTableView {
  readonly key: string
  readonly label: string
  readonly columns: readonly { readonly field: string; readonly label: string; readonly numeric: boolean }[]
  readonly rows: readonly {
    readonly id: string
    readonly cells: readonly ValueView[]
    /** Rows of its own, below it; those that are empty are left out. */
    readonly lists: readonly ChildTableView[]
  }[]
  /** Sums of numbers and amounts, one per column; null: there is nothing to add up. */
  readonly totals: readonly (string | null)[] | null
  readonly mark: Mark | null
}
