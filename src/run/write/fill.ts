/** Defaults, and values that are copied from other records, in a record and its new child rows. */
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { hiddenTenant, tenantOf } from '../access/tenants.ts'
import type { Request } from '../request.ts'
import {
  childLists,
  type Draft,
  type DraftRow,
  environmentOfRules,
  newRows,
  type Related,
  storedFields,
  withRelated,
} from './record.ts'

/** `given` are the posted fields by prefix of their path (`''`, `lines.0.`). Of a stored record (`old`) only its new rows are filled. */
export async function fillIn(
  app: App,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
  old: RecordValue | null,
  given: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  related.put(entity, record)
  const rows = newRows(app, entity, record, old)
  for (const { of, row, prefix } of rows) {
    const start = app.workflows.get(of)?.start
    if (prefix !== '' && start !== undefined) row.state = start
  }
  // All rows at once, so that what they need of other records is loaded once.
  await withRelated(related, () => {
    for (const row of rows) fillRow(app, request, related, row, given.get(row.prefix))
  })
  for (const { of, row } of rows) for (const key of storedFields(app, of)) row[key] ??= null
}

/** Values that are copied from what the application chose for the record and its new rows. */
export async function copyAssigned(
  app: App,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
  old: RecordValue | null,
): Promise<void> {
  const copies = newRows(app, entity, record, old).flatMap(({ of, row }) => {
    const { fields } = app.entities.get(of)!
    const assigned = fields.flatMap(({ key, assignedFrom }) => (assignedFrom === null ? [] : [key]))
    return fields.flatMap(({ key, copiedFrom }) =>
      copiedFrom?.reads.some(path => assigned.includes(path.split('.')[0]!)) ? [{ key, copiedFrom, of, row }] : [],
    )
  })
  await withRelated(related, () => {
    for (const { key, copiedFrom, of, row } of copies) {
      const value = evaluate(copiedFrom, environmentOfRules(app, request, related, { of, row, before: null }))
      if (value !== NOT_LOADED && !Array.isArray(value)) row[key] = value as Wire
    }
  })
}

/** A new record belongs to the tenant of whoever makes it, or of what it follows from; its rows belong where it does. */
export function belong(app: App, { actor }: Request, entity: string, record: Draft, old: RecordValue | null): void {
  const key = hiddenTenant(app, entity)
  if (key !== null && old === null) record[key] = actor.tenant ?? record[key] ?? null
  const tenant = tenantOf(app, { entity, record })
  for (const { field, entity: child } of childLists(app, entity)) {
    const own = hiddenTenant(app, child)
    if (own !== null) for (const row of record[field] as readonly Draft[]) row[own] ??= tenant
  }
}

/**
 * In the order of the fields: a default may read what stands above it. What is not at hand yet is left for the next round. Of `given`,
 * what was posted, an emptied field stays empty.
 */
function fillRow(
  app: App,
  request: Request,
  related: Related,
  { of, row }: DraftRow,
  given: ReadonlySet<string> | undefined,
): void {
  for (const field of app.entities.get(of)!.fields) {
    if (field.type.kind === 'list' || field.computed !== null || field.renewed) continue
    const expression = field.copiedFrom ?? (given?.has(field.key) ? null : field.default)
    if (expression === null || (row[field.key] ?? null) !== null) continue
    const value = evaluate(expression, environmentOfRules(app, request, related, { of, row, before: null }))
    if (value !== NOT_LOADED && !Array.isArray(value)) row[field.key] = value as Wire
  }
}
