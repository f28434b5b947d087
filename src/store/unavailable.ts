/**
 * The database cannot be reached, started or used, for a reason that lies outside the document and outside our code.
 * Callers show `message` and `hint` to whoever started Ninefold, without a stack.
 */
export class Unavailable extends Error {
  /** What the reader can do about it. */
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'Unavailable'
    this.hint = hint
  }
}

/** The connection broke while a transaction was being committed: nobody knows whether it is kept. */
export class Unsure extends Error {
  constructor(cause: unknown) {
    super('The connection broke during a commit.', { cause })
    this.name = 'Unsure'
  }
}
