/** Domain events: what happened in a transaction and has effects, in that order; the effects are applied before the commit. */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Act, Effect } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { storedReads } from '../../headings/stored-reads.ts'
import type { Tx } from '../../store/pool.ts'
import { ofEntity } from '../statements.ts'
import {
  childLists,
  type Draft,
  deepLists,
  type ListField,
  rowsIn,
  sameRows,
  stamps,
  storedFields,
} from './draft-record.ts'

export type Names = Readonly<Record<string, string | null>>
export type Locals = Readonly<Record<string, Wire>>

/** The record that acts are about, as it is then; `old` is what it was before. */
export interface ChangedRecord {
  readonly entity: string
  readonly record: Draft
  readonly old: RecordValue | null
  /** Ids of the records that have names: inside of `for each order in …`, behind `let shelf = …`. */
  readonly names?: Names | undefined
  /** Values that have names, as `limits.let.<name>` in expressions. */
  readonly locals?: Locals | undefined
  /** Inside of `for each`, of what leaves: the record that all of it happens with. */
  readonly outer?: RecordValue
}

/** What follows from one happening: effects in the order of the document, or what a step says, still to be done. */
export interface PendingEffects {
  readonly about: ChangedRecord
  readonly effects: readonly PendingEffect[]
}

export interface PendingEffect {
  /** Null: it is done whatever the record says. */
  readonly when: Effect['when']
  readonly acts: readonly Act[]
  /** What acts see of the record where it was different when their turn was, by the order in which they are written. */
  readonly seen?: ReadonlyMap<Act, Seen>
  /** It follows from a step: asked once the rows are what the step itself makes of them. */
  readonly isStep: boolean
}

/** What an act sees beside the record as it is stored: fields that were set behind it, and what had a name before it. */
export interface Seen {
  readonly fields: Readonly<Record<string, Draft[string]>>
  readonly names: Names
  readonly locals: Locals
}

const pending = new WeakMap<Tx, PendingEffects[]>()

/** The next that is to be done; undefined: nothing is left. */
export const nextEffects = (tx: Tx): PendingEffects | undefined => pending.get(tx)?.shift()

/** Puts acts behind everything that happened before. */
export function deferEffects(tx: Tx, one: PendingEffects): void {
  const all = pending.get(tx)
  if (all === undefined) pending.set(tx, [one])
  else all.push(one)
}

type Happening = ChangedRecord & { readonly on: readonly string[] }

/**
 * Notes what happened to a record: `on` are `created`, `deleted` or the key of a step; that it was changed is seen by itself, of
 * its child rows as well.
 */
export function recordEvent(tx: Tx, app: App, happening: Happening): void {
  const { entity, record, old, on } = happening
  const effects = effectsOf(app, entity).flatMap((effect): readonly PendingEffect[] => {
    const isIt = effect.on.some(one => on.includes(one))
    const isChange = old !== null && effect.on.includes('changed') && concerns(app, effect, old, record)
    const isStep = isIt && old !== null
    return isIt || isChange ? [{ when: effect.when, acts: effect.then, isStep }] : []
  })
  if (effects.length > 0) deferEffects(tx, { about: { entity, record: { ...record }, old }, effects })
  for (const list of childLists(app, entity))
    if ([list, ...deepLists(app, list.entity)].some(one => effectsOf(app, one.entity).length > 0))
      recordRows(tx, app, list, happening)
}

/** Notes what happened to the rows of a record with it. */
function recordRows(tx: Tx, app: App, { entity, field }: ListField, { record, old, on }: Happening): void {
  const rows = (record[field] ?? []) as readonly Draft[]
  const before = (old?.[field] ?? []) as readonly Draft[]
  if (rows === before) return
  const stored = new Map(before.map(row => [row.id, row]))
  const deleted = { entity, old: null, on: ['deleted'] }
  for (const row of rows) {
    const was = stored.get(row.id) ?? null
    if (on.includes('deleted')) recordEvent(tx, app, { ...deleted, record: row })
    else recordEvent(tx, app, { entity, record: row, old: was, on: was === null ? ['created'] : [] })
  }
  const left = new Set(rows.map(({ id }) => id))
  for (const row of before) if (!left.has(row.id)) recordEvent(tx, app, { ...deleted, record: row })
}

const effectsOf = ofEntity((app, entity) => app.effects.filter(effect => effect.entity === entity))

/**
 * A change concerns an effect when something that its When reads of the record is different, its lists of rows included; without a
 * When, any change does.
 */
function concerns(app: App, { entity, when }: Effect, old: RecordValue, record: RecordValue): boolean {
  const read = when === null || isUnspecified(when) ? new Set<string>() : storedReads(app, entity, when)
  const counts = (key: string) => (read.size === 0 ? !stamps.has(key) : read.has(key))
  return (
    storedFields(app, entity).some(key => counts(key) && (old[key] ?? null) !== (record[key] ?? null)) ||
    childLists(app, entity).some(
      list => counts(list.field) && !sameRows(app, list.entity, rowsIn(record, list), rowsIn(old, list)),
    )
  )
}
