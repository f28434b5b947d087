/** What a condition could give when only some fields of the record are known: for checks of documents, never for decisions. */
import type { Checked } from './checked.ts'
import { partsOf } from './computed.ts'
import { evaluate } from './evaluate.ts'
import type { Wire } from './type.ts'

/** Values of own fields, on the wire; null: known to be empty. What is missing may be anything. */
export type Facts = ReadonlyMap<string, Wire>

/** Each a bit: it may be true, false, unknown. */
const [TRUE, FALSE, UNKNOWN] = [1, 2, 4]
const ANY = TRUE | FALSE | UNKNOWN

/** False only where no record with these values makes it true. */
export const couldHold = (root: Checked, facts: Facts): boolean => (outcomes(root, facts) & TRUE) !== 0

/** True only where every record with these values makes it false, which is what a rule refuses. */
export const mustFail = (root: Checked, facts: Facts): boolean => outcomes(root, facts) === FALSE

/** True only where every record with these values makes it true. */
export const mustHold = (root: Checked, facts: Facts): boolean => outcomes(root, facts) === TRUE

function outcomes(node: Checked, facts: Facts): number {
  if (node.op === 'and' || node.op === 'or')
    return joined(
      node.op,
      node.parts.map(part => outcomes(part, facts)),
    )
  if (node.op === 'not') {
    const inner = outcomes(node.of, facts)
    return (inner & TRUE ? FALSE : 0) | (inner & FALSE ? TRUE : 0) | (inner & UNKNOWN)
  }
  if (isNothing(node, facts)) return node.op === 'empty' ? TRUE : UNKNOWN
  if (isKnown(node, facts)) return outcome(node, facts)
  return node.op === 'empty' || node.op === 'same' ? TRUE | FALSE : ANY
}

/** What parts that may each be one of several come to together. */
function joined(op: 'and' | 'or', parts: readonly number[]): number {
  const [worst, best] = op === 'and' ? [FALSE, TRUE] : [TRUE, FALSE]
  const all = (bit: number) => parts.every(part => (part & bit) !== 0)
  const some = (bit: number) => parts.some(part => (part & bit) !== 0)
  const isUnknown = some(UNKNOWN) && parts.every(part => (part & (best | UNKNOWN)) !== 0)
  return (all(best) ? best : 0) | (some(worst) ? worst : 0) | (isUnknown ? UNKNOWN : 0)
}

/** Of what depends on known fields alone. */
function outcome(node: Checked, facts: Facts): number {
  const portable = { type: node.type, optional: true, tier: 0 as const, root: node, computed: {} }
  const row = Object.fromEntries(facts)
  const limits = Object.fromEntries(
    [...facts].flatMap(([key, value]) =>
      key.startsWith(limitFact('')) ? [[key.slice(limitFact('').length), value]] : [],
    ),
  )
  const value = evaluate(portable, { ...nobody, row, limits, related: () => undefined })
  return value === true ? TRUE : value === false ? FALSE : value === null ? UNKNOWN : ANY
}

const nobody = { old: null, me: null, my: null, today: '2000-01-01', now: '2000-01-01T00:00:00.000Z' }

/** The fact of what a constant is. */
export const limitFact = (name: string): string => `limits.${name}`

/** It reads a field that is known to be empty, or goes through one, and says nothing then, whatever else there is. */
function isNothing(node: Checked, facts: Facts): boolean {
  switch (node.op) {
    case 'field': {
      const { base, steps } = node.path
      return (base === 'own' || base === 'this') && facts.get(steps[0]?.field ?? '') === null
    }
    case 'compare':
      return isNothing(node.left, facts) || isNothing(node.right, facts)
    case 'empty':
      return isNothing(node.of, facts)
    default:
      return false
  }
}

/** It depends on the known fields alone: not on people, days, constants or other records. */
function isKnown(node: Checked, facts: Facts): boolean {
  switch (node.op) {
    case 'literal':
      return true
    case 'field': {
      const { base, steps } = node.path
      return steps.length === 1 && (base === 'own' || base === 'this') && facts.has(steps[0]!.field)
    }
    case 'limit':
      return facts.has(limitFact(node.name))
    case 'me':
    case 'today':
    case 'now':
    case 'limit on':
    case 'answer':
    case 'setting':
    case 'function':
    case 'aggregate':
    case 'values':
    case 'member':
    case 'within':
    case 'error':
      return false
    case 'call':
      return node.calendar === undefined && partsOf(node).every(part => isKnown(part, facts))
    default:
      return partsOf(node).every(part => isKnown(part, facts))
  }
}
