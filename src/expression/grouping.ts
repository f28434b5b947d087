/**
 * Which aggregates over other records are worked out for many records at once: those of which PostgreSQL would look at the same other
 * records again for one record after the other. These are grouped by what ties them to the record, and each record finds its group.
 */
import type { AggregateName, Checked, CheckedNode } from './checked.ts'
import { partsOf } from './computed.ts'

type Aggregate = CheckedNode<'aggregate'>

export interface Grouping {
  /** What ties another record to the record, from either side. */
  readonly keys: readonly { readonly own: Checked; readonly of: Checked }[]
  /** What else is asked of the others. */
  readonly where: readonly Checked[]
}

/** `any`, `none` and `all` end at the first one, and PostgreSQL answers them for many rows together by itself. */
const grouped: ReadonlySet<AggregateName> = new Set(['count', 'sum', 'min', 'max'])

/** Null: each record is asked on its own; or all have the same. */
export function groupingOf({ name, source, value, where }: Aggregate): Grouping | null {
  if (!grouped.has(name) || source.kind === 'list' || source.other) return null
  const { tenant, live } = source
  const asked = where === null ? [] : [...conjuncts(where)]
  if (tenant !== undefined) asked.push({ ...equality, left: tenant.own, right: tenant.of })
  if (live !== undefined) asked.push(live)
  const keys = asked.flatMap(one => keyOf(one) ?? [])
  const rest = asked.filter(one => keyOf(one) === null)
  const isTied = [...rest, ...(value === null ? [] : [value])].some(asksThis)
  // By the index of its reference, each of the others is found for one record alone.
  const isServed = keys.every(({ own }) => own.op === 'field' && own.path.steps.length === 1 && isReference(own))
  return isTied || keys.length === 0 || (keys.length === 1 && isServed) ? null : { keys, where: rest }
}

const isReference = ({ type }: Checked): boolean => type.kind === 'reference'

const equality = { op: 'compare', sign: '=', type: { kind: 'yes/no' }, optional: true } as const

/** The parts of a condition that all have to hold. */
export const conjuncts = (node: Checked): readonly Checked[] =>
  node.op === 'and' ? node.parts.flatMap(conjuncts) : [node]

/** `field = this.field`, either way round, of which an empty side means no. */
function keyOf(node: Checked): Grouping['keys'][number] | null {
  if (node.op !== 'same' && !(node.op === 'compare' && node.sign === '=')) return null
  const { left, right } = node
  if (node.op === 'same' && left.optional && right.optional) return null
  if (isOver(left, 'own') && isOver(right, 'this')) return { own: left, of: right }
  return isOver(right, 'own') && isOver(left, 'this') ? { own: right, of: left } : null
}

/** It reads one of the two records, and neither the other one nor further ones. */
const isOver = (node: Checked, base: 'own' | 'this'): boolean => {
  const bases = basesOf(node)
  return bases.length > 0 && bases.every(one => one === base)
}

/** Whose fields are read; `further` where other records are. */
function basesOf(node: Checked): readonly string[] {
  const own = 'source' in node || node.op === 'within' ? ['further'] : node.op === 'field' ? [node.path.base] : []
  return [...own, ...partsOf(node).flatMap(basesOf)]
}

/** It depends on the record that the aggregate is for, however deep inside. */
function asksThis(node: Checked): boolean {
  if (node.op === 'field' && isThis(node.path.base)) return true
  if ('source' in node) {
    const { source } = node
    if (source.kind === 'list' ? isThis(source.path.base) : source.other || source.tenant !== undefined) return true
    if (source.kind === 'records' && source.live !== undefined && asksThis(source.live)) return true
  }
  return partsOf(node).some(asksThis)
}

const isThis = (base: string): boolean => base === 'this' || base === 'old'
