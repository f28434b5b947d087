/** What steps wait for, as things that can be compared. */
import type { Entity } from '../../headings/3-entities/model.ts'
import type { Approval, Workflow } from '../../headings/4-states/model.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { type Renames, wordsOf } from './meaning.ts'
import { aspects, list, type Part, rest } from './parts.ts'
import { changed, type Thing } from './thing.ts'

/** The approvals of a document, comparable. */
export function approvalThings(
  entity: Entity,
  { approvals, transitions }: Workflow,
  renames: Renames,
): readonly Thing[] {
  return approvals.map(approval => {
    const { name, step, when, cell } = approval
    const guarded = transitions.find(({ key }) => key === step)?.name ?? step
    const earlier = approvals.filter(({ key }) => approval.after.includes(key)).map(one => one.name)
    const title = `approval ${name} of ${entity.name}`
    const number = numberOf(approval)
    const parts: readonly Part[] = [
      { name: 'of', value: { step }, words: guarded, tell: changed(`${title}, step`) },
      {
        name: 'after',
        value: approval.after,
        words: list(earlier),
        tell: changed(`${title}, what comes before it`),
      },
      { name: 'needs', value: { needs: approval.needs }, words: number, tell: changed(`${title}, number of people`) },
      { name: 'from', value: approval.from, tell: changed(`${title}, people`) },
      {
        name: 'when',
        value: when,
        tell: (was, is) =>
          is === null
            ? `${title} is needed for every record now (was when \`${was}\`)`
            : `${title} is needed ${was === null ? 'only ' : ''}when \`${is}\` (was ${was === null ? 'always' : `when \`${was}\``})`,
      },
      { name: 'except', value: approval.except, tell: changed(`${title}, who never counts`) },
      { name: 'deputy', value: approval.deputy, tell: changed(`${title}, deputies`) },
      { name: 'survives', value: approval.survives, tell: changed(`${title}, what decisions survive`) },
      ...rest(approval, ['survives', 'step', 'after', 'needs', 'from', 'when', 'except', 'deputy'], title),
    ]
    return {
      id: `approval ${renames.entity(entity.key)}.${approval.key}`,
      cell,
      section: 4,
      comes: `${entity.name} ${guarded} waits for ${name} now: ${number} ${wordsOf(approval.from) ?? 'nobody'}${when === null ? '' : `, when \`${wordsOf(when)}\``}`,
      goes: `${entity.name} ${guarded} no longer waits for ${name}; what was decided for it counts for nothing`,
      aspects: aspects(parts, cell, renames, entity.key),
    }
  })
}

const numberOf = ({ needs }: Approval): string => (isUnspecified(needs) ? 'not specified' : `${needs} of`)
