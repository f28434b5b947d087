/** The rows `never`: what they close, turned round into what it leaves open, and what is left for a role. */
import { highest } from '../../expression/summary.ts'
import { isUnspecified, type Specified } from '../specified.ts'
import type { Access, Grant, Never, StepBan } from './model.ts'

export type NeverVerb = Exclude<keyof Never, 'cell' | 'roles' | 'steps' | 'changeTo'>

export const neverVerbs = ['see', 'create', 'change', 'delete', 'do', 'export', 'import', 'emergency'] as const

/** The rows that close something to somebody with these roles. */
export const neversOf = ({ nevers }: Pick<Access, 'nevers'>, roles: readonly string[]): readonly Never[] =>
  nevers.filter(never => never.roles.length === 0 || never.roles.some(role => roles.includes(role)))

/** All that is closed to somebody with these roles, as one row; null: nothing is. */
export function neverFor(access: Pick<Access, 'nevers'>, roles: readonly string[]): Never | null {
  const [first, ...others] = neversOf(access, roles)
  return first === undefined ? null : others.reduce(both, first)
}

const both = (one: Never, other: Never): Never => ({
  ...one,
  ...Object.fromEntries(neverVerbs.map(verb => [verb, either(one[verb], other[verb])])),
  changeTo: one.changeTo === null && other.changeTo === null ? null : either(closedAfter(one), closedAfter(other)),
  roles: [...new Set([...one.roles, ...other.roles])],
  steps: [...one.steps, ...other.steps],
})

/** What one of the two closes. */
function either(one: Specified<Grant>, other: Specified<Grant>): Specified<Grant> {
  for (const grant of [one, other]) if (isUnspecified(grant) || grant.kind === 'yes') return grant
  if (isUnspecified(one) || isUnspecified(other) || one.kind !== 'when') return other
  if (other.kind !== 'when') return one
  const [first, second] = [one.expression, other.expression]
  const text = `(${first.cell.text}) or (${second.cell.text})`
  const root = { op: 'or', parts: [first.root, second.root], type: first.type } as const
  const optional = first.optional || second.optional
  const expression = {
    ...first,
    cell: { ...first.cell, text },
    optional,
    tier: highest([first.tier, second.tier]),
    reads: [...new Set([...first.reads, ...second.reads])],
    root: { ...root, optional },
  }
  return { kind: 'when', cell: one.cell, expression }
}

/** What closes a step by its name, to whom the row is about. */
export const bansOf = (never: Never | null, step: string): readonly StepBan[] =>
  never?.steps.filter(({ steps }) => steps.includes(step)) ?? []

/** What no change may lead to. */
export const closedAfter = ({ changeTo, change }: Never): Specified<Grant> => changeTo ?? change

/** Where somebody still may. What is not specified, or unknown, is closed. */
export function exceptionsOf(grant: Specified<Grant>): Specified<Grant> {
  if (isUnspecified(grant)) return grant
  const { cell } = grant
  if (grant.kind === 'yes') return { kind: 'no', cell }
  if (grant.kind === 'no') return { kind: 'yes', cell }
  const { expression } = grant
  const root = { op: 'not', of: expression.root, type: expression.type, optional: expression.optional } as const
  return { kind: 'when', cell, expression: { ...expression, root } }
}

/** It closes something. */
export const closes = (grant: Specified<Grant>): boolean => isUnspecified(grant) || grant.kind !== 'no'

/** What a role may in the end, in the words of the language. Null: what its own cell says. */
export function leftOf(grant: Specified<Grant>, never: Never | null, verb: NeverVerb): string | null {
  const closed = never?.[verb]
  if (closed === undefined || !closes(closed) || isUnspecified(grant) || grant.kind === 'no') return null
  if (isUnspecified(closed) || closed.kind !== 'when') return 'no'
  const spared = `not (${closed.expression.cell.text})`
  if (grant.kind === 'yes') return spared
  const { text } = grant.expression.cell
  return `${/\b(?:or|if)\b/.test(text) ? `(${text})` : text} and ${spared}`
}
