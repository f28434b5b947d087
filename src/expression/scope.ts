/** What the names of an expression mean at the place where it is written. */
import type { Calendar } from './calendar.ts'
import type { EntityShape, Schema, Type } from './type.ts'

export interface Scope {
  readonly schema: Schema
  /** Whose fields bare names are; null where there is no record (a constant's range, a page's title). */
  readonly self: EntityShape | null
  /** The entity `Person`; null where nobody is signed in. */
  readonly me: EntityShape | null
  readonly limits: ReadonlyMap<string, LimitShape>
  /** `old.<field>` is known: the expression is asked when a record changes. */
  readonly old: boolean
  /** `answer.<anything>` is known, as text that may be empty: the expression belongs to a call's answer. */
  readonly answer: boolean
  /** The record that the rule is about, where that is not `self`: in a filter of another entity (`choose from Item where …`). */
  readonly this?: EntityShape
  /** `settings.<name>` is text: any name, or only these. */
  readonly settings?: 'any' | ReadonlySet<string>
  /**
   * Functions of the document; they may be asked here where `code` is set, because JavaScript decides. `by parts`: of what must all
   * hold the database decides the parts without them, which may look at all records.
   */
  readonly functions?: ReadonlyMap<string, FunctionShape>
  readonly code?: boolean | 'by parts'
  /** What is asked is the opposite, as if all of it stood under a `not`. */
  readonly negated?: boolean
  /** The application's clocks and days; UTC where none is said. */
  readonly calendar?: Calendar
  /** What a report asks its reader: `asked.from`. Absent: nothing is asked here. */
  readonly asked?: ReadonlyMap<string, LimitShape>
  /** Records that have names here, as `order` behind `for each order in …`: their entities. */
  readonly records?: ReadonlyMap<string, string>
  /** Values that have names here, as `taken` behind `let taken = …`. A record among them is reached like those of `records`. */
  readonly locals?: ReadonlyMap<string, LimitShape>
  /** The name that the records have behind the colon of `for each order in …`, which is not known while they are selected. */
  readonly naming?: string
  /** Records that have names here, as those of a scenario: their entities. The value of a name is the name. */
  readonly named?: ReadonlyMap<string, string>
  /** The rates by which amounts are converted; absent: no entity says any. */
  readonly exchange?: Exchange
  /** Amounts may be converted here: a field is computed from it. */
  readonly converts?: boolean
  /** The heading that diagnostics are counted to; 0 when it is not said. */
  readonly section?: number
}

/** The entity whose records are exchange rates, and which of its fields say what. */
export interface Exchange {
  readonly entity: string
  readonly currency: string
  readonly rate: string
  readonly since: string
  /** The currency that all rates are about. */
  readonly base: string
  /** What the rate is of: so much of the base for one of the currency, or so much of the currency for one of the base. */
  readonly per: 'currency' | 'base'
}

export interface LimitShape {
  readonly type: Type
  /** Its value is not specified (yet): unknown. */
  readonly optional: boolean
}

/** A function of the document, written in TypeScript. */
interface FunctionShape {
  readonly takes: readonly { readonly name: string; readonly type: Type }[]
  readonly gives: Type
}
