/**
 * What the database keeps by itself of fields that nobody could be asked about: records that are there are led to a value that a rule
 * refuses, past everybody, and nothing of it stays.
 */
import type { Cell } from '../document/source.ts'
import type { Expression } from '../expression/expression.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { boundEdges } from './bounds.ts'
import type { Site } from './client.ts'
import { worth } from './judge.ts'
import { isStored, leversOf } from './levers.ts'
import { candidates } from './near.ts'
import type { Line } from './verify.ts'
import { visitor, type World } from './world.ts'

type Values = Readonly<Record<string, Wire>>

interface Probe {
  readonly cell: Cell
  readonly what: string
  readonly id: string
  readonly values: Values
  /** How PostgreSQL refuses it (SQLSTATE). */
  readonly says: RegExp
}

/** Records of an entity that are led to such values. */
const recordsOfEach = 12
const toldOfEach = 3

/** It reads the record alone: of others the database keeps nothing. */
const isOfItself = (condition: Field['onlyWhen']): boolean => condition === null || condition.tier === 0

/** A line for each entity of which something was left. */
export async function tryStored(site: Site): Promise<readonly Line[]> {
  const world = await site.observatory.world(visitor)
  const lines: Line[] = []
  for (const entity of site.app.entities.values()) {
    const wrong: string[] = []
    let tried = 0
    const probes = entity.fields
      .filter(isStored)
      .flatMap(field => probesOf(site, world, entity, field).map(probe => ({ ...probe, key: field.key })))
    for (const { key, cell, what, id, values, says } of probes) {
      if (site.judged.has(cell)) continue
      const code = await site.observatory.refusal(entity.key, id, values)
      tried++
      site.judged.add(cell)
      if (!says.test(code ?? ''))
        wrong.push(`${key} ${what}: the database ${code === null ? 'takes it' : `says ${code}`}`)
    }
    if (tried > 0)
      lines.push({
        cell: entity.cell,
        title: `${entity.name}: what the database keeps of its rules, ${tried} ${tried === 1 ? 'try' : 'tries'}`,
        passed: wrong.length === 0,
        detail: wrong.length === 0 ? null : wrong.slice(0, toldOfEach).join('\n       '),
      })
  }
  return lines
}

/** A field, and the records that its rules are tried with. */
interface Kept {
  readonly app: App
  readonly world: World
  readonly entity: Entity
  readonly field: Field
  readonly records: readonly RecordValue[]
}

/** Of each rule the first record that it can be tried with. */
function probesOf({ app, judged }: Site, world: World, entity: Entity, field: Field): readonly Probe[] {
  const { required, unique, onlyWhen, noOverlap, typeCell } = field
  const open = [required?.cell, unique?.cell, onlyWhen?.cell, noOverlap?.cell, field.min?.cell, field.max?.cell]
  if ([...open, field.pattern?.cell, typeCell].every(cell => cell == null || judged.has(cell))) return []
  const records = world.records(entity.key).slice(0, recordsOfEach)
  const kept = { app, world, entity, field, records }
  return ways.flatMap(way => records.map(record => way(kept, record)).find(probes => probes.length > 0) ?? [])
}

type Way = (kept: Kept, record: RecordValue) => readonly Probe[]
const ways: readonly Way[] = [leftOut, whereItIsNot, asAnother, atTheSameTime, beyondItsBounds, namingNothing]

const probe = (record: RecordValue, cell: Cell, what: string, values: Values, says: RegExp): Probe => ({
  cell,
  what,
  id: String(record.id),
  values,
  says,
})

const holds = ({ world, entity }: Kept, record: RecordValue, condition: Expression, values: Values) =>
  worth(condition, world.environment(entity.key, { ...record, ...values }))

