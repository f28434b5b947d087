/**
 * A whole form or a JSON body → values of an entity and rows of its child lists. The server and the forms in the browser read
 * with the same code. Who may set what is not asked here; only whether it can be read.
 */
import { memoize } from '../../expression/memoize.ts'
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

/** The values of a record or a row. */
interface DecodedValues {
  readonly values: Readonly<Record<string, Wire>>
  /** Only lists that the form or body speaks of; their rows are then all rows. */
  readonly children: Readonly<Record<string, readonly DecodedRow[]>>
}

export interface DecodedRow extends DecodedValues {
  /** Null for a new row. */
  readonly id: string | null
  /** The row's number in the names of the form (`lines.3.item`); in JSON its place. Paths count the rows that are there. */
  readonly written: number
}

export interface Decoded extends DecodedValues {
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
 * Reads a form. Names are field keys, and for rows `lines.0.item` and `lines.0.id`, for theirs `lines.0.tasks.1.minutes`; the last of equal names counts; names that
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
  const { zone, shown } = options
  const problems = new Problems()
  const sent = newSent()
  for (const [name, text] of pairs) {
    if (name.startsWith('_') || name === 'id' || name === 'version') continue
    if (!inRows.test(name)) {
      put(sent.texts, entity, name, text)
      continue
    }
    const parts = name.split('.')
    let [at, of]: [Sent, ReadEntity | null] = [sent, entity]
    for (let index = 0; index + 2 < parts.length; index += 2) {
      const list = parts[index]!
      at = memoize(
        memoize(at.rows, list, () => new Map<number, Sent>()),
        Number(parts[index + 1]),
        newSent,
      )
      of = of === null ? null : (childOf(of, app, list)?.entity ?? null)
    }
    put(at.texts, of, parts.at(-1)!, text)
  }

  const readTexts = (of: ReadEntity, given: Sent['texts'], at: string, shownAs: string) => {
    const values: Record<string, Wire> = {}
    for (const [key, text] of given) {
      const field = problems.settable(of, key, at)
      if (field === null) continue
      const parsed = isBlank(text) ? { value: null } : fieldKind(field.kind).parse(text, field.parameters, locale, zone)
      problems.keep(values, field, parsed, at)
    }
    for (const field of of.fields)
      if (field.type.kind === 'yes/no' && !given.has(field.key) && shown?.has(shownAs + field.key) === true)
        values[field.key] = false
    return values
  }

  const read = (of: ReadEntity, { texts, rows }: Sent, at: string, shownAs: string): DecodedValues => {
    const children: Record<string, readonly DecodedRow[]> = {}
    for (const name of new Set([...rows.keys(), ...texts.keys()])) {
      const child = childOf(of, app, name)
      const path = `${at}${name}`
      if (child === null) {
        if (rows.has(name)) problems.add(path, invalidValue('NF-UNKNOWN-FIELD', {}).invalid, name)
        continue
      }
      texts.delete(name)
      const found = [...(rows.get(name) ?? [])].sort(([a], [b]) => a - b)
      if (problems.tooMany(child.field, path, found.length)) continue
      children[name] = readRows(child.entity, found, path, `${shownAs}${name}.`)
    }
    return { values: readTexts(of, texts, at, shownAs), children }
  }

  const readRows = (of: ReadEntity, rows: readonly (readonly [number, Sent])[], path: string, shownAs: string) => {
    const kept: DecodedRow[] = []
    for (const [written, row] of rows) {
      const prefix = `${path}.${kept.length}.`
      const idText = row.texts.get('id') ?? ''
      row.texts.delete('id')
      const before = problems.found.length
      const own = read(of, row, prefix, shownAs)
      const isNew = isBlank(idText)
      if (isNew && holdsNothing(own) && problems.found.length === before) continue
      kept.push({ id: isNew ? null : problems.id(idText, prefix), ...own, written })
    }
    return kept
  }
  return { ...read(entity, sent, '', ''), invalidValues: problems.found }
}

const holdsNothing = ({ values, children }: DecodedValues): boolean =>
  Object.values(values).every(value => value === null || value === false) &&
  Object.values(children).every(inner => inner.length === 0)

/** Names of fields in rows: `lines.0.item`, `lines.0.tasks.2.minutes`. */
const inRows = /^[a-z][a-z0-9_]*(?:\.\d{1,6}\.[a-z][a-z0-9_]*){1,3}$/

/** What was sent of a record or a row: texts by field, and rows by list and number. */
interface Sent {
  readonly texts: Map<string, string>
  readonly rows: Map<string, Map<number, Sent>>
}

const newSent = (): Sent => ({ texts: new Map(), rows: new Map() })

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
  if (!isObject(body)) {
    const { invalid: wrong } = invalidValue('NF-JSON', { expected: 'an object', found: jsonKind(body) })
    problems.add('', wrong, 'The body')
    return { values: {}, children: {}, invalidValues: problems.found }
  }

  const read = (of: ReadEntity, object: Json, at: string): DecodedValues => {
    const values: Record<string, Wire> = {}
    const children: Record<string, readonly DecodedRow[]> = {}
    for (const [key, json] of Object.entries(object)) {
      if (key === 'id' || isTold(of, key)) continue
      const child = childOf(of, app, key)
      if (child !== null) {
        const rows = readRows(child, json, at + key)
        if (rows !== null) children[key] = rows
        continue
      }
      const field = problems.settable(of, key, at)
      if (field === null) continue
      const none = Array.isArray(json) && json.length === 0 && fieldKind(field.kind).gathered !== undefined
      const empty = json === null || (typeof json === 'string' && isBlank(json)) || none
      const parsed = empty ? { value: null } : fieldKind(field.kind).fromJson(json, field.parameters)
      problems.keep(values, field, parsed, at)
    }
    return { values, children }
  }

  const readRows = (child: Child, rows: unknown, path: string): readonly DecodedRow[] | null => {
    if (!Array.isArray(rows)) {
      problems.add(path, invalidValue('NF-LIST', {}).invalid, child.field.label)
      return null
    }
    if (problems.tooMany(child.field, path, rows.length)) return null
    return rows.flatMap((row: unknown, written): DecodedRow[] => {
      const at = `${path}.${written}.`
      if (!isObject(row)) {
        const { invalid: wrong } = invalidValue('NF-JSON', { expected: 'an object', found: jsonKind(row) })
        problems.add(`${path}.${written}`, wrong, child.field.label)
        return []
      }
      const own = read(child.entity, row, at)
      return [{ id: row.id === undefined || row.id === null ? null : problems.id(row.id, at), ...own, written }]
    })
  }

  if ('id' in body) problems.sameId(body.id, own)
  return { ...read(entity, body, ''), invalidValues: problems.found }
}

/** What the API tells of a record beside its fields, and is given back: its version, and which references are not told. */
const isTold = ({ fields }: ReadEntity, key: string): boolean =>
  key === 'version' || (key === 'unseen' && !fields.some(field => field.key === key))

type Json = Readonly<Record<string, unknown>>

function isObject(json: unknown): json is Json {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** A list field, and the entity of its rows. */
interface Child {
  readonly field: ReadField
  readonly entity: ReadEntity
}

/** Null where the key is no list. */
function childOf(entity: ReadEntity, app: ReadApp, key: string): Child | null {
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

  tooMany(field: ReadField, path: string, found: number): boolean {
    if (found > mostRows) this.add(path, invalidValue('NF-TOO-MANY', { found, max: mostRows }).invalid, field.label)
    return found > mostRows
  }
}

const shortened = (key: string): string => {
  const plain = key.replace(/\p{Cc}/gu, '\ufffd').toWellFormed()
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain
}
