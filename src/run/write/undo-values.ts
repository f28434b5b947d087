/** The values of before, as the history has them: what is written to take something back. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { notSettable } from '../access/settable.ts'
import { isSealed } from '../names.ts'
import type { ChildInput, Input } from '../outcome.ts'
import {
  type Changes,
  type FieldChanges,
  isRows,
  type RowChanges,
  type RowValues,
  rowId,
  rowPlace,
} from '../read/history.ts'
import { childLists, type ListField, rowsIn } from './draft-record.ts'

export type Values = Readonly<Record<string, Wire>>

/** What people send to have it as it was, beside what is stored. */
export type Before = (stored: RecordValue) => Input

type Valued = readonly [key: string, value: Wire]

/** Null: one of them cannot be given again. What follows from other fields, or is copied from other records, follows from them again. */
function given(app: App, entity: string, pairs: readonly Valued[], isOpen: (field: Field) => boolean): Values | null {
  const fields = app.entities.get(entity)?.fields ?? []
  const values: Record<string, Wire> = {}
  for (const [key, value] of pairs) {
    const field = fields.find(one => one.key === key)
    if (field === undefined || field.computed !== null || field.renewed || field.copiedFrom !== null) continue
    if (field.type.kind === 'file' || isSealed(app, entity, key) || !isOpen(field)) return null
    values[key] = value
  }
  return values
}

const settable =
  (verb: 'create' | 'change') =>
  (field: Field): boolean =>
    notSettable(field, verb, { system: null }) === null

const before = (changes: FieldChanges): readonly Valued[] => Object.entries(changes).map(([key, [was]]) => [key, was])

/** The fields among what is kept of a record or a row. */
const plainOf = <Value>(kept: Readonly<Record<string, Value | RowChanges>>) =>
  Object.entries(kept).filter((one): one is [string, Exclude<Value, RowChanges>] => !isRows(one[1] as Changes[string]))

/** Of a change that somebody made. Null: not all of it can be given again, or there is nothing. */
export function inputBefore(app: App, entity: string, changes: Changes): Before | null {
  const rest = restBefore(app, entity, changes)
  if (rest === null) return null
  return stored => ({ ...rest(stored), invalidValues: [] })
}

/** Of a record, or of a row that stays: its values and rows of before. */
type Rest = (stored: RecordValue) => Pick<Input, 'values' | 'children'>

function restBefore(app: App, entity: string, changes: Changes): Rest | null {
  const plain = Object.fromEntries(plainOf(changes)) as FieldChanges
  const values = given(app, entity, before(plain), settable('change'))
  const lists = childLists(app, entity).flatMap(list => {
    const change = changes[list.field]
    return isRows(change) ? [{ list, rows: rowsBefore(app, list, change) }] : []
  })
  if (values === null || lists.some(({ rows }) => rows === null)) return null
  if (Object.keys(values).length + lists.length === 0) return null
  return stored => ({
    values,
    children: Object.fromEntries(lists.map(({ list, rows }) => [list.field, rows!(rowsIn(stored, list))])),
  })
}

type RowsBefore = (stored: readonly RecordValue[]) => readonly ChildInput[]

function rowsBefore(app: App, list: ListField, { added, removed, changed, order }: RowChanges): RowsBefore | null {
  const edited = new Map(
    changed.map(({ id, fields }) => [id, 'state' in fields ? null : restBefore(app, list.entity, fields)]),
  )
  const back = removed.map(row => ({ at: Number(row[rowPlace]), row: anew(app, list.entity, row) }))
  const isKnown = added.every(row => rowId in row) && back.every(({ at }) => Number.isInteger(at))
  if (!isKnown || [...edited.values(), ...back.map(({ row }) => row)].includes(null)) return null
  const come = new Set(added.map(row => row[rowId]))
  return stored => {
    const rows = inOrder(stored, order).flatMap((row): ChildInput[] => {
      const id = row.id as string
      return come.has(id) ? [] : [{ id, values: {}, ...edited.get(id)?.(row) }]
    })
    for (const { at, row } of back) rows.splice(at, 0, row!)
    return rows
  }
}

/** Those that were moved, as they stood before, in the places that they have between them. */
function inOrder(stored: readonly RecordValue[], order: RowChanges['order']): readonly RecordValue[] {
  const byId = new Map(stored.map(row => [row.id, row]))
  const moved = (order?.before ?? []).map(({ id }) => byId.get(id)).filter(row => row !== undefined)
  const isMoved = new Set(moved)
  return stored.map(row => (isMoved.has(row) ? moved.shift()! : row))
}

/** A row that went, with its rows, to be made again. Null: that cannot be; a row with states would begin in its first one. */
function anew(app: App, entity: string, row: RowValues): ChildInput | null {
  const values = app.workflows.has(entity) ? null : given(app, entity, plainOf(row), settable('create'))
  const lists = childLists(app, entity).map(list => {
    const kept = row[list.field]
    const rows = isRows(kept) ? kept.added.map(one => anew(app, list.entity, one)) : []
    return [list.field, rows] as const
  })
  if (values === null || lists.some(([, rows]) => rows.includes(null))) return null
  return { id: null, values, children: Object.fromEntries(lists) as Input['children'] }
}

/** Of a step: what it asked for and set itself. Null: it gave a number, which others may know, or a file, or it changed rows. */
export function valuesOfStep(app: App, entity: string, changes: Changes): Values | null {
  const pairs = Object.entries(changes)
  if (pairs.some(([, change]) => isRows(change))) return null
  return given(
    app,
    entity,
    before(changes as FieldChanges),
    ({ givenOn, gapless }) => givenOn === null && gapless === null,
  )
}
