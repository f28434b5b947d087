/** What a form is given: its parts as they were typed, what is wrong with them, both versions after a conflict. */
import type { LiveForm } from '../../../run/write/live-form.ts'
import type { ConfirmSubmit, ErrorView, FieldView, Hidden, Mark, ScreenView, ValueView } from '../view-model.ts'

/** Child rows in a form: one small table, each row with a remove button, and an add button below; both are submit buttons. */
export interface RowsView {
  /** As its controls are named: `lines`, `lines.0.tasks`. */
  readonly key: string
  readonly id: string
  readonly label: string
  readonly hint: string | null
  readonly errors: readonly ErrorView[]
  /** Labels of the columns, in the order of each row's `fields`. */
  readonly columns: readonly {
    readonly label: string
    readonly required: boolean
    /** As of a field. */
    readonly conditions: string | null
  }[]
  readonly rows: readonly {
    /** 0-based, as in the names of its controls. */
    readonly index: number
    /** `lines.0.id` where the row is stored already; of one that is only shown all that it has. */
    readonly hidden: readonly Hidden[]
    readonly fields: readonly FieldView[]
    /** Rows of its own, below it. */
    readonly lists: readonly RowsView[]
    readonly errors: readonly ErrorView[]
    /** Name and value of the `formnovalidate` button: `_remove`, `lines.0`. Null: it may not be taken out. */
    readonly remove: Hidden | null
    readonly removeLabel: string
  }[]
  /** Keys of the columns by which a row is called. */
  readonly naming: readonly string[]
  /** `_add`, `lines`; null where no more rows may be added. */
  readonly add: Hidden | null
  readonly addLabel: string
  /** Their order is changed by hand: `_move`, `lines.1.up`. */
  readonly moves: boolean
  /** The fields of a row yet to be added: `#` in their names and ids stands for its number. */
  readonly blank: readonly FieldView[]
  /** And its lists. */
  readonly blankLists: readonly RowsView[]
  /** So many rows are allowed; null: as many as one likes; 0: none may be added to those that are there. */
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
  /** The state that it was moved to, as people call it; null: it was changed otherwise. */
  readonly moved: string | null
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly differences: readonly {
    /** `_take.due_back`. */
    readonly name: string
    readonly label: string
    readonly yours: ValueView
    readonly theirs: ValueView
    readonly choice: 'yours' | 'theirs'
    /** Both changed it; else only the one whose answer is chosen already. */
    readonly both: boolean
  }[]
  /** What has to be typed again, as a sentence; null: nothing. */
  readonly again: string | null
  /** The record as it is now. */
  readonly discard: string
}

/** That what is typed can be kept without being saved. */
export interface DraftView {
  /** What stands in this form is its draft, and a script keeps it after each pause. False: an older draft waits. */
  readonly own: boolean
  /** Sent along where it is its own. */
  readonly input: Hidden
  /** The submit that keeps it; its value is `draft`, a script's is `auto`. */
  readonly keep: { readonly name: string; readonly label: string }
  /** "Draft kept 14:02". */
  readonly status: string | null
  readonly waiting: {
    /** "Continue your draft of loan". */
    readonly label: string
    /** "You left it yesterday." */
    readonly when: string
    readonly href: string
    readonly discard: { readonly action: string; readonly hidden: readonly Hidden[]; readonly label: string }
  } | null
}

/** One page of several, each with some of the fields. */
export interface WizardView {
  /** What all of it is called: "Ask for a loan". */
  readonly title: string
  /** "Step 2 of 4". */
  readonly progress: string
  readonly meaning: string | null
  readonly steps: readonly {
    readonly label: string
    readonly href: string | null
    readonly state: 'done' | 'now' | 'later'
  }[]
  /** What the submit says that leads on. */
  readonly next: string
  /** The submit that leads back; null on the first page. */
  readonly back: (Hidden & { readonly label: string }) | null
  /** What the other pages hold: names and texts. */
  readonly elsewhere: readonly (readonly [string, string])[]
  /** Fields that later pages ask for: nothing is wrong about them yet. */
  readonly later: readonly string[]
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
  /** Null: all of it stands on one page. */
  readonly wizard: WizardView | null
  /** Null: nothing of it is kept. */
  readonly draft: DraftView | null
  /** A word above the form that is no error: "Your session had ended; what you typed is here again." */
  readonly note: string | null
  readonly parts: readonly PartView[]
  /** How the parts are grouped, by key; those that stand in no section of the document come first, without a title. */
  readonly sections: readonly {
    readonly title: string | null
    readonly meaning: string | null
    readonly parts: readonly string[]
  }[]
  /** Where only warnings are left: a submit that confirms them. */
  readonly confirm: ConfirmSubmit | null
  /** "Save", "Create loan". */
  readonly submit: string
  readonly cancel: string
  /** Rules of the document that apply to this form, in its words. */
  readonly rules: readonly { readonly name: string; readonly message: string; readonly mark: Mark | null }[]
  /** What the form in the browser checks and computes with. Null: it stays as the server made it. */
  readonly live: LiveForm | null
}
