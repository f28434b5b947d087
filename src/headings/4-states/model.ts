/** Heading 4: states and transitions. */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { SortKey } from '../2-screens/model.ts'
import type { Choosing } from '../3-entities/model.ts'
import type { Specified } from '../specified.ts'

/** The life of one entity's records. The current state stands in the built-in field `state`. */
export interface Workflow {
  readonly entity: string
  readonly cell: Cell
  /** In the document's order. */
  readonly states: readonly State[]
  /** Where a record begins: in the first of these whose condition holds; the last one has none. */
  readonly starts: readonly Start[]
  readonly transitions: readonly Transition[]
  /** What steps wait for: the rows of a step that apply to a record all have to be given. */
  readonly approvals: readonly Approval[]
}

export interface Start {
  readonly state: string
  readonly when: Expression | null
}

export interface State {
  readonly name: string
  readonly cell: Cell
  /** States that its records were in before: renamed, or taken out and their records brought here. */
  readonly was: readonly string[]
  readonly kind: 'start' | 'end' | null
  /** Of a start that is one of several: when records begin in it; null: what is written there has a mistake. Absent: it is the one of all others. */
  readonly begins?: Expression | null
  /** Of an end: what it means to whoever asked. Absent: worked out from the way that leads there. */
  readonly outcome?: 'good' | 'bad'
  /** What people cannot change while a record is in it; null: nothing. Steps, timers and calls still set what they set. */
  readonly locks: Lock | null
  readonly meaning: Cell | null
}

/** `all`, with exceptions, or some fields, as keys. Where all is locked, the record cannot be deleted either. */
export type Lock = { readonly cell: Cell } & (
  | { readonly kind: 'all'; readonly except: readonly string[] }
  | { readonly kind: 'fields'; readonly fields: readonly string[] }
)

/** A field that the form of a step asks for. Whoever may take the step may set it with the step, and only with it. */
export interface AskedField {
  readonly field: string
  /** It must be given with the step, whatever stands in the field already. */
  readonly required: boolean
  readonly cell: Cell
}

export interface Transition {
  /** `hand_out`: in addresses and in the API. Rows with the same name are branches, tried in order. */
  readonly key: string
  /** `hand out`. */
  readonly name: string
  readonly cell: Cell
  readonly from: Specified<readonly string[]>
  readonly fromCell: Cell
  readonly to: Specified<string>
  readonly who: Specified<Who>
  readonly when: Specified<Expression> | null
  /** In the order of the form. */
  readonly asks: readonly AskedField[]
  /** The catalogue's code that tells why the step is refused where Who or When does; null: a built-in one. */
  readonly error: Specified<string> | null
  /** `E-CUT in Closed`: the codes that refuse it in states that it does not lead from. */
  readonly elsewhere: readonly Elsewhere[]
  /** In order. Calls of heading 7 whose trigger names this step stand here too, once, however often they are said. */
  readonly then: readonly Act[]
  /** How long whoever took it can take it back; null: not at all. */
  readonly undo: { readonly cell: Cell; readonly seconds: number } | null
  readonly meaning: Cell | null
}

/** `states` null: `in other states`, those of which no other code speaks. */
export interface Elsewhere {
  readonly cell: Cell
  readonly error: string
  readonly states: readonly string[] | null
}

/** `except` are people who may not, whoever they are; where such a field is empty it leaves nobody out. */
export type Who = { readonly cell: Cell; readonly except: readonly Expression[] } & (
  | { readonly kind: 'everyone signed in' }
  /** One of the roles, or one of the people that fields name. */
  | { readonly kind: 'roles'; readonly roles: readonly string[]; readonly people: readonly Expression[] }
)

/** So many people of `from` have to decide for the step before it happens, where `when` is not false. A person counts once for a step. */
export interface Approval {
  /** Decisions are kept under it. */
  readonly key: string
  readonly name: string
  readonly cell: Cell
  /** Key of the step. */
  readonly step: string
  /** Keys of approvals of the same step, above it: nobody is asked before each of them is given, or not needed. */
  readonly after: readonly string[]
  readonly when: Specified<Expression> | null
  readonly needs: Specified<Needs>
  readonly from: Specified<Deciders>
  /** Who never counts, whoever they are; where such a field is empty it leaves nobody out. */
  readonly except: readonly Expression[]
  /** `none` in it says that whoever made the record may decide, too. */
  readonly exceptCell: Cell | null
  readonly deputy: Deputy | null
  /** What decisions for it outlast; null: nothing that changes the record or its state. */
  readonly survives: Survives | null
  readonly meaning: Cell | null
}

