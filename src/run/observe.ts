/** Everything worth telling, as one closed type: what listens (a log, counters) decides what to show. */
import type { Outcome } from './outcome.ts'
import type { Request } from './request.ts'

export type Observation =
  /** A write came to its end. `what`: `create`, `change`, `delete`, or the key of a step. */
  | {
      readonly kind: 'wrote'
      readonly what: string
      readonly entity: string
      readonly request: Request
      readonly outcome: Outcome
    }
  /** A timer of a record fired, or could not (`error`). */
  | {
      readonly kind: 'timer'
      readonly entity: string
      readonly record: string
      readonly timer: string
      readonly error: string | null
    }
  /** A standby begins to be read, or is not read any more, and why (`error`). */
  | { readonly kind: 'standby'; readonly error: string | null }
  /** One attempt to deliver a mail or a call; `state` is what became of the row. */
  | {
      readonly kind: 'delivery'
      readonly of: 'mail' | 'call'
      readonly name: string
      readonly id: string
      readonly attempt: number
      readonly status: number | null
      readonly state: 'waiting' | 'delivered' | 'failed'
      readonly error: string | null
      readonly seconds: number
      /** W3C Trace Context, as a call says it to its receiver. */
      readonly traceparent?: string
    }
