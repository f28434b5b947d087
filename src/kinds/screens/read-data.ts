/** What is read for a screen: of records only what whoever asks may see. */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Deciders, Needs } from '../../headings/4-states/model.ts'

export interface FiguresData {
  readonly kind: 'figures'
  /** By measure: whether these roles may see what it reads. A measure that they may not has no values. */
  readonly seen: readonly boolean[]
  /** In the order of the groups; the row of a group that others lie in stands behind them. */
  readonly rows: readonly FigureRow[]
  readonly total: FigureRow
  /** Rows that the limit leaves out, and columns. */
  readonly left: number
  readonly leftAcross: number
  /** Of the groups that `last` leaves out, the one with the highest first measure; null where there is none. */
  readonly highest: FigureRow | null
}

export interface FigureKey {
  readonly value: Wire
  readonly label: string | null
}

export interface FigureRow {
  /** As many as there are groups around it: all for the innermost, none for the total. */
  readonly keys: readonly FigureKey[]
  /** Where a group lies across: which of them it is; null: all of them, as everywhere else. */
  readonly across: FigureKey | null
  /** By measure; null: empty, or not for these roles. */
  readonly values: readonly (string | null)[]
}

export interface InboxData {
  readonly kind: 'inbox'
  readonly groups: readonly {
    readonly entity: string
    readonly rows: readonly {
      readonly row: ReadRow
      readonly title: string | null
      readonly address: string | null
      /** What may be done with it now. */
      readonly steps: readonly string[]
    }[]
    readonly more: boolean
  }[]
}

/** What a person has done of what waits: the records, each with the step that they took last and when. */
export interface DecidedData {
  readonly rows: readonly {
    readonly entity: string
    readonly row: ReadRow
    readonly address: string
    readonly step: string
    readonly at: string
  }[]
  readonly more: boolean
}

/** The one record that a field names, or of several each title with whether its record is archived. */
export type Archived = 'whole' | readonly (readonly [title: string, isArchived: boolean])[]

/** A row as this person may see it: a forbidden field is not in `values`, `labels` or anywhere else. */
export interface ReadRow {
  readonly id: string
  readonly version: number
  /** Field key → wire value; child lists as arrays of records only where the need asks for children. */
  readonly values: RecordValue
  /** Field key of a reference → the title of the record it names (absent where that record may not be seen). */
  readonly labels: Readonly<Record<string, string>>
  /** Since when it is archived. Absent: it is not. */
  readonly archivedAt?: string
  /** Fields that name an archived record. Absent: none does. */
  readonly toArchived?: ReadonlyMap<string, Archived>
  /** Places of the marks of its entity that it has. Absent: none. */
  readonly marks?: readonly number[]
  readonly may: May
}

export interface May {
  readonly change: Verdict
  readonly delete: Verdict
  /** Open on what is archived alone. */
  readonly restore: Verdict
  /** Every step of the entity that leaves this row's state or could be asked about, in the document's order. */
  readonly steps: readonly StepVerdict[]
}

/** `because` is the cell that decides; `missing` names the empty field where the answer is unknown. */
export interface Verdict {
  readonly open: boolean
  readonly because: Cell
  /** Cells of other roles of theirs that decide in the same way. Absent: none. */
  readonly also?: readonly Cell[]
  readonly reason:
    | 'allowed'
    | 'state'
    | 'who'
    | 'when'
    | 'row'
    | 'never'
    | 'locked'
    | 'unspecified'
    | 'no rule'
    | 'decided'
  readonly missing: string | null
}

export interface StepVerdict extends Verdict {
  /** Key and name of the step, and the state that it leads to. */
  readonly step: string
  readonly name: string
  readonly to: string | null
  /** The role could ever do it: false hides the button altogether. */
  readonly offered: boolean
  /** The states from which it starts for these people, by any of its branches. */
  readonly starts: readonly string[]
  /** The row of the step that it speaks of: where it is open, the one that is taken. */
  readonly branch: Cell
}

export interface RowsData {
  readonly kind: 'rows'
  readonly rows: readonly ReadRow[]
  /** Columns that this person may see at all, in order. */
  readonly columns: readonly string[]
  readonly count: { readonly n: number; readonly more: boolean } | null
  /** The value of its group for each row; empty: there are no groups. */
  readonly groups: readonly Wire[]
  readonly next: string | null
  readonly previous: string | null
  /** What was asked for as `after` or `before` is no place in this order: these are the first ones. */
  readonly displaced?: true
  /** May create records of this entity. */
  readonly create: Verdict
  /** May take records of this entity out as a file, or bring them in by one: some of them, at least. */
  readonly exports: boolean
  readonly imports: boolean
}

export interface GroupsData {
  readonly kind: 'groups'
  readonly columns: readonly string[]
  readonly groups: readonly {
    readonly value: string
    readonly count: { readonly n: number; readonly more: boolean }
    readonly rows: readonly ReadRow[]
  }[]
  readonly create: Verdict
}

/** A row of a record, with the rows of its own. */
export type ReadChild = ReadRow & Pick<OneData, 'children' | 'childFields'>

