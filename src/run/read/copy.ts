/** A form for a new record that begins with what another one has. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import { atOnce } from '../../store/at-once.ts'
import { declared, isLinks } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { type FormData, type FormField, readOptions } from './form.ts'

/**
 * Values of `source`, as far as this person sees them there and may set them here. What is unique, and files, stay as in a new form:
 * a second record cannot, or should not, have the same; and so does what this person may not name. Child rows come along as new ones.
 */
export async function copiedForm(
  runtime: Runtime,
  request: Request,
  entity: string,
  fresh: FormData,
  source: FormData,
): Promise<FormData> {
  const { app } = runtime
  const values: Record<string, RecordValue[string]> = { ...fresh.values }
  const copied = new Set<string>()
  const reading = { ...runtime, store: atOnce(runtime.store) }
  const own = copyOf(reading, request, entity, fresh.fields, [source.values])
  await Promise.all(
    fresh.fields.map(async field => {
      const value = source.values[field.key]
      const { type } = declared(app, entity, field.key)!
      if (!isCopied(app, entity, field) || value === undefined) return
      copied.add(field.key)
      values[field.key] =
        field.children !== null && type.kind === 'list' && Array.isArray(value)
          ? await copyOf(reading, request, type.entity, field.children, value)
          : (await own)[0]![field.key]!
    }),
  )
  const labels = Object.entries(source.labels).filter(([path]) => copied.has(path.split('.')[0] ?? ''))
  return { ...fresh, values: values as RecordValue, labels: { ...fresh.labels, ...Object.fromEntries(labels) } }
}

/** What these fields of records of one entity are copied as. */
async function copyOf(
  runtime: Runtime,
  request: Request,
  entity: string,
  fields: readonly FormField[],
  records: readonly RecordValue[],
): Promise<readonly RecordValue[]> {
  const { app } = runtime
  const copies = records.map((): Record<string, Wire> => ({}))
  const copy = async (field: FormField) => {
    const { key } = field
    if (field.children !== null || !isCopied(app, entity, field)) return
    const isNaming = declared(app, entity, key)!.type.kind === 'reference' || isLinks(app, entity, key)
    const ids = isNaming ? [...new Set(records.flatMap(record => linked(record[key] as Wire)))] : []
    const need = { entity, field: key, search: null, limit: ids.length, ids }
    const open = new Set(
      ids.length === 0 ? [] : (await readOptions(runtime, request, need)).options.map(one => one.value),
    )
    records.forEach((record, index) => {
      const value = record[key] as Wire | undefined
      if (value === undefined) return
      const named = linked(value).filter(id => open.has(id))
      copies[index]![key] = isNaming ? (named.length === 0 ? null : named.join(' ')) : value
    })
  }
  await Promise.all(fields.map(copy))
  return copies
}

function isCopied(app: App, entity: string, { key, settable }: FormField): boolean {
  const field = declared(app, entity, key)
  return settable && field !== undefined && field.unique === null && field.type.kind !== 'file'
}
