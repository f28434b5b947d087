/** A form for a new record that begins with what another one has. */
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { declared } from '../names.ts'
import type { FormData, FormField } from './form.ts'

/**
 * Values of `source`, as far as this person sees them there and may set them here. What is unique, and files, stay as in a new form:
 * a second record cannot, or should not, have the same. Child rows come along as new ones.
 */
export function copiedForm(app: App, entity: string, fresh: FormData, source: FormData): FormData {
  const values: Record<string, RecordValue[string]> = { ...fresh.values }
  const copied = new Set<string>()
  for (const field of fresh.fields) {
    const value = source.values[field.key]
    if (!isCopied(app, entity, field) || value === undefined) continue
    copied.add(field.key)
    const { type } = declared(app, entity, field.key)!
    values[field.key] =
      field.children !== null && type.kind === 'list' && Array.isArray(value)
        ? value.map(row => rowOf(app, type.entity, field.children!, row as RecordValue))
        : value
  }
  const labels = Object.entries(source.labels).filter(([path]) => copied.has(path.split('.')[0] ?? ''))
  return { ...fresh, values: values as RecordValue, labels: { ...fresh.labels, ...Object.fromEntries(labels) } }
}

const rowOf = (app: App, entity: string, fields: readonly FormField[], row: RecordValue): RecordValue =>
  Object.fromEntries(
    fields.flatMap(field => {
      const value = row[field.key]
      return isCopied(app, entity, field) && value !== undefined ? [[field.key, value]] : []
    }),
  )

function isCopied(app: App, entity: string, { key, settable }: FormField): boolean {
  const field = declared(app, entity, key)
  return settable && field !== undefined && field.unique === null && field.type.kind !== 'file'
}
