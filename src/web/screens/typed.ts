/** What stands in a form as text, before and after people typed: names and texts, rows in their order. Nothing is judged here. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Entity, Field } from '../../headings/3-entities/model.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Decoded } from '../../kinds/fields/input.ts'
import { withoutUnseen } from '../../kinds/fields/reference/unseen.ts'
import type { Hidden } from '../../kinds/screens/view-model.ts'
import type { FormData } from '../../run/read/form.ts'
import { fieldInfo, type Site } from '../site.ts'
import type { Building } from './common.ts'
import { controlText } from './values.ts'

export interface TypedRow {
  /** Of a stored row; null: a new one. */
  readonly id: string | null
  /** By field key. */
  readonly texts: Readonly<Record<string, string>>
}

export interface Typed {
  readonly texts: Readonly<Record<string, string>>
  /** Only lists that the form shows. */
  readonly lists: Readonly<Record<string, readonly TypedRow[]>>
}

/** So many rows of a list are looked at; `decodeForm` refuses many more. */
const rowsRead = 500

/** Reads the names of a form as `decodeForm` does: `due_back`, `lines.0.item`, `lines.0.id`; of equal names the last counts, of boxes each. */
export function typedOf(form: URLSearchParams, entity: Entity, site: Pick<Site, 'app' | 'reader'>): Typed {
  const { app } = site
  const texts: Record<string, string> = {}
  const rows = new Map<string, Map<number, Record<string, string>>>()
  for (const { key, type } of entity.fields)
    if (type.kind === 'list' && app.entities.get(type.entity)?.partOf === entity.key && hasList(form, key))
      rows.set(key, new Map())
  const child = (list: string): Entity | undefined => {
    const type = entity.fields.find(({ key }) => key === list)?.type
    return type?.kind === 'list' ? app.entities.get(type.entity) : undefined
  }
  for (const [name, text] of form) {
    const [, list, number, key] = /^([a-z][a-z0-9_]*)\.(\d{1,6})\.([a-z][a-z0-9_]*)$/.exec(name) ?? []
    const ofList = list === undefined ? undefined : rows.get(list)
    if (ofList !== undefined && number !== undefined && key !== undefined) {
      const row = ofList.get(Number(number)) ?? {}
      row[key] = heldIn(site, child(list!), key, row[key], text)
      if (ofList.has(Number(number)) || ofList.size < rowsRead) ofList.set(Number(number), row)
    } else {
      const isOwn = entity.fields.some(({ key: own }) => own === name)
      if (!isOwn || rows.has(name)) continue
      texts[name] = heldIn(site, entity, name, texts[name], text)
    }
  }
  const lists = [...rows].map(([key, ofList]) => [
    key,
    [...ofList]
      .sort(([left], [right]) => left - right)
      .map(([, { id = '', ...rest }]): TypedRow => ({ id: id === '' ? null : id, texts: rest })),
  ])
  return { texts, lists: Object.fromEntries(lists) as Typed['lists'] }
}

/** Where each text of a field counts, they come together; a day or a moment is as its control holds it, however somebody wrote it. */
export function heldIn(
  site: Pick<Site, 'reader'>,
  entity: Entity | undefined,
  key: string,
  before: string | undefined,
  text: string,
): string {
  const field = entity?.fields.find(({ key: own }) => own === key)
  if (field === undefined) return text
  const { parse, gathered } = fieldKind(field.kind)
  if (!written.has(field.kind)) return gathered?.(before, text) ?? text
  const { locale, format } = site.reader
  const read = parse(text, field.parameters, locale, format.zone)
  return 'value' in read ? controlText(site, field, read.value) : text
}

/** Kinds of field that stand in a form as their reader writes them, and are compared as values. */
const written: ReadonlySet<string> = new Set(['date', 'date and time'])

/** The rows that `decodeForm` kept (it leaves out new ones with nothing in them), so that paths of problems fit. */
export function keptRows(form: URLSearchParams, typed: Typed, decoded: Decoded): Typed {
  const lists = Object.entries(typed.lists).map(([key, rows]) => {
    const kept = decoded.children[key]
    if (kept === undefined) return [key, rows]
    const numbers = numbersOf(form, key)
    return [key, kept.flatMap(({ written }) => rows[numbers.indexOf(written)] ?? [])]
  })
  return { ...typed, lists: Object.fromEntries(lists) as Typed['lists'] }
}

/** `_add=lines`, `_remove=lines.0`: the form with a row more or less. Null: the form was sent to be saved. */
export function rowChange(form: URLSearchParams, typed: Typed): Typed | null {
  const add = form.get('_add')
  const [list = '', index = ''] = (form.get('_remove') ?? '').split('.')
  const change = (key: string, rows: readonly TypedRow[]): Typed => ({
    ...typed,
    lists: { ...typed.lists, [key]: rows },
  })
  if (add !== null && Object.hasOwn(typed.lists, add))
    return change(add, [...typed.lists[add]!, { id: null, texts: {} }])
  if (Object.hasOwn(typed.lists, list) && /^\d{1,6}$/.test(index))
    return change(
      list,
      typed.lists[list]!.filter((_, at) => at !== Number(index)),
    )
  return add !== null || form.has('_remove') ? typed : null
}

