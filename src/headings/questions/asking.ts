/** What the questions share: steps with their branches, and how names stand in a sentence. */
import { type Diagnostic, type Reporter, reporter } from '../../document/diagnostic.ts'
import type { Approval, Transition, Workflow } from '../4-states/model.ts'
import { isNobody } from '../4-states/takers.ts'
import { isUnspecified, specified } from '../specified.ts'
import { questionCodes } from './codes.ts'

export type Ask = Reporter<typeof questionCodes>['report']

export const askInto = (found: Diagnostic[]): Ask => reporter(questionCodes, 4, found).report

/** A step with all its branches, and what it waits for. */
export interface Step {
  readonly key: string
  readonly name: string
  readonly branches: readonly Transition[]
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly approvals: readonly Approval[]
}

/** Those that people take, and that leave neither end open. */
export function stepsOf({ transitions, approvals }: Workflow): readonly Step[] {
  return [...Map.groupBy(transitions, ({ key }) => key)].flatMap(([key, branches]) => {
    const from = branches.map(branch => specified(branch.from))
    const to = branches.map(branch => specified(branch.to))
    const isByPeople = branches.some(({ who }) => !isUnspecified(who) && !isNobody(who))
    if (from.includes(null) || to.includes(null) || !isByPeople) return []
    return {
      key,
      name: branches[0]!.name,
      branches,
      from: [...new Set(from.flatMap(states => states ?? []))],
      to: [...new Set(to.flatMap(state => state ?? []))],
      approvals: approvals.filter(({ step }) => step === key),
    }
  })
}

/** "Clerk, Manager and Director". */
export function listed(names: Iterable<string>, word: 'and' | 'or' = 'and'): string {
  const all = [...new Set(names)]
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`
}

export const quoted = (names: Iterable<string>): readonly string[] => [...names].map(name => `\`${name}\``)
