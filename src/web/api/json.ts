/** Records as JSON: what a person sees, with the values as the field kinds write them. A forbidden field is not there. */

import type { archivedAt } from '../../expression/archived.ts'
import type { Wire } from '../../expression/type.ts'
import type { saidByApi } from '../../headings/3-entities/built-in-names.ts'
import type { App } from '../../headings/app.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { namesUnseen, withoutUnseen } from '../../kinds/fields/reference/unseen.ts'
import type { OneData, ReadRow } from '../../kinds/screens/read-data.ts'
import { pendingJson } from '../../run/approvals/pending.ts'

export type Json = Readonly<Record<string, unknown>>

/** What stands beside the fields; no field is called so. */
type RecordMeta = Readonly<Partial<Record<keyof typeof saidByApi | typeof archivedAt, unknown>>>

/** `named`: with `_names`, what the records are called that its fields name; no field begins so. */
export function rowJson(app: App, entity: string, row: ReadRow, named = false): Json {
  const of = app.entities.get(entity)
  const fieldOf = (key: string) => of?.fields.find(field => field.key === key)
  const isNaming = (key: string) => ['reference', 'list'].includes(fieldOf(key)?.type.kind ?? '')
  const closed = Object.keys(row.values).filter(key => isNaming(key) && namesUnseen(row.values[key] as Wire))
  const values = Object.entries(row.values).flatMap(([key, value]) => {
    const field = fieldOf(key)
    const isClosed = closed.includes(key)
    if (Array.isArray(value) || value === undefined || (isClosed && field?.type.kind === 'reference')) return []
    const wire = isClosed ? withoutUnseen(value as Wire) : (value as Wire)
    const kind = field === undefined ? null : fieldKind(field.kind)
    const given = kind?.gathered ? (wire ?? '') : wire
    const json = kind === null || given === null ? given : kind.toJson(given, field!.parameters)
    return [[key, json] as const]
  })
  const said: RecordMeta = {
    ...(closed.length === 0 ? {} : { unseen: closed }),
    ...(of?.archives == null ? {} : { archived_at: row.archivedAt ?? null }),
  }
  const names = named && Object.keys(row.labels).length > 0 ? { _names: row.labels } : {}
  return { id: row.id, version: row.version, ...Object.fromEntries(values), ...said, ...names }
}

/** The rows of a record, and theirs. They are written with it: its version is theirs. */
const rowsJson = (app: App, entity: string, children: OneData['children'], named: boolean): Json =>
  Object.fromEntries(
    Object.entries(children).map(([key, rows]) => {
      const type = app.entities.get(entity)?.fields.find(field => field.key === key)?.type
      const child = type?.kind === 'list' ? type.entity : ''
      const json = rows.map(row => {
        const { version: _, ...own } = rowJson(app, child, row, named)
        return { ...own, ...rowsJson(app, child, row.children, named) }
      })
      return [key, json]
    }),
  )

/** A record with its rows, and the steps that can be taken now. */
export function recordJson(app: App, entity: string, { row, children, approvals }: OneData, named = false): Json {
  const steps = row.may.steps.filter(({ open }) => open).map(({ step }) => step)
  const workflow = app.workflows.get(entity)
  const said: RecordMeta = {
    ...(workflow === undefined ? {} : { steps }),
    ...(workflow?.approvals.length ? { approvals: approvals.map(pendingJson) } : {}),
  }
  return { ...rowJson(app, entity, row, named), ...rowsJson(app, entity, children, named), ...said }
}
