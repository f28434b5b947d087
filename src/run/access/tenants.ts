/** Whose a record is, where the document keeps tenants apart. */
import { sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { columnSql, declared } from '../names.ts'
import type { Condition } from './condition.ts'

interface Of {
  readonly entity: string
  readonly record: RecordValue
}

/** The id of the tenant; null where the record is everybody's. */
export function tenantOf(app: App, { entity, record }: Of): string | null {
  const { tenant } = app.schema.get(entity)!
  return tenant === undefined ? null : ((record[tenant.field] ?? null) as string | null)
}

/** The field that the application fills with the tenant; null where there is none, or the record says it otherwise. */
export function hiddenTenant(app: App, entity: string): string | null {
  const key = app.schema.get(entity)!.tenant?.field
  return key !== undefined && declared(app, entity, key)?.hidden != null ? key : null
}

/** The rows of `alias` that are of the same tenant as a record; all, where one of the two is everybody's. */
export function beside(app: App, entity: string, of: Of, alias = 't'): Condition {
  const { tenant } = app.schema.get(entity)!
  if (tenant === undefined || app.schema.get(of.entity)!.tenant === undefined) return true
  return sql`${columnSql(alias, tenant.field)} = ${tenantOf(app, of) satisfies Wire}::uuid`
}
