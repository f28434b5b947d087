/**
 * What a screen kind answers, data half: it says which data it needs as a description; it fetches nothing.
 * `run/read/read.ts` turns needs into data (permissions included), the kind's `view.tsx` turns data into a page.
 */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Grouping, Measure, Screen, Shows } from '../../headings/2-screens/model.ts'
import type { Deciders, Needs } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import type { Comparison } from '../fields/field-kind.ts'
import type { Members } from './members.ts'
import type { RelativeDays } from './relative.ts'

export interface ScreenKind {
  /** As the Shows cell names it: `list`. */
  readonly name: string
  /** How it is written: `list of Entity`; alternatives are parted by ` · `. */
  readonly written: string
  /** What stands before the entity: `list of`, `one`. */
  readonly opening: string
  /** What may stand there instead, and means the same. */
  readonly also?: string
  readonly meaning: string
  readonly entity: 'required' | 'none'
  /**
   * `choice`: a field with a closed list of values; `days`: a date or a moment, or two of them (`by out_on to due_back`); `lanes`: a
   * reference or a choice, and such days behind it (`by room, from out_on to due_back`); `groups`: anything that records are grouped by;
   * `groups elsewhere`: the same, or a bold key says it.
   */
  readonly by: 'none' | 'choice' | 'days' | 'lanes' | 'groups' | 'groups elsewhere'
  /** Whether a field in braces in its address names one record. Absent: none does. */
  readonly record?: 'required' | 'optional'
  /** Bold keys that may stand under the screen's heading 3, besides those of every screen (`headings/2-screens/table.ts`); its part of the reference. */
  readonly properties: readonly { readonly name: string; readonly meaning: string; readonly many?: boolean }[]
  /** What it reads of them, of its Shows cell and of its headings 4: the part of each of its screens. */
  readonly members: Members
  /** People fill it in: on one page, or step by step. Absent: they look at what is there. */
  readonly entry?: 'page' | 'steps'
  /** Why nobody may be asked for a secret on it: what is typed is kept for a while. Null: it is not. Absent: nothing is asked. */
  readonly keeps?: (screen: Screen) => string | null
  /** It is the page of the record that its address names: what names the record leads there. */
  readonly isRecordPage?: true
  /** Filters in its address say which records it shows: figures, searches and other records lead there, and people save views of it. */
  readonly isListing?: true
  /** It is for paper: several records can be printed on it at once. */
  readonly isPaper?: true
  /** Whether scenarios may say which records it shows, which figures, or both. Absent: nothing. */
  readonly shows?: 'records' | 'figures' | 'both'
  /** The fields that its records are placed by: whoever sees one of them on none has no such screen. */
  readonly standsOn?: (shows: Shows) => readonly string[]
  /** What it draws its figures by: whoever sees nothing of it has no such screen. Absent: they stand without. */
  readonly drawnBy?: (screen: Screen) => readonly Grouping[]
  /** The query under which a record is shown that lies on this day, `YYYY-MM-DD`. Absent: any record may be, whatever its days. */
  readonly showing?: (day: string) => Readonly<Record<string, string>>
  /** The steps that it waits for: of how many records this person may take one stands beside it in the navigation. Absent: nothing does. */
  readonly awaits?: (screen: Screen, app: App) => InboxNeed['steps']
  /** Whether the document says what stands on it; where it does not, its page says so. Absent: its Shows says enough. */
  readonly isSpecified?: (screen: Screen) => boolean
  /**
   * The data that this address asks for; null: none. Bad parameters fall back to the default and are named in `ignored`.
   * Absent: its page (`screen-page.ts`) reads what it shows.
   */
  readonly need?: (
    screen: Screen,
    app: App,
    address: Address,
  ) => { readonly need: ScreenNeed; readonly ignored: readonly string[] } | null
}

/** The part of an address that a screen reads: what its route's `{field}` segments matched, and the query string. */
export interface Address {
  readonly segments: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** How values in the query string may be written (BCP 47) and the zone that times are meant in. */
  readonly locale: string
  readonly zone: string
  /** Values are written as the API writes them; what is none of these is read as people write it. */
  readonly canonical?: true
  /** The application's day of the request, `YYYY-MM-DD`. */
  readonly today: string
  /** Constants as they hold now, by key, for what they preset. */
  readonly limits: Readonly<Record<string, Wire>>
  /** Whether the asking person sees this field on any record at all; what they never see is not there. */
  readonly sees: (entity: string, field: string) => boolean
  /** Whether they may bring back what is archived of an entity; whoever may not asks for it in vain. */
  readonly restores: (entity: string) => boolean
}

