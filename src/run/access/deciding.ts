/** The cell that decides whether something may be done, and how: what a refusal or a button shows. */
import type { Cell } from '../../document/source.ts'
import type { Grant } from '../../headings/6-permissions/model.ts'
import { isUnspecified, type Specified } from '../../headings/specified.ts'

export interface Deciding {
  readonly cell: Cell
  /** Cells of other roles that decide in the same way. Absent: none. */
  readonly also?: readonly Cell[]
  readonly reason: 'allowed' | 'who' | 'row' | 'never' | 'unspecified' | 'no rule'
}

/** Of the cells of several roles, the one to show. */
export function decidedBy(grants: readonly Specified<Grant>[], open: boolean, otherwise: Cell): Deciding {
  const [when, ...others] = conditionsIn(grants)
  if (open) {
    const yes = grants.find(grant => !isUnspecified(grant) && grant.kind === 'yes')?.cell ?? when
    return { cell: yes ?? otherwise, reason: 'allowed' }
  }
  if (when !== undefined) return byRow(when, others)
  const unsaid = grants.find(isUnspecified)
  if (unsaid !== undefined) return { cell: unsaid.cell, reason: 'unspecified' }
  return grants[0] === undefined ? { cell: otherwise, reason: 'no rule' } : { cell: grants[0].cell, reason: 'who' }
}

export const conditionsIn = (grants: readonly Specified<Grant>[]): readonly Cell[] =>
  grants.flatMap(grant => (!isUnspecified(grant) && grant.kind === 'when' ? [grant.cell] : []))

export const byRow = (cell: Cell, others: readonly Cell[]): Deciding => ({
  cell,
  reason: 'row',
  ...(others.length === 0 ? {} : { also: others }),
})
