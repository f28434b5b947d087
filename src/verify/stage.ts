/** What a scenario has brought about so far, and how its rows read it. */
import type { RecordValue, Wire } from '../expression/type.ts'
import { fromWire, toWire } from '../expression/values.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import type { Player, Site } from './client.ts'
import { CannotArrange } from './drafts.ts'

export interface Stage {
  readonly site: Site
  /** Records by the name that the scenario gave them. */
  readonly records: Map<string, { readonly entity: Entity; readonly id: string; readonly by: Player }>
  /** Of the entities of which a row says what was made: the ids that were there before the last row in which anything happened. */
  readonly before: Map<string, ReadonlySet<string>>
  /** Where a row says what left: the mails and calls that there were before the last row in which anything happened. */
  readonly left: Set<string>
  /** Constants that it gave another value: who did, and what was typed before. */
  readonly constants: Map<string, { readonly player: Player; readonly was: string }>
  /** How often a row has answered a call, by the id of that. */
  readonly answers: Map<string, number>
  /** What came of the last row in which anything happened, otherwise than the document says. */
  readonly wrong: string[]
}

/** Two values of a field, however each is written. */
export const isSame = ({ type }: Field, value: unknown, wire: Wire): boolean =>
  toWire(fromWire(value as Wire, type), type) === toWire(fromWire(wire, type), type)

export function known<Record>(records: ReadonlyMap<string, Record>, name: string): Record {
  const record = records.get(name)
  if (record === undefined)
    throw new CannotArrange(
      `${name} is not there: no record of the sample data is called that, or the row that makes it failed`,
    )
  return record
}

/** JSON of the API as wire values. */
export function rowOf(site: Site, entity: Entity, body: Readonly<Record<string, unknown>>): RecordValue {
  const row: Record<string, Wire | readonly RecordValue[]> = {}
  for (const [key, json] of Object.entries(body)) {
    const field = entity.fields.find(one => one.key === key)
    if (field?.type.kind === 'list' && !fieldKind(field.kind).links && Array.isArray(json)) {
      const child = site.app.entities.get(field.type.entity)!
      row[key] = json.map(one => rowOf(site, child, one as Record<string, unknown>))
    } else if (field !== undefined && json !== null) {
      const parsed = fieldKind(field.kind).fromJson(json, field.parameters)
      if ('value' in parsed) row[key] = parsed.value
    } else if (json === null || typeof json === 'string' || typeof json === 'boolean') row[key] = json
  }
  return row
}
