/** A form as it stands, as records: what would be written, with the rows in it and theirs, as far as it is known here. */
import { type Environment, evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Decoded, DecodedRow } from '../../kinds/fields/input.ts'
import type { LiveEntity, LiveField, LiveForm } from './live-form.ts'

/** The record of a form, or one of its rows, at whatever depth. What is not known is not in it. */
export interface StandingRow {
  readonly of: string
  readonly record: RecordValue
  /** What is stored; null: it is new. */
  readonly old: RecordValue | null
  /** `''`, `lines.3.`, `lines.3.tasks.0.`, as its controls are named. */
  readonly prefix: string
  readonly lists: ReadonlyMap<string, readonly StandingRow[]>
}

export interface Standing {
  readonly record: StandingRow
  /** What an expression reads that is asked of one of them: they name each other. */
  readonly environment: (row: StandingRow) => Environment
}

export const isLinks = ({ kind }: Pick<LiveField, 'kind'>): boolean => fieldKind(kind).links === true

export function standing(live: LiveForm, decoded: Decoded): Standing {
  const records = new Map<string, RecordValue>()
  const id = typeof live.values.id === 'string' ? live.values.id : 'new'
  const old = live.on === 'change' ? live.values : null
  const wrong = decoded.invalidValues.map(({ path }) => path)
  const record = placedIn(
    live,
    records,
    {
      of: live.entity,
      id,
      given: decoded,
      base: live.values,
      old,
      prefix: '',
      path: '',
      wrong,
    },
    null,
  )
  return { record, environment: row => environmentOf(live, row.record, row.old, records) }
}

/** What is known of a record or a row before it is put together. */
interface Given {
  readonly of: string
  readonly id: string
  readonly given: Pick<DecodedRow, 'values' | 'children'>
  /** What it begins with: what is stored, or what a new one is filled with. */
  readonly base: RecordValue
  readonly old: RecordValue | null
  readonly prefix: string
  /** As `prefix`, by the rows that count. */
  readonly path: string
  /** Paths of what could not be read. */
  readonly wrong: readonly string[]
}

/** What has a row, and where in its list it stands, from 1. */
interface Above {
  readonly id: string
  readonly place: string
}

function placedIn(live: LiveForm, records: Map<string, RecordValue>, one: Given, above: Above | null): StandingRow {
  const { of, id, given, base, old, prefix, path } = one
  const entity = live.entities[of]!
  const unread = one.wrong.flatMap(at => (at.startsWith(path) ? [at.slice(path.length)] : []))
  const record = merged(entity, base, given.values, unread)
  if (above !== null) {
    if (entity.parent !== null) record[entity.parent] = above.id
    record.position = above.place
    if (old === null) copyInto(live, entity, record)
  }
  records.set(`${of} ${id}`, record)
  const lists = new Map<string, readonly StandingRow[]>()
  for (const field of entity.fields) {
    const { key, type } = field
    if (type.kind !== 'list' || isLinks(field)) continue
    const stored = (Array.isArray(base[key]) ? base[key] : []) as readonly RecordValue[]
    const child = type.entity
    if (given.children[key] === undefined || live.entities[child] === undefined) {
      if (given.children[key] === undefined) record[key] = stored
      continue
    }
    const rows = given.children[key].map((row, index) => {
      const was = row.id === null ? null : (stored.find(({ id: own }) => own === row.id) ?? null)
      const at = { prefix: `${prefix}${key}.${row.written}.`, path: `${path}${key}.${index}.` }
      const more = { id: row.id ?? `new ${at.prefix}`, given: row, base: was ?? {}, old: was, wrong: one.wrong }
      return placedIn(live, records, { of: child, ...at, ...more }, { id, place: String(index + 1) })
    })
    lists.set(key, rows)
    record[key] = rows.map(row => row.record)
  }
  return { of, record, old, prefix, lists }
}

type Draft = Record<string, Wire | readonly RecordValue[]>

/** What was there, with what was typed on top. Computed fields are computed anew; what could not be read is not known. */
function merged(
  entity: LiveEntity,
  before: RecordValue,
  typed: Readonly<Record<string, Wire>>,
  wrong: readonly string[],
): Draft {
  const record: Draft = {}
  for (const [key, value] of Object.entries(before)) if (value !== undefined) record[key] = value
  for (const { key, kind, computed, renewed, copied, type, entered } of entity.fields) {
    if (computed !== null || renewed || (type.kind === 'list' && !fieldKind(kind).links)) delete record[key]
    else if (key in typed) record[key] = typed[key]!
    else if (wrong.includes(key)) delete record[key]
    else if (copied === null && entered) record[key] ??= null
  }
  return record
}

function copyInto(live: LiveForm, entity: LiveEntity, row: Draft): void {
  for (const { key, copied } of entity.fields) {
    if (copied === null) continue
    const value = evaluate(copied, environmentOf(live, row, null, new Map()))
    if (value === NOT_LOADED || Array.isArray(value)) delete row[key]
    else row[key] = value as Wire
  }
}

function environmentOf(
  live: LiveForm,
  row: RecordValue,
  old: RecordValue | null,
  records: ReadonlyMap<string, RecordValue>,
): Environment {
  const { me, today, now, limits, closed } = live
  const related = (entity: string, id: string) => records.get(`${entity} ${id}`) ?? live.related[entity]?.[id]
  return { row, old, me, my: null, today, now, limits, ...(closed === null ? {} : { closed }), related, partial: true }
}

/** `lines.0.item` (the rows that count) → `lines.3.item` (as the controls are named). */
export function asWritten(path: string, { lists, prefix }: StandingRow): string {
  const [list = '', index = '', ...rest] = path.split('.')
  const row = rest.length === 0 ? undefined : lists.get(list)?.[Number(index)]
  return row === undefined ? `${prefix}${path}` : asWritten(rest.join('.'), row)
}
