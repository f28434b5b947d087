/** What is said about a checked expression as a whole: where it can run, what it reads, what it costs. */
import type { Checked, Path } from './checked.ts'
import { computedOf, computedRoot, partsOf, pathsOf } from './computed.ts'
import type { Tier } from './expression.ts'
import { scalarFunction } from './functions.ts'
import type { Schema } from './type.ts'

/** Parts that an expression may have together with the computed fields in it, as both back ends write them out. */
export const MOST_WEIGHT = 4000

/** See LANGUAGE "Where one rule runs". `old` counts as own fields. */
export function tierOf(node: Checked, schema: Schema): Tier {
  return highest([ownTier(node, schema), ...partsOf(node).map(part => tierOf(part, schema))])
}

function ownTier(node: Checked, schema: Schema): Tier {
  switch (node.op) {
    case 'field':
      return pathTier(node.path, schema)
    case 'me':
    case 'today':
    case 'now':
    case 'limit':
    case 'limit on':
    case 'answer':
    case 'setting':
      return 1
    case 'aggregate':
    case 'values':
    case 'member':
    case 'within':
      return 2
    case 'call':
      // Time zones change their rules: no CHECK may hold on to them.
      return node.calendar === undefined ? 0 : 1
    case 'function':
      return 3
    default:
      return 0
  }
}

function pathTier({ base, steps }: Path, schema: Schema): Tier {
  const computed = steps.map(step => {
    const field = step.computed ? schema.get(step.entity)?.fields.get(step.field) : undefined
    return field === undefined ? 0 : (computedOf(field)?.tier ?? 0)
  })
  return highest([steps.length > 1 || base === 'named' ? 2 : base === 'me' ? 1 : 0, ...computed])
}

/** The one that asks for most. */
export const highest = (tiers: readonly Tier[]): Tier => Math.max(...tiers) as Tier

/**
 * Dotted paths as written: `item.category.keeper`, `lines.value`, `limits.max_items`, `me`; of other records `Loan.borrower`. What
 * a computed field on the way reads is read, too: a rule over `days` depends on `due_back`. `own`: `this` is the expression's own
 * record, so that `this.item` inside of a `where` is the field `item`.
 */
export function readsOf(root: Checked, schema: Schema, own: boolean): readonly string[] {
  const found = new Set<string>()
  const open = new Set<Checked>()
  const nameOf = (entity: string) => (schema.get(entity)?.name ?? entity).replaceAll(' ', '_')
  const visit = (node: Checked, prefix: string, about: string): void => {
    if (node.op === 'field') addPath(node.path, prefix, about)
    const given = givenName(node)
    if (given !== null) found.add(given)
    if (!('source' in node)) {
      for (const part of partsOf(node)) visit(part, prefix, about)
      return
    }
    const { source } = node
    const list = source.kind === 'list' ? addPath(source.path, prefix, about) : nameOf(source.entity)
    if (node.op === 'member') visit(node.of, prefix, about)
    else if (!(node.op === 'values' && node.type.kind === 'list')) {
      for (const part of partsOf(node)) visit(part, `${list}.`, about)
    }
  }
  const addPath = (path: Path, prefix: string, about: string): string => {
    const named = path.base === 'named' ? nameOf(path.steps[0]!.entity) : ''
    const start = { own: prefix, this: about, me: 'my.', old: 'old.', named: `${named}.`, self: '' }[path.base]
    const fields = path.steps.map(step => step.field)
    for (const [index, step] of path.steps.entries()) {
      if (index === path.steps.length - 1) found.add(start + fields.join('.'))
      const computed = step.computed ? computedRoot(schema, step.entity, step.field) : null
      if (computed === null || open.has(computed)) continue
      open.add(computed)
      const way = fields.slice(0, index).map(field => `${field}.`)
      const record = start + way.join('')
      visit(computed, record, record)
      open.delete(computed)
    }
    return start + fields.join('.')
  }
  visit(root, '', own ? '' : 'this.')
  return [...found]
}

/** What is known apart from records: people, the day, constants, answers and settings. */
function givenName(node: Checked): string | null {
  switch (node.op) {
    case 'me':
    case 'today':
    case 'now':
      return node.op
    case 'limit':
    case 'limit on':
      return `limits.${node.name}`
    case 'answer':
      return `answer.${node.name}`
    case 'setting':
      return `settings.${node.name}`
    default:
      return null
  }
}

/** The functions of the document that an expression asks, in the order in which it names them. */
export const functionsIn = (node: Checked): readonly string[] => [
  ...(node.op === 'function' ? [node.name] : []),
  ...partsOf(node).flatMap(functionsIn),
]

/** Whether only the database can answer: it looks at all records of an entity, also by way of computed fields. */
export function needsDatabase(root: Checked, schema: Schema, seen: ReadonlySet<Checked> = new Set()): boolean {
  if (seen.has(root)) return false
  if ('source' in root && root.source.kind === 'records') return true
  const inside = new Set([...seen, root])
  const computed = pathsOf(root).flatMap(({ steps }) =>
    steps.flatMap(step => (step.computed ? (computedRoot(schema, step.entity, step.field) ?? []) : [])),
  )
  return [...partsOf(root), ...computed].some(part => needsDatabase(part, schema, inside))
}

const weights = new WeakMap<Checked, number>()

/** How many parts it has when computed fields are written out, and repeated operands counted as often as they are written. */
export function weightOf(node: Checked, schema: Schema): number {
  const known = weights.get(node)
  if (known !== undefined) return known
  const repeats = node.op === 'call' ? scalarFunction(node.name)!.repeats : 1
  let weight = 1 + repeats * partsOf(node).reduce((sum, part) => sum + weightOf(part, schema), 0)
  const path =
    node.op === 'field' ? node.path : 'source' in node && node.source.kind === 'list' ? node.source.path : null
  for (const step of path?.steps ?? []) {
    const root = step.computed ? computedRoot(schema, step.entity, step.field) : null
    if (root !== null) weight += weightOf(root, schema)
  }
  weights.set(node, weight)
  return weight
}
