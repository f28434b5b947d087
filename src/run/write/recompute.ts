/** Fields that code works out (`= fee(lines)`): stored, and brought to what they are now whenever their record is written. */
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import { identifier, join, slot, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import { columnSql, fromSql, typeOf } from '../names.ts'
import type { Request } from '../request.ts'
import { built, cachedStatement, ofEntity } from '../statements.ts'
import { sqlType } from '../values.ts'
import { beginCode, codeFailure, hearingIn } from './code.ts'
import type { ChangedRecord } from './domain-events.ts'
import { type Draft, draftRows } from './draft-record.ts'
import { environmentOf, type Related } from './environment.ts'
import type { Scope } from './scope.ts'
import { heldAs } from './worked-out.ts'

const recomputedFields = ofEntity((app, entity) => app.entities.get(entity)!.fields.filter(({ renewed }) => renewed))

/** Before it is judged: of the record as it will be, and of those of its rows that were not there like this. Gives its own keys that changed. */
export function recompute({ app, request, related }: Scope, { entity, record, old }: ChangedRecord): readonly string[] {
  for (const { of, row, before, prefix } of draftRows(app, entity, record, old))
    if (prefix !== '' && row !== before) recomputeOne(app, request, related, of, row, before)
  return recomputeOne(app, request, related, entity, record, old).filter(key => (old?.[key] ?? null) !== record[key])
}

/** What code does not know is empty; of what it fails at nothing is written (`hearingIn`). */
function recomputeOne(
  app: App,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
  before: RecordValue | null,
): readonly string[] {
  const isFrozen = ({ frozen }: Field) => frozen !== null && (before?.[frozen.mark] ?? null) !== null
  return recomputedFields(app, entity).map(field => {
    if (isFrozen(field)) return field.key
    const { key, copiedFrom } = field
    const value = copiedFrom === null ? null : evaluate(copiedFrom, environmentOf(request, related, record, null))
    record[key] = value === NOT_LOADED || Array.isArray(value) ? null : heldAs(value, field)
    return key
  })
}

/**
 * Of a record that nobody writes: the code is another one since. Its version and its history stay. What is only added keeps what it had,
 * and so does what the code fails at.
 */
export async function recomputeStored(
  tx: Tx,
  app: App,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
): Promise<void> {
  if (app.entities.get(entity)!.appendOnly !== null) return
  const was: RecordValue = { ...record }
  beginCode(tx)
  const keys = recomputeOne(app, hearingIn(tx, app, request), related, entity, record, record)
  if (codeFailure(tx) !== null) return
  const changed = keys.filter(key => (was[key] ?? null) !== record[key])
  if (changed.length === 0) return
  const query = cachedStatement(app, ['renew', entity], () => {
    const values = keys.map(key => sql`${identifier(key)} = ${slot(key)}::${sqlType(typeOf(app, entity, key)!)}`)
    return built(
      sql`update ${fromSql(entity, 't')} set ${join(values, ', ')} where ${columnSql('t', 'id')} = ${slot('id')}::uuid`,
    )
  })
  tx.tell(entity, record.id as string, new Set(changed))
  await tx.write(query, { id: record.id, ...Object.fromEntries(keys.map(key => [key, record[key]])) })
}
