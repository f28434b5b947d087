/** A list taken out: every row of it that may be, page by page. */

import { slot, sql } from '../../expression/sql.ts'
import type { ReadRow, RowsData } from '../../kinds/screens/read-data.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { policyFor } from '../access/policy.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { type DeepList, deepLists } from '../write/draft-record.ts'
import { childrenOf, type ReadChildren } from './children.ts'
import { read } from './read.ts'
import { visibleFields, visibleLists } from './select.ts'

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

/** A list of rows, at whatever depth, of which something may be taken out. */
export interface ListOut {
  readonly list: DeepList
  readonly fields: readonly string[]
}

/** The lists of rows that go out with records of an entity: each one before those in its rows. */
export function listsOut({ app }: Runtime, { actor }: Request, entity: string): readonly ListOut[] {
  const policy = policyFor(app, actor)
  const isOut = ({ within, field, entity: rows }: DeepList): boolean =>
    policy.rows(rows, 'export', 't') !== false &&
    visibleLists(app, policy, within?.entity ?? entity).some(list => list.field === field) &&
    (within === null || isOut(within))
  return deepLists(app, entity)
    .filter(isOut)
    .map(list => ({ list, fields: visibleFields(app, policy, list.entity) }))
}

/** The rows of records that go out, and theirs: in one statement, by the id of the record. */
export async function rowsOut(
  { app, store }: Runtime,
  request: Request,
  entity: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadChildren>> {
  const policy = policyFor(app, request.actor)
  const { children, statement } = cachedStatement(app, ['rows out', policy.key, entity], () => {
    const rows = childrenOf(app, policy, entity, { out: true })
    const id = columnSql('t', 'id')
    return {
      children: rows,
      statement: built(
        sql`select ${id} as id, ${rows.column} from ${fromSql(entity, 't')} where ${id} = any(${slot('ids')}::uuid[])`,
      ),
    }
  })
  const found = await store.run<{ id: string; ' children'?: unknown }>(statement, bindingsOf(request, { ids }))
  return new Map(found.map(one => [one.id, children.read(one, request)]))
}