/**
 * Holders of roles, people that fields and other expressions name: one (`reference`), or several (`list`, `values`), and whoever of them
 * all meets a condition, in which `this` is the record.
 */
export interface Deciders {
  readonly cell: Cell
  readonly roles: readonly string[]
  readonly people: readonly Expression[]
  readonly chosen: readonly Choosing[]
}

/** So many people, or a share of all whom it names: `majority` is more than half. */
export type Needs = number | 'all' | 'majority' | `${number}%`

/** How many of so many people it takes; at least one. */
export function neededOf(needs: Needs, all: number): number {
  if (typeof needs === 'number') return needs
  if (needs === 'all') return Math.max(1, all)
  return needs === 'majority'
    ? Math.floor(all / 2) + 1
    : Math.max(1, Math.ceil((Number.parseInt(needs, 10) * all) / 100))
}

/** Changes of these fields, and these steps with all that they change. Keys. */
export interface Survives {
  readonly cell: Cell
  readonly fields: readonly string[]
  readonly steps: readonly string[]
}

/** `named`: whom people name themselves, with dates; `people`: those whom fields of the record name. */
export interface Deputy {
  readonly cell: Cell
  readonly named: boolean
  readonly people: readonly Expression[]
}

/** A timer of each record of an entity, or of each row of a record. */
export interface Timer {
  /** Among the timers of its entity. */
  readonly key: string
  readonly name: string
  readonly cell: Cell
  readonly entity: string
  /** States in which it is armed; null: the entity has none. */
  readonly while: readonly string[] | null
  /** States in which its clock stands; null: in none. */
  readonly stands: readonly string[] | null
  /** It is armed only while the record waits in them for this approval (its key), and entering is when it begins to wait. */
  readonly waits: string | null
  readonly at: TimerAt
  readonly missed: Missed | null
  /** Asked when it fires; where it does not hold, nothing happens this time. */
  readonly when: Specified<Expression> | null
  readonly then: readonly Act[]
  readonly meaning: Cell | null
}

/** What becomes of a time that was missed; null: it happens once, however late. `skip`: not at all, when it is so late. `each`: each of them. */
export type Missed = { readonly cell: Cell } & (
  | { readonly kind: 'each' }
  | { readonly kind: 'skip'; readonly minutes: number }
)

export interface TimeOfDay {
  readonly hour: number
  readonly minute: number
}

/** A time of day as it is written, or as a constant says (`limits.cut_off`). */
export type Clock = TimeOfDay | Expression

/** When a timer fires, in the application's time zone. */
export type TimerAt = {
  readonly cell: Cell
} /** Once: `due_back - 2 days` at 09:00; `time` null where `at` is a moment itself. `working`: so far from there. */ & (
  | {
      readonly kind: 'once'
      readonly at: Expression
      readonly time: Clock | null
      readonly working: (Working & { readonly before: boolean }) | null
    }
  /** Once, so long after the record came into the states. `length` is a length of time; `time` null: at the time at which it came. */
  | {
      readonly kind: 'after entering'
      readonly length: Expression | Working
      readonly time: Clock | null
    }
  /** Again and again while the record is in the states. `whose`: on the working days of this record; null: everybody's, or the rhythm names its days. */
  | { readonly kind: 'every'; readonly rhythm: Rhythm<Clock>; readonly whose: Expression | null }
)

/** A number of working days, or of hours within the working time of heading 9. */
export interface Working {
  readonly of: 'days' | 'hours'
  readonly count: Expression
  /** The record whose closed days count; null: only everybody's. */
  readonly whose: Expression | null
}

/**
 * A timer that looks for its records when it is time: `every weekday at 06:00 for each Loan where due_back < today`. Or it is about none:
 * what it says happens once, and its acts name the records.
 */
export interface Sweep {
  /** Among the timers of its entity. */
  readonly key: string
  readonly name: string
  readonly cell: Cell
  /** Where it is about no record, the one that its first act is about. */
  readonly entity: string
  readonly alone: boolean
  readonly at: { readonly cell: Cell; readonly rhythm: Rhythm<Clock> }
  readonly missed: Missed | null
  /** Null: whatever the record says. */
  readonly where: Expression | null
  /** States that its records are in; null: any, or none. */
  readonly while: readonly string[] | null
  readonly when: Specified<Expression> | null
  /** What happens with each of them. */
  readonly then: readonly Act[]
  readonly meaning: Cell | null
}

