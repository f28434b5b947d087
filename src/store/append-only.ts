/**
 * `Append only: yes`: a trigger on the table of an entity, and on those of its links, refuses every change and deletion. It lets be what a
 * transaction does that says so: erasing what is personal, letting go what need not be kept any more, and migrations.
 */
import { sql } from '../expression/sql.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import { shortName } from './names.ts'
import type { Constraint } from './physical.ts'
import type { Tx } from './pool.ts'

/** `table`: the entity's own, or one of its links. */
export function appendOnly({ key, appendOnly: cell }: Entity, table = key): readonly Constraint[] {
  if (cell === null) return []
  const holds = { rule: 'append only', entity: key, field: null, name: null, cell } as const
  return [{ kind: 'append only', name: shortName(table, 'append_only'), holds }]
}

/** Does the work as if nothing were append only, and only this work. An error undoes the transaction, or the attempt, and the setting with it. */
export async function released<Value>(tx: Tx, work: () => Promise<Value>): Promise<Value> {
  await tx.query(sql`select set_config('ninefold.append_only', 'off', true)`)
  const value = await work()
  await tx.query(sql`select set_config('ninefold.append_only', 'on', true)`)
  return value
}
