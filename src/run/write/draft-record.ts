/** Records in memory while they are written: every stored field (whoever may see it), child rows included, as the rules read them. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { isoText } from '../clock.ts'
import { isLinks } from '../names.ts'
import { isHeld } from '../read/select.ts'
import type { Request } from '../request.ts'
import { ofEntity } from '../statements.ts'

/** A record in memory: `id`, its fields, its lists of child rows. Filled step by step while it is written. */
export type Draft = { [field: string]: Wire | readonly RecordValue[] | undefined } & { id: string }

/** Fields that every write fills by itself. */
export const stamps: ReadonlySet<string> = new Set(['created_at', 'created_by', 'changed_at', 'changed_by'])

/** A record that is being made: when, and by whom, as expressions read it and as it is stored. */
export const newDraft = (app: App, request: Request, entity: string, id: string = request.newId()): Draft => ({
  id,
  ...stampsOf(app, request, entity, stamps),
})

/** A stored record that is being changed: what was, with who changes it and when. */
export const changedDraft = (app: App, request: Request, entity: string, record: Draft): Draft => ({
  ...record,
  ...stampsOf(app, request, entity, ['changed_at', 'changed_by']),
})

function stampsOf(app: App, request: Request, entity: string, keys: Iterable<string>): Record<string, Wire> {
  const { fields } = app.schema.get(entity)!
  const stamped: Record<string, Wire> = {}
  for (const key of keys)
    if (fields.has(key)) stamped[key] = key.endsWith('_at') ? isoText(request.now) : request.actor.id
  return stamped
}

export interface ListField {
  readonly field: string
  readonly entity: string
  /** The child's field that refers to the parent. */
  readonly parent: string
}

/** Fields that have a column or a table of links, the built-in ones (`state`, the parent of a child row) included; not `id`. */
export const storedFields = ofEntity((app, entity): readonly string[] =>
  [...app.schema.get(entity)!.fields.values()]
    .filter(({ key, computed }) => key !== 'id' && computed === undefined && isHeld(app, entity, key))
    .map(({ key }) => key),
)

/** The lists of child rows of an entity, in the document's order. */
export const childLists = ofEntity((app, entity): readonly ListField[] =>
  app.entities.get(entity)!.fields.flatMap(({ key, type }) => {
    if (type.kind !== 'list' || isLinks(app, entity, key)) return []
    if (app.entities.get(type.entity)?.partOf !== entity) return []
    return [{ field: key, entity: type.entity, parent: app.schema.get(type.entity)!.parent! }]
  }),
)

/** A record, or one of its child rows, as a write has it. */
export interface DraftRow {
  readonly of: string
  readonly row: Draft
  /** What is stored; null: it is new. */
  readonly before: RecordValue | null
  /** Of the paths of its fields: `''`, `lines.0.`. */
  readonly prefix: string
}

/** The record and its child rows, in the order of the form. */
export function draftRows(app: App, entity: string, record: Draft, old: RecordValue | null): readonly DraftRow[] {
  const rows: DraftRow[] = [{ of: entity, row: record, before: old, prefix: '' }]
  for (const { field, entity: of } of childLists(app, entity)) {
    const stored = new Map(((old?.[field] ?? []) as readonly RecordValue[]).map(row => [row.id, row]))
    for (const [index, row] of ((record[field] ?? []) as readonly Draft[]).entries())
      rows.push({ of, row, before: stored.get(row.id) ?? null, prefix: `${field}.${index}.` })
  }
  return rows
}

export const newRows = (app: App, entity: string, record: Draft, old: RecordValue | null): readonly DraftRow[] =>
  draftRows(app, entity, record, old).filter(({ before }) => before === null)
