/** What is different between two versions of a record: what the history keeps. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import { titleFields } from '../../headings/3-entities/titles.ts'
import type { App } from '../../headings/app.ts'
import { isSealed, isState } from '../names.ts'
import { type Changes, type FieldChanges, type RowChanges, type RowValues, rowId, rowPlace } from '../read/history.ts'
import { ofEntity } from '../statements.ts'
import { childLists, type ListField, rowsIn, stamps, storedFields } from './draft-record.ts'

/** The state of a record stands beside its changes; that of a row is one of them. */
const isSilent = (app: App, entity: string, key: string): boolean => stamps.has(key) || isState(app, entity, key)

/** Of what is never read it is told whether something was there. */
const veiled = (value: Wire): Wire => (value === null ? null : '••••••••')

const wire = (record: RecordValue | null, key: string): Wire => (record?.[key] ?? null) as Wire

function fieldChanges(
  app: App,
  entity: string,
  old: RecordValue | null,
  record: RecordValue | null,
  isUntold: typeof isSilent,
): FieldChanges {
  const changes: Record<string, readonly [Wire, Wire]> = {}
  for (const key of storedFields(app, entity)) {
    if (isUntold(app, entity, key) || key === app.schema.get(entity)!.parent) continue
    const before = wire(old, key)
    const after = wire(record, key)
    if (before !== after) changes[key] = isSealed(app, entity, key) ? [veiled(before), veiled(after)] : [before, after]
  }
  return changes
}

/** Fields and rows that differ, wire values. Null: the record is not there (before its creation, after its deletion). */
export function changesOf(
  app: App,
  entity: string,
  old: RecordValue | null,
  record: RecordValue | null,
  isUntold = isSilent,
): Changes {
  const changes: Record<string, Changes[string]> = { ...fieldChanges(app, entity, old, record, isUntold) }
  for (const list of childLists(app, entity)) {
    const rows = rowChanges(app, list, rowsIn(old, list), rowsIn(record, list))
    if (rows !== null) changes[list.field] = rows
  }
  return changes
}

/** What tells a row from the others of its list, for whoever reads of it when it is gone. */
const namingFields = ofEntity((app, entity) =>
  titleFields(app.entities.get(entity)!).filter(
    key => storedFields(app, entity).includes(key) && !isSealed(app, entity, key),
  ),
)

function rowChanges(
  app: App,
  list: ListField,
  old: readonly RecordValue[],
  rows: readonly RecordValue[],
): RowChanges | null {
  const plain = (row: RecordValue): RowValues => {
    const values: Record<string, RowValues[string]> = {}
    for (const key of storedFields(app, list.entity)) {
      const value = wire(row, key)
      if (value !== null && !isSilent(app, list.entity, key) && key !== list.parent) values[key] = value
    }
    for (const inner of childLists(app, list.entity)) {
      const within = rowChanges(app, inner, [], rowsIn(row, inner))
      if (within !== null) values[inner.field] = within
    }
    return values
  }
  const before = new Map(old.map(row => [row.id, row]))
  const ids = new Set(rows.map(row => row.id))
  const added = rows.flatMap(row => (before.has(row.id) ? [] : [{ ...plain(row), [rowId]: row.id as Wire }]))
  const removed = old.flatMap((row, at) => (ids.has(row.id) ? [] : [{ ...plain(row), [rowPlace]: String(at) }]))
  const changed = rows.flatMap((row, index) => {
    const was = before.get(row.id)
    if (was === undefined) return []
    const fields = changesOf(app, list.entity, was, row, (_app, _entity, key) => stamps.has(key))
    if (Object.keys(fields).length === 0) return []
    return [{ ...namedRow(app, list, row, index), fields }]
  })
  const order = orderOf(app, list, old, rows)
  if (order !== null) return { added, removed, changed, order }
  return added.length + removed.length + changed.length === 0 ? null : { added, removed, changed }
}

const namedRow = (app: App, { entity }: ListField, row: RecordValue, index: number) => ({
  id: row.id as string,
  place: index + 1,
  name: Object.fromEntries(namingFields(app, entity).map(key => [key, wire(row, key)])),
})

/** Of the rows that are there before and after, those from the first to the last that stands elsewhere among them. Null: none does. */
function orderOf(
  app: App,
  list: ListField,
  old: readonly RecordValue[],
  rows: readonly RecordValue[],
): NonNullable<RowChanges['order']> | null {
  const [before, after] = [new Set(old.map(({ id }) => id)), new Set(rows.map(({ id }) => id))]
  const stayed = old.flatMap((row, index) => (after.has(row.id) ? [namedRow(app, list, row, index)] : []))
  const since = rows.flatMap(({ id }) => (before.has(id) ? [id as string] : []))
  const isElsewhere = ({ id }: { readonly id: string }, at: number) => id !== since[at]
  const first = stayed.findIndex(isElsewhere)
  if (first < 0) return null
  const behind = stayed.findLastIndex(isElsewhere) + 1
  return { before: stayed.slice(first, behind), after: since.slice(first, behind) }
}
