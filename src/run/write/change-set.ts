/** What is different between two versions of a record: what the history keeps. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { isSealed } from '../names.ts'
import { type Changes, type FieldChanges, type RowChanges, rowId, rowPlace } from '../read/history.ts'
import { childLists, type ListField, stamps, storedFields } from './draft-record.ts'

/** The state of a record stands beside its changes; that of a row is one of them. */
const silent: ReadonlySet<string> = new Set(['state', ...stamps])

/** Of what is never read it is told whether something was there. */
const veiled = (value: Wire): Wire => (value === null ? null : '••••••••')

const wire = (record: RecordValue | null, key: string): Wire => (record?.[key] ?? null) as Wire

function fieldChanges(
  app: App,
  entity: string,
  old: RecordValue | null,
  record: RecordValue | null,
  untold = silent,
): FieldChanges {
  const changes: Record<string, readonly [Wire, Wire]> = {}
  for (const key of storedFields(app, entity)) {
    if (untold.has(key) || key === app.schema.get(entity)!.parent) continue
    const before = wire(old, key)
    const after = wire(record, key)
    if (before !== after) changes[key] = isSealed(app, entity, key) ? [veiled(before), veiled(after)] : [before, after]
  }
  return changes
}

/** Fields and child rows that differ, wire values. Null: the record is not there (before its creation, after its deletion). */
export function changesOf(app: App, entity: string, old: RecordValue | null, record: RecordValue | null): Changes {
  const changes: Record<string, Changes[string]> = { ...fieldChanges(app, entity, old, record) }
  for (const list of childLists(app, entity)) {
    const rows = rowChanges(
      app,
      list,
      (old?.[list.field] ?? []) as readonly RecordValue[],
      (record?.[list.field] ?? []) as readonly RecordValue[],
    )
    if (rows !== null) changes[list.field] = rows
  }
  return changes
}

function rowChanges(
  app: App,
  list: ListField,
  old: readonly RecordValue[],
  rows: readonly RecordValue[],
): RowChanges | null {
  const plain = (row: RecordValue) => {
    const values: Record<string, Wire> = {}
    for (const key of storedFields(app, list.entity)) {
      const value = wire(row, key)
      if (value !== null && !silent.has(key) && key !== list.parent) values[key] = value
    }
    return values
  }
  const before = new Map(old.map(row => [row.id, row]))
  const ids = new Set(rows.map(row => row.id))
  const added = rows.flatMap(row => (before.has(row.id) ? [] : [{ ...plain(row), [rowId]: row.id as Wire }]))
  const removed = old.flatMap((row, at) => (ids.has(row.id) ? [] : [{ ...plain(row), [rowPlace]: String(at) }]))
  const changed = rows.flatMap(row => {
    const was = before.get(row.id)
    if (was === undefined) return []
    const fields = fieldChanges(app, list.entity, was, row, stamps)
    return Object.keys(fields).length === 0 ? [] : [{ id: row.id as string, fields }]
  })
  return added.length + removed.length + changed.length === 0 ? null : { added, removed, changed }
}
