/** A form for a new record that begins with what another one has. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { OneNeed } from '../../kinds/screens/screen-kind.ts'
import { atOnce } from '../../store/at-once.ts'
import { declared, isLinks } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { type FormData, readForm } from './form.ts'
import { readOptions } from './options.ts'
import type { FormField } from './presets.ts'

/** A record, as this person sees it, that a new one may begin with. */
export interface Source {
  readonly form: FormData & { readonly id: string }
  /** Of the records that it names, those that this person may name: by entity and field. */
  readonly nameable: ReadonlyMap<string, ReadonlySet<string>>
}

/** Null: there is none, or not for this person. */
export async function readSource(
  runtime: Runtime,
  request: Request,
  entity: string,
  by: OneNeed['by'],
): Promise<Source | null> {
  const { app } = runtime
  const reading = { ...runtime, store: atOnce(runtime.store) }
  const form = await readForm(reading, request, entity, by)
  if (form === null || form.id === null) return null
  const lists = form.fields.flatMap(({ key, children }) =>
    children === null ? [] : [{ of: listed(app, entity, key), fields: children, records: rowsOf(form.values[key]) }],
  )
  const asked = [{ of: entity, fields: form.fields, records: [form.values] }, ...lists].flatMap(
    ({ of, fields, records }) =>
      fields.filter(({ key }) => isNaming(app, of, key)).map(({ key }) => ({ of, key, records })),
  )
  const nameable = asked.map(async ({ of, key, records }) => {
    const ids = [...new Set(records.flatMap(record => linked(record[key] as Wire)))]
    const need = { entity: of, field: key, search: null, limit: ids.length, ids }
    const { options } = ids.length === 0 ? { options: [] } : await readOptions(reading, request, need)
    return [`${of}.${key}`, new Set(options.map(({ value }) => value))] as const
  })
  return { form: { ...form, id: form.id }, nameable: new Map(await Promise.all(nameable)) }
}

/**
 * A new form with the values of the source that this person may set in it. What is unique, and files, stay as they are there: a second
 * record cannot, or should not, have the same; and so does what this person may not name. Child rows come along as new ones.
 */
export function copiedForm(app: App, entity: string, fresh: FormData, { form: source, nameable }: Source): FormData {
  const copyOf = (of: string, fields: readonly FormField[], record: RecordValue): RecordValue =>
    Object.fromEntries(
      fields.flatMap((field): readonly (readonly [string, RecordValue[string]])[] => {
        const { key, children } = field
        const value = record[key]
        if (!isCopied(app, of, field) || value === undefined) return []
        if (children !== null) return [[key, rowsOf(value).map(row => copyOf(listed(app, of, key), children, row))]]
        if (!isNaming(app, of, key)) return [[key, value]]
        const ids = linked(value as Wire).filter(id => nameable.get(`${of}.${key}`)?.has(id))
        return [[key, ids.length === 0 ? null : ids.join(' ')]]
      }),
    )
  const values = copyOf(entity, fresh.fields, source.values)
  const labels = Object.entries(source.labels).filter(([path]) => (path.split('.')[0] ?? '') in values)
  return {
    ...fresh,
    values: { ...fresh.values, ...values },
    labels: { ...fresh.labels, ...Object.fromEntries(labels) },
  }
}

const rowsOf = (value: RecordValue[string]): readonly RecordValue[] =>
  Array.isArray(value) ? (value as readonly RecordValue[]) : []

/** The entity of the rows of a list. */
function listed(app: App, entity: string, key: string): string {
  const { type } = declared(app, entity, key)!
  return type.kind === 'list' ? type.entity : entity
}

const isNaming = (app: App, entity: string, key: string): boolean =>
  declared(app, entity, key)?.type.kind === 'reference' || isLinks(app, entity, key)

function isCopied(app: App, entity: string, { key, settable }: FormField): boolean {
  const field = declared(app, entity, key)
  return settable && field !== undefined && field.unique === null && field.type.kind !== 'file'
}
