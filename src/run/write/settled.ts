/** A draft between what was given and what is written, alike for new records and stored ones. */
import type { Problem } from '../outcome.ts'
import { settleAbsent } from './absent.ts'
import { assignAll } from './assign.ts'
import { type Checked, check, inFormOrder, type Writing } from './check.ts'
import { withdrawUnseen } from './check-named.ts'
import { doubtOf } from './doubt.ts'
import { belong, copyAssigned, fillIn } from './fill.ts'
import type { take } from './input.ts'
import { renew } from './renew.ts'
import type { Scope } from './scope.ts'

/** Fills in, beside what was given, everything that the document does, and checks the whole; the problems are in the order of the form. */
export async function settled(
  scope: Scope,
  taken: ReturnType<typeof take>,
  writing: Pick<Writing, 'entity' | 'record' | 'old' | 'on' | 'touched'>,
): Promise<{ readonly checked: Checked; readonly problems: readonly Problem[] }> {
  const { app, request } = scope
  const { entity, record, old } = writing
  belong(app, request, entity, record, old)
  const unseen = await withdrawUnseen(scope, { entity, record, old })
  const doubt = doubtOf(app, entity, record, old, pathsOf(taken.settled, unseen.problems))
  await fillIn(scope, entity, record, old, taken.given)
  const absent = await settleAbsent(scope, writing, taken.given, doubt)
  const assigned = await assignAll(scope, writing, doubt)
  await copyAssigned(scope, entity, record, old)
  renew(scope, writing)
  const checked = await check(scope, {
    ...writing,
    settled: pathsOf(doubt.paths, [...absent.problems, ...assigned]),
    named: unseen.named,
  })
  const found = [...taken.problems, ...unseen.problems, ...absent.problems, ...assigned, ...checked.problems]
  return { checked, problems: inFormOrder(app, entity, found) }
}

/** Paths of which something is said already. */
const pathsOf = (settled: ReadonlySet<string>, problems: readonly Problem[]): ReadonlySet<string> =>
  new Set([...settled, ...problems.flatMap(({ field }) => field ?? [])])
