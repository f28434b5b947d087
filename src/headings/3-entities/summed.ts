/** Which numbers of an entity are added up below its records. */
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import type { Entity } from './model.ts'

/**
 * Numbers and amounts, but not what tells records apart: a year that a budget is unique within is no quantity. Of child rows only
 * what the entity that they belong to adds up itself, where it adds up anything: the sum of their prices would mean nothing.
 */
export function summedFields(entities: ReadonlyMap<string, Entity>, key: string): ReadonlySet<string> {
  const entity = entities.get(key)
  if (entity === undefined) return new Set()
  const keys = new Set(
    entity.fields.flatMap(({ key: own, unique }) => (unique === null ? [] : [own, ...unique.within])),
  )
  const numbers = entity.fields.flatMap(field => (isNumber(field.type.kind) && !keys.has(field.key) ? [field.key] : []))
  const wanted = entity.partOf === null ? new Set<string>() : summedBy(entities.get(entity.partOf), key)
  return new Set(wanted.size === 0 ? numbers : numbers.filter(field => wanted.has(field)))
}

const isNumber = (kind: string): boolean => kind === 'integer' || kind === 'decimal' || kind === 'money'

/** Fields of the child rows that stand alone in a sum of a computed field: `sum(lines.net)`. */
const summedBy = (parent: Entity | undefined, child: string): ReadonlySet<string> =>
  new Set((parent?.fields ?? []).flatMap(({ computed }) => (computed === null ? [] : sumsOf(computed.root, child))))

function sumsOf(node: Checked, child: string): readonly string[] {
  const own =
    node.op === 'aggregate' && node.name === 'sum' && node.value?.op === 'field'
      ? node.value.path.steps.flatMap(({ entity, field }, at, { length }) =>
          at === length - 1 && entity === child ? [field] : [],
        )
      : []
  return [...own, ...partsOf(node).flatMap(part => sumsOf(part, child))]
}