export interface Filter {
  readonly field: string
  readonly comparison: Comparison
  /** `within`: the beginning, and the end that is no longer in it. `is empty`: false turns it round. `is not` of several: none of them, `contains` of several: one of them. */
  readonly value: Wire | readonly Wire[]
  /** A field of the record that this reference names; absent: of the record itself. */
  readonly via?: string
  /** It is about one of the child rows in this list, the same one for all filters of a group; absent: about the record. */
  readonly rows?: string
  /** Filters of one group hold together, and one of the groups has to hold; those without a group hold always. */
  readonly group?: number
  /** The days as the address names them: `this-week`. */
  readonly relative?: RelativeDays
}

export interface Sort {
  readonly field: string
  readonly descending: boolean
}

export type Need = RowsNeed | GroupsNeed | OneNeed | FiguresNeed

/** What a screen is made of; some are put together from several readings. */
type ScreenNeed = RowsNeed | OneNeed | ReportNeed

/** A page of rows, in a stable order, by key (never by offset). */
export interface RowsNeed {
  readonly kind: 'rows'
  readonly entity: string
  readonly columns: readonly string[]
  /** The screen's own Where. */
  readonly where: Expression | null
  /** And that of the view that is open. */
  readonly view?: Expression
  readonly filters: readonly Filter[]
  /** Free text over the searchable fields. */
  readonly search: string | null
  /** References, among other fields: the names of what they refer to are searched as well. Absent: none. */
  readonly searched?: readonly string[]
  /** Words of four letters and more may be one letter off. */
  readonly similar?: true
  readonly sort: readonly Sort[]
  /** Opaque: the sort values and id of the row after / before which the page begins. */
  readonly after: string | null
  readonly before: string | null
  readonly limit: number
  /** Count up to this many (then "1,000+"); 0: do not count. */
  readonly countTo: number
  /** Numbers, amounts and lengths of time that are added up over all rows that are counted. Absent: none. */
  readonly totals?: readonly string[]
  /** Only rows that lie, with a part at least, between two moments. Absent: whenever they are. */
  readonly during?: During
  /** Only archived rows, of those that this person may bring back. Absent: only others. */
  readonly archived?: true
  /** Rows for a file: only those that may be exported, and nothing about what may be done with them. */
  readonly out?: true
  /** Only rows of one group: as the figures of that group count them. */
  readonly among?: readonly Among[]
  /** What the reader of a report answered, by key. */
  readonly asked?: AskedValues
  /** How they are shown to whoever asks; absent: in a list. */
  readonly shown?: Way
}

/** The records that a figure's group is made of; null: those where the group is empty. */
export interface Among {
  readonly by: Grouping
  readonly value: Wire
}

export type AskedValues = Readonly<Record<string, Wire>>

/** Numbers over all rows that may be seen, for each group and all together: one statement, whatever the number of groups. */
export interface FiguresNeed {
  readonly kind: 'figures'
  readonly entity: string
  readonly where: Expression | null
  /** Outermost first. None: one number for all. */
  readonly by: readonly Grouping[]
  readonly measures: readonly Measure[]
  readonly asked: AskedValues
  /** Rows of the answer, besides that for all. */
  readonly limit: number
  /** The last groups instead of the first, where there are more. */
  readonly last?: true
  /** A group that lies across those of `by`: there is a row for each of both, and for each alone. Absent: none. */
  readonly across?: Across
  /** Only records of these days. Absent: whenever they are. */
  readonly span?: Span
  /** Only what its reader looks for, as for rows. Absent: all. */
  readonly looked?: Pick<RowsNeed, 'filters' | 'search' | 'searched'>
}

export interface Across {
  readonly by: Grouping
  /** Columns of the answer: the first in their order, or those with the largest first measure. */
  readonly limit: number
  readonly largest?: true
}

/** From one day up to, not including, another: values of the type that `value` has. */
export interface Span {
  readonly value: Expression
  readonly from: string
  readonly to: string
}

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

