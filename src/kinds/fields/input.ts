/**
 * A whole form or a JSON body → values of an entity and rows of its child lists. The server and the forms in the browser read
 * with the same code. Who may set what is not asked here; only whether it can be read.
 */
import type { Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { InvalidValue, Parsed } from './field-kind.ts'
import { fieldKind } from './index.ts'
import { invalidValue } from './invalid-value.ts'
import { isBlank, jsonKind } from './texts.ts'

/** What could not be read, by path (`lines.0.value`); its detail has the label, too. */
interface PlacedInvalidValue extends InvalidValue {
  readonly path: string
}

export interface DecodedRow {
  /** Null for a new row. */
  readonly id: string | null
  readonly values: Readonly<Record<string, Wire>>
  /** The row's number in the names of the form (`lines.3.item`); in JSON its place. Paths count the rows that are there. */
  readonly written: number
}

export interface Decoded {
  readonly values: Readonly<Record<string, Wire>>
  /** Only lists that the form or body speaks of; their rows are then all rows. */
  readonly children: Readonly<Record<string, readonly DecodedRow[]>>
  readonly invalidValues: readonly PlacedInvalidValue[]
}

/** What reading needs to know of an entity. One of heading 3 is one; forms in the browser have the same as plain data. */
export interface ReadEntity {
  readonly fields: readonly Pick<Field, 'key' | 'label' | 'kind' | 'parameters' | 'type' | 'computed'>[]
  /** All fields that there are, built-in ones too. */
  readonly shape: { readonly fields: { readonly has: (key: string) => boolean } }
}

/** What reading needs to know of an application. */
export interface ReadApp {
  readonly entities: { readonly get: (key: string) => ReadEntity | undefined }
}

type ReadField = ReadEntity['fields'][number]

export interface FormOptions {
  /** Fields that the form shows (`damaged`, `lines.damaged`): of these, a box that is not in the form was not ticked. */
  readonly shown?: ReadonlySet<string>
  /** Time zone that moments are meant in. */
  readonly zone: string
}

/** Rows of one list in one form or body, at most. */
export const mostRows = 500

/**
 * Reads a form. Names are field keys, and for rows `lines.0.item` and `lines.0.id`; the last of equal names counts; names that
 * begin with `_` belong to the page. Blank is empty. New rows with nothing in them are left out. The name of a list alone
 * says that the form shows it, so that no row at all means no rows.
 */
export function decodeForm(
  entity: ReadEntity,
  app: ReadApp,
  pairs: Iterable<readonly [string, string]>,
  locale: string,
  options: FormOptions,
): Decoded {
  const texts = new Map<string, string>()
  const rows = new Map<string, Map<number, Map<string, string>>>()
  const problems = new Problems()
  for (const [name, text] of pairs) {
    if (name.startsWith('_') || name === 'id' || name === 'version') continue
    const [, list, number, key] = /^([a-z][a-z0-9_]*)\.(\d{1,6})\.([a-z][a-z0-9_]*)$/.exec(name) ?? []
    if (list === undefined || number === undefined || key === undefined) {
      put(texts, entity, name, text)
      continue
    }
    const ofList = rows.get(list) ?? new Map<number, Map<string, string>>()
    const ofRow = ofList.get(Number(number)) ?? new Map<string, string>()
    put(ofRow, childOf(entity, app, list)?.entity ?? null, key, text)
    ofList.set(Number(number), ofRow)
    rows.set(list, ofList)
  }

  const { zone } = options
  const readTexts = (
    of: ReadEntity,
    given: ReadonlyMap<string, string>,
    shown: (key: string) => boolean,
    at: string,
  ) => {
    const values: Record<string, Wire> = {}
    for (const [key, text] of given) {
      const field = problems.settable(of, key, at)
      if (field === null) continue
      const parsed = isBlank(text) ? { value: null } : fieldKind(field.kind).parse(text, field.parameters, locale, zone)
      problems.keep(values, field, parsed, at)
    }
    for (const field of of.fields)
      if (field.type.kind === 'yes/no' && !given.has(field.key) && shown(field.key)) values[field.key] = false
    return values
  }

  const children: Record<string, readonly DecodedRow[]> = {}
  for (const name of new Set([...rows.keys(), ...texts.keys()])) {
    const child = childOf(entity, app, name)
    if (child === null) {
      if (rows.has(name)) problems.add(name, invalidValue('NF-UNKNOWN-FIELD', {}).invalid, name)
      continue
    }
    texts.delete(name)
    const found = [...(rows.get(name) ?? [])].sort(([a], [b]) => a - b)
    if (problems.tooMany(child.field, found.length)) continue
    const kept: DecodedRow[] = []
    for (const [written, given] of found) {
      const at = `${name}.${kept.length}.`
      const idText = given.get('id') ?? ''
      given.delete('id')
      const before = problems.found.length
      const values = readTexts(child.entity, given, key => options.shown?.has(`${name}.${key}`) ?? false, at)
      const isNew = isBlank(idText)
      const isEmpty = Object.values(values).every(value => value === null || value === false)
      if (isNew && isEmpty && problems.found.length === before) continue
      kept.push({ id: isNew ? null : problems.id(idText, at), values, written })
    }
    children[name] = kept
  }
  const values = readTexts(entity, texts, key => options.shown?.has(key) ?? false, '')
  return { values, children, invalidValues: problems.found }
}

/** The last of equal names counts; of what comes piece by piece each. */
function put(texts: Map<string, string>, entity: ReadEntity | null, key: string, text: string): void {
  const field = entity?.fields.find(one => one.key === key)
  const gathered = field === undefined ? undefined : fieldKind(field.kind).gathered
  texts.set(key, gathered?.(texts.get(key), text) ?? text)
}

/**
 * Reads a JSON body: an object of field keys, lists as arrays of such objects. `version` belongs to the conditions; `id` may be that of the
 * address (`own`), so that a record that was read can be sent back, and no other: no record is given one.
 */
export function decodeJson(entity: ReadEntity, app: ReadApp, body: unknown, own: string | null = null): Decoded {
  const problems = new Problems()
  const children: Record<string, readonly DecodedRow[]> = {}
  if (!isObject(body)) {
    const { invalid: wrong } = invalidValue('NF-JSON', { expected: 'an object', found: jsonKind(body) })
    problems.add('', wrong, 'The body')
    return { values: {}, children, invalidValues: problems.found }
  }

  const readJson = (of: ReadEntity, object: Readonly<Record<string, unknown>>, keys: readonly string[], at: string) => {
    const values: Record<string, Wire> = {}
    for (const key of keys) {
      const field = problems.settable(of, key, at)
      if (field === null) continue
      const json = object[key]
      const none = Array.isArray(json) && json.length === 0 && fieldKind(field.kind).gathered !== undefined
      const empty = json === null || (typeof json === 'string' && isBlank(json)) || none
      const parsed = empty ? { value: null } : fieldKind(field.kind).fromJson(json, field.parameters)
      problems.keep(values, field, parsed, at)
    }
    return values
  }

  const keys: string[] = []
  for (const key of Object.keys(body)) {
    const child = childOf(entity, app, key)
    if (child === null) {
      if (key === 'id') problems.sameId(body.id, own)
      else if (!isTold(entity, key)) keys.push(key)
      continue
    }
    const rows = body[key]
    if (!Array.isArray(rows)) {
      problems.add(key, invalidValue('NF-LIST', {}).invalid, child.field.label)
      continue
    }
    if (problems.tooMany(child.field, rows.length)) continue
    children[key] = rows.flatMap((row: unknown, written): DecodedRow[] => {
      const at = `${key}.${written}.`
      if (!isObject(row)) {
        const { invalid: wrong } = invalidValue('NF-JSON', { expected: 'an object', found: jsonKind(row) })
        problems.add(`${key}.${written}`, wrong, child.field.label)
        return []
      }
      const id = row.id
      const values = readJson(
        child.entity,
        row,
        Object.keys(row).filter(name => name !== 'id' && !isTold(child.entity, name)),
        at,
      )
      return [{ id: id === undefined || id === null ? null : problems.id(id, at), values, written }]
    })
  }
  return { values: readJson(entity, body, keys, ''), children, invalidValues: problems.found }
}

/** What the API tells of a record beside its fields, and is given back: its version, and which references are not told. */
const isTold = ({ fields }: ReadEntity, key: string): boolean =>
  key === 'version' || (key === 'unseen' && !fields.some(field => field.key === key))

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** The list field with this key and the entity of its rows; null where the key is no list. */
function childOf(
  entity: ReadEntity,
  app: ReadApp,
  key: string,
): { readonly field: ReadField; readonly entity: ReadEntity } | null {
  const field = entity.fields.find(field => field.key === key)
  const isRows = field?.type.kind === 'list' && fieldKind(field.kind).links !== true
  const child = isRows ? app.entities.get((field.type as { readonly entity: string }).entity) : undefined
  return field === undefined || child === undefined ? null : { field, entity: child }
}

/** Collects invalidValues with their paths. */
class Problems {
  readonly found: PlacedInvalidValue[] = []

  add(path: string, { code, detail }: InvalidValue, label: string): void {
    this.found.push({ path, code, detail: { ...detail, label } })
  }

  /** The field of this key where a value can be given for it at all; else null, and said why. */
  settable(entity: ReadEntity, key: string, at: string): ReadField | null {
    const field = entity.fields.find(field => field.key === key)
    if (field !== undefined && field.computed === null && fieldKind(field.kind).entered) return field
    const isBuiltIn = field === undefined && entity.shape.fields.has(key)
    if (field !== undefined) this.add(at + key, invalidValue('NF-FILLED', {}).invalid, field.label)
    else if (isBuiltIn) this.add(at + key, invalidValue('NF-FILLED', {}).invalid, `\`${key}\``)
    else this.add(at + shortened(key), invalidValue('NF-UNKNOWN-FIELD', {}).invalid, `\`${shortened(key)}\``)
    return null
  }

  keep(values: Record<string, Wire>, field: ReadField, parsed: Parsed, at: string): void {
    if ('invalid' in parsed) this.add(at + field.key, parsed.invalid, field.label)
    else values[field.key] = parsed.value
  }

  /** The id of a stored row; what is none is said, and stays null. */
  id(given: unknown, at: string): string | null {
    const parsed = fieldKind('reference').fromJson(given, {})
    if ('value' in parsed) return String(parsed.value)
    this.add(`${at}id`, parsed.invalid, '`id`')
    return null
  }

  /** Of the record itself: it cannot be set. */
  sameId(given: unknown, own: string | null): void {
    const isSame = own !== null && typeof given === 'string' && given.toLowerCase() === own.toLowerCase()
    if (!isSame) this.add('id', invalidValue('NF-FILLED', {}).invalid, '`id`')
  }

  tooMany(field: ReadField, found: number): boolean {
    if (found > mostRows)
      this.add(field.key, invalidValue('NF-TOO-MANY', { found, max: mostRows }).invalid, field.label)
    return found > mostRows
  }
}

const shortened = (key: string): string => {
  const plain = key.replace(/\p{Cc}/gu, '\ufffd').toWellFormed()
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain
}
