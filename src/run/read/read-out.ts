/** A list taken out: every row of it that may be, page by page. */

import type { ReadRow, RowsData } from '../../kinds/screens/read-data.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { Request, Runtime } from '../request.ts'
import { read } from './read.ts'

/** So many rows of a file are read with one statement. */
const rowsAtOnce = 500

/**
 * All rows of a list that may be exported, page by page, so that no file is ever whole in memory and no statement runs long.
 * Null: nothing of this may be taken out.
 */
export async function readOut(
  runtime: Runtime,
  request: Request,
  need: RowsNeed,
): Promise<{ readonly columns: readonly string[]; readonly pages: AsyncIterable<readonly ReadRow[]> } | null> {
  const page = (after: string | null): Promise<RowsData | null> =>
    read(runtime, request, { ...need, out: true, after, before: null, limit: rowsAtOnce, countTo: 0 })
  const first = await page(null)
  if (first === null) return null
  async function* pages() {
    for (let at: RowsData | null = first; at !== null; at = at.next === null ? null : await page(at.next)) yield at.rows
  }
  return { columns: first.columns, pages: pages() }
}
