/**
 * Rows of lists, and whole pages of them, are mostly those that were read a moment ago: what is the same to the letter is the same object,
 * and what was made of it holds.
 */

import { memoize } from '../../expression/memoize.ts'
import type { Statement } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import type { Request } from '../request.ts'
import { fromArray, type Selection } from './select.ts'

/** Beyond so many in all they are read anew. */
const mostRows = 5000
/** Of pages: beyond so many letters in all. */
const mostLetters = 4_000_000

type Rows = Map<string, ReadRow>

let known = new WeakMap<Selection, WeakMap<Request['limits'], Rows>>()
let count = 0

/** The row of `line`: a JSON array whose first values are as `selectArray` of the selection gives them. */
export function rowOf(selection: Selection, request: Request, line: string): ReadRow {
  if (count > mostRows) {
    known = new WeakMap()
    count = 0
  }
  // Beside the cells only the constants decide what a row is read as.
  const rows = memoize(
    memoize(known, selection, () => new WeakMap<Request['limits'], Rows>()),
    request.limits,
    (): Rows => new Map(),
  )
  const found = rows.get(line)
  if (found !== undefined) return found
  const row = selection.read(fromArray(selection.parts, JSON.parse(line)), request)
  // Written anew: a piece of a text keeps all of it in memory.
  rows.set(Buffer.from(line).toString(), row)
  count++
  return row
}

/** Rows of a page, and the places where its neighbours begin. */
export interface PageRows {
  readonly rows: readonly ReadRow[]
  readonly groups: readonly Wire[]
  readonly next: string | null
  readonly previous: string | null
}

let pages = new WeakMap<Statement, WeakMap<Request['limits'], Map<string, PageRows>>>()
let letters = 0

/** What `read` makes of the `lines` that a statement gave; beside those two only the constants decide it. */
export function pageOf(statement: Statement, request: Request, lines: string, read: () => PageRows): PageRows {
  if (letters > mostLetters) {
    pages = new WeakMap()
    letters = 0
  }
  const known = memoize(
    memoize(pages, statement, () => new WeakMap<Request['limits'], Map<string, PageRows>>()),
    request.limits,
    () => new Map<string, PageRows>(),
  )
  return memoize(known, lines, () => {
    letters += lines.length
    return read()
  })
}
