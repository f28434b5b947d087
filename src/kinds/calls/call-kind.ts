/**
 * What a kind of call answers: one attempt to deliver one payload. When to try, how often, and what an answer means is
 * `run/later/deliver.ts`'s; an attempt neither retries nor writes anything.
 */

export interface CallKind<Payload> {
  /** As the outbox names it. */
  readonly name: string
  readonly meaning: string
  /** Never throws for what the other side does; only for mistakes of ours. */
  readonly attempt: (payload: Payload, environment: CallEnvironment) => Promise<Attempt>
}

/** What an attempt finds around it; everything from outside comes in here. */
export interface CallEnvironment {
  /** Value of an environment variable: secrets are looked up at the last moment and stored nowhere. */
  readonly variable: (name: string) => string | undefined
  /** `smtp://user:password@host:587` or `smtps://…`; null: mails are kept in the mailbox. */
  readonly smtp: string | null
  /** Sender of mails: `Loan desk <loans@example.org>`. */
  readonly from: string
  readonly now: Date
  /** Ends the attempt when the process stops. */
  readonly signal: AbortSignal
}

export type Attempt =
  /** The other side answered; `retryAfter` are the seconds that it asks for. `body` is JSON, else a text, null where it is empty. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown; readonly retryAfter: number | null }
  /** No answer in time. Whether it arrived is not known. */
  | { readonly kind: 'timeout' }
  /** `permanent`: trying again as it is cannot help. `refused`: the other side is there, and does not take this one. */
  | { readonly kind: 'failed'; readonly error: string; readonly permanent: boolean; readonly refused?: boolean }
  /** There is no mail server: the mail stays where people can read it. */
  | { readonly kind: 'kept' }
