/** Flow narrowing: what a condition says about emptiness, once it is known how it came out. */
import type { Checked } from './checked.ts'
import { pathText } from './checking.ts'

/** `not true` is false or unknown, `not false` is true or unknown. */
export type Outcome = 'true' | 'false' | 'not true' | 'not false'

const opposite: Readonly<Record<Outcome, Outcome>> = {
  true: 'false',
  false: 'true',
  'not true': 'not false',
  'not false': 'not true',
}

/**
 * Names that cannot be empty when the condition came out so. Only from `is empty` and `is`, which are never unknown: then a
 * part that relies on it does not decide anything where it is wrong, and both back ends agree.
 */
export function knownFrom(condition: Checked, outcome: Outcome): ReadonlySet<string> {
  switch (condition.op) {
    case 'not':
      return knownFrom(condition.of, opposite[outcome])
    case 'and':
    case 'or': {
      const decided = condition.op === 'and' ? 'true' : 'false'
      const all = condition.parts.map(part => knownFrom(part, outcome))
      return outcome === decided || outcome === `not ${opposite[decided]}` ? union(all) : intersection(all)
    }
    case 'empty':
      return outcome === 'false' || outcome === 'not true' ? namesOf(condition.of) : new Set()
    case 'same':
      if (outcome !== 'true' && outcome !== 'not false') return new Set()
      if (!condition.right.optional) return namesOf(condition.left)
      return condition.left.optional ? new Set() : namesOf(condition.right)
    default:
      return new Set()
  }
}

/** What any of these sets knows. */
export function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap(set => [...set]))
}

function intersection(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = sets
  return new Set([...first].filter(name => others.every(set => set.has(name))))
}

/** A path that has a value has records at all its references. */
function namesOf(node: Checked): ReadonlySet<string> {
  if (node.op === 'field') {
    const { path } = node
    return new Set(path.steps.map((_, index) => pathText({ ...path, steps: path.steps.slice(0, index + 1) })))
  }
  if (node.op === 'limit') return new Set([`limits.${node.name}`])
  if (node.op === 'answer' || node.op === 'setting') return new Set([`${node.op}.${node.name}`])
  return new Set([namelessKey(node)])
}

/** How something without a name, as a division, is remembered: it is the same when it is written the same. */
export const namelessKey = (node: Checked): string => JSON.stringify(node)

/** What stays known inside of a `where`: its bare names are another record's, the old ones are `this`. */
export function knownInside(known: ReadonlySet<string>, same: boolean): ReadonlySet<string> {
  const inside = new Set<string>()
  for (const name of known) {
    if (/^(?:this|old|my|limits|answer|setting)\./.test(name)) inside.add(name)
    else if (same) inside.add(`this.${name}`)
  }
  return inside
}
