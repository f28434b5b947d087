/** What stands in a form as text, before and after people typed: names and texts, rows in their order. Nothing is judged here. */
import { memoize } from '../../expression/memoize.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Entity, Field } from '../../headings/3-entities/model.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Decoded } from '../../kinds/fields/input.ts'
import { withoutUnseen } from '../../kinds/fields/reference/unseen.ts'
import { moved } from '../../kinds/screens/form/names.ts'
import type { Hidden } from '../../kinds/screens/view-model.ts'
import type { FormData } from '../../run/read/form.ts'
import type { FormField } from '../../run/read/presets.ts'
import { fieldInfo, type Site } from '../site.ts'
import type { Building } from './common.ts'
import { controlText } from './values.ts'

export interface Typed {
  /** By field key. */
  readonly texts: Readonly<Record<string, string>>
  /** Only lists that the form shows. */
  readonly lists: Readonly<Record<string, readonly TypedRow[]>>
}

export interface TypedRow extends Typed {
  /** Of a stored row; null: a new one. */
  readonly id: string | null
  /** In the names of the form that was sent. */
  readonly written?: number
}

/** So many rows of a list are looked at; `decodeForm` refuses many more. */
const rowsRead = 500

/** Reads the names of a form as `decodeForm` does: `due_back`, `lines.0.item`, `lines.0.id`, `lines.0.tasks.1.minutes`; of equal names the last counts, of boxes each. */
export function typedOf(form: URLSearchParams, entity: Entity, site: Pick<Site, 'app' | 'reader'>): Typed {
  const sent = newSent()
  for (const [name, text] of form) {
    const parts = name.split('.')
    const holder = holderOf(site, entity, sent, parts.slice(0, -1))
    const key = parts.at(-1)!
    if (holder === null) continue
    const { at, of } = holder
    if (listIn(site, of, key) !== null) memoize(at.rows, key, () => new Map<number, Sent>())
    else if (of.fields.some(one => one.key === key) || (parts.length > 1 && inRow.test(key)))
      at.texts[key] = heldIn(site, of, key, at.texts[key], text)
  }
  return typedIn(sent)
}

const inRow = /^[a-z][a-z0-9_]*$/

/** What was sent of a record or a row: texts by field, and rows by list and number. */
interface Sent {
  readonly texts: Record<string, string>
  readonly rows: Map<string, Map<number, Sent>>
}

const newSent = (): Sent => ({ texts: {}, rows: new Map() })

/** The row that `lines.0.tasks.2` names, made where it is new; null: there is no such list, or there are too many rows. */
function holderOf(
  site: Pick<Site, 'app'>,
  entity: Entity,
  sent: Sent,
  [list, number, ...rest]: readonly string[],
): { readonly at: Sent; readonly of: Entity } | null {
  if (list === undefined) return { at: sent, of: entity }
  const of = listIn(site, entity, list)
  if (of === null || number === undefined || !/^\d{1,6}$/.test(number)) return null
  const rows = memoize(sent.rows, list, () => new Map<number, Sent>())
  if (!rows.has(Number(number)) && rows.size >= rowsRead) return null
  const row = memoize(rows, Number(number), newSent)
  return holderOf(site, of, row, rest)
}

/** The entity of the rows of a list; null: it is none. */
function listIn({ app }: Pick<Site, 'app'>, { key: entity, fields }: Entity, key: string): Entity | null {
  const type = fields.find(field => field.key === key)?.type
  const of = type?.kind === 'list' ? app.entities.get(type.entity) : undefined
  return of?.partOf === entity ? of : null
}

