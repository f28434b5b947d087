/** Values of a field that stand near others: to try, to look further, and to find where something changes. */

import { placesIn } from '../expression/currency.ts'
import { add, formatDecimal, parseDecimal } from '../expression/decimal.ts'
import type { Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { isArchived } from '../run/access/archived.ts'
import type { World } from './world.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
const recordsAtMost = 12
/** Days and powers of ten from here. */
const days = [0, 1, -1, 7, -7, 40, -40, 400, -400, 4000, -4000]
const powers = [0, 1, 2, 3, 4, 5, 6, 7]

/** The same, begun at another place for each seed. */
export const fromSeed = <T>(all: readonly T[], seed: number): readonly T[] => {
  const at = seed % Math.max(all.length, 1)
  return [...all.slice(at), ...all.slice(0, at)]
}

/** Some of each size and side. */
export const candidates = (world: World, field: Field): readonly Wire[] =>
  fromSeed(allCandidates(world, field), world.seed)

function allCandidates(world: World, { type, parameters }: Field): readonly Wire[] {
  const from = Date.parse(`${world.today}T12:00:00.000Z`)
  const at = (day: number) => new Date(from + day * dayMs).toISOString()
  switch (type.kind) {
    case 'integer':
    case 'decimal':
    case 'money':
      return ['0', ...powers.flatMap(power => [`1${'0'.repeat(power)}`, `-1${'0'.repeat(power)}`])]
    case 'date':
      return days.map(day => at(day).slice(0, 10))
    case 'moment':
      return days.map(at)
    case 'yes/no':
      return [true, false]
    case 'choice':
      return parameters.choices ?? []
    case 'reference':
      return world
        .records(type.entity)
        .filter(record => !isArchived(record))
        .slice(0, recordsAtMost)
        .map(({ id }) => String(id))
    default:
      return []
  }
}

/** Decimals of a number of the field; null: it is none. */
function placesOf({ type, parameters }: Field): number | null {
  if (type.kind === 'integer') return 0
  if (type.kind === 'money') return type.places ?? placesIn(type)
  if (type.kind === 'decimal') return (parameters.scale ?? 2) + (type.percent ? 2 : 0)
  return null
}

/** So many of its smallest steps further; null: it has none. */
export function moved(field: Field, wire: string, by: number): string | null {
  const scale = placesOf(field)
  if (scale !== null) {
    const value = parseDecimal(wire)
    return value === null ? null : formatDecimal(add(value, { units: BigInt(by), scale }), scale)
  }
  if (field.type.kind === 'date')
    return new Date(Date.parse(`${wire}T12:00:00Z`) + by * dayMs).toISOString().slice(0, 10)
  if (field.type.kind === 'moment') return new Date(Date.parse(wire) + by * minuteMs).toISOString()
  return null
}

/** How many steps from one to the other; null: they have none between them. */
function between(field: Field, from: string, to: string): number | null {
  const scale = placesOf(field)
  if (scale !== null) {
    const [a, b] = [from, to].map(wire => {
      const value = parseDecimal(wire)
      return value === null ? null : add(value, { units: 0n, scale })
    })
    return a == null || b == null || a.scale !== scale || b.scale !== scale ? null : Number(b.units - a.units)
  }
  if (field.type.kind === 'date') return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
  if (field.type.kind === 'moment') return Math.floor((Date.parse(to) - Date.parse(from)) / minuteMs)
  return null
}

/** Two values next to each other, between a good one and a bad one. */
export function narrowed(
  field: Field,
  good: Wire,
  bad: Wire,
  isGood: (wire: Wire) => boolean,
): { readonly good: Wire; readonly bad: Wire } {
  let [left, right] = [good, bad]
  for (;;) {
    if (typeof left !== 'string' || typeof right !== 'string') return { good: left, bad: right }
    const distance = between(field, left, right)
    if (distance === null || Math.abs(distance) <= 1) return { good: left, bad: right }
    const middle = moved(field, left, Math.trunc(distance / 2))
    if (middle === null) return { good: left, bad: right }
    if (isGood(middle)) left = middle
    else right = middle
  }
}
