/** What the columns of a file may go into: fields of the record, and of its rows and theirs; and by what records are recognised. */
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { tellsApart, tellTogether } from '../access/identifying-fields.ts'
import { policyFor } from '../access/policy.ts'
import { notSettable } from '../access/settable.ts'
import { declared, labelOf } from '../names.ts'
import { isHeld } from '../read/select.ts'
import type { Request, Runtime } from '../request.ts'
import { ofEntity } from '../statements.ts'
import { type DeepList, deepLists } from '../write/draft-record.ts'
import type { JobWhat } from './jobs.ts'

/** The path of a list in columns of files: `lines`, `lines.tasks`. */
export const listPath = ({ within, field }: DeepList): string =>
  within === null ? field : `${listPath(within)}.${field}`

interface Column {
  /** The record's entity, or that of the rows. */
  readonly entity: string
  /** The list that it is a column of; null: it is one of the record itself. */
  readonly list: DeepList | null
  /** Null: it has the numbers of the rows in their list. */
  readonly field: Field | null
}

const columnsOf = ofEntity((app, entity): ReadonlyMap<string, Column> => {
  const own = (of: string, list: DeepList | null): readonly (readonly [string, Column])[] =>
    app.entities.get(of)!.fields.flatMap(field => {
      const path = list === null ? field.key : `${listPath(list)}.${field.key}`
      return isHeld(app, of, field.key) ? [[path, { entity: of, list, field }] as const] : []
    })
  const rows = deepLists(app, entity).flatMap(list => [
    [listPath(list), { entity: list.entity, list, field: null }] as const,
    ...own(list.entity, list),
  ])
  return new Map([...own(entity, null), ...rows])
})

/** What a column goes into by its path: `code`, `lines` (the number of the line), `lines.quantity`. */
export const columnAt = (app: App, entity: string, path: string | null | undefined): Column | undefined =>
  path == null ? undefined : columnsOf(app, entity).get(path)

/** Whether some column is one of rows. */
export const bringsRows = (app: App, entity: string, mapping: readonly (string | null)[]): boolean =>
  mapping.some(path => columnAt(app, entity, path)?.list != null)

/** `Lines #`, `Lines: Quantity`: how a column of rows is called in files. */
export function columnLabel(app: App, entity: string, { list, field }: Pick<Column, 'list' | 'field'>): string {
  if (list === null) return field!.label
  const of = listLabel(app, entity, list)
  return field === null ? numberLabel(of) : rowsLabel(of, field.label)
}

/** `Parts: Tasks`. */
export function listLabel(app: App, entity: string, { within, field }: DeepList): string {
  const label = labelOf(app, within?.entity ?? entity, field)
  return within === null ? label : rowsLabel(listLabel(app, entity, within), label)
}

export const numberLabel = (list: string): string => `${list} #`
export const rowsLabel = (list: string, field: string): string => `${list}: ${field}`

interface ImportField {
  /** Its path: {@link columnAt}. */
  readonly key: string
  readonly label: string
  /** The path of the list that it is a column of; null: it is one of the record itself. */
  readonly list: string | null
  readonly sets: boolean
  /** No two records have the same value in it. */
  readonly isKey: boolean
  /** A new record, or row, is refused without it. */
  readonly isNeeded: boolean
}

/** Fields that a column of a file may go into: those that this person may set, and those that only tell which record, or row, it is. */
export function importFields({ app }: Runtime, request: Request, entity: string): readonly ImportField[] {
  const policy = policyFor(app, request.actor)
  const isSettable = (of: string, field: Field): boolean =>
    fieldKind(field.kind).entered &&
    field.computed === null &&
    field.type.kind !== 'file' &&
    (['create', 'change'] as const).some(
      verb => notSettable(field, verb, request.actor) === null && policy.sets(of, field.key, verb, 't') !== false,
    )
  const sees = (of: string, key: string): boolean => policy.field(of, key, 't') !== false
  const isOpen = ({ within, field }: DeepList): boolean => {
    const above = within?.entity ?? entity
    return sees(above, field) && isSettable(above, declared(app, above, field)!) && (within === null || isOpen(within))
  }
  return [...columnsOf(app, entity)].flatMap(([key, column]): readonly ImportField[] => {
    const { entity: of, list, field } = column
    if (list !== null && !isOpen(list)) return []
    const told = { key, label: columnLabel(app, entity, column), list: list === null ? null : listPath(list) }
    if (field === null) return [{ ...told, sets: true, isKey: false, isNeeded: false }]
    if (!sees(of, field.key)) return []
    const sets = isSettable(of, field)
    const isKey = list === null ? tellsApart(field) : tellsRows(list, field)
    const isNeeded = sets && field.required?.when === null && field.default === null && field.copiedFrom === null
    return sets || isKey ? [{ ...told, sets, isKey, isNeeded }] : []
  })
}

/** No two rows of what they are part of have the same value in it. */
export const tellsRows = ({ parent }: DeepList, field: Field): boolean =>
  tellsApart(field) || tellTogether(field).join(' ') === `${parent} ${field.key}`

/** The fields that a job's `key` is made of. */
export const keyFields = ({ key }: Pick<JobWhat, 'key'>): readonly string[] => (key == null ? [] : key.split(' '))

interface ImportKey {
  readonly name: string
  readonly fields: readonly string[]
  readonly labels: readonly string[]
}

/** By what rows of a file recognise records: one field that tells them apart, or several that do so together. The name is a job's `key`. */
export function importKeys(runtime: Runtime, request: Request, entity: string): readonly ImportKey[] {
  const fields = importFields(runtime, request, entity).filter(({ list }) => list === null)
  const together = runtime.app.entities.get(entity)!.fields.flatMap(field => {
    const parts = tellTogether(field).map(part => fields.find(({ key }) => key === part))
    return parts.length > 0 && parts.every(part => part !== undefined) ? [parts] : []
  })
  return [...fields.filter(({ isKey }) => isKey).map(field => [field]), ...together].map(parts => ({
    name: parts.map(({ key }) => key).join(' '),
    fields: parts.map(({ key }) => key),
    labels: parts.map(({ label }) => label),
  }))
}
