/** A draft between what was given and what is written, alike for new records and stored ones. */
import type { Problem } from '../outcome.ts'
import { clearAbsent } from './absent.ts'
import { assignAll } from './assign.ts'
import { type Checked, check, type Writing } from './check.ts'
import { withdrawUnseen } from './check-named.ts'
import { dependsOnInvalid } from './depends-on-invalid.ts'
import { putInPlace } from './draft-record.ts'
import { withRelated } from './environment.ts'
import { begin, belong, copyAssigned, fillIn } from './fill.ts'
import { inFormOrder } from './form-order.ts'
import type { take } from './input.ts'
import { recompute } from './recompute.ts'
import { namedRows } from './row-names.ts'
import type { Scope } from './scope.ts'

/** What is wrong; or, where nothing is, what was found while it was checked. */
type PreparedWrite =
  | { readonly problems: readonly Problem[]; readonly checked: null }
  | { readonly problems: readonly []; readonly checked: Checked }

/**
 * Fills in, beside what was given, everything that the document does, and checks the whole; the problems are in the order of the form.
 * `denied` says why whoever asks may not write the record as it is by then: nothing else speaks before it does, but what was sent amiss,
 * which says nothing of what is stored.
 */
export async function prepareWrite(
  scope: Scope,
  taken: ReturnType<typeof take>,
  writing: Pick<Writing, 'entity' | 'record' | 'old' | 'on' | 'touched'>,
  denied: () => Promise<readonly Problem[]>,
): Promise<PreparedWrite> {
  const { app, request } = scope
  const { entity, record, old } = writing
  belong(app, request, entity, record, old)
  putInPlace(app, entity, record)
  const unseen = await withdrawUnseen(scope, { entity, record, old })
  const dependent = dependsOnInvalid(app, entity, record, old, pathsOf(taken.reported, unseen.problems))
  const undecided = await fillIn(scope, entity, record, old, taken.given)
  if (undecided.length > 0) {
    await withRelated(scope.related, () => recompute(scope, writing))
    await begin(scope, undecided)
  }
  const absent = await clearAbsent(scope, writing, taken.given, dependent)
  const assigned = await assignAll(scope, writing, dependent)
  await copyAssigned(scope, entity, record, old)
  recompute(scope, writing)
  const amiss = [...taken.problems, ...unseen.problems]
  const refused = await denied()
  const told = (problems: readonly Problem[]) => namedRows(scope, writing, inFormOrder(app, entity, problems))
  if (refused.length > 0) return { problems: await told(amiss.length > 0 ? amiss : refused), checked: null }
  const checked = await check(scope, {
    ...writing,
    reported: pathsOf(dependent.paths, [...absent.problems, ...assigned]),
    named: unseen.named,
  })
  const problems = [...amiss, ...absent.problems, ...assigned, ...checked.problems]
  return problems.length > 0 ? { problems: await told(problems), checked: null } : { problems: [], checked }
}

/** Paths of which something is said already. */
const pathsOf = (reported: ReadonlySet<string>, problems: readonly Problem[]): ReadonlySet<string> =>
  new Set([...reported, ...problems.flatMap(({ field }) => field ?? [])])