/** Records of which the person who asks may take a step now. */
export interface InboxNeed {
  readonly kind: 'inbox'
  readonly steps: readonly { readonly entity: string; readonly step: string }[]
  /** By entity: the field that names a record in addresses. */
  readonly by: Readonly<Record<string, string>>
  /** By entity: what is shown of a record beside its title and its state. */
  readonly facts: Readonly<Record<string, readonly string[]>>
  /** Records of each entity. */
  readonly limit: number
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

export interface ReportNeed {
  readonly kind: 'report'
  readonly figures: FiguresNeed
  /** The rows of one group, where the address asks for them. */
  readonly rows: RowsNeed | null
  /** Keys of that group, by place. */
  readonly shown: readonly Wire[]
  /** What was asked as a control holds it. */
  readonly written: Readonly<Record<string, string>>
}

/** From `start` up to, not including, `end`: values of the type that `from` and `to` have. Without `to` a row lies where `from` is. */
export interface During {
  readonly from: string
  readonly to: string | null
  readonly start: string
  readonly end: string
}

/** Rows side by side in groups, as a board shows them. */
export interface GroupsNeed {
  readonly kind: 'groups'
  readonly entity: string
  readonly by: string
  readonly groups: readonly string[]
  readonly columns: readonly string[]
  readonly where: Expression | null
  readonly filters: readonly Filter[]
  /** As for rows. */
  readonly search: string | null
  readonly searched?: readonly string[]
  readonly sort: readonly Sort[]
  /** Rows per group; the count says when there are more. */
  readonly limit: number
}

/** One record with its child rows, what may be done with it, and what happened to it. */
export interface OneNeed {
  readonly kind: 'one'
  readonly entity: string
  readonly by: { readonly field: string; readonly value: string }
  /** Entries of the timeline, newest first; 0: none. */
  readonly history: number
  /**
   * How the record is shown to whoever asks: then it can be one that they opened in an emergency, and the reading is written down
   * where the document wants it. Absent: nothing of it is shown.
   */
  readonly shown?: Way
  /** Values besides its fields: of records that it names, and in texts. Absent: none. */
  readonly told?: readonly Expression[]
  /** With the moments that every record keeps. Absent: without. */
  readonly moments?: true
  /** The order of the list that it stands in. Absent: none. */
  readonly order?: readonly Sort[]
  /** It is read where it is archived, too; what is shown on a page, in a file and over the API always is. */
  readonly archived?: true
}

/** How somebody is shown a record. */
export type Way = 'page' | 'form' | 'list' | 'file' | 'export' | 'api'

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
  /** Sums by field, as far as this person sees the values; empty where there are more rows than were counted. */
  readonly totals: Readonly<Record<string, string>>
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

export interface OneData {
  readonly kind: 'one'
  readonly row: ReadRow
  /** Child list's field key → rows, in their order. */
  readonly children: Readonly<Record<string, readonly ReadRow[]>>
  readonly fields: readonly string[]
  readonly childFields: Readonly<Record<string, readonly string[]>>
  /** Whether they follow the record; null: they may not talk about it. */
  readonly follows: boolean | null
  readonly approvals: readonly PendingApproval[]
  readonly history: readonly TimelineEntry[]
  /** Until when it is open to whoever reads it in an emergency; null: they see it anyway. */
  readonly opened: string | null
  /** What was asked besides its fields; what they may not see of it is not there. */
  readonly told: Told
  /** Where it stands in that order: the values that it is sorted by. Null: in none. */
  readonly place: readonly (string | boolean | null)[] | null
}

/** Values over one record, by their expression. `label`: the title of the record that it names, where they see that. */
export type Told = ReadonlyMap<Expression, { readonly value: Wire; readonly label: string | null }>

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

/** An entry of the timeline: a change, a step, a timer, a mail or a call. Fields that this person may not see are absent. */
export interface TimelineEntry {
  readonly at: string
  /** Name of the person; empty: somebody who is not to be named. Null: the application itself. */
  readonly who: string | null
  /** Who did it as this person; empty: somebody who is not to be named. Null: they did it themselves. */
  readonly actedBy: string | null
  /** Somebody without an account did it, by the link of the record: `who` is null. */
  readonly byLink: boolean
  /** Name of the API key by which the person did it; null: in person. */
  readonly key: string | null
  /** Codes of warnings that whoever did it confirmed. */
  readonly confirmed: readonly string[]
  readonly what:
    | 'create'
    | 'change'
    | 'delete'
    | 'step'
    | 'timer'
    | 'mail'
    | 'call'
    | 'comment'
    | 'decision'
    | 'emergency'
    | 'erase'
    | 'give out'
    | 'appointment'
    | 'sign-in'
  /** Step, timer, mail or call; null for create and change. */
  readonly name: string | null
  readonly changes: readonly { readonly field: string; readonly before: string | null; readonly after: string | null }[]
  /** Mails and calls: `waiting`, `done`, `failed`; with the number of attempts. */
  readonly delivery: {
    readonly state: 'waiting' | 'done' | 'settled' | 'failed' | 'unaddressed' | 'withdrawn'
    readonly attempts: number
  } | null
  readonly comment: {
    readonly id: string
    /** Null: taken back. */
    readonly text: string | null
    /** When it was changed or taken back. */
    readonly changedAt: string | null
    readonly own: boolean
  } | null
  /** Of a decision: why, and for whom. */
  readonly decision: { readonly reason: string | null; readonly represents: string | null } | null
  /** Of an opening in an emergency: why, until when, and how often it was read through it. */
  readonly emergency: { readonly reason: string; readonly until: string; readonly reads: number } | null
  readonly documentVersion: string
}
