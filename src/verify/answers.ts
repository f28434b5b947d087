/** What an answer of the API says in each field: what is stored there, or what the document works out for it. */

import { currencyPlaces } from '../expression/currency.ts'
import { formatDecimal, parseDecimal, round } from '../expression/decimal.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import type { Site } from './client.ts'
import { type Asked, currencyIn, worth } from './judge.ts'
import { isSame, rowOf } from './stage.ts'
import type { Case } from './trial.ts'
import type { World } from './world.ts'

/** Values that the answer says otherwise, rows of lists included; empty: none. */
export function otherValues(site: Site, { world, entity, record }: Case, body: Readonly<Record<string, unknown>>) {
  const of = site.app.entities.get(entity)!
  return valuesOf(site, world, of, record, rowOf(site, of, body))
}

function valuesOf(site: Site, world: World, of: Entity, record: RecordValue, told: RecordValue): readonly string[] {
  return of.fields.flatMap(field => {
    const is = told[field.key]
    if (is === undefined || field.renewed) return []
    if (Array.isArray(is)) return rowsOf(site, world, field, record, is)
    const says = worthOf(world, of, record, field)
    if (says === NOT_LOADED) return []
    site.judged.add(field.typeCell, field.computed?.cell)
    return isSame(field, is, says) ? [] : [`${field.key} is ${said(is)}, and not ${said(says)}`]
  })
}

function rowsOf(site: Site, world: World, field: Field, record: RecordValue, told: readonly RecordValue[]) {
  const stored = record[field.key]
  if (field.type.kind !== 'list' || !Array.isArray(stored)) return []
  const child = site.app.entities.get(field.type.entity)!
  site.judged.add(field.typeCell)
  return told.flatMap(row => {
    const own = stored.find(({ id }) => id === row.id)
    if (own === undefined) return [`${field.key} has a row that is not stored`]
    return valuesOf(site, world, child, own, row).map(wrong => `${field.key}, ${wrong}`)
  })
}

/** What a field of a record holds, or what is worked out for it. */
export function worthOf(world: World, of: Entity, record: RecordValue, field: Field): Wire | typeof NOT_LOADED {
  if (['list', 'values', 'file'].includes(field.type.kind) || fieldKind(field.kind).sealed === true) return NOT_LOADED
  if (field.computed === null) return (record[field.key] ?? null) as Wire
  // What is worked out stays what it was when it was frozen.
  if (field.frozen !== null && record[field.frozen.mark] != null) return NOT_LOADED
  return worthAsHeld(field, field.computed, world.environment(of.key, record))
}

/** What an expression gives, as the field holds it. */
export function worthAsHeld(field: Field | undefined, expression: Expression, asked: Asked): Wire | typeof NOT_LOADED {
  const value = worth(expression, asked)
  const code = typeof value === 'string' ? currencyIn(expression, asked) : null
  if (code === null) return asHeld(field, value)
  const amount = parseDecimal(value as string)
  return asHeld(field, amount === null ? value : formatDecimal(round(amount, currencyPlaces(code))))
}

/** With the places that the field has; what is several is not told. */
export function asHeld(field: Field | undefined, value: ReturnType<typeof worth>): Wire | typeof NOT_LOADED {
  if (value === NOT_LOADED || (value !== null && typeof value === 'object')) return NOT_LOADED
  const { rounded } = fieldKind(field?.kind ?? 'text')
  return field !== undefined && typeof value === 'string' && rounded !== undefined
    ? rounded(value, field.parameters)
    : value
}

export const said = (value: unknown): string => (value === null || value === undefined ? 'empty' : String(value))
