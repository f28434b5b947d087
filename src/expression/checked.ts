/**
 * An expression whose names are resolved and whose types fit. Plain JSON data: it goes to the browser as it is.
 * `not in`, `not between` and so on are `not` around the positive statement, which is the same in three-valued logic.
 */
import type { ArithmeticSign, Sign } from './ast.ts'
import type { Calendar } from './calendar.ts'
import type { Type, Wire } from './type.ts'

/**
 * Whose fields a path begins with. `own`: the record that is looked at, inside `where` the other one; `this`: the record that
 * the rule is about; `old`: that record before the change; `me`: the person who is signed in; `named`: the record that has a name
 * there (`for each order in …`); `self`, by its name: the record that the expression itself is about, from inside of its searches.
 */
export type Base = 'own' | 'this' | 'old' | 'me' | 'named' | 'self'

export interface Step {
  /** The entity that has the field. */
  readonly entity: string
  readonly field: string
  /** For all but the last step: the entity that the reference leads to. */
  readonly to: string | null
  /** The field is the child row's reference to its parent. */
  readonly parent: boolean
  /** It has no column; its own expression stands for it. */
  readonly computed: boolean
}

export interface Path {
  readonly base: Base
  /** Of a record that is `named`. */
  readonly name?: string
  /** All but the last are references. At least one. */
  readonly steps: readonly Step[]
}

/** Many records: the rows of a list field, or the records of an entity. */
export type Source =
  | {
      readonly kind: 'list'
      readonly path: Path
      readonly entity: string
      /** The field of the rows that refers to the record whose list it is; null: kept in a table of links (`several`). */
      readonly parent: string | null
    }
  | {
      readonly kind: 'records'
      readonly entity: string
      /** Not the record that the rule is about. */
      readonly other: boolean
      /** Only those of one tenant: the one of the record that the rule is about, else of whoever asks. */
      readonly tenant?: { readonly own: Checked; readonly of: Checked }
      /** Only those that are not archived: they are asked for by name, or not at all. */
      readonly live?: Checked
    }

export type AggregateName =
  | 'count'
  | 'sum'
  | 'min'
  | 'max'
  | 'any'
  | 'none'
  | 'all'
  | 'first'
  | 'list'
  | 'groups'
  | 'days'

/** A figure of each group, and the calendar that it is written with. */
export interface Figure {
  readonly name: 'count' | 'sum' | 'min' | 'max'
  /** Null where the records themselves are counted. */
  readonly value: Checked | null
  readonly type: Type
  readonly calendar: Calendar
}

/** Seen from each record. Empty ones come last. */
export interface Ordered {
  readonly of: Checked
  readonly down: boolean
}

type Operation =
  | { readonly op: 'literal'; readonly value: Wire }
  | { readonly op: 'field'; readonly path: Path }
  | { readonly op: 'me' | 'today' | 'now' }
  | { readonly op: 'limit' | 'answer' | 'setting'; readonly name: string }
  /** A constant as it is on a day; what it was and will be stands among the constants under its name with ` on`. */
  | { readonly op: 'limit on'; readonly name: string; readonly day: Checked }
  | { readonly op: 'and' | 'or'; readonly parts: readonly Checked[] }
  | { readonly op: 'not' | 'negate'; readonly of: Checked }
  | { readonly op: 'compare'; readonly sign: Sign; readonly left: Checked; readonly right: Checked }
  /** `is`: two-valued, empty counts as a value. */
  | { readonly op: 'same'; readonly left: Checked; readonly right: Checked }
  | { readonly op: 'empty'; readonly of: Checked }
  | { readonly op: 'in'; readonly of: Checked; readonly list: readonly Checked[] }
  | { readonly op: 'member'; readonly of: Checked; readonly source: Source }
  /** `parent`: the field of the tree's entity that refers to the record above. */
  | {
      readonly op: 'within'
      readonly of: Checked
      readonly tree: Checked
      readonly entity: string
      readonly parent: string
    }
  | { readonly op: 'between'; readonly of: Checked; readonly low: Checked; readonly high: Checked }
  | { readonly op: 'contains' | 'starts' | 'concat'; readonly left: Checked; readonly right: Checked }
  /** Numbers, money and clock durations. */
  | { readonly op: 'arithmetic'; readonly sign: ArithmeticSign; readonly left: Checked; readonly right: Checked }
  /** A date and days (whole number) or a calendar duration; a moment and a clock duration. */
  | { readonly op: 'shift'; readonly sign: '+' | '-'; readonly left: Checked; readonly right: Checked }
  /** Days from one date to another, or the time between two moments: left - right. */
  | { readonly op: 'difference'; readonly left: Checked; readonly right: Checked }
  | { readonly op: 'if'; readonly condition: Checked; readonly then: Checked; readonly otherwise: Checked }
  /** `calendar`: only of functions that look at it. `closed`: the days that are closed for the last argument, as `days` gives them. */
  | {
      readonly op: 'call'
      readonly name: string
      readonly arguments: readonly Checked[]
      readonly calendar?: Calendar
      readonly closed?: Checked
    }
  /** A duration so many times; one of days or months is a literal, and `by` a whole number. */
  | { readonly op: 'times'; readonly by: Checked; readonly of: Checked }
  /** Declared in the document, written in TypeScript. */
  | { readonly op: 'function'; readonly name: string; readonly arguments: readonly Checked[] }
  | {
      readonly op: 'aggregate'
      readonly name: AggregateName
      readonly source: Source
      /** What is looked at in each record, seen from it; null where the record itself counts. */
      readonly value: Checked | null
      readonly where: Checked | null
      /** Of `first`, which one that is, and of `list`; of those that are alike, the one whose `id` comes first; rows of a `list` as they stand. */
      readonly order?: readonly Ordered[]
      /** `list` and `groups` alone: how they say how many more there are. */
      readonly more?: string
      /** `groups` alone: what is said of each; `value` is what they go by. */
      readonly figures?: readonly Figure[]
      /** `groups` alone: what their heads are written with. */
      readonly calendar?: Calendar
    }
  /** One value per row, in the order of the rows. */
  | { readonly op: 'values'; readonly source: Source; readonly value: Checked }
  | { readonly op: 'error' }

export type Checked = Operation & {
  readonly type: Type
  /** May be empty (unknown). */
  readonly optional: boolean
}

export type CheckedNode<Op extends Checked['op']> = Extract<Checked, { readonly op: Op }>
