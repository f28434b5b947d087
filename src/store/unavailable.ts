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
