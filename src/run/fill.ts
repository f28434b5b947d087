/** Defaults, and values that are copied from other records, in a record and its new child rows. */
import { evaluate, NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { App } from '../headings/app.ts'
import { childLists, type Draft, environmentOf, type Related, storedFields, withRelated } from './record.ts'
import type { Request } from './request.ts'
import { hiddenTenant, tenantOf } from './tenants.ts'

interface NewRow {
  readonly entity: string
  readonly row: Draft
  /** Fields that were posted: an emptied one stays empty. */
  readonly given: ReadonlySet<string>
}

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
  belong(app, request, entity, record, old)
  related.put(entity, record)
  const rows: NewRow[] = old === null ? [{ entity, row: record, given: given.get('') ?? new Set() }] : []
  for (const { field, entity: child } of childLists(app, entity)) {
    const before = new Set(((old?.[field] ?? []) as readonly RecordValue[]).map(row => row.id))
    for (const [index, row] of (record[field] as readonly RecordValue[]).entries()) {
      if (before.has(row.id)) continue
      const draft = row as Draft
      const start = app.workflows.get(child)?.start
      if (start !== undefined) draft.state = start
      rows.push({ entity: child, row: draft, given: given.get(`${field}.${index}.`) ?? new Set() })
    }
  }
  // All rows at once, so that what they need of other records is loaded once.
  await withRelated(related, () => {
    for (const row of rows) fillRow(app, request, related, row)
  })
  for (const { entity: of, row } of rows) for (const key of storedFields(app, of)) row[key] ??= null
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
  const rows = [
    ...(old === null ? [{ of: entity, row: record }] : []),
    ...childLists(app, entity).flatMap(({ field, entity: of }) => {
      const before = new Set(((old?.[field] ?? []) as readonly RecordValue[]).map(({ id }) => id))
      const all = record[field] as readonly RecordValue[]
      return all.flatMap(row => (before.has(row.id) ? [] : [{ of, row: row as Draft }]))
    }),
  ]
  const copies = rows.flatMap(({ of, row }) => {
    const { fields } = app.entities.get(of)!
    const assigned = fields.flatMap(({ key, assignedFrom }) => (assignedFrom === null ? [] : [key]))
    return fields.flatMap(({ key, copiedFrom }) =>
      copiedFrom?.reads.some(path => assigned.includes(path.split('.')[0]!)) ? [{ key, copiedFrom, row }] : [],
    )
  })
  await withRelated(related, () => {
    for (const { key, copiedFrom, row } of copies) {
      const value = evaluate(copiedFrom, environmentOf(request, related, row, null))
      if (value !== NOT_LOADED && !Array.isArray(value)) row[key] = value as Wire
    }
  })
}

/** A new record belongs to the tenant of whoever makes it, or of what it follows from; its rows belong where it does. */
function belong(app: App, { actor }: Request, entity: string, record: Draft, old: RecordValue | null): void {
  const key = hiddenTenant(app, entity)
  if (key !== null && old === null) record[key] = actor.tenant ?? record[key] ?? null
  const tenant = tenantOf(app, { entity, record })
  for (const { field, entity: child } of childLists(app, entity)) {
    const own = hiddenTenant(app, child)
    if (own !== null) for (const row of record[field] as readonly Draft[]) row[own] ??= tenant
  }
}

/** In the order of the fields: a default may read what stands above it. What is not at hand yet is left for the next round. */
function fillRow(app: App, request: Request, related: Related, { entity, row, given }: NewRow): void {
  for (const field of app.entities.get(entity)!.fields) {
    if (field.type.kind === 'list' || field.computed !== null || field.renewed) continue
    const expression = field.copiedFrom ?? (given.has(field.key) ? null : field.default)
    if (expression === null || (row[field.key] ?? null) !== null) continue
    const value = evaluate(expression, environmentOf(request, related, row, null))
    if (value !== NOT_LOADED && !Array.isArray(value)) row[field.key] = value as Wire
  }
}
