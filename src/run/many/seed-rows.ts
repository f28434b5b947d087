/** Rows of sample data, and theirs, on the way into the database with what they are part of. */
import { sql } from '../../expression/sql.ts'
import { columnSql, fromSql } from '../names.ts'
import type { ChildInput, Input } from '../outcome.ts'
import type { Runtime } from '../request.ts'
import { childLists } from '../write/draft-record.ts'

export interface SampleRow {
  readonly values: ChildInput['values']
  readonly name: string | null
  readonly rows: SampleRows
}

/** By list. */
export type SampleRows = Readonly<Record<string, readonly SampleRow[]>>

export const inputsOf = (rows: SampleRows): Input['children'] =>
  Object.fromEntries(
    Object.entries(rows).map(([field, all]) => [
      field,
      all.map(one => ({ id: null, values: one.values, children: inputsOf(one.rows) })),
    ]),
  )

/** Ids of what has a name, by entity. */
interface Calling {
  readonly runtime: Runtime
  readonly called: Map<string, Map<string, string>>
}

/** Other rows can name the rows that were made, and theirs. */
export async function callRows(work: Calling, entity: string, id: string, rows: SampleRows): Promise<void> {
  const { app, store } = work.runtime
  for (const { field, entity: of, parent } of childLists(app, entity)) {
    const all = rows[field] ?? []
    if (!all.some(isCalled)) continue
    const kept = await store.query<{ id: string }>(
      sql`select t.id from ${fromSql(of, 't')} where ${columnSql('t', parent)} = ${id}::uuid order by t.position`,
    )
    for (const [at, one] of kept.entries()) {
      call(work, of, all[at]?.name ?? null, one.id)
      await callRows(work, of, one.id, all[at]?.rows ?? {})
    }
  }
}

const isCalled = ({ name, rows }: SampleRow): boolean => name !== null || Object.values(rows).flat().some(isCalled)

/** What other rows call a record, or a row. */
export function call({ called }: Pick<Calling, 'called'>, entity: string, name: string | null, id: string): void {
  if (name === null) return
  called.set(entity, (called.get(entity) ?? new Map<string, string>()).set(name, id))
}
