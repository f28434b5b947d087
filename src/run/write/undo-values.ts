/** The values of before, as the history has them: what is written to take something back. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { notSettable } from '../access/settable.ts'
import { isSealed } from '../names.ts'
import type { ChildInput, Input } from '../outcome.ts'
import { type Changes, type FieldChanges, type RowChanges, rowId, rowPlace } from '../read/history.ts'
import { childLists, type ListField } from './draft-record.ts'

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

const isRows = (change: Changes[string]): change is RowChanges => !Array.isArray(change)

/** Of a change that somebody made. Null: not all of it can be given again, or there is nothing. */
export function inputBefore(app: App, entity: string, changes: Changes): Before | null {
  const plain = Object.fromEntries(Object.entries(changes).filter(([, change]) => !isRows(change))) as FieldChanges
  const values = given(app, entity, before(plain), settable('change'))
  const lists = childLists(app, entity).flatMap(list => {
    const change = changes[list.field]
    return change === undefined || !isRows(change) ? [] : [[list.field, rowsBefore(app, list, change)] as const]
  })
  if (values === null || lists.some(([, rows]) => rows === null)) return null
  if (Object.keys(values).length + lists.length === 0) return null
  return stored => ({
    values,
    children: Object.fromEntries(
      lists.map(([key, rows]) => [key, rows!((stored[key] ?? []) as readonly RecordValue[])]),
    ),
    invalidValues: [],
  })
}

type RowsBefore = (stored: readonly RecordValue[]) => readonly ChildInput[]

function rowsBefore(app: App, list: ListField, { added, removed, changed }: RowChanges): RowsBefore | null {
  const of = (verb: 'create' | 'change', pairs: readonly Valued[]) => given(app, list.entity, pairs, settable(verb))
  const edited = new Map(changed.map(({ id, fields }) => [id, 'state' in fields ? null : of('change', before(fields))]))
  const back = removed.map(row => ({ at: Number(row[rowPlace]), values: of('create', Object.entries(row)) }))
  // A row that comes back begins in its first state.
  const loses = app.workflows.has(list.entity) && removed.length > 0
  const isKnown = added.every(row => rowId in row) && back.every(({ at }) => Number.isInteger(at))
  if (loses || !isKnown || [...edited.values(), ...back.map(({ values }) => values)].includes(null)) return null
  const come = new Set(added.map(row => row[rowId]))
  return stored => {
    const rows = stored.flatMap(({ id }): ChildInput[] =>
      come.has(id as string) ? [] : [{ id: id as string, values: edited.get(id as string) ?? {} }],
    )
    for (const { at, values } of back) rows.splice(at, 0, { id: null, values: values! })
    return rows
  }
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
