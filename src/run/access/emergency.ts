/** Opening one record that one does not see, for a while and with a reason: what the column Emergency of heading 6 lets. */
import { identifier, slot, sql } from '../../expression/sql.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { App } from '../../headings/app.ts'
import { reasonLimit } from '../approvals/decide.ts'
import { columnSql, fieldSql, fromSql, typeOf } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { lineOf } from '../read/history.ts'
import { isSingle } from '../read/select.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { fits, sqlType } from '../values.ts'
import { wantingArchived } from './archived.ts'
import { allOf, anyOf, conditionSql } from './condition.ts'
import { tellsApart } from './identifying-fields.ts'
import { policyFor } from './policy.ts'
import { opensIn, writeReading } from './read-log.ts'

export type Opened =
  /** `until` null: they see the record anyway, and nothing was written down. */
  | { readonly kind: 'done'; readonly id: string; readonly until: string | null }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'not found'; readonly problem: Problem }

export interface Asking {
  readonly entity: string
  /** Its id, or what it has in a field that no other record has the same in. */
  readonly record: string
  readonly reason: string | null
}

/**
 * Writes down who opens which record, why and until when; from then on `read` gives it to them. Whether there is such a record is
 * answered only to whoever gave a reason, and what is found is in the log by then.
 */
export async function openInEmergency(runtime: Runtime, request: Request, asking: Asking): Promise<Opened> {
  const { app, store } = runtime
  const { entity, reason } = asking
  const notThere: Opened = { kind: 'not found', problem: raise(app, 'NF-NOT-FOUND', {}, { field: 'record' }) }
  if (app.entities.get(entity)?.partOf !== null || !opensIn(app, request.actor, entity)) return notThere
  const problems = wrongIn(app, asking)
  if (problems.length > 0) return { kind: 'refused', problems }
  return store.inTransaction(async (tx): Promise<Opened> => {
    const { query, cell } = whichOf(app, request, asking)
    const found = await tx.run<{ id: string; seen: boolean | null }>(
      query,
      bindingsOf(request, { named: asking.record }),
    )
    const [record] = found
    if (record === undefined || found.length > 1) return notThere
    if (record.seen === true) return { kind: 'done', id: record.id, until: null }
    const minutes = engineValue(request.limits, 'emergency_access')
    const until = new Date(request.now.getTime() + minutes * 60_000).toISOString()
    const records = [record.id]
    await writeReading(tx, app, request, {
      entity,
      records,
      way: 'emergency',
      through: null,
      reason,
      until,
      because: lineOf(cell),
    })
    return { kind: 'done', id: record.id, until }
  })
}

function wrongIn(app: App, { record, reason }: Asking): readonly Problem[] {
  const missing = (label: string, field: string) => raise(app, 'NF-REQUIRED', { label }, { field, because: null })
  return [
    ...(record.trim() === '' ? [missing('record', 'record')] : []),
    ...(reason === null
      ? [missing('reason', 'reason')]
      : [...reason].length > reasonLimit
        ? [
            raise(
              app,
              'NF-LONG',
              { label: 'reason', limit: reasonLimit, found: [...reason].length },
              { field: 'reason', because: null },
            ),
          ]
        : []),
  ]
}

/** Finds the record among those that may be opened, or are seen anyway; by a field only where that may be seen then. */
function whichOf(app: App, request: Request, { entity, record }: Asking) {
  const actor = wantingArchived(app, request.actor, entity)
  const asked = policyFor(app, { ...actor, emergency: 'asked' })
  const fields = app.entities.get(entity)!.fields.filter(field => {
    const type = typeOf(app, entity, field.key)
    return tellsApart(field) && isSingle(app, entity, field.key) && type !== undefined && fits(type, record)
  })
  const isId = fits({ kind: 'reference', entity }, record)
  const cell = policyFor(app, request.actor).because(entity, 'emergency', true).cell
  const keys = fields.map(({ key }) => key)
  const query = cachedStatement(app, ['emergency', asked.key, entity, isId, ...keys], () => {
    const named = anyOf([
      ...(isId ? [sql`${columnSql('t', 'id')} = ${slot('named')}::text::uuid`] : []),
      ...keys.map(key =>
        allOf([
          asked.field(entity, key, 't'),
          sql`${fieldSql(app, entity, key, 't')} = ${slot('named')}::text::${sqlType(typeOf(app, entity, key)!)}`,
        ]),
      ),
    ])
    const everyDay = policyFor(app, actor).rows(entity, 'see', 't')
    return built(sql`select ${columnSql('t', 'id')} as ${identifier('id')}, (${conditionSql(everyDay)}) as seen
      from ${fromSql(entity, 't')} where ${conditionSql(allOf([asked.rows(entity, 'see', 't'), named]))} limit 2`)
  })
  return { query, cell }
}
