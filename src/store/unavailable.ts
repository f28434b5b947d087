/**
 * The database cannot be reached, started or used, for a reason that lies outside the document and outside our code.
 * Callers show `message` and `hint` to whoever started Ninefold, without a stack.
 */
export class Unavailable extends Error {
  /** What the reader can do about it. */
  readonly hint: string
  /** Of the page that tells more (`docs/codes`); null: there is none. */
  readonly code: string | null

  constructor(message: string, hint: string, cause?: unknown, code: string | null = null) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'Unavailable'
    this.hint = hint
    this.code = code
  }
}

/** The connection broke while a transaction was being committed: nobody knows whether it is kept. */
export class Unsure extends Error {
  constructor(cause: unknown) {
    super('The connection broke during a commit.', { cause })
    this.name = 'Unsure'
  }
}
