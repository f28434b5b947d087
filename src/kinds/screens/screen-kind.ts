import type { Expression } from '../../expression/expression.ts'
import type { Wire } from '../../expression/type.ts'
import type { Grouping, Measure, Screen, Shows } from '../../headings/2-screens/model.ts'
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
  /** The rows that this address asks for; null: none. Absent: people come to a record from other places than its rows. */
  readonly rows?: (screen: Screen, app: App, address: Address) => RowsAsked | null
}

export interface RowsAsked {
  readonly need: RowsNeed
  /** Parameters that were not understood: what they fall back to is in the need. */
  readonly ignored: readonly string[]
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
  /** Days of the working week on which nobody works, in order. */
  readonly closed: readonly string[]
  /** Constants as they hold now, by key, for what they preset. */
  readonly limits: Readonly<Record<string, Wire>>
  /** Whether the asking person sees this field on any record at all; what they never see is not there. */
  readonly sees: (entity: string, field: string) => boolean
  /** Whether they may bring back what is archived of an entity; whoever may not asks for it in vain. */
  readonly restores: (entity: string) => boolean
  /** Those groupings of which they see something on some record. */
  readonly open: (groups: readonly Grouping[]) => readonly Grouping[]
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
  /** Rows that belong together stand together, in this order before any other. Absent: there are no groups. */
  readonly group?: RowsGroup
  /** Opaque: the sort values and id of the row after / before which the page begins. */
  readonly after: string | null
  readonly before: string | null
  readonly limit: number
  /** Count up to this many (then "1,000+"); 0: do not count. */
  readonly countTo: number
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

export interface RowsGroup {
  readonly by: Grouping
  readonly descending: boolean
  /** Groups of which no row is on a page; all of them count. */
  readonly folded: readonly Wire[]
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
  readonly looked?: Pick<RowsNeed, 'filters' | 'search' | 'searched' | 'similar' | 'view' | 'archived'>
  /**
   * Figures of the rows of a list, of so many and one more at most: rows of which the group may not be seen are in the group of empty ones,
   * and a sum of nothing is empty. Absent: such rows do not count, and the sum is zero.
   */
  readonly list?: number
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
  /** Entries of the history, newest first; 0: none. */
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
  readonly order?: Pick<RowsNeed, 'sort' | 'group'>
  /** It is read where it is archived, too; what is shown on a page, in a file and over the API always is. */
  readonly archived?: true
}

/** How somebody is shown a record. */
export type Way = 'page' | 'form' | 'list' | 'file' | 'export' | 'api'
