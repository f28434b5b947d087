/** The row `never`: what it closes, turned round into what it leaves open, and what is left for a role. */
import { isUnspecified, type Specified } from '../specified.ts'
import type { Grant, Never } from './model.ts'

export type NeverVerb = Exclude<keyof Never, 'cell' | 'changeTo'>

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
