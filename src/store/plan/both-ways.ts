/** A field of which two versions of the application write a column each: what becomes of the one when the other is written. */
import { quoted } from '../names.ts'
import type { Column, Table } from '../physical.ts'
import type { Ways } from './before.ts'
import type { ActualColumn } from './introspect.ts'
import { conversion } from './types.ts'

/** Values of the old column in the new one, and the other way round; what has no way back is empty there. `was`: the old one's name. */
export function bothWays(
  column: Column,
  { name: was, type }: Pick<ActualColumn, 'name' | 'type'>,
  name = column.name,
): Ways {
  const [from, to] = [quoted(was), quoted(name)]
  const value = converted(from, type, column.type)
  return {
    forward: column.notNull && column.fill !== null ? `coalesce(${value}, ${column.fill.sql})` : value,
    refused: refusedBy(type, column.type)?.replaceAll('{column}', from) ?? null,
    backward: converted(to, column.type, type),
  }
}

/** Which values of a type the other one cannot hold: a condition; null where it holds them all. */
export function refusedBy(from: string, to: string): string | null {
  if (from === to) return null
  const change = conversion(from, to)
  return change === null ? '{column} is not null' : change.impossible
}

/** Empty where the type has no such value. */
export function converted(value: string, from: string, to: string): string {
  if (from === to) return value
  const change = conversion(from, to)
  if (change === null) return `null::${to}`
  const using = change.using.replaceAll('{column}', value)
  return change.impossible === null
    ? using
    : `case when ${change.impossible.replaceAll('{column}', value)} then null else ${using} end`
}

/** What a version before cannot do while a column has another type than it knows. */
export function refusals({ name: table }: Table, { name, type }: Column, was: string): string | null {
  const said = [
    ...(refusedBy(was, type) === null ? [] : [`is refused what ${name} of ${table} does not hold as ${type}`]),
    ...(refusedBy(type, was) === null
      ? []
      : [`sees ${name} of ${table} empty where the new one writes what it does not hold as ${was}`]),
  ]
  return said.length === 0 ? null : said.join(', and ')
}
