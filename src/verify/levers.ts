/** What can be turned so that a condition of a record turns: a stored field of it, or of a record that it names. */
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import type { Site } from './client.ts'
import { candidates, narrowed } from './near.ts'
import * as oracle from './oracle/rights.ts'
import type { World } from './world.ts'

export interface Lever {
  readonly entity: Entity
  readonly id: string
  readonly field: Field
  /** `item.retired_on`. */
  readonly says: string
}

/** Two values next to each other between which something turns. */
export interface Turning {
  readonly lever: Lever
  readonly good: Wire
  readonly bad: Wire
}

/** Those that a condition reads: own fields first. `record` has what is to be stored, and need not be. */
export function leversOf(app: App, world: World, entity: Entity, record: RecordValue, text: string): readonly Lever[] {
  const read = oracle.readsOf({ world, entity: entity.key }, text)
  const own = entity.fields
    .filter(field => read.has(field.key) && isStored(field))
    .map((field): Lever => ({ entity, id: String(record.id), field, says: field.key }))
  const others = [...text.replace(/"[^"]*"/g, '').matchAll(/\b([a-z_]\w*)\.([a-z_]\w*)\b/g)].flatMap(([, by, key]) => {
    const reference = entity.fields.find(field => field.key === by)?.type
    const id = record[by!]
    const other = reference?.kind === 'reference' ? app.entities.get(reference.entity) : undefined
    const field = other?.fields.find(one => one.key === key && isStored(one))
    if (other === undefined || field === undefined || typeof id !== 'string') return []
    return [{ entity: other, id, field, says: `${by}.${key}` }]
  })
  return [...own, ...others]
}

/** It has one value of its own in the record. */
export const isStored = ({ computed, type, kind }: Field): boolean =>
  computed === null && type.kind !== 'list' && type.kind !== 'values' && fieldKind(kind).sealed !== true

/** The first lever by which it turns, and where; null: none was found. `holds`: of the world as it would be. */
export function turningOf(
  world: World,
  levers: readonly Lever[],
  holds: (world: World) => boolean | null,
): Turning | null {
  for (const lever of levers) {
    const { entity, id, field } = lever
    const now = world.record(entity.key, id)
    if (now === undefined) continue
    const then = (wire: Wire) => holds(world.supposing(entity.key, id, { [field.key]: wire }))
    const is = (now[field.key] ?? null) as Wire
    const all: readonly Wire[] = [is, ...candidates(world, field), ...(field.required === null ? [null] : [])]
    const good = all.find(wire => then(wire) === true)
    const bad = all.find(wire => then(wire) === false)
    if (good === undefined || bad === undefined) continue
    return { lever, ...narrowed(field, good, bad, wire => then(wire) === true) }
  }
  return null
}

/** With the lever at this value, if the database takes it there; it is put back afterwards. */
export async function turned(
  { observatory }: Pick<Site, 'observatory'>,
  world: World,
  lever: Lever,
  wire: Wire,
  work: () => Promise<void>,
): Promise<void> {
  const { entity, id } = lever
  const record = world.record(entity.key, id) ?? {}
  for (const values of waysTo(lever, record, wire)) {
    if (!(await observatory.set(entity.key, id, values))) continue
    await work()
    const was = Object.keys(values).map(key => [key, (record[key] ?? null) as Wire])
    await observatory.set(entity.key, id, Object.fromEntries(was))
    return
  }
}

/** It alone; and with the other days of the record as far from it as they were, where a rule keeps them together. */
function waysTo({ entity, field }: Lever, record: RecordValue, wire: Wire): readonly Readonly<Record<string, Wire>>[] {
  const alone = { [field.key]: wire }
  const days = entity.fields.filter(
    one => one.type.kind === field.type.kind && isStored(one) && typeof record[one.key] === 'string',
  )
  const was = record[field.key]
  const isDay = field.type.kind === 'date' || field.type.kind === 'moment'
  if (!isDay || typeof wire !== 'string' || typeof was !== 'string') return [alone]
  const by = Date.parse(wire) - Date.parse(was)
  const later = (from: string) => new Date(Date.parse(from) + by).toISOString().slice(0, from.length)
  return [alone, Object.fromEntries(days.map(({ key }) => [key, later(record[key] as string)]))]
}