export interface Share {
  readonly id: string
  readonly role: string
  /** The id of a person, or of a record that names several. */
  readonly with: string
  /** Null: they may not know them. */
  readonly name: string | null
  /** The last day, `YYYY-MM-DD`; null: until somebody ends it. */
  readonly until: string | null
}

export interface OneData {
  readonly kind: 'one'
  readonly row: ReadRow
  /** Child list's field key → rows, in their order. */
  readonly children: Readonly<Record<string, readonly ReadChild[]>>
  readonly fields: readonly string[]
  readonly childFields: Readonly<Record<string, readonly string[]>>
  /** Whether they follow the record; null: they may not talk about it. */
  readonly follows: boolean | null
  readonly approvals: readonly PendingApproval[]
  /** With whom it is shared, as far as they are told. */
  readonly shares: readonly Share[]
  readonly history: readonly HistoryEntry[]
  /** Until when it is open to whoever reads it in an emergency; null: they see it anyway. */
  readonly opened: string | null
  /** What was asked besides its fields; what they may not see of it is not there. */
  readonly told: ValuesByExpression
  /** Where it stands in that order: the values that it is sorted by. Null: in none. */
  readonly place: readonly (string | boolean | null)[] | null
}

/** A record as it stands there: nothing about what may be done with it. */
export type WholeRecord = Pick<OneData, 'row' | 'fields' | 'children' | 'childFields' | 'told'>

/** Values over one record, by their expression. `label`: the title of the record that it names, where they see that. */
export type ValuesByExpression = ReadonlyMap<Expression, { readonly value: Wire; readonly label: string | null }>

/** An approval that applies to a record in its state: what has been decided for it, and what is missing. */
export interface PendingApproval {
  readonly key: string
  readonly name: string
  readonly step: string
  readonly stepName: string
  readonly because: Cell
  /** Null: left open. */
  readonly needs: Needs | null
  readonly from: Deciders | null
  /** How many more; null: nobody can tell. */
  readonly missing: number | null
  /** People are asked for it by now: what comes before it is given. */
  readonly due: boolean
  readonly decisions: readonly {
    /** Empty: somebody who is not to be named. */
    readonly who: string
    /** Whom they decided for; empty as above. */
    readonly represents: string | null
    readonly at: string
    readonly reason: string | null
  }[]
  /** Names of the people that fields name and who have not decided; of many the first. */
  readonly waiting: readonly string[]
  /** There are others of them. */
  readonly others: boolean
}

interface CommentData {
  readonly id: string
  /** Null: taken back. */
  readonly text: string | null
  /** When it was changed or taken back. */
  readonly changedAt: string | null
  /** As fields of records name them. */
  readonly files: readonly string[]
  readonly own: boolean
}

interface ReplyData extends CommentData {
  readonly at: string
  /** Empty: somebody whom the reader may not name. */
  readonly who: string | null
}

/** An entry of the history: a change, a step, a timer, a mail or a call. Fields that this person may not see are absent. */
export interface HistoryEntry {
  readonly at: string
  /** Name of the person; empty: somebody who is not to be named. Null: the application itself. */
  readonly who: string | null
  /** Who did it as this person; empty: somebody who is not to be named. Null: they did it themselves. */
  readonly actedBy: string | null
  /** Somebody without an account did it, by the link of the record: `who` is null. */
  readonly byLink: boolean
  /** Name of the API key by which the person did it; null: in person. */
  readonly key: string | null
  /** Codes of warnings that whoever did it confirmed; of a refused attempt, of what refused it. */
  readonly confirmed: readonly string[]
  readonly what:
    | 'create'
    | 'change'
    | 'delete'
    | 'step'
    | 'timer'
    | 'mail'
    | 'call'
    | 'report'
    | 'comment'
    | 'decision'
    | 'emergency'
    | 'refused'
    | 'erase'
    | 'give out'
    | 'appointment'
    | 'sign-in'
    | 'share'
  /** Step, timer, mail, call or reported error, or the role of a share; null for create and change. Of a refused attempt, what was tried. */
  readonly name: string | null
  readonly changes: readonly {
    /** `borrower`, `lines`, `lines.item`, `lines.tasks.minutes`. */
    readonly field: string
    /** What the rows on the way to it are called, outermost first: a name, else the place; empty where that was not kept. Absent: there are none. */
    readonly rows?: readonly string[]
    readonly before: string | null
    readonly after: string | null
  }[]
  /** Mails and calls: `waiting`, `done`, `failed`; with the number of attempts. */
  readonly delivery: {
    readonly state: 'waiting' | 'done' | 'settled' | 'failed' | 'unaddressed' | 'withdrawn'
    readonly attempts: number
  } | null
  readonly comment: (CommentData & { readonly replies: readonly ReplyData[] }) | null
  /** Of a decision: why, and for whom. */
  readonly decision: { readonly reason: string | null; readonly represents: string | null } | null
  /** Of an opening in an emergency: why, until when, and how often it was read through it. */
  readonly emergency: { readonly reason: string; readonly until: string; readonly reads: number } | null
  /** Of a share that began, was changed or ended: with whom, as far as they know them, and until which day. */
  readonly share: { readonly with: string | null; readonly until: string | null; readonly isEnd: boolean } | null
  readonly documentVersion: string
}
