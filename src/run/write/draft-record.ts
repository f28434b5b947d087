/** Records in memory while they are written: every stored field (whoever may see it), child rows included, as the rules read them. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import { placeField } from '../../headings/3-entities/by-hand.ts'
import type { App } from '../../headings/app.ts'
import { isLinks } from '../names.ts'
import { isHeld } from '../read/select.ts'
import type { Request } from '../request.ts'
import { ofEntity } from '../statements.ts'

/** A record in memory: `id`, its fields, its lists of child rows. Filled step by step while it is written. */
export type Draft = { [field: string]: Wire | readonly RecordValue[] | undefined } & { id: string }

/** Fields that every write fills by itself. */
export const stamps: ReadonlySet<string> = new Set(['created_at', 'created_by', 'changed_at', 'changed_by'])

/** A record that is being made: when, and by whom, as expressions read it and as it is stored; and no rows yet. */
export const newDraft = (app: App, request: Request, entity: string, id: string = request.newId()): Draft => ({
  id,
  ...Object.fromEntries(childLists(app, entity).map(({ field }) => [field, []])),
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
    if (fields.has(key)) stamped[key] = key.endsWith('_at') ? request.now.toISOString() : request.actor.id
  return stamped
}

export interface ListField {
  readonly field: string
  readonly entity: string
  /** The child's field that refers to the parent. */
  readonly parent: string
}

/** Fields that have a column or a table of links, the built-in ones (`state`, the parent of a child row) included; not `id`, nor the place of a row. */
export const storedFields = ofEntity((app, entity): readonly string[] =>
  [...app.schema.get(entity)!.fields.values()]
    .filter(({ key, computed }) => key !== 'id' && computed === undefined && isHeld(app, entity, key))
    .flatMap(({ key }) => (isPlace(app, entity, key) ? [] : [key])),
)

const isPlace = (app: App, entity: string, key: string): boolean =>
  key === placeField && app.schema.get(entity)!.parent !== undefined

/** The same with what stands beside them: `id`, and of a row its place. */
export const loadedFields = ofEntity((app, entity): readonly string[] => [
  'id',
  ...storedFields(app, entity),
  ...(app.schema.get(entity)!.parent === undefined ? [] : [placeField]),
])

/** The lists of child rows of an entity, in the document's order. */
export const childLists = ofEntity((app, entity): readonly ListField[] =>
  app.entities.get(entity)!.fields.flatMap(({ key, type }) => {
    if (type.kind !== 'list' || isLinks(app, entity, key)) return []
    if (app.entities.get(type.entity)?.partOf !== entity) return []
    return [{ field: key, entity: type.entity, parent: app.schema.get(type.entity)!.parent! }]
  }),
)

/** A list of rows at whatever depth: in the record itself, or in each of the rows of another list. */
export interface DeepList extends ListField {
  /** The list whose rows have it; null: the record has it. */
  readonly within: DeepList | null
}

/** All lists below an entity: each one before those in its rows. */
export const deepLists = ofEntity((app, entity) => listsWithin(app, entity, null))

const listsWithin = (app: App, entity: string, within: DeepList | null): readonly DeepList[] =>
  childLists(app, entity).flatMap(list => {
    const deep = { ...list, within }
    return [deep, ...listsWithin(app, list.entity, deep)]
  })

/** The list of the record itself that a list of rows lies in. */
export const outermost = (list: DeepList): DeepList => (list.within === null ? list : outermost(list.within))

/** A record's rows in one of its lists. */
export const rowsIn = (record: RecordValue | null, { field }: Pick<ListField, 'field'>): readonly RecordValue[] =>
  (record?.[field] ?? []) as readonly RecordValue[]

/** The rows of a list, of whatever they are part of in the record. */
export const rowsAt = (record: RecordValue | null, list: DeepList): readonly RecordValue[] =>
  list.within === null ? rowsIn(record, list) : rowsAt(record, list.within).flatMap(row => rowsIn(row, list))

/** Rows with their places, from 1. */
export const placed = (rows: readonly RecordValue[]): readonly RecordValue[] =>
  rows.map((row, index) => ({ ...row, position: String(index + 1) }))

/** Gives each row of a record, and each in it, the place in which it stands now. */
export function putInPlace(app: App, entity: string, record: RecordValue): void {
  for (const list of childLists(app, entity))
    for (const [index, row] of (rowsIn(record, list) as readonly Draft[]).entries()) {
      row[placeField] = String(index + 1)
      putInPlace(app, list.entity, row)
    }
}

/** The same of all rows of a list, each with its place in what it is part of. */
export const placedAt = (record: RecordValue, list: DeepList): readonly RecordValue[] =>
  (list.within === null ? [record] : rowsAt(record, list.within)).flatMap(above => placed(rowsIn(above, list)))

/** A record, or one of its rows, at whatever depth, as a write has it. */
export interface DraftRow {
  readonly of: string
  readonly row: Draft
  /** What is stored; null: it is new. */
  readonly before: RecordValue | null
  /** Of the paths of its fields: `''`, `lines.0.`, `lines.0.tasks.2.`. */
  readonly prefix: string
  /** Where it stands; null: it is the record itself. */
  readonly in: { readonly list: ListField; readonly above: DraftRow } | null
}

/** The record and all rows below it, in the order of the form. */
export const draftRows = (app: App, entity: string, record: Draft, old: RecordValue | null): readonly DraftRow[] =>
  withRows(app, { of: entity, row: record, before: old, prefix: '', in: null })

function withRows(app: App, above: DraftRow): readonly DraftRow[] {
  const rows = childLists(app, above.of).flatMap(list => {
    const stored = new Map(rowsIn(above.before, list).map(row => [row.id, row]))
    return (rowsIn(above.row, list) as readonly Draft[]).flatMap((row, index) => {
      const prefix = `${above.prefix}${list.field}.${index}.`
      return withRows(app, { of: list.entity, row, before: stored.get(row.id) ?? null, prefix, in: { list, above } })
    })
  })
  return [above, ...rows]
}

export const newRows = (app: App, entity: string, record: Draft, old: RecordValue | null): readonly DraftRow[] =>
  draftRows(app, entity, record, old).filter(({ before }) => before === null)

/** Its path, as problems name it: `lines.0`. */
export const pathOf = ({ prefix }: Pick<DraftRow, 'prefix'>): string => prefix.slice(0, -1)

/** Whether a row has the id and the values of a stored one. */
export const sameValues = (app: App, entity: string, row: RecordValue, stored: RecordValue): boolean =>
  row.id === stored.id && storedFields(app, entity).every(key => (row[key] ?? null) === (stored[key] ?? null))

/** The same, and the same rows in it. */
const sameRow = (app: App, entity: string, row: RecordValue, stored: RecordValue): boolean =>
  sameValues(app, entity, row, stored) &&
  childLists(app, entity).every(list => sameRows(app, list.entity, rowsIn(row, list), rowsIn(stored, list)))

/** Whether they are the same rows, with the same values, in the same order. */
export const sameRows = (
  app: App,
  entity: string,
  rows: readonly RecordValue[],
  before: readonly RecordValue[],
): boolean =>
  rows === before ||
  (rows.length === before.length && rows.every((row, index) => sameRow(app, entity, row, before[index]!)))

/** What a record becomes where one of its rows, or the record itself, becomes another one. */
export function putBack(at: DraftRow, row: RecordValue): RecordValue {
  if (at.in === null) return row
  const { list, above } = at.in
  const rows = rowsIn(above.row, list).map(one => (one.id === at.row.id ? row : one))
  return putBack(above, { ...above.row, [list.field]: rows })
}
