/** What new records and rows begin with in forms. */
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { sightOf } from '../access/reading.ts'
import { declared } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { type CodeFailure, codeProblem, functionsHeard } from '../write/code.ts'
import { environmentOfRules, relatedRecords, withRelated } from '../write/environment.ts'
import { readOptions } from './options.ts'

export interface FormField {
  readonly key: string
  /** False: shown, not entered. */
  readonly settable: boolean
  /** Of a list of child rows: the fields of a row. Null for other fields. */
  readonly children: readonly FormField[] | null
  /** Of such a list: a row may be added. */
  readonly adds?: boolean
  /** Of a field of such a row: what a new one begins with. */
  readonly preset?: Wire
  /** What a new record or row would begin with could not be worked out: why, in words for people. */
  readonly failed?: string
}

interface Presets {
  readonly values: Record<string, Wire | readonly RecordValue[]>
  readonly labels: Record<string, string>
  /** Why code of the document gave nothing, by field. */
  readonly failed: Readonly<Record<string, string>>
}

export const withFailure = (field: FormField, failed: Presets['failed']): FormField => {
  const why = failed[field.key]
  return why === undefined ? field : { ...field, failed: why }
}

/** What these fields of a new record begin with, as far as whoever asks sees what that reads and what it names. */
export async function presetsOf(
  runtime: Runtime,
  request: Request,
  entity: string,
  keys: readonly string[],
): Promise<Presets> {
  const { app, store } = runtime
  const { actor } = request
  const fields = keys.map(key => declared(app, entity, key)!).filter(({ computed }) => computed === null)
  const related = relatedRecords(store, app, 'as it is')
  const failures: CodeFailure[] = []
  const heard = { ...request, functions: functionsHeard(app, failure => failures.push(failure)) }
  const { values, failed } = await withRelated(related, () => {
    const found: Presets['values'] = {}
    const unknown: Record<string, string> = {}
    for (const field of fields) {
      found[field.key] = null
      if (field.default === null) continue
      const environment = environmentOfRules(app, heard, related, { of: entity, row: found, before: null })
      failures.length = 0
      const value = evaluate(field.default, environment)
      if (value === NOT_LOADED || Array.isArray(value)) continue
      if (sightOf(app, request, field.default, environment) !== true) continue
      found[field.key] = value as Wire
      const [failure] = failures
      if (failure !== undefined) unknown[field.key] = codeProblem(app, failure, field.label).message
    }
    return { values: found, failed: unknown }
  })
  const labels: Presets['labels'] = {}
  await Promise.all(
    fields.map(async ({ key, type }) => {
      const id = values[key]
      if (type.kind !== 'reference' || typeof id !== 'string') return
      const need = { entity, field: key, search: null, limit: 1, ids: [id], named: [id] }
      const label =
        id === actor.id ? actor.name : (await readOptions(runtime, request, need)).options.map(one => one.label)[0]
      if (label === undefined) values[key] = null
      else if (label !== null) labels[key] = label
    }),
  )
  return { values, labels, failed }
}

/** The fields, those of new rows with what they begin with. */
export const withPresets = (
  runtime: Runtime,
  request: Request,
  entity: string,
  fields: readonly FormField[],
): Promise<readonly FormField[]> =>
  Promise.all(
    fields.map(async field => {
      const { type } = declared(runtime.app, entity, field.key)!
      if (field.children === null || type.kind !== 'list') return field
      const keys = field.children.flatMap(({ key, children }) => (children === null ? [key] : []))
      const { values, failed } = await presetsOf(runtime, request, type.entity, keys)
      const within = await withPresets(runtime, request, type.entity, field.children)
      const begun = within.map(one => ({ ...one, preset: (values[one.key] ?? null) as Wire }))
      return { ...field, children: begun.map(one => withFailure(one, failed)) }
    }),
  )
