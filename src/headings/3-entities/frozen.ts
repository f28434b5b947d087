/**
 * `frozen on submit until send back`: what stays as it is once a step was taken. An unseen field of the record, its mark, says since
 * when it is frozen; what is worked out is kept in another one and read from there. The steps write both, as acts of theirs.
 */

import { codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Checked } from '../../expression/checked.ts'
import type { Expression } from '../../expression/expression.ts'
import { ownField } from '../../expression/own-field.ts'
import { findStep } from '../4-states/declare.ts'
import type { Context } from '../context.ts'
import { placeOf } from '../names.ts'
import { entityCodes } from './codes.ts'
import type { EntityDraft } from './declare.ts'
import type { Entity, Frozen } from './model.ts'

const section = 3
/** A name that PostgreSQL would cut off is none. */
const longestName = 63

/**
 * `submit, resubmit until send back`, as `cell` says it. The steps are those of the entity; of rows without states, those of what they
 * are part of. Null after a report.
 */
export function readFrozen(
  context: Context,
  draft: EntityDraft,
  parent: EntityDraft | null,
  said: Cell,
  cell: Cell,
): Frozen | null {
  const steps = splitAt(said, 'until')
  const own = context.workflows.has(draft.key)
  const of = own || parent === null ? draft.key : parent.key
  const keys = (cell: Cell): readonly string[] | null => {
    const found = splitCell(cell, ',').map(piece => findStep(context, of, codeless(piece))?.key ?? null)
    return found.includes(null) ? null : (found as string[])
  }
  const on = keys(steps?.before ?? said)
  const until = steps === null ? [] : keys(steps.after)
  if (on === null || until === null) return null
  const mark = ['frozen_on', ...on, ...(until.length === 0 ? [] : ['until', ...until])].join('_')
  if (mark.length <= longestName) return { cell, of, steps: on, until, mark }
  const why = `the names of its steps have more than ${longestName - 'frozen_on_'.length} letters together`
  reporter(entityCodes, section, context.found).report('N1376', said, { why })
  return null
}

/** What stands behind `Frozen`, without its exceptions; null where there is nothing. */
export function frozenSteps(context: Context, draft: EntityDraft, parent: EntityDraft | null): Frozen | null {
  const { frozen: cell } = draft
  if (cell === null || nothing(cell) !== null) return null
  const { report } = reporter(entityCodes, section, context.found)
  const parts = splitAt(cell, 'on')
  if (parent !== null) report('N1342', cell, { entity: draft.name, key: 'Frozen', parent: parent.name })
  else if (parts === null || parts.before.text !== '') report('N1376', cell, { why: 'it names no step' })
  else {
    const { before } = splitAt(parts.after, 'except') ?? { before: parts.after }
    return readFrozen(context, draft, parent, before, { ...placeOf(cell), text: `frozen ${cell.text}`, gaps: [] })
  }
  return null
}

/** Where what is worked out is kept. */
export const keptAs = (field: string): string => `${field}_frozen`

/** The fields that keep what is frozen, which nobody wrote down. */
export const unseenIn = ({ fields, frozen }: Pick<Entity, 'fields' | 'frozen'>): ReadonlySet<string> =>
  new Set([
    ...(frozen === null ? [] : [frozen.mark]),
    ...fields.flatMap(({ key, frozen: of }) => (of === null ? [] : [of.mark, keptAs(key)])),
  ])

/** What a computed field is: what it was when it was frozen, else what it is worked out to. */
export function unlessFrozen(live: Expression, entity: string, field: string, mark: string): Expression {
  const { type, optional } = live
  const of = ownField(entity, mark, { kind: 'moment' })
  const condition: Checked = { op: 'empty', of, type: { kind: 'yes/no' }, optional: false }
  const otherwise = ownField(entity, keptAs(field), type)
  // biome-ignore lint/suspicious/noThenProperty: a part of `if`, never a function
  const root: Checked = { op: 'if', condition, then: live.root, otherwise, type, optional }
  return { ...live, reads: [...live.reads, mark, keptAs(field)], root }
}
