/** Which figures of child rows are added up below them. */
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import { isSummable } from '../../expression/fit.ts'
import type { Entity } from './model.ts'

/**
 * What the entity that they belong to adds up itself: the sum of their prices would mean nothing. Where it adds up nothing, their amounts of
 * money, but not what tells rows apart. Of an entity that is part of no other: nothing.
 */
export function summedFields(entities: ReadonlyMap<string, Entity>, key: string): ReadonlySet<string> {
  const entity = entities.get(key)
  if (entity === undefined || entity.partOf === null) return new Set()
  const keys = new Set(
    entity.fields.flatMap(({ key: own, unique }) => (unique === null ? [] : [own, ...unique.within])),
  )
  const figures = entity.fields.filter(({ key: own, type }) => isSummable(type) && !keys.has(own))
  const wanted = summedBy(entities.get(entity.partOf), key)
  return new Set(
    figures.flatMap(({ key: own, type }) =>
      (wanted.size === 0 ? type.kind === 'money' : wanted.has(own)) ? [own] : [],
    ),
  )
}

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
