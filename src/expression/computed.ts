/** Computed fields: their own expression stands wherever they are read. */
import type { Checked, Path, Step } from './checked.ts'
import type { Expression, Tier } from './expression.ts'
import type { EntityShape, FieldShape, Schema, Type } from './type.ts'

const known = new WeakMap<FieldShape, Expression | null>()
const underWay = new WeakSet<FieldShape>()

/**
 * The expression of a computed field; null where it has none, where it has mistakes, and inside of itself. Asks the field's
 * thunk once, so that its mistakes are reported once.
 */
export function computedOf(field: FieldShape): Expression | null {
  if (field.computed === undefined || underWay.has(field)) return null
  let expression = known.get(field)
  if (expression === undefined) {
    underWay.add(field)
    try {
      expression = field.computed()
    } finally {
      underWay.delete(field)
    }
    known.set(field, expression)
  }
  return expression
}

/** Whether a field may be empty: a computed one when its expression may be. */
export const mayBeEmpty = (field: FieldShape): boolean => computedOf(field)?.optional ?? field.optional

/** Computed fields that need themselves, one per circle, as `[entity, field]`. Empty in a sound document. */
export function circles(schema: Schema): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (entity: string, key: string) => {
    const name = `${entity}.${key}`
    const field = schema.get(entity)?.fields.get(key)
    if (field?.computed === undefined || state.get(name) === 'done') return
    if (state.get(name) === 'open') {
      found.push([entity, key])
      return
    }
    state.set(name, 'open')
    const root = computedOf(field)?.root
    if (root !== undefined) {
      for (const path of pathsOf(root)) for (const step of path.steps) if (step.computed) visit(step.entity, step.field)
    }
    state.set(name, 'done')
  }
  for (const entity of schema.values()) for (const key of entity.fields.keys()) visit(entity.key, key)
  return found
}

/** The nodes directly inside a node. */
export function partsOf(node: Checked): readonly Checked[] {
  switch (node.op) {
    case 'and':
    case 'or':
      return node.parts
    case 'limit on':
      return [node.day]
    case 'times':
      return [node.by, node.of]
    case 'not':
    case 'negate':
    case 'empty':
    case 'member':
      return [node.of]
    case 'in':
      return [node.of, ...node.list]
    case 'within':
      return [node.of, node.tree]
    case 'between':
      return [node.of, node.low, node.high]
    case 'compare':
    case 'same':
    case 'contains':
    case 'starts':
    case 'concat':
    case 'arithmetic':
    case 'shift':
    case 'difference':
      return [node.left, node.right]
    case 'if':
      return [node.condition, node.then, node.otherwise]
    case 'call':
      return node.closed === undefined ? node.arguments : [...node.arguments, node.closed]
    case 'function':
      return node.arguments
    case 'aggregate':
      return [
        ...(node.value === null ? [] : [node.value]),
        ...(node.where === null ? [] : [node.where]),
        ...(node.order ?? []).map(({ of }) => of),
        ...(node.figures ?? []).flatMap(({ value }) => value ?? []),
      ]
    case 'values':
      return [node.value]
    default:
      return []
  }
}

/** All paths that a node reads, its inner nodes' too. */
export function pathsOf(node: Checked): readonly Path[] {
  const inner = partsOf(node).flatMap(part => pathsOf(part))
  if (node.op === 'field') return [node.path, ...inner]
  if ('source' in node && node.source.kind === 'list') return [node.source.path, ...inner]
  return inner
}

/** A checked expression as JSON for the browser, with the computed fields that it needs. */
export interface Portable {
  readonly type: Type
  readonly optional: boolean
  readonly tier: Tier
  readonly root: Checked
  /** Expressions of computed fields by `entity.field`. */
  readonly computed: Readonly<Record<string, Checked>>
}

/** Every field that a node reads, by `entity.field`, with those that the computed ones among them read, however far away. */
export function stepsRead(root: Checked, schema: Schema): ReadonlyMap<string, Step> {
  const found = new Map<string, Step>()
  const gather = (node: Checked) => {
    for (const step of pathsOf(node).flatMap(({ steps }) => steps)) {
      const name = `${step.entity}.${step.field}`
      if (found.has(name)) continue
      found.set(name, step)
      const computed = step.computed ? computedRoot(schema, step.entity, step.field) : null
      if (computed !== null) gather(computed)
    }
  }
  gather(root)
  return found
}

/** The expression for the browser, with every computed field that it reads. */
export function toPortable(expression: Expression): Portable {
  const { type, optional, tier, root, schema } = expression
  const computed: Record<string, Checked> = {}
  for (const [name, { entity, field, computed: isComputed }] of stepsRead(root, schema)) {
    const node = isComputed ? computedRoot(schema, entity, field) : null
    if (node !== null) computed[name] = node
  }
  return { type, optional, tier, root, computed }
}

/** What a field is computed from; null where it is not computed, or its expression could not be read. */
export function computedRoot(schema: Schema, entity: string, key: string): Checked | null {
  const field = (schema.get(entity) as EntityShape | undefined)?.fields.get(key)
  return field === undefined ? null : (computedOf(field)?.root ?? null)
}
