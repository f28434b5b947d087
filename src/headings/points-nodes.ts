/** What is looked at in a condition whose fields are tried with values (`points.ts`). */
import type { Checked, CheckedNode } from '../expression/checked.ts'
import { partsOf, pathsOf } from '../expression/computed.ts'
import type { Expression } from '../expression/expression.ts'
import type { Type, Wire } from '../expression/type.ts'
import type { App } from './app.ts'

/** A record with values: wire values, and rows of its lists. */
export interface Row {
  readonly [field: string]: Wire | readonly Row[]
}

export type Tried = Pick<Expression, 'root'>

type Aggregate = CheckedNode<'aggregate'>

/** The nodes of a condition on the record itself; what holds of its rows belongs to them. */
export const allOf = (node: Checked): readonly Checked[] => [
  node,
  ...(node.op === 'aggregate' ? [] : partsOf(node).flatMap(allOf)),
]

/** With what holds of its rows. */
export const withInner = (node: Checked): readonly Checked[] => [node, ...partsOf(node).flatMap(withInner)]

const pure: ReadonlySet<Checked['op']> = new Set([
  'literal',
  'limit',
  'limit on',
  'today',
  'now',
  'and',
  'or',
  'not',
  'negate',
  'compare',
  'same',
  'empty',
  'in',
  'between',
  'concat',
  'contains',
  'arithmetic',
  'shift',
  'difference',
  'times',
])

const triedKinds: ReadonlySet<Type['kind']> = new Set([
  'text',
  'choice',
  'choices',
  'yes/no',
  'integer',
  'decimal',
  'money',
  'date',
  'moment',
  'time',
  'duration',
])

/** More names make too many lists of them. */
const mostOptions = 8

/** It reads no record. */
export const isConstant = (node: Checked): boolean => pure.has(node.op)

/** Of `contains` and its like everything is tried only where the list of values is closed. */
const isClosed = ({ kind }: Type): boolean => kind === 'choice' || kind === 'choices'

export function isTried(app: App, entity: string, node: Checked): boolean {
  const partsAreTried = () => partsOf(node).every(part => isTried(app, entity, part))
  switch (node.op) {
    case 'field':
      return isTriedType(ownField(app, entity, node))
    case 'empty': {
      const of = ownField(app, entity, node.of)
      return of === null ? partsAreTried() : of.kind !== 'list' && of.kind !== 'error'
    }
    case 'concat':
    case 'contains':
      return (
        partsAreTried() &&
        allOf(node)
          .filter(({ op }) => op === 'field')
          .every(({ type }) => isClosed(type))
      )
    case 'compare':
      return partsAreTried() && (node.left.type.kind !== 'text' || node.sign === '=')
    case 'call':
      return lengthOf(node).length === 1 && partsAreTried()
    case 'aggregate':
      return isOfRows(node) && rowConditionsOf(node).every(({ root }) => isTried(app, node.source.entity, root))
    default:
      return pure.has(node.op) && partsAreTried()
  }
}

const isTriedType = (type: Type | null): boolean =>
  type !== null && triedKinds.has(type.kind) && !(type.kind === 'choices' && type.options.length > mostOptions)

/** The type of a field of the record that people or steps fill. */
function ownField(app: App, entity: string, node: Checked): Type | null {
  if (node.op !== 'field') return null
  const { base, steps } = node.path
  if (base !== 'own' || steps.length > 1 || steps[0]!.computed) return null
  return app.schema.get(entity)!.fields.get(steps[0]!.field)?.type ?? null
}

const isOfRows = ({ name, source, value, where }: Aggregate): boolean =>
  source.kind === 'list' &&
  source.parent !== null &&
  source.path.base === 'own' &&
  source.path.steps.length === 1 &&
  (name === 'count'
    ? value === null
    : (name === 'any' || name === 'none' || name === 'all') && (where ?? value) !== null)

/** What is asked of each row. */
export const rowConditionsOf = ({ value, where }: Aggregate): readonly Tried[] => {
  const root = where ?? value
  return root === null ? [] : [{ root }]
}

/** Aggregates by the list whose rows they look at. */
export const aggregatesIn = (nodes: readonly Checked[]): ReadonlyMap<string, readonly Aggregate[]> =>
  Map.groupBy(
    nodes.filter(node => node.op === 'aggregate'),
    node => fieldOf(node)[0]!,
  )

/** The field of the record that a node stands for: itself, or the list whose rows it looks at. */
export function fieldOf(node: Checked): readonly string[] {
  if (node.op === 'field') return pathsOf(node).map(({ steps }) => steps[0]!.field)
  return node.op === 'aggregate' && node.source.kind === 'list' ? [node.source.path.steps[0]!.field] : []
}

/** The field whose letters a node counts. */
export function lengthOf(node: Checked): readonly string[] {
  if (node.op !== 'call' || node.name !== 'length') return []
  const [of, ...others] = node.arguments
  return of?.op === 'field' && of.type.kind === 'text' && others.length === 0 ? fieldOf(of) : []
}

/** What takes a value of its own in a comparison: a field, how long it is, or how many rows there are. */
export const figure = (node: Checked): readonly string[] =>
  node.op === 'field' || (node.op === 'aggregate' && node.name === 'count') ? fieldOf(node) : lengthOf(node)

/** What is compared with each other in a node. */
export function comparedIn(node: Checked): readonly (readonly Checked[])[] {
  switch (node.op) {
    case 'compare':
    case 'same':
      return [[node.left, node.right]]
    case 'between':
      return [
        [node.of, node.low],
        [node.of, node.high],
      ]
    case 'in':
      return node.list.map(one => [node.of, one])
    default:
      return []
  }
}
