/** What an expression is evaluated against. */
import type { CheckedNode } from './checked.ts'
import type { RecordValue, Wire } from './type.ts'

/** The result when a record is needed that is not at hand: the browser leaves the decision to the server. */
export const NOT_LOADED = Symbol('not loaded')
export type NotLoaded = typeof NOT_LOADED

/** What a function is given: a value, a record, the rows of a list. */
export type Given = Wire | RecordValue | readonly RecordValue[]

/** `count(Loan where …)`, `sum(other Booking.pieces where …)`. */
export type Search = CheckedNode<'aggregate'>

/** What an expression is evaluated against; all values as on the wire. */
export interface Environment {
  /**
   * The record. A field without a value may be missing or null; a computed field that is missing is computed; a child list
   * that is missing is not loaded.
   */
  readonly row: RecordValue
  /** The record before the change; null when there is none. */
  readonly old: RecordValue | null
  /** The id of the person who is signed in. */
  readonly me: string | null
  /** That person's record, when it is at hand. */
  readonly my: RecordValue | null
  /** `YYYY-MM-DD`. */
  readonly today: string
  /** ISO 8601. */
  readonly now: string
  readonly limits: Readonly<Record<string, Wire>>
  /** Dates on which there is no work although it is a working day, in order; missing: not at hand. */
  readonly closed?: readonly string[]
  /** What a call was answered under a name: `id`, `rates.GBP`. */
  readonly answer?: (name: string) => Wire
  /** The same as the text of its JSON: of a name in it, of all of it for ''. */
  readonly answered?: (name: string) => Wire
  readonly settings?: Readonly<Record<string, Wire>>
  /** The record that the rule is about, where that is not `row`. */
  readonly this?: RecordValue
  /** Ids of the records that have names here. */
  readonly records?: Readonly<Record<string, string | null>>
  /** A record that a reference leads to; undefined when it is not at hand. A field it lacks counts as not loaded. */
  readonly related: (entity: string, id: string) => RecordValue | undefined
  /** All records of an entity, for `any(Loan where …)`; undefined or missing: not at hand. */
  readonly all?: (entity: string) => readonly RecordValue[] | undefined
  /** What is found by searching all records of an entity, `about` being `this`; missing: nobody is asked. */
  readonly search?: (search: Search, about: RecordValue) => Wire | NotLoaded
  /** Functions of the document, written in TypeScript; missing: not at hand. */
  readonly functions?: Readonly<Record<string, (...values: readonly Given[]) => Wire>>
  /** The row has only some of its fields (a form that does not show all): a missing field counts as not loaded. */
  readonly partial?: boolean
}