function typedIn({ texts, rows }: Sent): Typed {
  const lists = [...rows].map(([key, of]) => {
    const inOrder = [...of].sort(([left], [right]) => left - right)
    const typed = inOrder.map(([written, row]): TypedRow => {
      const { texts: all, lists } = typedIn(row)
      const { id = '', ...rest } = all
      return { id: id === '' ? null : id, texts: rest, lists, written }
    })
    return [key, typed] as const
  })
  return { texts, lists: Object.fromEntries(lists) }
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
export function keptRows<Of extends Typed>(typed: Of, { children }: Pick<Decoded, 'children'>): Of {
  const lists = Object.entries(typed.lists).map(([key, rows]) => {
    const kept = children[key]
    if (kept === undefined) return [key, rows] as const
    const found = kept.flatMap(row => {
      const one = rows.find(({ written }) => written === row.written)
      return one === undefined ? [] : [keptRows(one, row)]
    })
    return [key, found] as const
  })
  return { ...typed, lists: Object.fromEntries(lists) }
}

/** `_add=lines`, `_remove=lines.0`, `_move=lines.0.tasks.2.up`: the form with its rows as they are then. Null: the form was sent to be saved. */
export function rowChange(form: URLSearchParams, typed: Typed): Typed | null {
  for (const [name, change] of Object.entries(rowChanges)) {
    const path = form.get(name)
    if (path !== null) return change(typed, path.split('.')) ?? typed
  }
  return null
}

/** Each gives null where there is no such list or row. */
const rowChanges = { _add: withRow, _remove: withoutRow, _move: withMovedRow }

function withRow(typed: Typed, path: readonly string[]): Typed | null {
  return inList(typed, [...path, ''], rows => [...rows, { id: null, texts: {}, lists: {} }])
}

function withoutRow(typed: Typed, path: readonly string[]): Typed | null {
  return inList(typed, path, (rows, at) => rows.toSpliced(at, 1))
}

function withMovedRow(typed: Typed, path: readonly string[]): Typed | null {
  const way = path.at(-1)
  return inList(typed, path.slice(0, -1), (rows, at) => {
    const to = way === 'up' ? at - 1 : way === 'down' ? at + 1 : 0
    return rows[at] === undefined || rows[to] === undefined ? rows : moved(rows, at, to)
  })
}

/** The list at `lines.0.tasks.2` with other rows, of which 2 is meant. */
function inList<Of extends Typed>(
  typed: Of,
  [list = '', number = '', ...rest]: readonly string[],
  change: (rows: readonly TypedRow[], at: number) => readonly TypedRow[],
): Of | null {
  const rows = Object.hasOwn(typed.lists, list) ? typed.lists[list]! : null
  if (rows === null || !/^\d{0,6}$/.test(number)) return null
  if (rest.length === 0) return withRows(typed, list, change(rows, number === '' ? rows.length : Number(number)))
  const at = Number.parseInt(number, 10)
  const changed = rows[at] && inList(rows[at]!, rest, change)
  return changed ? withRows(typed, list, rows.with(at, changed)) : null
}

const withRows = <Of extends Typed>(typed: Of, list: string, rows: readonly TypedRow[]): Of => ({
  ...typed,
  lists: { ...typed.lists, [list]: rows },
})

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
    Object.entries(row?.lists ?? {}).map(([key, inner]) => [key, plainRows(inner)]),
  ])
}

/** What the form holds before anybody types. */
export const typedFrom = ({ site }: Pick<Building, 'site'>, entity: string, form: FormData): Typed =>
  typedOfFields(site, entity, form.fields, form.values)

function typedOfFields(site: Site, entity: string, fields: readonly FormField[], values: RecordValue): Typed {
  const texts: Record<string, string> = {}
  const lists: Record<string, readonly TypedRow[]> = {}
  for (const { key, settable, children } of fields) {
    const info = fieldInfo(site.app, entity, key)
    if (!settable || info?.field == null) continue
    if (children === null || info.type.kind !== 'list') {
      texts[key] = textIn(site, info.field, values[key])
      continue
    }
    const of = info.type.entity
    const rows = (Array.isArray(values[key]) ? values[key] : []) as readonly RecordValue[]
    lists[key] = rows.map(row => ({
      id: typeof row.id === 'string' ? row.id : null,
      ...typedOfFields(site, of, children, row),
    }))
  }
  return { texts, lists }
}

/** What its control holds: of several records, those that its reader may choose among. */
function textIn(site: Site, field: Field, value: RecordValue[string]): string {
  const wire = scalar(value)
  return controlText(site, field, field.type.kind === 'list' && wire !== undefined ? withoutUnseen(wire) : wire)
}

/** Hidden inputs that carry everything typed on to the next form: what a conflict page needs to lose nothing. */
export const hiddenTexts = ({ texts, lists }: Typed, prefix = ''): readonly Hidden[] => [
  ...Object.entries(texts).map(([key, value]) => ({ name: prefix + key, value })),
  ...Object.entries(lists).flatMap(([list, rows]) => [
    { name: prefix + list, value: '' },
    ...rows.flatMap(({ id, ...row }, index) => [
      ...(id === null ? [] : [{ name: `${prefix}${list}.${index}.id`, value: id }]),
      ...hiddenTexts(row, `${prefix}${list}.${index}.`),
    ]),
  ]),
]

/** Of a field with one value. */
export const scalar = (value: RecordValue[string]): Wire | undefined =>
  typeof value === 'string' || typeof value === 'boolean' || value === null ? value : undefined