/** `days`: Monday to Sunday; null: the working days of heading 9. `minutes` are counted from midnight. */
export type Rhythm<Time = TimeOfDay> =
  | { readonly of: 'days'; readonly days: readonly boolean[] | null; readonly time: Time }
  | ({ readonly of: 'dates'; readonly time: Time } & Dates)
  | { readonly of: 'minutes'; readonly minutes: number }

/**
 * One day of each month, quarter or year; of one month of each year (1 to 12) where `month` says so. `nth`: from 1 on, or from -1 on
 * from the end, among all its days, its working days, or one day of its weeks (0 is Monday). A month that has no 31st is meant with its last day.
 */
export interface Dates {
  readonly every: 'month' | 'quarter' | 'year'
  readonly month: number | null
  readonly nth: number
  readonly among: 'days' | 'working days' | number
}

/**
 * What happens with a step, with a timer, or with what happened to a record. `send mail`, `call` and `report` leave through the
 * outbox after the commit; everything else happens in the transaction. `set` with `of` null writes fields of the record itself, else
 * of the one record that the target is, where there is one: all of its values are worked out first, and they are one change.
 */
export type Act = {
  readonly cell: Cell
  /** It follows from `frozen on` of heading 3. */
  readonly freezes?: true
} & (
  | { readonly kind: 'set'; readonly of: Target | null; readonly values: readonly Given[] }
  /** A name for a value, known to the acts behind it. */
  | { readonly kind: 'let'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'go to'; readonly state: string }
  /** The application chooses anew for a field that is `assigned from` records; empty where none is free. */
  | { readonly kind: 'assign'; readonly field: string }
  /** A row goes to the end of the list of the record that it is given as the one it is part of. */
  | {
      readonly kind: 'create'
      readonly entity: string
      readonly values: readonly Given[]
      readonly rows: readonly GivenRows[]
    }
  /** Archived instead, where their entity says so; rows go from what they are part of. */
  | { readonly kind: 'delete'; readonly of: Target }
  /** `step` is a key of the target's entity. */
  | { readonly kind: 'do'; readonly step: string; readonly on: Target }
  /** The acts are about each of the records, which may have a `name`; `this` in them is the record that it happens with. */
  | { readonly kind: 'for each'; readonly name: string | null; readonly of: Target; readonly acts: readonly Act[] }
  | { readonly kind: 'send mail'; readonly mail: string; readonly to: Expression | null }
  | { readonly kind: 'call'; readonly call: string }
  /** Those about the record that nobody has tried to send yet. */
  | { readonly kind: 'withdraw'; readonly call: string }
  | { readonly kind: 'report'; readonly error: string }
)

/** A value that a record is created with, or that one is given. */
export interface Given {
  readonly cell: Cell
  readonly field: string
  readonly value: Expression
}

/** Rows that a new record is created with: one for each of the records, whose names the values are in. */
export interface GivenRows {
  readonly cell: Cell
  /** The list. */
  readonly field: string
  /** Of the rows. */
  readonly entity: string
  readonly name: string | null
  readonly of: Target
  readonly values: readonly Given[]
  /** The rows in them. */
  readonly rows: readonly GivenRows[]
}

/** Which records an act is about. */
export type Target = { readonly cell: Cell; readonly entity: string } & (
  | { readonly kind: 'itself' }
  /** One record or none; of a list, its rows. */
  | { readonly kind: 'path'; readonly path: Expression }
  /**
   * `other`: all but the record that it happens with. `order`: fields of theirs; those that are alike, as all are where it says
   * nothing, come in the order in which they were created. `first`: only the one that comes first, if there is one.
   */
  | {
      readonly kind: 'records'
      readonly where: Expression | null
      readonly other: boolean
      readonly order: readonly SortKey[]
      readonly first: boolean
    }
)

/** A row of `| On | Of | When | Then |`: what follows from what happened to a record, however it was caused. */
export interface Effect {
  readonly cell: Cell
  readonly entity: string
  /** `created`, `changed`, `deleted`, or keys of steps. */
  readonly on: readonly string[]
  readonly when: Specified<Expression> | null
  readonly then: readonly Act[]
  readonly meaning: Cell | null
}