/** Values of the record itself with which a condition is so. */
const turnedTo = (kept: Kept, record: RecordValue, condition: Expression, is: boolean): Values | undefined =>
  [
    {},
    ...leversOf(kept.app, kept.world, kept.entity, record, condition.cell.text)
      .filter(({ id, field: { key } }) => id === record.id && key !== kept.field.key)
      .flatMap(lever => candidates(kept.world, lever.field).map(wire => ({ [lever.field.key]: wire }))),
  ].find(values => holds(kept, record, condition, values) === is)

function leftOut(kept: Kept, record: RecordValue): readonly Probe[] {
  const { key, required, onlyWhen } = kept.field
  if (required === null || record[key] == null) return []
  const asked = required.when ?? onlyWhen
  if (!isOfItself(asked)) return []
  const values = asked === null ? {} : turnedTo(kept, record, asked, true)
  return values === undefined
    ? []
    : [probe(record, required.cell, 'left out', { ...values, [key]: null }, /^235(?:02|14)$/)]
}

function whereItIsNot(kept: Kept, record: RecordValue): readonly Probe[] {
  const { key, onlyWhen, type } = kept.field
  if (onlyWhen === null || !isOfItself(onlyWhen)) return []
  const value = record[key] ?? candidates(kept.world, kept.field)[0] ?? (type.kind === 'text' ? 'x' : null)
  const values = turnedTo(kept, record, onlyWhen, false)
  return typeof value === 'object' || values === undefined
    ? []
    : [probe(record, onlyWhen.cell, 'where it is not there', { ...values, [key]: value }, /^23514$/)]
}

function asAnother(kept: Kept, record: RecordValue): readonly Probe[] {
  const { key, unique } = kept.field
  if (unique === null) return []
  const { while: condition } = unique
  const parts = [...unique.within, key]
  const other = kept.records.find(
    one => one.id !== record.id && parts.every(part => one[part] != null && typeof one[part] !== 'object'),
  )
  if (other === undefined) return []
  const values = Object.fromEntries(parts.map(part => [part, other[part] as Wire]))
  const counts = condition === null || [other, record].every(one => holds(kept, one, condition, values) === true)
  return counts ? [probe(record, unique.cell, 'as another has it', values, /^23505$/)] : []
}

function atTheSameTime(kept: Kept, record: RecordValue): readonly Probe[] {
  const { key, noOverlap } = kept.field
  if (noOverlap === null) return []
  const { begin, end, within, while: condition } = noOverlap
  const parts = [begin, end, ...within, key]
  const other = kept.records.find(
    one =>
      one.id !== record.id &&
      parts.every(part => one[part] != null) &&
      (condition === null || holds(kept, one, condition, {}) === true),
  )
  if (other === undefined) return []
  const all = [...new Set([...parts, ...(other.state == null ? [] : ['state'])])]
  const values = Object.fromEntries(all.map(part => [part, other[part] as Wire]))
  return [probe(record, noOverlap.cell, 'at the time of another', values, /^23P01$/)]
}

function beyondItsBounds({ world, entity, field }: Kept, record: RecordValue): readonly Probe[] {
  if (field.onlyWhen !== null) return []
  const environment = world.environment(entity.key, record)
  return boundEdges(field, environment, record[field.key]).flatMap(({ what, value, breaks, cell, code }) => {
    const parsed = fieldKind(field.kind).fromJson(value as never, field.parameters)
    // What is no value of its type at all is refused by what reads it.
    if ((cell === field.typeCell && code !== null) || !('value' in parsed) || !breaks) return []
    return [probe(record, cell, what, { [field.key]: parsed.value as Wire }, /^(?:23514|22001)$/)]
  })
}

function namingNothing({ field: { key, type, typeCell } }: Kept, record: RecordValue): readonly Probe[] {
  if (type.kind !== 'reference' || record[key] == null) return []
  const nobody = '00000000-0000-4000-8000-000000000000'
  return [probe(record, typeCell, 'naming nothing', { [key]: nobody }, /^23503$/)]
}
