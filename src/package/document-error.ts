import type { Finding } from '../document/finding.ts'

/** The document has errors, which the message shows as `ninefold check` does. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly errors: readonly Finding[]

  constructor(message: string, errors: readonly Finding[]) {
    super(message)
    this.errors = errors
  }
}
