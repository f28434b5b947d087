/** For tests: the document that most of them try to break. */
import { readFileSync } from 'node:fs'

/** The loan desk without its files of sample data: all of it is in one text. */
export const loanDeskAlone = readFileSync(
  new URL('../../examples/loan-desk/loan-desk.md', import.meta.url),
  'utf8',
).replace(/(?:### Person\n\n)?- \*\*Sample data:.*\n\n/g, '')