/** The texts as they were when the form was made, carried in the form: what is still the same is not sent to be changed. */
export const writeWas = (typed: Typed): string => Buffer.from(JSON.stringify(typed)).toString('base64url')

/** Only advice on what people did not touch: a made-up one changes nothing that the form itself could not. */
export function readWas(text: string | null): Typed {
  const nothing: Typed = { texts: {}, lists: {} }
  if (text === null) return nothing
  try {
    const found: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof found !== 'object' || found === null || !('texts' in found) || !('lists' in found)) return nothing
    return { texts: { ...(found.texts as Typed['texts']) }, lists: { ...(found.lists as Typed['lists']) } }
  } catch {
    return nothing
  }
}

/** Whether somebody changed this field or list since the form was made. Line ends are what browsers make of them. */
export function isTouched(key: string, typed: Typed, was: Typed): boolean {
  const rows = typed.lists[key]
  if (rows !== undefined)
    return (
      !Object.hasOwn(was.lists, key) || JSON.stringify(plainRows(rows)) !== JSON.stringify(plainRows(was.lists[key]))
    )
  return !Object.hasOwn(was.texts, key) || plainText(typed.texts[key]) !== plainText(was.texts[key])
}

const plainText = (text: unknown): string => (typeof text === 'string' ? text.replaceAll('\r\n', '\n') : '')

function plainRows(rows: unknown): unknown {
  if (!Array.isArray(rows)) return null
  return rows.map((row: Partial<TypedRow> | null) => [
    row?.id ?? null,
    Object.entries(row?.texts ?? {})
      .map(([key, text]) => [key, plainText(text)])
      .sort(([left = ''], [right = '']) => (left < right ? -1 : 1)),
  ])
}

const hasList = (form: URLSearchParams, key: string): boolean =>
  form.has(key) || [...form.keys()].some(name => name.startsWith(`${key}.`))

function numbersOf(form: URLSearchParams, list: string): readonly number[] {
  const numbers = new Set<number>()
  for (const name of form.keys()) {
    const [own, number, key] = name.split('.')
    if (own === list && key !== undefined && number !== undefined && /^\d{1,6}$/.test(number))
      numbers.add(Number(number))
  }
  return [...numbers].sort((left, right) => left - right)
}

/** What the form holds before anybody types. */
export function typedFrom({ site }: Building, entity: string, form: FormData): Typed {
  const texts: Record<string, string> = {}
  const lists: Record<string, readonly TypedRow[]> = {}
  for (const { key, settable, children } of form.fields) {
    const info = fieldInfo(site.app, entity, key)
    if (!settable || info?.field == null) continue
    if (children === null || info.type.kind !== 'list') {
      texts[key] = textIn(site, info.field, form.values[key])
      continue
    }
    const of = info.type.entity
    const rows = (Array.isArray(form.values[key]) ? form.values[key] : []) as readonly RecordValue[]
    const stored = rows.map((row): TypedRow => {
      const own = children.flatMap(child => {
        const childInfo = fieldInfo(site.app, of, child.key)
        return child.settable && childInfo?.field != null
          ? [[child.key, textIn(site, childInfo.field, row[child.key])] as const]
          : []
      })
      return { id: typeof row.id === 'string' ? row.id : null, texts: Object.fromEntries(own) }
    })
    lists[key] = stored
  }
  return { texts, lists }
}

/** What its control holds: of several records, those that its reader may choose among. */
function textIn(site: Site, field: Field, value: RecordValue[string]): string {
  const wire = scalar(value)
  return controlText(site, field, field.type.kind === 'list' && wire !== undefined ? withoutUnseen(wire) : wire)
}

/** Hidden inputs that carry everything typed on to the next form: what a conflict page needs to lose nothing. */
export function hiddenTexts(typed: Typed): readonly Hidden[] {
  const own = Object.entries(typed.texts).map(([name, value]) => ({ name, value }))
  const rows = Object.entries(typed.lists).flatMap(([list, of]) => [
    { name: list, value: '' },
    ...of.flatMap(({ id, texts }, index) => [
      ...(id === null ? [] : [{ name: `${list}.${index}.id`, value: id }]),
      ...Object.entries(texts).map(([key, value]) => ({ name: `${list}.${index}.${key}`, value })),
    ]),
  ])
  return [...own, ...rows]
}

/** Of a field with one value. */
export const scalar = (value: RecordValue[string]): Wire | undefined =>
  typeof value === 'string' || typeof value === 'boolean' || value === null ? value : undefined
