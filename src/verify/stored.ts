/**
 * What the database keeps by itself of fields that nobody could be asked about: records that are there are led to a value that a rule
 * refuses, past everybody, and nothing of it stays.
 */
import type { Cell } from '../document/source.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
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
  /** How PostgreSQL says so (SQLSTATE); null: it takes it. */
  readonly says: RegExp | null
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
    for (const field of entity.fields)
      for (const probe of isStored(field) ? probesOf(site, world, entity, field) : []) {
        if (site.judged.has(probe.cell) && probe.says !== null) continue
        const code = await site.observatory.refusal(entity.key, probe.id, probe.values)
        tried++
        site.judged.add(probe.cell)
        if (probe.says === null ? code !== null : !probe.says.test(code ?? ''))
          wrong.push(`${field.key} ${probe.what}: the database ${code === null ? 'takes it' : `says ${code}`}`)
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

/** Of each rule the first record that it can be tried with. */
function probesOf({ app, judged }: Site, world: World, entity: Entity, field: Field): readonly Probe[] {
  const records = world.records(entity.key).slice(0, recordsOfEach)
  const first = (...ways: readonly ((record: RecordValue) => readonly Probe[])[]) =>
    ways.flatMap(way => records.map(way).find(probes => probes.length > 0) ?? [])
  const probe = (record: RecordValue, cell: Cell, what: string, values: Values, says: RegExp | null): Probe => ({
    cell,
    what,
    id: String(record.id),
    values,
    says,
  })
  const holds = (record: RecordValue, condition: NonNullable<Field['onlyWhen']>, values: Values) =>
    worth(condition, world.environment(entity.key, { ...record, ...values }))
  /** Values of the record itself with which a condition is so. */
  const turnedTo = (record: RecordValue, condition: NonNullable<Field['onlyWhen']>, is: boolean): Values | undefined =>
    [
      {},
      ...leversOf(app, world, entity, record, condition.cell.text)
        .filter(({ id, field: { key } }) => id === record.id && key !== field.key)
        .flatMap(lever => candidates(world, lever.field).map(wire => ({ [lever.field.key]: wire }))),
    ].find(values => holds(record, condition, values) === is)
  const { required, unique, onlyWhen, noOverlap, typeCell, type } = field
  const open = [required?.cell, unique?.cell, onlyWhen?.cell, noOverlap?.cell, field.min?.cell, field.max?.cell]
  if ([...open, field.pattern?.cell, typeCell].every(cell => cell == null || judged.has(cell))) return []
  return first(
    record => {
      if (required === null || record[field.key] == null) return []
      const asked = required.when ?? onlyWhen
      if (!isOfItself(asked)) return []
      const values = asked === null ? {} : turnedTo(record, asked, true)
      return values === undefined
        ? []
        : [probe(record, required.cell, 'left out', { ...values, [field.key]: null }, /^235(?:02|14)$/)]
    },
    record => {
      if (onlyWhen === null || !isOfItself(onlyWhen)) return []
      const value = record[field.key] ?? candidates(world, field)[0] ?? (type.kind === 'text' ? 'x' : null)
      const values = turnedTo(record, onlyWhen, false)
      return typeof value === 'object' || values === undefined
        ? []
        : [probe(record, onlyWhen.cell, 'where it is not there', { ...values, [field.key]: value }, /^23514$/)]
    },
    record => {
      if (unique === null) return []
      const { while: condition } = unique
      const parts = [...unique.within, field.key]
      const other = records.find(
        one => one.id !== record.id && parts.every(key => one[key] != null && typeof one[key] !== 'object'),
      )
      if (other === undefined) return []
      const values = Object.fromEntries(parts.map(key => [key, other[key] as Wire]))
      const counts = condition === null || [other, record].every(one => holds(one, condition, values) === true)
      return counts ? [probe(record, unique.cell, 'as another has it', values, /^23505$/)] : []
    },
    record => {
      if (noOverlap === null) return []
      const { begin, end, within, while: condition } = noOverlap
      const parts = [begin, end, ...within, field.key]
      const other = records.find(
        one =>
          one.id !== record.id &&
          parts.every(key => one[key] != null) &&
          (condition === null || holds(one, condition, {}) === true),
      )
      if (other === undefined) return []
      const all = [...new Set([...parts, ...(other.state == null ? [] : ['state'])])]
      const values = Object.fromEntries(all.map(key => [key, other[key] as Wire]))
      return [probe(record, noOverlap.cell, 'at the time of another', values, /^23P01$/)]
    },
    record => {
      if (onlyWhen !== null) return []
      const environment = world.environment(entity.key, record)
      return boundEdges(field, environment, record[field.key]).flatMap(({ what, value, breaks, cell, code }) => {
        const parsed = fieldKind(field.kind).fromJson(value as never, field.parameters)
        // What is no value of its type at all is refused by what reads it.
        if ((cell === typeCell && code !== null) || !('value' in parsed) || !breaks) return []
        return [probe(record, cell, what, { [field.key]: parsed.value as Wire }, /^(?:23514|22001)$/)]
      })
    },
    record => {
      if (type.kind !== 'reference' || record[field.key] == null) return []
      const nobody = '00000000-0000-4000-8000-000000000000'
      return [probe(record, typeCell, 'naming nothing', { [field.key]: nobody }, /^23503$/)]
    },
  )
}
